import datetime as dt
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import insert, select

from bot.slack.client.calls import Calls
from bot.slack.install import uninstall
from bot.slack.install.tokens import InstalledTokens, NotInstalled
from bot.slack.install.uninstall import BY_UNINSTALL, Uninstall
from masis.conversation import Link, Tenant
from masis.errors import StoreUnavailable
from masis.installation import Installation, Uninstalled
from storage.accounts.installations import SqlInstallations
from storage.chat.links import Links
from storage.documents.repository import SqlRepository
from storage.secrets import KeyRing, generate_key
from storage.sql.database import Database
from storage.sql.scope import tenant_values
from storage.sql.tables import chat_runs, installations, team_settings
from tests.bot.slack.granting import GrantingSlack, Team, database_in

ORG = Tenant(enterprise="E1")
T1 = Tenant(enterprise="E1", team="T1")
T2 = Tenant(enterprise="E1", team="T2")
BOT = {"bot": ["UBOT"], "oauth": []}
NOW = dt.datetime.now(dt.UTC)


class World:
    """A bot that is installed, with its store, its tokens and what became of its runs."""

    def __init__(self, database: Database, slack: GrantingSlack) -> None:
        self.database = database
        self.slack = slack
        ring = KeyRing.parse(SecretStr(f"k1:{generate_key()}"))
        self.installations = SqlInstallations(database, ring)
        self.links = Links(database)
        self.grants = slack.grants()
        self.tokens = InstalledTokens(installations=self.installations, grants=self.grants)
        self.calls = Calls(
            api_url=slack.api_url, tokens=self.tokens, on_token_lost=self.tokens.lost
        )
        self.cancelled: list[tuple[str, str]] = []
        self.purged: list[Tenant] = []
        self.broken: set[str] = set()
        self.uninstall = Uninstall(
            installations=self.installations,
            tokens=self.tokens,
            cancel=self._cancel,
            purge=self._purge,
        )

    async def _cancel(self, run_id: str, by: str) -> bool:
        if run_id in self.broken:
            raise StoreUnavailable("The database is too busy.")
        self.cancelled.append((run_id, by))
        return True

    async def _purge(self, tenant: Tenant) -> None:
        self.purged.append(tenant)

    async def install(self, tenant: Tenant) -> str:
        """Install for a tenant; the token."""
        granted = self.slack.made(Team(team=tenant.team, enterprise=tenant.enterprise))
        token = str(granted["access_token"])
        await self.installations.save(
            Installation(
                tenant=tenant, token=SecretStr(token), installed_at=dt.datetime.now(dt.UTC)
            )
        )
        return token

    async def talk(self, tenant: Tenant, *, keep: bool = True) -> None:
        """A linked channel with two open runs."""
        place = await SqlRepository(self.database).create_workspace(tenant.owner, "docs")
        own = tenant_values(tenant)
        await self.links.link(
            Link(
                tenant=tenant,
                channel="C1",
                workspace_id=place.id,
                linked_by="U1",
                linked_at=NOW,
            )
        )
        run = {
            **own,
            **dict.fromkeys(("thread", "message", "cancelled_by"), ""),
            **dict.fromkeys(("question", "query"), "q"),
            **dict.fromkeys(("wider", "direct"), False),
            "workspace_id": place.id,
            "channel": "C1",
            "asker": "U1",
            "kind": "ask",
            "attempt": 0,
            "steps": 0,
            "graph": "chat",
            "accepted_at": NOW,
        }
        settings = {"settings": {"keep_when_uninstalled": keep}, "changed_at": NOW}
        async with self.database.write() as connection:
            for status in ("queued", "running", "finished"):
                row = {**run, "id": f"{tenant.team}-{status}", "status": status}
                await connection.execute(insert(chat_runs).values(row))
            await connection.execute(insert(team_settings).values(**own, **settings))

    async def post(self, tenant: Tenant) -> None:
        """One call of Slack's Web API in the tenant's name."""
        await self.calls.once(tenant, self.calls.wire.client.auth_test)

    async def suspended(self, tenant: Tenant) -> list[str]:
        return [link.suspended for link in await self.links.all(tenant)]


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with GrantingSlack() as slack:
        database = await database_in(tmp_path)
        made = World(database, slack)
        yield made
        await made.tokens.close()
        await made.calls.wire.close()
        await made.grants.close()
        await database.close()


async def test_uninstalled_token_is_not_used(
    world: World,
) -> None:
    """After an uninstallation slack is not called with the old token."""
    token = await world.install(T1)
    other = await world.install(T2)
    await world.talk(T1)
    await world.post(T1)
    await world.uninstall.on_uninstalled(T1)
    world.slack.calls.clear()
    for _ in range(3):
        with pytest.raises(NotInstalled):
            await world.post(T1)
    await world.post(T2)
    assert [sent for _, sent in world.slack.calls] == [other]
    assert token != other
    async with world.database.read() as connection:
        assert list(await connection.scalars(select(installations.c.team))) == ["T2"]


async def test_open_runs_end_and_links_suspend(world: World) -> None:
    """Open runs end and links are suspended."""
    await world.install(T1)
    await world.talk(T1)
    await world.talk(T2)
    await world.uninstall.on_uninstalled(T1)
    assert sorted(world.cancelled) == [("T1-queued", BY_UNINSTALL), ("T1-running", BY_UNINSTALL)]
    assert await world.suspended(T1) == ["MASIS was uninstalled"]
    assert await world.suspended(T2) == [""]
    assert world.purged == []


