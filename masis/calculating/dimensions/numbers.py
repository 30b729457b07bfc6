"""Read the numbers of cells and sentences, each with its sign, its currency, its scale and its unit."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

from masis.text.grammars.scales import LETTERS, SCALES, WORDS
from masis.text.quantities import SIGNS

CURRENCY: Final = r"[£$€]|(?:GBP|USD|EUR)(?= ?[\d.(])"
_DIGITS: Final = r"\d{1,3}(?:[.,  ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?"
_SCALE: Final = rf"{WORDS}|(?:{LETTERS})(?![\w²])"
_UNITS: Final = r"%|per ?cent|percentage points?|pence|hours?|days?|weeks?|months?|years?|minutes?|miles?|km|kg|litres?|m²|m2|sqm|m³"
NUMBER: Final = re.compile(
    rf"(?<![\w.,/:-])(?:(?P<outer>{CURRENCY}) ?(?=\())?(?P<open>\()?(?P<sign>[-−–+] ?)?(?P<currency>{CURRENCY})? ?(?P<minus>[-−])?(?P<digits>{_DIGITS})"
    rf" ?(?P<scale>{_SCALE})?(?: ?(?P<unit>{_UNITS})(?!\w))?(?:(?P<close> ?\))(?P<behind> ?%)?)?(?![\w-]*\d)(?!:\d)(?![A-Za-z])",
    re.IGNORECASE,
)
DASHES: Final = frozenset({"-", "–", "—", "nil"})
ALL_SCALES: Final = {**SCALES, "000": 1_000}


class Number(NamedTuple):
    """A number as it is written, with what stands at it."""

    value: Decimal
    currency: str
    scale: int
    unit: str


ZERO: Final = Number(Decimal(0), "", 1, "")


def whole_number(text: str, mark: str = ".") -> Number | None:
    """Read a text that is a number and nothing else; one in brackets is negative."""
    return _short_number(text, mark) if len(text) <= _CELL_CHARS else _number(text, mark)


def _number(text: str, mark: str) -> Number | None:
    match = NUMBER.fullmatch(text.strip())
    return number_of(match, mark) if match else None


# A cell is looked at for its column's kind, its mark and its unit, with every search anew.
_short_number = lru_cache(maxsize=8192)(_number)
_CELL_CHARS: Final = 40


def number_of(match: re.Match[str], mark: str = ".") -> Number:
    """Return what a match of `NUMBER` says."""
    value = decimal(match["digits"], mark)
    if (match["open"] and match["close"]) or (match["sign"] or "").strip() in {"-", "−"} or match["minus"]:  # fmt: skip
        value = -value
    currency = (match["outer"] or match["currency"] or "").upper()
    unit = (match["unit"] or match["behind"] or "").strip().casefold()
    scale = (match["scale"] or "").casefold()
    is_scale = len(scale) > 2 or currency
    return Number(
        value,
        SIGNS.get(currency, currency),
        ALL_SCALES.get(scale, 1) if is_scale else 1,
        "%" if unit in {"percent", "per cent"} else unit.removesuffix("s") if unit != "%" else unit,
    )


def written_amounts(text: str) -> list[Number]:
    """Read the amounts of money, and those with a scale, that a text names: "310k"."""
    spread = re.sub(r"(?<=\d)(?=[km]\b)", " ", text)
    found = [match for match in NUMBER.finditer(spread) if match["currency"] or match["scale"]]
    return [
        Number(
            decimal(match["digits"]), "", ALL_SCALES.get((match["scale"] or "").casefold(), 1), ""
        )
        for match in found
    ]


def decimal(digits: str, mark: str = ".") -> Decimal:
    """Read digits with the separators of either side of the Channel: "1,234.5", "1.234,5", "3,5".

    Where they could be of either, the mark says of which.
    """
    plain = digits.replace(" ", "").replace(" ", "")
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d{1,2}|\d{1,3}(?:\.\d{3}){2,}", plain):
        return Decimal(plain.replace(".", "").replace(",", "."))
    if mark == "," and re.fullmatch(r"\d{1,3}\.\d{3}", plain):
        return Decimal(plain.replace(".", ""))
    if re.fullmatch(r"\d+,\d{1,2}", plain):
        return Decimal(plain.replace(",", "."))
    return Decimal(plain.replace(",", ""))
