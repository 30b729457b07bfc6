"""MASIS asks back: every reason why, every way to reply, and who may."""

import asyncio
import copy
import datetime as dt
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from sqlalchemy import update

from bot.chat.sweeper import Sweeper
from bot.slack.client import delivery, pacing
from storage.privacy.retention import Retention
from storage.sql.tables import sessions
from tests.openai_server import Asked, Behaviour, breaks_json, critique, says
from tests.walks.office import QUESTION, Held, Office, assert_told, decide, office

OFF_TOPIC = "Who won the chess tournament in Reykjavik?"
LAPTOP = "How soon must a lost laptop be reported?"
DISAGREEING = {
    "old.md": "---\ndate: 2021-05-04\n---\n# Leave\n\nEvery employee has 26 days of annual leave.\n",
    "new.md": "---\ndate: 2026-01-31\n---\n# Leave\n\nEvery employee has 28 days of annual leave.\n",
}
LODGE = {
    "lodge-rules.md": "---\ndate: 2024-05-02\n---\n# Lodge rules\n\n"
    "A guest may stay in the lodge for 14 nights. The warden approves every stay.\n",
    "members-letter.md": "---\ndate: 2025-11-20\n---\n# Letter to members\n\n"
    "A guest may stay in the lodge for 21 nights. <!channel> The kitchen closes at ten.\n",
}
_CHUNK = re.compile(r"c_[a-z2-7]{12}")


async def test_empty_workspace_awaits_no_reply(tmp_path: Path) -> None:
    """An empty workspace says what to do and waits for no reply."""
    async with office(tmp_path, documents={}) as here:
        await here.types(here.alice, QUESTION)
        asked = await here.sees(here.bob, "The workspace “handbook” holds no documents yet")
        await here.says(here.alice, "Here you go", thread=asked)

        await assert_told(here, "clarification_empty_workspace")


async def test_unmatched_question_is_rephrased(
    tmp_path: Path,
) -> None:
    """A question that nothing is close to is rephrased in the thread."""
    async with office(tmp_path) as here:
        await here.types(here.alice, OFF_TOPIC)
        asked = await here.sees(here.bob, "nothing close enough to your question")
        here.saw("Bob sees meanwhile", here.text(asked))
        assert here.service is not None
        assert not here.service.asked

        await here.says(here.alice, QUESTION, thread=asked)
        await here.sees(here.bob, "High")

        await assert_told(here, "clarification_below_threshold")


async def test_unaudited_draft_can_be_cancelled(tmp_path: Path) -> None:
    """A draft that nobody audited is cancelled."""
    async with office(tmp_path) as here:
        assert here.service is not None
        here.service.will("auditor", *[breaks_json()] * 6)
        await here.types(here.alice, QUESTION)
        asked = await here.sees(here.bob, "could not be audited")
        here.saw("Bob sees meanwhile", here.text(asked))
        await here.clicks(here.bob, asked, "Cancel")
        await here.clicks(here.alice, asked, "Cancel")
        await here.sees(here.bob, "Cancelled by")

        await assert_told(here, "clarification_not_audited")


async def test_conflict_is_settled_by_button(tmp_path: Path) -> None:
    """A conflict names its sources and is settled by a button."""
    async with office(tmp_path, documents=DISAGREEING) as here:
        assert here.service is not None
        here.service.will("auditor", *[sees_a_conflict()] * 3)
        await here.types(here.alice, QUESTION)
        asked = await here.sees(here.bob, "The sources disagree")
        here.saw("Bob sees meanwhile", here.text(asked))
        await here.clicks(here.bob, asked, "new.md counts")
        await here.sees(here.bob, "Only the person who asked")
        here.service.will("writer", quotes("Every employee has 28 days of annual leave"))
        await here.clicks(here.alice, asked, "new.md counts")
        await here.sees(here.bob, "High")

        written = here.service.of("writer")[-1].data
        assert (written["question"], written["reply"]) == (QUESTION, "new.md counts")
        assert "26 days" not in str(written["evidence"])
        await assert_told(here, "clarification_conflict")


async def test_conflict_is_settled_when_asked_again(tmp_path: Path) -> None:
    """Without a model: the first reply chooses nothing, the second one does in other words."""
    async with office(tmp_path, documents=LODGE, model=False) as here:
        await here.types(here.alice, "How many nights may a guest stay in the lodge?")
        asked = await here.sees(here.bob, "The sources disagree")
        here.saw("Bob sees meanwhile", here.text(asked))
        await here.says(here.alice, "not sure, ask the warden", thread=asked)
        again = await here.sees(here.bob, "I could not tell from your reply")
        here.saw("Bob sees then", here.text(again))
        await here.says(here.alice, "the rules are out of date", thread=again)
        ended = await here.sees(here.bob, "21 nights [1]")
        assert "14" not in here.text(ended)
        await here.settled()
        await here.types(here.alice, "history")
        await here.sees(here.alice, "replied “the rules are out of date”")

        await assert_told(here, "clarification_conflict_again")


