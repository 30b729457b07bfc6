"""Read figures with their dimensions, and say whether two of them can both be true.

A range or a hedge ("3 to 5 days", "up to 120", "about 40") is one figure with the values it allows.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from masis.text.facts import CARDINALS
from masis.text.grammars.scales import LETTERS, SCALE, SCALES, WORDS

_UNITS: Final = (
    r"%|per ?cent|pence|p|hours?|hrs?|h|days?|weeks?|months?|years?|minutes?|min|seconds?|km|miles?|mm|cm|m|"
    r"kg|tonnes?|grams?|g|litres?|l/h|l|mg/l|bar|°c|kw|w|k|m²"
)
_DIGITS: Final = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_SCALE: Final = rf"{WORDS}|(?:{LETTERS})(?=\W|$)"
_QUANTITY = re.compile(
    r"(?P<before>(?!(?:GBP|USD|EUR) )[A-Za-z][\w-]*[ -])?(?P<currency>[£$€] ?|\b(?:GBP|USD|EUR) )?"
    rf"(?<![\w.,-])(?P<value>{_DIGITS})(?![\w,]*\d)"
    rf"(?: ?(?P<scale>{_SCALE}))?(?: ?(?P<unit>{_UNITS})(?![\w]))?",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"(?<![\w.,/-])(?P<from_currency>[£$€] ?)?(?P<low>{_DIGITS})(?: ?(?:{_SCALE}|(?P<low_unit>{_UNITS})))?"
    r"(?:\s?[–—-]\s?|\s(?:to|and)\s)"
    rf"(?P<currency>[£$€] ?)?(?P<value>{_DIGITS})(?![\w,]*\d)(?!-\d)"
    rf"(?: ?(?P<scale>{_SCALE}))?(?: ?(?P<unit>{_UNITS})(?![\w]))?",
    re.IGNORECASE,
)
_WORDS = re.compile(
    rf"(?<![\w-])(?P<word>half an?|{'|'.join(CARDINALS)})[ -]"
    r"(?P<unit>hours?|days?|weeks?|months?|years?|minutes?)\b",
    re.IGNORECASE,
)
_ROW_UNIT = re.compile(
    rf"(?P<currency>[£$€]) ?(?P<scale>{SCALE})\b(?=[^|]{{0,40}}(?:\||:))",
    re.IGNORECASE,
)
"""A unit in a row's label or over its columns: "Revenue, £ million | FY2025: 109.8"."""
_CELL_CURRENCY = re.compile(
    r"(?:^|\| )[^|:\n]{0,80}?\((?P<currency>[£$€]|GBP|USD|EUR)\)[^|:\n]{0,20}:(?P<cell>[^|\n]*)"
)
"""A currency in brackets over a column is that of the column's plain figures: "Price (£): 2.95"."""
SIGNS: Final = {"GBP": "£", "USD": "$", "EUR": "€"}
_BETWEEN = re.compile(r"\b(?:between|from)\s+$", re.IGNORECASE)
_MOST = re.compile(
    r"\b(?:up to|at most|no more than|not more than|maximum of|fewer than|less than)\s+$",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(?:at least|no less than|not less than|minimum of|more than|(?<!carry )(?<!carried )over)\s+$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.)|~)\s*$",
    re.IGNORECASE,
)
_MAY = re.compile(
    r"\b(?:may|might|could) (?:also |then |well )?(?:be|take|reach|rise|fall|vary|cost|last|exceed|need|grow|amount)\b"
    r"[^.;|]{0,30}$",
    re.IGNORECASE,
)
"""What may be; what somebody may do ("may carry over 5 days") is stated."""
_MORE_AFTER = re.compile(r"\s*(?:or more|and more|\+)", re.IGNORECASE)
_LESS_AFTER = re.compile(r"\s*(?:or less|or fewer|at most)", re.IGNORECASE)
_NEAR_BEFORE: Final = 60

