"""Store when workspaces were last let through: the fair order begins with the longest ago."""

from collections.abc import Collection, Sequence
from typing import Final

import sqlalchemy as sa

from storage.sql.tables import last_served
from storage.sql.upserts import dialect_insert

NEVER: Final = 0.0
"""When who was never served was, or not as long as is remembered: before every other."""
STEP: Final = 1e-6
"""Seconds between those served in the same moment, so that they stay in order."""
REMEMBERED_SECONDS: Final = 3600.0
"""Nobody waits as long; who is forgotten merely counts as new again."""


def when_served(connection: sa.Connection, workspaces: Collection[str]) -> dict[str, float]:
    """Return when those of the workspaces were last served that ever were."""
    if len(workspaces) <= 1:  # one alone has no rival
        return {}
    query = sa.select(last_served.c.workspace_id, last_served.c.at).where(
        last_served.c.workspace_id.in_(sorted(workspaces))
    )
    return {row.workspace_id: row.at for row in connection.execute(query)}


def note_served(connection: sa.Connection, workspaces: Sequence[str], now: float) -> None:
    """Note that these were served now, in this order."""
    if not workspaces:
        return
    latest = {name: now + STEP * position for position, name in enumerate(workspaces)}
    rows = [{"workspace_id": name, "at": at} for name, at in latest.items()]
    statement = dialect_insert(connection, last_served)
    changed = statement.on_conflict_do_update(
        index_elements=["workspace_id"], set_={"at": statement.excluded.at}
    )
    connection.execute(changed, rows)


def forget_served(connection: sa.Connection, now: float) -> None:
    """Remove what matters to nobody any more."""
    connection.execute(sa.delete(last_served).where(last_served.c.at < now - REMEMBERED_SECONDS))