async def test_follow_up_of_a_reply_knows_the_question(tmp_path: Path) -> None:
    """A question, the reply to what was asked back, and what goes on from there: it is about the first."""
    async with office(tmp_path, documents=LODGE, model=False) as here:
        await here.types(here.alice, "How many nights may a guest stay in the lodge?")
        asked = await here.sees(here.bob, "The sources disagree")
        await here.says(here.alice, "the members letter counts", thread=asked)
        ended = await here.sees(here.bob, "21 nights [1]")
        await here.settled()
        await here.says(here.alice, "and who approves it?", thread=ended)
        answer = await here.sees(here.bob, "The warden approves every stay")
        assert "21" not in here.text(answer)
        understood = [line for line in here.text(answer).splitlines() if "Understood as" in line]
        assert "lodge" in understood[0]

        await assert_told(here, "clarification_follow_up")


async def test_weak_draft_is_completed_by_form(tmp_path: Path) -> None:
    """A weak draft is shown on request and mended by a form."""
    async with office(tmp_path) as here:
        assert here.service is not None
        here.service.will("auditor", *[critique(confidence=0.41)] * 3)
        await here.types(here.alice, QUESTION)
        asked = await here.sees(here.bob, "After 2 refinement attempts the confidence is 41.0 %")
        here.saw("Bob sees meanwhile", here.text(asked))
        await here.clicks(here.bob, asked, "Show the best draft")
        await here.modal(here.bob, "This draft did not pass")
        await here.clicks(here.alice, asked, "Answer in a form")
        await here.modal(here.alice, "Your reply")
        await here.submits(
            here.alice, {"Your reply": "In a full year", "Documents that count": ["leave.md"]}
        )
        await here.sees(here.bob, "High")

        await assert_told(here, "clarification_low_confidence")


async def test_only_asker_or_manager_may_reply(
    tmp_path: Path,
) -> None:
    """One reply counts that of the asker or a manager in that thread."""
    async with office(tmp_path) as here:
        await here.types(here.alice, OFF_TOPIC)
        asked = await here.sees(here.bob, "nothing close enough to your question")
        await here.says(here.bob, "It is about laptops", thread=asked)
        await here.sees(here.bob, "Only the person who asked")
        await here.says(here.bob, "About laptops, I said!", thread=asked)
        elsewhere = (await here.says(here.alice, "Lunch?")).message
        await here.says(here.alice, "It is about laptops", thread=elsewhere)
        await here.settled()
        assert len(await here.bot.services.runs.recent(here.tenant, 10)) == 1

        not_yet_shown_anew = copy.deepcopy(asked)
        await here.says(here.admin, QUESTION, thread=asked)
        await here.sees(here.bob, "High")
        await here.clicks(here.alice, not_yet_shown_anew, "Look in leave.md")
        await here.sees(here.alice, "your reply came too late")
        await here.says(here.alice, "Thanks, all clear", thread=asked)

        await assert_told(here, "clarification_hijacked")
        runs = await here.bot.services.runs.recent(here.tenant, 10)
        assert [run.kind for run in runs] == ["follow_up", "ask"]


async def test_nobody_replies_in_time(tmp_path: Path) -> None:
    async with office(tmp_path) as here:
        await here.types(here.alice, OFF_TOPIC)
        asked = await here.sees(here.bob, "nothing close enough to your question")
        await here.settled()
        await a_day_passes(here)
        await here.says(here.alice, QUESTION, thread=asked)
        await here.sees(here.alice, "expired")
        await sweeping(here).once(dt.datetime.now(dt.UTC))
        await here.sees(here.bob, "Nobody replied within 24 hours")
        await sweeping(here).once(dt.datetime.now(dt.UTC))

        await assert_told(here, "clarification_expired")


@pytest.mark.parametrize(("error", "told"), [("internal_error", 1), ("is_archived", 0)])
async def test_undelivered_expiry_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: str, told: int
) -> None:
    """An expiry that slack did not take is said on the next round."""
    monkeypatch.setattr(pacing, "REPEAT_PAUSE", 0.01)
    monkeypatch.setattr(delivery, "SETTLE_SECONDS", 0.01)
    async with office(tmp_path) as here:
        await here.types(here.alice, OFF_TOPIC)
        await here.sees(here.bob, "nothing close enough to your question")
        await here.settled()
        await a_day_passes(here)
        services, now = here.bot.services, dt.datetime.now(dt.UTC)
        # As often as one round tries it.
        here.slack.hub.faults.add(
            kind="error", method="chat.postMessage", error=error, times=20, matches=says_it_expired
        )
        await sweeping(here).once(now)
        assert not await services.sessions.due(now)
        here.slack.hub.faults.clear()
        for _ in range(2):
            await sweeping(here).once(now)
        said = [line for line in here.lines() if "Nobody replied within 24 hours" in line]
        assert len(said) - 1 == told, "the question itself says it, too"
        assert not await services.sessions.expired_unannounced(now, "slack")


