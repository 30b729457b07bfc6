"""Ask a model, and once more where its reply cannot be used, with word of what was wrong."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from pydantic import BaseModel

from masis.domain import Usage
from masis.models.prompting import Unusable, repaired
from masis.ports import ChatModel, ChatReply, Message, Role

T = TypeVar("T")

TRIES: Final = 2
"""A reply that cannot be used is asked for once more, with word of what was wrong."""

MAX_REPLY_CHARS: Final = 20_000
"""Longer than any answer a person reads; a model that goes on is going in circles."""


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """Hold what came of the tries.

    `fault` is the last one's, and counts where there is no value.
    """

    value: T | None
    usage: Usage
    fault: Unusable


async def two_tries(
    chat: ChatModel,
    role: Role,
    messages: Sequence[Message],
    schema: type[BaseModel] | None,
    read: Callable[[ChatReply], T | None],
) -> Found[T]:
    """Ask until a reply can be used. A service that fails is not ours to mend: its error passes."""
    usage = Usage()
    fault: Unusable = "malformed"
    asked = list(messages)
    for _ in range(TRIES):
        reply = await chat.complete(role, asked, schema)
        usage = usage.plus(reply.usage)
        found_fault = _fault(reply)
        value = read(reply) if found_fault is None else None
        if value is not None:
            return Found(value, usage, fault)
        fault = found_fault or "malformed"
        asked = repaired(messages, fault)
    return Found(None, usage, fault)


def _fault(reply: ChatReply) -> Unusable | None:
    if reply.refusal is not None:
        return "refusal"
    match reply.finish_reason:
        case "stop":
            pass
        case "length":
            return "cut_off"
        case "content_filter":
            return "filtered"
        case _:
            return "malformed"
    if reply.parsed is None and not any(map(str.isalnum, reply.text)):
        return "empty"
    return "cut_off" if len(reply.text) > MAX_REPLY_CHARS else None
