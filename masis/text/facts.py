"""Read what of a text can be compared exactly: figures, dates, times, codes and names."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeVar

from masis.text.grammars.calendar import MONTH, SHORT_MONTHS
from masis.text.grammars.scales import MORE_LETTERS, MORE_SCALES, MORE_WORDS

_SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ORDINALS: Final = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth"),
)
CARDINALS: Final = {
    **{word: float(value) for value, word in enumerate(_SMALL)},
    **{word: 10.0 * value for value, word in enumerate(_TENS, start=2)},
}
_NUMBER_WORDS: Final = {
    **CARDINALS,
    **{word: float(value) for value, word in enumerate(ORDINALS, start=1)},
    "dozen": 12.0,
    "once": 1.0,
    "twice": 2.0,
    "both": 2.0,
}
_CLAIMED_WORDS: Final = frozenset(_SMALL[2:13])
"""The number words that a claim is held to: "one" and "first" are seldom meant as figures."""

_DAYS: Final = 31

_MONTH: Final = rf"{MONTH}\b\.?"
_YEAR: Final = r"(?P<year>1[5-9][0-9]{2}|20[0-9]{2})(?![0-9])"
_DAY: Final = r"(?P<day>[0-3]?[0-9])(?![0-9])(?:st|nd|rd|th|\.)?"
_DATES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<!\w){_YEAR}-(?P<month>[01][0-9])-(?P<day>[0-3][0-9])(?!\w)",
        rf"(?<!\w){_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?",
        rf"(?<!\w){_MONTH}\s+{_DAY}(?:,?\s+{_YEAR})?",
        rf"(?<!\w){_MONTH},?\s+{_YEAR}",
        rf"(?<!\w){_DAY}[./](?P<month>[01]?[0-9])[./]{_YEAR}(?!\w)",
        rf"(?<!\w)(?P<month>[01]?[0-9])/{_DAY}/{_YEAR}(?!\w)",
    )
)
_TIME = re.compile(
    r"(?<![\w:.])(?P<hour>[0-2]?[0-9])(?:[:.](?P<minute>[0-5][0-9]))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|(?<![\w:.])(?P<hour24>[0-2]?[0-9]):(?P<minute24>[0-5][0-9])(?![\w:])",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(?<![\w.-])(?:v?[0-9]+(?:\.[0-9]+){2,}|[A-Za-z]{1,12}-?[0-9][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*)(?!\w)"
)
FISCAL_YEAR = re.compile(r"FY-?(?:20)?([0-9]{2})", re.IGNORECASE)
QUARTER = re.compile(r"Q([1-4])", re.IGNORECASE)
_FIGURE = re.compile(
    rf"""(?<![\w.,])(?P<currency>[$€£¥]\s?)?
    (?P<digits>[0-9]{{1,3}}(?:[,'’\u202f\u00a0][0-9]{{3}})+(?:\.[0-9]+)?(?![0-9])
              |[0-9]+(?:[.,][0-9]{{1,2}}(?![0-9])|\.[0-9]+)?)
    (?:(?:\s|-)?(?P<scale>{MORE_WORDS}|{MORE_LETTERS})\b)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER_WORD = re.compile(
    rf"(?<![\w-])(?:(?P<tens>{'|'.join(_TENS)})[\s-])?(?P<word>{'|'.join(_NUMBER_WORDS)})(?!\w)"
    rf"(?:[\s-](?P<scale>{MORE_WORDS})\b)?",
    re.IGNORECASE,
)
_DECIMAL_COMMA = re.compile(r"[0-9]+,[0-9]{1,2}")
_THOUSANDS: Final = str.maketrans("", "", ",'’\u202f\u00a0")

WORD = re.compile(r"[^\W\d_](?:[\w&]|['’](?=[^\W\d_])|-(?=\w)|\.(?=[A-Z]))*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:|•]\s+|\n\s*|[\"“(*]+)$")
_OPENERS: Final = frozenset(
    [
        *("according", "additionally", "all", "although", "any", "because", "before", "after"),
        *("both", "currently", "during", "each", "every", "finally", "following", "further"),
        *("given", "however", "in", "like", "many", "most", "moreover", "new", "no", "once"),
        *("one", "only", "other", "our", "overall", "per", "since", "some", "such", "then"),
        *("through", "two", "under", "unless", "until", "upon", "while", "within", "without"),
    ]
)
"""Capitalised at the start of a sentence without being part of the name that follows."""

ACRONYM_MIN: Final = 2
_LEAD: Final = 4
"""Characters before a word that show whether it begins a sentence."""
_SMALL_WORDS: Final = frozenset({"of", "and", "the", "for", "&"})
_MAX_DIGITS: Final = 30
_LETTERS = re.compile(r"[^0-9.]+")
_MONTH_WORD = re.compile(_MONTH, re.IGNORECASE)

_T = TypeVar("_T")


class Figure(NamedTuple):
    """A figure as written: `1.2 million` has number 1.2, scale 1e6 and one decimal."""

    number: float
    scale: float
    decimals: int
    text: str

    @property
    def value(self) -> float:
        """Return the value that the figure means."""
        return self.number * self.scale


class Date(NamedTuple):
    """A date, as far as it is given."""

    year: int | None
    month: int
    day: int | None
    text: str


class Time(NamedTuple):
    """A time of day in minutes, within half a day."""

    minute: int
    text: str


class Facts(NamedTuple):
    """Hold what of a text can be compared exactly."""

    figures: list[Figure]
    dates: list[Date]
    times: list[Time]
    codes: list[str]


# --- figures, dates, codes -----------------------------------------------------------------


def facts(text: str) -> Facts:
    """Take dates, times, codes and figures out of a text, in this order, each once."""
    dates, rest = _take(text, _DATES, _date)
    times, rest = _take(rest, (_TIME,), _time)
    codes, rest = _take(rest, (_CODE,), lambda match: match[0])
    return Facts([*_figures(rest)], dates, times, codes)


def _take(
    text: str, patterns: Iterable[re.Pattern[str]], read: Callable[[re.Match[str]], _T | None]
) -> tuple[list[_T], str]:
    """Return what `read` makes of the matches, and the text with blanks in their places."""
    found: list[_T] = []

    def blank(match: re.Match[str]) -> str:
        value = read(match)
        if value is None:
            return match[0]
        found.append(value)
        return " " * len(match[0])

    for pattern in patterns:
        text = pattern.sub(blank, text)
    return found, text


def _date(match: re.Match[str]) -> Date | None:
    parts = match.groupdict()
    # Not lower(): patterns without case also match letters such as a long s.
    name = parts["month"].casefold()
    month = int(name) if name.isdigit() else SHORT_MONTHS.index(name[:3]) + 1
    day = int(parts["day"]) if parts.get("day") else None
    year = int(parts["year"]) if parts.get("year") else None
    possible = 1 <= month <= len(SHORT_MONTHS) and (day is None or 1 <= day <= _DAYS)
    verb = parts["month"] == "may"
    return Date(year, month, day, match[0].strip()) if possible and not verb else None


def _time(match: re.Match[str]) -> Time:
    hour = int(match["hour"] or match["hour24"])
    minute = int(match["minute"] or match["minute24"] or 0)
    # Half a day is enough to compare by: a source's "5:00" may be a claim's "5 p.m."
    return Time(hour % 12 * 60 + minute, match[0].strip())


def _figures(text: str) -> Iterator[Figure]:
    for match in _FIGURE.finditer(text):
        digits = match["digits"]
        if _DECIMAL_COMMA.fullmatch(digits):
            digits = digits.replace(",", ".")
        digits = digits.translate(_THOUSANDS)[:_MAX_DIGITS]
        decimals = len(digits.partition(".")[2])
        yield Figure(float(digits), _scale(match), decimals, match[0].strip())
    for match in _NUMBER_WORD.finditer(text):
        tens = _NUMBER_WORDS[match["tens"].casefold()] if match["tens"] else 0.0
        value = tens + _NUMBER_WORDS[match["word"].casefold()]
        yield Figure(value, _scale(match), 0, match[0])


def _scale(match: re.Match[str]) -> float:
    return float(MORE_SCALES[match["scale"].casefold()]) if match["scale"] else 1.0


def is_claimed(figure: Figure) -> bool:
    """Say whether a claim is held to a figure.

    It is to all in digits, and to the words from two to twelve.
    """
    return figure.text[0] in "$€£¥0123456789" or figure.text.casefold() in _CLAIMED_WORDS


class Values:
    """The figures of a source, with the years of its dates and the digits of its codes."""

    def __init__(self, source: Facts) -> None:
        years = [Figure(float(date.year), 1.0, 0, "") for date in source.dates if date.year]
        days = [Figure(float(date.day), 1.0, 0, "") for date in source.dates if date.day]
        inside = [figure for code in source.codes for figure in _figures(_LETTERS.sub(" ", code))]
        self._figures = [*source.figures, *years, *days, *inside]
        self._exact = {round(figure.value, 6) for figure in self._figures}

    def has(self, value: float) -> bool:
        """Say whether exactly this value stands there."""
        return round(value, 6) in self._exact

    def bear_out(self, claimed: Figure) -> bool:
        """Say whether a figure stands there.

        It may be in another scale's column, or have more digits.
        """
        return self.has(claimed.value) or any(
            _is_unscaled_twin(claimed, other) or _is_rounded(claimed, other)
            for other in self._figures
        )


def _is_unscaled_twin(claimed: Figure, other: Figure) -> bool:
    """One has a scale and the other has not, as where a table says "in millions" above.

    Figures of one digit do not count: every text has a bare 5 somewhere.
    """
    telling = claimed.decimals > 0 or claimed.number >= 10
    return telling and claimed.number == other.number and 1 in {claimed.scale, other.scale}


def _is_rounded(claimed: Figure, other: Figure) -> bool:
    """Say whether `claimed`, of two digits or more, is the more exact `other` rounded."""
    unit = claimed.scale * 10.0**-claimed.decimals
    finer = other.scale * 10.0**-other.decimals < unit
    return finer and claimed.value >= 10 * unit and abs(other.value - claimed.value) <= unit / 2


def same_date(claimed: Date, other: Date, values: Values) -> bool:
    """Say whether a date bears out another.

    A year that it lacks may stand elsewhere in `values`.
    """
    if claimed.year and other.year and claimed.year != other.year:
        return False
    if claimed.year and not other.year and not values.has(claimed.year):
        return False
    if claimed.day is None:
        return claimed.month == other.month
    # 5/3 and 3/5 may be the same day on two sides of an ocean.
    return (claimed.month, claimed.day) in {(other.month, other.day), (other.day, other.month)}


# --- names ---------------------------------------------------------------------------------


def names(sentence: str) -> Iterator[str]:
    """The capitalised words of a sentence, apart from what its start capitalises.

    What holds a digit is a code, and months belong to dates.
    """
    found = list(WORD.finditer(sentence))
    for at, match in enumerate(found):
        word = match[0]
        if not word[0].isupper() or any(map(str.isdigit, word)) or _MONTH_WORD.fullmatch(word):
            continue
        before = sentence[max(0, match.start() - _LEAD) : match.start()]
        if _SENTENCE_START.search(before) and not is_acronym(word):
            following = found[at + 1] if at + 1 < len(found) else None
            joined = following and sentence[match.end() : following.start()] == " "
            named = following and joined and following[0][0].isupper()
            if not named or word.lower() in _OPENERS or word.endswith(("ly", "'s", "’s")):
                continue
        yield word


def is_acronym(word: str) -> bool:
    """Say whether a word is all capitals, and two of them at least."""
    return len(word) >= ACRONYM_MIN and word.isupper()


def runs(text: str) -> Iterator[list[str]]:
    """The runs of two capitalised words or more, which small words may join."""
    run: list[str] = []
    end = 0
    for match in WORD.finditer(text):
        gap = text[end : match.start()]
        end = match.end()
        if run and not gap.strip(" -") and match[0] in _SMALL_WORDS:
            continue
        if gap.strip(" -") or not match[0][0].isupper():
            if len(run) >= ACRONYM_MIN:
                yield run
            run = []
        if match[0][0].isupper():
            run.append(match[0])
    if len(run) >= ACRONYM_MIN:
        yield run


def initials(words: Iterable[str]) -> str:
    """The first letters of words, as an acronym has them."""
    return "".join(part[:1] for word in words for part in word.split("-")).upper()
