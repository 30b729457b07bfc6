"""Know a value that looks like a small word: the department IT, typed "it" as people do."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from masis.tables.everyday.everyday_words import CONCEPTS
from masis.tables.grammar import matching
from masis.tables.grammar.words import FILLERS, AskedWords
from masis.values.tabular import Column, TableInfo

_BEHIND: Final = r"(?P<before>[^\W\d_]+) (?P<way>of|for|from|by|in|within|across) (?P<said>{value})"
_ENDS: Final = r"(?=\s*(?:$|[?.!,]|\b(?:and|or|vs|versus|this|last|in|per|by|each|since|until)\b))"
_UNLIKE: Final = frozenset({"date", "when"})


class Meant(NamedTuple):
    """A question with such a value in capitals, the word as it was typed, and the value."""

    text: str
    said: str = ""
    value: str = ""


def in_capitals(question: str, tables: Sequence[TableInfo]) -> Iterator[Meant]:
    """Yield the ways to read a small word as a value: "spend of it" where there is a department IT.

    A pronoun stands behind other words ("what does it cost", "the rest of it"): only behind the name of
    something that a table counts can it be a value.
    """
    if question.isupper():
        return
    known = {word for concept in CONCEPTS for word in concept.said if word not in _UNLIKE}
    for table in tables:
        for value in _small_values(table):
            pattern = _BEHIND.format(value=re.escape(value.casefold())) + _ENDS
            match = re.search(pattern, question)
            if match and (match["before"].casefold() in known or _is_counted(match["before"], table)):  # fmt: skip
                start, end = match.start("said"), match.end("said")
                yield Meant(f"{question[:start]}{value.upper()}{question[end:]}", match["said"], value)  # fmt: skip


def _small_values(table: TableInfo) -> list[str]:
    columns = (each for each in table.shape.columns if each.type == "text" and _is_sorting(each))
    return [value for each in columns for value in each.values if value.casefold() in FILLERS and len(value) > 1]  # fmt: skip


def _is_sorting(column: Column) -> bool:
    """Tell whether a column sorts rows, as departments do."""
    return bool(column.values) and not column.is_name and matching.has_names(column)


def _is_counted(word: str, table: TableInfo) -> bool:
    """Tell whether a word names the rows of a table or one of its columns of numbers."""
    asked = AskedWords(word)
    numbers = (each.column.type == "number" for each in matching.columns(asked, table))
    return any(numbers) or bool(matching.named(AskedWords(word), table))
