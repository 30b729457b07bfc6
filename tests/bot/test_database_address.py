"""Addresses of a database: read as they were meant, or refused without a word of them."""

import string
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import make_url

from bot.database_address import understood
from bot.settings import Settings, load
from masis.errors import InvalidSettings
from tests.examples import examples

MISREAD: Final = (
    "MASIS_DATABASE_URL: cannot be told apart into user, password, host and port: percent-encode"
    " what is special in the password (@ as %40, / as %2F, # as %23, ? as %3F)"
)

_any = st.text(string.ascii_letters + string.digits + "!$&*+,;=~ '\"[]:%?@/#", max_size=12)
passwords = st.tuples(_any, st.sampled_from("@/#"), _any).map("".join)
"""Passwords with characters that an address reads in its own way."""
behind = st.sampled_from(["db/masis", "db:5432/masis", "/masis?host=/run/db", "[::1]:5432/m", ""])


def loaded(url: str) -> Settings:
    return load(Path("no.env"), database_url=url)


def refusal(url: str) -> str:
    with pytest.raises(InvalidSettings) as caught:
        loaded(url)
    return str(caught.value)


@given(password=passwords, rest=behind)
@settings(max_examples=examples(80), deadline=None)
def test_misread_password_gives_same_message(password: str, rest: str) -> None:
    # Nothing of it can be in a sentence that is always the same.
    """Whatever the password that is misread the same is said."""
    assert refusal(f"postgresql://masis:{password}@{rest}") == MISREAD


@given(password=passwords)
@settings(max_examples=examples(80), deadline=None)
def test_percent_encoded_password_is_decoded(password: str) -> None:
    """A password that is percent encoded is the one that is meant."""
    url = f"postgresql://masis:{quote(password, safe='')}@db.example:5432/masis"
    read = make_url(str(loaded(url).database_location))
    assert (read.password, read.host, read.database) == (password, "db.example", "masis")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://a/b:hunter22@db/masis",
        "postgresql://masis:hunter22/masis",
        "postgresql://masis:hun[ter22@db/masis",
        "postgresql://masis:hun\N{FULLWIDTH NUMBER SIGN}ter22@db/masis",
        "postgresql://masis:70000/masis",
        "postgresql://masis@db:hunter22/masis",
        "postgresql://masis@db/masis#hunter22",
        "postgresql://masis@db/masis?password=hun@ter22",
    ],
)
def test_invalid_host_may_contain_password(url: str) -> None:
    """What cannot be a host or a port may be of a password."""
    assert refusal(url) == MISREAD


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://db/masis",
        "postgresql+psycopg://masis:pa:ss%@db_1.example,db-2/masis?sslmode=require",
        "postgres://postgres:@/postgres?host=/tmp/pg",
        "postgresql://masis:pw@[::1]:5432/masis",
        "sqlite://",
        "sqlite:////data/a@b/c#d.db",
        "sqlite:///relative.db",
    ],
)
def test_valid_address_is_kept_unchanged(url: str) -> None:
    """What can be read is taken as it is."""
    assert loaded(url).database_location == url


def test_default_database_is_file_in_folder(tmp_path: Path) -> None:
    """Without an address it is a file in the data folder."""
    assert load(Path("no.env"), data_dir=tmp_path).database_location == tmp_path / "masis.db"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("sqlite+nothing://u:se@cret@h/db", "should begin with postgresql:// or sqlite://"),
        ("://u:se@cret@h/db", "should begin with postgresql:// or sqlite://"),
        ("sqlite://u:se@cret@h/db", "should name a file with three slashes or four"),
    ],
)
def test_invalid_address_is_refused_unprinted(url: str, says: str) -> None:
    """What names neither a file nor a server is refused unseen."""
    assert says in refusal(url)
    assert "cret" not in refusal(url)


def test_missing_driver_is_named() -> None:
    """A driver that is not there is named and an address is not."""
    with pytest.raises(InvalidSettings, match="needs a driver: No module named"), understood():
        raise ModuleNotFoundError("No module named 'psycopg'")
    form = "It has the form postgresql://USER"
    with pytest.raises(InvalidSettings, match=form) as caught, understood():
        make_url("hunter22")
    assert "hunter22" not in str(caught.value)
