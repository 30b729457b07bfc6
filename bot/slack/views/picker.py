"""Choosing the workspace that direct messages ask."""

from collections.abc import Sequence
from typing import Final

from bot.chat.words import admin_sentences, shared_sentences
from bot.chat.words.badge_words import cut
from bot.chat.words.counts import counted
from bot.slack import ids, limits
from bot.slack.text import sentences
from bot.slack.views import blocks
from bot.slack.views.blocks import Blocks
from bot.slack.views.message import Message, notice
from masis.conversation import Payload
from masis.domain import Workspace, WorkspaceId

LABEL: Final = 45
"""Characters of a name beside its size."""


def workspace_picker(workspaces: Sequence[Workspace], chosen: WorkspaceId | None = None) -> Message:
    """Asks which one; there is at least one, and all of them are the person's to ask."""
    return notice(sentences.CHOOSE_WORKSPACE, *chooser(workspaces, chosen))


def chooser(workspaces: Sequence[Workspace], chosen: WorkspaceId | None = None) -> Blocks:
    """The menu, and how the workspaces are asked for which it has no room."""
    left = len(workspaces) - limits.OPTIONS
    told = [blocks.context(shared_sentences.more_in_channels(left))] if left > 0 else []
    return [blocks.actions(_menu(workspaces, chosen)), *told]


def _menu(workspaces: Sequence[Workspace], chosen: WorkspaceId | None) -> Payload:
    """The menu alone. Slack shows a hundred; the chosen one is always among them."""
    ordered = sorted(workspaces, key=lambda each: (each.id != chosen, each.name.casefold()))
    options = [_option(each) for each in ordered[: limits.OPTIONS]]
    first = options[0] if chosen is not None and ordered[0].id == chosen else None
    return blocks.menu(ids.WORKSPACE, admin_sentences.WORKSPACE, options, first)


def _option(workspace: Workspace) -> Payload:
    size = counted(workspace.documents, "document")
    label = f"{cut(workspace.name, LABEL)} ({size})"
    return blocks.choice(label, ids.WorkspaceRef(workspace=workspace.id))
