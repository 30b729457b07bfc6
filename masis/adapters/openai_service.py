"""One way to any OpenAI-compatible service: bounded in time and size, and silent about secrets."""

import asyncio
import datetime as dt
import email.utils
import functools
import json
import math
import os
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from typing import Final
from urllib.parse import urlsplit

import httpx2
from pydantic import SecretStr, field_validator

from masis.domain import Usage, Value
from masis.errors import (
    ModelKeyRefused,
    ModelQuotaSpent,
    ModelServiceBusy,
    ModelServiceError,
    ModelServiceUnavailable,
)
from masis.policy import MODEL_CALL_SECONDS

OPENAI_ADDRESS: Final = "https://api.openai.com/v1"
CONNECT_SECONDS: Final = 5.0

_ACCOUNT: Final[Mapping[str, str]] = {
    "OpenAI-Organization": "OPENAI_ORG_ID",
    "OpenAI-Project": "OPENAI_PROJECT_ID",
}
"""Headers by the variables that OpenAI's own clients read them from; nobody else is told them."""

_MOST_TOKENS: Final = 10_000_000
"""More than any model reads; a larger figure is nonsense and counts as unknown."""

_CODE: Final = re.compile(r"[a-z_]{1,48}")
"""Error codes are words (`insufficient_quota`); what looks otherwise may be an echo and is dropped."""

_QUOTA_CODES: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_TOO_MANY_REQUESTS: Final = 429
_TRANSIENT: Final = frozenset({408, 409, 425, 429})


class Endpoint(Value):
    """A model at an address, with the key that opens it (empty where none is wanted)."""

    model: str
    base_url: str = OPENAI_ADDRESS
    api_key: SecretStr = SecretStr("")

    @field_validator("base_url")
    @classmethod
    def _without_credentials(cls, url: str) -> str:
        # Addresses are logged by HTTP clients and named in errors.
        if "@" in urlsplit(url).netloc:
            raise ValueError("put the key into its own setting, not into the address")
        return url.rstrip("/") or OPENAI_ADDRESS

    @field_validator("api_key")
    @classmethod
    def _fits_a_header(cls, key: SecretStr) -> SecretStr:
        # An HTTP client that cannot encode a header shows it in its error.
        stripped = key.get_secret_value().strip()
        if not (stripped.isascii() and stripped.isprintable()):
            raise ValueError("a key is made of plain characters; copy it again")
        return SecretStr(stripped)

    @property
    def host(self) -> str:
        """For people: whom an error is about."""
        return urlsplit(self.base_url).hostname or self.base_url


class BodyTooLarge(Exception):
    """The service sent more than any honest answer needs."""


class _BoundedStream(httpx2.AsyncByteStream):
    """A response body that ends in an error when it goes on for too long."""

    def __init__(self, stream: httpx2.AsyncByteStream, limit: int) -> None:
        self._stream = stream
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._stream:
            size += len(part)
            if size > self._limit:
                raise BodyTooLarge(f"more than {self._limit} bytes")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


def http_client(max_body_bytes: int, timeout: float = MODEL_CALL_SECONDS) -> httpx2.AsyncClient:
    """A connection pool that follows no redirects and reads no more than it must.

    Redirects would carry a prompt to another address; a compressed body could unpack to any size.
    """

    async def bound(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise BodyTooLarge("a compressed body, which was not asked for")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _BoundedStream(response.stream, max_body_bytes)

    return httpx2.AsyncClient(
        verify=_tls(),
        timeout=httpx2.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout)),
        follow_redirects=False,
        headers={"Accept-Encoding": "identity"},
        event_hooks={"response": [bound]},
    )


@functools.cache
def _tls() -> ssl.SSLContext:
    # Reading the certificates takes 50 ms; every pool may share them.
    return httpx2.create_ssl_context()


class Refused(Exception):
    """The service answered with another status than success."""

    def __init__(self, response: httpx2.Response) -> None:
        super().__init__(response.status_code)
        self.status = response.status_code
        self.headers = response.headers
        self.said = _error_of(response.content)


