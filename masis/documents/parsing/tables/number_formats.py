"""Shows values as spreadsheets display them: dates in ISO form, percent, thousands and currency kept."""

import datetime as dt
import re
from typing import Final

_CURRENCY = re.compile(r"\[\$([^\]-]*)[^\]]*\]")
_DECORATION = re.compile(r"\[[^\]]*\]|[_*].|\\")
_LITERAL = re.compile(r'"([^"]*)"|([$€£¥])')
_DIGITS = re.compile(r"[0#?][0#?,.]*")
_FRACTION = re.compile(r"\.(0+)")
_QUOTED = re.compile(r'"[^"]*"')
_RATIO = re.compile(r"[#?0]\s*/\s*[?#\d]")
_LEADING_ZEROS = re.compile(r"0{2,30}(?![0#?,.])")
_THOUSAND: Final = 1000
_HOUR: Final = 3600


def displayed(value: object, number_format: str) -> str:
    """A cell as a person sees it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dt.datetime):
        plain = value.time() == dt.time()
        return value.date().isoformat() if plain else value.isoformat(" ", "minutes")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        return _duration(value)
    if isinstance(value, int | float):
        return _number(value, number_format or "General")
    return str(value)


def exact(value: object, number_format: str) -> str:
    """A cell with all its decimals: a number with its currency or percent sign, anything else as seen."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return displayed(value, number_format)
    pattern = _plain_pattern((number_format or "General").split(";", maxsplit=1)[0])
    digits = _DIGITS.search(pattern)
    if digits is None or _RATIO.search(_QUOTED.sub("", pattern)) or "E+" in pattern.upper():
        return _general(value)
    if _LEADING_ZEROS.fullmatch(pattern):
        return displayed(value, number_format)
    if "%" in pattern:
        return f"{_general(round(value * 100, 10))}%"
    marks = [_literal(pattern[: digits.start()]), _literal(pattern[digits.end() :])]
    signs = [mark for mark in marks if mark and not digits[0].endswith(",")]
    return " ".join([*signs, _general(value)])


def _duration(value: dt.timedelta) -> str:
    """Hours and minutes, over 24 hours too, and seconds where there are any."""
    whole = round(abs(value.total_seconds()))
    seconds = f":{whole % 60:02}" if whole % 60 else ""
    sign = "-" if value < dt.timedelta() else ""
    return f"{sign}{whole // _HOUR}:{whole % _HOUR // 60:02}{seconds}"


def _number(value: float, number_format: str) -> str:
    pattern = _plain_pattern(number_format.split(";", maxsplit=1)[0])
    bare = _QUOTED.sub("", pattern)
    digits = _DIGITS.search(pattern)
    if digits is None or "E+" in pattern.upper() or _RATIO.search(bare):
        return _general(value)
    if _LEADING_ZEROS.fullmatch(pattern) and float(value).is_integer():
        return f"{int(value):0{len(pattern)}d}"  # an account, a code: 00042
    fraction = _FRACTION.search(digits[0])
    places = len(fraction[1]) if fraction else 0
    if "%" in pattern:
        return f"{value * 100:.{places}f}%"
    scaled = digits[0].rstrip(",")
    value /= _THOUSAND ** (len(digits[0]) - len(scaled))  # `0.0,,"M"` counts in millions
    thousands = "," if "," in scaled else ""
    before = _literal(pattern[: digits.start()])
    after = _literal(pattern[digits.end() :])
    sign = "-" if value < 0 else ""
    space = " " if len(before) > 1 else ""  # CHF 12, but £12
    return f"{sign}{before}{space}{abs(value):{thousands}.{places}f} {after}".rstrip()


def _plain_pattern(pattern: str) -> str:
    """A number format without colours, conditions, locales and padding; currencies quoted."""
    pattern = _CURRENCY.sub(r'"\1"', pattern)
    return _DECORATION.sub("", pattern)


def _literal(pattern: str) -> str:
    """Return what a format writes beside the digits.

    Units and currencies count, brackets and dashes do not.
    """
    written = "".join(quoted or bare for quoted, bare in _LITERAL.findall(pattern)).strip()
    return written if re.search(r"[^\W\d_]|[$€£¥]", written) else ""


def _general(value: float) -> str:
    """Without a format: no `.0`, and no binary dust behind the 12th digit."""
    if isinstance(value, int) or float(value).is_integer():
        return str(int(value)) if abs(value) < 1e15 else f"{value:g}"
    return f"{value:.12g}"
