"""A team of Microsoft Teams beside the Slack teams: who is there, where they talk, and what they send."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import aiohttp

from bot.playground.teams.connector_standin import (
    ConnectorStandin,
    Message,
    connecting,
    member,
)
from bot.playground.teams.issuer import APP, HOME, SECRET, Issuer, issuing, sign
from bot.playground.teams.teams_payloads import ANN, BEN
from bot.teams.bounded_http import BoundedHttp, NoReply, Reply
from bot.teams.inbound.messages_route import MESSAGES_PATH
from masis.conversation import Tenant
from storage.chat.teams_places import place_id
from tests.chaos.teams.teams_account import run_of
from tests.chaos.teams.teams_stories import is_at_work
from tests.walks.teams_office import TEAM

TEAMS: Final = 2
"""The number of this team, behind those of the Slack teams."""
SEND_SECONDS: Final = 30.0
AGAIN_SECONDS: Final = 0.1
"""Between two deliveries of what was not taken in: Teams waits longer."""
OWNER: Final = ANN
PEOPLE: Final = (BEN, "cccccccc-0000-0000-0000-000000000003")
_NUMBERS: Final = itertools.count(1_700_000_500_000)
"""Of activities, in all towns of this process: a copied town knows those of the one it is copied from,
and takes the same number for a repeated delivery."""

Json = dict[str, Any]


@dataclass(frozen=True)
class TeamsChannel:
    """A channel, or somebody's own chat. `id` is what MASIS keeps for it."""

    conversation: str

    @property
    def id(self) -> str:
        """Return the id of the place."""
        return place_id(HOME, self.conversation)


@dataclass
class TeamsHouse:
    """The team, and what it was answered."""

    issuer: Issuer
    connector: ConnectorStandin
    address: str = ""
    keeps: bool = True
    channels: tuple[TeamsChannel, ...] = (
        TeamsChannel("19:general@thread.tacv2"),
        TeamsChannel("19:random@thread.tacv2"),
    )
    chat: TeamsChannel = TeamsChannel("a:1personal-chat-of-ann")
    answers: list[Json] = field(default_factory=list)
    """What those read who pressed something."""
    numbers: Iterator[int] = _NUMBERS

    @property
    def tenant(self) -> Tenant:
        """Return whose data it is."""
        return TEAM

    async def sends(self, body: Json) -> Json:
        """Send an activity until it is taken; gives the answer's body, which is empty for most."""
        async with asyncio.timeout(SEND_SECONDS):
            while (answer := await self._taken(body)) is None:  # noqa: ASYNC110 - Teams is told nothing
                await asyncio.sleep(AGAIN_SECONDS)
        self.answers.append(answer)
        return answer

    async def _taken(self, body: Json) -> Json | None:
        """Send it once, signed; None where it is to be sent again."""
        whole = body | {"serviceUrl": self.connector.url}
        headers = {"Authorization": f"Bearer {sign(self.connector.url)}"}
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{self.address}{MESSAGES_PATH}", json=whole, headers=headers) as response,
        ):
            if response.status == HTTPStatus.SERVICE_UNAVAILABLE:
                return None
            assert response.status == HTTPStatus.OK, response.status
            text = await response.text()
        answer: Json = json.loads(text) if text else {}
        return answer

    def messages_of(self, run: str) -> list[Message]:
        """Return what stands there of a run, the newest first."""
        return [each for each in self.connector.shown if run_of(each) == run][::-1]

    def outcomes_of(self, run: str) -> list[Message]:
        """Return what of it is not at work any more."""
        return [each for each in self.messages_of(run) if not is_at_work(each)]

    def environment(self) -> dict[str, str]:
        """Return the settings by which the bot serves it."""
        return {
            "MASIS_TEAMS_APP_ID": APP,
            "MASIS_TEAMS_APP_SECRET": SECRET,
            "MASIS_TEAMS_HOME_TENANT": HOME,
            "MASIS_TEAMS_LOGIN_URL": self.issuer.url,
            "MASIS_TEAMS_METADATA_URL": self.issuer.metadata_url,
            "MASIS_TEAMS_GRAPH_URL": self.issuer.url,
            "MASIS_TEAMS_SERVICE_HOSTS": "127.0.0.1",
            "MASIS_TEAMS_FILE_HOSTS": "127.0.0.1",
        }


@asynccontextmanager
async def teams_house() -> AsyncIterator[TeamsHouse]:
    """The team with its Teams, until the block ends."""
    async with issuing() as issuer, connecting() as connector:
        issuer.roles = {OWNER: ["owner"], **{each: [] for each in PEOPLE}}
        connector.members = {each: member(each) for each in (OWNER, *PEOPLE)}
        connector.retry_after = "0"
        yield TeamsHouse(issuer, connector)


class CuttableHttp(BoundedHttp):
    """The way to Teams of one life of the bot: once it is cut nothing more arrives from there."""

    made: Final[list["CuttableHttp"]] = []
    """Those that were opened, the newest last."""

    def __init__(self) -> None:
        super().__init__()
        self._is_cut = False
        self.made.append(self)

    async def cut(self) -> None:
        """Let nothing more through."""
        self._is_cut = True
        await self.close()

    async def send(self, verb: str, url: Any, **request: Any) -> Reply:
        if self._is_cut:
            raise NoReply("The process is dead.", unsent=True)
        return await super().send(verb, url, **request)
