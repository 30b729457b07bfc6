"""Suggest replies to a question that was asked back, from what the run knows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from bot.chat.words import shared_sentences
from bot.chat.words.visible_text import one_line
from masis.answering import citations
from masis.conversation import BOTH
from masis.domain import NeedsClarification

MAX_SUGGESTIONS: Final = 4
MAX_OPTIONS: Final = 8
"""As many as a question back names: each has its button."""


def suggestions(outcome: NeedsClarification, metrics: Mapping[str, Any]) -> list[str]:
    """Up to four replies that would help, questions first; of options one each.

    `metrics` are the finished run's, whose `retrieval_scores` name the nearest documents.
    """
    match outcome.kind:
        case "conflict":
            return _sides(outcome)
        case "ambiguous" | "choice":
            return [one_line(option) for option in outcome.options[:MAX_OPTIONS]]
        case "below_threshold":
            said, names = shared_sentences.suggest_document, _nearest(metrics)
        case "low_confidence" | "partly_answered":
            # Where one document was looked at alone, to go by it changes nothing.
            is_narrowed = len(set(_nearest(metrics))) == 1
            said, names = shared_sentences.suggest_only, [] if is_narrowed else _cited(outcome)
        case "not_covered":
            said, names = shared_sentences.suggest_only, []
        case _:
            return []
    instead = [one_line(question) for question in outcome.questions]
    distinct = dict.fromkeys(one_line(name) for name in names)
    offered = [*instead, *(said(name) for name in distinct if name)]
    # What was replied already changes nothing a second time.
    return [each for each in offered if each != outcome.reply][:MAX_SUGGESTIONS]


def _sides(outcome: NeedsClarification) -> list[str]:
    """Each of the documents that disagree counts, or both do."""
    names = dict.fromkeys(one_line(name) for name in _disagreeing(outcome))
    said = [shared_sentences.suggest_source(name) for name in names if name][: MAX_SUGGESTIONS - 1]
    return [*said, BOTH] if len(said) > 1 else said


def _disagreeing(outcome: NeedsClarification) -> Iterable[str]:
    """The documents that the conflicts name, else those that the draft cites."""
    if outcome.statements:
        return [said.document for said in outcome.statements]
    found: Sequence[str] = outcome.critique.conflicting_evidence if outcome.critique else []
    named = {mark for text in found for each in citations.find(text) for mark in each.ids}
    sources = [source.document for source in outcome.citations if source.chunk_id in named]
    return sources or _cited(outcome)


def _cited(outcome: NeedsClarification) -> list[str]:
    return [source.document for source in outcome.citations]


def _nearest(metrics: Mapping[str, Any]) -> list[str]:
    """The documents of the last search, the one with the closest passage first."""
    searches = metrics.get("retrieval_scores") or []
    seen = searches[-1]["candidates"] if searches else []
    ranked = sorted(seen, key=lambda candidate: candidate["score"], reverse=True)
    return [str(candidate["document"]) for candidate in ranked]
