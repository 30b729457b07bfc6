"""Writes numbers, dates, times and marks in one form, so that two spellings can be compared."""

import re
from collections.abc import Callable
from typing import Final

from masis.text.grammars.calendar import MONTH, MONTHS
from masis.text.grammars.scales import LETTERS, NAMES, SCALES

ONES: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORTH: Final = {word: number for number, word in enumerate(ONES)} | {
    word: 10 * number for number, word in enumerate(TENS, start=2)
}
_MONTH: Final = rf"{MONTH}\b\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?:,?\s(?P<year>\d{4})\b)?"
_MEASURES: Final = (
    r"[km]?g|[kcm]?m|ml|l|kb|mb|gb|tb|k?wh?|mw|[kmg]?hz|bar|rpm|h|hrs?|hours?|mins?|minutes?|days?"
    r"|weeks?|months?|years?"
)
_NOON: Final = 12
_LARGE: Final = "|".join(each for each in LETTERS.split("|") if SCALES[each] > SCALES["k"])

_PLAIN_MARKS: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),  # noqa: RUF001 - marks that look alike
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),  # noqa: RUF001 - marks that look alike
        "&": " and ",
    }
)


def one_form(text: str) -> str:
    """A text in small letters with single spaces, in the one form that each spelling comes to.

    `twenty-six` is `26`, `£1,200` is `£1200`, `5 per cent` is `5%`, `3 pm` is `15:00`, `1st of
    February` is `february 1`, `TLS v1.2` is `tls 1.2`, and `28-day` is `28 day`.
    """
    text = " ".join(text.translate(_PLAIN_MARKS).casefold().split())
    for pattern, written in _RULES:
        text = pattern.sub(written, text)
    return " ".join(text.split())


def _clock(match: re.Match[str]) -> str:
    hour, minute = int(match["hour"]), match["minute"] or "00"
    if not 0 < hour <= _NOON:
        return match[0]
    return f"{hour % _NOON + (_NOON if match['half'] == 'p' else 0)}:{minute}"


def _date(match: re.Match[str]) -> str:
    month = next(month for month in MONTHS if month.startswith(match["month"][:3]))
    year = f" {match['year']}" if match["year"] else ""
    return f"{month} {int(match['day'])}{year}"


def _iso_date(match: re.Match[str]) -> str:
    month, day = int(match["number"]), int(match["day"])
    return f"{MONTHS[month - 1]} {day} {match['year']}" if 0 < month <= _NOON else match[0]


def _number(match: re.Match[str]) -> str:
    """A number in words; `one` alone is mostly none."""
    words = re.split(r"[\s-]", match[0])
    return match[0] if words == ["one"] else str(sum(_WORTH[word] for word in words))


def _times(match: re.Match[str]) -> str:
    count = 1 if match["count"] in {"a", "one"} else int(match["count"])
    return str(count * (100 if match["scale"] == "hundred" else 1000))


def _scale(match: re.Match[str]) -> str:
    """An amount with its scale in a letter: `$5m`."""
    return f"{match['amount']} {NAMES[SCALES[match['scale']]]}"


_Written = str | Callable[[re.Match[str]], str]
_RULES: Final[tuple[tuple[re.Pattern[str], _Written], ...]] = (
    # Thousands: `1,200`, and `1'200`.
    (re.compile(r"(?<![\d.,])\d{1,3}(?:[,']\d{3})+(?!\d)"), lambda m: re.sub(r"\D", "", m[0])),
    (re.compile(r"\s?(?:%|per ?cent\b)"), "%"),
    (re.compile(r"([$€£]\s?\d{1,9})k\b"), r"\g<1>000"),
    (re.compile(rf"(?P<amount>[$€£]\s?\d{{1,9}}(?:\.\d{{1,4}})?)\s?(?P<scale>{_LARGE})\b"), _scale),
    (re.compile(r"(?<=[$€£])\s(?=\d)"), ""),
    (
        re.compile(
            r"(?<![\w:.])(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?\s?(?P<half>[ap])\.?m\b\.?"
        ),
        _clock,
    ),
    (re.compile(r"(?<![\w:.])0(?=\d:\d\d\b)"), ""),
    (re.compile(r"\b(?P<year>\d{4})-(?P<number>\d{2})-(?P<day>\d{2})\b"), _iso_date),
    (re.compile(rf"(?<![\w.,]){_DAY}\s(?:of\s)?{_MONTH}{_YEAR}"), _date),
    (re.compile(rf"\b{_MONTH}\s(?:the\s)?{_DAY}(?![\w:]|[.,]\d){_YEAR}"), _date),
    (
        re.compile(
            rf"\b(?:(?:{'|'.join(TENS)})(?:[\s-](?:{'|'.join(ONES[1:10])}))?|{'|'.join(ONES)})\b"
        ),
        _number,
    ),
    (re.compile(r"\b(?P<count>a|one|\d{1,2})\s(?P<scale>hundred|thousand)\b"), _times),
    # `v1.2` and `version 1.2` are `1.2`; `v2` is no `2`, which much else is.
    (re.compile(r"(?<!\w)v(?:er|ersion)?\.?\s?(?=\d+\.\d)"), ""),
    (re.compile(r"(?<!\w)v\.?(?=\d)"), "version "),
    (re.compile(rf"(?<![a-z])(\d)(?=(?:{_MEASURES})\b)"), r"\1 "),
    (re.compile(r"\s(?=°)"), ""),
    # A compound with a hyphen, but neither a range nor a minus.
    (re.compile(r"(?<=[^\W\d_])-(?=\w)|(?<=\d)-(?=[^\W\d_])"), " "),
    (re.compile(r"(?<=\d)\s?-\s?(?=\d)"), "-"),
)
