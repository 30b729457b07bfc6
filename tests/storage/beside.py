"""What a program beside ours sees and does in a database, with the driver alone."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from tests.memory import data_of

sqlite_alone = pytest.mark.parametrize("location", ["sqlite"], indirect=True)
"""For a test of what is SQLite's own, or of statements that others run on PostgreSQL too."""


def is_server(location: str) -> bool:
    """Whether it is a PostgreSQL's address, and no SQLite file."""
    return "://" in location


def kept(location: str) -> bytes:
    """Every byte of every file beside a SQLite database; every row of every table of a server's."""
    if is_server(location):
        with psycopg.connect(location) as connection:
            return "\n".join(_rows(connection)).encode()
    folder = Path(location).parent
    return b"".join(data_of(file) for file in sorted(folder.rglob("*")) if file.is_file())


def occurrences(location: str, words: str) -> int:
    """How often the words stand anywhere in it."""
    return kept(location).count(words.encode())


def kept_steps(location: str) -> list[tuple[str, str]]:
    """The finished steps of the run engine, each by name with what it gave."""
    columns = "SELECT function_name, coalesce(output, '') || coalesce(error, '')"
    if is_server(location):
        with psycopg.connect(location) as connection:
            query = f"{columns} FROM dbos.operation_outputs ORDER BY function_id"
            return connection.execute(query.encode()).fetchall()
    with contextlib.closing(sqlite3.connect(location)) as file:
        return file.execute(f"{columns} FROM operation_outputs ORDER BY function_id").fetchall()


@contextlib.contextmanager
def locked(location: str) -> Iterator[None]:
    """Another process writes requests, or on SQLite anything."""
    if is_server(location):
        with psycopg.connect(location) as connection:
            connection.execute("LOCK TABLE chat_runs IN EXCLUSIVE MODE")
            yield
            connection.rollback()
        return
    with contextlib.closing(sqlite3.connect(location, isolation_level=None)) as file:
        file.execute("BEGIN IMMEDIATE")
        yield
        file.execute("ROLLBACK")


def _rows(connection: psycopg.Connection) -> list[str]:
    tables = connection.execute(
        "SELECT schemaname, tablename FROM pg_tables"
        " WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2"
    ).fetchall()
    return [
        row[0]
        for schema, table in tables
        for row in connection.execute(
            sql.SQL("SELECT held::text FROM {} AS held").format(sql.Identifier(schema, table))
        )
    ]
