"""A change and its line in the log: both are there, or neither is."""

import asyncio
import datetime as dt

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from masis.conversation import AdminAction, Sent, TeamSettings, Tenant
from masis.domain import Workspace
from masis.errors import UnknownWorkspace
from storage.chat import logged_changes
from storage.chat.admin_log import AdminLog
from storage.chat.links import Links, Rule
from storage.chat.logged_changes import LoggedChanges
from storage.chat.team_settings import TeamSettingsStore, put_settings
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.chat.samples import NOON, OURS, THEIRS, a_link, seconds

SENT = Sent(once="sent 1", at=NOON)
WAITING = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")


def line(action: str, at: dt.datetime = NOON, **other: str) -> AdminAction:
    return AdminAction(tenant=OURS, actor="U1", action=action, at=at, **other)


async def test_refused_link_leaves_no_line(database: Database, their_workspace: Workspace) -> None:
    with pytest.raises(UnknownWorkspace):
        await LoggedChanges(database).link(a_link(their_workspace), line("link", target="C1"), SENT)
    assert await AdminLog(database).list(OURS) == []


async def test_unlinking_means_one_link(
    database: Database, workspace: Workspace, repository: SqlRepository
) -> None:
    """The link of a channel that was linked anew stays, also where it is to the same workspace."""
    changes, links = LoggedChanges(database), Links(database)
    meant = a_link(workspace)
    anew = a_link(workspace, linked_at=seconds(1))
    other = a_link(await repository.create_workspace(OURS.owner, "other"))
    for stands in (anew, other):
        await links.link(stands)
        assert await changes.unlink(meant, line("unlink", target="C1"), SENT) == "decided since"
        assert await links.all(OURS) == [stands]
    assert await AdminLog(database).list(OURS) == []
    assert await changes.unlink(other, line("unlink", target="C1"), SENT) == "done"
    assert await links.all(OURS) == []


async def test_others_decisions_do_not_count(database: Database, workspace: Workspace) -> None:
    """What was done to another channel, in another team, before it or in vain, is none since."""
    log = AdminLog(database)
    for each in (
        line("link", seconds(1), target="C2"),
        line("link", seconds(-1), target="C1"),
        line("settings", seconds(1)),
        line("settings", seconds(-1), target="C1"),
        line("link", seconds(1), target="C1").model_copy(update={"tenant": THEIRS}),
        line("link", seconds(1), target="C1").model_copy(update={"allowed": False}),
    ):
        await log.add(each)
    changes, link = LoggedChanges(database), a_link(workspace)
    assert await changes.link(link, line("link", target="C1"), SENT) == "done"
    assert await changes.link(link, line("link", target="C1"), SENT) == "done before"
    await log.add(line("unlink", seconds(1), target="C1"))
    late = Sent(once="sent 2", at=NOON)
    assert await changes.link(link, line("link", target="C1"), late) == "decided since"


async def test_link_keeps_rules_set_since(database: Database, workspace: Workspace) -> None:
    """Linking it as an older form says, and taking that link away, would undo what was set."""
    changes, links, meant = LoggedChanges(database), Links(database), a_link(workspace)
    await links.link(meant)
    saved, later = line("settings", seconds(1)), Sent(at=seconds(1))
    rules: dict[Rule, str] = {"mode": "documents"}
    assert await changes.save(TeamSettings(), saved, later, channel="C1", rules=rules) == "done"
    assert await changes.link(meant, line("link", target="C1"), SENT) == "decided since"
    assert await changes.unlink(meant, line("unlink", target="C1"), SENT) == "decided since"
    assert [each.mode for each in await links.all(OURS)] == ["documents"]


async def test_settings_keep_rules_of_newer_link(database: Database, workspace: Workspace) -> None:
    """The older form's settings of the team are not saved either; without rules they are."""
    changes, links = LoggedChanges(database), Links(database)
    await links.link(a_link(workspace, mode="documents", linked_at=seconds(1)))
    settings = TeamSettings(user_running=7)
    rules: dict[Rule, str] = {"mode": "auto"}
    late = changes.save(settings, line("settings"), SENT, channel="C1", rules=rules)
    assert await late == "decided since"
    assert [each.mode for each in await links.all(OURS)] == ["documents"]
    assert await TeamSettingsStore(database).of(OURS) == TeamSettings()
    assert await AdminLog(database).list(OURS) == []
    without = changes.save(settings, line("settings"), SENT, channel="C1", rules={})
    assert await without == "done"


async def test_rules_of_a_channel_are_logged(database: Database, workspace: Workspace) -> None:
    """Those that change nothing are no line."""
    changes = LoggedChanges(database)
    await Links(database).link(a_link(workspace))
    rules: dict[Rule, str] = {"follow_ups": "mine", "mode": "documents"}
    saved = line("settings", detail="{}")
    for expected in ("done", "done before"):
        became = await changes.save(TeamSettings(), saved, SENT, channel="C1", rules=rules)
        assert became == expected
    told = sorted((each.target, each.detail) for each in await AdminLog(database).list(OURS))
    assert told == [("", "{}"), ("C1", "mode: documents")]


async def test_later_form_stands_beside_an_earlier(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The earlier one stands between its look at the log and its change when the later one comes."""
    database = await Database.open(postgres_url)
    changes, forms = LoggedChanges(database), dict[int, asyncio.Task[str]]()
    begun = asyncio.Event()

    def save(sent_at: int) -> asyncio.Task[str]:
        settings, sent = TeamSettings(user_running=sent_at), Sent(at=seconds(sent_at))
        saved = changes.save(settings, line("settings", seconds(sent_at)), sent, rules={})
        return asyncio.ensure_future(saved)

    async def stopped(connection: AsyncConnection, tenant: Tenant, settings: TeamSettings) -> None:
        if settings.user_running == 1:
            begun.set()
            while 2 not in forms or not (forms[2].done() or await connection.scalar(WAITING)):  # noqa: ASYNC110 - the server tells nobody who waits
                await asyncio.sleep(0.005)
        await put_settings(connection, tenant, settings)

    monkeypatch.setattr(logged_changes, "put_settings", stopped)
    forms[1] = save(1)
    await begun.wait()
    forms[2] = save(2)
    assert await asyncio.gather(*forms.values()) == ["done", "done"]
    assert (await TeamSettingsStore(database).of(OURS)).user_running == 2
    await database.close()
