"""Score passages by whether they tell what to do whom to call or what a thing is, or where not to, as far as that was asked."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from masis.phrases import definitions
from masis.retrieval.extraction import Scored
from masis.text import instructions

TO_DO_BONUS: Final = 0.25
"""Of a passage that tells to do something, where it is asked what to do. What the confidence is fitted
on has no part of it."""
CONTACT_BONUS: Final = 0.35
"""Of one that gives a number or says whom to call, where that is asked."""
DEFINES_BONUS: Final = 0.35
"""Of one that says what a thing is, where that is asked."""
FORBIDS_PENALTY: Final = 0.10
"""Of one that says where not, where it is asked where."""


def as_asked(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages with what was asked for above what only speaks of the same matter."""
    if name := definitions.thing(question.partition("\n")[0]):
        return [
            _lifted(s, DEFINES_BONUS, tells=definitions.says_what(name, s.passage.text))
            for s in scored
        ]
    if instructions.asks_contact(question):
        return [
            _lifted(s, CONTACT_BONUS, tells=instructions.gives_contact(s.passage.text))
            for s in scored
        ]
    if instructions.asks_what_to_do(question):
        return [
            _lifted(s, TO_DO_BONUS, tells=instructions.instructs(s.passage.text)) for s in scored
        ]
    if instructions.asks_where(question):
        return [
            _lifted(s, -FORBIDS_PENALTY, tells=instructions.forbids(s.passage.text)) for s in scored
        ]
    return list(scored)


def _lifted(scored: Scored, by: float, *, tells: bool) -> Scored:
    return replace(scored, score=scored.score + by) if tells else scored
