"""Hold what the words of a question name in a table."""

from typing import NamedTuple

from masis.tables.grammar.asking_words import BOUND
from masis.tables.grammar.conditions import Compared, Dated
from masis.tables.grammar.matching import Match, Valued
from masis.tables.grammar.words import AskedWords, Token
from masis.values.tabular import Filter, TableInfo


class Found(NamedTuple):
    """Hold what the words of a question name in a table; `assumed` is added to while it is read."""

    asked: AskedWords
    tables: list[TableInfo]
    columns: list[Match]
    filters: list[Filter]
    dates: list[Dated]
    rows: list[Token]
    ids: list[Valued]
    values: list[Valued]
    compared: list[Compared]
    assumed: list[str]

    @property
    def has_id(self) -> bool:
        """Tell whether a row is named."""
        return bool(self.ids)

    @property
    def table(self) -> TableInfo:
        """Return the first of the tables, whose columns they all have."""
        return self.tables[0]

    @property
    def said(self) -> str:
        """Return the question without words that order nothing: "the last 30 days", "at least 5"."""
        text = BOUND.sub(lambda match: " " * len(match[0]), self.asked.text)
        for token in self.asked.tokens:
            if token.read == "date":
                text = text[: token.start] + " " * (token.end - token.start) + text[token.end :]
        return text
