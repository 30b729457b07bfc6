import asyncio
import contextlib
import datetime as dt
import logging
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import update

from bot.slack.client.pacing import Clock
from bot.slack.install.tokens import InstalledTokens, NotInstalled, OneToken, TokenRevoked
from bot.slack.slack_errors import Garbled, RateLimited, Refused, SlackError, Unavailable
from bot.slack.slack_errors import TokenRevoked as Revoked
from masis.conversation import Tenant
from masis.errors import InvalidSettings
from masis.installation import Installation
from storage.accounts.installations import SqlInstallations
from storage.secrets import KeyRing, generate_key
from storage.sql.database import Database
from storage.sql.tables import installations
from tests.bot.slack.granting import Answer, GrantingSlack, Team, answers, database_in, refuses

T1 = Tenant(enterprise="E1", team="T1")
T2 = Tenant(enterprise="E1", team="T2")
ORG = Tenant(enterprise="E1")
TEAM = Team(team="T1", enterprise="E1", expires_in=43_200)
RING = KeyRing.parse(SecretStr(f"k1:{generate_key()}"))
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
async def slack() -> AsyncIterator[GrantingSlack]:
    async with GrantingSlack() as started:
        yield started


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await database_in(tmp_path)
    yield opened
    await opened.close()


@pytest.fixture
def store(database: Database) -> SqlInstallations:
    return SqlInstallations(database, RING)


@contextlib.asynccontextmanager
async def tokens_of(
    store: SqlInstallations, slack: GrantingSlack, clock: Clock | None = None
) -> AsyncIterator[InstalledTokens]:
    grants = slack.grants(clock)
    made = InstalledTokens(installations=store, grants=grants)
    try:
        yield made
    finally:
        await made.close()
        await grants.close()


@pytest.fixture
async def tokens(store: SqlInstallations, slack: GrantingSlack) -> AsyncIterator[InstalledTokens]:
    async with tokens_of(store, slack) as made:
        yield made


async def install(
    store: SqlInstallations,
    slack: GrantingSlack,
    tenant: Tenant = T1,
    *,
    ends_in: dt.timedelta | None = dt.timedelta(hours=12),
    **changed: Any,
) -> str:
    """Keep an installation that Slack knows; its token."""
    seconds = None if ends_in is None else 43_200
    team = Team(team=tenant.team, enterprise=tenant.enterprise, expires_in=seconds)
    granted = slack.made(team)
    now = dt.datetime.now(dt.UTC)
    installation = Installation(
        tenant=tenant,
        token=SecretStr(granted["access_token"]),
        refresh_token=SecretStr(granted.get("refresh_token", "")),
        expires_at=None if ends_in is None else now + ends_in,
        app_id="A1",
        bot_id="BBOT",
        bot_user_id="UBOT",
        scopes=["commands", "chat:write"],
        installed_at=now,
    )
    await store.save(installation.model_copy(update=changed))
    return str(granted["access_token"])


# --- which token ---------------------------------------------------------------------------


