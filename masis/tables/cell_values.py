"""Read what a single cell says: an exact number with its sign, currency and unit, a date, a yes or no.

What a mark means in numbers (`1.234,50`) and dates (`03/04/2026`) is decided for a whole column:
`Marks` holds what was decided.
"""

import datetime as dt
import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final, NamedTuple

from masis.tables.stated_units import is_of_money
from masis.text.grammars.calendar import MONTH, SHORT_MONTHS
from masis.text.grammars.currencies import CODES
from masis.text.grammars.scales import AMBIGUOUS, COLUMN_SCALES

CURRENCIES: Final = {
    "£": "GBP", "$": "USD", "€": "EUR", "¥": "JPY", "US$": "USD", "CA$": "CAD", "C$": "CAD", "A$": "AUD",
    **{code: code for code in CODES},
}  # fmt: skip
"""How currencies are written in cells and headers, by their codes."""
NOTHING: Final = frozenset({"", "n/a", "na", "n.a.", "nil", "none", "null", "tbc", "tbd", "?", "#n/a", "nan", "k.a.", "unknown"})  # fmt: skip
"""Cells that say that there is no value, in lower case."""
DASHES: Final = frozenset({"-", "–", "—", "--", "−"})
"""A dash is nothing in a column of texts or dates, and zero in one of numbers."""
YES: Final = frozenset({"yes", "y", "true", "ja", "wahr", "✓", "✔", "x"})
NO: Final = frozenset({"no", "n", "false", "nein", "falsch", "✗", "✘"})

_SYMBOL: Final = "|".join(re.escape(each) for each in sorted(CURRENCIES, key=len, reverse=True))
_NUMBER: Final = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[-+−])?\s*(?P<before>{_SYMBOL})?\s*(?P<inner>[-+−])?\s*"
    r"(?P<digits>\d(?:[\d.,'’\u00a0\u202f ]*\d)?|[.,]\d+)(?:[eE](?P<power>[-+]?\d{1,2}))?\s*"
    rf"(?P<after>{_SYMBOL}|%)?\s*(?P<unit>[A-Za-zµ°²³/]{{1,8}})?\s*(?P<tail>-)?(?P<close>\))?"
)
_PLAIN: Final = re.compile(r"-?\d{1,15}\.\d{1,9}")
_GROUPS: Final = re.compile(r"\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+")
_LONGEST: Final = 40
MOST_DIGITS: Final = 18
"""Digits of an exact number in a column; a longer one is none."""


CURRENCY_NAMES: Final = {
    **dict.fromkeys(("euro", "euros"), "eur"),
    **dict.fromkeys(("pound", "pounds", "sterling"), "gbp"),
    **dict.fromkeys(("dollar", "dollars"), "usd"),
    **dict.fromkeys(("franc", "francs"), "chf"),
}
"""What currencies are called in words, by their codes in lower case."""


class Marks(NamedTuple):
    """Tell what the marks of a column mean: its decimal mark, and whether the day stands before the month."""

    decimal: str = "."
    day_first: bool = True


class Number(NamedTuple):
    """A number as it stands in a cell."""

    value: Decimal
    currency: str
    unit: str


# --- numbers ---------------------------------------------------------------------------------


def is_blank(cell: str) -> bool:
    """Tell whether a cell says that there is no value."""
    return not cell or cell.casefold() in NOTHING


def has_leading_zero(cell: str) -> bool:
    """Tell whether a cell is a code of digits, such as `00042`."""
    return len(cell) > 1 and cell[0] == "0" and cell.isdigit()


def decimal_mark(cell: str) -> str:
    """Return the decimal mark that a number must have; empty where both could be, or none is needed."""
    points, commas = cell.count("."), cell.count(",")
    if not points and not commas:
        return ""
    match = _NUMBER.fullmatch(cell) if len(cell) <= _LONGEST else None
    if match is None:
        return ""
    digits = match["digits"]
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        return max(".,", key=digits.rfind)
    if points > 1 or commas > 1:
        return "." if commas else ","
    mark = "." if points else "," if commas else ""
    if not mark:
        return ""
    whole, _, rest = digits.partition(mark)
    return mark if len(rest) != 3 or len(whole) > 3 or whole in {"", "0"} else ""