_SHORT_SCALE: Final = 2
_SAME: Final = {
    "hrs": "hour",
    "hr": "hour",
    "h": "hour",
    "min": "minute",
    "percent": "%",
    "per cent": "%",
    "p": "pence",
}
_IN_BASE: Final = {
    "minute": ("day", 1 / 1440),
    "hour": ("day", 1 / 24),
    "week": ("day", 7.0),
    "month": ("day", 365.25 / 12),
    "year": ("day", 365.25),
    "km": ("m", 1e3),
    "cm": ("m", 1e-2),
    "mm": ("m", 1e-3),
    "mile": ("m", 1609.344),
    "tonne": ("kg", 1e3),
    "gram": ("kg", 1e-3),
    "g": ("kg", 1e-3),
    "pence": ("£", 1e-2),
}
"""A month is the twelfth of a year here: "30 days" and "one month" are the same to people."""
SPANS: Final = frozenset({"minute", "hour", "day", "week", "month", "year"})
"""Dimensions that answer "when", as in "within 30 days"."""
_ALIKE: Final = 0.02
"""By so much of the larger two figures may differ and be the same: months are of 28 to 31 days."""
_ROOM: Final = 2.0
"""A rough figure allows half of it to twice as much: what is further off is another figure."""
_RECENT_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")


class Quantity(NamedTuple):
    """A figure with its dimension: a currency sign, a unit, or "" for a plain count.

    `least` and `most` are what a range or hedged figure allows; both None where it is stated.
    """

    value: float
    dimension: str
    least: float | None = None
    most: float | None = None


class Placed(NamedTuple):
    """A figure and where it stands in a text."""

    start: int
    end: int
    value: Quantity


def quantities(text: str) -> Iterator[Placed]:
    """Yield the figures of a text; years, and numbers that name things (Priority 1), are none.

    Plain figures of a table row are of the unit that stands over their column, or in the row.
    """
    unit = _ROW_UNIT.search(text) if " | " in text else None
    columns = [*_CELL_CURRENCY.finditer(text)] if " | " in text else []
    for placed in _quantities(text):
        column = next((c for c in columns if c.start("cell") <= placed.start < c.end()), None)
        if placed.value.dimension:
            yield placed
        elif column is not None:
            sign = SIGNS.get(column["currency"], column["currency"])
            yield placed._replace(value=placed.value._replace(dimension=sign))
        else:
            yield placed._replace(value=_in(placed.value, unit)) if unit else placed


def is_limit(cell: str) -> bool:
    """Return whether a cell is a limit or a range, such as "Over 1,500"."""
    first = next(iter(quantities(cell)), None)
    return first is not None and not (first.value.least is None and first.value.most is None)


def _in(quantity: Quantity, unit: re.Match[str]) -> Quantity:
    factor = SCALES[unit["scale"].casefold()]
    least, most = (None if end is None else end * factor for end in (quantity.least, quantity.most))
    return Quantity(round(quantity.value * factor, 6), unit["currency"], least, most)


def _quantities(text: str) -> Iterator[Placed]:
    rest = text
    for match in _RANGE.finditer(text):
        if (placed := _range(match)) is not None:
            yield placed
            rest = rest[: match.start()] + "\0" * len(match[0]) + rest[match.end() :]
    for match in _QUANTITY.finditer(rest):
        if (placed := _stated(match)) is not None:
            yield placed
    for match in _WORDS.finditer(rest):
        value = _word_value(match["word"].casefold())
        yield _hedged(text, match.start(), match.end(), value, _unit(match["unit"]))


def in_base(quantity: Quantity) -> Quantity:
    """Return a figure in the base unit of its kind: days, metres, kilograms, pounds."""
    base, factor = _IN_BASE.get(quantity.dimension, (quantity.dimension, 1.0))
    least, most = (None if end is None else end * factor for end in (quantity.least, quantity.most))
    return Quantity(round(quantity.value * factor, 6), base, least, most)


def apart(one: Quantity, other: Quantity) -> bool:
    """Return whether two figures of one dimension cannot both be true.

    A stated figure contradicts a hedged one where that rules it out, limits and ranges contradict
    each other where they differ.
    """
    shapes = {_shape(one), _shape(other)}
    if shapes == {"stated"}:
        return abs(one.value - other.value) > _tolerance(one, other)
    if shapes == {"range"}:
        return not (_within(one, other) or _within(other, one))
    if len(shapes) == 1 and shapes != {"about"}:
        return one.value != other.value
    return _most(one) < _least(other) or _most(other) < _least(one)


_Shape = Literal["stated", "range", "limit", "floor", "about", "any"]


def _shape(quantity: Quantity) -> _Shape:
    if quantity.least is None or quantity.most is None:
        return "stated"
    if quantity.most == float("inf"):
        return "floor" if quantity.least else "any"
    if quantity.least == quantity.value:
        return "range"
    return "about" if quantity.least else "limit"


