"""Queries over tables in a process that may do nothing else, and what it does to those that try."""

import asyncio
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from masis.adapters.duckdb_tables import table_engine as engine
from masis.adapters.duckdb_tables.table_engine import DuckTables
from masis.domain import WorkspaceId
from masis.errors import QueryRefused
from masis.values.tabular import Filter, Group, Measure, RowSpan, TableInfo, TableQuery
from tests.masis.tables.kept_engine import kept_engine
from tests.masis.tables.samples import PLACE, TICKETS, Tables, packed

ORDERS_25 = packed((["No.", "Net (£)"], ["A-1", "10"], ["A-2", "5"], ["A-3", "-2"]), sheet="2025")
ORDERS_26 = packed((["No.", "Net (£)"], ["A-4", "1.50"], ["A-5", "20"], ["A-6", "3"]), sheet="2026")
LONG = packed((TICKETS[0], *(TICKETS[1:] * 500)))


@pytest.fixture(scope="module")
def store() -> Tables:
    return Tables(tickets_csv=packed(), orders_xlsx=ORDERS_25, more_xlsx=ORDERS_26, long_csv=LONG)


@pytest.fixture
async def tables(store: Tables) -> list[TableInfo]:
    return await store.tables(PLACE)


@pytest.fixture(scope="module")
def asked(store: Tables) -> Iterator[DuckTables]:
    with kept_engine(store) as made:
        yield made


def counted(**rest: Any) -> TableQuery:
    return TableQuery(tables=["t_0"], measures=[Measure(aggregate="count")], **rest)


async def raw(asked: DuckTables, table: TableInfo, sql: str) -> dict[str, Any]:
    """Run SQL that no check has seen, as if one had failed."""
    request = {"sql": sql, "facts": "", "rows": 10, "check": []}
    return await asked._asked(PLACE, [table], ["Status"], request)


async def test_groups_ignore_case(asked: DuckTables, tables: list[TableInfo]) -> None:
    query = counted(groups=[Group(column="Site")])
    found = await asked.ask(PLACE, tables[:1], query)
    assert found.rows == [["Leeds", "4"], ["Truro", "2"]]
    assert (found.looked_at, found.matched) == (6, 6)
    assert found.places == [RowSpan(table="tickets.csv", first=2, last=7)]


async def test_conditions_and_blanks(asked: DuckTables, tables: list[TableInfo]) -> None:
    mean = TableQuery(
        tables=["t_0"],
        measures=[Measure(aggregate="mean", column="Hours to resolve")],
        filters=[Filter(column="Priority", operator="is", values=["P1"])],
    )
    found = await asked.ask(PLACE, tables[:1], mean)
    assert found.rows == [["5.75"]]
    assert (found.matched, found.valued) == (3, 2)


async def test_rows_know_their_place(asked: DuckTables, tables: list[TableInfo]) -> None:
    query = TableQuery(
        tables=["t_0"],
        columns=["Ticket ID", "Opened"],
        filters=[Filter(column="Opened", operator="from", values=["2026-03-01"])],
        order="Opened",
    )
    found = await asked.ask(PLACE, tables[:1], query)
    assert found.rows == [["T-106", "2026-03-20 14:00"], ["T-105", "2026-03-08 14:00"]]
    assert found.places == [RowSpan(table="tickets.csv", first=6, last=7)]


async def test_tables_alike_are_put_together(asked: DuckTables, tables: list[TableInfo]) -> None:
    query = TableQuery(tables=["t_1", "t_2"], measures=[Measure(aggregate="sum", column="Net (£)")])
    found = await asked.ask(PLACE, tables[1:3], query)
    assert found.rows == [["37.5"]]
    assert found.looked_at == 6


async def test_level_rows_are_given_too(asked: DuckTables, tables: list[TableInfo]) -> None:
    count = [Measure(aggregate="count")]
    query = TableQuery(tables=["t_0"], measures=count, groups=[Group(column="Priority")], limit=1)
    ordered = query.model_copy(update={"descending": False})
    found = await asked.ask(PLACE, tables[:1], ordered)
    assert found.rows == [["P3", "1"]]
    rows = TableQuery(
        tables=["t_0"], columns=["Priority"], order="Priority", descending=False, limit=1
    )
    assert (await asked.ask(PLACE, tables[:1], rows)).rows == [["P1"], ["P1"], ["P1"]]


async def test_measure_has_own_conditions(asked: DuckTables, tables: list[TableInfo]) -> None:
    only = [Filter(column="Priority", operator="is", values=["P1"])]
    measures = [Measure(aggregate="count", filters=only), Measure(aggregate="count")]
    found = await asked.ask(PLACE, tables[:1], TableQuery(tables=["t_0"], measures=measures))
    assert found.rows == [["3", "6"]]


