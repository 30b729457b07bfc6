"""The app's home tab, and the prompts that a direct message suggests."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.chat.words import admin_sentences, shared_sentences
from bot.chat.words.visible_text import one_line
from bot.slack import ids, limits
from bot.slack.text import sentences
from bot.slack.text.sentences import Closed
from bot.slack.views import blocks, picker
from bot.slack.views.blocks import Blocks
from bot.slack.views.channel_info import Posted, linked_line, run_line
from bot.slack.views.message import View
from masis.conversation import ChatRun, Link, Payload
from masis.domain import Document, Workspace, WorkspaceId
from masis.values.suggested import Suggestion

MAX_LINKS: Final = 20
MAX_RUNS: Final = 10
MAX_CHECKS: Final = 10
TITLE_CHARS: Final = 60
"""Of a document in a suggested prompt."""


@dataclass(frozen=True, slots=True)
class Check:
    """A part of MASIS and whether it works; `detail` says what to do where it could do better."""

    name: str
    works: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class HomeState:
    """All that a person's home tab shows; only what they may see stands in it."""

    now: dt.datetime
    links: Sequence[tuple[Link, Workspace, Closed]] = ()
    runs: Sequence[ChatRun] = ()
    posted: Posted = field(default_factory=dict)
    checks: Sequence[Check] = ()
    workspaces: Sequence[Workspace] = ()
    chosen: WorkspaceId | None = None
    questions: Sequence[Suggestion] = ()
    can_link: bool = False
    can_set: bool = False
    refused: str = ""
    """Why this person may not ask at all; then nothing else is shown."""


def home(state: HomeState) -> View:
    """The tab: what can be asked where, what was asked, how MASIS does."""
    parts: Blocks = [blocks.header(shared_sentences.APP), blocks.section(sentences.ABOUT)]
    if state.refused:
        return {"type": "home", "blocks": [*parts, blocks.section(f"🚫 {state.refused}")]}
    if state.can_link or state.can_set:
        parts.append(_managing(state))
    parts += _chosen(state)
    parts += _questions(state.questions)
    parts += _listed(
        sentences.LINKED_CHANNELS,
        [blocks.section(linked_line(*each)) for each in state.links[:MAX_LINKS]],
        len(state.links) - MAX_LINKS,
        sentences.NO_LINKS,
    )
    parts += _listed(
        sentences.RECENT,
        [blocks.section(run_line(run, state.now, state.posted)) for run in state.runs[:MAX_RUNS]],
        len(state.runs) - MAX_RUNS,
        sentences.NO_RUNS,
    )
    if state.checks:
        lines = [blocks.context(_health(check)) for check in state.checks[:MAX_CHECKS]]
        parts += _listed(sentences.HEALTH, lines, 0, "")
    return {"type": "home", "blocks": parts[: limits.VIEW_BLOCKS]}


def _questions(questions: Sequence[Suggestion]) -> Blocks:
    """List what the documents answer, with the document that does.

    The list is empty where nothing is known.
    """
    lines = [
        blocks.section(sentences.question_to_try(each.text, each.document)) for each in questions
    ]
    return [blocks.header(sentences.TRY_ASKING), *lines] if lines else []


def prompts(documents: Sequence[Document], questions: Sequence[Suggestion] = ()) -> list[Payload]:
    """Up to four prompts, each with its title and what it asks.

    Questions that the documents answer come first, then what the newest documents are about.
    """
    newest = sorted(documents, key=lambda document: document.ingested_at, reverse=True)
    titles = dict.fromkeys(one_line(document.title or document.name) for document in newest)
    made = [(one_line(each.text), one_line(each.text)) for each in questions]
    made += [sentences.prompt(title[:TITLE_CHARS]) for title in titles if title]
    return [
        {
            "title": blocks.plain(title, limits.BUTTON_TEXT)["text"],
            "message": blocks.plain(message, limits.TEXT_OBJECT)["text"],
        }
        for title, message in made[: limits.SUGGESTED_PROMPTS]
    ]


def _managing(state: HomeState) -> Payload:
    buttons = []
    if state.can_link:
        buttons.append(blocks.button(admin_sentences.LINK_CHANNEL, ids.LINK, style="primary"))
    if state.can_set:
        buttons.append(blocks.button(admin_sentences.OPEN_SETTINGS, ids.SETTINGS))
    return blocks.actions(*buttons)


def _chosen(state: HomeState) -> Blocks:
    if not state.workspaces:
        return [blocks.context(sentences.NO_WORKSPACE_FOR_YOU)]
    chooser = picker.chooser(state.workspaces, state.chosen)
    return [blocks.section(sentences.DIRECT_ASKS), *chooser]


def _listed(title: str, lines: Blocks, more: int, nothing: str) -> Blocks:
    counted = [blocks.context(shared_sentences.more(more))] if more > 0 else []
    return [blocks.header(title), *(lines or [blocks.context(nothing)]), *counted]


def _health(check: Check) -> str:
    detail = f": {one_line(check.detail)}" if check.detail else ""
    good = "⚠️" if detail else "✅"
    return f"{good if check.works else '❌'} {one_line(check.name)}{detail}"
