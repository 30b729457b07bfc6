"""Tell the questions that documents leave open: "Open points: Who will sign? Owner: A. Lund".

Pure and lexical. A page of questions and answers is none: there the answer stands behind the question.
"""

import re
from collections.abc import Set as AbstractSet
from typing import Final

from masis.text.lexical import terms

_OPEN: Final = re.compile(
    r"\b(?:(?:still|yet|left|remaining|remains?) open|open (?:points?|questions?|issues?|items?|matters?|actions?|ends?)"
    r"|to (?:be )?(?:decide|clarif|confirm|settle|discuss|agree|clear)\w*|unresolved|undecided|outstanding"
    r"|not yet (?:decided|clear|settled|known|agreed)|unanswered|action(?:s| points?| items?)?|to[- ]?dos?|next steps?)\b",
    re.IGNORECASE,
)
"""What stands over points of which the answer is still to come."""
_QUESTION: Final = re.compile(
    r"\W*(?:\d+[.)] )?(?P<asked>[^.!?|:]{8,240}\?)(?=\s|$)(?P<rest>.*)", re.DOTALL
)
_KEEPER: Final = r"(?:owners?|who|by(?: when)?|due(?: date)?|when|until|responsible|lead|status|state|no\.?|nr\.?|#|date|deadline|assigned(?: to)?)"
_IN_CHARGE: Final = re.compile(rf"(?:\W*{_KEEPER}: [^.|]{{1,60}}[.,;]?)*\W*", re.IGNORECASE)
"""Who looks after a point, and until when: no answer to it."""
_CELL: Final = re.compile(r"(?:(?P<column>[^:|]{1,60}): )?(?P<value>[^|]+)")
_ABOUT: Final = re.compile(
    r"(?P<task>[\w'’-]+(?: [\w'’-]+){0,4}?) (?:of|for|about|on|above|in|to) (?P<matter>.+)",
    re.IGNORECASE,
)
"""How a task names what it is about: "Dutch version of this page"."""
_ASKS_FOR_POINTS: Final = frozenset(
    terms(
        "question questions point points issue issues action actions todo agenda checklist open unresolved topic ask asked"
    )
)


_TO_ASK: Final = re.compile(
    r"\b(?:do|does|should|shall|can|could|may|must|to|would) (?:i |we |you )?ask\b",
    re.IGNORECASE,
)
"""Who wants to ask somebody asks for nothing that is open."""


def is_open(above: str) -> bool:
    """Return whether what stands over points calls them open, or still to be done."""
    return _OPEN.search(above) is not None


def posed(text: str, above: str = "") -> str:
    """Return the question that an item or a row leaves open; empty where it asks none, or answers it."""
    flat = " ".join(text.split())
    if " | " in flat:
        return _in_a_row(flat, is_open=is_open(above))
    found = _QUESTION.match(flat)
    if found is None:
        return ""
    return found["asked"].strip() if is_open(above) or _IN_CHARGE.fullmatch(found["rest"]) else ""


def _in_a_row(row: str, *, is_open: bool) -> str:
    """The question of a row that has nothing else but who looks after it; of any row of open points."""
    cells = [found for part in row.strip("| ").split(" | ") if (found := _CELL.fullmatch(part))]
    asking = [each for each in cells if each["value"].rstrip().endswith("?")]
    if len(asking) != 1:
        return ""
    others = [each for each in cells if each is not asking[0]]
    is_kept = all(re.fullmatch(_KEEPER, each["column"] or "", re.IGNORECASE) for each in others)
    return asking[0]["value"].strip() if is_open or is_kept else ""


def is_about(task: str, asked: AbstractSet[str]) -> bool:
    """Return whether a task has what is asked about as its matter alone: "trial of a shorter rota" of the rota."""
    found = _ABOUT.match(task)
    if found is None:
        return False
    is_asked = not asked.isdisjoint(terms(found["matter"]))
    return is_asked and asked.isdisjoint(terms(found["task"]))


def asks_for_points(question: str) -> bool:
    """Return whether what is open is itself asked for: "what are the open points"."""
    return not _ASKS_FOR_POINTS.isdisjoint(terms(_TO_ASK.sub(" ", question)))
