"""The database's own clock, within a statement: the one that all processes share."""

import datetime as dt
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from storage.tables import UtcDateTime


class _Moment(FunctionElement[dt.datetime]):
    """So many seconds from now; not from the transaction's start, as `now()` has it."""

    type = UtcDateTime()
    inherit_cache = True


def moment(seconds: float = 0.0) -> sa.ColumnElement[dt.datetime]:
    """The database's time when the statement runs, and so many seconds later."""
    return _Moment(sa.literal(seconds, sa.Double()))


@compiles(_Moment, "postgresql")
def _in_postgres(element: _Moment, compiler: SQLCompiler, **more: Any) -> str:  # noqa: ANN401 - SQLAlchemy's own
    seconds = compiler.process(element.clauses, **more)
    return f"(clock_timestamp() + make_interval(secs => CAST({seconds} AS double precision)))"


@compiles(_Moment, "sqlite")
def _in_sqlite(element: _Moment, compiler: SQLCompiler, **more: Any) -> str:  # noqa: ANN401 - the same
    """In the form in which SQLAlchemy keeps a time as text, so that the two can be compared."""
    seconds = compiler.process(element.clauses, **more)
    shifted = f"'now', printf('%+.3f seconds', {seconds})"
    return f"(strftime('%Y-%m-%d %H:%M:%f', {shifted}) || '000')"
