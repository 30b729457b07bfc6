"""Modals to fill in. What they allow is decided again when they are submitted."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from bot.chat.shown.form_shown import (
    ChoicesShown,
    SettingsFormShown,
    delete_form_shown,
    link_form_shown,
    settings_form_shown,
)
from bot.chat.words import admin_sentences
from bot.chat.words.visible_text import one_line
from bot.slack import ids, limits
from bot.slack.text import sentences, thread_sentences
from bot.slack.text.code_sentences import ARE_CODE_LISTS, CODE_LISTS, CODE_LISTS_HINT
from bot.slack.views import blocks
from bot.slack.views.blocks import Blocks
from bot.slack.views.message import View
from bot.slack.views.modal import modal
from masis.conversation import FollowUpRule, Link, Mode, Payload, Session, TeamSettings
from masis.domain import FILE_ENDINGS, Document, Workspace
from masis.policy import MAX_QUESTION_CHARS

MAX_WORKSPACE_NAME: Final = 80
MAX_REASON: Final = 1000
Rule = TypeVar("Rule", bound=str)
"""How a channel is served: one of a few words."""
MOST_WORKSPACES: Final = limits.OPTIONS - 1
"""Beside the new one."""
QUOTA_FIELDS: Final = {
    "user_per_minute": ids.IN_USER_PER_MINUTE,
    "user_running": ids.IN_USER_RUNNING,
    "channel_per_minute": ids.IN_CHANNEL_PER_MINUTE,
    "workspace_per_minute": ids.IN_WORKSPACE_PER_MINUTE,
    "workspace_running": ids.IN_WORKSPACE_RUNNING,
}
_TYPED: Final = min(MAX_QUESTION_CHARS, limits.INPUT_VALUE)


def link_form(
    form: ids.LinkForm,
    workspaces: Sequence[Workspace],
    *,
    chosen: str = "",
    external_allowed: bool = False,
    link: Link | None = None,
) -> View:
    """Choose a channel and a workspace of this team's, or name a new one.

    `form.channel` is chosen already; `link` is what it has now. The box for shared channels is there
    where settings allow it.
    """
    content = link_form_shown(workspaces, link, chosen)
    parts = [
        blocks.section(content.how),
        blocks.field(ids.IN_CHANNEL, sentences.CHANNEL, _channel(form, external=external_allowed)),
        *_old_or_new(content.workspaces),
        *_rules(content.follow_ups, content.mode),
    ]
    if external_allowed:
        box = blocks.box(ids.IN_EXTERNAL, sentences.ALLOW_EXTERNAL, ticked=content.external)
        parts.append(blocks.field(ids.IN_EXTERNAL, sentences.SHARED_CHANNEL, box, optional=True))
    return modal(
        admin_sentences.LINK_CHANNEL,
        parts,
        callback=ids.LINK_VIEW,
        form=form,
        submit=admin_sentences.LINK,
    )


def _old_or_new(workspaces: ChoicesShown) -> Blocks:
    """Neither field must be filled in, so that a name alone makes a workspace.

    "New workspace" in the menu is the way back from one that is chosen already.
    """
    name = blocks.line(ids.IN_NEW_WORKSPACE, most=MAX_WORKSPACE_NAME)
    if not workspaces.choices:
        return [
            blocks.field(
                ids.IN_NEW_WORKSPACE,
                admin_sentences.NEW_NAME,
                name,
                hint=admin_sentences.FIRST_HINT,
            )
        ]
    listed = workspaces.first(MOST_WORKSPACES)
    options = [blocks.choice(each.name, each.value) for each in listed]
    first = next(
        (o for o, w in zip(options, listed, strict=True) if w.value == workspaces.chosen), None
    )
    options.append(blocks.choice(admin_sentences.NEW_WORKSPACE, ids.NEW))
    menu = blocks.menu(ids.IN_WORKSPACE, admin_sentences.CHOOSE_MENU, options, first)
    left = workspaces.left(MOST_WORKSPACES)
    return [
        blocks.field(
            ids.IN_WORKSPACE,
            admin_sentences.WORKSPACE,
            menu,
            hint=admin_sentences.CHOOSE_HINT,
            optional=True,
        ),
        *([blocks.context(sentences.link_by_name(left))] if left else []),
        blocks.field(
            ids.IN_NEW_WORKSPACE,
            admin_sentences.NEW_NAME,
            name,
            hint=admin_sentences.NEW_HINT,
            optional=True,
        ),
    ]


def _rules(follow_ups: FollowUpRule, mode: Mode) -> Blocks:
    """Choose which messages a channel's threads have answered, and whether small talk is one."""
    said = thread_sentences
    asks = (said.FOLLOW_UP_CHOICES, follow_ups)
    talks = (admin_sentences.MODE_CHOICES, mode)
    return [
        _one_of(ids.IN_FOLLOW_UPS, said.FOLLOW_UPS, said.FOLLOW_UPS_HINT, *asks),
        _one_of(ids.IN_MODE, admin_sentences.MODE, admin_sentences.MODE_HINT, *talks),
    ]