async def test_more_rows_are_cut(asked: DuckTables, tables: list[TableInfo]) -> None:
    query = TableQuery(tables=["t_3"], columns=["Ticket ID"])
    found = await asked.ask(PLACE, tables[3:4], query)
    assert len(found.rows) == 200
    assert found.is_cut


async def test_written_query_is_checked_and_run(asked: DuckTables, tables: list[TableInfo]) -> None:
    sql = 'SELECT "Status", count(*) FROM "tickets.csv" GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1'
    found = await asked.ask_sql(PLACE, tables[:1], sql)
    assert found.rows == [["Open", "3"]]
    assert [each.type for each in found.columns] == ["text", "number"]
    for hostile in (
        "SELECT * FROM read_csv('/etc/passwd')",
        'DROP TABLE "tickets.csv"',
        "x" * 5000,
    ):
        with pytest.raises(QueryRefused):
            await asked.ask_sql(PLACE, tables[:1], hostile)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM read_csv('https://example.com/x.csv')",
        "COPY \"tickets.csv\" TO '/tmp/never-written.csv'",
        "EXPORT DATABASE '/tmp/never-written'",
        "ATTACH '/tmp/never-written.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET memory_limit = '100GB'",
        "SET threads = 64",
        "PRAGMA temp_directory = '/tmp'",
        "CREATE SECRET (TYPE s3)",
    ],
)  # fmt: skip
async def test_nothing_outside_is_reached(
    asked: DuckTables, tables: list[TableInfo], sql: str
) -> None:
    """What escaped every check still reaches no file, network, extension or setting."""
    with pytest.raises(QueryRefused):
        await raw(asked, tables[0], sql)


async def test_other_tables_are_not_there(asked: DuckTables, tables: list[TableInfo]) -> None:
    await asked.ask(PLACE, tables[3:4], counted())
    found = await raw(asked, tables[0], "SELECT table_name FROM information_schema.tables")
    assert found["rows"] == [["tickets.csv"]]


async def test_endless_query_is_stopped(store: Tables, tables: list[TableInfo]) -> None:
    endless = "SELECT count(*) FROM range(100000000000) a, range(1000) b"
    async with DuckTables(store, seconds=0.5) as asked:
        with pytest.raises(QueryRefused, match="longer"):
            await raw(asked, tables[0], endless)
        assert (await asked.ask(PLACE, tables[:1], counted())).rows == [["6"]]


async def test_greedy_query_is_refused(asked: DuckTables, tables: list[TableInfo]) -> None:
    greedy = "SELECT list(a.range || repeat('x', 1000)) FROM range(10000000) a"
    with pytest.raises(QueryRefused, match="memory"):
        await raw(asked, tables[0], greedy)
    assert (await asked.ask(PLACE, tables[:1], counted())).rows == [["6"]]


async def test_large_result_is_refused(asked: DuckTables, tables: list[TableInfo]) -> None:
    with pytest.raises(QueryRefused, match="too large"):
        await raw(asked, tables[0], "SELECT repeat('x', 2000000)")


async def test_dead_process_is_replaced(asked: DuckTables, tables: list[TableInfo]) -> None:
    await asked.ask(PLACE, tables[:1], counted())
    assert asked._process is not None
    asked._process._process.kill()
    asked._process._process.wait()
    assert (await asked.ask(PLACE, tables[:1], counted())).rows == [["6"]]


@pytest.mark.parametrize("script", ["import time; time.sleep(60)", "pass", "print('x' * 100)"])
async def test_process_that_says_nothing_is_given_up(
    monkeypatch: pytest.MonkeyPatch, store: Tables, tables: list[TableInfo], script: str
) -> None:
    monkeypatch.setattr(engine, "_GRACE_SECONDS", 0.1)
    async with DuckTables(store, seconds=0.2, command=(sys.executable, "-c", script)) as asked:
        with pytest.raises(QueryRefused):
            await asked.ask(PLACE, tables[:1], counted())


async def test_cancelled_question_leaves_no_answer(
    asked: DuckTables, tables: list[TableInfo]
) -> None:
    slow = asyncio.create_task(raw(asked, tables[0], "SELECT count(*) FROM range(100000000000)"))
    await asyncio.sleep(1)
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    assert (await asked.ask(PLACE, tables[:1], counted())).rows == [["6"]]


async def test_tables_of_others_are_gone(asked: DuckTables, tables: list[TableInfo]) -> None:
    with pytest.raises(QueryRefused, match="not there"):
        await asked.ask(WorkspaceId("w_other"), tables[:1], counted())


async def test_forgotten_tables_are_let_go(asked: DuckTables, tables: list[TableInfo]) -> None:
    await asked.ask(PLACE, tables[:1], counted())
    asked.forget()
    assert asked._process is None
    assert (await asked.ask(PLACE, tables[:1], counted())).rows == [["6"]]
