"""The `TableEngine` port: DuckDB in a process of its own that may do nothing else."""

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from types import TracebackType
from typing import Any, Final, Self

from masis.adapters.duckdb_tables import query_pipe as pipe
from masis.documents.parsing.sandbox.pool import child_environment
from masis.domain import WorkspaceId
from masis.errors import QueryRefused
from masis.ports import TableStore
from masis.tables import sql as written
from masis.tables.checked_sql import MOST_CHARS
from masis.tables.written_sql import ColumnOf
from masis.values.tabular import (
    MIXED,
    QueryResult,
    ResultColumn,
    RowSpan,
    TableInfo,
    TableQuery,
    level,
    spans,
)

SECONDS: Final = 10.0
"""A query's own time; a million rows take a hundredth of it."""
LOADING_SECONDS: Final = 30.0
IDLE_SECONDS: Final = 300.0
"""How long a process with tables in its memory waits for the next question."""
_GRACE_SECONDS: Final = 2.0
MOST_TABLES: Final = 20
"""Of one query."""

TOO_SLOW: Final = f"The question over the table took longer than {SECONDS:.0f} s and was stopped."
TOO_MUCH: Final = "The question over the table takes more memory than it may."
FAILED: Final = "The question over the table could not be calculated ({kind})."
LOST: Final = "The question over the table could not be calculated: its process ended."
GONE: Final = "The table is not there any more."

_COMMAND: Final = (sys.executable, "-P", "-m", "masis.adapters.duckdb_tables.query_process")


