"""One call of Slack's Web API in the name of a tenant: the token, the pace, the second try."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any, Final, Protocol, TypeVar

from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.slack.client.pacing import Clock, Pacing
from bot.slack.client.wire import SECONDS, Wire
from bot.slack.slack_errors import Ambiguous, Garbled, SlackError, TokenExpired, Unavailable
from masis.conversation import Tenant
from storage.durable import execution

T = TypeVar("T")

log = logging.getLogger(__name__)

Json = dict[str, Any]
Method = Callable[..., Awaitable[AsyncSlackResponse]]
"""A method of the vendor's client; `chat_postMessage` is Slack's `chat.postMessage`."""

TokenLost = Callable[[Tenant, SlackError], Awaitable[None]]


class BotToken(Protocol):
    """A team's token, and who the bot is there (empty where that is not known)."""

    @property
    def token(self) -> str:
        """The secret."""

    @property
    def bot_id(self) -> str:
        """The bot's own id, `B...`."""

    @property
    def bot_user_id(self) -> str:
        """The bot as a user, `U...`."""


class TokenSource(Protocol):
    """Knows each tenant's token, and renews it in time."""

    async def for_tenant(self, tenant: Tenant) -> BotToken:
        """The token that opens this tenant now."""


class Calls:
    """Calls methods with the tenant's token at Slack's pace.

    `on_token_lost` is told when a team's token opens nothing any more, once a newer one of the
    team, if there is one, failed too.
    """

    def __init__(
        self,
        *,
        api_url: str,
        tokens: TokenSource,
        clock: Clock | None = None,
        seconds: float = SECONDS,
        on_token_lost: TokenLost | None = None,
    ) -> None:
        self.clock: Final = clock or Clock()
        self.wire: Final = Wire(api_url, self.clock, seconds=seconds)
        self.pacing: Final = Pacing(self.clock)
        self.tokens: Final = tokens
        self._on_token_lost = on_token_lost

    async def paced(
        self,
        tenant: Tenant,
        method: Method,
        *,
        repeat: bool = True,
        patient: bool = True,
        **arguments: object,
    ) -> Json:
        """Call a method within its budget; `repeat` and `patient` as `Pacing.call` has them.

        Raises:
            SlackError: the typed reason why it was not done.
        """

        async def call() -> Json:
            return await self.once(tenant, method, **arguments)

        name = _name(method)
        return await self.pacing.call(tenant, name, call, repeat=repeat, patient=patient)

    async def once(self, tenant: Tenant, method: Method, **arguments: object) -> Json:
        """Call a method now. Where a token was renewed meanwhile, the new one is tried too.

        Raises:
            SlackError: the typed reason why it was not done.
            RunTakenOver: it is for a run that another process may be at by now.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        token = (await self.tokens.for_tenant(tenant)).token
        # Last, since anything before may have taken its time.
        await execution.check()
        try:
            return await _data(method(token=token, **given))
        except SlackError as error:
            if not (error.disables_installation or isinstance(error, TokenExpired)):
                raise
            newer = (await self.tokens.for_tenant(tenant)).token
            if newer == token:
                await self._lost(tenant, error)
                raise
        await execution.check()
        try:
            return await _data(method(token=newer, **given))
        except SlackError as error:
            await self._lost(tenant, error)
            raise

    async def _lost(self, tenant: Tenant, error: SlackError) -> None:
        if error.disables_installation and self._on_token_lost is not None:
            await self._on_token_lost(tenant, error)


async def at_best(tenant: Tenant, call: Awaitable[Json]) -> bool:
    """Make a call that is a nicety: False, and a line in the log, where Slack refuses it."""
    try:
        await call
    except SlackError as error:
        return left_out(tenant, error)
    return True


def left_out(tenant: Tenant, error: SlackError) -> bool:
    """Note that a nicety was left out; always False."""
    log.info("a nicety for %s was left out: %s", tenant.owner, error)
    return False


async def settled(call: Coroutine[Any, Any, T]) -> T:
    """Await a call; when cancelled, wait for its end all the same (a call's time at most)."""
    task = asyncio.ensure_future(call)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task], timeout=SECONDS)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        raise


@contextlib.contextmanager
def doubt(what: str) -> Iterator[None]:
    """Turn an error that leaves open whether Slack took `what` into `Ambiguous`."""
    try:
        yield
    except (Unavailable, Garbled) as error:
        if isinstance(error, Unavailable) and error.unsent:
            raise
        raise Ambiguous(f"{what} was sent, and it is not known whether Slack took it.") from error


async def _data(response: Awaitable[AsyncSlackResponse]) -> Json:
    data = (await response).data
    if not isinstance(data, dict):  # the wire gives nothing else
        raise TypeError("a reply of Slack's is an object")
    return data


def _name(method: Method) -> str:
    return getattr(method, "__name__", "").replace("_", ".")
