"""Draw the badge line under an answer: a word, a percentage, a colour, and what they rest on."""

import math
from typing import Any, Final

from bot.rendering.counts import audited, counted
from bot.teams.cards.card_elements import Json, rich, run
from bot.teams.text.inert_text import one_line
from bot.teams.text.sentences import made_up, more, not_in_source, without_source
from masis.domain import Answered, NeedsClarification
from masis.graphs.chat.texts import WORD_FOR_WORD
from masis.graphs.research.texts import NOTHING_STATED, searched_for
from masis.policy import BADGE_HIGH, BADGE_MEDIUM

COLOUR: Final = {
    "High": "Good",
    "Medium": "Warning",
    "Low": "Attention",
    "Not audited": "Default",
}
_BETTER_FROM: Final = {"Medium": BADGE_HIGH, "Low": BADGE_MEDIUM}
"""The confidence from which a better word would stand there, had the badge not been lowered."""
MAX_LISTED: Final = 5
"""Claims of one kind that are listed under an answer; the rest is counted."""
CLAIM_CHARS: Final = 300

Result = Answered | NeedsClarification


def percent(share: float) -> str:
    """A share in whole percent, cut and not rounded: 64.9 % must not look like the pass mark."""
    return f"{math.floor(share * 100 + 1e-9)} %"


def verdict(value: Result) -> str:
    """`High 86 %`; only the word where the number would speak for a better one; nothing without."""
    badge = value.badge
    if badge is None:
        return ""
    lowered = badge.confidence >= _BETTER_FROM.get(badge.level, math.inf)
    if badge.level == "Not audited" or lowered:
        return badge.level
    return f"{badge.level} {percent(badge.confidence)}"


def badge_line(value: Result) -> Json:
    """`High 86 % · 5 of 5 claims cited · 2 documents`, the word in its colour; or why there is none."""
    if value.badge is None:
        is_quoted = isinstance(value, Answered) and value.retold
        return rich(run(WORD_FOR_WORD if is_quoted else NOTHING_STATED, size="Small"))
    how: dict[str, Any] = {"color": COLOUR[value.badge.level], "weight": "Bolder"}
    rest = " · ".join(["", *said_of(value)])
    return rich(run(verdict(value), **how), run(rest, size="Small"), spacing="Default")


def said_of(value: Result) -> list[str]:
    """Return what a badge rests on, part by part."""
    documents = len({citation.document_id for citation in value.citations})
    parts = [
        *audited(value.audit),
        counted(documents, "document") if documents else "",
        "extractive" if value.extractive else "",
        "words only" if value.lexical_only else "",
        one_line(value.badge.note) if value.badge else "",
        one_line(searched_for(value.searched_for)) if any(value.searched_for) else "",
    ]
    return [part for part in parts if part]


def not_held(value: Result) -> list[str]:
    """List what does not hold, a line each: made-up citations, claims beyond or without a source."""
    if value.audit is None:
        return []
    lines = [made_up(len(value.audit.invalid))] if value.audit.invalid else []
    for found in (
        [not_in_source(cut(each.sentence), cut(each.fault)) for each in value.audit.unsupported],
        [without_source(cut(each)) for each in value.audit.uncited],
    ):
        lines += found[:MAX_LISTED]
        if len(found) > MAX_LISTED:
            lines.append(more(len(found) - MAX_LISTED))
    return lines


def cut(text: str, most: int = CLAIM_CHARS) -> str:
    """A quoted text in one line, cut visibly."""
    words = one_line(text)
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
