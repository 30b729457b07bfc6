import asyncio
import json
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from dbos import DBOS
from sqlalchemy import text

from masis.conversation import ChatRun
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.durable import workflows
from storage.durable.workflows import Workflows
from storage.sql.database import Database
from storage.sql.sqlite import is_sqlite
from tests.storage.handled import TENANT, Engines, asked, ended


class Shrinking:
    """A client of DBOS, one of whose runs ends after the first page."""

    def __init__(self) -> None:
        self.ids = [f"run-{number}" for number in range(6)]

    async def list_workflows_async(self, *, offset: int, limit: int, **_: object) -> list[Any]:
        page = self.ids[offset : offset + limit]
        if offset == 0 and "run-0" in page:
            self.ids.remove("run-0")
        return [SimpleNamespace(workflow_id=each, executor_id="me") for each in page]


async def test_none_at_work_is_passed_over_while_others_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workflows, "_BATCH", 2)
    listing = object.__new__(Workflows)
    monkeypatch.setattr(listing, "_client", Shrinking(), raising=False)
    assert set(await listing.at_work()) == {f"run-{number}" for number in range(6)}


async def test_the_engines_own_connections_write_ahead_and_wait_to_be_on_the_disk(
    sqlite_file: Path,
) -> None:
    url = sa.make_url(f"sqlite+aiosqlite:///{sqlite_file}")
    opened = await Workflows.open(url)
    try:
        asked_for = ("journal_mode", "synchronous", "busy_timeout", "secure_delete")
        assert await asyncio.to_thread(pragmas, opened, asked_for) == ["wal", 2, 30_000, 1]
    finally:
        await opened.close()


async def test_what_the_engines_tables_ask_the_time_with_is_known_to_every_sqlite(
    sqlite_file: Path,
) -> None:
    opened = await Workflows.open(sa.make_url(f"sqlite+aiosqlite:///{sqlite_file}"))
    try:
        # From Python 3.12 on DBOS asks so; before SQLite 3.42 the answer would be NULL.
        told = await asyncio.to_thread(scalar, opened, "SELECT unixepoch('subsec')")
    finally:
        await opened.close()
    assert told == pytest.approx(time.time(), abs=60)


def scalar(opened: Workflows, query: str) -> object:
    with opened._engine.connect() as connection:
        return connection.scalar(text(query))


def pragmas(opened: Workflows, names: tuple[str, ...]) -> list[Any]:
    with opened._engine.connect() as connection:
        return [connection.scalar(text(f"PRAGMA {name}")) for name in names]


class Told:
    """Notes where it was called, and has a step kept."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, _: ChatRun) -> None:
        self.loop = asyncio.get_running_loop()
        await DBOS.run_step_async({"name": "gives"}, self._gives)

    async def _gives(self) -> dict[str, Any]:
        return {"pages": [1, 2], "said": "ünïcode", "none": None}


async def test_a_run_is_worked_on_in_the_loop_that_launched_and_kept_as_plain_json(
    engines: Engines, repository: SqlRepository, runs: ChatRuns, database: Database
) -> None:
    engine, told = await engines.open(), Told()
    await engine.start(told)
    await engine.accept(asked(await repository.create_workspace(TENANT.owner, "acme")))
    await ended(runs, "run-0")
    # Clients of the surface belong to this loop, and would fail in another one.
    assert told.loop is asyncio.get_running_loop()
    [run] = await kept(database, "workflow_status", "application_version", "serialization")
    [given] = await kept(database, "workflow_input", "inputs")
    steps = await kept(database, "operation_outputs", "serialization", "output")
    # A version of DBOS's own making is a hash of the code: a new release would take up nothing.
    assert run.application_version == workflows._VERSION == "1"
    # Nor are there pickles, which other versions may not read, and which run what is in them.
    assert {run.serialization, *(step.serialization for step in steps)} == {"portable_json"}
    assert "run-0" in json.dumps(json.loads(given.inputs))
    outputs = [json.loads(step.output) for step in steps]
    assert {"pages": [1, 2], "said": "ünïcode", "none": None} in outputs


async def kept(database: Database, table: str, *columns: str) -> Sequence[sa.Row[Any]]:
    """Every row of one of DBOS's tables."""
    schema = None if is_sqlite(database.url) else "dbos"
    query = sa.select(sa.table(table, *(sa.column(name) for name in columns), schema=schema))
    async with database.read() as connection:
        return (await connection.execute(query)).all()
