"""Find what an activity of Teams is about: its place, its team, and the run behind a card."""

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from bot.teams.inbound.activities import Where
from masis.conversation import TEAMS, ChatRun, Link, Session, Tenant
from masis.domain import Workspace
from masis.ports import Repository
from storage.chat.links import Links
from storage.chat.outbox import Outbox
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.teams_places import TeamsPlace

STANDARD: Final = frozenset({"", "standard"})
"""Kinds of channels that are answered in; Teams names none for the ordinary one at times."""


def team_of(where: Where) -> Tenant | None:
    """Return the team that something happened in; None outside one."""
    if not where.group:
        return None
    return Tenant(chat=TEAMS, enterprise=where.tenant, team=where.group)


def place_of(where: Where) -> TeamsPlace | None:
    """Return the place that something came from; None where MASIS does not answer."""
    tenant = team_of(where)
    kind = where.kind
    if kind == "group" or (
        kind == "channel" and (tenant is None or where.channel_type not in STANDARD)
    ):
        return None
    return TeamsPlace(
        tenant=tenant or Tenant(chat=TEAMS, enterprise=where.tenant),
        kind=kind,
        conversation=where.conversation,
        service_url=where.service_url,
        seen_at=dt.datetime.now(dt.UTC),
    )


class RunLookup:
    """Finds runs by what a card carries, and only those of the place that it was pressed in.

    Ids come from clients: anybody may send any of them from anywhere.
    """

    def __init__(
        self,
        *,
        links: Links,
        outbox: Outbox,
        repository: Repository,
        runs: ChatRuns,
        sessions: Sessions,
    ) -> None:
        self._links = links
        self._repository = repository
        self._outbox = outbox
        self.runs: Final = runs
        self._sessions = sessions

    async def tenants(self, place: TeamsPlace) -> list[Tenant]:
        """Return the teams whose runs may stand in a place.

        In a personal chat these are all linked ones of the organisation.
        """
        if place.kind == "channel":
            return [place.tenant]
        found = await self._links.of_enterprise(TEAMS, place.tenant.enterprise)
        return list(dict.fromkeys(link.tenant for link in found))

    async def workspace(self, link: Link) -> Workspace | None:
        """Return the workspace of a link."""
        return await self._repository.workspace_by_id(link.workspace_id)

    async def choose(self, link: Link, user: str) -> None:
        """Let somebody's own chat ask the workspace of a link, and none of another team's."""
        for other in await self._links.of_enterprise(TEAMS, link.tenant.enterprise):
            if other.tenant != link.tenant:
                await self._links.forget_choice(other.tenant, user)
        await self._links.choose_direct(link.tenant, user, link.workspace_id)

    async def by_id(self, place: TeamsPlace, run_id: str, user: str) -> ChatRun | None:
        """Return a run that was asked in that place, and that this person sees there.

        In a channel one that was asked alone is its asker's.
        """
        found = await self.runs.of_ids([run_id])
        is_here = [
            run
            for run in found
            if run.channel == place.id
            and run.tenant.chat == TEAMS
            and run.tenant.enterprise == place.tenant.enterprise
            and (not run.direct or run.asker == user)
        ]
        return is_here[0] if is_here else None

    async def is_taken(self, place: TeamsPlace, run_id: Callable[[Tenant], str]) -> bool:
        """Say whether an earlier attempt made a run of what came from there, for whichever team."""
        ids = [run_id(tenant) for tenant in await self.tenants(place)]
        return bool(await self.runs.of_ids(ids))

    async def by_message(self, place: TeamsPlace, message: str, user: str) -> ChatRun | None:
        """Return the run whose message stands in that place for this person."""
        for tenant in await self.tenants(place):
            posted = await self._outbox.find_by_message(tenant, place.id, message)
            if posted is not None:
                return await self.by_id(place, posted.run_id, user)
        return None

    async def session(
        self, place: TeamsPlace, run_id: str, session_id: str, user: str
    ) -> Session | None:
        """Return what a run of that place asked this person back."""
        run = await self.by_id(place, run_id, user)
        found = None if run is None else await self._sessions.by_id(run.tenant, session_id)
        return found if found is not None and found.run_id == run_id else None

    async def open_in_chat(self, place: TeamsPlace, user: str) -> Session | None:
        """Return what somebody's own chat waits for, where nothing was asked there since."""
        enterprise = place.tenant.enterprise
        found = await self._sessions.newest_open(TEAMS, enterprise, place.id, user)
        last = await self.recent(place, user, 1) if found is not None else []
        return found if found is not None and last and last[0].id == found.run_id else None

    async def recent(self, place: TeamsPlace, user: str, most: int) -> list[ChatRun]:
        """Return what somebody asked last in a place, newest first."""
        return await self.runs.recent_of(TEAMS, place.tenant.enterprise, place.id, user, most)

    async def ended_as(self, runs: Sequence[ChatRun]) -> Mapping[str, Collection[str]]:
        """Return the kinds of messages that each of the runs has."""
        return await self._outbox.kinds([run.id for run in runs])

    async def open_session(self, place: TeamsPlace, thread: str) -> Session | None:
        """Return what a thread of that place waits for."""
        for tenant in await self.tenants(place):
            found = await self._sessions.open_in_thread(tenant, place.id, thread)
            if found is not None:
                return found
        return None
