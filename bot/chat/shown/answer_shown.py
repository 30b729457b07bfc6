"""Give an answer as every surface shows it: chosen once, in one order, and drawn by each."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from bot.chat.shown.badge_shown import BadgeShown, badge_shown
from bot.chat.shown.noted_lines import NotedLines
from bot.chat.shown.source_shown import SourceShown, sources_shown
from bot.chat.shown.sourced_figures import Sourced, charts_shown, tables_shown
from bot.chat.words.badge_words import not_held, verdict
from bot.chat.words.visible_text import one_line
from masis.answering.outcome_texts import understood_as
from masis.domain import Answered
from masis.values.shown import Chart, ShownTable

UNREAD_MARK: Final = "⚠️ "


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """Hold an answer in the order in which it is read.

    `understood` says how the question was read, where that says more than what was typed. `text` is
    Markdown, with what did not hold marked in it. `gaps` are what of the question stays open,
    `unread` the files that came with it and were not read. `not_held` lists claims beyond or without
    a source. `summary` is the whole in a sentence, for notifications. `questions` can be asked next.
    """

    run_id: str
    understood: str
    text: str
    charts: tuple[Sourced[Chart], ...]
    tables: tuple[Sourced[ShownTable], ...]
    gaps: NotedLines
    unread: NotedLines
    badge: BadgeShown
    not_held: tuple[str, ...]
    improvement: str
    sources: tuple[SourceShown, ...]
    questions: tuple[str, ...]
    summary: str
    may_widen: bool
    has_code: bool
    is_small_talk: bool
    is_retold: bool


def answer_shown(
    outcome: Answered, question: str, today: dt.date | None = None, *, is_wider: bool = False
) -> AnswerShown:
    """Return an answer to what was typed.

    A search that was wide already is not widened once more, and one for a code has nothing to widen.
    """
    return AnswerShown(
        run_id=outcome.run_id,
        understood=understood_as(question, outcome.understood),
        text=outcome.answer,
        charts=charts_shown(outcome),
        tables=tables_shown(outcome),
        gaps=NotedLines.of(outcome.gaps),
        unread=NotedLines.of(outcome.unread, UNREAD_MARK),
        badge=badge_shown(outcome),
        not_held=tuple(not_held(outcome)),
        improvement=one_line(outcome.improvement),
        sources=sources_shown(outcome.citations, today),
        questions=tuple(outcome.questions),
        summary=": ".join(filter(None, (verdict(outcome), one_line(outcome.answer)))),
        may_widen=not is_wider and not _is_classified(outcome),
        has_code=outcome.code is not None,
        is_small_talk=outcome.small_talk,
        is_retold=outcome.retold,
    )


def _is_classified(outcome: Answered) -> bool:
    return outcome.code is not None or any(table.as_file for table in outcome.tables)
