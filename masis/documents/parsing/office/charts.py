"""Reads the figures that a chart keeps beside its picture, whatever kind of chart it is."""

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from lxml.etree import _Element
from openpyxl.styles.numbers import is_date_format
from openpyxl.utils.datetime import from_excel

from masis.documents.parsing import document_limits
from masis.documents.parsing.cleaning import one_line
from masis.documents.parsing.document_blocks import BlockCollector
from masis.documents.parsing.tables.number_formats import displayed
from masis.domain import Place

_CHART: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_MOST_POINTS: Final = document_limits.CELLS
_LONGEST_FORMAT: Final = 100

Points = dict[int, str]
"""The values of a series or its categories, by their number."""


class _Series(NamedTuple):
    name: str
    categories: Points
    values: Points
    sizes: Points


def add_chart(body: BlockCollector, root: _Element, place: Place) -> bool:
    """Add a chart's title and its figures as a table; False where it keeps none.

    Of bars, lines, pies and areas categories go down and series across; of points each is a row.
    """
    before = len(body.blocks)
    body.paragraph(_title(root), place)
    if root.tag.startswith(_CHART):
        for plot in _plots(root):
            _add_plot(body, root, plot, place)
    else:
        _add_newer(body, root, place)
    return len(body.blocks) > before


def _title(root: _Element) -> str:
    title = root.find("./{*}chart/{*}title")
    if title is None:
        return ""
    return one_line("".join(each.text or "" for each in title.iter("{*}t", f"{_CHART}v")))


def _plots(root: _Element) -> Iterator[_Element]:
    """The parts of a chart that share its axes, such as columns with a line above them."""
    for area in root.iter(f"{_CHART}plotArea"):
        yield from (child for child in area.iterchildren(tag="*") if len(_series_of(child)))


def _series_of(plot: _Element) -> list[_Element]:
    return plot.findall(f"{_CHART}ser")


def _add_plot(body: BlockCollector, root: _Element, plot: _Element, place: Place) -> None:
    series = [_read(each) for each in _series_of(plot)]
    if plot.tag in {f"{_CHART}scatterChart", f"{_CHART}bubbleChart"}:
        titles = _axis_titles(root)
        for each in series:
            _add_points(body, each, titles, place)
        return
    numbers = sorted(set().union(*(each.categories.keys() | each.values for each in series)))
    rows = [["", *(each.name for each in series)]]
    for number in numbers:
        named = next((s.categories[number] for s in series if number in s.categories), "")
        rows.append([named, *(each.values.get(number, "") for each in series)])
    body.table(rows, 1, place)


def _add_points(body: BlockCollector, series: _Series, titles: Sequence[str], place: Place) -> None:
    """The points of a scatter or bubble chart: `Price: 4 | Sold: 10 | Size: 3`."""
    across, up = titles
    rows = [[across or "X", up or series.name or "Y", *(["Size"] if series.sizes else [])]]
    if up:
        body.paragraph(series.name, place)
    for number in sorted(series.categories.keys() | series.values):
        row = [series.categories.get(number, ""), series.values.get(number, "")]
        rows.append([*row, *([series.sizes.get(number, "")] if series.sizes else [])])
    body.table(rows, 1, place)


def _axis_titles(root: _Element) -> tuple[str, str]:
    axes = list(root.iter(f"{_CHART}valAx"))[:2]
    named = [
        one_line("".join(t.text or "" for t in each.iterfind(f"{_CHART}title//{{*}}t")))
        for each in axes
    ]
    return (named[0], named[1]) if len(named) > 1 else ("", "")


def _read(series: _Element) -> _Series:
    name = " ".join(each.text or "" for each in series.iterfind(f"{_CHART}tx//{_CHART}v"))
    return _Series(
        one_line(name),
        _points(series, "cat", "xVal"),
        _points(series, "val", "yVal"),
        _points(series, "bubbleSize"),
    )


def _points(series: _Element, *names: str) -> Points:
    """Return the points that a series has under one of these names.

    Categories of several levels are read from the outermost.
    """
    found = next((each for name in names for each in series.iterfind(f"{_CHART}{name}")), None)
    if found is None:
        return {}
    levels = found.findall(f".//{_CHART}lvl")
    if levels:
        return _joined([dict(_cached(level, "")) for level in levels])
    form = one_line(found.findtext(f".//{_CHART}formatCode", ""))[:_LONGEST_FORMAT]
    return dict(_cached(found, form))


def _cached(element: _Element, form: str) -> Iterator[tuple[int, str]]:
    for point in element.iter(f"{_CHART}pt"):
        number = point.get("idx", "")
        if number.isdecimal() and len(number) < 7 and int(number) < _MOST_POINTS:
            own = point.get("formatCode", form)[:_LONGEST_FORMAT]
            yield int(number), _shown(point.findtext(f"{_CHART}v", ""), own)


def _shown(text: str, form: str) -> str:
    """A value as the chart shows it; what is no number stays as it is."""
    try:
        value = float(text)
    except ValueError:
        return text
    if not math.isfinite(value) or not form:
        return text
    if is_date_format(form):
        return displayed(from_excel(value), form)
    return displayed(value, form)


def _joined(levels: Sequence[Points]) -> Points:
    """Each innermost category behind the outer ones, which are given once and then go on."""
    inner, *outer = levels
    whole: Points = {}
    above = [""] * len(outer)
    for number in sorted(inner):
        above = [level.get(number, kept) for level, kept in zip(outer, above, strict=True)]
        whole[number] = " ".join(filter(None, [*reversed(above), inner[number]]))
    return whole


def _add_newer(body: BlockCollector, root: _Element, place: Place) -> None:
    """A chart of the kinds since 2016 (waterfall, funnel, sunburst ...), whose data stand apart."""
    for data in root.iterfind(".//{*}chartData/{*}data"):
        names = [_column(each) for each in data.iterfind("{*}strDim/{*}lvl")]
        values = [_column(each) for each in data.iterfind("{*}numDim/{*}lvl")]
        columns = [*reversed(names), *values]
        numbers = sorted(set().union(*columns)) if columns else []
        body.table([[each.get(number, "") for each in columns] for number in numbers], 0, place)


def _column(level: _Element) -> Points:
    form = level.get("formatCode", "")[:_LONGEST_FORMAT]
    return {
        int(number): _shown(point.text or "", form)
        for point in level.iterfind("{*}pt")
        if (number := point.get("idx", "")).isdecimal() and len(number) < 7
    }
