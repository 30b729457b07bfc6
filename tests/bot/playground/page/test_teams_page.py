"""Teams beside Slack on the page: who sees what, and what a browser may ask for."""

import pytest

from bot.playground.page import contract
from bot.playground.page.page_actions import PageActions
from bot.playground.page.page_models import Readiness
from bot.playground.page.scene import Scene
from bot.playground.page.seen import Seen
from bot.playground.page.teams_actions import NO_FILES
from bot.playground.people.people import Person
from bot.playground.slack.feed import Change
from bot.playground.teams.connector_standin import Message
from bot.playground.teams.teams_payloads import CHANNEL
from bot.playground.teams.teams_scene import IN_CHANNEL, IN_CHAT, USERS, chat_of

CARD = {"type": "AdaptiveCard", "version": "1.5", "body": []}


@pytest.fixture
def ready(scene: Scene) -> Scene:
    scene.becomes(Readiness(phase="ready", done=0, total=0, words="Ready"))
    return scene


async def does(scene: Scene, person: Person, action: contract.AnyAction) -> contract.Reply:
    return await PageActions(scene, Seen(scene, person)).do(action)


def shown(scene: Scene, person: Person) -> list[str]:
    """The ids of what somebody sees in Teams."""
    return [each.id for each in Seen(scene, person).state("e", 0).teams.messages]


def posted(scene: Scene, targeted: str = "") -> str:
    """A card in the channel."""
    activity = {"attachments": [{"content": CARD}]}
    connector = scene.teams.room.connector
    made = Message(connector.next_id(), CHANNEL, "", activity, [activity], targeted)
    connector.messages[made.id] = made
    return made.id


async def test_channel_post_without_mention_stays_there(ready: Scene) -> None:
    """MASIS is not called: no program is needed for it."""
    said = contract.TeamsSay(id=1, place=IN_CHANNEL, text="Lunch?")
    assert (await does(ready, ready.asker, said)).ok
    assert shown(ready, ready.asker) == shown(ready, ready.admin) != []


async def test_targeted_card_is_seen_by_one(ready: Scene) -> None:
    made = posted(ready, f"8:orgid:{USERS['jonas']}")
    assert shown(ready, ready.guest) == [made]
    assert shown(ready, ready.asker) == []
    pressed = contract.TeamsPress(id=1, message=made, verb="masis_ask")
    reply = await does(ready, ready.asker, pressed)
    assert not reply.ok


async def test_writing_is_shown_in_one_chat(scene: Scene) -> None:
    """Nobody else has that chat."""
    told = Change(
        "teams_typing", {"chat": chat_of(USERS[scene.asker.user.name]), "at": "1700000000500"}
    )
    (found,) = Seen(scene, scene.asker).changes([told])
    assert found == contract.TeamsTyping(place=IN_CHAT, at="1700000000.500")
    assert Seen(scene, scene.admin).changes([told]) == []


async def test_words_to_say_next_are_seen(scene: Scene) -> None:
    """Those that a press says; another kind of action is none."""
    made = scene.teams.room.connector.messages[posted(scene)]
    offered = [{"type": "imBack", "value": "status"}, {"type": "openUrl", "value": "https://x"}]
    made.activity["suggestedActions"] = {"actions": offered}
    (seen,) = Seen(scene, scene.asker).state("e", 0).teams.messages
    assert seen.prompts == ["status"]


@pytest.mark.parametrize(
    "action",
    [
        contract.TeamsSay(id=1, place="elsewhere", text="Hello"),
        contract.TeamsSay(id=1, place=IN_CHAT, text=" "),
        contract.TeamsSay(id=1, place=IN_CHANNEL, text="Hello", thread="1"),
        contract.TeamsSay(id=1, place=IN_CHAT, text="Hello", files=["F1"]),
        contract.TeamsOpen(id=1, message="1"),
        contract.TeamsSend(id=1, message="1"),
        contract.TeamsRate(id=1, message="1", good=True),
    ],
)
async def test_what_is_not_there_is_refused(ready: Scene, action: contract.AnyAction) -> None:
    reply = await does(ready, ready.asker, action)
    assert not reply.ok
    assert reply.error


async def test_channel_takes_no_files(ready: Scene) -> None:
    file = ready.asker.file("notes.md", b"# Notes", mimetype="text/markdown")
    said = contract.TeamsSay(id=1, place=IN_CHANNEL, text="@MASIS read", files=[file.id])
    assert (await does(ready, ready.asker, said)).error == NO_FILES


async def test_change_of_a_message_reaches_the_page(ready: Scene) -> None:
    made = posted(ready)
    told = ready.teams.message(made, USERS["owen"])
    assert isinstance(told, Message)
    seen = Seen(ready, ready.asker)
    assert [each.kind for each in seen.changes([_change(made)])] == ["teams_message"]
    told.deleted = True
    assert [each.kind for each in seen.changes([_change(made)])] == ["teams_gone"]


def _change(message: str) -> Change:
    return Change("teams", {"message": message})
