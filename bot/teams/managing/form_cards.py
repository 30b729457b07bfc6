"""Draw the forms of those who run MASIS in a team. What they allow is decided again when sent."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.chat.admin import MAX_NAME
from bot.chat.words import admin_sentences
from bot.chat.words.counts import counted
from bot.chat.words.phrases import age
from bot.chat.words.visible_text import one_line
from bot.teams.cards.card_elements import (
    Elements,
    Json,
    card,
    choice,
    line,
    number,
    rich,
    run,
    small,
    submit,
    toggle,
)
from bot.teams.cards.carried import FormRef
from bot.teams.cards.dialog_pages import turned_by
from bot.teams.text import sentences
from masis.conversation import Link, TeamSettings
from masis.domain import Document, Workspace

IN_WORKSPACE: Final = "masis_in_workspace"
IN_NEW: Final = "masis_in_new_workspace"
IN_MODE: Final = "masis_in_mode"
IN_DOCUMENT: Final = "masis_in_document"
IN_MANAGERS: Final = "masis_in_managers"
IN_GUESTS: Final = "masis_in_guests"
QUOTAS: Final[Mapping[str, tuple[str, int]]] = {
    "user_per_minute": (admin_sentences.USER_PER_MINUTE, 1000),
    "user_running": (admin_sentences.USER_RUNNING, 100),
    "channel_per_minute": (admin_sentences.CHANNEL_PER_MINUTE, 10_000),
    "workspace_per_minute": (admin_sentences.WORKSPACE_PER_MINUTE, 10_000),
    "workspace_running": (admin_sentences.WORKSPACE_RUNNING, 1000),
}
"""How each quota is called, and the most that the settings take."""
NEW: Final = "new"
"""The value of a workspace that is to be made."""
MOST_CHOICES: Final = 150
PER_PAGE: Final = 30
_PEOPLE: Final = {"type": "Data.Query", "dataset": "graph.microsoft.com/users?scope=currentContext"}
"""The people of the conversation, whom the client itself looks up."""

Typed = Mapping[str, Any]


def link_form(
    workspaces: Sequence[Workspace], link: Link | None, typed: Typed, wrong: str = ""
) -> Json:
    """Choose a workspace of the team's, or name a new one."""
    named: dict[str, str] = {each.id: one_line(each.name) for each in workspaces[:MOST_CHOICES]}
    chosen = str(typed.get(IN_WORKSPACE) or (link.workspace_id if link else ""))
    body = [*_wrong(wrong), rich(_how_to_link(workspaces))]
    if named:
        choices = {**named, NEW: admin_sentences.NEW_WORKSPACE}
        body.append(choice(IN_WORKSPACE, admin_sentences.WORKSPACE, choices, chosen))
    body.append(line(IN_NEW, admin_sentences.NEW_NAME, MAX_NAME, str(typed.get(IN_NEW, ""))))
    body.append(_mode(str(typed.get(IN_MODE) or (link.mode if link else "auto"))))
    return card(body, [submit(admin_sentences.LINK, FormRef(form="link").data())])


def _how_to_link(workspaces: Sequence[Workspace]) -> str:
    return admin_sentences.LINK_HOW if workspaces else admin_sentences.LINK_FIRST


def _mode(chosen: str) -> Json:
    return choice(IN_MODE, admin_sentences.MODE, dict(admin_sentences.MODE_CHOICES.items()), chosen)


def settings_form(settings: TeamSettings, link: Link | None, typed: Typed, wrong: str = "") -> Json:
    """What the owners of a team decide, as it is now."""
    nobody: dict[str, str] = {}
    people = choice(
        IN_MANAGERS,
        admin_sentences.MANAGERS,
        nobody,
        str(typed.get(IN_MANAGERS) or ",".join(settings.managers)),
        isMultiSelect=True,
        style="filtered",
    )
    body = [
        *_wrong(wrong),
        {**people, "choices.data": dict(_PEOPLE)},
        small(admin_sentences.MANAGERS_HINT),
        toggle(IN_GUESTS, admin_sentences.ALLOW_GUESTS, on=settings.guests),
        *(
            number(name, told, _now(name, typed, settings), most)
            for name, (told, most) in QUOTAS.items()
        ),
        *([] if link is None else [_mode(link.mode)]),
    ]
    return card(body, [submit(admin_sentences.SAVE, FormRef(form="settings").data())])


def _now(name: str, typed: Typed, settings: TeamSettings) -> int:
    """What a quota's field shows: what was typed, as far as it is a number."""
    given = typed.get(name)
    return given if isinstance(given, int) else int(getattr(settings, name))


def delete_form(
    workspace: Workspace, documents: Sequence[Document], chosen: str, wrong: str = ""
) -> Json:
    """Confirm that a document goes: the chosen one, else one of the list."""
    if not documents:
        return card([rich(sentences.NO_DOCUMENTS)])
    one = next((each for each in documents if each.id == chosen), None)
    body = [*_wrong(wrong)]
    if one is not None:
        body.append(rich(admin_sentences.delete_this(one.name, workspace.name)))
    else:
        listed = {each.id: one_line(each.name) for each in documents[:MOST_CHOICES]}
        body.append(choice(IN_DOCUMENT, admin_sentences.DOCUMENT, listed))
        body += [small(sentences.NOT_LISTED)] if len(documents) > MOST_CHOICES else []
    body.append(small(admin_sentences.DELETE_WARNING))
    data = FormRef(form="delete", chosen=one.id if one else "").data()
    return card(body, [submit(admin_sentences.DELETE, data)])


def documents_page(workspace: Workspace, documents: Sequence[Document], page: int) -> Json:
    """Return a page of the documents of a channel's workspace."""
    if not documents:
        return card([rich(sentences.NO_DOCUMENTS)])
    today = dt.datetime.now(dt.UTC).date()
    head = rich(sentences.documents_of(workspace.name, len(documents)))
    pages = [
        [head, *(_document(each, today) for each in documents[at : at + PER_PAGE])]
        for at in range(0, len(documents), PER_PAGE)
    ]
    return turned_by(pages, page, lambda to: FormRef(form="docs", page=to).data())


def _document(document: Document, today: dt.date) -> Json:
    parts = [
        one_line(document.name)[:100],
        document.format,
        f"version {document.version_number}",
        counted(document.chunks, "passage"),
        age(document.date, today, document.date_source),
    ]
    return rich(run(f"• {' · '.join(parts)}"), spacing="None")


def told(sentence: str) -> Json:
    """A dialog that only says something."""
    return card([rich(sentence)])


def _wrong(said: str) -> Elements:
    return [rich(run(f"⚠️ {said}", color="Attention"))] if said else []
