"""The sentence or two of a draft that come nearest to its question, to be shown beside a question back."""

from collections.abc import Sequence
from typing import Final

from masis import citations
from masis.citations import Claim
from masis.domain import Citation, ClarificationKind
from masis.graphs.research.decisions import is_near
from masis.graphs.research.state import AuditedDraft
from masis.lexical import terms

MOST_STATEMENTS: Final = 2
LEAST_SHARED: Final = 0.25
"""The share of the question's terms that a statement must have to be near to it."""
MOST_CHARS: Final = 600
"""Of both together; the rest is a click away."""
SHOWN_FOR: Final = frozenset[ClarificationKind]({"low_confidence", "partly_answered"})
"""Why it may be shown: not where sources conflict, nothing speaks of it, or nobody has audited it."""


def of(draft: AuditedDraft, question: str, sources: Sequence[Citation]) -> str:
    """The nearest cited statements with their numbers, in the draft's order; empty where none is."""
    if not is_near(draft):
        return ""
    numbers = {source.chunk_id: source.n for source in sources}
    asked = set(terms(question))
    held = {
        claim: len(asked.intersection(terms(claim.text)))
        for claim in citations.claims(draft.answer)
        if any(name in numbers for name in claim.ids)
    }
    stated = [claim for claim in held if held[claim] >= LEAST_SHARED * len(asked)]
    ranked = sorted(stated, key=lambda claim: -held[claim])
    shown: list[Claim] = []
    for claim in ranked[:MOST_STATEMENTS]:
        if sum(len(each.text) for each in [*shown, claim]) <= MOST_CHARS:
            shown.append(claim)
    return "\n".join(_numbered(claim, numbers) for claim in stated if claim in shown)


def _numbered(claim: Claim, numbers: dict[str, int]) -> str:
    marks = "".join(f"[{numbers[name]}]" for name in claim.ids if name in numbers)
    return f"{claim.text} {marks}"
