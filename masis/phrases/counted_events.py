"""Tell how many of a thing there are from how many of them something became of: made, and missed or returned."""

import re
from collections.abc import Sequence
from typing import Final

from masis.text.lexical import terms

_COUNTS: Final = re.compile(
    r"\b(?:how many|how much|what (?:number|share|part) of|which share)\b", re.IGNORECASE
)
_EVENTS: Final = tuple(
    frozenset(terms(words))
    for words in (
        "miss missed missing short shortfall shortage below behind fewer lack lacking late lost",
        "reject rejected refuse refused decline declined turned",
        "cancel cancelled canceled cancellation withdrawn",
        "lose lost loss losing stolen theft missing",
        "fail failed failing failure fault faulty defect defective",
        "return returned returns back",
        "scrap scrapped waste wasted off",
        "break broke broken breakage damage damaged",
        "delay delayed late overdue behind held",
    )
)
"""What can become of some of a thing, in the words that documents have for it."""
_NO_EVENT: Final = frozenset(terms("off back short below behind held turned"))
"""Of these, the words that mean much else where they are asked: "how many days off", "back to back"."""


def is_of_all(asked: str, stated: Sequence[tuple[str, str]]) -> bool:
    """Tell whether it is counted of how many something became, and no statement with its context speaks of that."""
    if not _COUNTS.search(asked):
        return False
    said = set(terms("\n".join(f"{text}\n{context}" for text, context in stated)))
    own = set(terms(asked)) - _NO_EVENT
    # A word of two groups means either: "lost" is missed and stolen.
    meant = frozenset().union(*(group for group in _EVENTS if not own.isdisjoint(group)))
    return bool(stated and meant) and said.isdisjoint(meant)
