"""Brings a database up to this program, or says where it stands: our tables, and the run engine's."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from masis.errors import StoreUnavailable
from storage.sql import migrations, workflow_tables
from storage.sql.database import Database, url_of


@dataclass(frozen=True, slots=True)
class Upgraded:
    """One of the two sets of tables, from which version to which; None for an empty one."""

    what: str
    before: str | None
    after: str

    @property
    def is_changed(self) -> bool:
        """Return whether there was anything to do."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Standing:
    """One of the two sets of tables: its version, None for an empty one, and what it is to this program."""

    version: str | None
    state: Literal["current", "old", "newer"]


async def standing(location: str | Path) -> tuple[Standing, Standing]:
    """Return at which version our tables are, and the run engine's. Nothing is changed.

    Tables of a newer engine can be worked on, ours of another MASIS cannot.

    Raises:
        StoreUnavailable: the database cannot be opened.
    """
    revision = await Database.revision_of(location)
    database = Database(url_of(location))
    try:
        with database.reported():
            engine = await asyncio.to_thread(_engine_standing, database)
    finally:
        await database.close()
    if revision == migrations.HEAD:
        return Standing(revision, "current"), engine
    is_old = revision is None or revision in migrations.KNOWN
    return Standing(revision, "old" if is_old else "newer"), engine


async def upgrade(location: str | Path) -> list[Upgraded]:
    """Upgrade both; one that is current is only read. Other processes that upgrade wait meanwhile.

    Raises:
        StoreUnavailable: the database cannot be opened or written, or is of another MASIS.
    """
    before = await Database.revision_of(location)
    database = await Database.open(location)
    try:
        with database.reported():
            engine = await asyncio.to_thread(_upgrade_engine, database)
    finally:
        await database.close()
    return [Upgraded("MASIS's tables", before, migrations.HEAD), engine]


def _engine_standing(database: Database) -> Standing:
    workflow_tables.quiet()
    found = workflow_tables.version(database.url)
    version = str(found) if found else None
    try:
        workflow_tables.check(database.url)
    except StoreUnavailable:
        return Standing(version, "old")
    return Standing(version, "current")


def _upgrade_engine(database: Database) -> Upgraded:
    workflow_tables.quiet()
    before = workflow_tables.version(database.url)
    workflow_tables.migrate(database.url)
    after = workflow_tables.version(database.url)
    return Upgraded("the run engine's tables", str(before) if before else None, str(after))
