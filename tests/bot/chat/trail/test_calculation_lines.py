"""“How I got this” of a calculation: its formula, and the cell of each figure."""

from decimal import Decimal

from bot.chat.trail.calculation_lines import MOST_FIGURES, calculation_lines
from masis.calculating.calculation import calculate
from masis.domain import Calculation, Figure, Place
from tests.bot.slack.view_samples import answered
from tests.drawn_samples import SOURCE


def figure(value: int, said: str = "") -> Figure:
    return Figure(
        metric="Revenue",
        value=Decimal(value),
        currency="£",
        scale=1000,
        chunk_id=SOURCE,
        place=Place(sheet="Revenue", cells="A12:J15"),
        written=str(value),
        said=said or f"25Q{value % 4} – Revenue: {value}",
    )


def done(*figures: Figure) -> Calculation:
    made = calculate("sum", figures)
    assert isinstance(made, Calculation)
    return made


def shown(*calculations: Calculation) -> str:
    return "\n".join(calculation_lines(answered(calculations=list(calculations))))


def test_calculation_shows_formula_and_cells() -> None:
    assert shown(done(figure(5), figure(6))).splitlines() == [
        "• £11k = £5k + £6k",
        "   ◦ 25Q1 – Revenue: 5 · sheet Revenue · A12:J15 · [1] handbook/leave.md",
        "   ◦ 25Q2 – Revenue: 6 · sheet Revenue · A12:J15 · [1] handbook/leave.md",
    ]


def test_shown_figure_is_no_formula() -> None:
    assert "=" not in shown(done(figure(5)))
    assert "• 25Q1 – Revenue: 5 · sheet Revenue" in shown(done(figure(5)))


def test_many_figures_are_counted() -> None:
    said = shown(done(*[figure(at) for at in range(1, MOST_FIGURES + 8)]))
    assert "and 7 more figures" in said


def test_blanked_calculations_are_not_shown() -> None:
    blank = done(figure(5)).model_copy(update={"formula": ""})
    assert calculation_lines(answered(calculations=[blank])) == []
    assert calculation_lines(answered()) == []
