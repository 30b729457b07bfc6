"""Build what asks the whole tables of workspaces."""

from masis.adapters.duckdb_tables.table_engine import DuckTables
from masis.graphs.analysis.model import querier_of
from masis.ports import ChatModel
from masis.tables.asking import TableAsking
from storage.documents.tabular_rows import SqlTables
from storage.sql.database import Database


def asking(database: Database, asked: ChatModel | None) -> tuple[TableAsking, DuckTables]:
    """Build what asks tables, and its engine, a process apart that the first question starts."""
    tables = SqlTables(database)
    engine = DuckTables(tables)
    return TableAsking(tables, engine, querier=querier_of(asked)), engine
