"""Tell the currency, the scale and the unit of a cell: its own, its column's, its row's or its table's."""

import re
from typing import Final, NamedTuple

from masis.calculating.dimensions.numbers import Number
from masis.tables.stated_units import COUNTED, Stated, currency_in, unit_in
from masis.text.lexical import terms

_PERCENT: Final = re.compile(
    r"%|\bper ?cent(?:ages?)?\b|(?:\b|_)(?:pct|percent)(?:\b|_)", re.IGNORECASE
)
_YEAR: Final = re.compile(r"\W*(?:(?:fiscal|financial) )?years?\W*", re.IGNORECASE)
_SHARES: Final = re.compile(r"\b(?:shares|options|units|warrants)\b", re.IGNORECASE)
"""What a report counts in the scale of its amounts."""


class TableUnit(NamedTuple):
    """Hold what a table says of the unit of its figures. `spot` is the passage that says it, where it is another.

    `doubt` are words of the document by which they may be in another scale; `by_name` is a line on the
    units of columns by their names.
    """

    stated: Stated | None = None
    spot: str = ""
    doubt: str = ""
    by_name: str = ""


NO_UNIT: Final = TableUnit()


class Dimensions(NamedTuple):
    """The currency, the scale and the unit of a figure, and whether its table stated it or leaves it open."""

    currency: str
    scale: int
    unit: str
    is_stated: bool = False
    is_doubtful: bool = False


class Spot(NamedTuple):
    """Name a cell by its row's label and its column's name; `currency` is what its column is in."""

    label: str
    header: str
    currency: str = ""


def dimensions(number: Number, spot: Spot, table: TableUnit) -> Dimensions:
    """Return the dimensions of a cell: its own, else its column's, its row's, the table's."""
    if number.unit or (number.currency and number.scale > 1):
        return Dimensions(number.currency, number.scale, number.unit)
    names = (spot.header, spot.label)
    if any(map(_PERCENT.search, names)):
        return Dimensions("", 1, "%")
    currency, scale = next(filter(_is_named, map(named_unit, names)), ("", 1))
    currency = number.currency or currency
    if scale > 1:
        return Dimensions(currency or spot.currency, scale * number.scale, "")
    return _of_table(number, spot, table, currency)


def _is_named(found: tuple[str, int]) -> bool:
    return bool(found[0]) or found[1] > 1


def _of_table(number: Number, spot: Spot, table: TableUnit, currency: str) -> Dimensions:
    """Return what a table states of a cell that says of its scale nothing itself."""
    stated, plain = table.stated, Dimensions(currency, number.scale, "")
    is_count = not currency and any(map(_is_count, (spot.header, spot.label)))
    by_name = ("", 1) if is_count or currency else _by_name(table.by_name, spot.header)
    if _is_named(by_name):
        return Dimensions(by_name[0], by_name[1] * number.scale, "", is_stated=True)
    own = currency or ("" if is_count else spot.currency)
    if stated is None or not stated.holds_for(spot.label, spot.header):
        return plain._replace(currency=own, is_doubtful=bool(table.doubt) and not is_count)
    if is_count:
        is_shares = any(map(_SHARES.search, (spot.header, spot.label))) and not stated.currency
        scale = stated.scale if is_shares else 1
        doubtful = scale == 1 and not stated.currency and stated.scale > 1
        return Dimensions("", scale * number.scale, "", is_stated=is_shares, is_doubtful=doubtful)
    if currency and not number.currency and stated.currency:
        # "(£)" over a column of a table in £k says that this one is not.
        return plain._replace(is_doubtful=stated.scale > 1 and stated.currency == currency)
    scale = stated.scale * number.scale
    return Dimensions(own or stated.currency, scale, "", is_stated=True)


def _is_count(name: str) -> bool:
    return bool(COUNTED.search(name) or _YEAR.fullmatch(name))


def _by_name(line: str, header: str) -> tuple[str, int]:
    """Return the unit that a line gives for all columns, or for this one by name."""
    parts = re.split(r"[;,] ", line)
    named = [part for part in parts if set(terms(header)) & set(terms(part))]
    found = named_unit((named or parts or [""])[0])
    others_alone = not named and any(" in " in part and len(part.split()) > 3 for part in parts)
    return ("", 1) if others_alone else found


def named_unit(text: str) -> tuple[str, int]:
    """Return the currency and the scale that a name has: "Net (£k)", "Revenue in thousands"."""
    found = unit_in(text) or unit_in(re.sub(r"[_'’]", " ", text))
    return found.dimensions if found is not None else (currency_in(text), 1)
