"""Brings a database up to this program: our tables, and those that the run engine keeps beside them."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from storage import migrations, workflow_tables
from storage.database import Database


@dataclass(frozen=True, slots=True)
class Upgraded:
    """One of the two sets of tables, from which version to which; None for an empty one."""

    what: str
    before: str | None
    after: str

    @property
    def is_changed(self) -> bool:
        """Whether there was anything to do."""
        return self.before != self.after


async def upgrade(location: str | Path) -> list[Upgraded]:
    """Upgrade both; one that is current is only read. Other processes that upgrade wait meanwhile.

    Raises:
        StoreUnavailable: the database cannot be opened or written, or is of a newer MASIS.
    """
    before = await Database.revision_of(location)
    database = await Database.open(location)
    try:
        with database.reported():
            engine = await asyncio.to_thread(_upgrade_engine, database)
    finally:
        await database.close()
    return [Upgraded("MASIS's tables", before, migrations.HEAD), engine]


def _upgrade_engine(database: Database) -> Upgraded:
    workflow_tables.quiet()
    before = workflow_tables.version(database.url)
    workflow_tables.migrate(database.url)
    after = workflow_tables.version(database.url)
    return Upgraded("the run engine's tables", str(before) if before else None, str(after))
