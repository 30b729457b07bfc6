"""What two teams said to MASIS in Slack, put into a data folder for the operator to look at."""

import asyncio
import datetime as dt
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr

from masis.conversation import AdminAction, ChatRun, Tenant, Vote
from masis.domain import Workspace
from masis.installation import Installation
from storage.accounts.installations import SqlInstallations
from storage.chat.admin_log import AdminLog
from storage.chat.links import Links
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.votes import Votes
from storage.documents.repository import SqlRepository
from storage.queue.engine import DbosEngine
from storage.secrets import KeyRing
from storage.sql.database import Database
from storage.sql.sqlite import give_time
from tests.storage.chat.samples import a_link, a_run, a_session, insert, keep

TEAM: Final = Tenant(enterprise="E0ONE", team="T0ONE")
OTHERS: Final = Tenant(team="T0TWO")
NAMED: Final = "E0ONE/T0ONE"
"""How `--team` names the first."""
GONER: Final = "U0GONER"
STAYER: Final = "U0STAYER"
KEYS: Final = "k1:" + "A" * 43 + "="


def on(data_dir: Path, work: Callable[[Database], Awaitable[Any]]) -> Any:
    """Do something with the folder's database, as the bot would."""

    async def done() -> Any:
        database = await Database.open(data_dir / "masis.db")
        try:
            return await work(database)
        finally:
            await database.close()

    return asyncio.run(done())


class Said:
    """A team's side of the database. `owner` has the workspace where it is not the team's own."""

    def __init__(self, database: Database, tenant: Tenant = TEAM, owner: str = "") -> None:
        self.database = database
        self.tenant = tenant
        self.owner = owner or tenant.owner

    async def workspace(self, name: str = "handbook") -> Workspace:
        return await SqlRepository(self.database).create_workspace(self.owner, name)

    async def ask(self, run_id: str, words: str, **other: Any) -> ChatRun:
        """A request that was answered, with its trail."""
        values = {"tenant": self.tenant, "asker": STAYER, "status": "finished"}
        said = {"question": words, "query": words}
        run = a_run(run_id, await self.workspace(), **values | said | other)
        await insert(self.database, run)
        await keep(self.database, run, words)
        return run

    async def vote(self, run: ChatRun, *, good: bool, reason: str = "", **other: Any) -> None:
        values: dict[str, Any] = {"user": STAYER, "at": dt.datetime.now(dt.UTC)} | other
        vote = Vote(tenant=self.tenant, run_id=run.id, good=good, reason=reason, **values)
        assert await Votes(self.database).cast(vote, run.workspace_id)

    async def ask_back(self, run: ChatRun) -> None:
        workspace = await self.workspace()
        await Sessions(self.database).open(
            a_session(
                f"session of {run.id}",
                workspace,
                tenant=self.tenant,
                run_id=run.id,
                asker=run.asker,
                question=run.question,
            )
        )

    async def administer(self, action: str, at: dt.datetime, **other: Any) -> None:
        line = AdminAction(tenant=self.tenant, actor=STAYER, action=action, at=at, **other)
        await AdminLog(self.database).add(line)

    async def install(self, token: str) -> None:
        installation = Installation(
            tenant=self.tenant,
            token=SecretStr(token),
            team_name="One",
            installed_at=dt.datetime.now(dt.UTC),
        )
        ring = KeyRing.parse(SecretStr(KEYS))
        await SqlInstallations(self.database, ring).save(installation)

    async def talk(self, words: str) -> None:
        """A goner's words, in every place that they get to."""
        run = await self.ask(f"asked in {self.tenant.team}", words, asker=GONER)
        await self.ask_back(run)
        await self.vote(run, good=False, reason=words)
        await Links(self.database).link(a_link(await self.workspace(), tenant=self.tenant))

    async def crash(self, file: Path, words: str) -> None:
        """A request whose process died after a step that kept these words."""
        run_id = f"crashed in {self.tenant.team}"
        values = {"tenant": self.tenant, "asker": GONER, "thread": "9.9"}
        said = {"question": words, "query": words}
        run = a_run(run_id, await self.workspace(), **values | said)
        engine = await DbosEngine.open(self.database)
        await engine.accept(run)
        await engine.stop()
        await asyncio.to_thread(_step, file, run_id, words)
        assert await ChatRuns(self.database).mark(run_id, "running", attempt=1)


def _step(file: Path, run_id: str, words: str) -> None:
    connection = sqlite3.connect(file)
    give_time(connection)
    try:
        connection.execute(
            "UPDATE workflow_status SET status = 'PENDING' WHERE workflow_uuid = ?", [run_id]
        )
        connection.execute(
            "INSERT INTO operation_outputs (workflow_uuid, function_id, function_name, output)"
            " VALUES (?, 1, 'synthesizer', ?)",
            [run_id, words],
        )
        connection.commit()
    finally:
        connection.close()
