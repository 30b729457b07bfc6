"""Whoever is not Teams, or speaks for another tenant or bot, gets 401: over real HTTP, each time."""

import asyncio
import base64
import hashlib
import hmac
import io
import json
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp
import jwt
import pytest
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bot.playground.teams.issuer import (
    APP,
    FOREIGN,
    HOME,
    HOSTS,
    ISSUER,
    KEY,
    OTHER,
    Issuer,
    issuing,
    jwk,
    listening,
    sign,
)
from bot.playground.teams.teams_payloads import (
    SERVICE,
    Json,
    activity,
    mention,
    personal,
    pressed,
    rated,
)
from bot.teams.bounded_http import BoundedHttp
from bot.teams.inbound.activities import Heard
from bot.teams.inbound.activity_guard import ActivityGuard
from bot.teams.inbound.clouds import CLOUDS
from bot.teams.inbound.messages_route import MESSAGES_PATH, MessagesRoute
from bot.teams.inbound.signing_keys import RELOAD_SECONDS, USABLE_SECONDS, SigningKeys
from masis.errors import StoreUnavailable

HOUR: Final = 3600


@dataclass
class Door:
    """A bot's endpoint that notes what it was let hear."""

    issuer: Issuer
    url: str = ""
    heard: list[Heard] = field(default_factory=list)
    at: float = 0.0
    failing: bool = False

    async def hear(self, heard: Heard) -> dict[str, Any] | None:
        if self.failing:
            raise StoreUnavailable("not now")
        self.heard.append(heard)
        return {"statusCode": 200}

    async def post(self, body: bytes | Json, authorization: str | None) -> int:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        if authorization is not None:
            headers["Authorization"] = authorization
        async with (
            aiohttp.ClientSession() as session,
            session.post(
                f"{self.url}{MESSAGES_PATH}", data=io.BytesIO(content), headers=headers
            ) as response,
        ):
            self.said = await response.text()
            return response.status

    async def send(self, body: Json, **over: Any) -> int:
        return await self.post(body, f"Bearer {sign(body.get('serviceUrl'), **over)}")


@asynccontextmanager
async def opened(tenants: frozenset[str] = frozenset({HOME})) -> AsyncIterator[Door]:
    async with issuing() as issuer:
        door = Door(issuer)
        cloud = CLOUDS["public"].model_copy(
            update={"service_hosts": HOSTS, "metadata_url": issuer.metadata_url}
        )
        http = BoundedHttp()
        keys = SigningKeys(http, cloud.metadata_url, cloud.issuer, now=lambda: door.at)
        guard = ActivityGuard(app_id=APP, cloud=cloud, tenants=tenants, keys=keys)
        app = web.Application()
        app.add_routes(MessagesRoute(guard, door.hear, body_seconds=0.5).routes())
        try:
            async with listening(app) as door.url:
                yield door
        finally:
            await http.close()


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with opened() as found:
        yield found


def now() -> int:
    return int(time.time())


# --- what is let in ------------------------------------------------------------------------


async def test_signed_mention_is_heard(door: Door) -> None:
    assert await door.send(mention()) == 200
    assert len(door.heard) == 1


async def test_invoke_is_answered_with_its_body(door: Door) -> None:
    assert await door.send(pressed("cancel", {"run": "r1"})) == 200
    assert json.loads(door.said) == {"statusCode": 200}


async def test_message_is_answered_without_body(door: Door) -> None:
    assert await door.send(personal()) == 200
    assert door.said == ""


async def test_clocks_may_differ_a_little(door: Door) -> None:
    assert await door.send(mention(), exp=now() - 200) == 200
    assert await door.send(mention(), nbf=now() + 200) == 200


async def test_named_tenant_is_let_in() -> None:
    body = mention(
        conversation={"conversationType": "channel", "id": "19:x@thread.tacv2"},
        channelData={"tenant": {"id": OTHER.upper()}},
    )
    async with opened(frozenset({HOME, OTHER})) as door:
        assert await door.send(body) == 200


async def test_unreadable_activity_is_left_alone(door: Door) -> None:
    """What Teams says and nobody understands is acknowledged: it would only come again."""
    assert await door.send(mention(id=5)) == 200
    assert await door.send(activity("typing")) == 200
    assert await door.send(mention() | {"from": {"id": "28:other", "role": "bot"}}) == 200
    assert door.heard == []


