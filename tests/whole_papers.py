"""Chunks of one paper, for tests of wholes."""

from masis.domain import EvidenceChunk, Place
from tests.scripted_agents import chunk


def part(number: int, text: str, *headings: str, paper: str = "paper.md") -> EvidenceChunk:
    """A chunk of that paper under these headings."""
    return chunk(
        number,
        text=text,
        document_id=f"d_{paper}",
        document=paper,
        title="Paper",
        position=number,
        context=" › ".join(["Paper", *headings]),
        place=Place(headings=list(headings)),
    )
