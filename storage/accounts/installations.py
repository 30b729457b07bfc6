"""Installations in the database, with their tokens encrypted.

The table is ours, not slack_sdk's: the SDK's store adds a row with every installation, so that old
tokens stay; it cannot say who renews a token; and its columns do not know the tenant that a secret
is bound to. Nothing else of its interface is in use, since the install pages are ours.
"""

import datetime as dt
import hmac
from collections.abc import AsyncIterator
from typing import Any, Final

from pydantic import SecretStr
from sqlalchemy import ColumnElement, and_, func, or_, select, tuple_, update
from sqlalchemy import delete as delete_from
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import Tenant
from masis.installation import Installation, Renewed, Uninstalled
from storage.accounts.uninstalled import uninstall
from storage.secrets import KeyRing, Sealed, SecretUnreadable
from storage.sql.database import Database
from storage.sql.rows import AnyRow, now
from storage.sql.scope import TENANT, clean, exactly, of_tenant, tenant_of, tenant_values, utc
from storage.sql.tables import installations
from storage.sql.upserts import put

ROTATION_BATCH: Final = 100
"""Rows a transaction: about 20 ms in which nobody else can write."""
_EVENT_GRAIN: Final = dt.timedelta(seconds=1)
"""Chats tell the time of an event in whole seconds."""

_TOKENS: Final = ("bot_token", "refresh_token")
_c = installations.c
_KEY: Final = tuple(_c[name] for name in TENANT)


