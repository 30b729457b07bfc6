"""Ask the whole tables of a workspace: read the question as a query, run it, keep what came of it."""

import asyncio
import datetime as dt
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, Protocol

from masis.domain import Usage, WorkspaceId
from masis.errors import QueryRefused
from masis.ports import TableEngine, TableStore
from masis.tables.everyday.typed_questions import read
from masis.tables.grammar.asking_words import FEWEST_ASKED, MOST_CHARS, REASON
from masis.tables.grammar.family import Read, Unread
from masis.tables.grammar.matching import parts
from masis.tables.long_tables import SheetName, long_sheets
from masis.text.lexical import terms
from masis.values.base import Value
from masis.values.tabular import QueryResult, TableInfo, TableQuery

MOST_QUERIES: Final = 2
"""That a model writes for a question: one, and another where the first was not run."""
LEAST_NAMED: Final = 2
"""Words of a question that a table has, from which on a model is asked for a query over it."""
NAMED_SHARE: Final = 0.5
"""And which share of the question's words they are at least."""
COLUMN_CHARS: Final = 60
_RELATIVE: Final = re.compile(
    r"\b(?:this|last|past|previous|next|current(?:ly)?|today|yesterday|since|ago|so far|recent(?:ly)?)\b",
    re.IGNORECASE,
)
_CALCULATED: Final = (
    "total sum average mean median highest lowest maximum minimum number count rows share percent"
    " difference first last year quarter month week day"
)
"""Words by which a model may name what it calculated, beside those of the question and the columns."""


class WrittenQuery(Value):
    """Hold a query that a model wrote over the table of that id; empty where it wrote none.

    `by_rule` says why it wrote none where it was not the question's fault.
    """

    table: str = ""
    sql: str = ""
    usage: Usage = Usage()
    by_rule: str = ""


class Querier(Protocol):
    """Writes queries over whole tables."""

    async def write(
        self, question: str, tables: Sequence[TableInfo], today: dt.date, refused: str
    ) -> WrittenQuery:
        """Return a query over one of the tables; `refused` says why the last one was not run."""
        ...


class TableAnswer(Value):
    """Hold what asking the tables brought: a result, words that could not be read, or why it was refused.

    `tables` are those that were asked, without the values of their columns; without any there is no
    answer, but a trail of a model that was asked. `written` says that a model wrote the query, `rejected`
    why queries of it were not run, `by_rule` why it had no say; `shown` are the documents whose tables it
    was told of.
    """

    tables: list[TableInfo]
    read: Read | None = None
    result: QueryResult | None = None
    unread: list[str] = []
    refused: str = ""
    written: bool = False
    rejected: list[str] = []
    by_rule: str = ""
    shown: list[str] = []
    usage: Usage = Usage()


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


