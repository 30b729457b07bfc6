"""Hold a question while it is put into a table's words, with what was taken for what."""

import re
from dataclasses import dataclass, field

from masis.tables.everyday import everyday_words as words
from masis.tables.grammar import matching
from masis.tables.telling import conditions
from masis.values.tabular import Column, Filter, TableInfo, TableQuery


@dataclass(slots=True)
class Translated:
    """A question as it is put to a table: the text, conditions that were cut out of it, and what was taken for what."""

    text: str
    table: TableInfo
    question: str
    filters: list[Filter] = field(default_factory=list)
    calculated: list[Column] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def cut(self, match: re.Match[str], said: str = "") -> None:
        """Put other words in the place of a match."""
        joined = f"{self.text[: match.start()]} {said} {self.text[match.end() :]}"
        self.text = " ".join(joined.split())

    def hold(self, said: str, *filters: Filter) -> None:
        """Take words for conditions."""
        self.filters += filters
        shown = conditions(TableQuery(tables=[], filters=list(filters)))
        self.notes.append(words.IN_STATE.format(said=said.strip(), condition=shown))

    def take(self, said: str, column: Column) -> None:
        """Note for which column a word was taken; one that nobody typed is not quoted."""
        typed = said.casefold() in self.question.casefold()
        told = words.TOOK if typed else words.WENT_BY
        self.notes.append(told.format(said=said, name=column.name))

    def use(self, match: re.Match[str], column: Column) -> None:
        """Take words for a column that is calculated."""
        if column.name not in {each.name for each in self.calculated}:
            self.calculated.append(column)
            name = column.name[:1].upper() + column.name[1:]
            self.notes.append(words.CALCULATED.format(name=name))
        self.cut(match, matching_name(column))


def matching_name(column: Column) -> str:
    """Return the words by which the grammar knows a column."""
    return " ".join(matching.parts(column.name))