async def test_what_cannot_be_stored_comes_again(door: Door) -> None:
    door.failing = True
    assert await door.send(mention()) == 503


# --- what is not ---------------------------------------------------------------------------

PEM: Final = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
SMALL: Final = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # noqa: S505 - to be refused


def unsigned(algorithm: str, signature: str = "") -> str:
    head = {"alg": algorithm, "typ": "JWT", "kid": "k1"}
    claims = {"iss": ISSUER, "aud": APP, "exp": now() + HOUR, "serviceurl": SERVICE}
    parts = (json.dumps(each).encode() for each in (head, claims))
    return ".".join(
        [*(base64.urlsafe_b64encode(each).rstrip(b"=").decode() for each in parts), signature]
    )


def hmac_with_public_key() -> str:
    """The oldest trick: the public key as the secret of a symmetric signature."""
    told = unsigned("HS256").rpartition(".")[0]
    made = hmac.new(PEM, told.encode(), hashlib.sha256).digest()
    return f"{told}.{base64.urlsafe_b64encode(made).rstrip(b'=').decode()}"


def tampered() -> str:
    head, _, signature = sign(SERVICE).split(".")
    claims = json.dumps({"iss": ISSUER, "aud": APP, "exp": now() + HOUR, "serviceurl": SERVICE})
    return f"{head}.{base64.urlsafe_b64encode(claims.encode()).rstrip(b'=').decode()}.{signature}"


TOKENS: Final[dict[str, Callable[[], str | None]]] = {
    "no header": lambda: None,
    "an empty header": lambda: "",
    "a scheme alone": lambda: "Bearer",
    "garbage": lambda: "Bearer garbage",
    "two parts": lambda: f"Bearer {sign(SERVICE).rpartition('.')[0]}",
    "four parts": lambda: f"Bearer {sign(SERVICE)}.x",
    "odd characters": lambda: f"Bearer {sign(SERVICE)}=",
    "basic": lambda: f"Basic {base64.b64encode(b'me:secret').decode()}",
    "a lower-case scheme": lambda: f"bearer {sign(SERVICE)}",
    "two tokens": lambda: f"Bearer {sign(SERVICE)} {sign(SERVICE)}",
    "an endless token": lambda: f"Bearer {'a' * 5000}.b.c",
    "no JSON in its head": lambda: "Bearer YWJj.YWJj.YWJj",
    "algorithm none": lambda: f"Bearer {unsigned('none', 'x')}",
    "algorithm None": lambda: f"Bearer {unsigned('None', 'x')}",
    "no signature": lambda: f"Bearer {unsigned('RS256')}",
    "a symmetric signature": lambda: f"Bearer {sign(SERVICE, key='x' * 64, algorithm='HS256')}",
    "the public key as a secret": lambda: f"Bearer {hmac_with_public_key()}",
    "another algorithm of the key": lambda: f"Bearer {sign(SERVICE, algorithm='RS512')}",
    "PS256": lambda: f"Bearer {sign(SERVICE, algorithm='PS256')}",
    "changed claims": lambda: f"Bearer {tampered()}",
    "a foreign key under our name": lambda: f"Bearer {sign(SERVICE, key=FOREIGN)}",
    "a foreign key": lambda: f"Bearer {sign(SERVICE, key=FOREIGN, headers={'kid': 'k9'})}",
    "no name of a key": lambda: f"Bearer {sign(SERVICE, headers={'kid': None})}",
    "an endless name": lambda: f"Bearer {sign(SERVICE, headers={'kid': 'k' * 300})}",
    "a key of its own": lambda: (
        f"Bearer {sign(SERVICE, key=FOREIGN, headers={'kid': 'k9', 'jwk': jwk(FOREIGN, 'k9')})}"
    ),
    "an address of keys": lambda: (
        f"Bearer {sign(SERVICE, key=FOREIGN, headers={'kid': 'k9', 'jku': 'http://127.0.0.1/k'})}"
    ),
    "a path as name": lambda: f"Bearer {sign(SERVICE, headers={'kid': '../../etc/passwd'})}",
    "another bot's": lambda: f"Bearer {sign(SERVICE, aud=OTHER)}",
    "several audiences": lambda: f"Bearer {sign(SERVICE, aud=[APP, OTHER])}",
    "no audience": lambda: f"Bearer {sign(SERVICE, aud=None)}",
    "another issuer": lambda: f"Bearer {sign(SERVICE, iss='https://api.botframework.us')}",
    "Entra's issuer": lambda: f"Bearer {sign(SERVICE, iss=f'https://sts.windows.net/{HOME}/')}",
    "almost the issuer": lambda: f"Bearer {sign(SERVICE, iss=f'{ISSUER}/')}",
    "no issuer": lambda: f"Bearer {sign(SERVICE, iss=None)}",
    "expired": lambda: f"Bearer {sign(SERVICE, exp=now() - 600)}",
    "no expiry": lambda: f"Bearer {sign(SERVICE, exp=None)}",
    "an expiry in words": lambda: f"Bearer {sign(SERVICE, exp='tomorrow')}",
    "not valid yet": lambda: f"Bearer {sign(SERVICE, nbf=now() + 600)}",
    "issued in the future": lambda: f"Bearer {sign(SERVICE, iat=now() + 600)}",
    "no service address": lambda: f"Bearer {sign(None)}",
    "an empty service address": lambda: f"Bearer {sign('')}",
    "a number as service address": lambda: f"Bearer {sign(5)}",
    "another service address": lambda: f"Bearer {sign('http://127.0.0.1:10/amer/')}",
    "almost the service address": lambda: f"Bearer {sign(SERVICE.rstrip('/'))}",
}


