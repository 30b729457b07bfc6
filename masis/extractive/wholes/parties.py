"""Find who is named as what is asked for: "Supplier: Ada Clay Ltd" at the head of documents for the suppliers.

Pure and lexical. It serves where no document lists them. Who stands on two sides of agreements ("Supplier" of
one and "Buyer" of another) is who the documents belong to, and none of theirs. Suppliers are also those whose
goods are told of under a heading for that: "Boards from Clay & Co are late".
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from masis.domain import EvidenceChunk
from masis.extractive.wholes.listed import Instead, Wanted
from masis.extractive.wholes.values import WholeLine
from masis.retrieval import extraction
from masis.text.given_names import GIVEN_NAMES
from masis.text.grammars.calendar import DAYS_AND_MONTHS
from masis.text.grammars.companies import COMPANY
from masis.text.lexical import terms
from masis.words import countries

OPENING: Final = 2
"""Chunks in which a document names its parties."""
MOST_PARTIES: Final = 30
_LINE: Final = re.compile(
    r"^[\s*_|-]*(?:the )?(?P<label>[^\W\d_]+)\W{0,3}: ?\W{0,3}(?P<name>[A-ZÀ-Þ][^|\n]{2,120})",
    re.MULTILINE,
)
_NAME_END: Final = re.compile(r"\s*(?:[,;(“\"]|\*\*).*$")
_PARTY: Final = frozenset(
    terms(
        "supplier vendor seller contractor subcontractor provider consultant manufacturer distributor agent insurer"
        " broker carrier landlord lessor licensor bank auditor buyer purchaser customer client tenant lessee licensee"
        " employer partner"
    )
)
"""Sides of an agreement; "Owner" and "Author" are of a document."""
SUPPLYING: Final = frozenset(terms("supplier vendor manufacturer provider"))
SUPPLY: Final = "supply"
"""What is searched where their goods may be told of."""
_OF_SUPPLY: Final = re.compile(
    r"\b(?:suppl(?:y|ies|iers?)|purchas(?:es?|ing)|procurement|vendors?)\b", re.IGNORECASE
)
_GOODS: Final = re.compile(
    r"(?:^|(?<=[.;:!?]\s)|(?<=[-*•]\s))[A-Z][a-z]+(?: [a-z]+){0,3} from"
    r" (?P<name>[A-ZÀ-Þ][\w'’-]+(?: (?:& )?[A-ZÀ-Þ][\w'’-]+){0,4})",
    re.MULTILINE,
)
"""A sentence about goods and who sends them."""
_MARK_WITHIN: Final = 40
"""Characters behind the first word of a company's name in which its mark stands."""
_NO_SENDERS: Final = GIVEN_NAMES | DAYS_AND_MONTHS


def is_side(term: str) -> bool:
    """Return whether a term is a side of an agreement."""
    return term in _PARTY


def parties(
    asked: Wanted, read: Iterable[Sequence[EvidenceChunk]], instead: Instead
) -> list[WholeLine]:
    """Return a line for each party of the kind, with every document that names it so."""
    sides: dict[str, set[str]] = defaultdict(set)
    found: dict[str, tuple[str, list[str]]] = {}
    for chunk in (chunk for chunks in read for chunk in chunks[:OPENING]):
        for line in _LINE.finditer(chunk.text):
            side, name = " ".join(terms(line["label"])), _NAME_END.sub("", line["name"].strip())
            key = " ".join(terms(name))
            if side not in _PARTY or not key:
                continue
            sides[key].add(side)
            if asked.is_called(line["label"], instead):
                ids = found.setdefault(key, (name, []))[1]
                ids += [chunk.chunk_id] if chunk.chunk_id not in ids else []
    theirs = {key: told for key, told in found.items() if len(sides[key]) == 1}
    for chunk, name in _senders(asked, read):
        if not any(_is_same(name, key) for key in sides):
            theirs.setdefault(" ".join(terms(name)), (name, []))[1].append(chunk.chunk_id)
    return [
        WholeLine(text=name, ids=list(dict.fromkeys(ids)))
        for name, ids in [*theirs.values()][:MOST_PARTIES]
    ]


def _senders(
    asked: Wanted, read: Iterable[Sequence[EvidenceChunk]]
) -> Iterator[tuple[EvidenceChunk, str]]:
    """Yield whose goods are told of under a heading about supply, where suppliers are asked for."""
    there = [chunk for chunks in read for chunk in chunks if asked.head in SUPPLYING]
    for passage in (passage for chunk in there for passage in extraction.of_chunk(chunk)):
        if _OF_SUPPLY.search(passage.heading):
            for told in _GOODS.finditer(passage.text):
                if _may_send(told["name"], passage.chunk, there):
                    yield passage.chunk, told["name"]


def _may_send(name: str, chunk: EvidenceChunk, there: Iterable[EvidenceChunk]) -> bool:
    """Return whether a name may be a company's: one word may be a town or a department as well.

    Of that another document tells by the mark of a company.
    """
    first, *more = name.split()
    if first.lower() in _NO_SENDERS or name.isupper() or any(countries.mentioned(name)):
        return False
    return bool(more) or any(
        COMPANY.search(each[0])
        for other in there
        if other.document_id != chunk.document_id
        for each in re.finditer(rf"\b{re.escape(name)}\b[^.;|\n]{{0,{_MARK_WITHIN}}}", other.text)
    )


def _is_same(name: str, key: str) -> bool:
    """Return whether a name is one of those told, or a shorter form of it."""
    return set(terms(name)) <= set(key.split())
