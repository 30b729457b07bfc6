"""Define a code list: its codes with their place in the hierarchy, and the rows that they stand in."""

from functools import cached_property
from typing import Final

from masis.domain import Place
from masis.text.lexical import terms
from masis.values.base import Value

KIND_FIELD: Final = "kind"
KIND: Final = "codelist"
"""The field of a document, and its value, by which somebody says that it is a code list."""

DEEPEST: Final = 12
"""Levels of a hierarchy that are followed; deeper ones, and circles, end there."""


class CodeRow(Value):
    """Where a code stands: the passage and the rows of it, as people find them."""

    chunk_id: str
    document_id: str
    version_id: str
    document: str
    title: str = ""
    place: Place = Place()


class Code(Value):
    """A code with what is said of it. `parent` is a code of the same list, empty at the top.

    `excluded` is what the list says that it is not. `level` counts from 1 at the top.
    """

    code: str
    title: str
    description: str = ""
    synonyms: list[str] = []
    excluded: str = ""
    parent: str = ""
    level: int = 1
    rows: list[CodeRow] = []


class CodeList(Value):
    """A list of codes, in the order in which it has them.

    `name` is its document's title, `columns` what its columns of codes and titles are called.
    """

    name: str
    columns: list[str] = []
    document_id: str
    version_id: str
    codes: list[Code]

    @cached_property
    def called(self) -> frozenset[str]:
        """Return the terms by which it is called."""
        return frozenset[str]().union(*self.kinds)

    @cached_property
    def kinds(self) -> list[frozenset[str]]:
        """Return the terms of each of its names."""
        return [frozenset(terms(said)) for said in (self.name, *self.columns)]

    @cached_property
    def by_code(self) -> dict[str, Code]:
        """The codes by themselves."""
        return {each.code: each for each in self.codes}

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """The codes below each code that has some."""
        found: dict[str, list[str]] = {}
        for each in self.codes:
            if each.parent:
                found.setdefault(each.parent, []).append(each.code)
        return found

    def holds(self, code: str) -> int:
        """Return how many codes are below one, at any depth."""
        return sum(code in {above.code for above in self.path(each.code)} for each in self.codes)

    @cached_property
    def leaves(self) -> list[Code]:
        """The codes that something can be classified as: those that have none below."""
        return [each for each in self.codes if each.code not in self.children]

    def path(self, code: str) -> list[Code]:
        """The codes above one, the topmost first."""
        found: list[Code] = []
        at = self.by_code[code].parent
        while at in self.by_code and len(found) < DEEPEST:
            found.append(self.by_code[at])
            at = self.by_code[at].parent
        return found[::-1]
