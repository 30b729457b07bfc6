"""Spans for OpenTelemetry, by its API alone: without an SDK in the process they cost next to nothing.

All spans of a run share the trace whose id is the run's own, so that it goes on over the queue,
from process to process and after a restart. Spans hold ids, numbers and names of errors. They never
hold a text, not even on request: what is asked and read stays where it is kept and can be deleted.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import TracebackType

import structlog
from opentelemetry import trace
from opentelemetry.context import Context as Parent
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from masis import __version__

_tracer = trace.get_tracer("masis", __version__)
"""Asks whichever SDK is set up by then, or none."""

Attribute = str | int | float | bool | tuple[str, ...]


def span(
    name: str,
    attributes: Mapping[str, Attribute] | None = None,
    kind: SpanKind = SpanKind.INTERNAL,
    parent: Parent | None = None,
) -> AbstractContextManager[Span]:
    """Put a span around a block, with the ids bound for the log; of an error its name alone."""
    begun = _tracer.start_as_current_span(
        name, parent, kind, record_exception=False, set_status_on_exception=False
    )
    return _Span(begun, attributes or {})


class _Span(AbstractContextManager[Span]):
    __slots__ = ("_attributes", "_begun", "_opened")

    def __init__(
        self, begun: AbstractContextManager[Span], attributes: Mapping[str, Attribute]
    ) -> None:
        self._begun = begun
        self._attributes = attributes

    def __enter__(self) -> Span:
        self._opened = self._begun.__enter__()
        if self._opened.is_recording():
            self._opened.set_attributes({**_bound(), **self._attributes})
        return self._opened

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> bool | None:
        if error is not None:
            # What an error says may quote somebody.
            self._opened.set_attribute("error.type", type(error).__name__)
            self._opened.set_status(Status(StatusCode.ERROR))
        return self._begun.__exit__(kind, error, at)


def _bound() -> dict[str, Attribute]:
    return {
        f"masis.{name}": value for name, value in structlog.contextvars.get_contextvars().items()
    }