def _error_of(body: bytes) -> Mapping[str, object]:
    """Read code, type and parameter of an error, wherever the service puts them."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    inner = said.get("error", said) if isinstance(said, dict) else None
    return inner if isinstance(inner, dict) else {}


class Service:
    """Posts to one address with one key; an attempt is bounded as a whole, drips included."""

    def __init__(self, endpoint: Endpoint, pool: httpx2.AsyncClient, timeout: float) -> None:
        self._endpoint = endpoint
        self._pool = pool
        self._timeout = timeout
        self._headers = headers_of(endpoint)

    async def post(self, path: str, body: Mapping[str, object]) -> bytes:
        """Send JSON once; gives the body of the answer.

        Raises:
            ModelServiceUnavailable: no answer, or not in time.
            Refused: another status than success.
            BodyTooLarge: the answer was no answer.
        """
        url, content = f"{self._endpoint.base_url}{path}", json.dumps(body)
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._pool.post(url, content=content, headers=self._headers)
        except (TimeoutError, httpx2.TimeoutException):
            raise ModelServiceUnavailable(
                f"The model service at {self._endpoint.host} did not answer within"
                f" {self._timeout:g} seconds. Ask again later."
            ) from None
        except (httpx2.HTTPError, httpx2.InvalidURL):
            raise ModelServiceUnavailable(
                f"The model service at {self._endpoint.host} could not be reached. Check the"
                " network and the address (MASIS_MODEL_BASE_URL), then ask again."
            ) from None
        if not response.is_success:
            raise Refused(response)
        return response.content


def headers_of(endpoint: Endpoint) -> dict[str, str]:
    """Give the headers of a request: the key, and the account of whom it is."""
    headers = {"Content-Type": "application/json"}
    if key := endpoint.api_key.get_secret_value():
        headers["Authorization"] = f"Bearer {key}"
    if endpoint.base_url == OPENAI_ADDRESS:
        accounts = {name: os.environ.get(variable, "") for name, variable in _ACCOUNT.items()}
        headers |= {name: account for name, account in accounts.items() if account}
    return headers


def refusal(error: Refused, endpoint: Endpoint) -> ModelServiceError:
    """Say what a refusal means; of the service's words, which may repeat key or prompt, the code alone."""
    status = error.status
    codes = [word for word in (error.said.get("code"), error.said.get("type")) if _is_code(word)]
    said = f"{status}, {codes[0]}" if codes else str(status)
    where = f"The model service at {endpoint.host}"
    if _QUOTA_CODES & set(codes):
        return ModelQuotaSpent(
            f"{where} says that its quota is used up ({said}). Check the plan and billing of the"
            " account that the key belongs to."
        )
    match status:
        case 401 | 403:
            return ModelKeyRefused(
                f"{where} refused the key ({said}). Set a valid key for {endpoint.model}"
                " (OPENAI_API_KEY or MASIS_MODEL_API_KEY, or the role's own)."
            )
        case 404:
            return ModelServiceError(
                f"{where} does not know the model {endpoint.model} or the path ({said}). Check the"
                " model's name and the address (MASIS_MODEL_BASE_URL)."
            )
        case _ if status in _TRANSIENT or status >= 500:  # noqa: PLR2004 - HTTP's server errors
            kind = ModelServiceBusy if status == _TOO_MANY_REQUESTS else ModelServiceUnavailable
            return kind(
                f"{where} has no answer for now ({said}). Ask again in some minutes.",
                retry_after(error.headers),
            )
        case _:
            return ModelServiceError(
                f"{where} refused the request ({said}). Check that the model {endpoint.model}"
                " takes structured outputs and a prompt of this length."
            )


def _is_code(word: object) -> bool:
    return isinstance(word, str) and _CODE.fullmatch(word) is not None


def retry_after(headers: Mapping[str, str], now: dt.datetime | None = None) -> float | None:
    """Seconds that the service asks us to wait: integer, decimal or HTTP date; None when unsaid."""
    text = headers.get("retry-after", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        seconds = _until(text, now or dt.datetime.now(dt.UTC))
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(text: str, now: dt.datetime) -> float:
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError, OverflowError):
        return math.nan
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return (moment - now).total_seconds()


def usage_of(prompt_tokens: object, completion_tokens: object = 0) -> Usage:
    """One call's tokens, from the figures that the service gave; what they cost is not known here."""
    prompt, completion = _count(prompt_tokens), _count(completion_tokens)
    return Usage(calls=1, prompt_tokens=prompt, completion_tokens=completion)


def _count(figure: object) -> int:
    if isinstance(figure, bool) or not isinstance(figure, int):
        return 0
    return figure if 0 <= figure <= _MOST_TOKENS else 0