@pytest.mark.parametrize("case", TOKENS)
async def test_bad_tokens_are_refused(door: Door, case: str) -> None:
    assert await door.post(mention(), TOKENS[case]()) == 401
    assert door.heard == []


def without(name: str) -> Json:
    return {key: value for key, value in mention().items() if key != name}


CONVERSATION: Final = mention()["conversation"]
FOREIGNERS: Final[dict[str, Json]] = {
    "web chat": mention(channelId="webchat"),
    "no channel": without("channelId"),
    "direct line": mention(channelId="directline"),
    "no service address": without("serviceUrl"),
    "an attacker's host": mention(serviceUrl="https://evil.example/amer/"),
    "a host of the shared namespace": mention(serviceUrl="https://x.trafficmanager.net/amer/"),
    "the host as a user": mention(serviceUrl="https://127.0.0.1@evil.example/"),
    "a user at the host": mention(serviceUrl="https://me@127.0.0.1/"),
    "the host as a prefix": mention(serviceUrl="https://127.0.0.1.evil.example/"),
    "another scheme": mention(serviceUrl="file://127.0.0.1/etc/passwd"),
    "an address with a query": mention(serviceUrl="http://127.0.0.1:9/?next=evil"),
    "an address that is none": mention(serviceUrl="http://[::1"),
    "an odd port": mention(serviceUrl="http://127.0.0.1:99999/"),
    "another tenant": mention(channelData={"tenant": {"id": OTHER}}),
    "two tenants": mention(conversation=CONVERSATION | {"tenantId": OTHER}),
    "a tenant that is no text": mention(conversation=CONVERSATION | {"tenantId": 5}),
    "no tenant": mention(channelData={}),
    "no data of the channel": without("channelData"),
    "a tenant in a list": mention(channelData={"tenant": [{"id": HOME}]}),
    "an empty tenant": mention(
        channelData={"tenant": {"id": ""}}, conversation=CONVERSATION | {"tenantId": ""}
    ),
    "another bot": mention(recipient={"id": f"28:{OTHER}"}),
    "no recipient": without("recipient"),
    "a recipient that is none": mention(recipient=f"28:{APP}"),
    "almost our id": mention(recipient={"id": f"28:x{APP}"}),
    "a button of another tenant": pressed("cancel", channelData={"tenant": {"id": OTHER}}),
    "a vote of another tenant": rated(channelData={"tenant": {"id": OTHER}}),
}


@pytest.mark.parametrize("case", FOREIGNERS)
async def test_foreign_activities_are_refused(door: Door, case: str) -> None:
    assert await door.send(FOREIGNERS[case]) == 401
    assert door.heard == []


