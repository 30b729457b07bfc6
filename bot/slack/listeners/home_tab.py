"""The home tab, and direct messages: what somebody can ask, and from which workspace."""

import datetime as dt
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.chat.words import shared_sentences
from bot.slack.access import why_not
from bot.slack.intake import typed_text
from bot.slack.intake.intake import Asked
from bot.slack.intake.notices import notice_of
from bot.slack.intake.payload_values import Click, text
from bot.slack.listeners.answering import Answering
from bot.slack.services import Services
from bot.slack.slack_errors import SlackError
from bot.slack.text import sentences
from bot.slack.text.sentences import OPEN, Closed
from bot.slack.views.home import MAX_LINKS, Check, HomeState, home, prompts
from masis.conversation import Link, Tenant
from masis.domain import Workspace, WorkspaceId
from masis.errors import MasisError

log = logging.getLogger(__name__)

RECENT: Final = 100
"""Of the team's runs, among which a person's own are looked for."""


class Home:
    """Show what one person sees of MASIS.

    Channels and workspaces that they may not reach are left out.
    """

    def __init__(self, services: Services, answering: Answering) -> None:
        self._services = services
        self._answering = answering

    async def show(self, tenant: Tenant, user: str) -> None:
        """Publish the home tab anew, and once more when its questions have been made."""
        if not user:
            return
        state = await self._state(tenant, user)
        place = _asked_of(state.workspaces, state.chosen)
        ready = await self._services.suggestions.ready(place) if place else []
        state = replace(state, questions=ready or ())
        await self._services.web.publish_home(tenant, user, home(state))
        if place and ready is None and (made := await self._services.suggestions.of(place)):
            state = replace(state, questions=made)
            await self._services.web.publish_home(tenant, user, home(state))

    async def prompts(self, tenant: Tenant, user: str, channel: str) -> None:
        """Suggest questions that the documents of what this person asks answer."""
        services = self._services
        chosen = await services.links.direct_choice(tenant, user)
        mine = await services.access.reachable(tenant, user)
        workspace = _asked_of(mine, chosen)
        if workspace is None or not channel:
            return
        questions = await services.suggestions.of(workspace)
        found = prompts(await services.repository.documents(workspace.id), questions)
        if found:
            offered = [(each["title"], each["message"]) for each in found]
            await services.web.suggested_prompts(tenant, channel, offered)

    async def chosen(self, click: Click, workspace: Workspace) -> None:
        """Ask the question that the picker stood under; on the home tab there is none."""
        if not click.channel:
            await self.show(click.tenant, click.user)
            return
        asked = await self._question(click)
        if asked is None:
            size = sentences.status(workspace.name, workspace.documents, workspace.chunks)
            await self._answering.tell(click, size)
            return
        taken = await self._services.intake.ask(asked)
        await self._answering.tell(click, notice_of(taken))

    async def _question(self, click: Click) -> Asked | None:
        """The message that the picker hangs from, if this person wrote it."""
        if not click.thread:
            return None
        found = await self._services.web.replies(click.tenant, click.channel, click.thread, limit=1)
        first = found[0] if found else {}
        if text(first.get("user")) != click.user or text(first.get("ts")) != click.thread:
            return None
        return Asked(
            tenant=click.tenant,
            channel=click.channel,
            user=click.user,
            text=typed_text.plain(text(first.get("text"))),
            origin="message",
            key=f"{click.channel}:{click.thread}",
            thread=click.thread,
            message=click.thread,
            direct=True,
        )

    async def _state(self, tenant: Tenant, user: str) -> HomeState:
        services = self._services
        if not await services.access.may(tenant, user, "ask"):
            kind = await services.access.kind(tenant, user)
            return HomeState(now=dt.datetime.now(dt.UTC), refused=why_not(kind, "ask"))
        runs = await services.runs.recent(tenant, RECENT)
        mine = [run for run in runs if run.asker == user]
        return HomeState(
            now=dt.datetime.now(dt.UTC),
            links=await self._links(tenant, user),
            runs=mine,
            posted=await services.outbox.kinds([run.id for run in mine]),
            checks=await self._checks(tenant, user),
            workspaces=await services.access.reachable(tenant, user),
            chosen=await services.links.direct_choice(tenant, user),
            can_link=await services.access.may(tenant, user, "link"),
            can_set=await services.access.may(tenant, user, "settings"),
        )

    async def _links(self, tenant: Tenant, user: str) -> list[tuple[Link, Workspace, Closed]]:
        """The linked channels that this person may know of; of those shown, whether they answer."""
        services = self._services
        shown: list[tuple[Link, Workspace, Closed]] = []
        for link in await services.links.all(tenant):
            if not await services.access.sees_channel(tenant, user, link):
                continue
            workspace = await services.repository.workspace_by_id(link.workspace_id)
            if workspace is not None and workspace.owner == tenant.owner:
                asked = len(shown) < MAX_LINKS and not link.suspended
                closed = await services.access.closed(link) if asked else OPEN
                shown.append((link, workspace, closed))
        return shown

    async def _checks(self, tenant: Tenant, user: str) -> list[Check]:
        """Check whether MASIS works, for those who run it."""
        if not await self._services.access.manages(tenant, user):
            return []
        try:
            older = await self._services.older(tenant.owner)
        except MasisError as error:
            log.warning("the home tab's check failed: %s: %s", type(error).__name__, error)
            return [Check(name="Database", works=False, detail=sentences.UNAVAILABLE)]
        try:
            await self._services.web.auth_test(tenant)
        except SlackError as error:
            return [
                Check(
                    name="Slack", works=False, detail=error.sentence or shared_sentences.UNEXPECTED
                )
            ]
        works = [Check(name="Database", works=True), Check(name="Slack", works=True)]
        said = sentences.older_documents(older.synced, older.others)
        return [*works, Check(name="Documents", works=True, detail=said)] if said else works


def _asked_of(mine: Sequence[Workspace], chosen: WorkspaceId | None) -> Workspace | None:
    """The workspace that a person's direct messages ask: the one they chose, or else the first."""
    return next((each for each in mine if each.id == chosen), mine[0] if mine else None)
