"""Observes calls of ports: one wrapper for all of them, told by a table what is a span and what counts."""

import functools
import inspect
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from types import MappingProxyType, TracebackType
from typing import Any, NamedTuple, Self, TypeVar, cast

from opentelemetry.context import Context as Parent
from opentelemetry.trace import INVALID_SPAN, SpanKind

from bot.observability.spans import Attribute, span

T = TypeVar("T")
AnyCall = TypeVar("AnyCall", bound=Callable[..., Any])


class Spanned(NamedTuple):
    """The span of a call as it begins."""

    name: str
    attributes: Mapping[str, Attribute] = MappingProxyType({})
    kind: SpanKind = SpanKind.CLIENT
    parent: Parent | None = None


class Ended(NamedTuple):
    """How a call ended: by its result, or by an error."""

    result: Any
    error: BaseException | None
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """How a method is observed, from outermost to innermost; what is None is left out.

    `within`, `span` and `count` are handed what the method is called with, `count` after how it
    ended; `found` and `gives` are handed its result.
    """

    within: Callable[..., AbstractContextManager[object]] | None = None
    """Goes around all else."""
    span: Callable[..., Spanned] | None = None
    found: Callable[[Any], Mapping[str, Attribute]] | None = None
    """What the result adds to the span."""
    count: Callable[..., None] | None = None
    """Counts, whichever way the call ended."""
    gives: Callable[[Any], Any] | None = None
    """What the caller gets in the result's place."""


def observed(port: T, calls: Mapping[str, Call]) -> T:
    """Wrap a port: the methods in the table are observed, everything else of it is its own."""
    return cast("T", _Observed(port, calls))


class _Observed:
    """Stands for a port, whatever its type."""

    def __init__(self, port: object, calls: Mapping[str, Call]) -> None:
        self._port = port
        for name, call in calls.items():
            setattr(self, name, watched(getattr(port, name), call))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the port has
        return getattr(self._port, name)


def watched(method: AnyCall, call: Call) -> AnyCall:
    """Wrap one function, or one method of an object or of a class."""

    @functools.wraps(method)
    async def asynchronous(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - the method's
        with _observing(call, given, named) as watching:
            watching.result = await method(*given, **named)
        return watching.result

    @functools.wraps(method)
    def synchronous(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - the method's
        with _observing(call, given, named) as watching:
            watching.result = method(*given, **named)
        return watching.result

    is_async = inspect.iscoroutinefunction(method)
    return cast("AnyCall", asynchronous if is_async else synchronous)


@contextmanager
def _observing(call: Call, given: tuple[Any, ...], named: dict[str, Any]) -> Iterator["_Counted"]:
    with (
        call.within(*given, **named) if call.within else nullcontext(),
        span(*call.span(*given, **named)) if call.span else nullcontext(INVALID_SPAN) as opened,
    ):
        with _Counted(call, given, named) as counted:
            yield counted
        if call.found:
            opened.set_attributes(call.found(counted.result))
    if call.gives:
        counted.result = call.gives(counted.result)


class _Counted:
    """A call under way, which is counted when it ends."""

    def __init__(self, call: Call, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.result: Any = None
        self._count = call.count
        self._given = given
        self._named = named
        self._began = 0.0

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        return self

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        if self._count:
            ended = Ended(self.result, error, time.monotonic() - self._began)
            self._count(ended, *self._given, **self._named)