async def test_uncancellable_run_blocks_no_others(world: World) -> None:
    """A run that cannot be cancelled keeps no other from its end."""
    await world.install(T1)
    await world.talk(T1)
    world.broken = {"T1-queued"}
    await world.uninstall.on_uninstalled(T1)
    assert world.cancelled == [("T1-running", BY_UNINSTALL)]


async def test_locked_database_keeps_the_uninstallation(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that is locked for a while forgets no uninstallation."""
    monkeypatch.setattr(uninstall, "_PAUSES", (0, 0))
    remove, failures = world.installations.remove, [1, 1]

    async def locked(tenant: Tenant, *, before: dt.datetime | None = None) -> Uninstalled:
        if failures:
            failures.pop()
            raise StoreUnavailable("Another process is writing.")
        return await remove(tenant, before=before)

    monkeypatch.setattr(world.installations, "remove", locked)
    await world.install(T1)
    await world.uninstall.on_uninstalled(T1)
    with pytest.raises(NotInstalled):
        await world.tokens.for_tenant(T1)


async def test_team_keeping_nothing_loses_data(world: World) -> None:
    """A team that wants nothing kept loses links and data."""
    await world.install(T1)
    await world.talk(T1, keep=False)
    await world.uninstall.on_uninstalled(T1)
    assert await world.suspended(T1) == []
    assert world.purged == [T1]


Step = Callable[[World], Awaitable[object]]

UNINSTALLED: Step = lambda world: world.uninstall.on_uninstalled(T1)  # noqa: E731 - a column of a table
REVOKED: Step = lambda world: world.uninstall.on_tokens_revoked(T1, BOT)  # noqa: E731 - a column of a table


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("steps", list(itertools.permutations([UNINSTALLED, REVOKED])))
async def test_event_order_does_not_matter(
    world: World, steps: tuple[Step, ...], *, keep: bool
) -> None:
    """Both events in either order and repeated come to the same."""
    await world.install(T1)
    await world.talk(T1, keep=keep)
    await world.post(T1)
    for step in (*steps, *steps):
        await step(world)
        with pytest.raises(NotInstalled):
            await world.tokens.for_tenant(T1)
    assert await world.suspended(T1) == (["MASIS was uninstalled"] if keep else [])
    assert set(world.purged) == (set() if keep else {T1})


async def test_a_revoked_token_alone_purges_nothing(world: World) -> None:
    await world.install(T1)
    await world.talk(T1, keep=False)
    await world.uninstall.on_tokens_revoked(T1, BOT)
    assert world.purged == []
    with pytest.raises(NotInstalled):
        await world.tokens.for_tenant(T1)


@pytest.mark.parametrize("tokens", [{}, {"oauth": ["U1"]}, {"oauth": ["U1"], "bot": []}])
async def test_user_token_revocation_is_ignored(world: World, tokens: dict[str, object]) -> None:
    """A persons token is none of ours."""
    token = await world.install(T1)
    await world.talk(T1)
    await world.uninstall.on_tokens_revoked(T1, tokens)
    assert (await world.tokens.for_tenant(T1)).token == token
    assert (world.cancelled, await world.suspended(T1)) == ([], [""])


async def test_reinstalling_restores_bot_without_links(world: World) -> None:
    """Installing again brings back the bot and no link."""
    await world.install(T1)
    await world.talk(T1)
    await world.uninstall.on_uninstalled(T1)
    again = await world.install(T1)
    world.tokens.drop(T1)
    assert (await world.tokens.for_tenant(T1)).token == again
    assert await world.suspended(T1) == ["MASIS was uninstalled"]


async def test_late_event_spares_next_installation(world: World) -> None:
    """A late event does not end the next installation."""
    early = dt.datetime.now(dt.UTC) - dt.timedelta(minutes=5)
    token = await world.install(T1)
    await world.talk(T1)
    uninstalled = await world.uninstall.on_uninstalled(T1, at=early)
    assert uninstalled.stale
    assert (await world.uninstall.on_tokens_revoked(T1, BOT, at=early)).stale
    assert (await world.tokens.for_tenant(T1)).token == token
    assert (world.cancelled, await world.suspended(T1)) == ([], [""])


async def test_organisation_uninstalls_all_its_teams(world: World) -> None:
    """An organisation leaves with all of its teams."""
    await world.install(ORG)
    await world.talk(T1)
    await world.talk(T2)
    for tenant in (T1, T2):
        await world.post(tenant)
    await world.uninstall.on_uninstalled(ORG)
    for tenant in (T1, T2):
        assert await world.suspended(tenant) == ["MASIS was uninstalled"]
        with pytest.raises(NotInstalled):
            await world.post(tenant)
    assert len(world.cancelled) == 4


async def test_team_can_leave_organisation_installation(world: World) -> None:
    """One team can leave what its organisation installed."""
    token = await world.install(ORG)
    await world.talk(T1)
    await world.talk(T2)
    await world.uninstall.on_uninstalled(T1)
    assert await world.suspended(T1) == ["MASIS was uninstalled"]
    assert await world.suspended(T2) == [""]
    assert (await world.tokens.for_tenant(T2)).token == token


async def test_refused_token_is_not_reused(world: World) -> None:
    """Revoked while nobody told us: the first call that fails ends it for all."""
    token = await world.install(T1)
    await world.post(T1)
    del world.slack.tokens[token]
    world.slack.calls.clear()
    for _ in range(3):
        with pytest.raises(Exception, match="lost its access"):
            await world.post(T1)
    assert world.slack.calls == [("auth.test", token)]
