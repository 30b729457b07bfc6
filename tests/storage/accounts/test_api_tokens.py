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


async def test_who_shows_a_token_is_let_into_its_workspace(
    tokens: ApiTokens, workspace: Workspace
) -> None:
    made, shown = await a_token(tokens, workspace)
    found = await tokens.of(shown)
    assert found is not None
    assert (found.id, found.workspace_id, found.tenant) == (made.id, workspace.id, LOCAL_TENANT)
    assert found.tenant.owner == workspace.owner
    assert await tokens.any_works()


async def test_a_token_is_random_and_only_its_hash_is_stored(
    tokens: ApiTokens, workspace: Workspace, database: Database
) -> None:
    _, shown = await a_token(tokens, workspace)
    _, other = await a_token(tokens, workspace)
    assert shown != other
    async with database.read() as connection:
        rows = (await connection.execute(select(api_tokens))).all()
    secret = shown[len("masis_") + 17 :]
    assert len(secret) == 43
    assert hashlib.sha256(shown.encode()).hexdigest() in {row.token_hash for row in rows}
    assert secret not in str(rows)


async def test_nothing_but_the_whole_token_is_one(tokens: ApiTokens, workspace: Workspace) -> None:
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


async def test_a_revoked_token_lets_nobody_in_and_is_told_once_more(
    tokens: ApiTokens, workspace: Workspace
) -> None:
    made, shown = await a_token(tokens, workspace)
    revoked = await tokens.revoke(LOCAL_TENANT, made.id)
    assert revoked is not None
    assert revoked.revoked_at is not None
    assert await tokens.of(shown) is None
    assert await tokens.revoke(LOCAL_TENANT, made.id) == revoked
    assert not await tokens.any_works()


async def test_the_last_use_is_noted_once_an_hour(
    tokens: ApiTokens, workspace: Workspace, database: Database
) -> None:
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


async def test_a_tenant_makes_lists_and_revokes_its_own_alone(
    tokens: ApiTokens, workspace: Workspace, repository: SqlRepository
) -> None:
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


async def test_what_is_shown_once_does_not_show_by_accident(
    tokens: ApiTokens, workspace: Workspace
) -> None:
    made, shown = await tokens.create(LOCAL_TENANT, workspace.id, lifetime=DAY)
    assert isinstance(shown, SecretStr)
    assert shown.get_secret_value() not in f"{made!r} {shown!r} {shown}"
