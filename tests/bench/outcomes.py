"""What an outcome shows, and how many of them: read alike by every bench that asks questions."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from masis.domain import Answered, AnyOutcome, NeedsClarification

Row = dict[str, Any]
Each = TypeVar("Each")


def rows(path: Path) -> list[Row]:
    """Read a file of a JSON object a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def level(outcome: AnyOutcome) -> str:
    """Return the badge of an answer, the kind of a question back, or that it was small talk."""
    match outcome:
        case Answered(small_talk=True):
            return "small talk"
        case Answered(badge=badge):
            return badge.level if badge else "no badge"
        case NeedsClarification(kind=kind):
            return kind
    return type(outcome).__name__


def passes(outcome: AnyOutcome) -> bool:
    """Return whether it came back as an answer that is High or Medium."""
    return level(outcome) in {"High", "Medium"}


def shown(outcome: AnyOutcome) -> str:
    """Return what of the documents stands in front of the asker without a click."""
    match outcome:
        case Answered(answer=answer):
            return answer
        case NeedsClarification(nearest=nearest, statements=statements):
            return "\n".join([nearest, *(each.text for each in statements)])
    return ""


def asked_back(outcome: AnyOutcome) -> str:
    """Return the question back to the asker; empty where there is none."""
    return outcome.clarification_question if isinstance(outcome, NeedsClarification) else ""


def share(members: Sequence[Each], test: Callable[[Each], bool]) -> str:
    """Return how many of them pass a test, as so many of so many."""
    if not members:
        return "-"
    met = sum(map(test, members))
    return f"{met}/{len(members)} ({100 * met / len(members):.0f}%)"
