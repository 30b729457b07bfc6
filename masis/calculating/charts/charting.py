"""Make charts and tables of figures that were read or calculated, and check them against these."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from masis.calculating.asked_calculation import AskedKind
from masis.calculating.calculation import PAIRS, holds, objection, when
from masis.calculating.charts.asked_display import Display
from masis.domain import Calculation, EvidenceChunk, Figure
from masis.text.grammars.scales import SUFFIXES
from masis.text.periods import periods
from masis.values.base import Period, Value
from masis.values.shown import Chart, ChartKind, Series, ShownColumn, ShownTable

MOST_CATEGORIES: Final = 20
MOST_SERIES: Final = 6
"""What the narrowest surface draws of a chart, and what can still be read."""
MOST_SLICES: Final = 6
LEAST_DRAWN: Final = 3
"""Comparable figures from which on a chart is made without being asked for."""
_LEAST_ASKED: Final = 2
LONG: Final = 4
"""Points of a line over time; fewer are bars."""
LISTS: Final = frozenset({"rank"})
"""Kinds whose results are told one by one, each with its label."""
_SIDE_BY_SIDE: Final = frozenset({"maximum", "minimum", "list"})
"""Kinds whose figures are compared, each with the others."""
_OF_OTHER_UNIT: Final = frozenset({"growth", "points", "share", "ratio"})
_DIVIDED: Final = frozenset({"growth", "share", "ratio", "per_unit", "mean"})
ROUNDED: Final = Decimal("0.01")
"""To which a quotient is drawn: it has no last digit."""
_UNITS: Final = {"points": "percentage points"}

NO_FIGURES: Final = "I drew no {what}: there are not two figures to set side by side."
UNLIKE: Final = "I drew no chart: {why}."
TOO_MANY: Final = "I drew no chart: {number:,} {what} are more than one can show ({most}). The figures are in the table."  # fmt: skip
NO_PIE: Final = "A pie can only show the parts of one whole, so this is a bar chart: {why}."
MISSING: Final = "not every category has a figure in every series"
NOT_HELD: Final = "I drew no chart: it did not agree with the figures that it was made of."


class Labelled(NamedTuple):
    """A calculation with what it is of: its category, and its series where there are several."""

    label: str
    calculation: Calculation
    series: str = ""


class Shown(Value):
    """What is drawn, and in sentences what is not, and why."""

    charts: list[Chart] = []
    tables: list[ShownTable] = []
    notes: list[str] = []


class _Point(NamedTuple):
    """A figure of a chart or a table, in full; `figures` are those that it comes of."""

    category: str
    series: str
    amount: Decimal
    unit: str
    currency: str
    scale: int
    figures: Sequence[Figure]
    period: Period | None

    @property
    def dimension(self) -> tuple[str, str]:
        """Return what only the same can stand beside."""
        return self.currency, self.unit


def drawn(
    display: Display,
    kind: AskedKind,
    computed: Sequence[Labelled],
    evidence: Sequence[EvidenceChunk],
    title: str,
) -> Shown:
    """Return what is shown of calculations: what was asked for, and a chart where it says more."""
    points = _points(kind, computed)
    least = _LEAST_ASKED if display.asked else LEAST_DRAWN
    categories = {point.category for point in points}
    if not display.asked and not _says_more(kind, points):
        return Shown()
    if len(categories) < least or _collide(points):
        what = "chart" if display.chart else "table"
        return Shown(notes=[NO_FIGURES.format(what=what)] if display.asked else [])
    points = _in_order(points)
    reason = _unlike(points)
    table = _table(points, title, evidence) if not reason else None
    wants = display.chart or not display.table
    made = _chart(display, points, title, reason) if wants else Shown()
    if not display.asked:
        made = Shown(charts=made.charts)
    if any(faults(chart, computed, evidence) for chart in made.charts):
        made = Shown(notes=[NOT_HELD] if display.asked else [])
    is_tabled = display.table or (display.chart and not made.charts)
    tables = [table] if table is not None and is_tabled else []
    notes = [*made.notes, *([UNLIKE.format(why=reason)] if display.table and reason and not made.notes else [])]  # fmt: skip
    return made.model_copy(update={"tables": tables, "notes": notes})


def _says_more(kind: AskedKind, points: Sequence[_Point]) -> bool:
    """Tell whether a chart that nobody asked for shows what the answer tells: an order, or a course."""
    if kind in LISTS or kind in _SIDE_BY_SIDE:
        return len(points) <= MOST_CATEGORIES
    return len({point.period for point in points} - {None}) == len(points) <= MOST_CATEGORIES


def _chart(display: Display, points: Sequence[_Point], title: str, reason: str) -> Shown:
    """Return a chart of points that are comparable, or why there is none."""
    categories = list(dict.fromkeys(point.category for point in points))
    names = _names(points)
    if reason:
        return Shown(notes=[UNLIKE.format(why=reason)])
    for number, most, what in (
        (len(categories), MOST_CATEGORIES, "categories"),
        (len(names), MOST_SERIES, "series"),
    ):
        if number > most:
            return Shown(notes=[TOO_MANY.format(number=number, most=most, what=what)])
    if len(points) < len(categories) * len(names):
        return Shown(notes=[UNLIKE.format(why=MISSING)])
    kind = display.kind or _kind(points)
    why = _no_pie(points, names, categories) if kind == "pie" else ""
    scale = _scale(points)
    chart = Chart(
        kind="bar" if why else kind,
        title=title,
        unit=unit_of(*points[0].dimension, scale),
        categories=categories,
        series=[_series(name, points, categories, scale) for name in names],
        sources=_sources(points),
    )
    return Shown(charts=[chart], notes=[NO_PIE.format(why=why)] if why else [])


def _kind(points: Sequence[_Point]) -> ChartKind:
    moments = {point.period for point in points}
    return "line" if None not in moments and len(moments) >= LONG else "bar"


def _no_pie(points: Sequence[_Point], names: Sequence[str], categories: Sequence[str]) -> str:
    if len(names) > 1:
        return "there are several series"
    if any(point.amount < 0 for point in points):
        return "one of the figures is negative"
    if not any(point.amount for point in points):
        return "all figures are zero"
    if len(categories) > MOST_SLICES:
        return f"{len(categories)} parts cannot be told apart"
    if points[0].unit == "%" and abs(sum((point.amount for point in points), Decimal(-100))) > 1:
        return "these percentages do not add up to 100"
    return ""


def _series(name: str, points: Sequence[_Point], categories: Sequence[str], scale: int) -> Series:
    held = {point.category: point.amount / scale for point in points if point.series == name}
    return Series(
        name=name or _metric(points) or "Value", values=[held.get(each) for each in categories]
    )


def _metric(points: Sequence[_Point]) -> str:
    """Return what all points are of, where their figures have one name."""
    names = {figure.metric for point in points for figure in point.figures}
    return names.pop() if len(names) == 1 else ""


# --- points ------------------------------------------------------------------------------------


def _points(kind: AskedKind, computed: Sequence[Labelled]) -> list[_Point]:
    """Return what is set side by side: several results, else the figures that one is made of."""
    alike = len({str(each.calculation.inputs) for each in computed}) == 1
    if kind not in LISTS and (len(computed) == 1 or (alike and kind in PAIRS)):
        # A change and its percentage are of the same figures.
        found = [_of_figure(figure) for figure in computed[0].calculation.inputs]
    else:
        found = [_of_result(each) for each in computed]
    moments = {point.period for point in found}
    if len(moments) < 2:
        return found
    if len({(point.series, point.period) for point in found}) == len(_names(found)):
        return found  # each series is of one period, which its name tells
    if len({(point.category, point.series) for point in found}) == 1:
        return [point._replace(category=when(point.period) or point.category) for point in found]
    return [_dated(point) for point in found]


def _names(points: Sequence[_Point]) -> list[str]:
    return list(dict.fromkeys(point.series for point in points))


def _dated(point: _Point) -> _Point:
    """Say of which period a point is, among others of other periods."""
    said = when(point.period)
    if not said or said in point.category:
        return point
    is_named = [each.period for each in periods(point.category)] == [point.period]
    return point._replace(category=said if is_named else f"{point.category}, {said}")


def _of_result(each: Labelled) -> _Point:
    done = each.calculation
    first, is_pair = done.inputs[0], done.kind in PAIRS
    moments = {figure.period for figure in done.inputs}
    is_same = done.kind not in _OF_OTHER_UNIT
    return _Point(
        category=_category(each.label, done.inputs),
        series=each.series,
        amount=done.result.quantize(ROUNDED) if done.kind in _DIVIDED else done.result,
        unit=first.unit if is_same else _UNITS.get(done.unit, done.unit),
        currency=first.currency if is_same else "",
        scale=min(figure.scale for figure in done.inputs) if is_same else 1,
        figures=done.inputs,
        period=first.period if is_pair or len(moments) == 1 else None,
    )


def _of_figure(figure: Figure) -> _Point:
    label, dash, _ = figure.said.partition(" – ")
    named = label if dash else ""
    period = when(figure.period)
    category = named or period
    return _Point(
        _category(category, [figure]),
        "",
        figure.amount,
        figure.unit,
        figure.currency,
        figure.scale,
        [figure],
        figure.period,
    )


def _category(label: str, figures: Sequence[Figure]) -> str:
    """Return a category; a figure that is none yet is told from those that came."""
    expected = bool(figures) and all(figure.expected for figure in figures)
    said = " ".join(label.split())
    return f"{said} (forecast)" if expected and "forecast" not in said.casefold() else said


def _collide(points: Sequence[_Point]) -> bool:
    """Tell whether two points have one place, or one has no name."""
    places = [(point.category, point.series) for point in points]
    return len(set(places)) < len(places) or any(not point.category for point in points)


def _in_order(points: Sequence[_Point]) -> list[_Point]:
    """Return points over time in its order; others stay as they are."""
    moments = [point.period for point in points]
    of_one_kind = len({period.kind for period in moments if period}) == 1
    categories = {point.category: point.period for point in points}
    over_time = len(set(categories.values())) == len(categories) and of_one_kind
    if not over_time or any(period is None or period.year is None for period in moments):
        return list(points)
    return sorted(points, key=lambda each: _moment(each.period))


def _moment(period: Period | None) -> tuple[int, int, int]:
    return (period.year or 0, period.part, period.day) if period else (0, 0, 0)


def _unlike(points: Sequence[_Point]) -> str:
    """Return why points cannot stand in one chart; empty where they can."""
    first = [point.figures[0] for point in points]
    if len({point.dimension for point in points}) > 1:
        return objection(first, "rank", forecasts=True) or "they are of different kinds"
    same = points[0].dimension == (first[0].currency, first[0].unit)
    return objection(first, "rank", forecasts=True) if same else ""


def _scale(points: Sequence[_Point]) -> int:
    return min(point.scale for point in points)


def unit_of(currency: str, unit: str, scale: int) -> str:
    """Return what values are in: "£k", "%", "m tonnes"."""
    return f"{currency}{SUFFIXES.get(scale, '')} {unit}".strip()


def _sources(points: Iterable[_Point]) -> list[str]:
    ids = (figure.chunk_id for point in points for figure in point.figures)
    return list(dict.fromkeys(ids))


# --- tables ------------------------------------------------------------------------------------


def _table(points: Sequence[_Point], title: str, evidence: Sequence[EvidenceChunk]) -> ShownTable:
    """Return the points as rows, a column for each series."""
    categories = list(dict.fromkeys(point.category for point in points))
    names = _names(points)
    scale = _scale(points)
    unit = unit_of(*points[0].dimension, scale)
    held = {(each.category, each.series): each.amount / scale for each in points}
    rows = [
        [category, *(plain(held.get((category, name))) for name in names)]
        for category in categories
    ]
    columns = [ShownColumn(name=_head(points))]
    columns += [
        ShownColumn(name=name or _metric(points) or "Value", numeric=True, unit=unit)
        for name in names
    ]
    ids = set(sources := _sources(points))
    documents = dict.fromkeys(each.document for each in evidence if each.chunk_id in ids)
    return ShownTable(
        title=title,
        columns=columns,
        rows=rows,
        source=", ".join(documents),
        total_rows=len(rows),
        sources=sources,
    )


def _head(points: Sequence[_Point]) -> str:
    kinds = {point.period.kind if point.period else "" for point in points}
    moments = {point.category for point in points} == {when(point.period) for point in points}
    return kinds.pop().replace("_", " ").capitalize() if moments and len(kinds) == 1 else "Item"


def plain(value: Decimal | None) -> str:
    """Return a number as a cell has it: all its digits, no signs between them."""
    if value is None:
        return ""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# --- check -------------------------------------------------------------------------------------


def faults(
    chart: Chart, computed: Sequence[Labelled], evidence: Sequence[EvidenceChunk]
) -> list[str]:
    """Return what is wrong with a chart: its form, or a point that no figure of its unit bears out."""
    return [*_misshapen(chart), *_unborne(chart, computed, evidence)]


def _misshapen(chart: Chart) -> list[str]:
    checks: tuple[tuple[bool, str], ...] = (
        (not 1 <= len(chart.categories) <= MOST_CATEGORIES, "too many categories, or none"),
        (not 1 <= len(chart.series) <= MOST_SERIES, "too many series, or none"),
        (len(set(chart.categories)) < len(chart.categories), "a category stands twice"),
        (any(len(each.values) != len(chart.categories) for each in chart.series), "a value is missing"),
        (chart.kind == "pie" and len(chart.series) > 1, "a pie of several series"),
        (any(_is_bad(value, chart.kind) for each in chart.series for value in each.values), "a value that cannot be drawn"),
    )  # fmt: skip
    return [said for is_wrong, said in checks if is_wrong]


def _is_bad(value: Decimal | None, kind: ChartKind) -> bool:
    if value is None:
        return True
    return not value.is_finite() or (kind == "pie" and value < 0)


def _unborne(
    chart: Chart, computed: Sequence[Labelled], evidence: Sequence[EvidenceChunk]
) -> list[str]:
    """Return the points that do not come out of the calculations, read anew."""
    held = [each for each in computed if holds(each.calculation, evidence)]
    is_of_several = len(chart.series) > 1
    borne = {
        (*_place(point, is_of_several=is_of_several), point.amount / scale, unit)
        for point in _said_anew(held)
        for scale in SUFFIXES
        for unit in [unit_of(point.currency, point.unit, scale)]
    }
    return [
        f"{category} is {value} {chart.unit} nowhere"
        for series in chart.series
        for category, value in zip(chart.categories, series.values, strict=False)
        if value is not None
        and (category, series.name if is_of_several else "", value, chart.unit) not in borne
    ]


def _place(point: _Point, *, is_of_several: bool) -> tuple[str, str]:
    return point.category, point.series if is_of_several else ""


def _said_anew(computed: Sequence[Labelled]) -> Iterator[_Point]:
    for each in computed:
        for point in (_of_result(each), *map(_of_figure, each.calculation.inputs)):
            yield point
            yield _dated(point)
            yield point._replace(category=when(point.period) or point.category)
