import asyncio
import datetime as dt
import os
import signal
import subprocess
import sys
import textwrap
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import insert, select, update

from masis.conversation import Tenant
from masis.errors import InvalidSettings
from masis.installation import Installation, Renewed
from storage.accounts.installations import SqlInstallations
from storage.documents.repository import SqlRepository
from storage.secrets import KeyRing, Sealed, SecretUnreadable, generate_key
from storage.sql.database import Database
from storage.sql.rows import now
from storage.sql.scope import tenant_values
from storage.sql.tables import (
    chat_runs,
    direct_choices,
    installations,
    links,
    sessions,
    team_settings,
)
from tests.storage.beside import kept

K1 = f"k1:{generate_key()}"
K2 = f"k2:{generate_key()}"
T1 = Tenant(enterprise="E1", team="T1")
T2 = Tenant(enterprise="E1", team="T2")
ORG = Tenant(enterprise="E1")
LONE = Tenant(team="T1")
TOKEN = "xoxb-1"
NOW = dt.datetime.now(dt.UTC)
HOUR = dt.timedelta(hours=1)


def store(database: Database, *keys: str) -> SqlInstallations:
    return SqlInstallations(database, KeyRing.parse(SecretStr(",".join(keys))))


@pytest.fixture
def installed(database: Database) -> SqlInstallations:
    return store(database, K1)


def granted(tenant: Tenant, token: str = TOKEN, **changed: Any) -> Installation:
    made = Installation(
        tenant=tenant,
        token=SecretStr(token),
        refresh_token=SecretStr("xoxe-1-refresh"),
        expires_at=NOW + HOUR,
        app_id="A1",
        bot_id="B1",
        bot_user_id="U1",
        scopes=["commands", "chat:write"],
        enterprise_name="Org & Co",
        team_name="Tëam\U0001f600",
        installed_by="U9",
        installed_at=NOW,
    )
    return made.model_copy(update=changed)


# --- keeping -------------------------------------------------------------------------------


async def test_what_was_granted_comes_back_whole(installed: SqlInstallations) -> None:
    await installed.save(granted(T1))
    assert await installed.find(T1) == granted(T1)


async def test_stored_token_is_unreadable(installed: SqlInstallations, location: str) -> None:
    """No token is readable in the database."""
    for n in range(20):
        await installed.save(granted(Tenant(team=f"T{n}"), f"xoxb-{n}"))
    assert b"Org & Co" in kept(location)
    assert b"xoxb-" not in kept(location)


async def test_new_installation_replaces_earlier_one(
    installed: SqlInstallations,
) -> None:
    """An installation takes the place of the earlier one."""
    await installed.save(granted(T1, "", disabled="token_revoked"))
    await installed.save(granted(T1, "xoxb-2"))
    found = await installed.find(T1)
    assert found is not None
    assert (found.token.get_secret_value(), found.disabled) == ("xoxb-2", "")
    assert await installed.key_counts() == {"k1": 1}


async def test_tenant_gets_only_its_own_token(installed: SqlInstallations) -> None:
    """No tenant gets the token of another."""
    await installed.save(granted(T1))
    others = [T2, LONE, ORG, Tenant(enterprise="E2", team="T1"), Tenant(), Tenant(team="E1")]
    others.append(T1.model_copy(update={"chat": "teams"}))
    assert [await installed.find(other) for other in others] == [None] * 7


async def test_team_token_precedes_organisation_token(
    installed: SqlInstallations,
) -> None:
    """A team has its own token before its organisations."""
    await installed.save(granted(ORG, "xoxb-org"))
    await installed.save(granted(T1, "xoxb-team"))
    tenants = [T1, T2, ORG]
    found = [await installed.find(tenant) for tenant in tenants]
    assert [each and each.token.get_secret_value() for each in found] == [
        "xoxb-team",
        "xoxb-org",
        "xoxb-org",
    ]
    assert await installed.find(LONE) is None


async def test_organisation_token_replaces_disabled_one(
    installed: SqlInstallations,
) -> None:
    """An organisations token stands in for a disabled one."""
    await installed.save(granted(T1, "xoxb-team"))
    await installed.disable(T1, SecretStr("xoxb-team"), "token_revoked")
    found = await installed.find(T1)
    assert found is not None
    assert (found.disabled, found.token.get_secret_value()) == ("token_revoked", "")
    await installed.save(granted(ORG, "xoxb-org"))
    found = await installed.find(T1)
    assert found is not None
    assert found.tenant == ORG


async def test_late_refusal_spares_new_token(
    installed: SqlInstallations,
) -> None:
    """A token that is refused late does not end its successor."""
    await installed.save(granted(T1, "xoxb-new"))
    assert not await installed.disable(T1, SecretStr("xoxb-old"), "token_revoked")
    assert not await installed.disable(T2, SecretStr("xoxb-new"), "token_revoked")
    found = await installed.find(T1)
    assert found is not None
    assert found.disabled == ""


