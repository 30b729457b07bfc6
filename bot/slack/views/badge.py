"""The badge line under an answer: a word, a percentage, a colour, and what they rest on."""

import math
from typing import Final

from bot.rendering.counts import audited, counted
from bot.slack.text.defuse import one_line
from bot.slack.text.sentences import made_up, more, not_in_source, without_source
from masis.domain import Answered, NeedsClarification
from masis.graphs.chat.texts import WORD_FOR_WORD
from masis.graphs.research.texts import NOTHING_STATED, searched_for
from masis.policy import BADGE_HIGH, BADGE_MEDIUM

COLOUR: Final = {"High": "🟢", "Medium": "🟡", "Low": "🔴", "Not audited": "⚪"}

_BETTER_FROM: Final = {"Medium": BADGE_HIGH, "Low": BADGE_MEDIUM}
"""The confidence from which a better word would stand there, had the badge not been lowered."""

MAX_LISTED: Final = 5
"""Claims of one kind that are listed under an answer; the rest is counted."""

CLAIM_CHARS: Final = 300
"""Of a claim that is quoted under an answer, where it stands whole."""

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


def badge_line(value: Result) -> str:
    """`🟢 High 86 % · 5 of 5 claims cited · 2 documents · extractive`, or why there is none."""
    if value.badge is None:
        is_quoted = isinstance(value, Answered) and value.retold
        return WORD_FOR_WORD if is_quoted else NOTHING_STATED
    parts = [f"{COLOUR[value.badge.level]} {verdict(value)}", *audited(value.audit)]
    documents = len({citation.document_id for citation in value.citations})
    if documents:
        parts.append(counted(documents, "document"))
    if value.extractive:
        parts.append("extractive")
    if value.lexical_only:
        parts.append("words only")
    if value.badge.note:
        parts.append(one_line(value.badge.note))
    if any(value.searched_for):  # empty where its document is gone
        parts.append(one_line(searched_for(value.searched_for)))
    return " · ".join(parts)


def not_held(value: Result) -> list[str]:
    """List what does not hold, a line each.

    These are made-up citations, and claims beyond or without a source.
    """
    if value.audit is None:
        return []
    lines = [made_up(len(value.audit.invalid))] if value.audit.invalid else []
    for found in (
        [
            not_in_source(shortened(each.sentence), shortened(each.fault))
            for each in value.audit.unsupported
        ],
        [without_source(shortened(each)) for each in value.audit.uncited],
    ):
        lines += found[:MAX_LISTED]
        if len(found) > MAX_LISTED:
            lines.append(more(len(found) - MAX_LISTED))
    return lines


def shortened(text: str) -> str:
    """A quoted claim in one line, cut visibly."""
    words = one_line(text)
    return words if len(words) <= CLAIM_CHARS else f"{words[: CLAIM_CHARS - 1].rstrip()}…"
