"""Give a question back to the asker as every surface shows it: why it is asked, and what was found."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from bot.chat.shown.answer_shown import UNREAD_MARK
from bot.chat.shown.badge_shown import BadgeShown, badge_shown
from bot.chat.shown.noted_lines import NotedLines
from bot.chat.shown.source_shown import SourceShown, sources_shown
from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import not_held, percent
from bot.chat.words.suggested_replies import MAX_OPTIONS
from bot.chat.words.visible_text import one_line
from masis.answering.outcome_texts import NEAREST, searched_for, understood_as
from masis.conversation import Session
from masis.domain import Evaluation, NeedsClarification

WORTH_READING: Final = 0.30
"""The confidence of a draft from which on it is shown below a question back that says nothing was found."""
SCORES: Final = {
    "faithfulness": "Faithfulness",
    "relevance": "Relevance",
    "completeness": "Completeness",
    "reasoning_quality": "Reasoning",
}


@dataclass(frozen=True, slots=True)
class DraftShown:
    """Hold the best draft of a run that asked back, with its badge and its sources.

    `is_near` tells whether it may stand below the question unasked for.
    """

    text: str
    badge: BadgeShown
    not_held: tuple[str, ...]
    sources: tuple[SourceShown, ...]
    is_near: bool


@dataclass(frozen=True, slots=True)
class ClarificationShown:
    """Hold a question back in the order in which it is read.

    `nearest` is what of an unsure draft comes nearest, with `near_sources`; `gaps` are those that
    the question does not name itself. `why` says why it is asked, `searched_for` what was searched
    in place of words as they were typed, `scores` how the draft did. `suggestions` are replies that
    can be chosen, `session` is where a reply goes: empty where no reply would mend anything.
    `options` are what it may be about, and `names_options` tells whether the question counts them up
    itself; `questions` can be asked instead.
    """

    run_id: str
    title: str
    understood: str
    nearest: str
    gaps: NotedLines
    near_sources: tuple[SourceShown, ...]
    question: str
    unread: NotedLines
    why: str
    badge: BadgeShown | None
    searched_for: str
    scores: str
    session: str
    suggestions: tuple[str, ...]
    options: tuple[str, ...]
    names_options: bool
    questions: tuple[str, ...]
    draft: DraftShown | None
    sources: tuple[SourceShown, ...]
    summary: str
    may_widen: bool


def clarification_shown(
    outcome: NeedsClarification,
    question: str,
    session: Session | None = None,
    today: dt.date | None = None,
    *,
    is_wider: bool = False,
) -> ClarificationShown:
    """Return a question back to what was typed; without a session nothing can be replied to it."""
    title = shared_sentences.UNSURE if outcome.nearest else shared_sentences.ASKS_BACK
    # Where nothing can be found, how it was read is of no matter.
    is_empty = outcome.kind == "empty_workspace"
    sources = sources_shown(outcome.citations, today)
    near = f"{NEAREST} {outcome.nearest} " if outcome.nearest else ""
    return ClarificationShown(
        run_id=outcome.run_id,
        title=title,
        understood="" if is_empty else understood_as(question, outcome.understood),
        nearest=outcome.nearest,
        gaps=NotedLines.of(outcome.untold),
        near_sources=tuple(each for each in sources if f"[{each.n}]" in outcome.nearest),
        question=outcome.clarification_question,
        unread=NotedLines.of(outcome.unread, UNREAD_MARK),
        why=shared_sentences.WHY[outcome.kind],
        badge=None if outcome.audit is None else badge_shown(outcome),
        searched_for=_searched_for(outcome),
        scores="" if outcome.evaluation is None else scores(outcome.evaluation),
        session="" if session is None else session.id,
        suggestions=() if session is None else tuple(session.suggestions[:MAX_OPTIONS]),
        options=tuple(outcome.options),
        names_options=_names_options(outcome),
        questions=tuple(outcome.questions),
        draft=draft_shown(outcome, today),
        sources=sources,
        summary=f"{title}: {near}{outcome.clarification_question}",
        may_widen=session is not None and not is_wider and outcome.kind != "choice",
    )


def draft_shown(outcome: NeedsClarification, today: dt.date | None = None) -> DraftShown | None:
    """Return the best draft; None where nothing was found that could be used."""
    if outcome.audit is None:
        return None
    # What nothing speaks of is not answered by the best that was found beside it.
    is_far = outcome.kind == "not_covered" or (outcome.confidence or 0.0) < WORTH_READING
    return DraftShown(
        text=outcome.answer,
        badge=badge_shown(outcome),
        not_held=tuple(not_held(outcome)),
        sources=sources_shown(outcome.citations, today),
        is_near=bool(outcome.nearest) or not is_far,
    )


def scores(evaluation: Evaluation) -> str:
    """The four scores and their mean, in whole percent."""
    parts = [f"{name} {percent(getattr(evaluation, key))}" for key, name in SCORES.items()]
    return " · ".join([*parts, f"overall {percent(evaluation.overall_score)}"])


def _searched_for(outcome: NeedsClarification) -> str:
    """Say what was searched for, where no badge does."""
    is_said = outcome.audit is not None or not any(outcome.searched_for)
    return "" if is_said else one_line(searched_for(outcome.searched_for))


def _names_options(outcome: NeedsClarification) -> bool:
    """Tell whether the question counts up the options itself, with what each is."""
    said = outcome.clarification_question
    return all(
        f"\n{number}. {option}" in said for number, option in enumerate(outcome.options, start=1)
    )


# --- when it takes no reply any more -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClosedClarification:
    """Hold a question back that takes no reply any more."""

    run_id: str
    title: str
    question: str


def closed_clarification(session: Session) -> ClosedClarification:
    """Return the question that a session waited with, under its title."""
    is_near = session.clarification.startswith(NEAREST)
    title = shared_sentences.UNSURE if is_near else shared_sentences.ASKS_BACK
    return ClosedClarification(session.run_id, title, session.clarification)


def hours_open(session: Session) -> int:
    """Return how many hours a session waits for its reply, at least one."""
    return max(1, round((session.expires_at - session.created_at).total_seconds() / 3600))
