"""Tell by the names and cells of a table's columns which holds codes, and what the others say of them."""

import re
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Final

from masis.codelists import column_names
from masis.text.grammars.companies import COMPANY
from masis.values.base import Value

Row = Mapping[str, str]
"""The cells of a row by the names of their columns."""

FEWEST: Final = 6
"""Codes of a list; a shorter table is read like any other."""
SAMPLED: Final = 400
"""Rows by which columns are told apart."""
MOST_CODE_CHARS: Final = 24
MOST_NUMBERS: Final = 1
"""Columns of amounts beside what is called a code: a table with more of them is of figures, whatever its
keys. Beside other codes there is none."""
DIFFERENT: Final = 0.9
"""Of the codes of a list; where they are called codes, a row may give one a second name."""
TITLES_DIFFERENT: Final = 0.7
SHORT_CHARS: Final = 60
"""Mean length up to which what describes codes may be what names them."""
MOST_COMPANIES: Final = 0.2
"""Of titles: with more of them the table is of customers or suppliers."""

_SHAPE: Final = re.compile(
    rf"(?=.*\d|[A-Z])[A-Za-z0-9][A-Za-z0-9./\-_:]{{0,{MOST_CODE_CHARS - 1}}}"
)
_DATE: Final = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[T ].*)?|\d{1,2}[./ -][A-Za-z]{3,9}[./ -]\d{2,4}|\d{1,2}:\d{2}.*"
)
_NUMBER: Final = re.compile(r"[-+(]?[$€£]?\s?\d[\d,. ]*\s?%?\)?")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")


class Above(Value):
    """The columns of one level above: its code, and its title where there is one."""

    code: str
    title: str = ""


class Columns(Value):
    """Name the columns of a code list. `above` are those of the levels above, the nearest first.

    `title` is the column of codes itself where these are words. `beside` say something else of the codes.
    """

    code: str
    title: str
    description: list[str] = []
    synonyms: list[str] = []
    excluded: list[str] = []
    parent: str = ""
    level: str = ""
    above: list[Above] = []
    beside: list[str] = []


def recognised(rows: Sequence[Row], *, is_said: bool = False) -> Columns | None:
    """Tell the columns of a code list; None where the table is none.

    Where somebody says that it is one (`is_said`), a short one is, one with amounts, and one whose codes
    are called anything.
    """
    table = _Table(rows[:SAMPLED])
    found = _guessed(table) if len(rows) >= FEWEST else None
    if found is None and is_said:
        found = _believed(table)
    if found is None:
        return None
    code, title = found
    rest = [name for name in table.names if name not in found]
    parent = next((name for name in rest if column_names.is_parent(name)), "")
    level = next((name for name in rest if column_names.is_level(name) and name != parent), "")
    above = [] if parent or level else _above(code, rest, table)
    columns = Columns(
        code=code,
        title=title,
        description=list(filter(column_names.describes, rest)),
        synonyms=list(filter(column_names.has_synonyms, rest)),
        excluded=list(filter(column_names.excludes, rest)),
        parent=parent,
        level=level,
        above=above,
    )
    return columns.model_copy(update={"beside": _beside(rest, columns, table)})


class _Table:
    """The rows by which columns are told apart."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.names = list(dict.fromkeys(name for row in rows for name in row))

    def cells(self, name: str) -> list[str]:
        """Return the cells of a column that say something."""
        return [row[name] for row in self.rows if row.get(name)]

    def different(self, name: str) -> float:
        """Return the share of a column's cells that say something else than those before them."""
        cells = self.cells(name)
        return len({cell.casefold() for cell in cells}) / len(cells) if cells else 0.0

    def are_mostly(self, name: str, test: Callable[[str], object], least: float) -> bool:
        """Tell whether so many of a column's cells are of a form."""
        cells = self.cells(name)
        return bool(cells) and sum(bool(test(cell)) for cell in cells) >= least * len(cells)

    def are_codes(self, name: str) -> bool:
        """Tell whether a column has a short word with a figure or a capital in nearly every row."""
        is_full = len(self.cells(name)) >= DIFFERENT * len(self.rows)
        return is_full and self.are_mostly(name, _SHAPE.fullmatch, DIFFERENT)

    def are_keys(self, name: str) -> bool:
        """Tell whether a column has in nearly every row another code, and no date."""
        is_one = self.are_codes(name) and self.different(name) >= DIFFERENT
        has_figures = self.are_mostly(name, _has_figures, DIFFERENT)
        return is_one and has_figures and not self.are_mostly(name, _DATE.fullmatch, 0.5)

    def is_text(self, name: str) -> bool:
        """Tell whether a column is of words."""
        return self.are_mostly(name, _WORD.search, 0.8)

    def is_number(self, name: str) -> bool:
        """Tell whether a column is of numbers."""
        return self.are_mostly(name, _NUMBER.fullmatch, 0.5)

    def is_date(self, name: str) -> bool:
        """Tell whether a column is of dates or times."""
        return self.are_mostly(name, _DATE.fullmatch, 0.5)

    def are_counted(self, name: str) -> bool:
        """Tell whether a column counts the rows."""
        return self.cells(name) == [str(number) for number in range(1, len(self.rows) + 1)]


