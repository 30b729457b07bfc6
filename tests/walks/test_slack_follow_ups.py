"""Threads that go on: who is answered without a mention, and who is left alone."""

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from bot.chat.words.admin_sentences import MODE, MODE_CHOICES
from bot.playground.slack.entities import Message
from bot.slack.text.thread_sentences import (
    FOLLOW_UP_CHOICES,
    FOLLOW_UP_STATUS,
    FOLLOW_UPS,
    MODE_STATUS,
)
from masis.conversation import FollowUpRule
from storage.chat.admin_log import AdminLog
from tests.openai_server import critique
from tests.walks.office import (
    QUESTION,
    Held,
    Office,
    assert_told,
    decide,
    link,
    office,
    slack_of_ours,
)

LAPTOP = "How soon must a lost laptop be reported?"
OFF_TOPIC = "Who won the chess tournament in Reykjavik?"
REPLACED = "How often are laptops replaced?"


async def asked(here: Office) -> list[str]:
    """The questions that were taken in, the oldest first."""
    runs = await here.bot.services.runs.recent(here.tenant, 100)
    return [run.question for run in runs][::-1]


async def begun(here: Office) -> Message:
    """A thread in which Alice was answered."""
    root = (await here.says(here.alice, f"@MASIS {QUESTION}")).message
    assert root is not None
    await here.sees(here.bob, "26 days", thread=root)
    await here.settled()
    return root


async def changed_rule(here: Office, rule: FollowUpRule) -> None:
    """The rule of the channel as if an admin had chosen it long ago."""
    await here.bot.services.links.set_follow_ups(here.tenant, here.channel.id, rule)
    here.deeds.append(f"An admin chooses: {FOLLOW_UP_CHOICES[rule]}")


# --- whose turn it is ----------------------------------------------------------------------


async def test_asker_goes_on_without_mention(tmp_path: Path) -> None:
    """Who asked last goes on without a mention, and says thanks once."""
    async with office(tmp_path, model=False) as here:
        root = await begun(here)
        await here.says(here.alice, LAPTOP, thread=root)
        await here.sees(here.bob, "within 2 hours", thread=root)
        await here.settled()
        for thanks in ("thanks!", "thank you so much"):
            await here.says(here.alice, thanks, thread=root)
            await here.sees(here.alice, "You are welcome", thread=root)
            await here.settled()

        await assert_told(here, "follow_up")
        assert await asked(here) == [QUESTION, LAPTOP]
        session = await here.bot.services.sessions.open_in_thread(
            here.tenant, here.channel.id, root.ts
        )
        assert session is None


async def test_others_are_answered_only_by_mention(tmp_path: Path) -> None:
    """Another's message is left alone, and from then on who asked is, until somebody mentions MASIS."""
    async with office(tmp_path, model=False) as here:
        root = await begun(here)
        await here.says(here.bob, LAPTOP, thread=root)
        await here.says(here.alice, "And how often are they replaced?", thread=root)
        await here.settled()
        assert await asked(here) == [QUESTION]

        await here.says(here.bob, f"@MASIS {LAPTOP}", thread=root)
        await here.sees(here.alice, "within 2 hours", thread=root)
        await here.settled()
        await here.says(here.alice, QUESTION, thread=root)
        await here.says(here.bob, REPLACED, thread=root)
        await here.settled()
        assert await asked(here) == [QUESTION, LAPTOP], "Alice has written since, unread as it was"

        await here.says(here.alice, f"@MASIS {REPLACED}", thread=root)
        await here.sees(here.bob, "every 4 years", thread=root)
        await here.settled()
        await here.says(here.alice, LAPTOP, thread=root)
        await here.settled()
        assert await asked(here) == [QUESTION, LAPTOP, REPLACED, LAPTOP]


