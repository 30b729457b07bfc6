"""The words of the analysis graph: what it calls its steps, and the sentences of its answers."""

import re
from collections.abc import Sequence
from typing import Final

from masis.calculating.asked_calculation import about
from masis.calculating.calculation import Incomparable, amount, shown, stated
from masis.domain import Calculation, CalculationKind, Figure, Period, ScaleNote
from masis.models.prompting import Unusable
from masis.text.grammars import scales
from masis.text.periods import name, without_periods

RECALL: Final = "Recall the figures of this thread"
UNDERSTAND: Final = "See what is to be calculated"
RETRIEVE: Final = "Look for figures"
VALIDATE: Final = "See whether the figures are there"
REFINE: Final = "Search in other words"
EXTRACT: Final = "Read the figures"
CALCULATE: Final = "Calculate"
CHECK: Final = "Check the calculation"
EXPLAIN: Final = "Write the answer"
DRAW: Final = "Draw the figures"
ASSEMBLE: Final = "Put the answer together"
QUALITY: Final = "Check the sources"
HEAL: Final = "Leave out what does not hold"
LEFT_OUT: Final = "I left out what its source does not bear out."
UNDRAWN: Final = "I left out what was drawn: it did not agree with its figures."
NOT_HELD: Final = "what came out did not agree with the documents when it was checked"
VAGUE: Final = "the figures that I found may not be those that are meant"
NONE_FOUND: Final = "I found no figures for it that can be set side by side"
NONE_MEANT: Final = "I could not tell which figures are meant"
CALCULATED_NOTHING: Final = "I calculated nothing: {why}. This is what the documents say."
DOUBTED: Final = "the model that looked the answer over doubts that it answers the question"

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
    "count": "Number",
    "cagr": "Growth a year",
    "product": "Amount",
}
INFERRED: Final = "other figures could be meant, or the documents use other words"
REFUSED: Final = "nothing was calculated"
NOT_IN_PERCENT: Final = "it was asked in percent, and these are amounts"
ALL: Final = "All of these"
SCALE_DOUBT: Final = (
    "the document does not say whether these figures are in full, in thousands or in millions"
)
SCALES: Final = {scale: f"{word}s" for scale, word in scales.NAMES.items()}
NO_MONEY: Final = "the figures that I found are quantities and no amounts of money"
NO_ORDER: Final = "growths in percent cannot be ranked where one begins below zero"
MOST_ROWS: Final = 30
"""Rows that are shown of those that were counted."""
MOST_CITED: Final = 3
"""Passages that are cited for what is said of many rows; "How I got this" has all."""
MOST_SCALES: Final = 2
"""Statements of a scale that are quoted."""
MOST_SAID: Final = 4
"""Figures that are shown each on a line of its own; more stand in the formula alone."""


UNBORNE: Final = "the model's reply had words or figures that stand nowhere; rules were used"
MODEL_AWAY: Final = "the model did not answer; rules were used"
BUDGET_SPENT: Final = "what may be spent on the model is used up; rules were used"
UNUSABLE: Final[dict[Unusable, str]] = {
    "refusal": "the model declined; rules were used",
    "empty": "the model said nothing; rules were used",
    "cut_off": "the model did not come to an end; rules were used",
    "filtered": "the model's reply was filtered; rules were used",
    "malformed": "the model's reply had not the form that was asked for; rules were used",
}
"""Why a model that was asked had no say, for the trail."""


def drew_nothing(what: str, why: str) -> str:
    """Say that a chart or a table that was asked for is not there, and why."""
    return f"I drew no {what}: {why}."


def result(calculation: Calculation, cited: str, percent: Calculation | None = None) -> str:
    """Say what came of a calculation, with its formula; of a change also by how many `percent`."""
    beside = f" ({percent.shown.lstrip('+−')})" if percent else ""
    below = _of_loss(calculation)
    if below:
        return f"{below}{beside}: {calculation.formula} = {calculation.shown} {cited}"
    word = _direction(calculation) or NAMES[calculation.kind]
    return f"{word}: {calculation.shown}{beside} = {calculation.formula} {cited}"


def _direction(calculation: Calculation) -> str:
    """Say of a change whether it went up or down."""
    if calculation.kind not in {"growth", "difference", "points"}:
        return ""
    periods = {figure.period for figure in calculation.inputs}
    if len(periods) <= 1 or None in periods or not calculation.result:  # from one to the other
        return ""
    return "Rise" if calculation.result > 0 else "Fall"


_BELOW: Final = re.compile(
    r"\b(loss|deficit|shortfall|outflow|overspend|expense|cost|charge|tax)(?:es|s)?\b",
    re.IGNORECASE,
)
_ALSO: Final = re.compile(r"\b(?:profit|gain|income|surplus|earnings|inflow)s?\b", re.IGNORECASE)


