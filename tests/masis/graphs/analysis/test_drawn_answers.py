"""Charts of every kind through the whole graph, at their limits and one beyond."""

from decimal import Decimal

import pytest

from masis.calculating.charts.charting import MOST_CATEGORIES, MOST_SLICES, faults
from masis.domain import Answered
from masis.graphs.analysis import drawing
from masis.values.shown import ChartKind
from tests.masis.graphs.analysis.working import Shelf, agents, concluded, passage, worked

KINDS: tuple[ChartKind, ...] = ("bar", "line", "area", "pie")
MOST: dict[ChartKind, int] = {
    "bar": MOST_CATEGORIES,
    "line": MOST_CATEGORIES,
    "area": MOST_CATEGORIES,
    "pie": MOST_SLICES,
}


async def drawn(kind: ChartKind, rows: int, value: str = "") -> Answered:
    """Ask for a chart of so many rows, and hold each of its points against its figure."""
    said = [f"Depot: Depot {chr(64 + at)} | Visits: {value or at * 3}" for at in range(1, rows + 1)]
    shelf = Shelf([[passage("rows", "\n".join(said), "Visits by depot")]])
    state = await worked(f"visits by depot as {_article(kind)} {kind} chart", agents(shelf))
    found = concluded(state)
    assert isinstance(found, Answered)
    labelled = drawing.labelled(state["computed"], state["operands"])
    assert [faults(each, labelled, state["evidence"]) for each in found.charts] in ([], [[]])
    return found


def _article(kind: ChartKind) -> str:
    return "an" if kind == "area" else "a"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("least", [True, False])
async def test_each_kind_is_drawn_up_to_its_limit(kind: ChartKind, least: bool) -> None:
    rows = 2 if least else MOST[kind]
    found = await drawn(kind, rows)
    (chart,) = found.charts
    assert (chart.kind, len(chart.categories), found.gaps) == (kind, rows, [])
    assert [value for each in chart.series for value in each.values] == [
        Decimal(at * 3) for at in range(1, rows + 1)
    ]


@pytest.mark.parametrize("kind", KINDS)
async def test_one_more_is_said(kind: ChartKind) -> None:
    """Beyond its limit there is another chart or a table, and a sentence on it."""
    found = await drawn(kind, MOST[kind] + 1)
    (gap,) = found.gaps
    if kind == "pie":
        assert [each.kind for each in found.charts] == ["bar"]
        assert "cannot be told apart" in gap
    else:
        assert found.charts == []
        assert "more than one can show" in gap
        assert len(found.tables[0].rows) == MOST[kind] + 1


@pytest.mark.parametrize("kind", KINDS)
async def test_one_figure_is_never_drawn(kind: ChartKind) -> None:
    said = "Depot: Depot A | Visits: 3"
    shelf = Shelf([[passage("rows", said, "Visits by depot")]])
    state = await worked(f"visits by depot as {_article(kind)} {kind} chart", agents(shelf))
    found = concluded(state)
    said_why = found.gaps if isinstance(found, Answered) else [found.said]
    assert any(each.startswith("I drew no chart: ") for each in said_why)


async def test_negative_pie_is_bars() -> None:
    found = await drawn("pie", 3, value="(5)")
    assert [each.kind for each in found.charts] == ["bar"]
    assert "negative" in found.gaps[0]


async def test_figures_in_percent_are_shares() -> None:
    said = "\n".join(
        f"Depot: Depot {name} | Visits: {count}" for name, count in (("A", 6), ("B", 2))
    )
    shelf = Shelf([[passage("rows", said, "Visits by depot")]])
    found = concluded(await worked("visits by depot in percent, as a bar chart", agents(shelf)))
    assert isinstance(found, Answered)
    assert [str(value) for each in found.charts[0].series for value in each.values] == [
        "75.00",
        "25.00",
    ]
    assert "Depot A: 75.0 % = 6 / 8" in found.answer
