"""The deadline of a run, which is paused while the run waits for others."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar


class RunClock:
    """The deadline of one run, which is paused while the run waits for the rate limit."""

    def __init__(
        self,
        deadline: asyncio.Timeout,
        on_wait: Callable[[float], None] | None = None,
        on_note: Callable[[str], None] | None = None,
    ) -> None:
        self.waited = 0.0
        """Seconds so far that did not count."""
        self._deadline = deadline
        self._on_wait = on_wait
        self._on_note = on_note
        self._waits = 0
        self._stopped_at = 0.0
        self._left: float | None = None
        self._over = False

    def announce(self, expected: float) -> None:
        """Tell who watches that a wait of about so many seconds began."""
        if self._on_wait is not None and not self._over:
            self._on_wait(expected)

    def note(self, said: str) -> None:
        """Tell who watches what keeps the run from going on."""
        if self._on_note is not None and not self._over:
            self._on_note(said)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Pause the clock for the block."""
        self._stop()
        try:
            yield
        finally:
            self._go_on()

    def close(self) -> None:
        """The run is over: the deadline is not touched any more."""
        self._over = True

    def _stop(self) -> None:
        # Waits of parallel nodes overlap; the clock is paused for their union, not their sum.
        self._waits += 1
        if self._waits > 1:
            return
        self._stopped_at = asyncio.get_running_loop().time()
        when = self._deadline.when()
        if when is not None and self._can_move():
            self._left = when - self._stopped_at
            self._deadline.reschedule(None)

    def _go_on(self) -> None:
        self._waits -= 1
        if self._waits:
            return
        now = asyncio.get_running_loop().time()
        self.waited += now - self._stopped_at
        if self._left is not None and self._can_move():
            self._deadline.reschedule(now + self._left)
        self._left = None

    def _can_move(self) -> bool:
        return not (self._over or self._deadline.expired())


_run: ContextVar[RunClock | None] = ContextVar("masis_run_clock", default=None)


def current() -> RunClock | None:
    """The clock of the run that the caller is part of; None outside of a run."""
    return _run.get()


@asynccontextmanager
async def run_clock(
    *,
    seconds: float,
    on_wait: Callable[[float], None] | None = None,
    on_note: Callable[[str], None] | None = None,
) -> AsyncIterator[RunClock]:
    """Bound a run to `seconds`, without the time it waits for the rate limit.

    `on_wait` is told the expected seconds when such a wait begins, `on_note` what else keeps the run
    from going on. Tasks started inside share the clock.

    Raises:
        TimeoutError: the run took too long.
    """
    async with asyncio.timeout(seconds) as deadline:
        clock = RunClock(deadline, on_wait, on_note)
        token = _run.set(clock)
        try:
            yield clock
        finally:
            clock.close()
            _run.reset(token)


@contextmanager
def paused(clock: RunClock | None) -> Iterator[None]:
    """Pause the clock, where there is one, for the block."""
    if clock is None:
        yield
        return
    with clock.paused():
        yield