async def test_deleted_interruption_counts_no_more(tmp_path: Path) -> None:
    """What another wrote and took back stands between nobody, after a restart neither."""
    async with slack_of_ours() as slack:
        async with office(tmp_path, model=False, slack=slack) as here:
            root = await begun(here)
            said = (await here.says(here.bob, "Lunch at noon?", thread=root)).message
            await here.settled()
            assert said is not None
            await here.bob.deletes(said)
        async with office(tmp_path, model=False, slack=slack) as here:
            await here.says(here.alice, LAPTOP, thread=root)
            await here.sees(here.bob, "within 2 hours", thread=root)
            await here.settled()
            assert await asked(here) == [QUESTION, LAPTOP]


async def test_written_while_away_still_counts(tmp_path: Path) -> None:
    """What another wrote while MASIS was away makes it silent."""
    async with slack_of_ours() as slack:
        async with office(tmp_path, model=False, slack=slack) as here:
            root = await begun(here)
        slack.request_url = None
        await here.bob.says(here.channel, "Is that still so?", thread=root)
        async with office(tmp_path, model=False, slack=slack) as here:
            await here.says(here.alice, LAPTOP, thread=root)
            await here.settled()
            assert await asked(here) == [QUESTION]


@pytest.mark.parametrize(
    "who", ["<@{bob}> do you know?", "<!here> any idea?", "<!subteam^S1|@it>?"]
)
async def test_mention_of_a_third_is_silent(tmp_path: Path, who: str) -> None:
    """A message to somebody else is none to MASIS; the next one of the asker is."""
    async with office(tmp_path, model=False) as here:
        root = await begun(here)
        calls = len(here.slack.calls)
        await here.says(here.alice, who.format(bob=here.bob.id), thread=root)
        await here.settled()
        assert await asked(here) == [QUESTION]
        assert here.slack.calls[calls:] == []

        await here.says(here.alice, LAPTOP, thread=root)
        await here.settled()
        assert await asked(here) == [QUESTION, LAPTOP]


async def test_third_person_is_no_reply(tmp_path: Path) -> None:
    """What the asker says to somebody else answers no question of MASIS, which waits on."""
    async with office(tmp_path, model=False) as here:
        root = (await here.says(here.alice, f"@MASIS {OFF_TOPIC}")).message
        assert root is not None
        await here.sees(here.bob, "I need your help", thread=root)
        await here.settled()
        await here.says(here.alice, f"<@{here.bob.id}> what did I mean?", thread=root)
        await here.settled()
        sessions = here.bot.services.sessions
        assert await sessions.open_in_thread(here.tenant, here.channel.id, root.ts) is not None

        await here.says(here.alice, LAPTOP, thread=root)
        await here.settled()
        runs = await here.bot.services.runs.recent(here.tenant, 10)
        assert [run.kind for run in runs] == ["follow_up", "ask"]


async def test_two_people_write_at_once(tmp_path: Path) -> None:
    """Of two at once the asker is answered who wrote before the other, in whatever order they come."""
    async with office(tmp_path, model=False) as here:
        root = await begun(here)
        here.slack.hub.faults.add(kind="hold", event="message", times=2)
        await here.says(here.alice, LAPTOP, thread=root)
        await here.says(here.bob, REPLACED, thread=root)
        await here.slack.bots.release(backwards=True)
        await here.settled()
        assert await asked(here) == [QUESTION, LAPTOP]

        here.slack.hub.faults.add(kind="hold", event="message", times=2)
        await here.says(here.bob, LAPTOP, thread=root)
        await here.says(here.alice, REPLACED, thread=root)
        await here.slack.bots.release(backwards=True)
        await here.settled()
        assert await asked(here) == [QUESTION, LAPTOP]


