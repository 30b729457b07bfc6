"""Charts and tables on a terminal."""

from decimal import Decimal

import pytest
from rich.console import Console

from bot.rendering import show
from masis.values.shown import ChartKind, Series
from tests.bot.slack.view_samples import HOSTILE, answered
from tests.drawn_samples import KINDS, QUARTERS, chart, table


def printed(**changes: object) -> str:
    console = Console(width=100, force_terminal=False, markup=False)
    with console.capture() as captured:
        console.print(show.outcome(answered(**changes)))
    return captured.get()


@pytest.mark.parametrize("kind", KINDS)
def test_chart_is_bars_with_figures(kind: ChartKind) -> None:
    shown = printed(charts=[chart(kind)])
    assert "Revenue by quarter (£k)" in shown
    assert "Source: handbook/leave.md [1]" in shown
    for quarter in QUARTERS:
        assert any(row.startswith(quarter) and "█" in row for row in shown.splitlines())
    assert "5,987.5" in shown
    assert ("25.2 %" in shown) is (kind == "pie")


def test_bars_below_zero_go_left() -> None:
    values = [Series(name="Change", values=[Decimal(-50), Decimal(100), None, Decimal(0)])]
    rows = printed(charts=[chart(series=values)]).splitlines()
    below, above, none = (next(row for row in rows if row.startswith(f"Q{n}")) for n in (1, 2, 3))
    assert below.rindex("█") < above.index("█")
    assert "−50" in below
    assert none.rstrip().endswith("–")


def test_series_are_told_apart() -> None:
    values = [Series(name=name, values=[Decimal(1)] * 4) for name in ("Pumps", "Skids")]
    shown = printed(charts=[chart(series=values)])
    assert "■ Pumps  ■ Skids" in shown
    assert shown.count("█") == 8 * 32


def test_long_table_says_what_is_left_out() -> None:
    shown = printed(tables=[table(100, total_rows=12_431)])
    assert "Customer     Order 1 (£)" in shown
    assert "The first 40 of 12,431 rows." in shown
    assert "Source: handbook/leave.md, 12,431 rows [1]" in shown


def test_cells_write_no_terminal_commands() -> None:
    shown = printed(
        tables=[table(3, cell=f"\x1b[31m{HOSTILE}")], charts=[chart(title=f"\x1b[2J{HOSTILE}")]
    )
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_figures_have_decimals_alike() -> None:
    """Money below money is read by its places: "298,110.20" below "78,411.95"."""
    values = [
        Series(
            name="Net", values=[Decimal(each) for each in ("78411.95", "298110.2", "40", "-3.5")]
        )
    ]
    shown = printed(charts=[chart(series=values)])
    for said in ("78,411.95", "298,110.20", "40.00", "−3.50"):
        assert said in shown
    whole = printed(
        charts=[chart(series=[Series(name="Net", values=[Decimal(each) for each in (1, 2, 3, 4)])])]
    )
    assert ".00" not in whole
