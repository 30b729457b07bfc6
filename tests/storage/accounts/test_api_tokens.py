import datetime as dt
import hashlib

import pytest
from pydantic import SecretStr
from sqlalchemy import select, update

from masis.conversation import LOCAL_TENANT, Tenant
from masis.domain import Workspace
from masis.errors import UnknownWorkspace
from storage.accounts.api_tokens import ApiToken, ApiTokens
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from storage.sql.tables import api_tokens

DAY = dt.timedelta(days=1)
TEAM = Tenant(enterprise="E1", team="T1")


@pytest.fixture
def tokens(database: Database) -> ApiTokens:
    return ApiTokens(database)


async def a_token(tokens: ApiTokens, workspace: Workspace) -> tuple[ApiToken, str]:
    made, shown = await tokens.create(LOCAL_TENANT, workspace.id, lifetime=DAY, name="ci")
    return made, shown.get_secret_value()


async def test_token_admits_to_its_workspace(tokens: ApiTokens, workspace: Workspace) -> None:
    """Who shows a token is let into its workspace."""
    made, shown = await a_token(tokens, workspace)
    found = await tokens.of(shown)
    assert found is not None
    assert (found.id, found.workspace_id, found.tenant) == (made.id, workspace.id, LOCAL_TENANT)
    assert found.tenant.owner == workspace.owner
    assert await tokens.any_works()


async def test_token_is_stored_hashed(
    tokens: ApiTokens, workspace: Workspace, database: Database
) -> None:
    """A token is random and only its hash is stored."""
    _, shown = await a_token(tokens, workspace)
    _, other = await a_token(tokens, workspace)
    assert shown != other
    async with database.read() as connection:
        rows = (await connection.execute(select(api_tokens))).all()
    secret = shown[len("masis_") + 17 :]
    assert len(secret) == 43
    assert hashlib.sha256(shown.encode()).hexdigest() in {row.token_hash for row in rows}
    assert secret not in str(rows)


async def test_only_the_whole_token_is_accepted(tokens: ApiTokens, workspace: Workspace) -> None:
    """Nothing but the whole token is one."""
    _, shown = await a_token(tokens, workspace)
    _, other = await a_token(tokens, workspace)
    crossed = shown[:23] + other[23:]
    twisted = shown[:-1] + ("A" if shown[-1] != "A" else "B")
    wrong = ["", "masis_", shown[:-1], shown + "A", shown.upper(), f" {shown}", f"{shown}\n"]
    for each in (*wrong, crossed, twisted, shown.replace("masis", "xoxb"), "é" * 66, "%" * 66):
        assert await tokens.of(each) is None, each
    assert await tokens.of(shown) is not None


async def test_an_expired_token_lets_nobody_in(
    tokens: ApiTokens, workspace: Workspace, database: Database
) -> None:
    made, shown = await a_token(tokens, workspace)
    async with database.write() as connection:
        past = dt.datetime.now(dt.UTC) - dt.timedelta(seconds=1)
        await connection.execute(update(api_tokens).values(expires_at=past))
    assert await tokens.of(shown) is None
    assert not await tokens.any_works()
    assert await tokens.get(made.id) is not None


async def test_revoked_token_is_refused(tokens: ApiTokens, workspace: Workspace) -> None:
    """A revoked token lets nobody in and is told once more."""
    made, shown = await a_token(tokens, workspace)
    revoked = await tokens.revoke(LOCAL_TENANT, made.id)
    assert revoked is not None
    assert revoked.revoked_at is not None
    assert await tokens.of(shown) is None
    assert await tokens.revoke(LOCAL_TENANT, made.id) == revoked
    assert not await tokens.any_works()


async def test_last_use_is_noted_hourly(
    tokens: ApiTokens, workspace: Workspace, database: Database
) -> None:
    """The last use is noted once an hour."""
    made, shown = await a_token(tokens, workspace)
    assert made.last_used_at is None
    first = await tokens.of(shown)
    assert first is not None
    assert first.last_used_at is not None
    assert (first.last_used_at.minute, first.last_used_at.second) == (0, 0)
    long_ago = first.last_used_at - dt.timedelta(hours=5)
    async with database.write() as connection:
        await connection.execute(update(api_tokens).values(last_used_at=long_ago))
    again = await tokens.of(shown)
    assert again is not None
    assert again.last_used_at is not None
    assert again.last_used_at >= first.last_used_at
    assert (await tokens.get(made.id)) == again


async def test_tenant_manages_only_own_tokens(
    tokens: ApiTokens, workspace: Workspace, repository: SqlRepository
) -> None:
    """A tenant makes lists and revokes its own alone."""
    theirs = await repository.create_workspace(TEAM.owner, "acme")
    made, shown = await a_token(tokens, workspace)
    other, _ = await tokens.create(TEAM, theirs.id, lifetime=DAY)
    with pytest.raises(UnknownWorkspace):
        await tokens.create(TEAM, workspace.id, lifetime=DAY)
    with pytest.raises(UnknownWorkspace):
        await tokens.create(LOCAL_TENANT, theirs.id, lifetime=DAY)
    assert [each.id for each in await tokens.list(TEAM)] == [other.id]
    assert [each.id for each in await tokens.list(LOCAL_TENANT)] == [made.id]
    assert await tokens.revoke(TEAM, made.id) is None
    assert await tokens.of(shown) is not None


async def test_tokens_go_with_their_workspace(
    tokens: ApiTokens, workspace: Workspace, repository: SqlRepository
) -> None:
    made, shown = await a_token(tokens, workspace)
    await repository.delete_workspace(workspace.id)
    assert await tokens.of(shown) is None
    assert await tokens.get(made.id) is None


async def test_token_secret_is_not_printed(tokens: ApiTokens, workspace: Workspace) -> None:
    """What is shown once does not show by accident."""
    made, shown = await tokens.create(LOCAL_TENANT, workspace.id, lifetime=DAY)
    assert isinstance(shown, SecretStr)
    assert shown.get_secret_value() not in f"{made!r} {shown!r} {shown}"
