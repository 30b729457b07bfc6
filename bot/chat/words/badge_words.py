"""Say what a badge rests on, and what under an answer does not hold."""

import math
from typing import Final

from bot.chat.words.counts import audited, counted
from bot.chat.words.shared_sentences import made_up, more, not_in_source, without_source
from bot.chat.words.visible_text import one_line
from masis.answering.outcome_texts import NOTHING_STATED, WORD_FOR_WORD, searched_for
from masis.domain import Answered, NeedsClarification
from masis.policy import BADGE_HIGH, BADGE_MEDIUM

_BETTER_FROM: Final = {"Medium": BADGE_HIGH, "Low": BADGE_MEDIUM}
"""The confidence from which a better word would stand there, had the badge not been lowered."""
MAX_LISTED: Final = 5
"""Claims of one kind that are listed under an answer; the rest is counted."""
CLAIM_CHARS: Final = 300
"""Of a claim that is quoted under an answer, where it stands whole."""

Result = Answered | NeedsClarification


def percent(share: float) -> str:
    """Write a share in whole percent, cut and not rounded: 64.9 % must not look like the pass mark."""
    return f"{math.floor(share * 100 + 1e-9)} %"


def verdict(value: Result) -> str:
    """Return `High 86 %`; only the word where the number would speak for a better one; else nothing."""
    badge = value.badge
    if badge is None:
        return ""
    lowered = badge.confidence >= _BETTER_FROM.get(badge.level, math.inf)
    if badge.level == "Not audited" or lowered:
        return badge.level
    return f"{badge.level} {percent(badge.confidence)}"


def unbadged(value: Result) -> str:
    """Say why there is no badge: it was quoted as it stood, or it states nothing."""
    is_quoted = isinstance(value, Answered) and value.retold
    return WORD_FOR_WORD if is_quoted else NOTHING_STATED


def rests_on(value: Result) -> list[str]:
    """List what a badge rests on: the audit, the documents, how it was made, what was searched for."""
    documents = len({citation.document_id for citation in value.citations})
    parts = [
        *audited(value.audit),
        counted(documents, "document") if documents else "",
        "extractive" if value.extractive else "",
        "words only" if value.lexical_only else "",
        one_line(value.badge.note) if value.badge else "",
        # Empty where its document is gone.
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
    """Return a quoted text in one line, cut visibly."""
    words = one_line(text)
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
