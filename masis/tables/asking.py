"""Ask the whole tables of a workspace: read the question as a query, run it, keep what came of it."""

import asyncio
import datetime as dt
from collections.abc import Callable, Collection, Sequence

from masis.domain import WorkspaceId
from masis.errors import QueryRefused
from masis.ports import TableEngine, TableStore
from masis.tables.grammar.questions import Read, Unread, read
from masis.values.base import Value
from masis.values.tabular import QueryResult, TableInfo


class TableAnswer(Value):
    """Hold what asking the tables brought: a result, words that could not be read, or why it was refused.

    `tables` are those that were asked, without the values of their columns.
    """

    tables: list[TableInfo]
    read: Read | None = None
    result: QueryResult | None = None
    unread: list[str] = []
    refused: str = ""


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


class TableAsking:
    """Asks tables by rule; `today` says which day "the last 30 days" are counted from."""

    def __init__(
        self, store: TableStore, engine: TableEngine, *, today: Callable[[], dt.date] = _today
    ) -> None:
        self._store = store
        self._engine = engine
        self._today = today

    @property
    def engine(self) -> TableEngine:
        """Return what runs its queries."""
        return self._engine

    def forget(self) -> None:
        """Let go of what tables are held in memory."""
        self._engine.forget()

    async def tables(self, workspace_id: WorkspaceId) -> list[TableInfo]:
        """Return the whole tables of a workspace.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        return await self._store.tables(workspace_id)

    async def is_asked(
        self, workspace_id: WorkspaceId, question: str, files: Collection[str] = ()
    ) -> bool:
        """Tell whether a question asks one of the workspace's tables.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        found, _ = await self._read(workspace_id, question, files)
        return found is not None

    async def ask(
        self, workspace_id: WorkspaceId, question: str, files: Collection[str] = ()
    ) -> TableAnswer | None:
        """Return what the tables say; None where the question asks none of them.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        found, tables = await self._read(workspace_id, question, files)
        if found is None:
            return None
        if isinstance(found, Unread):
            named = [each for each in tables if each.source == found.table][:1]
            return TableAnswer(tables=_bare(named), unread=found.words)
        asked = [each for each in tables if each.table_id in found.tables]
        try:
            result = await self._engine.ask(workspace_id, asked, found.query)
        except QueryRefused as refusal:
            return TableAnswer(tables=_bare(asked), read=found, refused=str(refusal))
        return TableAnswer(tables=_bare(asked), read=found, result=result)

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


def _bare(tables: Sequence[TableInfo]) -> list[TableInfo]:
    """Return tables without the values of their columns, which nobody needs any more."""
    made = []
    for table in tables:
        columns = [each.model_copy(update={"values": []}) for each in table.shape.columns]
        made.append(
            table.model_copy(update={"shape": table.shape.model_copy(update={"columns": columns})})
        )
    return made