async def test_tenant_gets_its_installation_token(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """A tenant gets the token of its installation."""
    token = await install(store, slack, ends_in=None)
    found = await tokens.for_tenant(T1)
    assert found.token == token
    assert (found.bot_id, found.bot_user_id, found.app_id) == ("BBOT", "UBOT", "A1")
    assert found.scopes == {"commands", "chat:write"}
    assert found.expires_at is None
    assert token not in repr(found)


async def test_nobody_else_gets_it(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    await install(store, slack)
    await tokens.for_tenant(T1)
    for other in (T2, ORG, Tenant(team="T1"), Tenant(enterprise="E2", team="T1"), Tenant()):
        with pytest.raises(NotInstalled) as caught:
            await tokens.for_tenant(other)
        assert "install" in caught.value.sentence


async def test_teams_of_organisation_keep_own_tokens(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """The cache is keyed by enterprise and team; a team id alone is not enough."""
    pairs = [(e, t) for e in ("", "E1", "E2") for t in ("T1", "T2")]
    tenants = [Tenant(enterprise=enterprise, team=team) for enterprise, team in pairs]
    made = {tenant: await install(store, slack, tenant) for tenant in tenants}
    for _ in range(2):  # read, then remembered
        assert {t: (await tokens.for_tenant(t)).token for t in tenants} == made
    assert len(set(made.values())) == 6


async def test_organisation_token_opens_only_its_teams(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """An organisations token opens each of its teams and none of another."""
    token = await install(store, slack, ORG)
    own = await install(store, slack, T2)
    assert (await tokens.for_tenant(T1)).token == token
    assert (await tokens.for_tenant(T2)).token == own
    with pytest.raises(NotInstalled):
        await tokens.for_tenant(Tenant(enterprise="E2", team="T1"))


# --- remembering ---------------------------------------------------------------------------


class Hands:
    """A clock that moves when it is told."""

    def __init__(self) -> None:
        self.at = 0.0

    def clock(self) -> Clock:
        return Clock(now=lambda: self.at, wall=lambda: time.time() + self.at)


async def test_token_is_cached_one_minute(store: SqlInstallations, slack: GrantingSlack) -> None:
    """A token is remembered for a minute."""
    hands = Hands()
    async with tokens_of(store, slack, hands.clock()) as tokens:
        first = await install(store, slack)
        assert (await tokens.for_tenant(T1)).token == first
        second = await install(store, slack)
        hands.at = 59
        assert (await tokens.for_tenant(T1)).token == first
        hands.at = 60
        assert (await tokens.for_tenant(T1)).token == second


async def test_dropping_clears_organisation_team_tokens(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """What is dropped is read anew also for an organisations teams."""
    await install(store, slack, ORG)
    await tokens.for_tenant(T1)
    await store.remove(ORG)
    tokens.drop(ORG)
    with pytest.raises(NotInstalled):
        await tokens.for_tenant(T1)


async def test_read_overtaken_by_drop_is_discarded(
    store: SqlInstallations, slack: GrantingSlack
) -> None:
    """A reading that a drop overtakes is not trusted."""
    read, go_on = asyncio.Event(), asyncio.Event()

    class Slow(SqlInstallations):
        async def find(self, tenant: Tenant) -> Installation | None:
            found = await super().find(tenant)
            read.set()
            await go_on.wait()
            return found

    await install(store, slack)
    async with tokens_of(Slow(store._database, RING), slack) as tokens:
        asking = asyncio.create_task(tokens.for_tenant(T1))
        await read.wait()
        await store.remove(T1)
        tokens.drop(T1)
        late = asyncio.create_task(tokens.for_tenant(T1))
        await asyncio.sleep(0)
        go_on.set()
        for task in (asking, late):
            with pytest.raises(NotInstalled):
                await task


# --- renewal -------------------------------------------------------------------------------


async def test_concurrent_callers_renew_once(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """Twenty at once on an expired token renew it once."""
    slack.delay = 0.05
    old = await install(store, slack, ends_in=-MINUTE)
    found = await asyncio.gather(*(tokens.for_tenant(T1) for _ in range(20)))
    assert len(slack.renewals) == 1
    assert {token.token for token in found} == set(slack.tokens) - {old}


async def test_so_do_twenty_in_four_processes(
    store: SqlInstallations, slack: GrantingSlack, tmp_path: Path
) -> None:
    """Four databases with four pools on one file are what four processes would be."""
    slack.delay = 0.05
    await install(store, slack, ends_in=-MINUTE)
    async with contextlib.AsyncExitStack() as closing:
        four = []
        for _ in range(4):
            database = await database_in(tmp_path)
            closing.push_async_callback(database.close)
            made = tokens_of(SqlInstallations(database, RING), slack)
            four.append(await closing.enter_async_context(made))
        found = await asyncio.gather(*(four[n % 4].for_tenant(T1) for n in range(20)))
    assert len(slack.renewals) == 1
    assert len({token.token for token in found}) == 1


async def test_organisation_token_is_renewed_once(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """An organisations token is renewed once for all its teams."""
    slack.delay = 0.05
    await install(store, slack, ORG, ends_in=-MINUTE)
    teams = [Tenant(enterprise="E1", team=f"T{n}") for n in range(10)]
    found = await asyncio.gather(*(tokens.for_tenant(team) for team in teams))
    assert len(slack.renewals) == 1
    assert len({token.token for token in found}) == 1


async def test_renewal_uses_latest_refresh_token(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack, database: Database
) -> None:
    """Each renewal uses the refresh token of the one before."""
    await install(store, slack, ends_in=-MINUTE)
    seen = []
    for _ in range(3):
        seen.append((await tokens.for_tenant(T1)).token)
        ended = dt.datetime.now(dt.UTC) - MINUTE
        async with database.write() as connection:
            await connection.execute(update(installations).values(expires_at=ended))
        tokens.drop(T1)
    assert seen == ["xoxb-2", "xoxb-3", "xoxb-4"]
    assert slack.renewals == ["xoxe-1", "xoxe-2", "xoxe-3"]


async def test_token_is_renewed_before_expiry(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """A token is renewed half an hour before its end."""
    await install(store, slack, T1, ends_in=31 * MINUTE)
    await install(store, slack, T2, ends_in=29 * MINUTE)
    assert [(await tokens.for_tenant(t)).token for t in (T1, T2)] == ["xoxb-1", "xoxb-3"]


async def test_old_token_serves_during_renewal(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """The old token serves while another process renews it."""
    old = await install(store, slack, ends_in=10 * MINUTE)
    soon = dt.datetime.now(dt.UTC) + 60 * MINUTE
    assert await store.claim_renewal(T1, "elsewhere", ending_before=soon, seconds=30)
    assert (await tokens.for_tenant(T1)).token == old
    assert slack.renewals == []


async def test_cancelled_caller_keeps_renewal_running(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """Who asks and is cancelled breaks no renewal off."""
    slack.delay = 0.05
    await install(store, slack, ends_in=-MINUTE)
    asking = asyncio.create_task(tokens.for_tenant(T1))
    await slack.asked.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await tokens.close()
    found = await store.find(T1)
    assert found is not None
    assert found.token.get_secret_value() == "xoxb-2"


FINAL = ["invalid_refresh_token", "token_revoked", "account_inactive", "invalid_auth"]


@pytest.mark.parametrize("code", FINAL)
async def test_void_refresh_token_disables_installation(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack, code: str
) -> None:
    """A refresh token that is void disables the installation."""
    await install(store, slack, ends_in=10 * MINUTE)
    slack.script.append(refuses(code))
    for _ in range(3):
        with pytest.raises(TokenRevoked) as caught:
            await tokens.for_tenant(T1)
        assert caught.value.code == code
    assert len(slack.renewals) == 1
    found = await store.find(T1)
    assert found is not None
    assert (found.disabled, found.token.get_secret_value()) == (code, "")
    again = await install(store, slack)
    tokens.drop(T1)
    assert (await tokens.for_tenant(T1)).token == again


TROUBLES: list[tuple[Answer, type[SlackError]]] = [
    (refuses("bad_client_secret"), Refused),
    (refuses("internal_error"), Unavailable),
    (answers({"ok": False, "error": "ratelimited"}, 429, Retry_After="30"), RateLimited),
    (answers("<html>guest network</html>"), Garbled),
    (answers("no", 500), Unavailable),
    (answers({"ok": True}), Garbled),
    (answers({"ok": True, "access_token": "xoxb-x", "expires_in": -5}), Garbled),
    (answers({"ok": True, "access_token": "a b\r\nX-Evil: 1"}), Garbled),
    (answers({"ok": True, "access_token": ["xoxb-x"]}), Garbled),
]


@pytest.mark.parametrize(("trouble", "error"), TROUBLES)
async def test_other_troubles_end_no_installation(
    tokens: InstalledTokens,
    store: SqlInstallations,
    slack: GrantingSlack,
    trouble: Answer,
    error: type[SlackError],
) -> None:
    """A living token serves on; an expired one is an error, and the next who asks tries again."""
    await install(store, slack, T2, ends_in=10 * MINUTE)
    slack.script.append(trouble)
    assert (await tokens.for_tenant(T2)).token == "xoxb-1"
    await install(store, slack, T1, ends_in=-MINUTE)
    slack.script.append(trouble)
    with pytest.raises(error) as caught:
        await tokens.for_tenant(T1)
    assert "xox" not in str(caught.value)
    assert (await tokens.for_tenant(T1)).token == "xoxb-3"


async def test_unreachable_slack_is_not_asked_twice(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """Nothing is asked twice where slack is gone."""
    await install(store, slack, ends_in=-MINUTE)
    await slack.__aexit__()
    with pytest.raises(Unavailable):
        await tokens.for_tenant(T1)


# --- loss ----------------------------------------------------------------------------------


async def test_refused_token_is_not_reissued(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """A token that slack refuses is not handed out again."""
    await install(store, slack)
    await tokens.for_tenant(T1)
    await tokens.lost(T1, Revoked("no", code="token_revoked"))
    with pytest.raises(TokenRevoked):
        await tokens.for_tenant(T1)


async def test_refusal_spares_a_newer_installation(
    tokens: InstalledTokens, store: SqlInstallations, slack: GrantingSlack
) -> None:
    """A refusal does not end a newer installation."""
    await install(store, slack)
    await tokens.for_tenant(T1)
    newer = await install(store, slack)
    for _ in range(2):
        await tokens.lost(T1, Revoked("no", code="token_revoked"))
    assert (await tokens.for_tenant(T1)).token == newer


# --- one token -----------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def one_token(
    slack: GrantingSlack, team: Team, clock: Clock | None = None
) -> AsyncIterator[OneToken]:
    grants = slack.grants(clock)
    try:
        yield await OneToken.start(SecretStr(slack.made(team)["access_token"]), grants)
    finally:
        await grants.close()


async def test_single_token_is_identified_once(slack: GrantingSlack) -> None:
    """One token asks once whose it is."""
    async with one_token(slack, TEAM) as tokens:
        for _ in range(3):
            found = await tokens.for_tenant(T1)
    assert (found.token, found.bot_id, found.bot_user_id) == ("xoxb-1", "BBOT", "UBOT")
    assert found.scopes == {"commands", "chat:write"}
    assert tokens.identity.team_name == "Acme"
    assert slack.calls == [("auth.test", "xoxb-1")]


async def test_single_token_opens_own_workspace(slack: GrantingSlack) -> None:
    """One token opens its own workspace alone."""
    async with one_token(slack, TEAM) as tokens:
        for other in (T2, ORG, Tenant(team="T1"), Tenant()):
            with pytest.raises(NotInstalled):
                await tokens.for_tenant(other)
    async with one_token(slack, Team(team="", enterprise="E1")) as tokens:
        assert await tokens.for_tenant(T1) == await tokens.for_tenant(T2)
        with pytest.raises(NotInstalled):
            await tokens.for_tenant(Tenant(enterprise="E2", team="T1"))


async def test_single_token_ends_at_expiry(slack: GrantingSlack) -> None:
    """One token is not handed out after its end."""
    for end in (T1, ORG):
        async with one_token(slack, TEAM) as tokens:
            tokens.drop(T2)
            await tokens.for_tenant(T1)
            tokens.drop(end)
            with pytest.raises(TokenRevoked):
                await tokens.for_tenant(T1)
    async with one_token(slack, TEAM) as tokens:
        await tokens.lost(T1, Revoked("no", code="account_inactive"))
        with pytest.raises(TokenRevoked):
            await tokens.for_tenant(T1)


async def no_sleep(_: float) -> None:
    """Do not wait."""


async def test_refused_single_token_is_wrong_setting(slack: GrantingSlack) -> None:
    """One token that slack refuses is a wrong setting."""
    for answer in (refuses("invalid_auth"), refuses("not_allowed_token_type")):
        slack.identities.append(answer)
        with pytest.raises(InvalidSettings, match="MASIS_SLACK_BOT_TOKEN") as caught:
            async with one_token(slack, TEAM):
                pass
        assert "xox" not in str(caught.value)
    slack.identities.append(answers({"ok": True, "team_id": "T1", "user_id": "U1"}))
    with pytest.raises(InvalidSettings, match="no bot token"):
        async with one_token(slack, TEAM):
            pass
    assert len(slack.calls) == 3


async def test_single_token_waits_for_slack(slack: GrantingSlack) -> None:
    """One token waits a little for slack."""
    clock = Clock(sleep=no_sleep)
    slack.identities.extend([answers("no", 503)] * 2)
    async with one_token(slack, TEAM, clock) as tokens:
        assert (await tokens.for_tenant(T1)).bot_id == "BBOT"
    slack.identities.extend([answers("no", 503)] * 3)
    with pytest.raises(Unavailable):
        async with one_token(slack, TEAM, clock):
            pass


# --- secrets -------------------------------------------------------------------------------


async def test_no_log_holds_a_token(
    tokens: InstalledTokens,
    store: SqlInstallations,
    slack: GrantingSlack,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG):
        await install(store, slack, T1, ends_in=-MINUTE)
        await tokens.for_tenant(T1)
        await tokens.lost(T1, Revoked("no", code="token_revoked"))
        await install(store, slack, T2, ends_in=-MINUTE)
        slack.script.append(refuses("invalid_refresh_token"))
        with pytest.raises(TokenRevoked):
            await tokens.for_tenant(T2)
    assert "was renewed" in caplog.text
    assert "xox" not in caplog.text
    assert "cs-7d1f0c" not in caplog.text