async def test_untagged_waits_behind_a_run(tmp_path: Path) -> None:
    """A message while a run is at work waits behind it in its thread."""
    async with office(tmp_path) as here:
        assert here.service is not None
        held = Held(critique())
        here.service.will("auditor", held)
        root = (await here.says(here.alice, f"@MASIS {QUESTION}")).message
        await here.sees(here.bob, "▸ Audit", thread=root)
        await here.says(here.alice, LAPTOP, thread=root)
        waiting = await here.sees(here.alice, "Waiting for the question before it", thread=root)
        here.saw("Alice sees meanwhile", here.text(waiting))
        held.go.set()
        await here.settled()

        runs = await here.bot.services.runs.recent(here.tenant, 10)
        assert [(run.kind, run.status) for run in runs] == [
            ("follow_up", "finished"),
            ("ask", "finished"),
        ]
        assert runs[0].begun_at is not None
        assert runs[1].finished_at is not None
        assert runs[0].begun_at >= runs[1].finished_at


# --- who and what starts nothing -----------------------------------------------------------


async def test_changes_in_a_thread_start_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Edited, deleted, hidden messages and those of bots start nothing, cost nothing, leave no line."""
    async with office(tmp_path, model=False) as here:
        root = await begun(here)
        mine = (await here.says(here.alice, f"<@{here.bob.id}> look", thread=root)).message
        theirs = (await here.says(here.bob, LAPTOP, thread=root)).message
        tracker = here.slack.person("tracker", "bot")
        await here.slack.owner.invites(here.channel, tracker)
        await here.settled()
        calls = len(here.slack.calls)
        caplog.clear()
        assert mine is not None
        assert theirs is not None

        with caplog.at_level(logging.INFO, logger="bot"):
            await here.alice.edits(mine, LAPTOP)
            await here.bob.edits(theirs, f"{LAPTOP} Please!")
            await here.alice.unfurls(mine, "A page")
            await here.alice.deletes(mine)
            await here.says(tracker, LAPTOP, thread=root)
            event: dict[str, Any] = {"type": "message", "channel_type": "channel", "text": LAPTOP}
            event |= {"channel": here.channel.id, "user": here.alice.id, "thread_ts": root.ts}
            event |= {"ts": f"{float(root.ts) + 60:.6f}", "hidden": True}
            await here.slack.tells(event, here.channel)
            await here.says(here.bob, "Lunch?", thread=root)
            await here.settled()

        assert await asked(here) == [QUESTION]
        assert here.slack.calls[calls:] == []
        assert [r.getMessage() for r in caplog.records if r.name.startswith(("bot", "masis"))] == []


async def test_guests_go_on_only_where_allowed(tmp_path: Path) -> None:
    """A guest's message is left alone where guests may not ask, and where they may it counts."""
    async with office(tmp_path, model=False) as here:
        guest = here.slack.person("gus", "guest")
        here.channel.members.append(guest.id)
        root = (await here.says(guest, f"@MASIS {QUESTION}")).message
        assert root is not None
        await here.sees(guest, "Guests cannot use MASIS here", thread=root)
        await here.settled()
        told = len(guest.reads(here.channel, root))
        await here.says(guest, LAPTOP, thread=root)
        await here.settled()
        assert len(guest.reads(here.channel, root)) == told + 1, "what they said themselves"
        assert await asked(here) == [QUESTION]

        await decide(here, guests=True)
        await here.says(guest, LAPTOP, thread=root)
        await here.sees(here.bob, "within 2 hours", thread=root)


async def test_shared_channel_is_left_alone(tmp_path: Path) -> None:
    """In a channel with outsiders nobody goes on but where an admin allows that."""
    async with office(tmp_path, model=False) as here:
        root = await begun(here)
        others = here.slack.world.add_team("Southfield")
        await here.admin.shares(here.channel, others)
        await here.says(here.alice, LAPTOP, thread=root)
        await here.settled()
        assert await asked(here) == [QUESTION]


async def test_foreign_thread_is_left_alone(tmp_path: Path) -> None:
    """A thread in which MASIS was never asked is none of its own, and costs no call."""
    async with office(tmp_path, model=False) as here:
        await begun(here)
        calls = len(here.slack.calls)
        root = (await here.says(here.alice, "Lunch?")).message
        await here.says(here.alice, LAPTOP, thread=root)
        await here.settled()
        assert await asked(here) == [QUESTION]
        assert here.slack.calls[calls:] == []