BODIES: Final[dict[str, bytes]] = {
    "nothing": b"",
    "no JSON": b"{",
    "a list": b"[]",
    "a text": b'"hello"',
    "a form": b"payload=%7B%7D",
    "no text at all": b"\xff\xfe\x00",
    "bottomless": b"[" * 100_000,
    "an endless number": b'{"a":' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("case", BODIES)
async def test_malformed_bodies_are_refused(door: Door, case: str) -> None:
    assert await door.post(BODIES[case], f"Bearer {sign(SERVICE)}") == 400


async def test_large_body_is_refused(door: Door) -> None:
    assert await door.post(b" " * (1024 * 1024 + 1), f"Bearer {sign(SERVICE)}") == 413


async def test_slow_body_is_refused(door: Door) -> None:
    host, port = door.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = f"POST {MESSAGES_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"
    writer.write(f"{head}Authorization: Bearer {sign(SERVICE)}\r\n\r\n{{".encode())
    assert b" 408 " in await reader.readline()
    writer.close()


async def test_token_of_one_body_fits_no_other(door: Door) -> None:
    """A token that was overheard opens nothing at another service address."""
    token = f"Bearer {sign(SERVICE)}"
    assert await door.post(mention(serviceUrl="http://127.0.0.1:9/emea/"), token) == 401


async def test_only_the_reason_is_logged(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    token = sign(SERVICE)
    await door.post(mention("a secret question", channelId="webchat"), f"Bearer {token}")
    assert "not endorsed for Teams" in caplog.text
    assert "secret" not in caplog.text
    assert token not in caplog.text
    assert "Ann" not in caplog.text
    assert door.said == '{"error": "not accepted"}'


# --- keys ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "keys",
    [
        [jwk(KEY, "k1", None)],
        [jwk(KEY, "k1", [])],
        [jwk(KEY, "k1", ["webchat"])],
        [jwk(KEY, "k1", "msteams")],
        [jwk(KEY, "k1") | {"use": "enc"}],
        [jwk(SMALL, "k1")],
        [{"kid": "k1", "kty": "oct", "k": "c2VjcmV0", "endorsements": ["msteams"]}],
        [{"kid": "k1", "kty": "RSA", "n": "!", "e": "AQAB", "endorsements": ["msteams"]}],
        [{"kid": 5}, "k1", None, jwk(FOREIGN, "k2")],
    ],
)
async def test_useless_keys_open_nothing(door: Door, keys: list[Any]) -> None:
    door.issuer.keys = keys
    assert await door.send(mention()) in {401, 503}
    assert door.heard == []


async def test_keys_are_loaded_once(door: Door) -> None:
    for _ in range(5):
        assert await door.send(mention()) == 200
    assert door.issuer.loads == 1


async def test_unknown_keys_load_once_a_minute(door: Door) -> None:
    await door.send(mention())
    door.issuer.keys = [jwk(KEY, "k1"), jwk(FOREIGN, "k2")]
    for _ in range(5):
        assert await door.send(mention(), key=FOREIGN, headers={"kid": "k2"}) == 401
    assert door.issuer.loads == 1
    door.at += RELOAD_SECONDS
    assert await door.send(mention(), key=FOREIGN, headers={"kid": "k2"}) == 200
    assert door.issuer.loads == 2


async def test_withdrawn_key_opens_nothing_next_day(door: Door) -> None:
    await door.send(mention())
    door.issuer.keys = [jwk(FOREIGN, "k2")]
    door.at += 25 * HOUR
    assert await door.send(mention()) == 401


async def test_known_keys_outlast_an_outage(door: Door) -> None:
    await door.send(mention())
    door.issuer.status = 500
    door.at += 25 * HOUR
    assert await door.send(mention()) == 200
    door.at += USABLE_SECONDS
    assert await door.send(mention()) == 503


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"jwks_uri": None},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": "http://keys.example/keys"},
    ],
)
async def test_foreign_metadata_is_refused(door: Door, metadata: Json) -> None:
    door.issuer.metadata |= metadata
    assert await door.send(mention()) == 503


def test_jwt_library_refuses_none() -> None:
    """What the guard leans on: a token without a signature is no token to the library."""
    with pytest.raises(jwt.exceptions.InvalidTokenError):
        jwt.decode(unsigned("none"), KEY.public_key(), algorithms=["RS256"], audience=APP)
