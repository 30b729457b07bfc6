"""Choose what a process does of the bot's work: take requests in, work on them, or both."""

from enum import StrEnum

from bot.settings import Settings
from masis.errors import InvalidSettings


class Role(StrEnum):
    """One program, three ways to run it."""

    BOTH = "both"
    INGRESS = "ingress"
    WORKER = "worker"

    @property
    def listens(self) -> bool:
        """Say whether the process is called by Slack and over HTTP."""
        return self is not Role.WORKER

    @property
    def works(self) -> bool:
        """Say whether the process takes requests to their outcomes."""
        return self is not Role.INGRESS

    @property
    def migrates(self) -> bool:
        """Say whether the process brings the database's schema up to date.

        One of many only checks it.
        """
        return self is Role.BOTH


def check_role(settings: Settings, role: Role) -> None:
    """Check that several processes can share what the settings name, where the role needs it.

    Raises:
        InvalidSettings: they cannot; the message says what to set.
    """
    if role is Role.BOTH:
        return
    lacking = []
    if on_sqlite(settings):
        lacking.append("MASIS_DATABASE_URL has to name a PostgreSQL database")
    if not settings.qdrant_address:
        lacking.append("MASIS_QDRANT_URL has to name a Qdrant server")
    if lacking:
        what = "a worker" if role is Role.WORKER else "the ingress"
        raise InvalidSettings(
            f"MASIS_DATABASE_URL, MASIS_QDRANT_URL: {what} shares its stores with other processes:"
            f" {' and '.join(lacking)}. In one process alone run `masis serve`."
        )


def on_sqlite(settings: Settings) -> bool:
    """Say whether the database is a file, which one process works on at a time."""
    address = settings.database_url.get_secret_value()
    return not address or address.startswith("sqlite")
