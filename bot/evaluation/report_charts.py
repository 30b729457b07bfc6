"""Computes where the parts of a chart stand; `templates/charts.html.jinja` draws them."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from bot.evaluation.evaluation import Band, Verdict
from bot.evaluation.report_words import VERDICTS, share

MAX_ROWS: Final = 16
"""Of a chart; the table beside has them all."""

_LABEL, _BAR, _ROW = 170, 400, 30
_LONGEST_LABEL = 22
"""Characters that fit beside a bar."""
_NARROWEST = 18
"""Pixels of a part that still holds its figure."""

_PLOT, _EDGE = 260, 46
_TICKS = (0, 25, 50, 75, 100)


class Part(NamedTuple):
    """The part of a bar that one verdict takes."""

    verdict: Verdict
    number: int
    x: float
    width: float
    middle: float
    has_room: bool


class Bar(NamedTuple):
    """One row of the stacked bars."""

    label: str
    short: str
    total: int
    top: int
    middle: float
    height: int
    parts: list[Part]


class Outcomes(NamedTuple):
    """Stacked bars, and the table with the same figures."""

    name: str
    description: str
    verdicts: list[Verdict]
    bars: list[Bar]
    heading: list[str]
    rows: list[list[str]]
    height: int
    width: int = _LABEL + _BAR + 50
    left: int = _LABEL
    right: int = _LABEL + _BAR


def outcomes(rows: Mapping[str, Mapping[Verdict, int]], name: str) -> Outcomes:
    """Place how the questions of each row ended, in shares of one whole."""
    shown = list(rows.items())
    # The last row is the whole; a chart that is cut keeps it.
    drawn = shown if len(shown) <= MAX_ROWS else [*shown[: MAX_ROWS - 1], shown[-1]]
    said = "; ".join(f"{label}: {_said(row)}" for label, row in drawn[-1:])
    verdicts = [verdict for verdict in VERDICTS if any(verdict in row for row in rows.values())]
    return Outcomes(
        name=name,
        description=f"Stacked bars. {said}.",
        verdicts=verdicts,
        bars=[_bar(at, label, row) for at, (label, row) in enumerate(drawn)],
        heading=["Questions", *(VERDICTS[each] for each in verdicts)],
        rows=[[label, *(str(row.get(each, 0)) for each in verdicts)] for label, row in shown],
        height=_ROW * len(drawn) + 4,
    )


def _said(row: Mapping[Verdict, int]) -> str:
    return ", ".join(f"{VERDICTS[each]} {row[each]}" for each in VERDICTS if each in row)


def _bar(at: int, label: str, row: Mapping[Verdict, int]) -> Bar:
    total, top = sum(row.values()), at * _ROW + 2
    parts = []
    left: float = _LABEL
    for verdict in VERDICTS:
        if number := row.get(verdict, 0):
            width = _BAR * number / total
            middle, has_room = round(left + width / 2, 1), width >= _NARROWEST
            parts.append(Part(verdict, number, round(left, 1), round(width, 1), middle, has_room))
            left += width
    short = label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"
    return Bar(label, short, total, top, top + _ROW / 2 + 2, _ROW - 6, parts)


class Tick(NamedTuple):
    """A mark on both axes."""

    percent: int
    x: float
    y: float


class Point(NamedTuple):
    """A band of confidence; its area shows how many drafts are in it."""

    confidence: str
    right: str
    x: float
    y: float
    radius: float


class Reliability(NamedTuple):
    """What was claimed against what came true, and the table with the same figures."""

    points: list[Point]
    rows: list[list[str]]
    ticks: list[Tick]
    name: str = "Does the confidence mean what it says?"
    description: str = (
        "Each dot is a band of confidence; across is the mean confidence, upwards the share of"
        " drafts that were right. Dots on the line claim what they hold, dots below it too much."
    )
    width: int = _PLOT + _EDGE + 24
    height: int = _PLOT + _EDGE + 24
    left: float = _EDGE
    right: float = _EDGE + _PLOT
    top: float = _EDGE / 2
    bottom: float = _EDGE / 2 + _PLOT


def reliability(bands: Sequence[Band]) -> Reliability:
    """Place what was claimed against what came true. On the line, confidence means what it says."""
    most = max((band.right.of for band in bands), default=1)
    return Reliability(
        points=[_point(band, most) for band in bands],
        rows=[_row(band) for band in bands],
        ticks=[Tick(each, *_at(each / 100, each / 100)) for each in _TICKS],
    )


def _row(band: Band) -> list[str]:
    return [
        f"{band.low * 100:.0f} to {band.high * 100:.0f} %",
        f"{band.confidence * 100:.0f} %",
        share(band.right.hits, band.right.of),
    ]


def _point(band: Band, most: int) -> Point:
    x, y = _at(band.confidence, band.right.share)
    radius = round(4 + 9 * (band.right.of / most) ** 0.5, 1)
    return Point(f"{band.confidence:.0%}", share(band.right.hits, band.right.of), x, y, radius)


def _at(x: float, y: float) -> tuple[float, float]:
    return round(_EDGE + x * _PLOT, 1), round(_EDGE / 2 + (1 - y) * _PLOT, 1)