def number(cell: str, marks: Marks = Marks()) -> Number | None:  # noqa: B008 - a constant
    """Read a number; brackets and a minus behind it make it negative."""
    if not cell or len(cell) > _LONGEST:
        return None
    if cell.isascii() and cell.isdigit() and len(cell) <= MOST_DIGITS:
        return Number(Decimal(cell), "", "")
    if marks.decimal == "." and _PLAIN.fullmatch(cell):
        return Number(Decimal(cell), "", "")
    match = _NUMBER.fullmatch(cell.strip())
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    value = _decimal(match["digits"], marks.decimal)
    if value is None:
        return None
    if match["power"]:
        value = value.scaleb(int(match["power"]))
    signs = [match["sign"], match["inner"], match["tail"]]
    if match["open"] or any(sign in {"-", "−"} for sign in signs if sign):
        value = -value
    after, unit = match["after"] or "", match["unit"] or ""
    currency = CURRENCIES.get(match["before"] or after, CURRENCIES.get(unit.upper(), ""))
    if unit.upper() in CURRENCIES:
        unit = ""
    scale = COLUMN_SCALES.get(unit.casefold(), 1) if currency else 1
    return Number(value * scale, currency, "%" if after == "%" else "" if scale > 1 else unit)


def _decimal(digits: str, mark: str) -> Decimal | None:
    """Read digits whose decimal mark is known; other marks part thousands, or it is no number."""
    whole, found, rest = digits.rpartition(mark) if mark in digits else (digits, "", "")
    if found and (not rest.isdigit() or mark in whole):
        # A mark that stands more than once, or before three digits with others, parts thousands.
        whole, rest = digits, ""
    if not whole.isdigit():
        if whole and not _GROUPS.fullmatch(whole):
            return None
        whole = "".join(char for char in whole if char.isdigit())
    try:
        return Decimal(f"{whole or 0}.{rest}" if rest else whole or "0")
    except InvalidOperation:
        return None


# --- dates -----------------------------------------------------------------------------------

_ISO: Final = re.compile(r"((?:19|20)\d{2})-(\d{1,2})-(\d{1,2})")
_YEAR_FIRST: Final = re.compile(r"((?:19|20)\d{2})[./](\d{1,2})[./](\d{1,2})")
_NUMERIC: Final = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2((?:19|20)?\d{2})")
_DAY_MONTH: Final = re.compile(rf"(\d{{1,2}})(?:st|nd|rd|th)?\.?[ -]{MONTH}[a-z]*\.?,?[ -]((?:19|20)?\d{{2}})", re.IGNORECASE)  # fmt: skip
_MONTH_DAY: Final = re.compile(rf"{MONTH}[a-z]*\.? (\d{{1,2}})(?:st|nd|rd|th)?,? ((?:19|20)\d{{2}})", re.IGNORECASE)  # fmt: skip
_MONTH_YEAR: Final = re.compile(rf"{MONTH}[a-z]*\.?[ -/']((?:19|20)?\d{{2}})", re.IGNORECASE)
_YEAR_MONTH: Final = re.compile(r"((?:19|20)\d{2})[-/](0[1-9]|1[0-2])")
_TIME: Final = re.compile(r"[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?(?: ?([AaPp])\.?[Mm]\.?)?(?:Z|[-+]\d{2}:?\d{2}| UTC)?$")  # fmt: skip


class Moment(NamedTuple):
    """A date, with its time of day where it has one; `is_month` where no day is named."""

    at: dt.datetime
    has_time: bool = False
    is_month: bool = False


def moment(cell: str, marks: Marks = Marks()) -> Moment | None:  # noqa: B008 - a constant
    """Read a date; of two numbers the day stands where the column has it."""
    if not 6 <= len(cell) <= _LONGEST or not any(map(str.isdigit, cell)):
        return None
    clock = _TIME.search(cell)
    text = cell[: clock.start()].strip() if clock else cell
    found = _date(text, marks)
    if found is None:
        return None
    day, is_month = found
    if clock is None:
        return Moment(dt.datetime.combine(day, dt.time()), is_month=is_month)
    at = _time(clock)
    return None if at is None or is_month else Moment(dt.datetime.combine(day, at), has_time=True)


def could_be_first(cell: str) -> tuple[bool, bool] | None:
    """Tell of a date of two numbers whether the day, and whether the month, can stand first."""
    match = _NUMERIC.match(cell)
    if match is None:
        return None
    first, second = int(match[1]), int(match[3])
    return second <= 12, first <= 12


def _time(match: re.Match[str]) -> dt.time | None:
    hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
    half = (match[4] or "").casefold()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        return dt.time(hour, minute, second)
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def _date(text: str, marks: Marks) -> tuple[dt.date, bool] | None:
    """Read a date without its time; months are read as their first day."""
    for pattern in (_ISO, _YEAR_FIRST):
        if match := pattern.fullmatch(text):
            return _day(int(match[1]), int(match[2]), int(match[3]))
    if match := _NUMERIC.fullmatch(text):
        first, second, year = int(match[1]), int(match[3]), _year(match[4])
        day, month = (first, second) if marks.day_first else (second, first)
        return _day(year, month, day)
    if match := _DAY_MONTH.fullmatch(text):
        return _day(_year(match[3]), _month(match["month"]), int(match[1]))
    if match := _MONTH_DAY.fullmatch(text):
        return _day(int(match[3]), _month(match["month"]), int(match[2]))
    if match := _YEAR_MONTH.fullmatch(text):
        return dt.date(int(match[1]), int(match[2]), 1), True
    if match := _MONTH_YEAR.fullmatch(text):
        return dt.date(_year(match[2]), _month(match["month"]), 1), True
    return None