def _one_of(name: str, label: str, hint: str, told: Mapping[Rule, str], chosen: Rule) -> Payload:
    choices = {value: blocks.choice(text, value) for value, text in told.items()}
    menu = blocks.menu(name, label, list(choices.values()), choices[chosen])
    return blocks.field(name, label, menu, hint=hint)


def _channel(form: ids.LinkForm, *, external: bool) -> Payload:
    shown: dict[str, Any] = {"include": ["public", "private"], "exclude_bot_users": True}
    if not external:
        shown["exclude_external_shared_channels"] = True
    select: Payload = {
        "type": "conversations_select",
        "placeholder": blocks.plain(sentences.CHOOSE_CHANNEL, limits.PLACEHOLDER),
        "filter": shown,
    }
    if form.channel:
        return {**select, "initial_conversation": form.channel}
    return {**select, "default_to_current_conversation": True}


def settings_form(form: ids.SettingsForm, settings: TeamSettings, link: Link | None = None) -> View:
    """Build the form of what a team's admins decide, as it is now.

    `link` is that of the channel in which it is opened, where that is linked.
    """
    content = settings_form_shown(settings, link)
    parts: Blocks = [
        blocks.field(
            ids.IN_MANAGERS,
            admin_sentences.MANAGERS,
            _managers(content.managers),
            hint=admin_sentences.MANAGERS_HINT,
            optional=True,
        ),
        *(
            blocks.field(name, label, blocks.box(name, choice, ticked=ticked), optional=True)
            for name, label, choice, ticked in _boxes(content)
        ),
        *(
            blocks.field(at, quota.label, blocks.whole_number(at, quota.now, 1, quota.most))
            for at, quota in ((QUOTA_FIELDS[each.name], each) for each in content.quotas)
        ),
        *(_rules(content.follow_ups, content.mode) if content.follow_ups and content.mode else []),
    ]
    return modal(
        admin_sentences.OPEN_SETTINGS,
        parts,
        callback=ids.SETTINGS_VIEW,
        form=form,
        submit=admin_sentences.SAVE,
    )


def _managers(managers: Sequence[str]) -> Payload:
    """Build the menu of people, with those who are managers chosen."""
    menu: Payload = {
        "type": "multi_users_select",
        "placeholder": blocks.plain(admin_sentences.MANAGERS, limits.PLACEHOLDER),
        "max_selected_items": limits.OPTIONS,
    }
    if managers:
        menu["initial_users"] = list(managers[: limits.OPTIONS])
    return menu


def _boxes(content: SettingsFormShown) -> Sequence[tuple[str, str, str, bool]]:
    """Block id, label, what is ticked and whether it is now."""
    return (
        (ids.IN_GUESTS, admin_sentences.GUESTS, admin_sentences.ALLOW_GUESTS, content.guests),
        (
            ids.IN_EXTERNAL_CHANNELS,
            sentences.SHARED_CHANNELS,
            sentences.ALLOW_SHARED,
            content.external_channels,
        ),
        (
            ids.IN_KEEP,
            admin_sentences.UNINSTALL,
            admin_sentences.KEEP,
            content.keep,
        ),
    )


