"""Votes as evaluation cases, in the form that `masis eval` reads."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from storage.chat.votes import VotedRun

GOOD: Final = "voted-good"
NOT_GOOD: Final = "voted-not-good"
"""Kinds, by which `masis eval` counts them apart."""

_ASKED_BACK: Final = "needs_clarification"

_TO_COMPLETE: Final = (
    "To be completed: put into must_include what a good answer says, into gold the documents that"
    " say it; set answerable to false where the documents do not say, to null where asking back is"
    " right."
)


class Cases(NamedTuple):
    """One case a run. `left_out` are runs whose question or sources are not kept any more."""

    cases: list[dict[str, Any]]
    left_out: int

    @property
    def to_complete(self) -> int:
        """Count the cases that a person has to complete."""
        return sum(case["kind"] == NOT_GOOD for case in self.cases)


def cases(found: "Iterable[VotedRun]") -> Cases:
    """A case for each run that was voted on, in the order of its first vote.

    A run that anybody found not good is one for a person to look at, whoever liked it.
    """
    runs: dict[tuple[str, str], list[VotedRun]] = {}
    for voted in found:
        runs.setdefault((voted.workspace_id, voted.vote.run_id), []).append(voted)
    kept = [votes for votes in runs.values() if votes[0].question and not votes[0].blanked]
    return Cases([_case(votes) for votes in kept], len(runs) - len(kept))


def _case(votes: "Sequence[VotedRun]") -> dict[str, Any]:
    voted = votes[0]
    about = {"id": voted.vote.run_id, "question": voted.question}
    if all(each.vote.good for each in votes):
        return about | {
            "kind": GOOD,
            "answerable": None if voted.status == _ASKED_BACK else True,
            "answer": voted.answer,
            "must_include": [],
            "gold": [{"doc": name} for name in voted.documents],
        }
    # Under names that `masis eval` does not read: a bad answer is no reference.
    return about | {
        "kind": NOT_GOOD,
        "answerable": True,
        "must_include": [],
        "gold": [],
        "note": _TO_COMPLETE,
        "reasons": [each.vote.reason for each in votes if each.vote.reason],
        "status": voted.status,
        "given": voted.answer,
        "cited": voted.documents,
    }
