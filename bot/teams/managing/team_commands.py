"""Answer what people ask MASIS to do rather than to find out: its verbs, to who said them alone."""

import datetime as dt
import difflib
from typing import Any, Final

from bot.chat import grammar
from bot.chat.admin import Admin, DoneBefore, NotDone
from bot.chat.shown.form_shown import workspace_names
from bot.chat.shown.history_shown import past_question
from bot.chat.shown.status_shown import status_shown
from bot.chat.words import admin_sentences, history_words, phrases, shared_sentences
from bot.teams.cards import notice_card
from bot.teams.cards.card_elements import card, message, paragraphs, rich, small, strong
from bot.teams.cards.notice_card import form_button
from bot.teams.question_intake import Asked
from bot.teams.run_lookup import RunLookup
from bot.teams.teams_access import TeamsAccess
from bot.teams.text import sentences
from masis.conversation import Link, Sent
from masis.domain import Workspace
from masis.ports import Repository, RunEngine
from storage.chat.deduplication import Claims
from storage.chat.links import Links

Json = dict[str, Any]
ChannelCommand = (
    grammar.Delete
    | grammar.Docs
    | grammar.Link
    | grammar.Settings
    | grammar.Status
    | grammar.Unlink
)
Command = grammar.Cancel | grammar.Help | grammar.History | grammar.Upload | ChannelCommand
MOST_HISTORY: Final = 20
MOST_LOOKED_AT: Final = 200
"""Of somebody's questions, so that it can be said how many more there are."""


def command_of(text: str) -> Command | None:
    """Return the command that a message is; None for a question, whatever it begins with."""
    found = grammar.read(text) if text.strip() else None
    return found if isinstance(found, Command) else None


