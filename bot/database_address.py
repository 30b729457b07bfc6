"""Find where the database is: the operator's address, checked, or a file in the data folder.

An address may hold a password. One that is read wrongly would have a part of it taken for a host,
which is printed: such an address is refused in words that repeat nothing of it.
"""
# ruff: noqa: PLC0415 - settings are read before anything of the database is imported

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pydantic import SecretStr

from masis.errors import InvalidSettings

DATABASE_FILE: Final = "masis.db"

_SQLITE: Final = frozenset({"sqlite", "sqlite+aiosqlite"})
_POSTGRES: Final = frozenset({"postgres", "postgresql", "postgresql+psycopg"})

_WRONG_KIND: Final = "should begin with postgresql:// or sqlite://"
_WRONG_FILE: Final = "should name a file with three slashes or four, as in sqlite:////PATH/masis.db"
_MISREAD: Final = (
    "cannot be told apart into user, password, host and port: percent-encode what is special in the"
    " password (@ as %40, / as %2F, # as %23, ? as %3F)"
)
_FORM: Final = (
    "It has the form postgresql://USER:PASSWORD@HOST/NAME or sqlite:////PATH/masis.db, with @, / and"
    " # of a password as %40, %2F and %23."
)

# Everything behind `postgresql://`. What stands before the only @ ends nowhere else.
_SERVER: Final = re.compile(
    r"(?:[^@/?#\[\]]*@)?"
    r"(?P<host>\[[0-9A-Fa-f:.%]{2,64}\]|[\w.,-]{0,253})"
    r"(?::(?P<port>[0-9]{1,5}))?"
    r"(?:/[^@/?#]*)?"
    r"(?:\?[^@#]*)?"
)
_MAX_PORT: Final = 65_535


def check_address(url: SecretStr) -> SecretStr:
    """Check that an address is read as it was meant; an empty one means the data folder.

    Raises:
        ValueError: it is not; the message holds nothing of it.
    """
    if not url.get_secret_value():
        return url
    scheme, _, rest = url.get_secret_value().partition("://")
    if scheme in _SQLITE:
        if rest and not rest.startswith("/"):
            raise ValueError(_WRONG_FILE)
    elif scheme not in _POSTGRES:
        raise ValueError(_WRONG_KIND)
    elif not _is_server(rest):
        raise ValueError(_MISREAD)
    return url


def _is_server(rest: str) -> bool:
    found = _SERVER.fullmatch(rest)
    try:
        urlsplit(f"postgresql://{rest}")  # it refuses what only looks like one of these characters
    except ValueError:
        return False
    return found is not None and int(found["port"] or 0) <= _MAX_PORT


def location_of(url: SecretStr, data_dir: Path) -> str | Path:
    """Return where the database is: at the address, if there is one."""
    return url.get_secret_value() or data_dir / DATABASE_FILE


@contextmanager
def understood() -> Iterator[None]:
    """Say what is wrong with an address that names no database.

    Raises:
        InvalidSettings: it does not, or needs a driver that is not installed.
    """
    from sqlalchemy.exc import ArgumentError

    try:
        yield
    except ImportError as error:
        raise InvalidSettings(f"MASIS_DATABASE_URL needs a driver: {error}.") from None
    except ArgumentError:
        # Its words repeat the address.
        raise InvalidSettings(f"MASIS_DATABASE_URL cannot be used. {_FORM}") from None
