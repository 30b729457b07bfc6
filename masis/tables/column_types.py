"""Decide of a column what its cells are, from all of them, and read them as that.

A column is looked at twice: `Tally` counts what its different cells could be, `Reading` reads each as
what most of them are. A cell that is none of it is left out and counted, never guessed.
"""

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from masis.tables.cell_values import (
    CURRENCIES,
    DASHES,
    MOST_DIGITS,
    HeaderUnit,
    Marks,
    could_be_first,
    decimal_mark,
    has_leading_zero,
    header_unit,
    is_blank,
    moment,
    number,
    truth,
)
from masis.tables.stated_units import COUNTED, Stated
from masis.values.tabular import MIXED, Column, ColumnType

MOST: Final = 0.9
"""From this share of its cells on a column is of a type; what else it holds is left out."""
MOST_PLACES: Final = 6
MOST_VALUES: Final = 2_000
"""Different texts of a column that are kept by name."""
_VALUES_CHARS: Final = 40_000
_VALUE_CHARS: Final = 120
_SHOWN_CHARS: Final = 40
_COUNTED: Final = 5_000
"""Different texts that are counted; of a column with more nobody asks which there are."""
_EPOCH: Final = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - cells name no zone
_NAMES: Final = re.compile(
    r"(?:^|[\W_])(?:id|ids|no|nr|number|num|code|ref|reference|key|sku|ean|isbn|zip|postcode|plz|phone|tel|mobile|fax|iban|account)$"
    r"|^#|^(?:ticket|order|invoice|case|item|employee|customer|part) ?(?:#|id|no\.?|number)$",
    re.IGNORECASE,
)
"""Names of columns whose numbers name a row, and count nothing."""
_YEARS: Final = re.compile(r"(?:^|[\W_])years?$|^fy$", re.IGNORECASE)
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_COUNTS: Final = re.compile(r"^(?:number|no\.?|count|num) of ", re.IGNORECASE)


@dataclass(slots=True)
class Tally:
    """Counts what the cells of a column could be; `several` cells are told of at a time."""

    filled: int = 0
    blanks: int = 0
    dashes: int = 0
    kinds: "Counter[str]" = field(default_factory=Counter)
    marks: "Counter[str]" = field(default_factory=Counter)
    currencies: "Counter[str]" = field(default_factory=Counter)
    units: "Counter[str]" = field(default_factory=Counter)
    day_first: int = 0
    month_first: int = 0
    texts: "Counter[str]" = field(default_factory=Counter)
    has_many: bool = False

    def add(self, cells: Mapping[str, int]) -> None:
        """Count different cells, each as often as it stands there."""
        for cell, times in cells.items():
            if is_blank(cell):
                self.blanks += times
            elif cell in DASHES:
                self.dashes += times
            else:
                self.filled += times
                self._count(cell, times)

    def _count(self, cell: str, times: int) -> None:
        if not self.has_many:
            self.texts[cell] += times
            self.has_many = len(self.texts) > _COUNTED
        elif self._is_text():
            return
        if truth(cell) is not None:
            self.kinds["boolean"] += times
        if has_leading_zero(cell):
            self.kinds["code"] += times
            return
        if cell.isdigit() and cell.isascii():
            self.kinds["number"] += times
            self.marks[""] += times
            self.currencies[""] += times
            self.units[""] += times
            return
        mark = decimal_mark(cell)
        found = number(cell, Marks(decimal=mark or "."))
        if found is not None:
            self.kinds["number"] += times
            self.marks[mark] += times
            self.currencies[found.currency] += times
            self.units[found.unit] += times
            return
        if cell[0].isdigit() or cell[-1].isdigit():
            self._count_date(cell, times)

    def _count_date(self, cell: str, times: int) -> None:
        order = could_be_first(cell)
        if any(moment(cell, Marks(day_first=first)) is not None for first in (True, False)):
            self.kinds["date"] += times
        if order is not None and self.kinds["date"]:
            self.month_first += times * (order[0] is False)
            self.day_first += times * (order[1] is False)

    def _is_text(self) -> bool:
        """Tell whether so few cells are anything else that the rest need not be looked at."""
        return (self.kinds["number"] + self.kinds["date"]) * 2 < self.filled

    # --- what comes of it ----------------------------------------------------------------------

    def type(self, name: str) -> ColumnType:
        """Return what most of the cells are."""
        need = MOST * self.filled
        if not self.filled:
            return "text"
        if self.kinds["boolean"] == self.filled and self._is_either():
            return "boolean"
        if self.kinds["number"] >= need and not self.kinds["code"] and self._has_one_unit():
            return "text" if self._names_rows(name) else "number"
        return "date" if self.kinds["date"] >= need else "text"

    def _is_either(self) -> bool:
        """Tell whether the texts are one way to say yes and one to say no, or either."""
        said = {truth(cell) for cell in self.texts}
        plain = {cell.casefold() for cell in self.texts}
        return len(plain) == len(said) <= 2 and not any(map(str.isdigit, plain))

    def _has_one_unit(self) -> bool:
        named = [unit for unit in self.units if unit]
        return len(named) <= 1 and (
            not named or self.units[named[0]] >= MOST * self.kinds["number"]
        )

    def _names_rows(self, name: str) -> bool:
        plain = not any(self.currencies[each] for each in self.currencies if each)
        whole = plain and not self.marks["."] and not self.marks[","]
        return whole and bool(_NAMES.search(name)) and not _COUNTS.search(name)

    def mark(self, usual: str) -> str:
        """Return the decimal mark: what its numbers must have, else the usual one of the file."""
        if self.marks["."] or self.marks[","]:
            return "." if self.marks["."] >= self.marks[","] else ","
        return usual

    def currency(self) -> str:
        """Return the currency that the cells state; `MIXED` where they state several."""
        stated = [each for each in self.currencies if each]
        return stated[0] if len(stated) == 1 else MIXED if stated else ""

    def unit(self) -> str:
        """Return the unit that the cells state."""
        return next((unit for unit in self.units if unit), "")