def upload_form(form: ids.UploadForm, workspace: Workspace) -> View:
    """Choose up to ten files."""
    files: Payload = {
        "type": "file_input",
        "filetypes": list(FILE_ENDINGS),
        "max_files": limits.INPUT_FILES,
    }
    parts = [
        blocks.section(sentences.upload_to(workspace.name)),
        blocks.field(ids.IN_FILES, sentences.FILES, files, hint=sentences.UPLOAD_HOW),
        blocks.field(
            ids.IN_CODE_LISTS,
            CODE_LISTS,
            blocks.box(ids.IN_CODE_LISTS, ARE_CODE_LISTS),
            hint=CODE_LISTS_HINT,
            optional=True,
        ),
    ]
    return modal(
        sentences.ADD_FILES, parts, callback=ids.UPLOAD_VIEW, form=form, submit=sentences.ADD
    )


def delete_form(form: ids.DeleteForm, workspace: Workspace, documents: Sequence[Document]) -> View:
    """Confirm that a document goes: the one of `form.document`, else one of the list."""
    content = delete_form_shown(workspace, documents, form.document)
    if content is None:
        return modal(admin_sentences.DELETE_DOCUMENT, [blocks.section(sentences.NO_DOCUMENTS)])
    if content.document:
        parts = [blocks.section(content.said)]
    else:
        listed = content.documents.first(limits.OPTIONS)
        options = [blocks.choice(each.name, each.value) for each in listed]
        menu = blocks.menu(ids.IN_DOCUMENT, admin_sentences.DOCUMENT, options)
        hint = sentences.DELETE_BY_NAME if content.documents.left(limits.OPTIONS) else ""
        parts = [blocks.field(ids.IN_DOCUMENT, admin_sentences.DOCUMENT, menu, hint=hint)]
    parts.append(blocks.context(admin_sentences.DELETE_WARNING))
    return modal(
        admin_sentences.DELETE_DOCUMENT,
        parts,
        callback=ids.DELETE_VIEW,
        form=form,
        submit=admin_sentences.DELETE,
    )


def reply_form(form: ids.ReplyForm, session: Session, documents: Sequence[Document]) -> View:
    """Reply to a clarification, with the documents that count where there are some."""
    reply = blocks.line(ids.IN_REPLY, lines=True, most=_TYPED)
    parts = [
        *blocks.sections(session.clarification)[: blocks.MOST_SECTIONS],
        blocks.context(f"{sentences.YOU_ASKED} {one_line(session.question)}"),
        blocks.field(ids.IN_REPLY, sentences.YOUR_REPLY, reply),
    ]
    options = [blocks.choice(one_line(each.name), each.id) for each in documents[: limits.OPTIONS]]
    if options:
        several: Payload = {
            "type": "multi_static_select",
            "placeholder": blocks.plain(sentences.DOCUMENTS_THAT_COUNT, limits.PLACEHOLDER),
            "options": options,
            "max_selected_items": min(len(options), 10),
        }
        parts.append(
            blocks.field(ids.IN_DOCUMENTS, sentences.DOCUMENTS_THAT_COUNT, several, optional=True)
        )
    return modal(
        sentences.YOUR_REPLY, parts, callback=ids.REPLY_VIEW, form=form, submit=sentences.SEND
    )


def feedback_reason(form: ids.ReasonForm) -> View:
    """Why an answer was not good; the vote itself is stored already."""
    reason = blocks.line(ids.IN_REASON, lines=True, most=MAX_REASON)
    parts = [
        blocks.section(sentences.VOTED_BAD),
        blocks.field(ids.IN_REASON, sentences.WHAT_WAS_WRONG, reason, optional=True),
    ]
    return modal(
        sentences.WHAT_WAS_WRONG,
        parts,
        callback=ids.REASON_VIEW,
        form=form,
        submit=sentences.SEND,
    )


def ask_form(form: ids.AskForm, text: str = "") -> View:
    """Ask about a message, whose text stands in the question to begin with."""
    question = blocks.line(ids.IN_QUESTION, lines=True, initial=text, most=_TYPED)
    parts = [blocks.field(ids.IN_QUESTION, sentences.YOUR_QUESTION, question)]
    return modal(sentences.ASK_TITLE, parts, callback=ids.ASK_VIEW, form=form, submit=sentences.ASK)
