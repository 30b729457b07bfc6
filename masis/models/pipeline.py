"""Guard the way to a service: every layer that a call passes, in their order.

A layer is handed the name that a service is counted by and what sends the call on; each attempt
passes all that stand within the retries. All times are the event loop's own, so a test may bend them.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

from pydantic import BaseModel

from masis.models.accounting import Accountant, Name, Reply
from masis.models.gateway import DEFAULT_BACKOFF, Backoff, Circuits, retried
from masis.models.permits import MemoryCallPermits
from masis.models.rate_limit import RateLimit
from masis.policy import CALLS_PER_MINUTE, MAX_RATE_WAIT
from masis.ports import ROLES, CallPermits, ChatModel, ChatReply, Message, Role

Send = Callable[[], Awaitable[Reply]]
Layer = Callable[[Name, Send[Reply]], Awaitable[Reply]]


def layers(
    permits: Mapping[Name, CallPermits],
    *,
    accountant: Accountant | None,
    models: Callable[[Name], str],
    backoff: Backoff = DEFAULT_BACKOFF,
    longest_wait: float = MAX_RATE_WAIT,
) -> list[Layer[Name, Reply]]:
    """List what a call passes, from outermost to innermost.

    `models` names the model that a call is paid for as; without an accountant nobody pays.
    """
    circuits = Circuits()
    limit = RateLimit(permits, admit=circuits.admit, longest_wait=longest_wait)

    async def repeat(_: Name, send: Send[Reply]) -> Reply:
        return await retried(send, backoff)

    return [
        # Who has no budget left is not even queued. A place in the rate limit is leave to call
        # right now, and a look at the database after it would let calls bunch up: so calls that
        # wait already may spend more than the budget has left, each once.
        *([accountant.afford] if accountant else []),
        # A repeat is a call like any other to what stands below.
        repeat,
        # Every attempt takes a place of its own; an open circuit says so before anybody queues.
        limit.call,
        # Sees every attempt that was let through, and none that the limit turned away.
        circuits.call,
        # Next to the service: an answer is paid, whoever is cancelled after it.
        *([partial(accountant.pay, models)] if accountant else []),
    ]


async def passed(layers: Sequence[Layer[Name, Reply]], name: Name, send: Send[Reply]) -> Reply:
    """Send a call through the layers, the first of which is the outermost."""
    for layer in reversed(layers):
        send = partial(layer, name, send)
    return await send()


class GuardedChat:
    """Let the calls of a chat model pass layers."""

    def __init__(self, chat: ChatModel, layers: Sequence[Layer[Role, ChatReply]]) -> None:
        self._chat = chat
        self._layers = layers

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Ask through the layers."""
        return await passed(self._layers, role, lambda: self._chat.complete(role, messages, schema))


def guarded(
    chat: ChatModel,
    *,
    permits: Mapping[Role, CallPermits] | None = None,
    per_minute: int = CALLS_PER_MINUTE,
    accountant: Accountant | None = None,
    models: Callable[[Role], str] = str,
    backoff: Backoff = DEFAULT_BACKOFF,
) -> ChatModel:
    """Put all layers around a model service: what the application hands to its agents.

    Without `permits` all roles share `per_minute` calls of their own.
    """
    granted = permits or dict.fromkeys(ROLES, MemoryCallPermits(per_minute))
    return GuardedChat(chat, layers(granted, accountant=accountant, models=models, backoff=backoff))
