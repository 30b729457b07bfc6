"""The database's own clock, within a statement: the one that all processes share."""

import datetime as dt
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from storage.sql.column_kinds import UtcDateTime
from storage.sql.rows import now


class _Moment(FunctionElement[dt.datetime]):
    """So many seconds from now; not from the transaction's start, as `now()` has it."""

    type = UtcDateTime()
    inherit_cache = True


def moment(seconds: float = 0.0) -> sa.ColumnElement[dt.datetime]:
    """The database's time when the statement runs, and so many seconds later."""
    return _Moment(sa.literal(seconds, sa.Double()))


def instant(connection: sa.Connection) -> dt.datetime:
    """Return what time it is by the database. On SQLite that is this machine's own clock."""
    if connection.dialect.name == "sqlite":
        return now()  # to the microsecond, which SQLite's own function does not tell
    found: dt.datetime = connection.execute(sa.select(moment())).scalar_one()
    return found


def skew(connection: sa.Connection) -> dt.timedelta:
    """Return how far the database's clock is ahead of this process's, in whole seconds.

    Less is the way there and back.
    """
    return dt.timedelta(seconds=round((instant(connection) - now()).total_seconds()))


@compiles(_Moment, "postgresql")
def _in_postgres(element: _Moment, compiler: SQLCompiler, **more: Any) -> str:
    seconds = compiler.process(element.clauses, **more)
    return f"(clock_timestamp() + make_interval(secs => CAST({seconds} AS double precision)))"


@compiles(_Moment, "sqlite")
def _in_sqlite(element: _Moment, compiler: SQLCompiler, **more: Any) -> str:
    """In the form in which SQLAlchemy keeps a time as text, so that the two can be compared."""
    seconds = compiler.process(element.clauses, **more)
    shifted = f"'now', printf('%+.3f seconds', {seconds})"
    return f"(strftime('%Y-%m-%d %H:%M:%f', {shifted}) || '000')"