def _day(year: int, month: int, day: int) -> tuple[dt.date, bool] | None:
    try:
        return dt.date(year, month, day), False
    except ValueError:
        return None


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else 2000 + int(text)


def _month(text: str) -> int:
    return SHORT_MONTHS.index(text[:3].casefold()) + 1


# --- yes and no ------------------------------------------------------------------------------


def truth(cell: str) -> bool | None:
    """Read a yes or no."""
    said = cell.casefold()
    return True if said in YES else False if said in NO else None


# --- headers ---------------------------------------------------------------------------------

_UNIT_WORDS: Final = frozenset(
    "kg g t mg lb lbs oz km m cm mm mi l ml h hr hrs hours hour min mins minutes minute s sec secs seconds days day"
    " weeks months years pcs units w kw kwh mwh v a °c c f m2 m² m3 m³ pt pts points gb mb tb ms each".split()
)
MEASURED_IN: Final = frozenset(
    "kg mg lb lbs oz km cm mm ml litre litres liter liters metre metres meter meters kilometres miles tonnes"
    " hrs mins secs kw kwh mwh °c m2 m² m3 m³".split()
)
"""Units that a name may end in without brackets, for nothing is called so: "Distance km".

What is a code of a country, a state or the like as well is none: "Sales GB".
"""
_ASIDE: Final = re.compile(r"[(\[]([^()\[\]]{1,40})[)\]]")
_IN: Final = re.compile(r"(?:^|\W)in ([^\W\d_]+|[$€£¥])(?: ([^\W\d_]+))?$", re.IGNORECASE)

_PER: Final = re.compile(r"\bper\b|/(?=\d)", re.IGNORECASE)


class HeaderUnit(NamedTuple):
    """Hold what a column's name says of the unit of its cells."""

    unit: str = ""
    currency: str = ""
    scale: int = 1


def header_unit(name: str) -> HeaderUnit:
    """Read the unit that a column's name states: "Net (£)", "Price EUR k", "Weight (kg)", "Share %"."""
    is_money = is_of_money(name)
    for aside in _ASIDE.findall(name):
        found = _unit_of(re.split(r" per |/", aside)[0].split(), is_money=is_money)
        if found is not None:
            return found
    match = _IN.search(name)
    if match and (found := _unit_of([part for part in match.groups() if part], is_money=is_money)):
        return found
    words = re.sub(r"[()_]", " ", name).split()
    for count in (2, 1):
        found = _unit_of(words[-count:], is_bare=True) if len(words) > count else None
        if found is not None and not _is_for_each(" ".join(words[:-count]), found):
            return found
    return HeaderUnit()


def _is_for_each(before: str, found: HeaderUnit) -> bool:
    """Tell whether a name's last words are what its figures are for so many of: "Cost per 100 km"."""
    match = _PER.search(before)
    if match is None:
        return False
    return found.unit in MEASURED_IN or not any(map(str.isalpha, before[match.end() :]))


def _unit_of(
    words: list[str], *, is_bare: bool = False, is_money: bool = False
) -> HeaderUnit | None:
    """Read words that are nothing but a unit; bare ones of one letter are none."""
    unit, currency, scale = "", "", 1
    is_money = is_money or any(word.strip(",.:").upper() in CURRENCIES for word in words)
    for word in (each for each in words if each.casefold() not in {"in", "of"}):
        joined = re.fullmatch(rf"({_SYMBOL})[ ]?(.*)", word.strip(",.:"))
        plain = word.strip(",.:").casefold()
        if joined and (not joined[2] or joined[2].casefold() in COLUMN_SCALES):
            currency = CURRENCIES[joined[1]]
            scale = COLUMN_SCALES.get(joined[2].casefold(), scale)
        elif word.upper() in CURRENCIES and len(word) == 3 and (not is_bare or word.isupper()):
            currency = CURRENCIES[word.upper()]
        elif plain in {"%", "percent", "pct"}:
            unit = "%"
        elif (
            plain in COLUMN_SCALES
            and (currency or not is_bare)
            and (is_money or plain not in AMBIGUOUS)
        ):
            scale = COLUMN_SCALES[plain]
        elif plain in MEASURED_IN or (plain in _UNIT_WORDS and not is_bare):
            unit = plain
        else:
            return None
    return HeaderUnit(unit, currency, scale) if unit or currency or scale > 1 else None
