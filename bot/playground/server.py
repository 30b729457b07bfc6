"""The stand-in as a whole: it listens on this machine, with one team in which the app is installed."""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self, TypeVar

from aiohttp import web

from bot.playground import transcript
from bot.playground.people.people import Person
from bot.playground.slack.bots import Ack, Bots
from bot.playground.slack.entities import Channel, ChannelKind, Json, Role, Team
from bot.playground.slack.faults import Faults, Rates
from bot.playground.slack.feed import Watcher
from bot.playground.slack.hosting import application
from bot.playground.slack.hub import Hub, Logged
from bot.playground.slack.installed import AppConfig, Installation, Token
from bot.playground.slack.world import Clock, World
from bot.slack import limits

Found = TypeVar("Found")
HOST = "127.0.0.1"
SHUTDOWN_S = 0.1


class Playground:
    """Slack on this machine, from the first line of the block to the last.

    Requests to the app go to its sockets where it has connected some, else to `request_url`.

    Args:
        app: the app's settings.
        team: the name of the first team.
        owner: who owns it.
        enterprise: the organisation that team is of.
        enforce_rates: whether calls that come too fast are refused.
        clock: the world's time in seconds, for timestamps and for what expires.
        rate_clock: the time of the rate limits.
        ack_timeout_s: how long the app has to answer a request.
        start_wait_s: how long a request waits for an app that has yet to start; Slack's do not.
        retry_waits_s: the waits before an event is sent again; Slack's are 0, 60 and 300.
        trigger_life_s: how long a trigger opens a view.
        port: 0 takes a free one.
    """

    def __init__(
        self,
        *,
        app: AppConfig | None = None,
        team: str = "Northmoor",
        owner: str = "olivia",
        enterprise: str | None = None,
        enforce_rates: bool = False,
        clock: Clock = time.time,
        rate_clock: Clock = time.monotonic,
        ack_timeout_s: float = limits.ACK_S,
        start_wait_s: float = 0.0,
        retry_waits_s: Sequence[float] = (0.0, 0.05, 0.1),
        trigger_life_s: float = limits.TRIGGER_LIFE_S,
        port: int = 0,
    ) -> None:
        self.world = World(app or AppConfig(), clock)
        self.faults = Faults()
        self.bots = Bots(
            self.world,
            self.faults,
            ack_timeout_s=ack_timeout_s,
            start_wait_s=start_wait_s,
            retry_waits_s=retry_waits_s,
        )
        rates = Rates(rate_clock) if enforce_rates else None
        self.hub = Hub(self.world, self.bots, self.faults, rates, trigger_life_s=trigger_life_s)
        self.team = self.world.add_team(team, enterprise=enterprise)
        self.owner = self.person(owner, "owner")
        self.installation = self.world.install(self.team, self.owner.user)
        self.bot_token = self.world.new_token(self.installation).value
        self.world.tokens[self.app_token] = Token(self.app_token, "app")
        self._port = port
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        runner = web.AppRunner(application(self.hub), shutdown_timeout=SHUTDOWN_S)
        await runner.setup()
        site = web.TCPSite(runner, HOST, self._port)
        await site.start()
        self._runner = runner
        port = runner.addresses[0][1]
        self.hub.base_url = f"http://{HOST}:{port}"
        self.hub.socket_url = f"ws://{HOST}:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        await self.bots.close()
        for socket in [*self.bots.sockets]:
            await socket.connection.close()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    # --- what the app is given -------------------------------------------------------------

    @property
    def api_url(self) -> str:
        """For `MASIS_SLACK_API_URL`; slack_sdk wants a slash after it."""
        return f"{self.hub.base_url}/api"

    @property
    def base_url(self) -> str:
        """Return the address where files, response addresses and the OAuth page are."""
        return self.hub.base_url

    @property
    def authorize_url(self) -> str:
        """Slack's page on which the app is approved."""
        return f"{self.hub.base_url}/oauth/v2/authorize"

    @property
    def app_token(self) -> str:
        """For Socket Mode."""
        return self.world.app.app_token

    @property
    def signing_secret(self) -> str:
        """Return the secret that requests to the app are signed with."""
        return self.world.app.signing_secret

    @property
    def request_url(self) -> str | None:
        """Return the address where the app listens for commands, interactions and events."""
        return self.bots.request_url

    @request_url.setter
    def request_url(self, url: str | None) -> None:
        self.bots.request_url = url
        self.world.feed.tell("connected")

    # --- who and what there is -------------------------------------------------------------

    def install(self, team: Team, installer: Person) -> tuple[Installation, str]:
        """The app in another team, and its token there."""
        installation = self.world.install(team, installer.user)
        return installation, self.world.new_token(installation).value

    def person(self, name: str, role: Role = "member", team: Team | None = None) -> Person:
        """Somebody new, of the first team where no other is named. A `bot` is one of others."""
        return Person(self.hub, self.world.add_user(team or self.team, name, role))

    def channel(
        self,
        name: str,
        *people: Person,
        kind: ChannelKind = "public",
        with_app: bool = True,
        team: Team | None = None,
        connected: Iterable[Team] = (),
    ) -> Channel:
        """A new channel with those people, and with the app unless it is told otherwise."""
        home = team or self.team
        members = [person.id for person in people]
        if with_app:
            members.append(self.world.installations[home.id].bot_user_id)
        return self.world.add_channel(home, name, kind=kind, members=members, connected=connected)

    # --- what happens ----------------------------------------------------------------------

    async def until(self, found: Callable[[], Found | None], timeout_s: float = 10.0) -> Found:
        """Wait until something is so; see `Feed.until`.

        Raises:
            TimeoutError: it did not come to be; the message shows what did.
        """
        try:
            return await self.world.feed.until(found, timeout_s)
        except TimeoutError:
            raise TimeoutError(f"not within {timeout_s} s. {self._so_far()}") from None

    def _so_far(self) -> str:
        """The last calls, and every conversation."""
        calls = [f"{call.method} {call.error or 'ok'}" for call in self.calls[-10:]]
        spoken = [self.transcript(c) for c in self.world.channels.values() if c.messages]
        return "\n".join([f"Last calls: {', '.join(calls) or 'none'}", *spoken])

    def subscribe(self) -> AbstractContextManager[Watcher]:
        """Watch what changes; see `Feed.subscribe`."""
        return self.world.feed.subscribe()

    async def tells(self, event: Json, channel: Channel | None = None) -> list[Ack]:
        """Send the app an event of any kind, subscribed or not, as its first installation hears it."""
        envelope = self.bots.envelope(event, self.installation, channel)
        return [await self.bots.deliver(envelope)]

    async def settled(self) -> None:
        """Wait until every event that was announced has been answered."""
        await self.bots.settled()

    @property
    def calls(self) -> list[Logged]:
        """Every call of the Web API, in order."""
        return list(self.hub.calls)

    def called(self, method: str) -> list[Logged]:
        """The calls of one method."""
        return [call for call in self.hub.calls if call.method == method]

    def transcript(self, channel: Channel) -> str:
        """The channel with everybody's private messages."""
        return transcript.conversation(self.world, channel)

    async def refresh_sockets(self, reason: str = "refresh_requested") -> None:
        """Ask the app to connect anew, as Slack does every few hours."""
        for socket in [*self.bots.sockets]:
            await socket.connection.send_json(
                {"type": "disconnect", "reason": reason, "debug_info": {"host": "playground"}}
            )

    async def drop_sockets(self) -> None:
        """Hang up on the app without a word."""
        for socket in [*self.bots.sockets]:
            await socket.connection.close()