async def test_without_a_key_nothing_is_kept(database: Database) -> None:
    with pytest.raises(InvalidSettings, match="masis keys generate"):
        await store(database).save(granted(T1))
    assert await store(database).key_counts() == {}


async def test_row_copied_between_tenants_stays_sealed(
    installed: SqlInstallations, database: Database
) -> None:
    """A row that was copied to another tenant does not open."""
    await installed.save(granted(T1))
    async with database.write() as connection:
        await connection.execute(update(installations).values(team="T2"))
    with pytest.raises(SecretUnreadable):
        await installed.find(T2)


# --- renewal -------------------------------------------------------------------------------


def soon(hours: int = 2) -> dt.datetime:
    return NOW + hours * HOUR


RENEWED = Renewed(
    token=SecretStr("xoxb-2"), refresh_token=SecretStr("xoxe-2"), expires_at=NOW + 12 * HOUR
)


async def test_only_one_caller_renews_token(database: Database, location: str) -> None:
    """One of many may renew a token."""
    other = await Database.open(location)
    try:
        both = store(database, K1), store(other, K1)
        await both[0].save(granted(T1))
        claims = await asyncio.gather(
            *(
                both[n % 2].claim_renewal(T1, f"c{n}", ending_before=soon(), seconds=30)
                for n in range(12)
            )
        )
    finally:
        await other.close()
    (claimed,) = [each for each in claims if each]
    assert claimed.refresh_token.get_secret_value() == "xoxe-1-refresh"


async def test_renewed_token_is_not_renewed_again(installed: SqlInstallations) -> None:
    """A renewed token is not renewed again."""
    await installed.save(granted(T1))
    assert await installed.claim_renewal(T1, "a", ending_before=soon(), seconds=30)
    assert await installed.renew(T1, "a", RENEWED)
    assert await installed.claim_renewal(T1, "b", ending_before=soon(), seconds=30) is None
    found = await installed.find(T1)
    assert found == granted(T1).model_copy(update=RENEWED.model_dump())


async def test_claim_expires_or_is_released(installed: SqlInstallations) -> None:
    """A claim ends by itself or when it is let go."""
    await installed.save(granted(T1))
    assert await installed.claim_renewal(T1, "dead", ending_before=soon(), seconds=-1)
    assert await installed.claim_renewal(T1, "next", ending_before=soon(), seconds=30)
    assert not await installed.renew(T1, "dead", RENEWED)
    await installed.release_renewal(T1, "dead")
    assert await installed.claim_renewal(T1, "third", ending_before=soon(), seconds=30) is None
    await installed.release_renewal(T1, "next")
    assert await installed.claim_renewal(T1, "third", ending_before=soon(), seconds=30)


async def test_an_installation_meanwhile_ends_the_claim(installed: SqlInstallations) -> None:
    await installed.save(granted(T1))
    await installed.claim_renewal(T1, "a", ending_before=soon(), seconds=30)
    await installed.save(granted(T1, "xoxb-again"))
    assert not await installed.renew(T1, "a", RENEWED)
    await installed.remove(T1)
    assert not await installed.renew(T1, "a", RENEWED)
    assert await installed.find(T1) is None


async def test_key_rotation_keeps_renewed_token(database: Database) -> None:
    """A rotation of keys meanwhile loses no renewed token."""
    await store(database, K1).save(granted(T1))
    both = store(database, K2, K1)
    await both.claim_renewal(T1, "a", ending_before=soon(), seconds=30)
    assert [done async for done in both.rotate()] == [1]
    assert await both.renew(T1, "a", RENEWED)
    found = await both.find(T1)
    assert found is not None
    assert found.token == RENEWED.token


# --- rotation of keys ----------------------------------------------------------------------


async def test_rotation_reencrypts_every_row(database: Database) -> None:
    """Every row is encrypted anew and the old key can go."""
    old = store(database, K1)
    for n in range(7):
        await old.save(granted(Tenant(team=f"T{n}"), f"xoxb-{n}"))
    await old.disable(Tenant(team="T6"), SecretStr("xoxb-6"), "token_revoked")
    both = store(database, K2, K1)
    assert [done async for done in both.rotate(batch=4)] == [4, 6]
    assert [done async for done in both.rotate(batch=4)] == []
    new = store(database, K2)
    assert await new.key_counts() == {"k2": 6}
    for n in range(6):
        assert await new.find(Tenant(team=f"T{n}")) == granted(Tenant(team=f"T{n}"), f"xoxb-{n}")