class SqlInstallations:
    """The installations of all tenants. It is an `InstallationStore`."""

    def __init__(self, database: Database, ring: KeyRing) -> None:
        self._database = database
        self._ring = ring

    async def save(self, installation: Installation) -> None:
        """Keep it in the place of an earlier one of the same tenant.

        Raises:
            InvalidSettings: there is no key to encrypt with.
        """
        named = {"app_id", "bot_id", "bot_user_id", "scopes", "installed_by", "disabled"}
        row = installation.model_dump(include=named) | tenant_values(installation.tenant)
        row |= {
            "enterprise_name": clean(installation.enterprise_name),
            "team_name": clean(installation.team_name),
            "installed_at": utc(installation.installed_at),
            "renewal_claim": "",
            "renewal_until": None,
        }
        row |= self._tokens(installation.tenant, installation)
        async with self._database.write() as connection:
            await put(connection, installations, row)

    async def find(self, tenant: Tenant) -> Installation | None:
        """The tenant's own, else its organisation's; one that is not disabled goes first.

        Raises:
            SecretUnreadable: its secrets cannot be decrypted.
        """
        organisation = and_(
            _c.chat == tenant.chat, exactly(_c.enterprise, tenant.enterprise), _c.team == ""
        )
        query = select(installations).where(or_(of_tenant(_c, tenant), organisation))
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        best = min(rows, key=lambda row: (row.disabled != "", row.team == ""), default=None)
        return None if best is None else self._installation(best)

    # --- renewal ---------------------------------------------------------------------------

    async def claim_renewal(
        self, tenant: Tenant, claim: str, *, ending_before: dt.datetime, seconds: float
    ) -> Installation | None:
        """Take the right to renew the token, for so many seconds, if it still ends before then.

        None where somebody else has the right, or has renewed it. `tenant` is the installation's.
        """
        moment = now()
        free = or_(_c.renewal_until.is_(None), _c.renewal_until < moment)
        due = and_(_c.expires_at < utc(ending_before), _c.refresh_token.is_not(None))
        claiming = (
            update(installations)
            .where(of_tenant(_c, tenant), free, due)
            .values(renewal_claim=claim, renewal_until=moment + dt.timedelta(seconds=seconds))
        )
        async with self._database.write() as connection:
            if (await connection.execute(claiming)).rowcount == 0:
                return None
            row = await _row(connection, tenant)
        return None if row is None else self._installation(row)

    async def renew(self, tenant: Tenant, claim: str, renewed: Renewed) -> bool:
        """Store a renewed token; False when the claim does not hold any more.

        Not compared with the old token: a rotation of keys may have written that anew meanwhile.
        """
        values = self._tokens(tenant, renewed) | {"renewal_claim": "", "renewal_until": None}
        storing = update(installations).where(*_claimed(tenant, claim)).values(values)
        async with self._database.write() as connection:
            return (await connection.execute(storing)).rowcount == 1

    async def release_renewal(self, tenant: Tenant, claim: str) -> None:
        """Let somebody else try."""
        freeing = update(installations).where(*_claimed(tenant, claim))
        async with self._database.write() as connection:
            await connection.execute(freeing.values(renewal_claim="", renewal_until=None))

    # --- ends ------------------------------------------------------------------------------

    async def disable(self, tenant: Tenant, token: SecretStr, reason: str) -> bool:
        """Erase the tokens of the installation, if `token` is still its token, and note why."""
        async with self._database.write() as connection:
            row = await _row(connection, tenant)
            if row is None or row.bot_token is None:
                return False
            stored = self._opened(tenant, "bot_token", row.bot_token)
            if not hmac.compare_digest(*(t.get_secret_value().encode() for t in (stored, token))):
                return False
            values = {**dict.fromkeys(_TOKENS), "key_id": "", "disabled": clean(reason)}
            mine = of_tenant(_c, tenant)
            await connection.execute(update(installations).where(mine).values(values))
        await self._database.erase_traces()
        return True

    async def remove(self, tenant: Tenant, *, before: dt.datetime | None = None) -> Uninstalled:
        """Erase the installation's tokens and put its links out of use, all at once.

        One that was installed after `before` stays as it is: events may arrive an hour late.
        """
        async with self._database.write() as connection:
            mine = of_tenant(_c, tenant)
            installed = await connection.scalar(select(_c.installed_at).where(mine))
            if installed and before and installed >= utc(before) + _EVENT_GRAIN:
                return Uninstalled(stale=True)
            await connection.execute(delete_from(installations).where(mine))
            uninstalled = await uninstall(connection, tenant)
        await self._database.erase_traces()
        return uninstalled

    # --- keys ------------------------------------------------------------------------------

    async def key_counts(self) -> dict[str, int]:
        """Count how many installations are encrypted with each key."""
        query = (
            select(_c.key_id, func.count().label("rows"))
            .where(_c.key_id != "")
            .group_by(_c.key_id)
            .order_by(_c.key_id)
        )
        async with self._database.read() as connection:
            return {row.key_id: row.rows for row in await connection.execute(query)}

    async def check_keys(self) -> None:
        """Open one installation of each key, so that a wrong key is found at the start.

        Raises:
            SecretUnreadable: a key that is in use is missing, or another one has its id.
        """
        for key_id in await self.key_counts():
            query = select(installations).where(_c.key_id == key_id).limit(1)
            async with self._database.read() as connection:
                row = (await connection.execute(query)).first()
            if row is not None:
                self._installation(row)

    async def rotate(self, *, batch: int = ROTATION_BATCH) -> AsyncIterator[int]:
        """Encrypt anew, under the first key, whatever lies under another one; how many so far.

        Each batch is one transaction, and what is left is found again: it may be broken off at any
        moment and repeated. Rows whose key the ring does not hold are left alone.

        Raises:
            SecretUnreadable: some row could not be opened; all others were encrypted anew.
        """
        done, last = 0, ("",) * len(TENANT)
        unreadable: list[SecretUnreadable] = []
        while True:
            async with self._database.write() as connection:
                rows = await self._outdated(connection, last, batch)
                for row in rows:
                    try:
                        await self._reseal(connection, row)
                        done += 1
                    except SecretUnreadable as error:
                        unreadable.append(error)
            if not rows:
                break
            last = tuple(getattr(rows[-1], name) for name in TENANT)
            yield done
        await self._database.erase_traces()
        if unreadable:
            raise unreadable[0]

    async def _outdated(
        self, connection: AsyncConnection, last: tuple[str, ...], batch: int
    ) -> list[AnyRow]:
        others = [key_id for key_id in self._ring.ids if key_id != self._ring.current]
        query = (
            select(installations)
            .where(_c.key_id.in_(others), tuple_(*_KEY) > last)
            .order_by(*_KEY)
            .limit(batch)
            .with_for_update()
        )
        return list((await connection.execute(query)).all())

    async def _reseal(self, connection: AsyncConnection, row: AnyRow) -> None:
        found = self._installation(row)
        values = self._tokens(found.tenant, found)
        mine = of_tenant(_c, found.tenant)
        await connection.execute(update(installations).where(mine).values(values))

    # --- secrets ---------------------------------------------------------------------------

    def _tokens(self, tenant: Tenant, tokens: Installation | Renewed) -> dict[str, Any]:
        """The columns of a token, sealed; what is empty stays empty."""
        secrets = zip(_TOKENS, (tokens.token, tokens.refresh_token), strict=True)
        sealed = {
            name: self._ring.seal(secret, *_place(tenant, name)) if secret else None
            for name, secret in secrets
        }
        return {
            **sealed,
            "expires_at": tokens.expires_at and utc(tokens.expires_at),
            "key_id": self._ring.current if any(sealed.values()) else "",
        }

    def _opened(self, tenant: Tenant, column: str, sealed: Sealed | None) -> SecretStr:
        return SecretStr("") if sealed is None else self._ring.open(sealed, *_place(tenant, column))

    def _installation(self, row: AnyRow) -> Installation:
        tenant = tenant_of(row)
        return Installation(
            tenant=tenant,
            token=self._opened(tenant, "bot_token", row.bot_token),
            refresh_token=self._opened(tenant, "refresh_token", row.refresh_token),
            expires_at=row.expires_at,
            app_id=row.app_id,
            bot_id=row.bot_id,
            bot_user_id=row.bot_user_id,
            scopes=row.scopes,
            enterprise_name=row.enterprise_name,
            team_name=row.team_name,
            installed_by=row.installed_by,
            installed_at=row.installed_at,
            disabled=row.disabled,
        )


def _place(tenant: Tenant, column: str) -> tuple[str, ...]:
    """Return what a secret is bound to."""
    return (installations.name, column, tenant.enterprise, tenant.team)


def _claimed(tenant: Tenant, claim: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return of_tenant(_c, tenant), exactly(_c.renewal_claim, claim)


async def _row(connection: AsyncConnection, tenant: Tenant) -> AnyRow | None:
    query = select(installations).where(of_tenant(_c, tenant)).with_for_update()
    return (await connection.execute(query)).one_or_none()
