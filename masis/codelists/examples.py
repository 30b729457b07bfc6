"""Make questions that ask a code list for a code, by what it says of its own codes."""

from collections.abc import Iterator, Sequence
from typing import Final

from masis.codelists.code_list import CodeList
from masis.codelists.described import GENERIC, ends_like_a_kind
from masis.codelists.reading import code_list
from masis.domain import Chunk, Document
from masis.text.lexical import terms

MOST: Final = 6
FEWEST_TERMS: Final = 2
MOST_CHARS: Final = 60


def examples(document: Document, chunks: Sequence[Chunk]) -> Iterator[str]:
    """Yield questions for codes that the passages of a list have, from one end of them to the other."""
    found = code_list(document, chunks)
    if found is None:
        return
    kind = _kind(found)
    called = [name for code in found.leaves for name in code.synonyms[:2] if _says_something(name)]
    step = max(1, len(called) // MOST)
    for name in called[::step][:MOST]:
        yield f"Which {kind} is this: {name}?"


def _kind(found: CodeList) -> str:
    """Return what a code of the list is called: by its column of titles where that says it."""
    title = found.columns[-1].casefold()
    is_said = ends_like_a_kind(title) and not set(terms(title)) <= GENERIC
    return title if is_said else "code"


def _says_something(name: str) -> bool:
    return len(name) <= MOST_CHARS and len(set(terms(name))) >= FEWEST_TERMS
