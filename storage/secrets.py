"""Secrets at rest: AES-256-GCM under keys that come from the settings and are never stored.

A sealed secret reads `key_id:base64(nonce + ciphertext)`. It is bound to its place (table, column,
tenant), so that one copied into another row opens nowhere. Not MultiFernet, whose text does not tell its
key: by the key's id rows under an old one are found and a missing one is named.
"""

import base64
import binascii
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import SecretStr
from sqlalchemy import Dialect, Text, TypeDecorator

from masis.errors import InvalidSettings, MasisError

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
"""What NIST SP 800-38D has for GCM; random ones are safe for 2^32 secrets under one key."""
_KEY_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
_MOST_KEYS: Final = 16
_VARIABLE: Final = "MASIS_SECRET_KEYS"


class SecretUnreadable(MasisError):
    """A stored secret cannot be decrypted; it is never used as it stands."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """An encrypted secret as it lies in the database."""

    text: str = field(repr=False)

    @property
    def key_id(self) -> str:
        """Return which key it was encrypted with; empty when it is malformed."""
        return self.text.partition(":")[0] if ":" in self.text else ""


class EncryptedText(TypeDecorator[Sealed]):
    """A column that takes and gives sealed secrets alone: raw text cannot be written by mistake.

    Sealing needs the row's tenant, which a column type does not see; who writes the row seals.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002 - the base class's signature
        """Refuse what is not sealed.

        Raises:
            TypeError: the value is no sealed secret; it is not repeated.
        """
        if value is None:
            return None
        if not isinstance(value, Sealed):
            raise TypeError(f"only sealed secrets may be written, not {type(value).__name__}")
        return value.text

    def process_result_value(self, value: Any, dialect: Dialect) -> Sealed | None:  # noqa: ARG002 - the base class's signature
        """Give what is stored, still sealed."""
        return None if value is None else Sealed(value)


class KeyRing:
    """The keys in use: the first one encrypts, every one decrypts.

    One without keys is allowed where nothing is sealed; it says what to do when it is asked to.
    """

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._ciphers = {key_id: AESGCM(key) for key_id, key in keys.items()}

    @classmethod
    def parse(cls, text: SecretStr) -> Self:
        """Read `k2:<base64 of 32 bytes>,k1:...`.

        Raises:
            InvalidSettings: an entry is malformed; it is named by its place, never repeated.
        """
        keys: dict[str, bytes] = {}
        entries = [entry.strip() for entry in text.get_secret_value().split(",")]
        for place, entry in enumerate(filter(None, entries), start=1):
            key_id, key = _entry(place, entry)
            if key_id in keys:
                raise InvalidSettings(f"{_VARIABLE}: two keys have the id {key_id}")
            keys[key_id] = key
        if len(keys) > _MOST_KEYS:
            raise InvalidSettings(f"{_VARIABLE}: more than {_MOST_KEYS} keys; drop old ones")
        return cls(keys)

    @property
    def ids(self) -> list[str]:
        """The keys' ids, the one that encrypts first."""
        return list(self._ciphers)

    @property
    def current(self) -> str:
        """The id of the key that encrypts.

        Raises:
            InvalidSettings: there is none.
        """
        if not self._ciphers:
            raise InvalidSettings(
                f"{_VARIABLE}: there is no key to keep tokens with; make one with"
                " `masis keys generate`"
            )
        return self.ids[0]

    def new_key(self) -> str:
        """A new entry, `id:key`, to be put before the others."""
        numbers = [int(key_id[1:]) for key_id in self.ids if re.fullmatch(r"k\d{1,9}", key_id)]
        return f"k{max(numbers, default=0) + 1}:{generate_key()}"

    def seal(self, secret: SecretStr, *place: str) -> Sealed:
        """Encrypt under the first key, for this place (table, column, ids) alone.

        Raises:
            InvalidSettings: the ring has no key.
        """
        nonce = secrets.token_bytes(_NONCE_BYTES)
        plain = secret.get_secret_value().encode()
        cipher = self._ciphers[self.current].encrypt(nonce, plain, _bound(place))
        return Sealed(f"{self.current}:{base64.b64encode(nonce + cipher).decode()}")

    def open(self, sealed: Sealed, *place: str) -> SecretStr:
        """Decrypt what was sealed for this very place.

        Raises:
            SecretUnreadable: its key is missing or another one, or it is malformed.
        """
        what = ".".join(place[:2]) + " of " + "/".join(filter(None, place[2:]))
        raw = _unpacked(sealed, what)
        cipher = self._ciphers.get(sealed.key_id)
        if cipher is None:
            held = ", ".join(self.ids) or "none"
            raise SecretUnreadable(
                f"A stored secret ({what}) was encrypted with the key {sealed.key_id}, which"
                f" {_VARIABLE} does not hold (it holds {held}). Put that key back, after the first."
            )
        try:
            plain = cipher.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], _bound(place))
        except InvalidTag:
            raise SecretUnreadable(
                f"A stored secret ({what}) does not open with the key {sealed.key_id}: {_VARIABLE}"
                " holds another key under that id, or the row was changed. Put the right key back,"
                " or install the app again."
            ) from None
        return SecretStr(plain.decode())


def generate_key() -> str:
    """A new random key of 256 bits, in base64."""
    return base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def _entry(place: int, entry: str) -> tuple[str, bytes]:
    key_id, colon, encoded = entry.partition(":")
    try:
        key = base64.b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not colon or not _KEY_ID.fullmatch(key_id) or len(key) != KEY_BYTES:
        raise InvalidSettings(
            f"{_VARIABLE}: entry {place} should be an id, a colon and {KEY_BYTES} bytes in base64,"
            " as `masis keys generate` prints it"
        )
    return key_id, key


def _unpacked(sealed: Sealed, what: str) -> bytes:
    """The bytes behind the key's id."""
    try:
        raw = base64.b64decode(sealed.text.partition(":")[2], validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if not _KEY_ID.fullmatch(sealed.key_id) or len(raw) <= _NONCE_BYTES:
        raise SecretUnreadable(
            f"A stored secret ({what}) is not in the form that MASIS writes, and is not used."
            " Restore the database from a copy, or install the app again."
        )
    return raw


def _bound(place: tuple[str, ...]) -> bytes:
    # The unit separator keeps ("ab", "c") and ("a", "bc") apart.
    return "\x1f".join(place).encode()