async def test_wrong_key_is_found_at_start(installed: SqlInstallations, database: Database) -> None:
    """A wrong key is found at the start."""
    await installed.save(granted(T1))
    await installed.check_keys()
    with pytest.raises(SecretUnreadable, match="does not open with the key k1"):
        await store(database, f"k1:{generate_key()}").check_keys()
    with pytest.raises(SecretUnreadable, match=r"does not hold \(it holds k2\)"):
        await store(database, K2).check_keys()


async def test_unreadable_row_does_not_stop_rotation(
    database: Database,
) -> None:
    """A row that does not open keeps no other from a new key."""
    old = store(database, K1)
    for n in range(5):
        await old.save(granted(Tenant(team=f"T{n}")))
    async with database.write() as connection:
        await connection.execute(
            update(installations).where(installations.c.team == "T1").values(team="T9")
        )
    with pytest.raises(SecretUnreadable, match=r"installations\.bot_token of T9"):
        _ = [done async for done in store(database, K2, K1).rotate(batch=2)]
    assert await old.key_counts() == {"k1": 1, "k2": 4}


ROTATE_AND_DIE = textwrap.dedent("""
    import asyncio, os, signal, sys
    from pydantic import SecretStr
    from storage.sql.database import Database
    from storage.accounts.installations import SqlInstallations
    from storage.secrets import KeyRing

    class Deadly(KeyRing):
        sealed = 0

        def seal(self, *args):
            Deadly.sealed += 1
            if Deadly.sealed == 95:  # two a row: in the middle of the fifth batch of ten
                os.kill(os.getpid(), signal.SIGKILL)
            return super().seal(*args)

    async def main():
        database = await Database.open(sys.argv[1])
        ring = Deadly.parse(SecretStr(os.environ["KEYS"]))
        async for done in SqlInstallations(database, ring).rotate(batch=10):
            print(done, flush=True)

    asyncio.run(main())
""")


async def test_killed_rotation_can_be_repeated(location: str) -> None:
    """A rotation that is killed in the middle is repeated."""
    database = await Database.open(location)
    tenants = [Tenant(enterprise="E1", team=f"T{n:03}") for n in range(100)]
    try:
        for tenant in tenants:
            await store(database, K1).save(granted(tenant, f"xoxb-{tenant.team}"))
        killed = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-c", ROTATE_AND_DIE, location],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env={**os.environ, "KEYS": f"{K2},{K1}"},
        )
        assert killed.returncode == -signal.SIGKILL
        assert killed.stdout.split() == ["10", "20", "30", "40"]
        both = store(database, K2, K1)
        assert await both.key_counts() == {"k1": 60, "k2": 40}
        for tenant in tenants:
            assert await both.find(tenant) == granted(tenant, f"xoxb-{tenant.team}")
        assert [done async for done in both.rotate()] == [60]
        for tenant in tenants:
            found = await store(database, K2).find(tenant)
            assert found == granted(tenant, f"xoxb-{tenant.team}")
    finally:
        await database.close()
    assert b"xoxb-" not in kept(location)


# --- uninstalling --------------------------------------------------------------------------


async def conversation(database: Database, tenant: Tenant, *, keep: bool | None = None) -> None:
    """A link, a direct choice, an open clarification, an open and a finished run of a tenant."""
    made = await SqlRepository(database).create_workspace(tenant.owner, "docs")
    own = tenant_values(tenant)
    spot = {**own, "channel": "C1", "workspace_id": made.id}
    name = f"{tenant.enterprise}-{tenant.team}"
    link = {"linked_by": "U", "linked_at": NOW, "external_allowed": False, "private": False}
    run = {
        **spot,
        **dict.fromkeys(("thread", "message", "cancelled_by"), ""),
        "asker": "U",
        "kind": "ask",
        "question": "q",
        "query": "q",
        "wider": False,
        "direct": False,
        "attempt": 0,
        "steps": 0,
        "graph": "chat",
        "accepted_at": NOW,
    }
    session = {
        **spot,
        **dict.fromkeys(("thread", "message", "answered_by", "reply"), ""),
        "asker": "U",
        "kind": "conflict",
        "run_id": "r",
        "question": "q",
        "clarification": "c",
        "suggestions": [],
        "created_at": NOW,
        "expires_at": NOW + HOUR,
    }
    choice = {**own, "user": "U", "workspace_id": made.id}
    async with database.write() as connection:
        await connection.execute(insert(links).values(**spot, **link, suspended="external"))
        await connection.execute(insert(direct_choices).values(choice))
        for status in ("running", "finished"):
            row = {**run, "id": f"{status}-{name}", "status": status}
            await connection.execute(insert(chat_runs).values(row))
        await connection.execute(insert(sessions).values(**session, id=f"s-{name}", status="open"))
        if keep is not None:
            settings = {"settings": {"keep_when_uninstalled": keep}, "changed_at": NOW}
            await connection.execute(insert(team_settings).values(**own, **settings))


