import asyncio
from argparse import Namespace
from collections.abc import AsyncGenerator

import pytest

from tests.chaos.__main__ import PARTS, Chaos, Part, _tried
from tests.chaos.nursery import Nursery
from tests.chaos.table import Line


async def hangs(_: Chaos) -> AsyncGenerator[Line]:
    yield Line("first", lost=0)
    await asyncio.sleep(60)
    yield Line("second")


async def fails(_: Chaos) -> AsyncGenerator[Line]:
    yield Line("first", lost=1, wrong=["one is lost"])
    raise AssertionError("it does not listen")


async def tried(part: Part, seconds: float) -> int:
    return await _tried("part", part, Chaos(Nursery(), Namespace(), seconds))


async def test_timed_out_part_names_unreached_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A part that breaks its time says what was not reached."""
    assert await tried(Part(hangs, ("first", "second", "third"), 60), 0.05) == 1
    assert capsys.readouterr().out.splitlines() == [
        "| first |  | 0 |  |  | ok |",
        "| part |  |  |  |  | **not done within 0.05 s; not reached: second, third** |",
    ]


async def test_broken_part_adds_to_failures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A part that breaks off counts beside what is wrong in it."""
    assert await tried(Part(fails, ("first", "second"), 60), 60) == 2
    told = capsys.readouterr().out
    assert "broken off: it does not listen; not reached: second" in told


def test_parts_fit_the_time_limit() -> None:
    """Every part names its lines and all end within three hours."""
    assert all(part.names for part in PARTS.values())
    assert sum(part.seconds for part in PARTS.values()) <= 180 * 60
    assert len({name for part in PARTS.values() for name in part.names}) == sum(
        len(part.names) for part in PARTS.values()
    )
