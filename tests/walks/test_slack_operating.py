"""What an operator sees of questions in Slack, and what it never names."""

import asyncio
import datetime as dt
from pathlib import Path

import aiohttp
from sqlalchemy import text

from bot.at_work import sweeper
from masis.conversation import ChatRun
from storage.queue.engine import DbosEngine
from tests.bot.program import program
from tests.openai_server import says
from tests.walks.office import QUESTION, Held, Office, office


async def test_metrics_count_questions_without_identities(tmp_path: Path) -> None:
    """The figures tell of a question and of nobody."""
    async with office(tmp_path, socket=True) as here:
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "High")
        await here.settled()

        async with (
            aiohttp.ClientSession() as browser,
            browser.get(f"{here.address}/metrics") as response,
        ):
            page = await response.text()

        lines = page.splitlines()
        assert 'masis_accepts_total{state="accepted"} 1.0' in lines
        assert 'masis_runs_total{status="answer"} 1.0' in lines
        assert "masis_confidence_count 1.0" in lines
        assert "masis_llm_wait_seconds_count 3.0" in lines
        assert 'masis_node_seconds_count{node="critic"} 1.0' in lines
        assert "masis_queue_depth 0.0" in lines
        assert "masis_ack_seconds_count 0.0" not in lines
        named = (here.tenant.team, here.channel.id, here.alice.id, here.workspace.id)
        assert [name for name in named if name in page] == []


async def test_old_data_expires_by_settings(tmp_path: Path) -> None:
    """What is old is forgotten when the settings say."""
    async with office(
        tmp_path,
        model=False,
        MASIS_KEEP_CLAIMS_HOURS="2",
        MASIS_KEEP_STEPS_DAYS="2",
        MASIS_KEEP_RUNS_DAYS="3",
    ) as here:
        await here.bot.services.claims.take(here.tenant, "a delivery")
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "extractive")
        await here.settled()
        assert await left(here, hours=1) == {"claims": True, "steps": True, "runs": True}
        assert await left(here, hours=3) == {"claims": False, "steps": True, "runs": True}
        assert await left(here, hours=49) == {"claims": False, "steps": False, "runs": True}
        assert await left(here, hours=73) == {"claims": False, "steps": False, "runs": False}


async def left(here: Office, *, hours: float) -> dict[str, bool]:
    """What is still there of the question, so many hours later."""
    engine = here.bot.engine
    assert isinstance(engine, DbosEngine)
    later = dt.datetime.now(dt.UTC) + dt.timedelta(hours=hours)
    await sweeper(here.app, [here.bot], engine).once(later)
    tables = {"claims": "claims", "steps": "operation_outputs", "runs": "chat_runs"}
    async with here.app.database.read() as connection:
        return {
            name: await connection.scalar(text(f"SELECT count(*) FROM {table}")) > 0  # noqa: S608 - fixed words
            for name, table in tables.items()
        }


async def test_operator_stops_and_reruns_question(
    tmp_path: Path,
) -> None:
    """An operator stops a question within its step and has it asked again."""
    async with office(tmp_path) as here:
        assert here.service is not None
        held = Held(says("never"))
        here.service.will("writer", held)
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "▸ Draft")
        stopped = await newest(here)

        assert "is being stopped" in await operate(tmp_path, "cancel", stopped.id)
        # Noticed while the writer is at work, at the next look at the row.
        await here.sees(here.alice, "Stopped by the operator of MASIS")
        held.go.set()
        await here.settled()
        assert (await newest(here)).status == "cancelled"

        assert "Queued again" in await operate(tmp_path, "retry", stopped.id)
        answer = await here.sees(here.bob, "High")
        assert answer.thread_ts == (await newest(here)).thread
        await here.settled()
        again = (await newest(here)).id
        assert "It ended with answer" in await operate(tmp_path, "retry", again, code=2)


async def operate(folder: Path, *words: str, code: int = 0) -> str:
    """What `masis runs` says, on the data folder of a bot at work."""
    result = await asyncio.to_thread(program(folder / "data"), "runs", *words)
    assert result.exit_code == code, result.output
    return result.output


async def newest(here: Office) -> ChatRun:
    return (await here.bot.services.runs.recent(here.tenant, 1))[0]
