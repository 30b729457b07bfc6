"""Decide who may talk to the page.

That is a browser on this machine, from the page itself, with its key.
"""

import hmac
import secrets
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

NAMES: Final = ("127.0.0.1", "localhost")
"""Under which a browser reaches the page; a name that was rebound to this machine is none of them."""
CHANGING: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})

NO_KEY: Final = (
    "This address lacks its key. Open the whole address that the terminal shows, key and all; it"
    " changes with every start."
)
WRONG_HOST: Final = "This page is reached by the address that the terminal shows, and no other."
WRONG_ORIGIN: Final = "Another page may not speak to this one."


class Guard:
    """Checks every request, and says to every browser what the page may do."""

    def __init__(self) -> None:
        self.key = secrets.token_urlsafe(24)
        self._hosts: frozenset[str] = frozenset()

    def listens(self, port: int) -> None:
        """The port is known now."""
        self._hosts = frozenset(f"{name}:{port}" for name in NAMES)

    def middleware(self) -> Middleware:
        """Refuses what does not come from the page itself."""

        @web.middleware
        async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
            if request.headers.get("Host") not in self._hosts:
                return refusal(421, WRONG_HOST)
            if not self._comes_from_here(request):
                return refusal(403, WRONG_ORIGIN)
            try:
                return await handler(request)
            except web.HTTPRequestEntityTooLarge:
                return refusal(413, "The file is too large.")
            except web.HTTPException as error:
                return refusal(error.status, error.reason)

        return guarded

    def _comes_from_here(self, request: web.Request) -> bool:
        """Say whether the request may come from here.

        One that changes something, or listens on, must come from the page's own script.
        """
        origin = request.headers.get("Origin")
        if origin is None:
            upgrades = "Upgrade" in request.headers
            return request.method not in CHANGING and not upgrades
        return origin.removeprefix("http://") in self._hosts and origin.startswith("http://")

    def has_key(self, request: web.Request) -> bool:
        """Say whether the address holds this start's key."""
        return hmac.compare_digest(request.query.get("key", "").encode(), self.key.encode())

    async def headers(self, _: web.Request, response: web.StreamResponse) -> None:
        """Set the headers that every answer gives to the browser."""
        sockets = " ".join(f"ws://{host}" for host in sorted(self._hosts))
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self';"
            f" img-src 'self' data:; connect-src 'self' {sockets};"
            " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        response.headers.update(
            {
                "Content-Security-Policy": policy,
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Resource-Policy": "same-origin",
                "Referrer-Policy": "no-referrer",
                "X-Content-Type-Options": "nosniff",
            }
        )
        response.headers.setdefault("Cache-Control", "no-store")


def refusal(status: int, words: str) -> web.Response:
    """A sentence for whoever asked."""
    return web.json_response({"error": words}, status=status)
