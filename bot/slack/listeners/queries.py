"""Show what can be read: status, documents, history, the audit of an answer, a cited passage."""

import datetime as dt
from typing import Final

from bot.chat.authority import may
from bot.chat.words import shared_sentences
from bot.slack import ids
from bot.slack.access import why_not
from bot.slack.intake.payload_values import Click, Slash
from bot.slack.listeners.answering import Answering, Caller
from bot.slack.services import Services
from bot.slack.text import sentences
from bot.slack.views import channel_info, modal, passages
from bot.slack.views.audit import audit
from bot.slack.views.message import notice
from bot.slack.views.picker import workspace_picker
from masis.conversation import ChatRun, Link
from masis.domain import Citation, NeedsClarification, Workspace
from masis.records import StoredRun

RECENT: Final = 200
"""Of the channel's runs, among which a person's own are looked for."""


class Reading:
    """Answers in private, and only what the person may see in that place."""

    def __init__(self, services: Services, answering: Answering) -> None:
        self._services = services
        self._answering = answering

    # --- commands --------------------------------------------------------------------------

    async def status(self, call: Slash) -> None:
        """Show what this channel can search."""
        found = await self._linked(call)
        if found is not None:
            closed = await self._services.access.closed(found[0])
            await self._answering.tell(call, channel_info.status(*found, closed))

    async def docs(self, call: Slash) -> None:
        """The documents of this channel's workspace."""
        await self._docs(call, 0)

    async def history(self, call: Slash) -> None:
        """The person's own recent questions here."""
        await self._history(call, 0)

    async def workspaces(self, call: Slash) -> None:
        """Ask which workspace a direct message goes to, where somebody can reach several."""
        found = await self._services.access.reachable(call.tenant, call.user)
        picker = workspace_picker(found) if found else notice(sentences.NO_WORKSPACE_FOR_YOU)
        await self._answering.tell(call, picker)

    async def cancel(self, call: Slash) -> None:
        """End the person's newest open question here."""
        open_runs = await self._services.runs.open_runs(call.tenant)
        mine = [r for r in open_runs if r.asker == call.user and r.channel == call.channel]
        if not mine:
            await self._answering.tell(call, sentences.NOTHING_RUNS)
            return
        await self._services.engine.cancel(mine[-1].id, call.user)
        await self._answering.tell(call, sentences.CANCELLED)

    # --- buttons ---------------------------------------------------------------------------

    async def docs_page(self, click: Click) -> None:
        """Another page of the documents."""
        await self._docs(click, ids.PageRef.loaded(click.value).page, turned=True)

    async def history_page(self, click: Click) -> None:
        """Another page of the questions."""
        await self._history(click, ids.PageRef.loaded(click.value).page, turned=True)

    async def audit(self, click: Click) -> None:
        """Show how an answer came about.

        The view is opened at once, and filled when the trail is read.
        """
        view = await self._answering.open(click, modal.loading(shared_sentences.HOW))
        trail = await self._trail(click, ids.RunRef.loaded(click.value).run)
        shown = modal.sentence_modal(trail) if isinstance(trail, str) else audit(trail, 0)
        await self._answering.change(click, view, shown)

    async def audit_page(self, click: Click) -> None:
        """Another page of it, in the same modal."""
        page = ids.PageRef.loaded(click.value)
        trail = await self._services.trails.of(click.tenant, page.run)
        run = await self._services.runs.get(click.tenant, page.run)
        if trail is not None and run is not None and not await self._hidden(click, run):
            await self._answering.change(click, click.view, audit(trail, page.page))

    async def passage(self, click: Click) -> None:
        """The passage behind a number."""
        wanted = ids.PassageRef.loaded(click.value)
        view = await self._answering.open(click, modal.loading(f"[{wanted.n}]"))
        trail = await self._trail(click, wanted.run)
        cited = None if isinstance(trail, str) else _citation(trail, wanted.n)
        if isinstance(trail, str) or cited is None:
            why = trail if isinstance(trail, str) else shared_sentences.NOT_FOUND
            await self._answering.change(click, view, modal.sentence_modal(why))
            return
        documents = await self._services.repository.documents(trail.workspace_id)
        current = next((each for each in documents if each.id == cited.document_id), None)
        await self._answering.change(click, view, passages.passage(cited, _today(), current))

    async def draft(self, click: Click) -> None:
        """The best draft of a question that was asked back."""
        view = await self._answering.open(click, modal.loading(shared_sentences.SHOW_DRAFT))
        trail = await self._trail(click, ids.RunRef.loaded(click.value).run)
        if isinstance(trail, str) or trail.status != "needs_clarification":
            why = trail if isinstance(trail, str) else shared_sentences.NOT_FOUND
            await self._answering.change(click, view, modal.sentence_modal(why))
            return
        outcome = NeedsClarification.model_validate(trail.outcome)
        await self._answering.change(click, view, passages.draft(outcome, _today()))

    # --- what may be seen ------------------------------------------------------------------

    async def _trail(self, click: Click, run_id: str) -> StoredRun | str:
        """A run's trail, for who could ask the same there now; else why it is not shown."""
        run = await self._services.runs.get(click.tenant, run_id)
        if run is None:
            return shared_sentences.NOT_FOUND
        if why := await self._hidden(click, run):
            return why
        return await self._services.trails.of(click.tenant, run_id) or shared_sentences.NOT_FOUND

    async def _hidden(self, click: Click, run: ChatRun) -> str:
        """Why a run is not shown to who clicked: it quotes what they must be able to ask for."""
        if not await self._is_there(click, run):
            return shared_sentences.NOT_FOUND
        as_theirs = run.model_copy(update={"asker": click.user, "kind": "ask"})
        denial = await self._services.access.denial(as_theirs)
        return denial.reason if denial else ""

    async def _is_there(self, click: Click, run: ChatRun) -> bool:
        """A click in the channel shows that they are in it; elsewhere Slack is asked."""
        if click.channel:
            return click.channel == run.channel
        if run.direct:
            return click.user == run.asker
        return await self._services.web.members_contain(click.tenant, run.channel, click.user)

    async def _linked(self, caller: Caller) -> tuple[Link, Workspace] | None:
        """The channel's link and workspace, if this person may ask it; else they are told why."""
        services = self._services
        settings = await services.settings.of(caller.tenant)
        kind = await services.access.kind(caller.tenant, caller.user)
        if not may(kind, "ask", settings):
            await self._answering.tell(caller, why_not(kind, "ask"))
            return None
        link = await services.links.of(caller.tenant, caller.channel)
        found = await services.repository.workspace_by_id(link.workspace_id) if link else None
        if link is None or found is None or found.owner != caller.tenant.owner:
            can_link = may(kind, "link", settings)
            await self._answering.tell(caller, sentences.not_linked(can_link=can_link))
            return None
        return link, found

    async def _docs(self, caller: Caller, page: int, *, turned: bool = False) -> None:
        found = await self._linked(caller)
        if found is not None:
            link, workspace = found
            if link.suspended:
                await self._answering.tell(caller, sentences.suspended(link.suspended))
                return
            documents = await self._services.repository.documents(workspace.id)
            shown = channel_info.docs(workspace, documents, _today(), page)
            await self._answering.tell(caller, shown, turned=turned)

    async def _history(self, caller: Caller, page: int, *, turned: bool = False) -> None:
        runs = await self._services.runs.recent(caller.tenant, RECENT, [caller.channel])
        mine = [run for run in runs if run.asker == caller.user]
        posted = await self._services.outbox.kinds([run.id for run in mine])
        shown = channel_info.history(mine, dt.datetime.now(dt.UTC), page, posted)
        await self._answering.tell(caller, shown, turned=turned)


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


def _citation(trail: StoredRun, number: int) -> Citation | None:
    cited = trail.outcome.get("citations", [])
    found = next((each for each in cited if each.get("n") == number), None)
    return None if found is None else Citation.model_validate(found)
