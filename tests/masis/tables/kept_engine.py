"""One process that asks tables, for all tests of a module: to start one takes longer than to ask it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from masis.adapters.duckdb_tables.table_engine import DuckTables
from masis.ports import TableStore


@contextmanager
def kept_engine(store: TableStore) -> Iterator[DuckTables]:
    """Keep an engine beyond the event loops of its tests, and end it with the block."""
    engine = DuckTables(store)
    yield engine
    asyncio.run(engine.close())
