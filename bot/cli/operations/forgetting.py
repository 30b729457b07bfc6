"""Describe what `masis purge` is about to remove, and remove it from every store."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.cli.exit_codes import BadInput
from bot.compose import App
from bot.rendering import show, show_chat
from bot.slack.install.key_ring import installations
from masis.conversation import ChatRun, Tenant
from masis.domain import Workspace, WorkspaceId
from masis.errors import StoreUnavailable
from storage.chat.requests import ChatRuns
from storage.chat.teams import teams
from storage.durable.erasure import forget_steps
from storage.privacy.authorship import requests_of
from storage.privacy.purge import Purge, PurgeReport


@dataclass(frozen=True)
class Removal:
    """Hold what is meant to be removed, before anything is gone.

    `said` names it, `open_requests` are those that a bot may be at work on, `requests` all whose
    steps are known to go, `remove` removes the rows.
    """

    said: str
    open_requests: list[str]
    requests: list[str]
    workspaces: list[WorkspaceId]
    remove: Callable[[], Awaitable[PurgeReport]]


# --- what is meant -------------------------------------------------------------------------


async def of_user(app: App, tenant: Tenant, user: str) -> Removal:
    """Find what is kept of a person, and describe its removal.

    Raises:
        BadInput: there is nothing of that team.
    """
    await _check_known(app, tenant)
    async with app.database.read() as connection:
        found = await requests_of(connection, tenant, user)
    asked = show.counted(len(found.own), "request")
    said = (
        f"What {user} asked, replied and voted in {show_chat.team(tenant)}: {asked}, and the words"
        f" of {len(found.taken_up)} more that took them up."
    )
    return Removal(
        said=said,
        open_requests=found.open,
        requests=[*found.own, *found.taken_up],
        workspaces=[],
        remove=lambda: Purge(app.database).purge_user(tenant, user),
    )


async def of_team(app: App, tenant: Tenant) -> Removal:
    """Find what is kept of a team, and describe its removal.

    Raises:
        BadInput: there is nothing of that team.
    """
    await _check_known(app, tenant)
    owned = await app.repository.workspaces(tenant.owner)
    named = f" ({', '.join(_named(each) for each in owned)})" if owned else ""
    said = (
        f"Everything of the team {show_chat.team(tenant)}: {show.counted(len(owned), 'workspace')}"
        f"{named}, its conversations, votes, links, settings and admin log, and its installation"
        " with the tokens."
    )
    mine = [each.id for each in owned]
    ids = [
        run.id for run in await _under_way(app) if run.tenant == tenant or run.workspace_id in mine
    ]
    return Removal(said, ids, ids, mine, lambda: _without(app, tenant))


async def of_workspace(app: App, workspace: Workspace) -> Removal:
    """Find what is kept of a workspace, and describe its removal.

    It is a team's, an organisation's, or the command line's.
    """
    ids = [run.id for run in await _under_way(app) if run.workspace_id == workspace.id]
    return Removal(
        said=f"The workspace {_named(workspace)}, and every conversation about it.",
        open_requests=ids,
        requests=ids,
        workspaces=[workspace.id],
        remove=lambda: Purge(app.database).purge_workspace(workspace.owner, workspace.id),
    )


async def _under_way(app: App) -> Sequence[ChatRun]:
    """Return what is open, whoever's: other teams ask the workspaces of their organisation."""
    return await ChatRuns(app.database).open_runs(None)


def _named(workspace: Workspace) -> str:
    return f"“{show.line(workspace.name)}” with {show.counted(workspace.documents, 'document')}"


async def _check_known(app: App, tenant: Tenant) -> None:
    known = await teams(app.database)
    if tenant in known or await app.repository.workspaces(tenant.owner):
        return
    there = ", ".join(show_chat.team(each) for each in known[:10]) or "none"
    raise BadInput(f"Nothing is kept of a team {show_chat.team(tenant)}. There are: {there}.")


async def _without(app: App, tenant: Tenant) -> PurgeReport:
    report = await Purge(app.database).purge_team(tenant)
    await installations(app).remove(tenant)
    return report


# --- its removal ---------------------------------------------------------------------------


async def forget(app: App, removal: Removal) -> PurgeReport:
    """Remove it from every store.

    The rows go last, by which all the rest is found: broken off, it can be repeated.

    Raises:
        StoreUnavailable: a store is in use or cannot be written. Nothing is gone where another
            process holds the vectors.
    """
    held = [await _held(app, workspace_id) for workspace_id in removal.workspaces]
    await forget_steps(app.database, removal.requests, removal.workspaces)
    for workspace_id in removal.workspaces:
        await app.drop(workspace_id)
    held.clear()
    report = await removal.remove()
    # What was accepted meanwhile, and workspaces that were made.
    await forget_steps(app.database, report.runs)
    for workspace_id in set(report.workspaces) - set(removal.workspaces):
        await app.drop(workspace_id)
    return report


async def _held(app: App, workspace_id: WorkspaceId) -> object:
    """Keep other processes out of the vectors.

    Raises:
        StoreUnavailable: another one is at work in them; damaged ones can be dropped all the same.
    """
    try:
        return await app.stores.open(workspace_id, None)
    except StoreUnavailable as error:
        if error.retryable:
            raise
    return None
