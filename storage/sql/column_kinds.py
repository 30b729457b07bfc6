"""Define what columns of the database's tables have in common: times in UTC, whose a row is, names of keys."""

import datetime as dt
from typing import Any

from sqlalchemy import Column, DateTime, Dialect, ForeignKey, MetaData, String, TypeDecorator


class UtcDateTime(TypeDecorator[dt.datetime]):
    """A point in time in UTC. SQLite forgets the zone, so that it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> dt.datetime | None:  # noqa: ARG002 - the base class's signature
        """Attach UTC where the database gave no zone."""
        if value is None or value.tzinfo is not None:
            return value  # type: ignore[no-any-return] # the driver's value is untyped
        return value.replace(tzinfo=dt.UTC)  # type: ignore[no-any-return] # the same


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def workspace_column() -> Column[str]:
    """The scope that every row carries, so that each query can name it."""
    return _part_of("workspaces", "workspace_id", is_key=False)


def workspace_key() -> Column[str]:
    """The same scope, as the beginning of a key."""
    return _part_of("workspaces", "workspace_id", is_key=True)


def version_column(*, is_key: bool = False) -> Column[str]:
    """The version that a row is part of, and goes with."""
    return _part_of("versions", "version_id", is_key=is_key)


def chat_run_key() -> Column[str]:
    """The request that a row is part of, and goes with."""
    return _part_of("chat_runs", "run_id", is_key=True)


def _part_of(table: str, name: str, *, is_key: bool) -> Column[str]:
    foreign = ForeignKey(f"{table}.id", ondelete="CASCADE")
    return Column(name, String(64), foreign, primary_key=is_key, nullable=False)


def tenant_columns() -> tuple[Column[str], Column[str], Column[str]]:
    """The scope that every row of a chat carries; an id is empty where the chat has none such."""
    return (
        Column("chat", String(20), nullable=False),
        Column("enterprise", String(64), nullable=False),
        Column("team", String(64), nullable=False),
    )


def tenant_key() -> tuple[Column[str], Column[str], Column[str]]:
    """The same scope, as the beginning of a key."""
    return (
        Column("chat", String(20), primary_key=True),
        Column("enterprise", String(64), primary_key=True),
        Column("team", String(64), primary_key=True),
    )
