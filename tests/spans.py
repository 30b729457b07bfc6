"""Spans as an operator's SDK would get them, kept in memory."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from bot.observability import spans


class Recorded:
    """What was recorded so far."""

    def __init__(self, exporter: InMemorySpanExporter) -> None:
        self._exporter = exporter

    def all(self) -> list[ReadableSpan]:
        """Every span that ended, in the order of their ends."""
        return list(self._exporter.get_finished_spans())

    def named(self, name: str) -> list[ReadableSpan]:
        """Those whose name is this, or begins with it and a blank."""
        return [
            each for each in self.all() if each.name == name or each.name.startswith(f"{name} ")
        ]

    def parent(self, child: ReadableSpan) -> str:
        """The name of the span's parent; empty where it was not recorded."""
        wanted = None if child.parent is None else child.parent.span_id
        return next((each.name for each in self.all() if each.context.span_id == wanted), "")

    def text(self) -> str:
        """All that they say."""
        return "\n".join(each.to_json() for each in self.all())


@contextmanager
def recorded() -> Iterator[Recorded]:
    """Record what is spanned within the block, as if an SDK were set up in this process."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, "_tracer", provider.get_tracer("tests"))
        yield Recorded(exporter)
    provider.shutdown()
