from collections.abc import Iterator
from typing import Any

import pytest

from masis.adapters.duckdb_tables.table_engine import DuckTables
from masis.errors import QueryRefused
from masis.tables.checked_sql import check
from tests.masis.tables.kept_engine import kept_engine
from tests.masis.tables.samples import PLACE, Tables, packed

TABLES = ["t.csv"]
HARMLESS = [
    'SELECT "a", count(*) FROM "t.csv" WHERE lower("b") = \'x\' GROUP BY 1 ORDER BY 2 DESC LIMIT 5',
    'SELECT avg("a"), sum("a" * 2) FROM "t.csv" WHERE "d" >= DATE \'2026-01-01\'',
    'SELECT x.a FROM "t.csv" x JOIN "t.csv" y ON x.a = y.a',
    'SELECT * FROM (SELECT a FROM "t.csv" UNION ALL SELECT b FROM "t.csv")',
    'SELECT (SELECT max(a) FROM "t.csv") FROM "t.csv"',
]
HOSTILE = [
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM read_text('/etc/passwd'), \"t.csv\"",
    'SELECT (SELECT count(*) FROM read_text(\'/etc/passwd\')) FROM "t.csv"',
    'SELECT a FROM "t.csv" WHERE a IN (SELECT content FROM read_text(\'/etc/passwd\'))',
    "COPY \"t.csv\" TO '/tmp/x.csv'",
    "ATTACH '/tmp/x.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PRAGMA database_list",
    "SET memory_limit = '10GB'",
    "CREATE TABLE x AS SELECT 1",
    'DROP TABLE "t.csv"',
    'DELETE FROM "t.csv"',
    "SELECT 1",
    'SELECT 1 FROM "t.csv"; SELECT 2 FROM "t.csv"',
    'SELECT * FROM "other.csv"',
    'SELECT * FROM memory.main."t.csv"',
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM range(10)",
    'SELECT getvariable(\'x\') FROM "t.csv"',
    'SELECT system.main.sum(a) FROM "t.csv"',
    'WITH r AS (SELECT 1) SELECT * FROM r, "t.csv"',
    'WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 1 FROM r) SELECT * FROM r, "t.csv"',
    'SELECT repeat(a, 1000000000) FROM "t.csv"',
    'SELECT * FROM "t.csv", "t.csv" POSITIONAL JOIN read_csv(\'x\')',
    'WITH x AS (INSERT INTO "t.csv" VALUES (1) RETURNING *) SELECT * FROM x',
    'INSERT INTO "t.csv" SELECT * FROM "t.csv"',
    'PIVOT "t.csv" ON a USING count(*)',
    "SHOW TABLES",
    'DESCRIBE "t.csv"',
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM query_table(['t.csv'])",
    "SELECT columns(*) FROM glob('/*')",
    'EXPLAIN SELECT * FROM "t.csv"',
    "",
    "nonsense",
]  # fmt: skip


PLAIN = packed((["a", "b", "d"], ["1", "x", "2026-01-01"], ["2", "y", "2026-02-01"]))


STORE = Tables(t_csv=PLAIN)


@pytest.fixture(scope="module")
def asked() -> Iterator[DuckTables]:
    with kept_engine(STORE) as made:
        yield made


@pytest.mark.parametrize("sql", HARMLESS)
async def test_select_over_the_table_passes(asked: DuckTables, sql: str) -> None:
    assert (await asked.ask_sql(PLACE, await STORE.tables(PLACE), sql)).rows


async def test_anything_else_is_refused(asked: DuckTables) -> None:
    tables = await STORE.tables(PLACE)
    for sql in HOSTILE:
        with pytest.raises(QueryRefused, match="not one SELECT"):
            await asked.ask_sql(PLACE, tables, sql)


def test_deep_nesting_is_refused() -> None:
    deep: Any = {"type": "BASE_TABLE", "table_name": "t.csv"}
    for _ in range(100):
        deep = {"child": deep}
    with pytest.raises(QueryRefused):
        check({"statements": [deep]}, TABLES)
