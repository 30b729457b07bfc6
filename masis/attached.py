"""Hold what was read of the files that came with a question: evidence of its run alone."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, Self, TypeVar, runtime_checkable

from masis.domain import Chunk, Document, Value
from masis.text.lexical import terms


class AttachedFile(Value):
    """A file that came with a question.

    `document` is None where it could not be read, and `reason` says why in a sentence. `left_out`
    counts the passages beyond what is read of the files of one question.
    """

    name: str
    document: Document | None = None
    reason: str = ""
    left_out: int = 0


@dataclass(frozen=True)
class Attached:
    """The files of one run's question, in their order, and the passages of those that were read.

    `alone` says that the question is about them, and not about the documents of the workspace.
    """

    files: tuple[AttachedFile, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    alone: bool = False

    @cached_property
    def documents(self) -> list[Document]:
        """Return the files that were read."""
        return [file.document for file in self.files if file.document is not None]

    @cached_property
    def terms(self) -> list[frozenset[str]]:
        """Return the terms of each passage. The first time it reads all texts: not on the event loop."""
        return [frozenset(terms(chunk.indexed_text)) for chunk in self.chunks]

    def frequencies(self, asked: Iterable[str]) -> dict[str, int]:
        """Count for each term in how many passages it stands; one that stands nowhere is left out."""
        wanted = frozenset(asked)
        return dict(Counter(term for held in self.terms for term in held & wanted))


@runtime_checkable
class ReadsFiles(Protocol):
    """Something that can take the files of one run's question into account."""

    def with_files(self, attached: Attached) -> Self:
        """Return the same for that run alone; this one stays as it is."""
        ...


T = TypeVar("T")


def with_files(reader: T, attached: Attached) -> T:
    """Return what reads with the files of a run, where it can."""
    return reader.with_files(attached) if isinstance(reader, ReadsFiles) else reader