class Commands:
    """Does what a verb says. Forms open by a button: a message cannot open a dialog."""

    def __init__(
        self,
        *,
        access: TeamsAccess,
        admin: Admin,
        claims: Claims,
        engine: RunEngine,
        links: Links,
        lookup: RunLookup,
        repository: Repository,
    ) -> None:
        self._access = access
        self._admin = admin
        self._claims = claims
        self._engine = engine
        self._links = links
        self._lookup = lookup
        self._repository = repository

    async def done(self, command: Command, asked: Asked) -> Json:
        """Do it, and return the message for who said it.

        Raises:
            StoreUnavailable: it could not be read or stored now.
            TeamsError: Teams cannot be asked.
        """
        try:
            return await self._done(command, asked)
        except DoneBefore as error:
            return notice_card.notice(str(error))
        except NotDone as error:
            return notice_card.refused(str(error))

    async def _done(self, command: Command, asked: Asked) -> Json:
        match command:
            case grammar.Help():
                return help_message()
            case grammar.Cancel():
                return await self._cancel(asked)
            case grammar.History():
                return await self._history(asked)
            case grammar.Upload():
                said = sentences.UPLOAD_HOW if asked.direct else sentences.UPLOAD_ELSEWHERE
                return notice_card.notice(said)
        if asked.direct:
            return await self._in_person(command, asked)
        return await self._in_channel(command, asked)

    async def _in_channel(self, command: ChannelCommand, asked: Asked) -> Json:
        match command:
            case grammar.Delete():
                return await self._delete(command.document, asked)
            case grammar.Unlink():
                return await self._unlink(asked)
            case grammar.Status() | grammar.Docs():
                return await self._status(asked)
            case grammar.Link():
                opens = admin_sentences.LINK_HOW, sentences.LINK_HERE
                return notice_card.opening(*opens, "link")
        return notice_card.opening(
            sentences.SETTINGS_HOW, admin_sentences.OPEN_SETTINGS, "settings"
        )

    async def _in_person(self, command: ChannelCommand, asked: Asked) -> Json:
        """Do what a chat with one person asks; all else is about a channel."""
        if not isinstance(command, grammar.Status | grammar.Docs):
            return notice_card.notice(sentences.IN_CHANNEL)
        found = await self.reachable(asked.place.tenant.enterprise, asked.user)
        names = workspace_names(found)
        said = notice_card.can_ask(names) if names else sentences.NOTHING_TO_ASK
        return notice_card.notice(said)

    async def choices(self, asked: Asked) -> Json:
        """Ask which workspace somebody's own chat is to ask.

        Raises:
            TeamsError: Teams does not say who is where.
        """
        found = await self.reachable(asked.place.tenant.enterprise, asked.user)
        return notice_card.choose_workspace(found)

    async def reachable(self, enterprise: str, user: str) -> list[Workspace]:
        """Return the workspaces that somebody may ask, by name.

        Raises:
            TeamsError: Teams does not say who is where.
        """
        links = await self._access.reachable(enterprise, user)
        found = {link.workspace_id: await self._workspace(link) for link in links}
        return sorted((each for each in found.values() if each), key=lambda each: each.name)

    async def _cancel(self, asked: Asked) -> Json:
        """End the person's newest open question here, and no other where it is done again."""
        tenants = await self._lookup.tenants(asked.place)
        runs = [run for each in tenants for run in await self._lookup.runs.open_runs(each)]
        mine = [r for r in runs if r.asker == asked.user and r.channel == asked.place.id]
        # Looked for after what is open: whoever ended one had remembered it before.
        chosen = await self._chosen(asked) or (mine[-1].id if mine else "")
        if not chosen:
            return notice_card.notice(sentences.NOTHING_RUNS)
        await self._claims.take(asked.place.tenant, _choice(asked, chosen))
        await self._engine.cancel(chosen, asked.user)
        return notice_card.notice(sentences.STOPPING)

    async def _chosen(self, asked: Asked) -> str:
        """Return the question that an earlier attempt at this message was to end."""
        recent = await self._lookup.recent(asked.place, asked.user, MOST_LOOKED_AT)
        choices = {_choice(asked, run.id): run.id for run in recent}
        taken = await self._claims.taken(asked.place.tenant, choices)
        return choices[taken[0]] if taken else ""

    async def _history(self, asked: Asked) -> Json:
        """The person's own recent questions here."""
        runs = await self._lookup.recent(asked.place, asked.user, MOST_LOOKED_AT)
        if not runs:
            return notice_card.notice(history_words.NO_HISTORY)
        shown = runs[:MOST_HISTORY]
        kinds = await self._lookup.ended_as(shown)
        now = dt.datetime.now(dt.UTC)
        past = [past_question(run, kinds.get(run.id, ()), now) for run in shown]
        lines = [small(each.line(phrases.shortened)) for each in past]
        left = len(runs) - len(shown)
        more = [small(shared_sentences.more(left))] if left else []
        body = [rich(strong(history_words.HISTORY)), *lines, *more]
        return message(card(body), history_words.HISTORY)

    async def _status(self, asked: Asked) -> Json:
        """Tell what the channel asks, with the ways to its documents and to another link."""
        link = await self._links.of(asked.place.tenant, asked.place.id)
        workspace = None if link is None else await self._workspace(link)
        if link is None or workspace is None:
            return notice_card.not_linked()
        shown = status_shown(link, workspace)
        if shown.suspended:
            return notice_card.refused(sentences.suspended(shown.suspended))
        denial = await self._access.refusal(link, asked.user)
        if denial is not None:
            return notice_card.refused(denial.reason)
        said = sentences.status(shown.workspace, shown.documents, shown.passages)
        ways = [form_button(sentences.DOCUMENTS, "docs")] if shown.documents else []
        body = paragraphs(said)
        body += [] if shown.documents else [small(sentences.NO_DOCUMENTS)]
        ways.append(form_button(sentences.LINK_HERE, "link"))
        return message(card(body, ways), said)

    async def _unlink(self, asked: Asked) -> Json:
        """Take the link away; nothing more is asked, since linking again brings it back."""
        place, sent = asked.place, Sent(once=f"{asked.place.id}:{asked.key}", at=asked.sent_at)
        before = await self._admin.unlink(place.tenant, asked.user, place.id, sent=sent)
        if before is None:
            return notice_card.notice(admin_sentences.NOTHING_TO_UNLINK)
        return notice_card.notice(admin_sentences.unlinked(before.name))

    async def _delete(self, named: str, asked: Asked) -> Json:
        await self._admin.check(asked.place.tenant, asked.user, "delete", asked.place.id)
        workspace, documents = await self._admin.documents(
            asked.place.tenant, asked.place.id, to_delete=True
        )
        chosen = next((each for each in documents if named and each.name == named), None)
        if named and chosen is None:
            near = difflib.get_close_matches(named, [each.name for each in documents], n=1)
            raise NotDone(sentences.no_such_document(named, near[0] if near else ""))
        said = sentences.documents_of(workspace.name, len(documents))
        if chosen is not None:
            said = admin_sentences.delete_this(chosen.name, workspace.name)
        button = form_button(
            admin_sentences.DELETE_DOCUMENT, "delete", chosen.id if chosen is not None else ""
        )
        return message(card(paragraphs(said), [button]), said)

    async def _workspace(self, link: Link) -> Workspace | None:
        return await self._repository.workspace_by_id(link.workspace_id)


def _choice(asked: Asked, run_id: str) -> str:
    """Return the key under which it is remembered which question a message ends."""
    return f"cancel:{asked.place.id}:{asked.key}:{run_id}"


def help_message() -> Json:
    """Say what MASIS can be told."""
    lines = [
        rich(strong(verb), f"  {told}", spacing="None") for verb, told in sentences.COMMAND_LINES
    ]
    body = [*paragraphs(sentences.IN_FULL), small(sentences.HELP), *lines]
    return message(card(body), sentences.IN_SHORT)
