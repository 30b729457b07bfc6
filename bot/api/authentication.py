"""Decide who is let in over HTTP: whoever holds a token. Nobody gets in by guessing."""

import hashlib
import re
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.api.problems import Refusal
from storage.accounts.api_tokens import ApiToken, ApiTokens

FAILURES_PER_MINUTE: Final = 20
"""Of one address. Nobody guesses 256 bits; it is the database that is spared."""
_WINDOW_SECONDS: Final = 60.0
_MOST_ADDRESSES: Final = 10_000
_MOST_KNOWN: Final = 10_000

_BEARER: Final = re.compile(r"Bearer +([\x21-\x7e]{1,200})", re.ASCII | re.IGNORECASE)


class Door:
    """Lets in who shows a token that works."""

    def __init__(self, tokens: ApiTokens, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._tokens = tokens
        self._failures = _Failures(clock)
        # Who was let in before is not locked out by others behind the same proxy.
        self._known: OrderedDict[bytes, None] = OrderedDict()

    async def enter(self, request: web.Request) -> ApiToken:
        """The token that the request shows.

        Raises:
            Refusal: it shows none that works, or there were too many such from there.
            StoreUnavailable: the database cannot be read.
        """
        given = request.headers.getall("Authorization", [])
        shown = _BEARER.fullmatch(given[0]) if len(given) == 1 else None
        address = request.remote or ""
        mark = hashlib.sha256(shown[1].encode()).digest() if shown else b""
        if mark not in self._known and (seconds := self._failures.wait(address)):
            raise _too_many(seconds)
        token = await self._tokens.of(shown[1]) if shown else None
        if token is None:
            self._known.pop(mark, None)
            self._failures.add(address)
            raise _unauthenticated(shown=bool(given))
        self._known[mark] = None
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
        return token


class _Failures:
    """Keep the times at which requests of an address failed, within the last minute."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def add(self, address: str) -> None:
        """One more."""
        times = self._times.setdefault(address, deque(maxlen=FAILURES_PER_MINUTE))
        times.append(self._clock())
        self._times.move_to_end(address)
        if len(self._times) > _MOST_ADDRESSES:
            self._times.popitem(last=False)

    def wait(self, address: str) -> int:
        """Whole seconds until the address may try again; 0 when it may now."""
        times = self._times.get(address, deque())
        left = times[0] + _WINDOW_SECONDS - self._clock() if times else 0.0
        return int(left) + 1 if len(times) == FAILURES_PER_MINUTE and left > 0 else 0


def _unauthenticated(*, shown: bool) -> Refusal:
    challenge = 'Bearer realm="masis"' + (', error="invalid_token"' if shown else "")
    detail = "Show a token that works: `Authorization: Bearer masis_…`."
    return Refusal(
        HTTPStatus.UNAUTHORIZED,
        "unauthenticated",
        detail,
        headers={"WWW-Authenticate": challenge},
    )


def _too_many(seconds: int) -> Refusal:
    return Refusal(
        HTTPStatus.TOO_MANY_REQUESTS,
        "too_many_failures",
        "Too many requests from this address showed no token that works.",
        headers={"Retry-After": str(seconds)},
    )