def _has_figures(cell: str) -> bool:
    return any(each.isdigit() for each in cell)


# --- guessed ---------------------------------------------------------------------------------


def _guessed(table: _Table) -> tuple[str, str] | None:
    """Return the columns of codes and titles of what looks like a code list."""
    for code in table.names:
        title = _title_column(code, table)
        if title is None or table.different(title) < TITLES_DIFFERENT:
            continue
        if _is_list(code, title, table):
            return code, title
    return None


def _is_list(code: str, title: str, table: _Table) -> bool:
    rest = [name for name in table.names if name not in {code, title}]
    if any(column_names.is_amount(name) for name in rest) or table.are_mostly(title, COMPANY.search, MOST_COMPANIES):  # fmt: skip
        return False
    figures = sum(_is_figure(name, table) for name in rest)
    if column_names.says_code(code):
        return table.are_codes(code) and figures <= MOST_NUMBERS
    if figures or not table.are_keys(code):
        return False
    if column_names.names_kind(code):
        return code == table.names[0]
    has_records = any(column_names.is_of_records(name) or table.is_date(name) for name in rest)
    return column_names.says_number(code) and not (has_records or table.are_counted(code))


def _is_figure(name: str, table: _Table) -> bool:
    """Tell whether a column is of amounts, which are not codes of levels above."""
    says_other = (
        column_names.may_hold_codes(name)
        or column_names.says_more(name)
        or column_names.names_kind(name)
    )
    return not says_other and table.is_number(name) and not table.is_date(name)


def _title_column(code: str, table: _Table) -> str | None:
    """Return the column that names each code: one that is called so, else the first of short texts."""
    texts = [name for name in table.names if name != code and table.is_text(name)]
    named = [name for name in texts if column_names.names_code(name)]
    plain = [name for name in texts if not column_names.says_more(name)]
    said = [name for name in texts if column_names.describes(name)]
    first = [*(name for name in named if column_names.is_called_name(name)), *named]
    brief = [name for name in said if fmean(map(len, table.cells(name))) <= SHORT_CHARS]
    own = [name for name in plain if not column_names.is_beside(name)]
    rest = sorted({*own, *brief}, key=table.names.index)
    found = [*first, *rest, *said]
    return next((n for n in found if table.different(n) >= TITLES_DIFFERENT), next(iter(found), None))  # fmt: skip


# --- said ------------------------------------------------------------------------------------


def _believed(table: _Table) -> tuple[str, str] | None:
    """Return the columns of codes and titles of what somebody says is a code list.

    Its codes are what is called so, else the first that are each another one; words may be codes of
    their own.
    """
    called = [name for name in table.names if column_names.may_hold_codes(name) or column_names.names_kind(name)]  # fmt: skip
    keys = [name for name in called if table.are_codes(name)]
    keys += [name for name in table.names if table.are_keys(name)]
    for code in keys:
        if title := _title_column(code, table):
            return code, title
    words = [name for name in table.names if table.is_text(name) and table.different(name) == 1]
    named = [
        name for name in words if column_names.names_code(name) or column_names.names_kind(name)
    ]
    own = next(iter([*named, *words[:1]]), None)
    return (own, own) if own and len(table.names) > 1 else None


# --- what else is said -----------------------------------------------------------------------


def _beside(names: Sequence[str], columns: Columns, table: _Table) -> list[str]:
    """Return the columns of words that no other role is for, as an area or a group."""
    taken = {*(each.code for each in columns.above), *(each.title for each in columns.above)}
    return [
        name
        for name in names
        if name not in taken
        and not column_names.says_more(name)
        and not column_names.is_beside(name)
        and not table.are_mostly(name, _has_figures, 0.5)
    ]


def _above(code: str, names: Sequence[str], table: _Table) -> list[Above]:
    """Return the columns of the levels above: codes that several rows share, the most of them first."""
    found: list[tuple[float, Above]] = []
    for name in names:
        different = table.different(name)
        if not column_names.may_hold_codes(name) or not table.are_codes(name):
            continue
        if different >= DIFFERENT or not _begin_alike(table.rows, code, name):
            continue
        base = column_names.plain_name(re.sub(r"(?i)[_\s-]*(?:code|no|number|id)$", "", name))
        title = next((n for n in names if column_names.plain_name(n) == base and n != name), "")
        found.append((different, Above(code=name, title=title)))
    return [above for _, above in sorted(found, key=lambda each: -each[0])]


def _begin_alike(rows: Sequence[Row], code: str, above: str) -> bool:
    """Tell whether codes with the same beginning are under the same code."""
    held = [row for row in rows if row.get(code) and row.get(above)]
    return sum(row[code].startswith(row[above]) for row in held) >= 0.9 * len(held)
