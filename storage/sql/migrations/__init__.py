"""The schema's history under Alembic, and the call that brings a database up to it."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect, text

from masis.errors import StoreUnavailable

if TYPE_CHECKING:
    # Alembic takes most of a second to import; a database that is up to date does not need it.
    from alembic.config import Config

HEAD: Final = "0028"
"""The newest revision; a test compares it with the scripts."""

KNOWN: Final = frozenset({"0021", "0022", "0023", "0024", "0025", "0026", "0027", HEAD})
"""All revisions that this code can open or upgrade; another one comes from another MASIS."""


def config(connection: Connection) -> "Config":
    """Alembic's configuration for the scripts in this folder, on an open connection."""
    from alembic.config import Config  # noqa: PLC0415 - see above

    made = Config()
    made.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    made.attributes["connection"] = connection
    return made


def is_current(connection: Connection) -> bool:
    """Say whether there is nothing to upgrade."""
    return revision(connection) == HEAD


def upgrade(connection: Connection) -> None:
    """Bring the database to `HEAD`, within the caller's transaction.

    Raises:
        StoreUnavailable: the schema is none that this code knows.
    """
    found = revision(connection)
    if found == HEAD:
        return
    if found is not None and found not in KNOWN:
        error = StoreUnavailable(
            f"The database was written by another MASIS (schema {found}, this one knows {HEAD})."
            " Use the newest MASIS, or another data folder."
        )
        error.retryable = False
        raise error
    from alembic import command  # noqa: PLC0415 - see above

    command.upgrade(config(connection), "head")


def revision(connection: Connection) -> str | None:
    """The database's revision; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found
