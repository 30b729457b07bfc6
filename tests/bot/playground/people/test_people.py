import asyncio

import pytest

from bot.playground.server import Playground
from bot.playground.slack.interactions import CannotDo
from bot.playground.slack.world import Said
from tests.bot.playground.small_bot import (
    answered,
    client,
    refused,
    served,
)


async def test_mention_sends_two_events(
    slack: Playground,
) -> None:
    """A mention reaches the app as two events and its answer the thread."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    async with served(slack) as bot:
        did = await alice.says(general, "@MASIS how many?")
        assert did.message is not None
        await answered(slack, general, did.message)
        await slack.settled()

    assert [ack.status for ack in did.acks] == [200, 200]
    assert [e["type"] for e in bot.events[:2]] == ["message", "app_mention"]
    assert slack.transcript(general) == (
        "#general\nAlice: @MASIS how many?\n    MASIS: An answer for @Alice\n        [More]"
    )


async def test_the_home_tab_is_published(slack: Playground) -> None:
    alice = slack.person("alice")
    async with served(slack):
        await alice.opens_home()
        await slack.until(lambda: alice.home)

    assert alice.reads_home() == "== Home ==\nNothing linked yet"


async def test_edits_and_deletions_are_events(
    slack: Playground,
) -> None:
    """Edits deletions previews and other bots are events of their kind."""
    alice, robot = slack.person("alice"), slack.person("zapier", "bot")
    general = slack.channel("general", alice, robot)
    async with served(slack) as bot:
        said = (await alice.says(general, "see example.com")).message
        assert said is not None
        await alice.unfurls(said, "https://example.com")
        await alice.edits(said, "never mind")
        await alice.deletes(said)
        await robot.says(general, "deployed")

    subtypes = [event.get("subtype") for event in bot.events]
    assert subtypes == [
        None,
        "message_changed",
        "message_changed",
        "message_deleted",
        "bot_message",
    ]
    assert bot.events[1]["message"]["text"] == bot.events[1]["previous_message"]["text"]
    assert "bot_id" in bot.events[4]


async def test_person_sees_only_their_own(slack: Playground) -> None:
    """A person sees only what is theirs."""
    alice, bob = slack.person("alice"), slack.person("bob")
    board = slack.channel("board", alice, kind="private")
    await alice.says(board, "secret")

    assert (alice.reads(board), bob.reads(board)) == (["secret"], [])
    with pytest.raises(CannotDo, match="Bob is not in #board"):
        await bob.says(board, "hello?")


async def test_outsider_speaks_in_shared_channel(slack: Playground) -> None:
    """Somebody of another team speaks in a shared channel."""
    alice = slack.person("alice")
    partner = slack.world.add_team("Vendel")
    victor = slack.person("victor", team=partner)
    shared = slack.channel("project", alice, victor, connected=[partner])
    async with served(slack) as bot:
        said = await victor.says(shared, f"@{slack.world.app.name} hello")

    assert said.message is not None
    assert said.message.text == f"<@{slack.installation.bot_user_id}> hello"
    body = bot.bodies[0]
    assert (body["team_id"], body["is_ext_shared_channel"]) == (slack.team.id, True)
    assert bot.events[0]["user_team"] == partner.id
    with pytest.raises(CannotDo, match="not installed"):
        await victor.slash("/masis", "help", shared)


async def test_uninstalling_revokes_every_token(slack: Playground) -> None:
    """Uninstalling is told and ends every token."""
    async with served(slack) as bot:
        await slack.owner.uninstalls()
        await slack.settled()

    assert sorted(event["type"] for event in bot.events) == ["app_uninstalled", "tokens_revoked"]
    assert await refused(client(slack).auth_test()) == "account_inactive"


async def test_stop_button_shows_during_work(slack: Playground) -> None:
    """The stop button is there while the agent works."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    async with served(slack) as bot:
        said = (await alice.says(general, "how many?")).message
        assert said is not None
        with pytest.raises(CannotDo, match="no Stop button"):
            await alice.stops(general, said)
        await bot.client.agents_sessions_setStatus(
            channel_id=general.id, thread_ts=said.ts, status="processing", title="Pumps"
        )
        await alice.stops(general, said)

    assert bot.events[-1]["type"] == "agent_session_stopped"
    assert (bot.events[-1]["thread_ts"], bot.events[-1]["user"]) == (said.ts, alice.id)


async def test_people_and_app_can_leave(slack: Playground) -> None:
    """People and the app come and go."""
    alice, bob = slack.person("alice"), slack.person("bob")
    general = slack.channel("general", alice, with_app=False)
    async with served(slack) as bot:
        await alice.invites(general, bob, slack.installation)
        await bob.says(general, "hello")
        alice.removes(general, slack.installation)
        await bob.says(general, "anybody?")
        await alice.invites(general, slack.installation)
        await alice.shares(general, slack.world.add_team("Vendel"))

    assert [event["type"] for event in bot.events] == ["message", "channel_shared"]
    assert bot.bodies[-1]["is_ext_shared_channel"]


async def test_people_cannot_exceed_slacks_limits(slack: Playground) -> None:
    """What slack itself does not let people do."""
    alice, bob = slack.person("alice"), slack.person("bob")
    general = slack.channel("general", alice, bob)
    board = slack.channel("board", alice, kind="private")
    note = slack.world.whisper(
        general,
        alice.id,
        Said(bot_id=slack.installation.bot_id, blocks=[{"type": "actions", "elements": []}]),
    )

    with pytest.raises(CannotDo, match="/other is not a valid command"):
        await alice.slash("/other", "", general)
    with pytest.raises(CannotDo, match="Bob does not see #board"):
        await bob.slash("/masis", "help", board)
    with pytest.raises(CannotDo, match="somebody else sees that"):
        await bob.clicks(note, "anything")
    general.is_archived = True
    with pytest.raises(CannotDo, match="archived"):
        await alice.says(general, "hello")


async def test_reaction_is_added_and_removed(slack: Playground) -> None:
    """A reaction is added and taken back."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    message = slack.world.post(general, Said(text="Hello", user_id=alice.id))
    with slack.subscribe():
        await alice.reacts(message, "eyes")
        assert message.reactions == {"eyes": [alice.id]}
        await alice.takes_back(message, "eyes")
        await alice.takes_back(message, "eyes")
    assert message.reactions == {}


async def test_requests_wait_for_late_app() -> None:
    """Requests wait for an app that starts late."""
    async with Playground(start_wait_s=5.0) as slack:
        alice = slack.person("alice")
        general = slack.channel("general", alice)
        asking = asyncio.create_task(alice.slash("/masis", "how many?", general))
        await asyncio.sleep(0)
        async with served(slack):
            did = await asking

    assert did.status == 200
