"""What MASIS does not do, and how it says so: in private, with what to do instead."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.playground.slack.bots import Retry
from bot.slack.views.message import notice
from masis.policy import MAX_QUESTION_CHARS
from tests.walks.office import QUESTION, Office, assert_told, decide, link, office

# A database that is late is what is played here.
pytestmark = pytest.mark.usefixtures("limits_of_the_product")


async def runs(here: Office) -> int:
    """How many requests were taken on, whatever became of them."""
    return len(await here.bot.services.runs.recent(here.tenant, 100))


async def test_unlinked_channel_gets_only_instructions(tmp_path: Path) -> None:
    """An unlinked channel gets instructions and no search."""
    async with office(tmp_path, linked=False) as here:
        await here.types(here.alice, QUESTION)
        did = await here.says(here.alice, f"@MASIS {QUESTION}")
        assert did.message is not None
        await here.sees(here.alice, "not linked", thread=did.message)
        await here.types(here.admin, "status")
        await here.sees(here.admin, "Link it with")

        await assert_told(here, "channel_not_linked")
        assert await runs(here) == 0
        assert here.service is not None
        assert not here.service.asked


async def test_guests_are_refused_until_allowed(tmp_path: Path) -> None:
    """Guests are refused until an admin allows them."""
    async with office(tmp_path) as here:
        guest = here.slack.person("gus", "single_channel_guest")
        await here.slack.owner.invites(here.channel, guest)
        await here.types(guest, QUESTION)
        await here.sees(guest, "Guests cannot use MASIS here")
        await here.settled()
        await here.types(guest, QUESTION)
        assert await runs(here) == 1
        await decide(here, guests=True)
        here.deeds.append("An admin allows guests")
        await here.types(guest, QUESTION)
        await here.sees(here.bob, "High")

        await assert_told(here, "guest")


async def test_external_channel_needs_permission(
    tmp_path: Path,
) -> None:
    """A channel with outsiders answers nobody until it is allowed."""
    async with office(tmp_path) as here:
        others = here.slack.world.add_team("Southfield")
        rita = here.slack.person("rita", team=others)
        shared = here.slack.channel("joint", here.alice, rita, connected=[others])
        await link(here, shared)
        await here.types(here.alice, QUESTION, shared)
        await here.sees(here.alice, "shared with another", channel=shared)
        await here.says(rita, f"@MASIS {QUESTION}", channel=shared)
        await here.sees(rita, "These documents belong", channel=shared)
        await here.settled()
        assert await runs(here) == 2
        await here.types(here.alice, QUESTION, shared)
        await here.says(rita, f"@MASIS {QUESTION}", channel=shared)
        await here.settled()
        assert await runs(here) == 2

        here.deeds.append("Olivia shares #handbook with Southfield")
        await here.admin.shares(here.channel, others)
        await here.types(here.alice, QUESTION)

        await assert_told(here, "shared_channel")
        assert here.service is not None
        assert not here.service.asked


async def test_redelivered_refusal_is_announced_once(
    tmp_path: Path,
) -> None:
    """A refusal is told once however often the question is delivered."""
    async with office(tmp_path) as here:
        guest = here.slack.person("gus", "single_channel_guest")
        await here.slack.owner.invites(here.channel, guest)
        for _ in ("refused by its run", "refused at once"):
            did = await here.says(guest, f"@MASIS {QUESTION}")
            envelope = here.slack.bots.deliveries[-1].payload
            assert envelope["event"]["type"] == "app_mention"
            await here.settled()
            await here.slack.bots.send("events_api", envelope, Retry(1, "http_timeout"))
            await here.settled()

            told = guest.reads(here.channel, did.message)
            assert len([text for text in told if "Guests cannot" in text]) == 1, told
        assert await runs(here) == 1


async def test_bots_start_nothing(tmp_path: Path) -> None:
    async with office(tmp_path) as here:
        tracker = here.slack.person("tracker", "bot")
        await here.slack.owner.invites(here.channel, tracker)
        await here.says(tracker, f"@MASIS {QUESTION}")
        me = f"<@{here.slack.installation.bot_user_id}> {QUESTION}"
        await here.bot.services.web.post(here.tenant, here.channel.id, notice(me))
        await here.says(tracker, QUESTION, channel=here.channel)

        await assert_told(here, "bots")
        assert await runs(here) == 0


async def test_non_question_gets_instructions(tmp_path: Path) -> None:
    """What is no question is answered with how to ask one."""
    async with office(tmp_path) as here:
        await here.types(here.alice, "")
        await here.types(here.alice, "lnik")
        await here.types(here.alice, "hi, what can you do?")
        await here.sees(here.alice, "I am a bot")
        too_long = "why " * (MAX_QUESTION_CHARS // 4 + 1)
        here.deeds.append("Alice types a question of 4,003 characters")
        await here.alice.slash("/masis", too_long, here.channel)
        empty = await here.says(here.alice, "@MASIS")
        assert empty.message is not None
        await here.sees(here.alice, "There is no question", thread=empty.message)
        thanks = await here.says(here.alice, "@MASIS thanks a lot!")
        assert thanks.message is not None
        await here.sees(here.alice, "You are welcome", thread=thanks.message)
        here.deeds.append("Alice mentions MASIS with a question of 4,003 characters")
        long = await here.alice.says(here.channel, f"@MASIS {too_long}")
        assert long.message is not None
        await here.sees(here.alice, "4,003 characters", thread=long.message)
        await here.alice.deletes(long.message)
        here.deeds.append("Alice deletes it")

        await assert_told(here, "no_question")
        assert await runs(here) == 0


async def test_sixth_question_in_minute_fails(
    tmp_path: Path,
) -> None:
    """The sixth question of a minute is refused and costs nothing."""
    async with office(tmp_path) as here:
        await decide(here, user_running=10)
        for name in ("one", "two", "three", "four", "five"):
            channel = here.slack.channel(name, here.alice)
            await link(here, channel)
            await here.types(here.alice, QUESTION, channel)
            await here.sees(here.alice, "High", channel=channel)
        await here.types(here.alice, QUESTION)

        await assert_told(here, "over_quota")
        assert here.service is not None
        assert len(here.service.asked) == 5 * 3
        assert await runs(here) == 5


async def test_absent_bot_replies_by_direct_message(
    tmp_path: Path,
) -> None:
    """Where the bot is not a member the asker is told in a direct message."""
    async with office(tmp_path) as here:
        here.slack.owner.removes(here.channel, here.slack.installation)
        here.deeds.append("Olivia removes MASIS from #handbook")
        await here.types(here.alice, QUESTION)
        direct = here.alice.direct()
        await here.sees(here.alice, "/invite @MASIS", channel=direct)
        await here.settled()
        await here.slack.owner.invites(here.channel, here.slack.installation)
        here.deeds.append("Olivia invites MASIS to #handbook")
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "High")

        await assert_told(here, "bot_not_in_channel")


async def test_archived_channel_starts_no_search(tmp_path: Path) -> None:
    """An archived channel is not searched for."""
    async with office(tmp_path) as here:
        here.channel.is_archived = True
        here.deeds.append("#handbook is archived, of which MASIS heard nothing")
        await here.types(here.alice, QUESTION)
        await here.sees(here.alice, "archived", channel=here.alice.direct())

        await assert_told(here, "archived_channel")
        assert here.service is not None
        assert not here.service.asked


async def test_locked_database_stores_nothing(tmp_path: Path) -> None:
    """A locked database is told in time and nothing is stored."""
    async with office(tmp_path) as here:
        [database] = (tmp_path / "data").glob("*.db")
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            here.deeds.append("The database is locked")
            did = await here.types(here.alice, QUESTION)
            assert did.status == 200
            other.execute("ROLLBACK")
        here.deeds.append("The database is free again")
        assert await runs(here) == 0
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "High")

        await assert_told(here, "database_locked")
        assert await runs(here) == 1