async def suspended(database: Database) -> dict[str, str]:
    """Why each team's link does not answer; one that is gone is not in it."""
    async with database.read() as connection:
        rows = await connection.execute(select(links.c.enterprise, links.c.team, links.c.suspended))
        return {f"{row.enterprise}/{row.team}": row.suspended for row in rows}


async def test_uninstallation_suspends_links(
    installed: SqlInstallations, database: Database, location: str
) -> None:
    """An uninstallation takes the tokens and puts the links out of use."""
    await installed.save(granted(T1))
    await installed.save(granted(T2))
    await conversation(database, T1)
    await conversation(database, T2)
    sealed = await stored_token(database, T1)
    uninstalled = await installed.remove(T1)
    assert (uninstalled.stale, uninstalled.forgotten) == (False, [])
    assert uninstalled.open_runs == ["running-E1-T1"]
    assert await installed.find(T1) is None
    assert await installed.find(T2) == granted(T2)
    assert sealed.encode() not in kept(location)
    assert await suspended(database) == {"E1/T1": "MASIS was uninstalled", "E1/T2": "external"}
    async with database.read() as connection:
        open_sessions = select(sessions.c.team).where(sessions.c.status == "open")
        assert list(await connection.scalars(open_sessions)) == ["T2"]
        assert list(await connection.scalars(select(direct_choices.c.team))) == ["T2"]


async def stored_token(database: Database, tenant: Tenant) -> str:
    mine = installations.c.team == tenant.team
    async with database.read() as connection:
        sealed = await connection.scalar(select(installations.c.bot_token).where(mine))
    assert isinstance(sealed, Sealed)
    return sealed.text


async def test_installing_again_brings_no_link_back(
    installed: SqlInstallations, database: Database
) -> None:
    await installed.save(granted(T1))
    await conversation(database, T1)
    await installed.remove(T1)
    await installed.save(granted(T1, "xoxb-2"))
    assert await suspended(database) == {"E1/T1": "MASIS was uninstalled"}


async def test_uninstallation_removes_links_not_kept(
    installed: SqlInstallations, database: Database
) -> None:
    """Links of a team that wants nothing kept are removed."""
    await installed.save(granted(T1))
    await conversation(database, T1, keep=False)
    await conversation(database, T2, keep=False)
    uninstalled = await installed.remove(T1)
    assert uninstalled.forgotten == [T1]
    assert await suspended(database) == {"E1/T2": "external"}


async def test_organisation_removal_spares_own_installations(
    installed: SqlInstallations, database: Database
) -> None:
    """An organisation takes its teams along but for those with an own installation."""
    t3 = Tenant(enterprise="E1", team="T3")
    elsewhere = Tenant(enterprise="E2", team="T1")
    await installed.save(granted(ORG))
    await installed.save(granted(T2))
    for tenant, keep in ((T1, True), (T2, False), (t3, False), (elsewhere, None), (LONE, None)):
        await conversation(database, tenant, keep=keep)
    uninstalled = await installed.remove(ORG)
    assert uninstalled.forgotten == [t3]
    assert sorted(uninstalled.open_runs) == ["running-E1-T1", "running-E1-T3"]
    assert await suspended(database) == {
        "E1/T1": "MASIS was uninstalled",
        "E1/T2": "external",
        "E2/T1": "external",
        "/T1": "external",
    }


async def test_removal_is_idempotent(installed: SqlInstallations, database: Database) -> None:
    """Removing twice and removing nothing are the same."""
    await conversation(database, T1)
    first = await installed.remove(T1)
    assert await installed.remove(T1) == first
    assert (await installed.remove(Tenant())).open_runs == []
    assert await suspended(database) == {"E1/T1": "MASIS was uninstalled"}


@pytest.mark.parametrize(
    ("event_after_s", "stale"), [(-3600, True), (-2, True), (-0.5, False), (5, False)]
)
async def test_stale_event_removes_nothing(
    installed: SqlInstallations, database: Database, event_after_s: float, *, stale: bool
) -> None:
    """Slack repeats events for an hour, and tells their time in whole seconds."""
    await installed.save(granted(T1, installed_at=now()))
    await conversation(database, T1)
    found = await installed.find(T1)
    assert found is not None
    event = found.installed_at + dt.timedelta(seconds=event_after_s)
    assert (await installed.remove(T1, before=event)).stale is stale
    assert (await installed.find(T1) is not None) is stale
    assert await suspended(database) == {"E1/T1": "external" if stale else "MASIS was uninstalled"}