def _within(one: Quantity, other: Quantity) -> bool:
    return _least(other) <= _least(one) and _most(one) <= _most(other)


def _tolerance(one: Quantity, other: Quantity) -> float:
    """Return by how much two figures may differ: months have 28 to 31 days, whole days are exact."""
    rounded = not (one.value % 1 == 0 and other.value % 1 == 0)
    return _ALIKE * max(one.value, other.value) if rounded and one.dimension == "day" else 0.0


def _least(quantity: Quantity) -> float:
    return quantity.value if quantity.least is None else quantity.least


def _most(quantity: Quantity) -> float:
    return quantity.value if quantity.most is None else quantity.most


# --- reading -------------------------------------------------------------------------------


def _range(match: re.Match[str]) -> Placed | None:
    """A range; None for years and for two figures that "and" lists."""
    before = match.string[max(0, match.start() - _NEAR_BEFORE) : match.start()]
    listed = re.search(r"\sand\s", match[0]) and not _BETWEEN.search(before)
    low, high = (float(match[name].replace(",", "")) for name in ("low", "value"))
    low *= _in_units_of(match["low_unit"], match["unit"])
    factor = _factor(match, bool(match["currency"] or match["from_currency"]))
    if listed or low >= high or _RECENT_YEAR.fullmatch(match["low"]):
        return None
    dimension = _dimension(match, match["currency"] or match["from_currency"])
    least, most = round(low * factor, 6), round(high * factor, 6)
    return Placed(match.start("low"), match.end(), Quantity(least, dimension, least, most))


def _in_units_of(one: str | None, other: str | None) -> float:
    """Return by how much a figure of one unit is multiplied in another: "6 months to 2 years"; 1 for those of two kinds."""
    (low, low_factor), (high, high_factor) = (
        _IN_BASE.get(_unit(unit), (_unit(unit), 1.0)) for unit in (one, other)
    )
    return low_factor / high_factor if low and low == high else 1.0


def _stated(match: re.Match[str]) -> Placed | None:
    dimension = _dimension(match, match["currency"])
    before = (match["before"] or "").strip()
    is_name = before[:1].isupper() and not _is_hedge(before)
    if not dimension and (is_name or _RECENT_YEAR.fullmatch(match["value"])):
        return None
    value = float(match["value"].replace(",", "")) * _factor(match, bool(match["currency"]))
    start = match.start("currency" if match["currency"] else "value")
    return _hedged(match.string, start, match.end(), value, dimension)


def _is_hedge(before: str) -> bool:
    return bool(_ABOUT.search(f"{before} ") or _LEAST.search(f"{before} "))


def _hedged(text: str, start: int, end: int, value: float, dimension: str) -> Placed:
    before, after = text[max(0, start - _NEAR_BEFORE) : start], text[end : end + _NEAR_BEFORE]
    least, most = _allowed(before, after, round(value, 6))
    return Placed(start, end, Quantity(round(value, 6), dimension, least, most))


def _allowed(before: str, after: str, value: float) -> tuple[float | None, float | None]:
    if _MAY.search(before):
        return 0.0, float("inf")
    if _MOST.search(before) or _LESS_AFTER.match(after):
        return 0.0, value
    if _LEAST.search(before) or _MORE_AFTER.match(after):
        return value, float("inf")
    return (value / _ROOM, value * _ROOM) if _ABOUT.search(before) else (None, None)


def _factor(match: re.Match[str], is_money: bool) -> float:  # noqa: FBT001
    """The figure's scale; a lone k or m scales money alone (elsewhere m is metres)."""
    scale = (match["scale"] or "").casefold()
    is_scale = len(scale) > _SHORT_SCALE or is_money
    return float(SCALES.get(scale, 1)) if is_scale else 1.0


def _dimension(match: re.Match[str], currency: str | None) -> str:
    sign = (currency or "").strip().upper()
    return SIGNS.get(sign, sign) or _unit(match["unit"])


def _unit(unit: str | None) -> str:
    plain = (unit or "").casefold()
    plain = _SAME.get(plain, plain)
    return plain[:-1] if len(plain) > 2 and plain.endswith("s") else plain


def _word_value(word: str) -> float:
    if word.startswith("half"):
        return 0.5
    return CARDINALS[word]
