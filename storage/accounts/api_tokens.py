"""Store who may ask a workspace over HTTP. They hold tokens, of which hashes alone are kept."""

import base64
import datetime as dt
import hashlib
import hmac
import re
import secrets
from collections.abc import Collection
from typing import Any, Final, Literal, get_args

from pydantic import SecretStr
from sqlalchemy import ColumnElement, insert, select, update

from masis.conversation import Tenant
from masis.domain import Value, WorkspaceId
from storage.sql.database import Database
from storage.sql.rows import AnyRow, now
from storage.sql.scope import (
    clean,
    exactly,
    of_tenant,
    require_workspace,
    taken_tenant,
    tenant_values,
    utc,
)
from storage.sql.tables import api_tokens

COARSE: Final = dt.timedelta(hours=1)
"""The last use is noted once in so long: a request is not to be a write."""
SECRET_BYTES: Final = 32
MOST_LISTED: Final = 1000

Right = Literal["ask", "documents"]
"""To ask and read what came of it; to put documents in, list and delete them."""
RIGHTS: Final[tuple[Right, ...]] = get_args(Right)
ASK_ALONE: Final[tuple[Right, ...]] = ("ask",)

_ID_BYTES: Final = 10
_TOKEN: Final = re.compile(r"masis_([a-z2-7]{16})_[A-Za-z0-9_-]{43}", re.ASCII)
_NO_HASH: Final = "0" * 64
"""Compared with where there is no such token, so that both take the same time."""


class ApiToken(Value):
    """A token without its secret. `last_used_at` is right to the hour, None before its first use."""

    id: str
    tenant: Tenant
    workspace_id: WorkspaceId
    name: str = ""
    rights: tuple[Right, ...] = ASK_ALONE
    created_at: dt.datetime
    expires_at: dt.datetime
    last_used_at: dt.datetime | None = None
    revoked_at: dt.datetime | None = None

    def works(self, moment: dt.datetime) -> bool:
        """Say whether the token lets its holder in at that moment."""
        return self.revoked_at is None and moment < self.expires_at


class ApiTokens:
    """The tokens of all tenants."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self,
        tenant: Tenant,
        workspace_id: WorkspaceId,
        *,
        lifetime: dt.timedelta,
        name: str = "",
        rights: Collection[Right] = ASK_ALONE,
    ) -> tuple[ApiToken, SecretStr]:
        """Make a token for a workspace of this tenant. What its holder shows is given once.

        Raises:
            UnknownWorkspace: its tenant has no such workspace.
        """
        token_id = base64.b32encode(secrets.token_bytes(_ID_BYTES)).decode().lower()
        shown = f"masis_{token_id}_{secrets.token_urlsafe(SECRET_BYTES)}"
        moment = now()
        made = ApiToken(
            id=token_id,
            tenant=tenant,
            workspace_id=workspace_id,
            name=clean(name),
            rights=tuple(right for right in RIGHTS if right in rights),
            created_at=moment,
            expires_at=moment + lifetime,
        )
        row = made.model_dump(exclude={"tenant"}) | tenant_values(tenant)
        async with self._database.write() as connection:
            await require_workspace(connection, tenant, workspace_id)
            await connection.execute(insert(api_tokens).values(row | {"token_hash": _hash(shown)}))
        return made, SecretStr(shown)

    async def of(self, shown: str) -> ApiToken | None:
        """The token that somebody shows, if it works now; its use is noted."""
        named = _TOKEN.fullmatch(shown)
        if named is None:
            return None
        async with self._database.read() as connection:
            query = select(api_tokens).where(api_tokens.c.id == named[1])
            row = (await connection.execute(query)).one_or_none()
        is_right = hmac.compare_digest(_NO_HASH if row is None else row.token_hash, _hash(shown))
        found = None if row is None or not is_right else _to_token(row)
        moment = now()
        if found is None or not found.works(moment):
            return None
        if found.last_used_at is None or moment - found.last_used_at >= COARSE:
            return await self._used(found, moment)
        return found

    async def get(self, token_id: str) -> ApiToken | None:
        """The token of that id, whether it works or not."""
        async with self._database.read() as connection:
            query = select(api_tokens).where(exactly(api_tokens.c.id, token_id))
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else _to_token(row)

    async def list(self, tenant: Tenant) -> "list[ApiToken]":
        """The tenant's tokens, the newest first; a thousand at most."""
        query = select(api_tokens).where(of_tenant(api_tokens.c, tenant))
        newest = api_tokens.c.created_at.desc(), api_tokens.c.id
        async with self._database.read() as connection:
            rows = await connection.execute(query.order_by(*newest).limit(MOST_LISTED))
            return [_to_token(row) for row in rows]

    async def revoke(self, tenant: Tenant, token_id: str) -> ApiToken | None:
        """End a token of this tenant for good; None where there is none of that id."""
        mine = of_tenant(api_tokens.c, tenant), exactly(api_tokens.c.id, token_id)
        await self._set({"revoked_at": now()}, *mine, api_tokens.c.revoked_at.is_(None))
        found = await self.get(token_id)
        return found if found is not None and found.tenant == tenant else None

    async def any_works(self) -> bool:
        """Say whether anybody can be let in."""
        working = api_tokens.c.revoked_at.is_(None), api_tokens.c.expires_at > utc(now())
        async with self._database.read() as connection:
            found = await connection.scalar(select(api_tokens.c.id).where(*working).limit(1))
        return found is not None

    async def _used(self, token: ApiToken, moment: dt.datetime) -> ApiToken:
        hour = utc(moment).replace(minute=0, second=0, microsecond=0)
        await self._set({"last_used_at": hour}, api_tokens.c.id == token.id)
        return token.model_copy(update={"last_used_at": hour})

    async def _set(self, values: dict[str, Any], *conditions: ColumnElement[bool]) -> None:
        async with self._database.write() as connection:
            await connection.execute(update(api_tokens).where(*conditions).values(**values))


def _hash(shown: str) -> str:
    """A hash without salt will do: what is hashed is 256 random bits."""
    return hashlib.sha256(shown.encode()).hexdigest()


def _to_token(row: AnyRow) -> ApiToken:
    values = dict(row._mapping)
    del values["token_hash"]
    tenant = taken_tenant(values)
    return ApiToken.model_validate(values | {"tenant": tenant})
