"""Observe calls of ports by one wrapper, told by a table what is a span and what counts."""

import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import MappingProxyType, TracebackType
from typing import Any, NamedTuple, Self, TypeVar, cast

from opentelemetry.context import Context as Parent
from opentelemetry.trace import SpanKind

from bot.observability.spans import Attribute, span

T = TypeVar("T")
AnyCall = TypeVar("AnyCall", bound=Callable[..., Awaitable[Any]])
AsyncCall = Callable[..., Awaitable[Any]]
Found = Callable[[Any], Mapping[str, Attribute]]


class Spanned(NamedTuple):
    """Hold the span that a call begins with."""

    name: str
    attributes: Mapping[str, Attribute] = MappingProxyType({})
    kind: SpanKind = SpanKind.CLIENT
    parent: Parent | None = None


class Ended:
    """Note how a call ended: by its result, or by an error."""

    __slots__ = ("_began", "error", "result", "seconds")

    def __init__(self) -> None:
        self.result: Any = None
        self.error: BaseException | None = None
        self.seconds = 0.0
        self._began = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        self.error = error
        self.seconds = time.monotonic() - self._began


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Tell how a method is observed, from outermost to innermost; what is None is left out.

    `within`, `span` and `count` are handed what the method is called with, `count` after how it
    ended; `found` and `gives` are handed its result.
    """

    within: Callable[..., AbstractContextManager[object]] | None = None
    """Goes around all else."""
    span: Callable[..., Spanned] | None = None
    found: Found | None = None
    """What the result adds to the span."""
    count: Callable[..., None] | None = None
    """Counts, whichever way the call ended."""
    gives: Callable[[Any], Any] | None = None
    """What the caller gets in the result's place."""


def observed(port: T, calls: Mapping[str, Call]) -> T:
    """Wrap a port: the methods in the table are observed, everything else of it is its own."""
    return cast("T", _Observed(port, calls))


class _Observed:
    """Stand for a port, whatever its type."""

    def __init__(self, port: object, calls: Mapping[str, Call]) -> None:
        self._port = port
        for name, call in calls.items():
            setattr(self, name, watched(getattr(port, name), call))

    @property  # type: ignore[misc] # it passes as what it stands for
    def __class__(self) -> type:
        return type(self._port)

    def __getattr__(self, name: str) -> object:
        return getattr(self._port, name)


def watched(method: AnyCall, call: Call) -> AnyCall:
    """Wrap one asynchronous function, or such a method of an object or of a class."""
    made: AsyncCall = method
    if call.count is not None:
        made = _counted(made, call.count)
    if call.span is not None:
        made = _spanned(made, call.span, call.found)
    if call.within is not None:
        made = _within(made, call.within)
    if call.gives is not None:
        made = _given(made, call.gives)
    return cast("AnyCall", made)


def _counted(method: AsyncCall, count: Callable[..., None]) -> AsyncCall:
    async def counted(*given: object, **named: object) -> object:
        ended = Ended()
        try:
            with ended:
                ended.result = await method(*given, **named)
        finally:
            count(ended, *given, **named)
        return ended.result

    return counted


def _spanned(method: AsyncCall, begin: Callable[..., Spanned], found: Found | None) -> AsyncCall:
    async def spanned(*given: object, **named: object) -> object:
        with span(*begin(*given, **named)) as opened:
            result = await method(*given, **named)
            if found is not None:
                opened.set_attributes(found(result))
            return result

    return spanned


def _within(method: AsyncCall, around: Callable[..., AbstractContextManager[object]]) -> AsyncCall:
    async def within(*given: object, **named: object) -> object:
        with around(*given, **named):
            return await method(*given, **named)

    return within


def _given(method: AsyncCall, gives: Callable[[Any], Any]) -> AsyncCall:
    async def replaced(*given: object, **named: object) -> object:
        return gives(await method(*given, **named))

    return replaced
