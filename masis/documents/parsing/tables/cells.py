"""Recognise what the text of a table's cell is: a figure, a name, a unit, a period."""

import re
from typing import Final

from masis.text.grammars.calendar import ANY_MONTH
from masis.text.grammars.scales import LETTERS, WORDS

LONGEST_NAME: Final = 80
"""Characters of a column's name."""
_LONGEST_FIGURE: Final = 40

_NUMBER = re.compile(r"[-+(~<>≥≤]?\s*[$€£¥]?\s*[-+]?\d[\d,.' ]*\s*(%|[A-Za-z]{0,3}\)?)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}.*|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_YEAR = re.compile(r"(?:FY|Q[1-4]|H[12])?\s?'?(?:19|20)\d{2}(?:[/–-]\d{2,4})?[A-Z]?", re.IGNORECASE)

_CURRENCY: Final = r"(?:[A-Z]{0,3}[$€£¥]|(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|INR|CNY|RMB)m?)"
_CAPITALS: Final = "|".join(
    f"[{word[0].upper()}{word[0]}]{word[1:]}s?" for word in WORDS.split("|")
)
_SCALE: Final = rf"(?:[KM]|{LETTERS}|[Mm]il|{_CAPITALS}|['‘’]?000s?)"
_AMOUNT = re.compile(rf"[-+(~<>≥≤]*\s*{_CURRENCY}?\s*[-+(]*\s*\d[\d,.' ]*[)\s%]*(?:\(\w\))?")
_NOTHING = re.compile(r"[-–—]+|n/?[am]\.?|nil|none|\*", re.IGNORECASE)
_UNIT = re.compile(
    rf"\((?=.*(?:\b[Ii]n\b|{WORDS}|[Ss]hares|[Uu]nits|[Dd]ollars|[$€£¥%])).+\)|[Ii]n {_CURRENCY}?\s?{_SCALE}?\b.{{0,20}}|{_CURRENCY}\s?{_SCALE}?|{_SCALE}"
    r"|%|[Pp]er ?cent(?:age)?|[Dd]ollars|[Nn]umber|[Aa]mounts?|[Ss]hares|[Uu]nits"
)

_PERIOD = re.compile(
    rf"\b(?:years?|fiscal|quarters?|months?|weeks?|ended|ending|as (?:of|at)|FY\s?'?\d\d|[QH][1-4])\b"
    rf"|\b(?:{ANY_MONTH})(?:\b|\d)",
    re.IGNORECASE,
)
_A_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)|\bFY\s?'?\d\d\b", re.IGNORECASE)

_SHORTENED = re.compile(
    r"\b(?:amt|approx|art|avg|dept|est|excl|incl|max|min|nos?|nr|pos|qty|ref|std|tel)\.$",
    re.IGNORECASE,
)
"""A name of a column may end with a word that is cut short: `Order no.`"""

_LABELS = frozenset(
    """
    adopted|applies|applies to|approved|approved by|attendees|author|authors|class|classification
    |company|copies|customer|date|department|document|document number|document owner|effective
    |effective date|effective from|expires|figures from|from|held|issue|issued|issued by|next review
    |owner|owners|period|place|prepared by|present|questions|reference|replaces|review date|revision
    |scope|spend updated|status|subject|supplier|title|to|unit|updated|valid from|valid to|version
    |written by
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)
"""Two of these in the first column make a form and no table with a header."""


def is_figure(cell: str) -> bool:
    """Say whether a cell is a value rather than a name.

    Numbers, amounts and dates are, a year is not.
    """
    if len(cell) > _LONGEST_FIGURE or _YEAR.fullmatch(cell):
        return False
    return bool(_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell))


def is_value(cell: str) -> bool:
    """Say whether a cell of a column of figures is a value.

    It may read `$ (20.0)`, or say that there is none.
    """
    if len(cell) > _LONGEST_FIGURE or _YEAR.fullmatch(cell):
        return False
    return is_figure(cell) or bool(_AMOUNT.fullmatch(cell) or _NOTHING.fullmatch(cell))


def is_sentence(cell: str) -> bool:
    """Say whether a cell is too long for a name, or ends as a sentence does."""
    ended = cell.endswith(".") and " " in cell and not _SHORTENED.search(cell)
    return len(cell) > LONGEST_NAME or ended


def is_label(cell: str) -> bool:
    """Say whether a cell names a field that documents state about themselves, such as `Owner`."""
    return cell.rstrip(":").casefold() in _LABELS


def is_unit(cell: str) -> bool:
    """Say whether a cell is a unit of figures: `$M`, `%`, `(in thousands)`, `Number`."""
    return len(cell) <= LONGEST_NAME and bool(_UNIT.fullmatch(cell))


def has_year(cell: str) -> bool:
    """Say whether a cell names a year."""
    return bool(_A_YEAR.search(cell))


def has_period(cell: str) -> bool:
    """Say whether a cell names a time: a year, a month, `Three months ended`."""
    return has_year(cell) or bool(_PERIOD.search(cell))
