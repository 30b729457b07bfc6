"""How long a child may yet read: by the processor, and by the clock some times that."""

from pathlib import Path

import pytest

from masis.documents.parsing import document_limits
from masis.documents.parsing.sandbox.pool import _COMMAND, _Child
from masis.documents.parsing.sandbox.reading_clock import ReadingClock


class Told:
    """What the platform tells of the clock and of the processor."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.spent: float | None = 7.0

    def clock(self, seconds: float) -> ReadingClock:
        return ReadingClock(seconds, lambda: self.spent, lambda: self.now)


@pytest.mark.parametrize(
    ("waited", "spent", "left"),
    [
        (0.0, 7.0, 60.0),
        (120.0, 47.0, 20.0),
        (70.0, 67.0, 0.0),
        (290.0, 8.0, 60.0 * document_limits.TIMES_BY_THE_CLOCK - 290.0),
        (301.0, 7.0, -1.0),
    ],
)
def test_waiting_costs_less_than_reading(waited: float, spent: float, left: float) -> None:
    """A child that waits for the processor has longer, and not for ever."""
    told = Told()
    clock = told.clock(60.0)
    told.now, told.spent = told.now + waited, spent

    assert clock.left() == pytest.approx(left)


def test_without_a_processor_time_clocks_count() -> None:
    told = Told()
    told.spent = None
    clock = told.clock(60.0)
    told.now += 45.0

    assert clock.left() == pytest.approx(15.0)


def test_each_part_has_its_own_time() -> None:
    told = Told()
    clock = told.clock(60.0)
    told.now, told.spent = told.now + 200.0, 66.0
    clock.again()

    assert clock.left() == pytest.approx(60.0)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells")
def test_linux_tells_processor_time() -> None:
    """What a child had of the processor is told while it is there, and not of one that is gone."""
    child = _Child(_COMMAND)
    had = child.processor_seconds()
    child.kill()
    child.close()

    assert had is not None
    assert 0.0 <= had < document_limits.SECONDS
    assert child.processor_seconds() is None
