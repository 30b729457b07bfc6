"""Read by rule of which periods a figure each is wanted, and which rows of a table are meant."""

import re
from decimal import Decimal
from typing import Final

from masis.text.grammars.calendar import MONTHS
from masis.text.grammars.scales import SCALE, SCALES
from masis.values.base import Exact, PeriodKind, Value

_EACH: Final = re.compile(
    r"\b(?:by|per|for each|for every|each|every|of each|in each) (?:single |calendar |fiscal |financial )?"
    r"(?P<span>quarter|month|year|half[ -]?year)s?\b(?! end)"
    r"|\b(?P<adverb>quarterly|monthly|yearly)\b(?! (?:report|financials?|review|meeting|call|workbook|file|sheet|plan|fee|rent|rate|price))"
    r"|\b(?:the )?(?:two|three|four|all|individual|single) (?P<several>quarters|months|years)\b",
    re.IGNORECASE,
)
_SPANS: Final[dict[str, PeriodKind]] = {"quarter": "quarter", "month": "month", "year": "year", "half": "half"}  # fmt: skip


def each(question: str) -> PeriodKind | None:
    """Return of which periods one figure each is meant: "by quarter"."""
    match = _EACH.search(question)
    said = next((text for text in match.groups() if text), "").casefold() if match else ""
    return next((kind for name, kind in _SPANS.items() if said.startswith(name)), None)


def without_each(question: str) -> str:
    """Return a question without the words by which it asks for each period."""
    return " ".join(_EACH.sub(" ", question).split())


# --- limits ------------------------------------------------------------------------------------


class Limit(Value):
    """Bound the figures of rows that are meant: "more than 8 %", "in 2020 or later".

    `said` are the words around it, which tell of what.
    """

    value: Exact
    upper: Exact | None = None
    above: bool = True
    inclusive: bool = False
    is_percent: bool = False
    is_money: bool = False
    said: str = ""

    def admits(self, number: Exact) -> bool:
        """Tell whether a figure lies within it."""
        if self.upper is not None:
            return self.value <= number <= self.upper
        if number == self.value:
            return self.inclusive
        return number > self.value if self.above else number < self.value


_NUMBER: Final = (
    r"(?P<{0}>[£$€]? ?\d[\d,]*(?:\.\d+)?(?: ?(?:"
    + SCALE
    + r")\b)?)(?P<{0}_unit> ?(?:%|per ?cent|percent))?"
)
_LIMITS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bbetween {_NUMBER.format('value')} and {_NUMBER.format('upper')}",
        rf"{_NUMBER.format('value')}(?: \w+)? or (?P<at_least>more|above|over|higher|later|longer|greater|up|after|newer|heavier)\b",
        rf"{_NUMBER.format('value')}(?: \w+)? or (?P<at_most>less|below|under|lower|earlier|fewer|shorter|before|older|lighter)\b",
        rf"\b(?:at least|no less than|not less than|since|minimum of) {_NUMBER.format('value')}(?P<since>)",
        rf"\b(?:at most|no more than|not more than|up to|until|maximum of) {_NUMBER.format('value')}(?P<until>)",
        rf"\b(?P<above>more than|over|above|greater than|higher than|later than|longer than|after|exceed\w*|heavier than|dearer than|bigger than|larger than|>) {_NUMBER.format('value')}",
        rf"\b(?P<below>less than|fewer than|under|below|lower than|cheaper than|shorter than|before|lighter than|smaller than|<) {_NUMBER.format('value')}",
    )
)
_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2100
"""What lies between is mostly a year: "over 2024 and 2025" is no bound."""


def limits(question: str) -> list[Limit]:
    """Return the bounds that a question names, the first one of each place."""
    found: list[Limit] = []
    rest = question
    for pattern in _LIMITS:
        for match in pattern.finditer(rest):
            limit = _limit(match, question)
            if limit is not None:
                found.append(limit)
        rest = pattern.sub(lambda match: " " * len(match[0]), rest)
    return found


def without_limits(question: str) -> str:
    """Return a question without the bounds that it names."""
    for pattern in _LIMITS:
        question = pattern.sub(" ", question)
    return " ".join(question.split())


def _limit(match: re.Match[str], question: str) -> Limit | None:
    said = match.groupdict()
    value = _value(said["value"])
    if match[0].casefold().startswith("over ") and _FIRST_YEAR <= value <= _LAST_YEAR:
        return None
    before = question[: match.start()]
    is_date = any(before.casefold().rstrip().endswith(month) for month in MONTHS)
    if is_date:
        return None
    more = said.get("at_least") is not None or said.get("since") is not None
    less = said.get("at_most") is not None or said.get("until") is not None
    return Limit(
        value=value,
        upper=_value(said["upper"]) if said.get("upper") else None,
        above=more or said.get("above") is not None,
        inclusive=more or less,
        is_percent=bool(said["value_unit"] or said.get("upper_unit")),
        is_money=any(sign in said["value"] for sign in "£$€"),
        said=" ".join([*before.split()[-4:], *question[match.end() :].split()[:3]]),
    )


def _value(text: str) -> Exact:
    match = re.match(r"[£$€]? ?([\d,.]+) ?(\w*)", text)
    digits, scale = (match[1], match[2].casefold()) if match else ("0", "")
    return Decimal(digits.replace(",", "").rstrip(".")) * SCALES.get(scale, 1)