# --- the rule of a channel -----------------------------------------------------------------


async def test_everybody_goes_on_where_chosen(tmp_path: Path) -> None:
    async with office(tmp_path, model=False) as here:
        await changed_rule(here, "everybody")
        root = await begun(here)
        await here.says(here.bob, LAPTOP, thread=root)
        await here.sees(here.alice, "within 2 hours", thread=root)
        await here.settled()
        await here.says(here.alice, REPLACED, thread=root)
        await here.sees(here.bob, "every 4 years", thread=root)
        await here.says(here.bob, f"<@{here.alice.id}> thanks", thread=root)
        await here.settled()
        assert await asked(here) == [QUESTION, LAPTOP, REPLACED]


async def test_tagged_only_where_chosen(tmp_path: Path) -> None:
    async with office(tmp_path, model=False) as here:
        await changed_rule(here, "tagged")
        root = await begun(here)
        await here.says(here.alice, LAPTOP, thread=root)
        await here.says(here.alice, "thanks", thread=root)
        await here.settled()
        assert await asked(here) == [QUESTION]
        await here.says(here.alice, f"@MASIS {LAPTOP}", thread=root)
        await here.settled()
        assert await asked(here) == [QUESTION, LAPTOP]


async def test_rule_is_set_in_forms(tmp_path: Path) -> None:
    """The rule is chosen where a channel is linked or in the settings, and stands in the status."""
    async with office(tmp_path, model=False) as here:
        await here.types(here.admin, "settings")
        await here.modal(here.admin, "[Save]")
        await here.submits(
            here.admin,
            {FOLLOW_UPS: FOLLOW_UP_CHOICES["everybody"], MODE: MODE_CHOICES["documents"]},
        )
        await here.sees(here.admin, "The settings are saved")
        await here.types(here.alice, "status")
        await here.sees(here.alice, FOLLOW_UP_STATUS["everybody"])
        await here.sees(here.alice, MODE_STATUS["documents"])
        said = (await here.says(here.alice, "@MASIS thanks!")).message
        await here.settled()
        assert await asked(here) == ["thanks!"]
        await here.says(here.bob, "great, thanks", thread=said)
        await here.settled()
        assert await asked(here) == ["thanks!"]
        await here.types(here.admin, "link handbook")
        await here.modal(here.admin, FOLLOW_UP_CHOICES["everybody"])
        await here.submits(here.admin, {FOLLOW_UPS: FOLLOW_UP_CHOICES["tagged"]})
        await here.sees(here.admin, "now asks the workspace")
        await here.types(here.alice, "status")
        await here.sees(here.alice, FOLLOW_UP_STATUS["tagged"])

        lines = await AdminLog(here.app.database).list(here.tenant)
        assert [line.detail for line in lines if line.target == here.channel.id][-2:] == [
            "follow-ups: everybody",
            "mode: documents",
        ]


# --- direct messages -----------------------------------------------------------------------


async def test_direct_messages_go_on(tmp_path: Path) -> None:
    """In a thread of direct messages every message counts."""
    async with office(tmp_path, model=False) as here:
        direct = here.alice.direct()
        root = (await here.says(here.alice, QUESTION, channel=direct)).message
        assert root is not None
        await here.sees(here.alice, "26 days", thread=root, channel=direct)
        await here.settled()
        await here.says(here.alice, LAPTOP, thread=root, channel=direct)
        await here.sees(here.alice, "within 2 hours", thread=root, channel=direct)
        await here.says(here.alice, "thanks", thread=root, channel=direct)
        await here.sees(here.alice, "You are welcome", thread=root, channel=direct)
        assert await asked(here) == [QUESTION, LAPTOP]


