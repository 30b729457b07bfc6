"""Statements that are compiled once in a test process, not once an engine.

Every test opens engines of its own, and to make the same few hundred statements into text again for
each takes a fifth of the time of all tests with a database. SQLAlchemy keeps what it compiled by the
dialect, of which each engine has one: here two of a kind count as the same.
"""

from collections.abc import Iterator
from typing import Final

import pytest
import sqlalchemy as sa
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

MOST_KEPT: Final = 4000


def _kind(dialect: DefaultDialect) -> tuple[object, ...]:
    """Return all of a dialect that a statement's text and values depend on."""
    return (
        type(dialect),
        dialect.server_version_info,
        dialect.paramstyle,
        dialect.default_schema_name,
        dialect._json_serializer,
        dialect._json_deserializer,
    )


def _is_of_a_kind(one: DefaultDialect, other: object) -> bool:
    return isinstance(other, DefaultDialect) and _kind(one) == _kind(other)


@pytest.fixture(autouse=True, scope="session")
def _statements_are_compiled_once() -> Iterator[None]:
    """Give every connection of every engine one cache."""
    compiled: LRUCache[object, object] = LRUCache(MOST_KEPT)

    def share(connection: sa.Connection) -> None:
        connection.execution_options(compiled_cache=compiled)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DefaultDialect, "__eq__", _is_of_a_kind)
        patch.setattr(DefaultDialect, "__hash__", lambda dialect: hash(type(dialect)))
        sa.event.listen(sa.Engine, "engine_connect", share)
        yield
        sa.event.remove(sa.Engine, "engine_connect", share)
