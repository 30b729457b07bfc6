"""An issuer of tokens on loopback: what signs as Teams does, so that nothing needs to be turned off."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import jwt
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import rsa

APP: Final = "11111111-2222-3333-4444-555555555555"
HOME: Final = "aaaaaaaa-0000-0000-0000-000000000001"
OTHER: Final = "aaaaaaaa-0000-0000-0000-000000000002"
ISSUER: Final = "https://api.botframework.com"
SECRET: Final = "a client's secret"  # the stand-in's own, which opens nothing else
HOSTS: Final = frozenset({"127.0.0.1"})

KEY: Final = rsa.generate_private_key(public_exponent=65537, key_size=2048)
FOREIGN: Final = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def jwk(key: rsa.RSAPrivateKey, kid: str, endorsements: Any = ("msteams",)) -> dict[str, Any]:
    """Return the public half of a key, as an issuer publishes it."""
    made: dict[str, Any] = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    named = {"kid": kid, "use": "sig"}
    return made | named | ({} if endorsements is None else {"endorsements": list(endorsements)})


def sign(
    service_url: object,
    *,
    key: Any = KEY,
    algorithm: str = "RS256",
    headers: Mapping[str, Any] | None = None,
    **over: Any,
) -> str:
    """A token as Teams signs it; a claim of None is left out."""
    now = int(time.time())
    claims = {
        "iss": ISSUER,
        "aud": APP,
        "nbf": now - 5,
        "exp": now + 3600,
        "serviceurl": service_url,
        **over,
    }
    kept = {name: value for name, value in claims.items() if value is not None}
    named = {"kid": "k1", **(headers or {})}
    return jwt.encode(kept, key, algorithm, {k: v for k, v in named.items() if v is not None})


class Issuer:
    """Metadata, keys and tokens over HTTP. What a test changes here is what is served."""

    def __init__(self) -> None:
        self.keys: list[dict[str, Any]] = [jwk(KEY, "k1")]
        self.metadata: dict[str, Any] = {"issuer": ISSUER}
        self.status = 200
        self.expires_in: object = 3600
        self.loads = 0
        self.granted: list[dict[str, str]] = []
        self.url = ""
        self.roles: dict[str, list[str]] = {}
        """Who is in the team, as Graph tells it."""
        self.consented = True
        self.answers = asyncio.Event()
        """Until it is set Graph does not answer."""
        self.answers.set()
        self.asked: list[str] = []

    async def _metadata(self, request: web.Request) -> web.Response:
        keys = {"jwks_uri": f"http://{request.host}/keys"}
        return web.json_response(keys | self.metadata, status=self.status)

    async def _keys(self, _: web.Request) -> web.Response:
        self.loads += 1
        return web.json_response({"keys": self.keys}, status=self.status)

    async def _token(self, request: web.Request) -> web.Response:
        form = {name: str(value) for name, value in (await request.post()).items()}
        self.granted.append(form | {"path": request.path})
        if form.get("client_secret") != SECRET:
            return web.json_response({"error": "invalid_client"}, status=401)
        token = f"token-{len(self.granted)}"
        made = {"token_type": "Bearer", "expires_in": self.expires_in, "access_token": token}
        return web.json_response(made, status=self.status)

    async def _members(self, request: web.Request) -> web.Response:
        """Graph: the members of a team that the filter lets through."""
        await self.answers.wait()
        self.asked.append(request.query["$filter"])
        if not self.consented or "Authorization" not in request.headers:
            return web.json_response({"error": {"code": "Forbidden"}}, status=403)
        found = [
            {"userId": user, "roles": roles, "tenantId": HOME}
            for user, roles in self.roles.items()
            if f"userId eq '{user}'" in request.query["$filter"]
        ]
        return web.json_response({"value": found}, status=self.status)

    def application(self) -> web.Application:
        """Return what is served."""
        app = web.Application()
        app.router.add_get("/meta", self._metadata)
        app.router.add_get("/keys", self._keys)
        app.router.add_get("/v1.0/teams/{group}/members", self._members)
        app.router.add_post("/{tenant}/oauth2/v2.0/token", self._token)
        return app

    @property
    def metadata_url(self) -> str:
        """Return where its OpenID metadata stands."""
        return f"{self.url}/meta"


@asynccontextmanager
async def listening(app: web.Application) -> AsyncIterator[str]:
    """The application on a free port of loopback."""
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def issuing(issuer: Issuer | None = None) -> AsyncIterator[Issuer]:
    """Serve one, or that one, on loopback, until the block ends."""
    issuer = issuer or Issuer()
    async with listening(issuer.application()) as url:
        issuer.url = url
        yield issuer
