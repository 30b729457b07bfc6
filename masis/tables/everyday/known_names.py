"""Know values by what another table calls them: the product that a code stands for."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from masis.tables.grammar import matching
from masis.tables.grammar.words import FILLERS, stem
from masis.values.tabular import Column, TableInfo

MOST_NAMES: Final = 500
"""Rows of a table that names are taken from."""
_SHARED: Final = 0.5
"""Of the codes of a table that another one must have."""
_NAME_CHARS: Final = 40
_LONGEST: Final = 4
_FEW: Final = 30
"""Values of a column that sorts rows; one with more holds remarks."""


_NAMES: Final = frozenset(map(stem, ("name", "product", "description", "title", "item", "article", "label")))  # fmt: skip


class Named(NamedTuple):
    """Words of a question, and the values of a column that another table calls so."""

    said: str
    column: str
    values: tuple[str, ...]
    source: str


class Calling(NamedTuple):
    """What a table calls the codes of a column: each name with its code."""

    codes: dict[str, str]
    column: Column
    source: str


class Names:
    """Holds, for columns of codes, what other tables call them."""

    def __init__(self, callings: Sequence[Calling]) -> None:
        self._callings = callings

    def said_in(self, text: str, table: TableInfo) -> Iterator[Named]:
        """Yield the words of a text that name values of a table's column, which does not say them itself."""
        for column in table.shape.columns:
            if column.type != "text" or not column.values or column.is_name:
                continue
            for calling in self._callings:
                found = self._within(text, table, column, calling)
                if found:
                    yield from found
                    break

    def _within(self, text: str, table: TableInfo, column: Column, calling: Calling) -> list[Named]:
        """Return what is named by one calling; nothing where it is not of this column's codes."""
        own = {each.casefold() for each in column.values}
        if not _stems(column) & _stems(calling.column):
            return []
        known = {code: name for code, name in calling.codes.items() if code in own}
        if len(known) < 2 or len(known) < _SHARED * len(own):
            return []
        return list(_named(text, table, column, known, calling.source))


def _named(
    text: str, table: TableInfo, column: Column, known: dict[str, str], source: str
) -> Iterator[Named]:
    tokens = list(re.finditer(r"[^\W_]+(?:[-'’.][^\W_]+)*", text))
    parts = {code: [stem(word) for word in matching.parts(name)] for code, name in known.items()}
    taken = -1
    for at in range(len(tokens)):
        for size in range(min(_LONGEST, len(tokens) - at), 0, -1):
            run = [each[0].casefold() for each in tokens[at : at + size]]
            if at <= taken or not _says(run, table):
                continue
            stems = [stem(each) for each in run]
            codes = [code for code, own in parts.items() if _has(own, stems)]
            if codes and len(codes) < max(2, len(known)):
                said = text[tokens[at].start() : tokens[at + size - 1].end()]
                yield Named(said, column.name, tuple(codes), source)
                taken = at + size - 1
                break


def _says(run: Sequence[str], table: TableInfo) -> bool:
    """Tell whether words can be a name: no question's words, and nothing that the table says itself."""
    if all(each in FILLERS or each.isdigit() or len(each) < 3 for each in run):
        return False
    if run[0] in FILLERS or run[-1] in FILLERS:
        return False
    own = {stem(part) for each in table.shape.columns for part in matching.parts(each.name)}
    sorts = [each for each in table.shape.columns if each.distinct <= _FEW]
    said = {word for each in sorts for value in each.values for word in value.casefold().split()}
    return not any(stem(each) in own or each in said for each in run)


def _stems(column: Column) -> set[str]:
    return {stem(word) for word in matching.parts(column.name)}


def _has(own: Sequence[str], said: Sequence[str]) -> bool:
    """Tell whether a name has words in their order."""
    return any(list(own[at : at + len(said)]) == list(said) for at in range(len(own)))


def names_of(tables: Sequence[TableInfo]) -> Names:
    """Return what tables call codes: those with a column of codes and one of names, both different in each row."""
    return Names([each for table in tables for each in _callings(table)])


def _callings(table: TableInfo) -> Iterator[Calling]:
    """Yield, of a small table whose rows each have a code and a name of their own, which is called what.

    The different values of such columns stand in the order of the rows, as there are none twice.
    """
    rows = table.shape.rows
    if rows > MOST_NAMES:
        return
    unique = [each for each in table.shape.columns if each.type == "text" and each.distinct == len(each.values) == rows and not each.blanks]  # fmt: skip
    if len(unique) < 2:
        return
    code = unique[0]
    name = next((each for each in unique[1:] if _stems(each) & _NAMES), None)
    if name is not None and all(len(each) <= _NAME_CHARS for each in name.values):
        codes = dict(zip((each.casefold() for each in code.values), name.values, strict=True))
        yield Calling(codes, code, table.source)
