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


async def test_listing_running_ones_misses_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """None at work is passed over while others end."""
    monkeypatch.setattr(workflows, "_BATCH", 2)
    listing = object.__new__(Workflows)
    monkeypatch.setattr(listing, "_client", Shrinking(), raising=False)
    assert set(await listing.at_work()) == {f"run-{number}" for number in range(6)}


async def test_engine_connections_use_wal(
    sqlite_file: Path,
) -> None:
    """The engines own connections write ahead and wait to be on the disk."""
    url = sa.make_url(f"sqlite+aiosqlite:///{sqlite_file}")
    opened = await Workflows.open(url)
    try:
        asked_for = ("journal_mode", "synchronous", "busy_timeout", "secure_delete")
        assert await asyncio.to_thread(pragmas, opened, asked_for) == ["wal", 2, 30_000, 1]
    finally:
        await opened.close()


async def test_every_sqlite_knows_unixepoch_subsec(
    sqlite_file: Path,
) -> None:
    """What the engines tables ask the time with is known to every sqlite."""
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


async def test_run_uses_launch_loop_and_json(
    engines: Engines, repository: SqlRepository, runs: ChatRuns, database: Database
) -> None:
    """A run is worked on in the loop that launched and kept as plain json."""
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
