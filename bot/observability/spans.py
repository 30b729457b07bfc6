"""Spans for OpenTelemetry, by its API alone: without an SDK in the process they cost next to nothing.

All spans of a run share the trace whose id is the run's own, so that it goes on over the queue,
from process to process and after a restart. Spans hold ids, numbers and names of errors. They never
hold a text, not even on request: what is asked and read stays where it is kept and can be deleted.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import structlog
from opentelemetry import trace
from opentelemetry.context import Context as Parent
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from masis import __version__

_tracer = trace.get_tracer("masis", __version__)
"""Asks whichever SDK is set up by then, or none."""

Attribute = str | int | float | bool | tuple[str, ...]


@contextmanager
def span(
    name: str,
    attributes: Mapping[str, Attribute] | None = None,
    kind: SpanKind = SpanKind.INTERNAL,
    parent: Parent | None = None,
) -> Iterator[Span]:
    """A span around a block, with the ids that are bound for the log; of an error its name alone."""
    with _tracer.start_as_current_span(
        name, parent, kind, record_exception=False, set_status_on_exception=False
    ) as opened:
        if opened.is_recording():
            opened.set_attributes({**_bound(), **(attributes or {})})
        try:
            yield opened
        except BaseException as error:
            # What an error says may quote somebody.
            opened.set_attribute("error.type", type(error).__name__)
            opened.set_status(Status(StatusCode.ERROR))
            raise


def _bound() -> dict[str, Attribute]:
    return {
        f"masis.{name}": value for name, value in structlog.contextvars.get_contextvars().items()
    }