class Reading:
    """Reads the cells of a column as what it was decided to be, and notes what it found.

    `table` is what the table says of the unit of all its figures.
    """

    def __init__(self, name: str, tally: Tally, marks: Marks, table: Stated | None = None) -> None:
        self._name = name
        self._stated = table
        self._tally = tally
        self._marks = marks
        self.type: ColumnType = tally.type(name)
        self.unread = 0
        self._blanks = 0
        self._texts: Counter[str] = Counter()
        self._places = 0
        self._has_time = False
        self._is_monthly = self.type == "date"
        self._least: Any = None
        self._most: Any = None

    def measure(self, cells: Iterable[str]) -> None:
        """Look at all different cells once, before any is packed: how many decimals there are."""
        if self.type == "number":
            for cell in cells:
                found = number(cell, self._marks)
                if found is not None and self._places < MOST_PLACES:
                    exponent = int(found.value.as_tuple().exponent)
                    if -exponent > self._places:
                        exact = int(found.value.normalize().as_tuple().exponent)
                        self._places = max(self._places, min(-exact, MOST_PLACES))

    def read(self, cells: Mapping[str, int]) -> dict[str, Any]:
        """Return what each of these different cells is packed as; None for no value."""
        found = {cell: self.value(cell) for cell in cells}
        for cell, times in cells.items():
            value = found[cell]
            if value is None:
                is_none = is_blank(cell) or cell in DASHES
                self._blanks += times if is_none else 0
                self.unread += 0 if is_none else times
            else:
                if not self._tally.has_many:
                    self._texts[cell] += times
                self._least = value if self._least is None else min(self._least, value)
                self._most = value if self._most is None else max(self._most, value)
        return found

    def value(self, cell: str) -> Any:
        """Return what a cell is packed as; None for no value."""
        if self.type == "number" and cell in DASHES:
            return 0
        if is_blank(cell) or cell in DASHES:
            return None
        match self.type:
            case "text":
                return cell
            case "boolean":
                return truth(cell)
            case "date":
                return self._seconds(cell)
        found = number(cell, self._marks)
        if found is None:
            return None
        scaled = round(found.value.scaleb(self._places))
        return scaled if abs(scaled) < 10**MOST_DIGITS else None

    def _seconds(self, cell: str) -> int | None:
        found = moment(cell, self._marks)
        if found is None:
            return None
        self._has_time = self._has_time or found.has_time
        self._is_monthly = self._is_monthly and found.is_month
        return int((found.at - _EPOCH).total_seconds())

    def column(self) -> Column:
        """Return the column, once all its cells were read."""
        tally, stated = self._tally, self._unit()
        is_number = self.type == "number"
        values = [cell for cell, _ in self._texts.most_common(MOST_VALUES)]
        is_text = self.type in {"text", "boolean"}
        values = [value[:_VALUE_CHARS] for value in values]
        small = sum(map(len, values)) <= _VALUES_CHARS
        few = is_text and small and not tally.has_many and len(self._texts) <= MOST_VALUES
        currency = tally.currency() or stated.currency
        if tally.currency() and stated.currency and tally.currency() != stated.currency:
            currency = MIXED
        return Column(
            name=self._name,
            type=self.type,
            unit=(tally.unit() or stated.unit) if is_number else "",
            currency=currency if is_number else "",
            scale=stated.scale if is_number else 1,
            places=self._places,
            has_time=self._has_time,
            grain="month" if self._is_monthly and self._least is not None else "",
            is_name=self._is_name(),
            blanks=self._blanks,
            unread=self.unread,
            distinct=-1 if tally.has_many else len(self._texts),
            values=values if few else [],
            least=self._shown(self._least),
            most=self._shown(self._most),
        )

    def _unit(self) -> HeaderUnit:
        """Return the unit that the column's name states, else that of its table."""
        own, table = header_unit(self._name), self._stated
        is_amount = self.type == "number" and not (own.unit or self._tally.unit() or own.scale > 1)
        if table is None or not is_amount or self._is_name() or COUNTED.search(self._name):
            return own
        if not table.holds_for(self._name):
            return own
        if own.currency and table.currency:  # "(£)" in a table in £k is in pounds
            return own
        currency = CURRENCIES.get(table.currency, table.currency)
        return HeaderUnit("", own.currency or currency, table.scale)

    def _is_name(self) -> bool:
        if self.type == "number":
            years = self._places == 0 and _FIRST_YEAR <= (self._least or 0) <= (self._most or 0)
            return years and (self._most or 0) <= _LAST_YEAR and bool(_YEARS.search(self._name))
        seldom = self._tally.has_many or len(self._tally.texts) * 10 > self._tally.filled * 9
        return self.type == "text" and bool(_NAMES.search(self._name)) and seldom

    def _shown(self, value: Any) -> str:
        if value is None or self.type == "boolean":
            return ""
        if self.type == "text":
            return str(value)[:_SHOWN_CHARS]
        if self.type == "date":
            at = _EPOCH + dt.timedelta(seconds=value)
            return at.isoformat(" ", "minutes") if self._has_time else at.date().isoformat()
        text = f"{value:0{self._places + 1}d}" if value >= 0 else f"-{-value:0{self._places + 1}d}"
        return f"{text[: -self._places]}.{text[-self._places :]}" if self._places else text
