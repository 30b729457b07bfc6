"""Fetch the keys that Teams' tokens are signed with, and keep them."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from jwt import PyJWK
from jwt.exceptions import PyJWTError

from bot.settings import LOOPBACK
from bot.teams.bounded_http import BoundedHttp, NoReply
from masis.errors import MasisError

log = logging.getLogger(__name__)

RELOAD_SECONDS: Final = 60.0
"""A token with an unknown key makes the keys be loaded anew, at most this often."""
FRESH_SECONDS: Final = 24 * 3600.0
"""Microsoft wants keys to be looked for once a day."""
USABLE_SECONDS: Final = 5 * FRESH_SECONDS
"""How long known keys serve while they cannot be loaded anew."""
MOST_KEYS: Final = 100
LEAST_BITS: Final = 2048
_OK: Final = 200


class KeysUnavailable(MasisError):
    """The keys could not be loaded, and none are known: nobody can be let in now."""

    retryable = True


class SigningKey(NamedTuple):
    """A public key, and the channels that it may speak for."""

    key: RSAPublicKey
    endorsements: frozenset[str]


class SigningKeys:
    """The keys of the issuer whose OpenID metadata stands at an address; `now` is a steady clock."""

    def __init__(
        self,
        http: BoundedHttp,
        metadata_url: str,
        issuer: str,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._http = http
        self._metadata_url = metadata_url
        self._issuer = issuer
        self._now = now
        self._keys: Mapping[str, SigningKey] = {}
        self._loaded_at: float | None = None
        self._tried_at: float | None = None
        self._lock = asyncio.Lock()

    async def find(self, kid: str) -> SigningKey | None:
        """Return the key of that id, None where the issuer has none.

        Raises:
            KeysUnavailable: the keys cannot be loaded, and none are known.
        """
        known = self._keys.get(kid)
        if known is None or self._age() > FRESH_SECONDS:
            async with self._lock:
                await self._reload(kid)
        if self._age() > USABLE_SECONDS:
            raise KeysUnavailable("The keys of Teams' tokens cannot be loaded.")
        return self._keys.get(kid)

    def _age(self) -> float:
        return float("inf") if self._loaded_at is None else self._now() - self._loaded_at

    async def _reload(self, kid: str) -> None:
        """Load the keys, unless somebody did while this one waited, or just tried."""
        if kid in self._keys and self._age() <= FRESH_SECONDS:
            return
        if self._tried_at is not None and self._now() - self._tried_at < RELOAD_SECONDS:
            return
        self._tried_at = self._now()
        try:
            self._keys = await self._load()
            self._loaded_at = self._now()
        except (NoReply, ValueError) as error:
            log.warning("the keys of Teams' tokens cannot be loaded: %s", type(error).__name__)

    async def _load(self) -> dict[str, SigningKey]:
        """Load them.

        Raises:
            NoReply: they cannot be reached.
            ValueError: what is there is no such thing.
        """
        metadata = await self._get(self._metadata_url)
        address = metadata.get("jwks_uri")
        if metadata.get("issuer") != self._issuer or not isinstance(address, str):
            raise ValueError("this is the metadata of another issuer")
        if not self._is_guarded(address):
            raise ValueError("keys come over https alone")
        found = _keys((await self._get(address)).get("keys"))
        if not found:
            raise ValueError("there is no key")
        return found

    def _is_guarded(self, address: str) -> bool:
        """Say whether nobody between can change what stands at an address."""
        parts, mine = urlsplit(address), urlsplit(self._metadata_url)
        is_local = parts.hostname in LOOPBACK and mine.hostname in LOOPBACK
        return parts.scheme == "https" or (parts.scheme == "http" and is_local)

    async def _get(self, url: str) -> dict[str, Any]:
        reply = await self._http.send("GET", url)
        if reply.status != _OK:
            raise ValueError(f"status {reply.status}")
        return reply.object()


def _keys(listed: object) -> dict[str, SigningKey]:
    """The keys that can be used, by their ids; of several of one id the first."""
    found: dict[str, SigningKey] = {}
    for each in listed[:MOST_KEYS] if isinstance(listed, list) else []:
        kid = each.get("kid") if isinstance(each, dict) else None
        key = _key(each) if isinstance(kid, str) and kid not in found else None
        if key is not None:
            found[str(kid)] = key
    return found


def _key(entry: Mapping[str, Any]) -> SigningKey | None:
    if entry.get("kty") != "RSA" or entry.get("use", "sig") != "sig":
        return None
    try:
        key = PyJWK(dict(entry), "RS256").key
    except (PyJWTError, ValueError, TypeError, KeyError):
        return None
    if not isinstance(key, RSAPublicKey) or key.key_size < LEAST_BITS:
        return None
    endorsed = entry.get("endorsements")
    names = endorsed if isinstance(endorsed, list) else []
    return SigningKey(key, frozenset(name for name in names if isinstance(name, str)))
