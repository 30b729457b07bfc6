"""Draw “How I got this”: the audit trail of a run, from what was kept of it, in pages that fit."""

from collections.abc import Iterator

from bot.chat.shown.audit_shown import AuditShown, ScoresShown, TrailSection, audit_shown
from bot.chat.trail import trail_sentences as said
from bot.teams.cards.answer_card import paged
from bot.teams.cards.badge_line import badge_line
from bot.teams.cards.card_elements import Json, parts_of, rich, run, small, strong
from bot.teams.cards.carried import DialogRef
from bot.teams.cards.dialog_pages import turned
from masis.records import StoredRun


def audit(kept: StoredRun, page: int = 0) -> Json:
    """Return a page of the trail; one that is not there is the nearest."""
    content = audit_shown(kept)
    ref = DialogRef(dialog="audit", run=content.run_id, page=page)
    return turned(paged(list(_all(content))), ref)


def _all(content: AuditShown) -> Iterator[Json]:
    yield from _head(content)
    if content.scores is not None:
        yield from _scores(content.scores)
    for section in content.sections:
        yield from _section(section)
    yield _titled(said.FIGURES)
    yield small(content.costs)
    yield small(f"run {content.run_id}")


def _head(content: AuditShown) -> Iterator[Json]:
    if content.warning:
        yield rich(content.warning)
    if content.question:
        yield rich(strong(content.question))
    if content.replied:
        yield small(content.replied)
    if content.badge is not None:
        yield badge_line(content.badge)
    if content.error:
        yield rich(content.error)


def _scores(scores: ScoresShown) -> Iterator[Json]:
    yield _titled(said.SCORES)
    if not scores.named:
        yield small(said.NOT_SCORED)
        return
    yield rich(" · ".join(f"{name} {value}" for name, value in scores.named))
    yield small(scores.clamps)


def _section(content: TrailSection) -> Iterator[Json]:
    """One section: its lines, what was looked at, why there was a further pass."""
    if content.lines:
        yield _titled(content.title)
    for line in content.lines:
        yield from (rich(part, spacing="None") for part in parts_of(line))
    if content.search is not None:
        yield small(content.search.head)
        for passage in content.search.passages:
            yield rich(run(passage, size="Small"), spacing="None")
    if content.reason:
        yield small(content.reason)


def _titled(text: str) -> Json:
    return rich(strong(text), spacing="Medium")
