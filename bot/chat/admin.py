"""Do what admins and managers do: link, unlink, delete, settings.

Each is checked, done and logged.
"""

import datetime as dt
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from bot.chat.authority import Action, Kind, may
from bot.chat.words import admin_sentences, shared_sentences
from masis.conversation import (
    AdminAction,
    FollowUpRule,
    Link,
    Mode,
    Sent,
    TeamSettings,
    Tenant,
)
from masis.documents.ingestion import Ingest
from masis.documents.removal import DeleteResult
from masis.domain import Document, Workspace, WorkspaceId
from masis.errors import MasisError
from masis.ports import Repository
from storage.chat.admin_log import AdminLog
from storage.chat.links import Links, Rule
from storage.chat.logged_changes import Change, LoggedChanges
from storage.chat.team_settings import TeamSettingsStore

NOT_NAMED: Final = Sent()
"""Names nothing: it is sent once and never taken up again."""
MAX_NAME: Final = 80
"""Of a workspace that is made in a chat."""


class NotDone(MasisError):
    """It was not done; the message says why and what to do. `field` is the form's, if one is wrong."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class NotAllowed(NotDone):
    """The person may not do it."""


class DoneBefore(NotDone):
    """It was done by an earlier attempt at the same form or message; the message says so."""


class DecidedSince(NotDone):
    """Somebody decided otherwise after it was sent: nothing in the form is wrong, and it is closed."""


class Rights(Protocol):
    """Tells who somebody of a chat is, and what of it can be linked. It asks the chat anew."""

    async def kind(self, tenant: Tenant, user: str) -> Kind:
        """Decide which kind of caller somebody is now."""

    def why_not(self, kind: Kind, action: Action) -> str:
        """The sentence for somebody who may not do it, with whom to ask."""

    async def linkable(self, tenant: Tenant, channel: str, *, external: bool) -> bool:
        """Check that the channel can be linked, and say whether it is private.

        Raises:
            NotDone: it cannot.
        """


class Admin:
    """The actions of those who run MASIS in a team. Each asks the chat anew who somebody is.

    `sent` names what was sent, where it may be taken up again after a crash: done once more it
    changes nothing, the log has one line of it, and what others decided after it stands.
    """

    def __init__(
        self,
        *,
        rights: Rights,
        changes: LoggedChanges,
        links: Links,
        settings: TeamSettingsStore,
        log: AdminLog,
        repository: Repository,
        ingest: Ingest,
        forget: Callable[[WorkspaceId], Awaitable[object]],
        not_linked: str,
    ) -> None:
        self._rights = rights
        self._changes = changes
        self._links = links
        self._settings = settings
        self._log = log
        self._repository = repository
        self._ingest = ingest
        self._forget = forget
        self._not_linked = not_linked

    async def check(self, tenant: Tenant, user: str, action: Action, target: str = "") -> None:
        """Let somebody go on, or log that they tried.

        Raises:
            NotAllowed: they may not.
        """
        kind = await self._rights.kind(tenant, user)
        if not may(kind, action, await self._settings.of(tenant)):
            await self._note(tenant, user, action, target, kind, allowed=False)
            raise NotAllowed(self._rights.why_not(kind, action))

    async def note_upload(
        self, tenant: Tenant, user: str, channel: str, files: int, *, once: str
    ) -> None:
        """Let somebody put files in, and log it; one that is taken in again (`once`) is no new line.

        Raises:
            NotAllowed: they may not.
        """
        await self.check(tenant, user, "upload", channel)
        await self._note(tenant, user, "upload", channel, f"files: {files}", once=once)

    async def workspaces(self, tenant: Tenant) -> list[Workspace]:
        """List the workspaces that can be linked: this team's own, and those of its organisation."""
        whole = tenant.organisation_owner
        shared = await self._repository.workspaces(whole) if whole else []
        return [*await self._repository.workspaces(tenant.owner), *shared]

    async def link(
        self,
        tenant: Tenant,
        user: str,
        channel: str,
        *,
        workspace: str = "",
        new: str = "",
        external: bool = False,
        follow_ups: FollowUpRule = "mine",
        mode: Mode = "auto",
        sent: Sent = NOT_NAMED,
    ) -> tuple[Link, Workspace]:
        """Link a channel to a workspace of the team: to an old one by its id, or to a new one.

        Raises:
            NotAllowed: they may not.
            NotDone: the channel or the workspace cannot be linked.
            DecidedSince: it was linked otherwise since.
            DoneBefore: it was.
        """
        await self.check(tenant, user, "link", channel)
        if sent.once and await self._log.of(tenant, "link", sent.once):
            raise DoneBefore(admin_sentences.LINKED)
        private = await self._rights.linkable(tenant, channel, external=external)
        chosen = await self._chosen(tenant, channel, workspace, new)
        link = Link(
            tenant=tenant,
            channel=channel,
            workspace_id=chosen.id,
            linked_by=user,
            linked_at=_at(sent),
            external_allowed=external,
            private=private,
            follow_ups=follow_ups,
            mode=mode,
        )
        action = _action(tenant, user, "link", channel, chosen.id, at=link.linked_at)
        _became(await self._changes.link(link, action, sent), admin_sentences.LINKED)
        return link, chosen

    async def unlink(
        self, tenant: Tenant, user: str, channel: str, *, sent: Sent = NOT_NAMED
    ) -> Workspace | None:
        """Take a channel's link away; gives the workspace that it had.

        Raises:
            NotAllowed: they may not.
            DecidedSince: somebody linked it anew since.
            DoneBefore: it was.
        """
        await self.check(tenant, user, "unlink", channel)
        if sent.once and await self._log.of(tenant, "unlink", sent.once):
            raise DoneBefore(admin_sentences.UNLINKED)
        link = await self._links.of(tenant, channel)
        if link is None:
            in_vain = f"in vain {sent.once}" if sent.once else ""
            await self._note(tenant, user, "unlink", channel, "", at=_at(sent), once=in_vain)
            return None
        action = _action(tenant, user, "unlink", channel, link.workspace_id, at=_at(sent))
        _became(await self._changes.unlink(link, action, sent), admin_sentences.UNLINKED)
        return await self._repository.workspace_by_id(link.workspace_id)

    async def documents(
        self, tenant: Tenant, channel: str, *, to_delete: bool = False
    ) -> tuple[Workspace, list[Document]]:
        """The channel's workspace and its documents; `to_delete` wants one that is the team's own.

        Raises:
            NotDone: the channel is not linked, or the workspace is the whole organisation's.
        """
        link = await self._links.of(tenant, channel)
        found = await self._repository.workspace_by_id(link.workspace_id) if link else None
        if found is None or not tenant.may_ask(found.owner):
            raise NotDone(self._not_linked)
        if to_delete and found.owner != tenant.owner:
            raise NotDone(admin_sentences.OF_ORGANISATION)
        return found, await self._repository.documents(found.id)

    async def delete(
        self, tenant: Tenant, user: str, channel: str, document: str, *, sent: Sent = NOT_NAMED
    ) -> DeleteResult:
        """Delete a document of the channel's workspace, by its id.

        It is logged before, so that no deletion that was broken off is missing in the log.

        Raises:
            NotAllowed: they may not.
            NotDone: the channel is not linked, has no such document, or shares it with others.
            DecidedSince: somebody put it in anew since.
            DoneBefore: it had.
        """
        await self.check(tenant, user, "delete", document)
        workspace, documents = await self.documents(tenant, channel, to_delete=True)
        named = next((each for each in documents if each.id == document), None)
        is_new = named is not None and sent.at is not None and named.ingested_at > sent.at
        if named is None or is_new:
            if sent.once and await self._log.of(tenant, "delete", sent.once):
                # Its process may have died between the document and the steps that quote it.
                await self._forget(workspace.id)
                raise DoneBefore(
                    admin_sentences.PUT_IN_SINCE if is_new else admin_sentences.DELETED
                )
            if is_new:
                raise DecidedSince(admin_sentences.PUT_IN_SINCE)
            raise NotDone(shared_sentences.NOT_FOUND)
        told = f"{named.chunks} chunks"
        await self._note(tenant, user, "delete", document, told, at=_at(sent), once=sent.once)
        try:
            result = await self._ingest.delete(workspace, named.name, version=named.version_id)
        finally:
            # Its texts may be gone from the rows already; the steps quote them, too.
            await self._forget(workspace.id)
        if result.status == "replaced":
            raise DecidedSince(admin_sentences.PUT_IN_SINCE)
        if result.status == "unknown":  # somebody was faster
            raise DoneBefore(admin_sentences.DELETED)
        return result

    async def save(
        self,
        tenant: Tenant,
        user: str,
        settings: TeamSettings,
        *,
        channel: str = "",
        follow_ups: FollowUpRule | None = None,
        mode: Mode | None = None,
        sent: Sent = NOT_NAMED,
    ) -> None:
        """Change the team's settings, and the rules of a linked channel where there are any.

        Raises:
            NotAllowed: they may not.
            DecidedSince: somebody changed them since.
            DoneBefore: they were.
        """
        await self.check(tenant, user, "settings")
        given: dict[Rule, str | None] = {"follow_ups": follow_ups, "mode": mode}
        rules = {rule: value for rule, value in given.items() if value}
        told = settings.model_dump_json()
        action = _action(tenant, user, "settings", "", told, at=_at(sent))
        became = await self._changes.save(settings, action, sent, channel=channel, rules=rules)
        _became(became, admin_sentences.SETTINGS_SAVED)

    async def _chosen(self, tenant: Tenant, channel: str, workspace: str, new: str) -> Workspace:
        known = await self.workspaces(tenant)
        name = " ".join(new.split())[:MAX_NAME]
        if name:
            own = (each for each in known if each.owner == tenant.owner)
            named = next((each for each in own if each.name == name), None)
            if named is None:
                return await self._repository.create_workspace(tenant.owner, name)
            # One that is as new was made by an attempt that broke off.
            if named.documents or await self._is_asked_elsewhere(tenant, channel, named):
                raise NotDone(admin_sentences.NAME_TAKEN, "new")
            return named
        chosen = next((each for each in known if each.id == workspace), None)
        if chosen is None:
            raise NotDone(admin_sentences.CHOOSE_OR_NAME, "workspace")
        return chosen

    async def _is_asked_elsewhere(self, tenant: Tenant, channel: str, workspace: Workspace) -> bool:
        links = await self._links.all(tenant)
        return any(link.workspace_id == workspace.id and link.channel != channel for link in links)

    async def _note(
        self,
        tenant: Tenant,
        user: str,
        action: str,
        target: str,
        detail: str,
        *,
        allowed: bool = True,
        at: dt.datetime | None = None,
        once: str = "",
    ) -> None:
        at = at or dt.datetime.now(dt.UTC)
        line = _action(tenant, user, action, target, detail, at=at, allowed=allowed)
        await self._log.add(line, once=once)


def _at(sent: Sent) -> dt.datetime:
    """Return when it was sent: what is decided is as old as that, and no clock of others counts."""
    now = dt.datetime.now(dt.UTC)
    return now if sent.at is None else min(sent.at, now)


def _became(change: Change, done: str) -> None:
    if change == "done before":
        raise DoneBefore(done)
    if change == "decided since":
        raise DecidedSince(admin_sentences.DECIDED_SINCE)


def _action(
    tenant: Tenant,
    user: str,
    action: str,
    target: str,
    detail: str,
    *,
    at: dt.datetime,
    allowed: bool = True,
) -> AdminAction:
    return AdminAction(
        tenant=tenant,
        actor=user,
        action=action,
        target=target,
        detail=detail,
        allowed=allowed,
        at=at,
    )