def _of_loss(calculation: Calculation) -> str:
    """Say of what is below zero how it changed, as people do: the loss fell."""
    if calculation.kind not in {"difference", "growth"} or not _direction(calculation):
        return ""
    now, then = calculation.inputs
    if then.value >= 0 and now.value >= 0:
        return ""
    said = f"{now.metric} {now.entity}"
    named = _BELOW.search(said)
    noun = named[1].lower() if named else ""
    if now.value >= 0 or then.value >= 0:
        if calculation.kind == "growth":
            return ""
        return _crossed(now, then, noun or "negative amount", has_both=bool(_ALSO.search(said)))
    fell = abs(now.amount) < abs(then.amount)
    by = calculation.shown.lstrip("+−")
    return f"The {noun or 'negative amount'} {'fell' if fell else 'grew'} by {by}"


def _crossed(now: Figure, then: Figure, noun: str, *, has_both: bool) -> str:
    """Say of what crossed zero between what it went, without a percentage."""
    gain = "profit" if has_both or noun == "loss" else "positive amount"
    first, second = (noun, gain) if then.value < 0 else (gain, noun)
    return f"From a {first} of {magnitude(then)} to a {second} of {magnitude(now)}"


def no_percentage(then: Figure) -> str:
    """Say why a change has no percentage."""
    start = "at zero" if then.value == 0 else "below zero"
    return f"I give no percentage, for one that begins {start} says nothing."


def magnitude(figure: Figure) -> str:
    """Show a figure without its sign."""
    return amount(abs(figure.amount), figure.currency, figure.unit, figure.scale)


def scale_line(note: ScaleNote, scale: int, cited: str) -> str:
    """Say in what scale a table has its figures, in its own words."""
    return f"- The figures are in {SCALES[scale]}: “{note.said}” {cited}"


def scale_doubt(said: str) -> str:
    """Say that the scale of figures cannot be told, and what of the document makes it open."""
    return f"The document says “{said}”, and not whether that holds for these figures: they may be so many times more."


def extreme(calculation: Calculation, cited: str) -> str:
    """Say which figure is the highest or the lowest, of how many."""
    best = next(each for each in calculation.inputs if each.amount == calculation.result)
    label, dash, column = best.said.rpartition(": ")[0].partition(" – ")
    names = [name for name in best.entity.split(", ") if name not in label and label not in name]
    who = ", ".join(filter(None, [label, *names[:1]])) if dash else best.said.rpartition(": ")[0]
    what = " – ".join(filter(None, [who, column]))
    lead = f"{NAMES[calculation.kind]}: {what}, " if what else f"{NAMES[calculation.kind]}: "
    return f"{lead}{calculation.shown} = {calculation.formula} {cited}"


def number(calculation: Calculation, among: str, cited: str) -> str:
    """Say how many rows there are."""
    rows = "row" if calculation.result == 1 else "rows"
    return (
        f"{NAMES['count']}: {calculation.shown} {rows}{f' with {among}' if among else ''} {cited}"
    )


def row_line(figure: Figure, cited: str) -> str:
    """Show a row that was counted."""
    return f"- {figure.said} {cited}"


def what(sides: Sequence[str], periods: Sequence[Period]) -> str:
    """Name what there is no figure of: its words, and its periods."""
    words = " and ".join(_plain(side) for side in sides)
    return " in ".join(filter(None, [f"“{words}”", " and ".join(map(name, reversed(periods)))]))


def _plain(side: str) -> str:
    """Return the words of a side that say of what, as they were typed."""
    said = re.findall(r"[\w&/-]+", without_periods(side))
    kept = [at for at, word in enumerate(said) if about(word)]
    # "Cost of sales" is no sales.
    of = [
        at
        for at in kept
        if at > 1 and said[at - 1] == "of" and said[at - 2].casefold() in _WORDS_OF
    ]
    shown_ = {*kept, *(at - back for at in of for back in (1, 2))}
    return " ".join(said[at] for at in sorted(shown_))


_WORDS_OF: Final = frozenset({"cost", "costs", "number", "rate", "price"})


def lacking(period: str) -> str:
    """Say of which period there is no figure."""
    return f"I found no figure for {period}"


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
    """Show a figure as it stands in its document, or what it comes of."""
    if figure.worked is None:
        section = f"{figure.section}, " if figure.section else ""
        return f"- {section}{figure.said} {cited}"
    names = [figure.entity, figure.metric if figure.metric != figure.entity else ""]
    when = name(figure.period) if figure.period else ""
    what = ", ".join(filter(None, [" ".join(filter(None, names)), when])) or "Together"
    # A quotient is written as its calculation has it: what is told must come out of that.
    said = figure.worked.shown if figure.unit == "%" else shown(figure)
    return f"- {what}: {said} = {figure.worked.formula} {cited}"


def counted(figures: Sequence[Figure], among: str) -> str:
    """Say of how many figures a result is."""
    of = f" with {among}" if among else ""
    return f"It is of {len(figures):,} rows{of}."


def cannot(refusal: Incomparable, cited: str) -> str:
    """Say that it cannot be calculated, and why; `cited` are the figures that do not fit together."""
    if not cited:
        return f"I cannot calculate this: {refusal.reason}."
    forecast = " There is only a forecast." if any(f.expected for f in refusal.inputs) else ""
    return f"I cannot calculate this: {refusal.reason}.{forecast} The documents say: {cited}"
