"""How long a child may yet read one file."""

import time
from collections.abc import Callable
from typing import Final

from masis.documents.parsing import document_limits

Tell = Callable[[], float]
"""Gives seconds: of a clock, or of the processor."""


class ReadingClock:
    """Tells how long a reading may go on: so much of the processor, and by the clock some times that.

    A long table takes as much of the processor beside other work as alone, and longer by the clock. `spent`
    is what the child had of the processor since its start, None where the platform does not tell: by the
    clock then, alone.
    """

    def __init__(
        self,
        seconds: float,
        spent: Callable[[], float | None],
        now: Tell = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._spent: Final = spent
        self._now: Final = now
        self.again()

    def again(self) -> None:
        """Give as much time again: a part is read."""
        self._begun, self._had = self._now(), self._spent()

    def left(self) -> float:
        """Return the seconds after which to look again; none or less when the time is over."""
        waited, had = self._now() - self._begun, self._spent()
        if had is None or self._had is None:
            return self._seconds - waited
        longest = self._seconds * document_limits.TIMES_BY_THE_CLOCK - waited
        return min(self._seconds - (had - self._had), longest)