# --- where Slack cannot say ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "taken"), [("internal_error", [QUESTION, LAPTOP]), ("missing_scope", [QUESTION])]
)
async def test_unread_thread_is_asked_again(
    tmp_path: Path, error: str, taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where Slack cannot say now who wrote the message comes again; where it never will, silence."""
    monkeypatch.setattr("bot.slack.client.pacing.REPEAT_PAUSE", 0.01)
    async with office(tmp_path, model=False) as here:
        root = await begun(here)
        here.slack.hub.faults.add(
            kind="error", method="conversations.replies", error=error, times=4
        )
        await here.says(here.alice, LAPTOP, thread=root)
        await asyncio.sleep(0.3)
        await here.settled()
        assert await asked(here) == taken


# --- small talk ----------------------------------------------------------------------------


async def made_questions(here: Office) -> None:
    """Wait until the bot itself has made the workspace's questions."""
    for _ in range(400):
        if await here.bot.services.suggestions.ready(here.workspace) is not None:
            return
        await asyncio.sleep(0.05)
    pytest.fail("no questions were made")


async def test_greeting_offers_questions_to_choose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A greeting is answered with a sentence and questions, one of which is asked by its button."""
    monkeypatch.setattr("bot.chat.offering.EVERY_SECONDS", 0.05)
    async with office(tmp_path, model=False) as here:
        await made_questions(here)
        root = (await here.says(here.alice, "@MASIS hi there!")).message
        assert root is not None
        note = await here.sees(here.alice, "Hello!", thread=root)
        here.saw("Alice sees", here.text(note))
        await here.settled()
        assert await asked(here) == []
        label = next(line for line in here.text(note).splitlines() if "[" in line)
        question = label.partition("[")[2].partition("]")[0]
        await here.clicks(here.alice, note, question)
        await here.sees(here.bob, question)
        await here.settled()
        assert await asked(here) == [question]


async def test_guest_is_offered_no_question(tmp_path: Path) -> None:
    """Questions quote the documents: who may not ask is offered none."""
    async with office(tmp_path, model=False) as here:
        assert await here.bot.services.suggestions.of(here.workspace)
        guest = here.slack.person("gus", "guest")
        here.channel.members.append(guest.id)
        root = (await here.says(guest, "@MASIS hello")).message
        note = await here.sees(guest, "Hello!", thread=root)
        assert len(here.text(note).splitlines()) == 1
        other = here.slack.channel("elsewhere", here.alice)
        await link(here, other)
        await here.says(here.alice, "@MASIS hello", channel=other)
        assert "[" in here.text(await here.sees(here.alice, "Hello!", channel=other))


async def test_ellipsis_is_understood_from_thread(tmp_path: Path) -> None:
    """What a follow-up leaves out is carried, and said in small print and in its trail."""
    async with office(tmp_path, model=False) as here:
        root = (await here.says(here.alice, f"@MASIS {REPLACED}")).message
        assert root is not None
        await here.sees(here.bob, "every 4 years", thread=root)
        await here.settled()
        await here.says(here.alice, "and how soon must a lost one be reported?", thread=root)
        await here.sees(here.bob, "Understood as:", thread=root)
        await here.settled()
        newest = await here.sees(here.bob, "Understood as:", thread=root)
        await here.clicks(here.alice, newest, "How I got this")
        await here.modal(here.alice, "Understood as:")

        await assert_told(here, "follow_up_understood")


async def test_command_is_followed_up(tmp_path: Path) -> None:
    """A thread that a command began goes on like any other."""
    async with office(tmp_path, model=False) as here:
        await here.types(here.alice, QUESTION)
        root = await here.sees(here.bob, "asked: How many days")
        await here.sees(here.bob, "26 days", thread=root)
        await here.settled()
        await here.says(here.alice, "ok", thread=root)
        await here.says(here.alice, LAPTOP, thread=root)
        await here.sees(here.bob, "within 2 hours", thread=root)
        await here.settled()
        assert await asked(here) == [QUESTION, LAPTOP]
