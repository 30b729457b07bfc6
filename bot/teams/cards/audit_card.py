"""Draw “How I got this”: the audit trail of a run, from what was kept of it, in pages that fit."""

from collections.abc import Iterator

from bot.chat.trail import run_trail
from bot.chat.trail import trail_sentences as said
from bot.chat.trail.calculation_lines import calculation_lines
from bot.chat.trail.run_trail import Pass, Result, quoted
from bot.chat.words import shared_sentences
from bot.chat.words.badge_words import cut
from bot.teams.cards.answer_card import paged
from bot.teams.cards.badge_line import badge_line
from bot.teams.cards.card_elements import Json, rich, run, small, strong
from bot.teams.cards.carried import DialogRef
from bot.teams.cards.dialog_pages import turned
from masis.domain import Answered
from masis.records import StoredRun


def audit(kept: StoredRun, page: int = 0) -> Json:
    """Return a page of the trail; one that is not there is the nearest."""
    ref = DialogRef(dialog="audit", run=kept.run_id, page=page)
    return turned(paged(list(_all(kept))), ref)


def _all(kept: StoredRun) -> Iterator[Json]:
    result = run_trail.result_of(kept)
    yield from _head(kept, result)
    if result is not None:
        yield from _scores(result)
    yield from _lines(said.UNDERSTANDING, run_trail.understood(kept))
    for each in run_trail.passes(kept):
        yield from _pass(each)
    if isinstance(result, Answered):
        yield from _lines(said.CALCULATIONS, calculation_lines(result))
    if result is not None:
        yield from _lines(said.FINDINGS, [f"• {line}" for line in run_trail.findings(result)])
    yield _titled(said.FIGURES)
    yield small(run_trail.costs(kept))
    yield small(f"run {kept.run_id}")


def _head(kept: StoredRun, result: Result | None) -> Iterator[Json]:
    if kept.blanked:
        yield rich(f"⚠️ {said.BLANKED_RUN}")
    if kept.question:
        yield rich(strong(quoted(kept.question)))
    if result is not None and result.reply:
        yield small(shared_sentences.replied(result.reply))
    if result is not None:
        yield badge_line(result)
    elif error := run_trail.error_of(kept):
        yield rich(error)


def _scores(result: Result) -> Iterator[Json]:
    yield _titled(said.SCORES)
    named = run_trail.scores(result)
    if not named:
        yield small(said.NOT_SCORED)
        return
    yield rich(" · ".join(f"{name} {value}" for name, value in named.items()))
    yield small(run_trail.clamps(result))


def _pass(done: Pass) -> Iterator[Json]:
    """One pass: its steps with their figures, what was looked at, why there was a further one."""
    yield from _lines(done.title, done.steps)
    if done.search is not None:
        yield small(done.search.head)
        for passage in done.search.passages:
            line = cut(passage, run_trail.QUOTED_CHARS)
            yield rich(run(line, size="Small"), spacing="None")
    if done.reason:
        yield small(done.reason)


def _lines(title: str, lines: list[str]) -> Iterator[Json]:
    if lines:
        yield _titled(title)
    for line in lines:
        yield rich(line, spacing="None")


def _titled(text: str) -> Json:
    return rich(strong(text), spacing="Medium")
