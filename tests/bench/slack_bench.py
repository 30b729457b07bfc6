"""How fast Slack gets its acknowledgements while the bot is at work, beside a bare Bolt app.

Run it with `python -m tests.bench.slack_bench` (about two minutes of two idle cores). A process of
its own sends 1,000 signed slash commands, 100 in flight, three times: to a Bolt app that does
nothing but acknowledge; to MASIS with 20 runs in progress; and to MASIS with a large document
being parsed as well. Quotas are raised for it. Slack wants its answer within 3 seconds.
"""

import argparse
import asyncio
import json
import logging
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import aiohttp
import docx
from aiohttp import web
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.signature import SignatureVerifier

from bot import http
from bot.chat.words.shared_sentences import ON_IT
from bot.slack.text.sentences import GOT_IT
from masis.conversation import TeamSettings
from storage.admission import quotas
from tests.openai_server import OpenAIServer, drips
from tests.walks.office import Office, office

COMMANDS: Final = 1_000
IN_FLIGHT: Final = 100
RUNS: Final = 20
PEOPLE: Final = 100
PARAGRAPHS: Final = 60_000
"""A docx of these keeps the parser's process busy for more than four seconds."""
SECRET: Final = "an invented signing secret"


def main() -> None:
    """Measure, and print a table; as `--load URL SECRET` send the commands and print their times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--load", nargs=5, metavar=("URL", "SECRET", "TEAM", "CHANNEL", "USERS"))
    chosen = parser.parse_args()
    if chosen.load:
        print(json.dumps(asyncio.run(load(*chosen.load))))
    else:
        logging.basicConfig(level=logging.ERROR)
        asyncio.run(measure())


# --- the load ------------------------------------------------------------------------------


async def load(url: str, secret: str, team: str, channel: str, users: str) -> dict[str, float]:
    """Send all commands; milliseconds to the acknowledgement, and how many came a second."""
    verifier, waiting, people = SignatureVerifier(secret), iter(range(COMMANDS)), users.split(",")
    spent: list[float] = []
    bad: list[str] = []

    async def person(session: aiohttp.ClientSession) -> None:
        for number in waiting:
            body = command(number, team, channel, people[number % len(people)])
            stamp = str(int(time.time()))
            headers = {
                "Content-Type": "application/x-www-form-urlencoded",
                "X-Slack-Request-Timestamp": stamp,
                "X-Slack-Signature": verifier.generate_signature(timestamp=stamp, body=body) or "",
            }
            begun = time.perf_counter()
            async with session.post(url, data=body, headers=headers) as response:
                text = await response.text()
            spent.append((time.perf_counter() - begun) * 1000)
            if response.status != 200 or not (ON_IT in text or GOT_IT in text):
                bad.append(f"{response.status} {text[:200]}")

    begun = time.perf_counter()
    timeout = aiohttp.ClientTimeout(total=60)
    connector = aiohttp.TCPConnector(limit=IN_FLIGHT)
    async with aiohttp.ClientSession(timeout=timeout, connector=connector) as session:
        await asyncio.gather(*(person(session) for _ in range(IN_FLIGHT)))
    seconds = time.perf_counter() - begun
    if bad:
        print(len(bad), bad[0], file=sys.stderr)
    cuts = statistics.quantiles(spent, n=100)
    return {
        "acks a second": COMMANDS / seconds,
        "p50": cuts[49],
        "p99": cuts[98],
        "max": max(spent),
        "not accepted": len(bad),
    }


def command(number: int, team: str, channel: str, user: str) -> str:
    """The body of a slash command."""
    return urlencode(
        {
            "command": "/masis",
            "text": f"How many days of annual leave does employee {number} have?",
            "team_id": team,
            "channel_id": channel,
            "user_id": user,
            "user_name": f"employee{number}",
            "trigger_id": f"{number}.{time.time_ns()}",
            "response_url": "",
            "api_app_id": "A1",
        }
    )


async def sent(url: str, secret: str, team: str, channel: str, users: str) -> dict[str, float]:
    """Send the load from a process of its own; with what it costs this one, the bot's."""
    before = time.process_time()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.bench.slack_bench", "--load", url, secret, team, channel, users),
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await process.communicate()
    result: dict[str, float] = json.loads(printed)
    return result | {"cpu": (time.process_time() - before) / COMMANDS * 1000}


