"""Draw the forms of those who run MASIS in a team. What they allow is decided again when sent."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.chat.admin import MAX_NAME
from bot.chat.shown.form_shown import (
    ChoicesShown,
    QuotaShown,
    delete_form_shown,
    link_form_shown,
    settings_form_shown,
)
from bot.chat.words import admin_sentences, shared_sentences
from bot.chat.words.badge_words import cut
from bot.chat.words.counts import counted
from bot.chat.words.phrases import age
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
    turn,
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
NEW: Final = "new"
"""The value of a workspace that is to be made."""
PAGE_CHOICES: Final = 100
"""Of a menu: more are on further pages, so that a card keeps its size."""
PER_PAGE: Final = 30
NAME_CHARS: Final = 100
"""Of a document's name in a list."""
_PEOPLE: Final = {"type": "Data.Query", "dataset": "graph.microsoft.com/users?scope=currentContext"}
"""The people of the conversation, whom the client itself looks up."""

Typed = Mapping[str, Any]


def link_form(
    workspaces: Sequence[Workspace],
    link: Link | None,
    typed: Typed,
    wrong: str = "",
    page: int = 0,
) -> Json:
    """Choose a workspace of the team's, or name a new one."""
    content = link_form_shown(workspaces, link, str(typed.get(IN_WORKSPACE, "")))
    body = [*_wrong(wrong), rich(content.how)]
    listed = content.workspaces
    if listed.choices:
        choices = {**_page(listed, page), NEW: admin_sentences.NEW_WORKSPACE}
        body.append(choice(IN_WORKSPACE, admin_sentences.WORKSPACE, choices, listed.chosen))
    ways = _counted(body, listed, FormRef(form="link", page=page))
    body.append(line(IN_NEW, admin_sentences.NEW_NAME, MAX_NAME, str(typed.get(IN_NEW, ""))))
    body.append(_mode(str(typed.get(IN_MODE) or content.mode)))
    sent = submit(admin_sentences.LINK, FormRef(form="link", page=page).data())
    return card(body, [sent, *ways])


def _page(listed: ChoicesShown, page: int) -> dict[str, str]:
    return {each.value: each.name for each in listed.page(PAGE_CHOICES, page)}


def _counted(body: Elements, listed: ChoicesShown, ref: FormRef) -> list[Json]:
    """Say which page of a menu this is; return the ways to those beside it, which keep what is typed."""
    pages = listed.pages(PAGE_CHOICES)
    if pages == 1:
        return []
    held = min(ref.page, pages - 1)
    body.append(small(sentences.page_of(held + 1, pages)))
    ways = [(shared_sentences.BACK, held - 1), (sentences.CONTINUED, held + 1)]
    return [
        turn(name, ref.model_copy(update={"page": to, "turned": True}).data(), keeps=True)
        for name, to in ways
        if 0 <= to < pages
    ]


def _mode(chosen: str) -> Json:
    return choice(IN_MODE, admin_sentences.MODE, dict(admin_sentences.MODE_CHOICES.items()), chosen)


def settings_form(settings: TeamSettings, link: Link | None, typed: Typed, wrong: str = "") -> Json:
    """What the owners of a team decide, as it is now."""
    content = settings_form_shown(settings, link)
    nobody: dict[str, str] = {}
    people = choice(
        IN_MANAGERS,
        admin_sentences.MANAGERS,
        nobody,
        str(typed.get(IN_MANAGERS) or ",".join(content.managers)),
        isMultiSelect=True,
        style="filtered",
    )
    body = [
        *_wrong(wrong),
        {**people, "choices.data": dict(_PEOPLE)},
        small(admin_sentences.MANAGERS_HINT),
        toggle(IN_GUESTS, admin_sentences.ALLOW_GUESTS, on=content.guests),
        *(number(each.name, each.label, _now(each, typed), each.most) for each in content.quotas),
        *([] if content.mode is None else [_mode(content.mode)]),
    ]
    return card(body, [submit(admin_sentences.SAVE, FormRef(form="settings").data())])


def _now(quota: QuotaShown, typed: Typed) -> int:
    """What a quota's field shows: what was typed, as far as it is a number."""
    given = typed.get(quota.name)
    return given if isinstance(given, int) else quota.now


def delete_form(
    workspace: Workspace,
    documents: Sequence[Document],
    chosen: str,
    wrong: str = "",
    page: int = 0,
) -> Json:
    """Confirm that a document goes: the chosen one, else one of the list."""
    content = delete_form_shown(workspace, documents, chosen)
    if content is None:
        return card([rich(sentences.NO_DOCUMENTS)])
    body, ways = [*_wrong(wrong)], []
    if content.document:
        body.append(rich(content.said))
    else:
        listed = content.documents
        body.append(choice(IN_DOCUMENT, admin_sentences.DOCUMENT, _page(listed, page)))
        ways = _counted(body, listed, FormRef(form="delete", page=page))
    body.append(small(admin_sentences.DELETE_WARNING))
    sent = submit(
        admin_sentences.DELETE, FormRef(form="delete", page=page, chosen=content.document).data()
    )
    return card(body, [sent, *ways])


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
        cut(document.name, NAME_CHARS),
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
