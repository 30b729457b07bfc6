"""Store where in Teams MASIS was spoken to, and the address at which that can be answered."""

import datetime as dt
import hashlib
from typing import Literal

from sqlalchemy import select

from masis.conversation import Tenant
from masis.domain import Value
from storage.sql.database import Database
from storage.sql.rows import AnyRow
from storage.sql.scope import exactly, tenant_of, tenant_values, utc
from storage.sql.tables import teams_places
from storage.sql.upserts import put

PlaceKind = Literal["channel", "personal"]


class TeamsPlace(Value):
    """A channel, or a chat with one person. `conversation` is without its thread.

    The tenant of a personal chat has no team: it is nobody's but the person's.
    """

    tenant: Tenant
    kind: PlaceKind
    conversation: str
    service_url: str
    seen_at: dt.datetime

    @property
    def id(self) -> str:
        """Return what stands for it as a channel's id: Teams' own may be too long for that."""
        return place_id(self.tenant.enterprise, self.conversation)


def place_id(enterprise: str, conversation: str) -> str:
    """Return the id of the place that a conversation of an Entra tenant is."""
    digest = hashlib.sha256(f"{enterprise}\x1f{conversation}".encode()).hexdigest()
    return f"c{digest[:40]}"


class TeamsPlaces:
    """The places of all tenants. A place's id says whose it is: it is made of that."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, place: TeamsPlace) -> None:
        """Note a place; the address at which it is answered may be another one each time."""
        row = {
            "id": place.id,
            "kind": place.kind,
            "conversation": place.conversation,
            "service_url": place.service_url,
            "seen_at": utc(place.seen_at),
        }
        async with self._database.write() as connection:
            await put(connection, teams_places, row | tenant_values(place.tenant))

    async def get(self, enterprise: str, place: str) -> TeamsPlace | None:
        """Return a place of an Entra tenant; None where MASIS was not spoken to there."""
        mine = exactly(teams_places.c.id, place), exactly(teams_places.c.enterprise, enterprise)
        async with self._database.read() as connection:
            row = (await connection.execute(select(teams_places).where(*mine))).one_or_none()
        return None if row is None else _to_place(row)


def _to_place(row: AnyRow) -> TeamsPlace:
    return TeamsPlace(
        tenant=tenant_of(row),
        kind=row.kind,
        conversation=row.conversation,
        service_url=row.service_url,
        seen_at=row.seen_at,
    )