# --- what it is sent to --------------------------------------------------------------------


@asynccontextmanager
async def bare() -> AsyncIterator[str]:
    """A Bolt app that acknowledges, behind Bolt's own signature check; gives its address."""

    async def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=enterprise_id, team_id=team_id, bot_token="xoxb-0", bot_id="B1"
        )

    app = AsyncApp(signing_secret=SECRET, authorize=authorize)

    @app.command("/masis")
    async def masis(ack: Any) -> None:
        await ack(ON_IT)

    runner = web.AppRunner(app.web_app(path=http.EVENTS_PATH), access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}{http.EVENTS_PATH}"
    finally:
        await runner.cleanup()


async def busy(here: Office, service: OpenAIServer) -> None:
    """Begin as many runs as are in progress while the load comes; their model drips for 20 s."""
    service.will("writer", *[drips()] * RUNS)
    for number in range(RUNS):
        await here.types(here.alice, f"What about annual leave in year {2026 + number}?")
    await here.slack.until(lambda: len(service.asked) >= RUNS, 60)


def large() -> bytes:
    """A document that takes its parser seconds."""
    document = docx.Document()
    for number in range(PARAGRAPHS):
        document.add_paragraph(f"Paragraph {number} of the large handbook says little.")
    held = BytesIO()
    document.save(held)
    return held.getvalue()


# --- the figures ---------------------------------------------------------------------------


async def measure() -> None:
    """All three, one after the other, in one table."""
    quotas.QUEUE_LIMIT = 100_000  # type: ignore[attr-defined] # raised for the load
    quotas.QUEUE_LIMIT_PER_WORKSPACE = 100_000  # type: ignore[attr-defined] # the same
    quotas.MAX_EXPECTED_WAIT = 1e9  # type: ignore[attr-defined] # the same
    rows = {}
    async with bare() as url:
        rows["bare Bolt"] = await sent(url, SECRET, "T1", "C1", "U1")
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as closing:
            here = await closing.enter_async_context(
                office(
                    Path(folder),
                    MASIS_RUNS_AT_ONCE=str(RUNS),
                    # All of them come from one address, as from a proxy; the stand-in's own too.
                    MASIS_HTTP_CONNECTIONS_PER_ADDRESS=str(2 * IN_FLIGHT),
                )
            )
            rows |= await _at_work(here)
    print(
        f"{'':<34}{'acks/s':>9}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}{'cpu ms':>9}{'refused':>9}"
    )
    for name, row in rows.items():
        figures = "".join(f"{row[key]:>9.0f}" for key in ("acks a second", "p50", "p99", "max"))
        figures += f"{row['cpu']:>9.2f}"
        print(f"{name:<34}{figures}{row['not accepted']:>9.0f}")


async def _at_work(here: Office) -> dict[str, dict[str, float]]:
    assert here.bot.team is not None
    assert here.service is not None
    most = dict.fromkeys(("channel_per_minute", "workspace_per_minute"), 10000)
    raised = TeamSettings(user_per_minute=1000, user_running=100, workspace_running=1000, **most)
    await here.bot.services.settings.save(here.bot.team, raised)
    await busy(here, here.service)
    where = (here.slack.request_url or "", here.slack.signing_secret)
    people = ",".join(here.slack.person(f"person{n}").id for n in range(PEOPLE))
    place = (here.bot.team.team, here.channel.id, people)
    rows = {f"MASIS, {RUNS} runs in progress": await sent(*where, *place)}
    document = await asyncio.to_thread(large)
    parsing = asyncio.create_task(here.app.ingest.ingest(here.workspace, "large.docx", document))
    await asyncio.sleep(0.5)
    rows["and a large document being parsed"] = await sent(*where, *place)
    print("the document was still being parsed at the end:", not parsing.done())
    parsing.cancel()
    await asyncio.gather(parsing, return_exceptions=True)
    return rows


if __name__ == "__main__":
    main()
