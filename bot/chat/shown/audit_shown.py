"""Give “How I got this” as every chat shows it: the trail of a run, section by section."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.chat.shown.badge_shown import BadgeShown, badge_shown
from bot.chat.shown.noted_lines import NotedLines
from bot.chat.trail import run_trail
from bot.chat.trail import trail_sentences as sentences
from bot.chat.trail.calculation_lines import calculation_lines
from bot.chat.trail.run_trail import Result, Search, quoted
from bot.chat.words import shared_sentences
from masis.domain import Answered, NeedsClarification
from masis.records import StoredRun

LONG_QUESTION: Final = 2_000
"""Characters of a question back from which on its message may have no room for all of it."""


@dataclass(frozen=True, slots=True)
class TrailSection:
    """Hold a section: its lines, what was looked at, and why there was a further pass."""

    title: str
    lines: tuple[str, ...]
    search: Search | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ScoresShown:
    """Hold the scores by name, none where there was nothing to score, and what held them down."""

    named: tuple[tuple[str, str], ...]
    clamps: str


@dataclass(frozen=True, slots=True)
class AuditShown:
    """Hold the trail of a run in the order in which it is read.

    `warning` says that texts were removed, `replied` what came of a question back. A run without an
    answer has its `error`, and neither badge nor scores.
    """

    run_id: str
    warning: str
    question: str
    replied: str
    badge: BadgeShown | None
    error: str
    scores: ScoresShown | None
    sections: tuple[TrailSection, ...]
    costs: str


def audit_shown(kept: StoredRun) -> AuditShown:
    """Return the trail of a run, from what was kept of it."""
    result = run_trail.result_of(kept)
    return AuditShown(
        run_id=kept.run_id,
        warning=f"⚠️ {sentences.BLANKED_RUN}" if kept.blanked else "",
        question=quoted(kept.question) if kept.question else "",
        replied=shared_sentences.replied(result.reply) if result and result.reply else "",
        badge=badge_shown(result) if result else None,
        error="" if result else run_trail.error_of(kept),
        scores=_scores(result) if result else None,
        sections=tuple(each for each in _sections(kept, result) if each.lines or each.search),
        costs=run_trail.costs(kept),
    )


def _scores(result: Result) -> ScoresShown:
    return ScoresShown(tuple(run_trail.scores(result).items()), run_trail.clamps(result))


def _sections(kept: StoredRun, result: Result | None) -> Iterator[TrailSection]:
    yield TrailSection(sentences.UNDERSTANDING, tuple(run_trail.understood(kept)))
    for done in run_trail.passes(kept):
        yield TrailSection(done.title, tuple(done.steps), done.search, done.reason)
    if isinstance(result, Answered):
        yield TrailSection(sentences.CALCULATIONS, tuple(calculation_lines(result)))
    if isinstance(result, NeedsClarification):
        yield TrailSection(sentences.ASKED_BACK, tuple(_long_question(result)))
    if result is not None:
        found = (f"• {line}" for line in run_trail.findings(result))
        yield TrailSection(sentences.FINDINGS, tuple(found))
        yield TrailSection(sentences.NOTED, tuple(_noted(result)))


def _long_question(result: NeedsClarification) -> list[str]:
    """Return the question back, a line each, where it may not stand in its message whole."""
    asked = result.clarification_question
    return [line for line in asked.split("\n") if line] if len(asked) > LONG_QUESTION else []


def _noted(result: Result) -> Iterator[str]:
    """List the notes that the outcome itself cuts or only counts."""
    open_points = result.gaps if isinstance(result, Answered) else result.untold
    for noted in (NotedLines.of(open_points), NotedLines.of(result.unread)):
        if not noted.is_whole:
            yield from (f"• {line}" for line in noted.lines)
