import datetime as dt

from masis.conversation import AdminAction, Tenant
from masis.domain import Workspace
from storage.chat.admin_log import AdminLog
from storage.chat.deduplication import Claims
from storage.chat.links import Links
from storage.chat.teams import teams
from storage.sql.database import Database
from tests.storage.chat.samples import NOON, OURS, THEIRS, a_link, a_run, insert


async def test_whoever_left_anything_is_named_once(
    database: Database, workspace: Workspace
) -> None:
    assert await teams(database) == []
    other = Tenant(team="T9")
    await insert(database, a_run("r1", workspace), a_run("r2", workspace))
    await Links(database).link(a_link(workspace))
    await Claims(database).take(THEIRS, "message:C1:1.1")
    action = AdminAction(tenant=other, actor="U1", action="link", at=NOON + dt.timedelta(hours=1))
    await AdminLog(database).add(action)
    assert await teams(database) == [other, OURS, THEIRS]
