import base64
import os

import pytest
from pydantic import SecretStr
from sqlalchemy import Column, Integer, MetaData, Table, create_engine, select, text

from masis.errors import InvalidSettings
from storage.secrets import EncryptedText, KeyRing, Sealed, SecretUnreadable, generate_key

PLACE = ("installations", "bot_token", "E1", "T1")
TOKEN = SecretStr("xoxb-1-secret")


def ring(*entries: str) -> KeyRing:
    return KeyRing.parse(SecretStr(",".join(entries)))


K1 = f"k1:{generate_key()}"
K2 = f"k2:{generate_key()}"


def test_secret_opens_where_sealed() -> None:
    """A secret opens where it was sealed."""
    keys = ring(K1)
    sealed = keys.seal(TOKEN, *PLACE)
    assert keys.open(sealed, *PLACE) == TOKEN
    assert sealed.key_id == "k1"
    assert "xox" not in sealed.text


def test_sealing_twice_gives_different_text() -> None:
    """The same secret never looks the same twice."""
    keys = ring(K1)
    assert len({keys.seal(TOKEN, *PLACE).text for _ in range(50)}) == 50


def test_first_key_encrypts_every_key_decrypts() -> None:
    """The first key encrypts and every key decrypts."""
    old = ring(K1).seal(TOKEN, *PLACE)
    both = ring(K2, K1)
    assert both.open(old, *PLACE) == TOKEN
    assert both.seal(TOKEN, *PLACE).key_id == "k2"


@pytest.mark.parametrize("place", range(len(PLACE)))
def test_copied_secret_opens_nowhere(place: int) -> None:
    """A secret that was copied elsewhere opens nowhere."""
    keys = ring(K1)
    elsewhere = tuple("other" if n == place else part for n, part in enumerate(PLACE))
    with pytest.raises(SecretUnreadable, match="does not open with the key k1"):
        keys.open(keys.seal(TOKEN, *PLACE), *elsewhere)


def test_concatenated_ids_stay_distinct_places() -> None:
    """Ids that run together are two places."""
    keys = ring(K1)
    with pytest.raises(SecretUnreadable):
        keys.open(keys.seal(TOKEN, "t", "c", "AB", "C"), "t", "c", "A", "BC")


def test_wrong_key_under_id_is_explained() -> None:
    """Another key under the same id is told plainly."""
    sealed = ring(K1).seal(TOKEN, *PLACE)
    with pytest.raises(SecretUnreadable, match=r"another key under that id.*right key back"):
        ring(f"k1:{generate_key()}").open(sealed, *PLACE)


def test_missing_key_error_names_held_ones() -> None:
    """A missing key is named with those that are held."""
    sealed = ring(K1).seal(TOKEN, *PLACE)
    with pytest.raises(SecretUnreadable, match=r"the key k1, .* does not hold \(it holds k2\)"):
        ring(K2).open(sealed, *PLACE)
    with pytest.raises(SecretUnreadable, match="it holds none"):
        ring().open(sealed, *PLACE)


@pytest.mark.parametrize(
    "stored",
    ["", "xoxb-1-secret", "k1:", "k1:xoxb-1", ":AAAA", "k1:AAAA", "k1:" + "A" * 16, "é:AAAA", "k1"],
)
def test_unsealed_text_is_never_used(stored: str) -> None:
    """What is no sealed secret is never used as it stands."""
    with pytest.raises(SecretUnreadable, match="not in the form that MASIS writes") as caught:
        ring(K1).open(Sealed(stored), *PLACE)
    assert "xoxb" not in str(caught.value)


def test_a_changed_byte_is_found() -> None:
    keys = ring(K1)
    raw = bytearray(base64.b64decode(keys.seal(TOKEN, *PLACE).text[3:]))
    raw[20] ^= 1
    with pytest.raises(SecretUnreadable):
        keys.open(Sealed(f"k1:{base64.b64encode(raw).decode()}"), *PLACE)


@pytest.mark.parametrize(
    "bad",
    [
        "abc",
        "{key}",
        ":{key}",
        "a b:{key}",
        "k2:AAAA",
        "k2:{short}",
        "k2:not base64 at all!",
        "long" * 9 + ":{key}",
    ],
)
def test_malformed_ring_error_hides_keys(bad: str) -> None:
    """A malformed ring is refused without being repeated."""
    key, short = generate_key(), base64.b64encode(os.urandom(31)).decode()
    with pytest.raises(InvalidSettings, match=r"MASIS_SECRET_KEYS: entry 2 should be") as caught:
        ring(K1, bad.format(key=key, short=short))
    assert not any(secret in str(caught.value) for secret in (key, short, K1[3:]))


def test_duplicate_key_ids_are_refused() -> None:
    """Two keys of one id and endless rings are refused."""
    with pytest.raises(InvalidSettings, match="two keys have the id k1"):
        ring(K1, K1)
    with pytest.raises(InvalidSettings, match="more than 16"):
        ring(*(f"k{n}:{generate_key()}" for n in range(17)))


def test_empty_ring_explains_key_creation() -> None:
    """A ring without keys says how to make one."""
    for empty in (ring(), ring(" ", "")):
        assert empty.ids == []
        with pytest.raises(InvalidSettings, match="masis keys generate"):
            empty.seal(TOKEN, *PLACE)


def test_new_key_gets_next_number() -> None:
    """A new key has the next number and fits before the others."""
    assert ring().new_key().startswith("k1:")
    new = ring(K2, K1, f"prod:{generate_key()}").new_key()
    assert ring(new, K2, K1).current == "k3"


def test_nothing_shows_a_secret() -> None:
    sealed = ring(K1).seal(TOKEN, *PLACE)
    assert sealed.text not in repr(sealed)
    assert K1[3:] not in repr(vars(ring(K1)))


def test_encrypted_column_rejects_plain_text() -> None:
    """A column of secrets takes no raw text."""
    table = Table(
        "t", MetaData(), Column("id", Integer, primary_key=True), Column("s", EncryptedText)
    )
    sealed = ring(K1).seal(TOKEN, *PLACE)
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        table.create(connection)
        for raw in ("xoxb-1-secret", TOKEN):
            with pytest.raises(Exception, match="only sealed secrets") as caught:
                connection.execute(table.insert().values(s=raw))
            assert "xoxb" not in str(caught.value)
        connection.execute(table.insert(), [{"s": sealed}, {"s": None}])
        assert list(connection.scalars(select(table.c.s).order_by(table.c.id))) == [sealed, None]
        assert connection.scalar(text("SELECT s FROM t")) == sealed.text
    engine.dispose()