class TableAsking:
    """Asks tables by rule, and by a `querier` where no rule reads the question.

    `today` says which day "the last 30 days" are counted from.
    """

    def __init__(
        self,
        store: TableStore,
        engine: TableEngine,
        *,
        today: Callable[[], dt.date] = _today,
        querier: Querier | None = None,
    ) -> None:
        self._store = store
        self._engine = engine
        self._today = today
        self._querier = querier

    @property
    def engine(self) -> TableEngine:
        """Return what runs its queries."""
        return self._engine

    def forget(self) -> None:
        """Let go of what tables are held in memory."""
        self._engine.forget()

    async def longer(self, workspace_id: WorkspaceId) -> frozenset[SheetName]:
        """Return the sheets with a table of which the first rows alone may be passages.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        return long_sheets(await self._store.tables(workspace_id))

    async def is_asked(
        self, workspace_id: WorkspaceId, question: str, files: Collection[str] = ()
    ) -> bool:
        """Tell whether a question asks one of the workspace's tables.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        found, tables = await self._read(workspace_id, question, files)
        return found is not None or (
            self._querier is not None and bool(_named_by(question, tables))
        )

    async def ask(
        self, workspace_id: WorkspaceId, question: str, files: Collection[str] = ()
    ) -> TableAnswer | None:
        """Return what the tables say; None where the question asks none of them.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        found, tables = await self._read(workspace_id, question, files)
        if isinstance(found, Read):
            return await self._asked(workspace_id, found, tables)
        near, by_rule = _named_by(question, tables), None
        if isinstance(found, Unread):  # which says which table is meant
            near = [each for each in tables if each.source == found.table]
            by_rule = TableAnswer(tables=_bare(near[:1]), unread=found.words)
        if self._querier is None or not near:
            return by_rule
        return await self._written(self._querier, workspace_id, question, near, by_rule)

    async def _asked(
        self, workspace_id: WorkspaceId, found: Read, tables: Sequence[TableInfo]
    ) -> TableAnswer:
        asked = [each for each in tables if each.table_id in found.tables]
        try:
            result = await self._engine.ask(workspace_id, asked, found.query)
        except QueryRefused as refusal:
            return TableAnswer(tables=_bare(asked), read=found, refused=str(refusal))
        told = found.model_copy(update={"query": _as_written(found.query, asked)})
        return TableAnswer(tables=_bare(asked), read=told, result=result)

    async def _written(
        self,
        querier: Querier,
        workspace_id: WorkspaceId,
        question: str,
        tables: Sequence[TableInfo],
        by_rule: TableAnswer | None,
    ) -> TableAnswer:
        """Have a query written and run; what the rule said where there is none that is run."""
        today, usage = self._today(), Usage()
        shown = list(dict.fromkeys(each.document_id for each in tables))
        rejected: list[str] = []
        why = ""
        for _ in range(MOST_QUERIES):
            made = await querier.write(question, tables, today, rejected[-1] if rejected else "")
            usage, why = usage.plus(made.usage), made.by_rule
            asked = [each for each in tables if each.table_id == made.table]
            if not (made.sql and asked):
                break
            said = list(_said(question, asked[0], today))
            try:
                result = await self._engine.ask_sql(workspace_id, asked, made.sql, said)
            except QueryRefused as refusal:
                rejected.append(str(refusal))
                continue
            result = _plainly_named(result, question, asked[0])
            more = {"rejected": rejected, "usage": usage, "shown": shown}
            return TableAnswer(tables=_bare(asked), result=result, written=True, **more)
        told = {"rejected": rejected, "by_rule": why, "usage": usage, "shown": shown}
        return (by_rule or TableAnswer(tables=[])).model_copy(update=told)

    async def _read(
        self, workspace_id: WorkspaceId, question: str, files: Collection[str]
    ) -> tuple[Read | Unread | None, list[TableInfo]]:
        if not question:
            return None, []
        tables = await self._store.tables(workspace_id)
        if files:
            tables = [each for each in tables if each.source in files]
        if not tables:
            return None, []
        found = await asyncio.to_thread(read, question, tables, self._today())
        return found, tables


def _as_written(query: TableQuery, tables: Sequence[TableInfo]) -> TableQuery:
    """Return a query whose conditions have the values as tables write them: they are read without case."""
    held = {
        (column.name, value.casefold()): value
        for table in tables
        for column in table.shape.columns
        for value in (column.least, column.most, *reversed(column.values))
    }
    filters = [
        each.model_copy(
            update={"values": [held.get((each.column, value), value) for value in each.values]}
        )
        for each in query.filters
    ]
    return query.model_copy(update={"filters": filters})


def _bare(tables: Sequence[TableInfo]) -> list[TableInfo]:
    """Return tables without the values of their columns, which nobody needs any more."""
    made = []
    for table in tables:
        columns = [each.model_copy(update={"values": []}) for each in table.shape.columns]
        made.append(
            table.model_copy(update={"shape": table.shape.model_copy(update={"columns": columns})})
        )
    return made


# --- what a model may write of -----------------------------------------------------------------


def _named_by(question: str, tables: Sequence[TableInfo]) -> list[TableInfo]:
    """Return the tables that a question names enough of, those that it names most of first."""
    asked = set(terms(question))
    if not asked or len(question) > MOST_CHARS or REASON.search(question):
        return []
    least = max(LEAST_NAMED, NAMED_SHARE * len(asked))
    counted = [
        (len(asked & _words(table)), table) for table in tables if table.shape.rows >= FEWEST_ASKED
    ]
    near = sorted((each for each in counted if each[0] >= least), key=lambda each: -each[0])
    return [table for _, table in near]


def _words(table: TableInfo) -> set[str]:
    """Return the terms of a table's name, its columns' names and their values."""
    columns = table.shape.columns
    names = [" ".join(parts(each)) for each in (table.name, *(column.name for column in columns))]
    return set(terms(" ".join([*names, *(value for column in columns for value in column.values)])))


def _said(question: str, table: TableInfo, today: dt.date) -> Iterator[str]:
    """Yield the texts that a query's own must stand in: the question, and the table's values."""
    yield question
    for column in table.shape.columns:
        yield from column.values
    if _RELATIVE.search(question):
        yield from (today.isoformat(), str(today.year - 1))


def _plainly_named(result: QueryResult, question: str, table: TableInfo) -> QueryResult:
    """Return a result whose columns have no word that is neither asked nor the table's."""
    names = " ".join(" ".join(parts(each.name)) for each in table.shape.columns)
    known = set(terms(f"{question} {names} {_CALCULATED}"))
    columns = []
    for at, column in enumerate(result.columns, 1):
        plain = " ".join(parts(column.name))
        is_known = bool(plain) and set(terms(plain)) <= known and len(column.name) <= COLUMN_CHARS
        is_own = table.column(column.name) is not None
        name = column.name if is_own else plain if is_known else f"column {at}"
        columns.append(column.model_copy(update={"name": name}))
    return result.model_copy(update={"columns": columns})