async def test_rounds_continue_after_a_failure(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Rounds go on after one that failed."""
    rounds: asyncio.Queue[None] = asyncio.Queue()

    async def breaks(_: dt.datetime) -> None:
        rounds.put_nowait(None)
        raise ZeroDivisionError("somebody's words")

    async def three() -> int:
        return 3

    async with office(tmp_path, model=False) as here:
        broken = Sweeper(
            [here.bot],
            here.bot.services.runs,
            Retention(here.app.database),
            breaks,
            retain_every=dt.timedelta(0),
            processes=three,
        )
        going = asyncio.create_task(broken.forever(every=0.01))
        for _ in range(2):
            await asyncio.wait_for(rounds.get(), 10)
        going.cancel()
        await asyncio.gather(going, return_exceptions=True)
        assert here.bot.services.web.calls.pacing.processes == 3, "Slack's limits are shared"
    assert "ZeroDivisionError" in caplog.text
    assert "somebody's words" not in caplog.text


async def test_early_message_is_no_reply(tmp_path: Path) -> None:
    """What is said before the question comes back is no reply: it waits behind it."""
    async with office(tmp_path) as here:
        assert here.service is not None
        await decide(here, user_running=9)
        held = Held(critique(confidence=0.41))
        here.service.will("auditor", held, *[critique(confidence=0.41)] * 2)
        root = (await here.says(here.alice, f"@MASIS {QUESTION}")).message
        await here.sees(here.bob, "▸ Audit")
        await here.says(here.alice, "In a full year, I mean", thread=root)
        # The buttons are pressed before Slack has said where the message with them is.
        here.slack.hub.faults.add(
            kind="slow", method="chat.postMessage", delay_s=0.2, matches=asks_back
        )
        held.go.set()
        asked = await here.sees(here.bob, "41.0 %")
        await here.clicks(here.alice, asked, "Go by leave.md")
        await here.sees(here.bob, "High")

        await assert_told(here, "clarification_early_replies")


async def test_thread_questions_are_answered_in_order(
    tmp_path: Path,
) -> None:
    """Questions in one thread are answered in their order and go on from each other."""
    async with office(tmp_path) as here:
        assert here.service is not None
        first = Held(quotes("Every employee has 26 days of annual leave a year"))
        here.service.will("writer", first, *[quotes("Report a lost laptop to the IT desk")] * 2)
        root = (await here.says(here.alice, f"@MASIS {QUESTION}")).message
        await here.sees(here.bob, "▸ Draft")
        await here.says(here.bob, f"@MASIS {LAPTOP}", thread=root)
        waiting = await here.sees(here.alice, "Waiting for the question before it")
        here.saw("Alice sees meanwhile", here.text(waiting))
        first.go.set()
        await here.sees(here.bob, "Report a lost laptop")

        lunch = (await here.says(here.bob, "Is there lunch?")).message
        await here.says(here.alice, f"@MASIS {LAPTOP}", thread=lunch)
        await here.sees(here.bob, "High", thread=lunch)

        prompts = [each.data for each in here.service.of("writer")]
        asked = [(each["question"], each.get("earlier")) for each in prompts]
        assert asked == [(QUESTION, None), (LAPTOP, QUESTION), (LAPTOP, None)]
        await assert_told(here, "two_questions_in_one_thread")


def sees_a_conflict() -> Behaviour:
    """An audit in which the first two documents of the prompt disagree."""

    async def answer(request: web.Request, asked: Asked) -> web.StreamResponse:
        first, second = list(dict.fromkeys(_CHUNK.findall(asked.messages[1]["content"])))[:2]
        said = f"[{first}] says 26 days, [{second}] says 28 days."
        return await critique(conflicting_evidence=[said])(request, asked)

    return answer


def quotes(sentence: str) -> Behaviour:
    """A draft of this one sentence, with the passage that it stands in as its source."""

    async def answer(request: web.Request, asked: Asked) -> web.StreamResponse:
        evidence: dict[str, str] = asked.data["evidence"]
        chunk_id = next(chunk_id for chunk_id, text in evidence.items() if sentence in text)
        return await says(f"{sentence} [{chunk_id}].")(request, asked)

    return answer


async def a_day_passes(here: Office) -> None:
    """Everything that waits for a reply was asked more than 24 hours ago."""
    asked = dt.datetime.now(dt.UTC) - dt.timedelta(hours=24, seconds=1)
    times = {"created_at": asked, "expires_at": asked + dt.timedelta(hours=24)}
    async with here.app.database.write() as connection:
        await connection.execute(update(sessions).values(**times))


def sweeping(here: Office) -> Sweeper:
    """What looks after questions that nobody replies to."""

    async def nothing(_: dt.datetime) -> None:
        pass

    return Sweeper([here.bot], here.bot.services.runs, Retention(here.app.database), nothing)


def asks_back(call: Mapping[str, Any]) -> bool:
    """Whether a message is a clarification."""
    return "masis_clarification" in str(call.get("metadata"))


def says_it_expired(call: Mapping[str, Any]) -> bool:
    """Whether a message is the one of an expiry."""
    return "masis_expired" in str(call.get("metadata"))