class DuckTables:
    """Asks tables one query after the other, in a process that is started when it is needed.

    A query that takes too long or too much ends; the process is replaced where that was not enough.
    Close it when done. `seconds` is a query's time; `command` starts the process.
    """

    def __init__(
        self, store: TableStore, *, seconds: float = SECONDS, command: Sequence[str] = _COMMAND
    ) -> None:
        self._store = store
        self._seconds = seconds
        self._command = command
        self._lock = asyncio.Semaphore(1)
        self._process: _Process | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._is_stale = False
        self._ending: set[asyncio.Future[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the process, and wait until it has."""
        self._let_go()
        if self._ending:
            await asyncio.shield(asyncio.gather(*self._ending))

    def forget(self) -> None:
        """Let go of what tables are held in memory, once the query that is under way has ended."""
        self._is_stale = self._lock.locked()
        if not self._is_stale:
            self._let_go()

    async def ask(
        self, workspace_id: WorkspaceId, tables: Sequence[TableInfo], query: TableQuery
    ) -> QueryResult:
        """Run a query over all rows of these tables, which have the same columns."""
        made = written.statement(tables, query)
        request = {"sql": made.sql, "facts": made.facts, "rows": written.MOST_ROWS + 1, "check": []}
        said = await self._asked(workspace_id, tables, made.names, request)
        most = min(query.limit or written.MOST_ROWS, written.MOST_ROWS)
        wanted = min(level(said["rows"], most, query.ranked), written.MOST_ROWS)
        rows = said["rows"][:wanted]
        return QueryResult(
            tables=[each.table_id for each in tables],
            columns=made.columns,
            rows=[row[: len(made.columns)] for row in rows],
            looked_at=sum(each.shape.rows for each in tables),
            matched=sum(fact[1] for fact in said["facts"]),
            valued=sum(fact[2] for fact in said["facts"]),
            places=_of_rows(rows) if made.has_rows else _of_facts(said["facts"]),
            is_cut=len(said["rows"]) > wanted,
            sql=made.sql,
        )

    async def ask_sql(
        self,
        workspace_id: WorkspaceId,
        tables: Sequence[TableInfo],
        sql: str,
        said: Collection[str] | None = None,
    ) -> QueryResult:
        """Run what somebody else wrote: one SELECT over these tables and nothing else, as is checked."""
        if len(sql) > MOST_CHARS:
            raise QueryRefused("The query is too long.")
        names = [each.name for each in tables]
        columns = [each.name for each in tables[0].shape.columns]
        request: dict[str, Any] = {"sql": sql, "facts": "", "check": names}
        request["rows"] = written.MOST_ROWS + 1
        request["said"] = None if said is None else list(said)
        mixed = (each for table in tables for each in table.shape.columns if each.currency == MIXED)
        request["mixed"] = [each.name for each in mixed]
        found = await self._asked(workspace_id, tables, columns, request)
        of = [ColumnOf.model_validate(each) for each in found["of"]]
        total = sum(each.shape.rows for each in tables)
        return QueryResult(
            tables=[each.table_id for each in tables],
            columns=list(_result_columns(found, of, tables[0])),
            rows=found["rows"][: written.MOST_ROWS],
            looked_at=total,
            matched=sum(fact[1] for fact in found["facts"]) if found["facts"] else total,
            valued=sum(fact[2] for fact in found["facts"]) if found["facts"] else total,
            places=_of_facts(found["facts"]) if found["facts"] else _whole(tables),
            is_cut=len(found["rows"]) > written.MOST_ROWS,
            sql=sql,
        )

    # --- the process ---------------------------------------------------------------------------

    async def _asked(
        self,
        workspace_id: WorkspaceId,
        tables: Sequence[TableInfo],
        columns: Sequence[str],
        request: dict[str, Any],
    ) -> dict[str, Any]:
        if not 0 < len(tables) <= MOST_TABLES:
            raise QueryRefused(GONE)
        key = "/".join([workspace_id, *(each.table_id for each in tables)])
        async with self._lock:
            if self._idle is not None:
                self._idle.cancel()
            try:
                process = await self._started()
                has = await self._said(process, {"op": "has", "key": key, "columns": list(columns)})
                if has["has"] is not None:
                    wanted = [*dict.fromkeys([*has["has"], *columns])]
                    await self._load(process, workspace_id, key, tables, wanted)
                said = await self._said(
                    process, {"op": "ask", "key": key, "seconds": self._seconds, **request}
                )
            finally:
                loop = asyncio.get_running_loop()
                self._idle = loop.call_later(IDLE_SECONDS, self._let_go)
                if self._is_stale:
                    self._is_stale = False
                    self._let_go()
        return said

    async def _load(
        self,
        process: "_Process",
        workspace_id: WorkspaceId,
        key: str,
        tables: Sequence[TableInfo],
        columns: Sequence[str],
    ) -> None:
        """Give the process the columns of tables that it lacks."""
        said: list[dict[str, Any]] = []
        parts: list[bytes] = []
        for table in tables:
            places = [at for at, each in enumerate(table.shape.columns) if each.name in columns]
            packed = await self._store.cells(workspace_id, table.table_id, places)
            if packed is None:
                raise QueryRefused(GONE)
            few = {"name", "type", "places", "has_time"}
            made = [packed.shape.columns[at].model_dump(include=few) for at in places]
            said.append({"name": table.name, "columns": made})
            parts += [packed.numbers, *(packed.cells[at] for at in places)]
        request = {"op": "load", "key": key, "tables": said}
        await self._said(process, request, parts, seconds=LOADING_SECONDS)

    async def _said(
        self,
        process: "_Process",
        request: dict[str, Any],
        parts: Sequence[bytes] = (),
        *,
        seconds: float | None = None,
    ) -> dict[str, Any]:
        """Ask the process, which is ended where it does not answer in time.

        Raises:
            QueryRefused: it refused, or ended.
        """
        try:
            async with asyncio.timeout((seconds or self._seconds) + _GRACE_SECONDS):
                said = await asyncio.to_thread(process.ask, request, parts)
        except TimeoutError as error:
            self._let_go()
            raise QueryRefused(TOO_SLOW) from error
        except (OSError, EOFError, ValueError) as error:
            self._let_go()
            raise QueryRefused(LOST) from error
        except BaseException:
            self._let_go()  # its answer would be taken for that of the next
            raise
        if said.get("memory"):
            self._let_go()
            raise QueryRefused(TOO_MUCH)
        if said.get("slow"):
            raise QueryRefused(TOO_SLOW)
        if "failed" in said:
            raise QueryRefused(FAILED.format(kind=said["failed"]))
        if "refused" in said:
            raise QueryRefused(said["refused"])
        return said

    async def _started(self) -> "_Process":
        if self._process is not None and not self._process.is_alive():
            self._let_go()
        if self._process is None:
            try:
                self._process = await asyncio.to_thread(_Process, self._command)
            except OSError as error:
                raise QueryRefused(LOST) from error
        return self._process

    def _let_go(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            ending = asyncio.get_running_loop().run_in_executor(None, process.end)
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)


def _of_rows(rows: Sequence[Sequence[str]]) -> list[RowSpan]:
    """Return the places of rows that have their table and number behind them."""
    numbers: dict[str, list[int]] = {}
    for row in rows:
        numbers.setdefault(row[-2], []).append(int(row[-1]))
    return [span for table, found in numbers.items() for span in spans(table, found)]


def _whole(tables: Sequence[TableInfo]) -> list[RowSpan]:
    return [
        RowSpan(table=each.name, first=each.shape.first_row, last=each.shape.last_row)
        for each in tables
    ]


def _result_columns(
    found: dict[str, Any], of: Sequence[ColumnOf], table: TableInfo
) -> Iterator[ResultColumn]:
    """Yield the columns of a result; one that is of a single column of the table has its unit."""
    for at, (name, kind) in enumerate(zip(found["names"], found["types"], strict=True)):
        plain = ResultColumn(name=name, type=_type(kind))
        told = of[at] if len(of) == len(found["names"]) else ColumnOf(aggregate="", columns=[name])
        yield written.measured(table, told.aggregate, told.columns, plain)


def _of_facts(facts: Sequence[Sequence[Any]]) -> list[RowSpan]:
    return [RowSpan(table=fact[0], first=fact[3], last=fact[4]) for fact in facts if fact[1]]


def _type(kind: str) -> Any:
    """Return what a column of DuckDB's is here."""
    plain = kind.casefold()
    if plain in {"date", "datetime"} or plain.startswith("timestamp"):
        return "date"
    if plain.startswith(("number", "decimal", "bigint", "double", "integer", "hugeint", "float")):
        return "number"
    return "boolean" if plain.startswith("bool") else "text"


class _Process:
    """The process. Its methods block: they are called in threads."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=child_environment(),
        )

    def ask(self, request: dict[str, Any], parts: Sequence[bytes]) -> dict[str, Any]:
        """Ask, and wait for the answer.

        Raises:
            EOFError: the process ended.
        """
        if self._process.stdin is None or self._process.stdout is None:
            raise EOFError
        pipe.write(self._process.stdin, request, parts)
        return pipe.read(self._process.stdout)[0]

    def is_alive(self) -> bool:
        """Say whether it still runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End it now."""
        self._process.kill()

    def end(self) -> None:
        """Close the pipes of a process that was killed, and wait for it."""
        for end in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if end is not None:
                    end.close()
        self._process.wait()
