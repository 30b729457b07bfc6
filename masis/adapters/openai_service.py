"""One way to any OpenAI-compatible service: bounded in time and size, and silent about secrets."""

import asyncio
import datetime as dt
import email.utils
import functools
import math
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Final, TypeVar
from urllib.parse import urlsplit

import httpx2
import openai
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

T = TypeVar("T")

OPENAI_ADDRESS: Final = "https://api.openai.com/v1"
CONNECT_SECONDS: Final = 5.0

_NO_KEY: Final = "no-key"
"""Services without keys get this, since the client insists on one."""

_MOST_TOKENS: Final = 10_000_000
"""More than any model reads; a larger figure is nonsense and counts as unknown."""

_CODE: Final = re.compile(r"[a-z_]{1,48}")
"""Error codes are words (`insufficient_quota`); what looks otherwise may be an echo and is dropped."""

_QUOTA_CODES: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
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


class BodyTooLarge(openai.OpenAIError):
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

    return openai.DefaultAsyncHttpxClient(
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


def client(endpoint: Endpoint, pool: httpx2.AsyncClient) -> openai.AsyncOpenAI:
    """The vendor's client for one address and key, with its own retries off."""
    made = openai.AsyncOpenAI(
        api_key=endpoint.api_key.get_secret_value() or _NO_KEY,
        base_url=endpoint.base_url,
        max_retries=0,
        http_client=pool,
    )
    if endpoint.base_url != OPENAI_ADDRESS:
        # The client reads these from the environment; they are nobody else's business.
        made.organization = made.project = None
    return made


async def call(send: Callable[[], Awaitable[T]], endpoint: Endpoint, seconds: float) -> T:
    """One attempt, bounded as a whole: a body that drips is cut off too.

    Raises:
        ModelServiceBusy: 429; `retry_after` says for how long, where the service did.
        ModelServiceUnavailable: no answer, not in time, or a server error.
        ModelServiceError: the service refused in a way that a repeat cannot mend.
        BodyTooLarge: the answer was no answer.
    """
    try:
        async with asyncio.timeout(seconds):
            return await send()
    except BodyTooLarge:
        raise
    except (TimeoutError, openai.APITimeoutError):
        raise ModelServiceUnavailable(
            f"The model service at {endpoint.host} did not answer within {seconds:g} seconds."
            " Ask again later."
        ) from None
    except openai.APIStatusError as error:
        # The service's own words may repeat the key or the prompt: only their code goes on.
        raise _refusal(error, endpoint) from None
    except openai.APIConnectionError:
        raise ModelServiceUnavailable(
            f"The model service at {endpoint.host} could not be reached. Check the network and"
            " the address (MASIS_MODEL_BASE_URL), then ask again."
        ) from None


def _refusal(error: openai.APIStatusError, endpoint: Endpoint) -> ModelServiceError:
    status = error.status_code
    codes = [word for word in (error.code, error.type) if _is_code(word)]
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
        case _ if status in _TRANSIENT or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            kind = (
                ModelServiceBusy
                if status == HTTPStatus.TOO_MANY_REQUESTS
                else ModelServiceUnavailable
            )
            return kind(
                f"{where} has no answer for now ({said}). Ask again in some minutes.",
                retry_after(error.response.headers),
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
