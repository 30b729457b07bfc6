"""Show what can be read about a channel: help, status, documents, history.

All are private messages.
"""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeVar

from bot.chat.shown.history_shown import past_question
from bot.chat.shown.status_shown import StatusShown, status_shown
from bot.chat.words import history_words, shared_sentences
from bot.chat.words.counts import counted
from bot.chat.words.phrases import age
from bot.chat.words.visible_text import one_line
from bot.slack import ids
from bot.slack.text import sentences
from bot.slack.text.defuse import Said, channel, mention, strong
from bot.slack.text.sentences import Closed
from bot.slack.text.thread_sentences import FOLLOW_UP_STATUS, MODE_STATUS
from bot.slack.views import blocks
from bot.slack.views.message import Message, notice
from masis.conversation import ChatRun, Link, Payload
from masis.domain import Document, Workspace

T = TypeVar("T")

PER_PAGE: Final = 20
"""Documents or questions a page."""
NAME_CHARS: Final = 100
QUESTION_CHARS: Final = 120

Posted = Mapping[str, Collection[str]]
"""The kinds of messages that each run posted, by its id."""


def help_message() -> Message:
    """Say what MASIS is, and list every command."""
    lines = "\n".join(f"`{ids.COMMAND} {verb}` {told}" for verb, told in sentences.COMMANDS)
    return notice(sentences.ABOUT, blocks.section(lines))


def status(link: Link, workspace: Workspace, closed: Closed = sentences.OPEN) -> Message:
    """Say what a linked channel can search, and who linked it when; or why it is not answered."""
    shown = status_shown(link, workspace)
    said = sentences.status(shown.workspace, shown.documents, shown.passages)
    more = [_linked(shown)]
    why = sentences.suspended(shown.suspended) if shown.suspended else closed.told
    if why:
        said = sentences.linked_to(shown.workspace)
        more.append(blocks.context(f"⚠️ {why}"))
    else:
        rules = f"{FOLLOW_UP_STATUS[shown.follow_ups]} {MODE_STATUS[shown.mode]}"
        more.append(blocks.context(rules.rstrip()))
    if not shown.documents:
        more.append(blocks.context(sentences.NO_DOCUMENTS))
    return notice(said, *more)


def _linked(shown: StatusShown) -> Payload:
    day = f"{shown.linked_at.day} {shown.linked_at:%b %Y}"
    told: Said = ("Linked by ", mention(shown.linked_by), f" on {day}.")
    return blocks.context(told)


def docs(
    workspace: Workspace, documents: Sequence[Document], today: dt.date, page: int = 0
) -> Message:
    """The documents of a channel's workspace, a page of them."""
    if not documents:
        return notice(sentences.NO_DOCUMENTS)
    shown, page, pages = _page(documents, page)
    head = sentences.documents_of(workspace.name, len(documents))
    lines = "\n".join(_document(document, today) for document in shown)
    turn = turning(ids.DOCS_PAGE, page, pages)
    return notice(head, *blocks.sections(lines), *turn)


def _document(document: Document, today: dt.date) -> str:
    parts = [
        _short(document.name, NAME_CHARS),
        document.format,
        f"version {document.version_number}",
        counted(document.chunks, "passage"),
        age(document.date, today, document.date_source),
    ]
    return f"• {' · '.join(parts)}"


def history(
    runs: Sequence[ChatRun], now: dt.datetime, page: int = 0, posted: Posted | None = None
) -> Message:
    """A person's recent questions in a place, the newest first."""
    if not runs:
        return notice(history_words.NO_HISTORY)
    shown, page, pages = _page(runs, page)
    lines = "\n".join(run_line(run, now, posted) for run in shown)
    turn = turning(ids.HISTORY_PAGE, page, pages)
    return notice((strong(history_words.HISTORY),), *blocks.sections(lines), *turn)


def run_line(run: ChatRun, now: dt.datetime, posted: Posted | None = None) -> str:
    """`• How much leave? · ✅ · 5 min ago`; a reply of the asker stands behind the question."""
    shown = past_question(run, (posted or {}).get(run.id, ()), now)
    return shown.line(lambda text: _short(text, QUESTION_CHARS))


def linked_line(link: Link, workspace: Workspace, closed: Closed = sentences.OPEN) -> Said:
    """`#general asks “handbook” · 12 documents`, or why it does not."""
    name = _short(workspace.name, NAME_CHARS)
    why = _short(link.suspended, QUESTION_CHARS) or closed.listed
    if why:
        return ("• ", channel(link.channel), sentences.does_not_answer(name, why))
    return ("• ", channel(link.channel), sentences.asks(name, workspace.documents))


def turning(action: str, page: int, pages: int, run: str = "") -> list[Payload]:
    """Buttons to the page before and after; none where there is one page."""
    if pages < 2:  # noqa: PLR2004 - one page needs no turning
        return []
    ways = [(0, shared_sentences.BACK, page - 1), (1, sentences.ONWARD, page + 1)]
    buttons = [
        blocks.button(label, ids.numbered(action, side), ids.PageRef(run=run, page=to))
        for side, label, to in ways
        if 0 <= to < pages
    ]
    return [blocks.context(sentences.page_of(page + 1, pages)), blocks.actions(*buttons)]


def _page(items: Sequence[T], page: int) -> tuple[Sequence[T], int, int]:
    """A page's items, its number held to those there are, and how many there are."""
    pages = max(1, -(-len(items) // PER_PAGE))
    held = max(0, min(page, pages - 1))
    return items[held * PER_PAGE : (held + 1) * PER_PAGE], held, pages


def _short(text: str, most: int) -> str:
    words = one_line(text)
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
