"""The words of the analysis graph: what it calls its steps, and the sentences of its answers."""

from collections.abc import Sequence
from typing import Final

from masis.answering.calculation import Incomparable, stated
from masis.domain import Calculation, CalculationKind, Figure

UNDERSTAND: Final = "See what is to be calculated"
RETRIEVE: Final = "Look for figures"
RETRIEVE_AGAIN: Final = "Look again for figures"
REFINE: Final = "Search in other words"
EXTRACT: Final = "Read the figures"
CALCULATE: Final = "Calculate"
CHECK: Final = "Check the calculation"
EXPLAIN: Final = "Write the answer"
DRAW: Final = "Draw the figures"
ASSEMBLE: Final = "Check the sources"

NAMES: Final[dict[CalculationKind, str]] = {
    "difference": "Difference",
    "growth": "Change",
    "points": "Difference",
    "share": "Share",
    "ratio": "Ratio",
    "sum": "Total",
    "mean": "Average",
    "median": "Median",
    "minimum": "Lowest",
    "maximum": "Highest",
    "rank": "Ranking",
    "per_unit": "Per unit",
}
INFERRED: Final = "other figures could be meant, or the documents use other words"
REFUSED: Final = "nothing was calculated"
MOST_SAID: Final = 4
"""Figures that are shown each on a line of its own; more stand in the formula alone."""


def result(calculation: Calculation, cited: str) -> str:
    """Say what came of a calculation, with its formula."""
    word = _direction(calculation) or NAMES[calculation.kind]
    return f"{word}: {stated(calculation)} {cited}"


def _direction(calculation: Calculation) -> str:
    """Say of a change whether it went up or down."""
    if calculation.kind not in {"growth", "difference", "points"}:
        return ""
    periods = {figure.period for figure in calculation.inputs}
    if len(periods) < 2 or not calculation.result:  # noqa: PLR2004 - from one to the other
        return ""
    return "Rise" if calculation.result > 0 else "Fall"


def extreme(calculation: Calculation, cited: str) -> str:
    """Say which figure is the highest or the lowest, of how many."""
    best = next(each for each in calculation.inputs if each.amount == calculation.result)
    name_, _, _ = best.said.rpartition(": ")
    what = f"{NAMES[calculation.kind]}: {name_}, " if name_ else f"{NAMES[calculation.kind]}: "
    return f"{what}{calculation.shown} = {calculation.formula} {cited}"


def place(number: int, label: str, calculation: Calculation, cited: str) -> str:
    """Say who takes a place of a ranking."""
    return f"{number}. {label}: {stated(calculation)} {cited}"


def listed(label: str, calculation: Calculation, cited: str) -> str:
    """Show a figure that was asked for as it stands; one that was added up shows of what."""
    said = calculation.shown if len(calculation.inputs) == 1 else stated(calculation)
    return f"- {label}: {said} {cited}"


def ends(number: int) -> str:
    """Begin the lowest and the highest of figures that are drawn."""
    return f"Of the {number:,} figures these are the lowest and the highest:"


def input_line(figure: Figure, cited: str) -> str:
    """Show a figure as it stands in its document."""
    return f"- {figure.said} {cited}"


def counted(figures: Sequence[Figure], among: str) -> str:
    """Say of how many figures a result is."""
    of = f" with {among}" if among else ""
    return f"It is of {len(figures):,} rows{of}."


def cannot(refusal: Incomparable, cited: str) -> str:
    """Say that it cannot be calculated, and why; `cited` are the figures that do not fit together."""
    forecast = " There is only a forecast." if any(f.expected for f in refusal.inputs) else ""
    return f"I cannot calculate this: {refusal.reason}.{forecast} The documents say: {cited}"
