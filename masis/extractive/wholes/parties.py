"""Find who is named as what is asked for at the head of documents: "Supplier: Ada Clay Ltd" for the suppliers.

Pure and lexical. It serves where no document lists them. Who stands on two sides of agreements ("Supplier" of
one and "Buyer" of another) is who the documents belong to, and none of theirs.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from masis.domain import EvidenceChunk
from masis.extractive.wholes.listed import Instead, Wanted
from masis.extractive.wholes.values import WholeLine
from masis.text.lexical import terms

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
    return [WholeLine(text=name, ids=ids) for name, ids in [*theirs.values()][:MOST_PARTIES]]
