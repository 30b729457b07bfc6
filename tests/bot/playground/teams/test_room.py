"""What people send is sent again where MASIS takes it later, as Teams does."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.playground.teams import room
from bot.playground.teams.connector_standin import Message, connecting
from bot.playground.teams.issuer import Issuer
from bot.playground.teams.room import MOST_OPENED, PAUSES, NotTaken, TeamsRoom
from bot.playground.teams.teams_payloads import CHANNEL, mention
from bot.teams.cards import notice_card
from bot.teams.inbound.messages_route import MESSAGES_PATH
from bot.teams.text import sentences


@dataclass
class Replies:
    """A program that answers with these statuses, the last one for ever."""

    statuses: list[int]
    told: str = ""
    taken: list[str] = field(default_factory=list)

    async def reply(self, request: web.Request) -> web.Response:
        self.taken.append((await request.json())["id"])
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        return web.json_response({"task": {"type": "message", "value": self.told}}, status=status)


@pytest.fixture
def replies(monkeypatch: pytest.MonkeyPatch) -> Replies:
    monkeypatch.setattr(room, "PAUSES", tuple(0.0 for _ in PAUSES))
    return Replies([503, 503, 200])


@pytest.fixture
async def here(replies: Replies) -> AsyncIterator[TeamsRoom]:
    app = web.Application()
    app.router.add_post(MESSAGES_PATH, replies.reply)
    async with TestServer(app) as server, connecting() as connector:
        yield TeamsRoom(Issuer(), connector, str(server.make_url("")).rstrip("/"))


async def test_refused_message_is_sent_again(here: TeamsRoom, replies: Replies) -> None:
    """With the same id, so that it is taken once."""
    sent = await here.say(mention("How much leave is there?"))
    assert replies.taken == [sent] * 3


@pytest.mark.parametrize(("status", "times"), [(503, len(PAUSES) + 1), (401, 1)])
async def test_message_that_is_never_taken_says_so(
    here: TeamsRoom, replies: Replies, status: int, times: int
) -> None:
    replies.statuses = [status]
    with pytest.raises(NotTaken, match=str(status)):
        await here.say(mention("How much leave is there?"))
    assert len(replies.taken) == times


async def test_dialog_that_takes_longer_is_opened_again(here: TeamsRoom, replies: Replies) -> None:
    """Not for ever: in the end who plays reads why it does not open."""
    replies.statuses, replies.told = [200], sentences.OPEN_AGAIN
    activity = notice_card.not_linked()
    message = Message("1", CHANNEL, "", activity, [activity])
    with pytest.raises(NotTaken, match=sentences.OPEN_AGAIN):
        await here.dialog(message, sentences.LINK_HERE)
    assert len(replies.taken) == MOST_OPENED
