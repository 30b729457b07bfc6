"""Read an HTTP request: its body, the key of a repeat, and how long the client wants to wait."""

import asyncio
import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Annotated, Final

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from bot.api.problems import Refusal, Wrong, malformed, slow_body, too_large, unsupported
from bot.connections import BODY_SECONDS
from masis.conversation import Mode
from masis.policy import MAX_QUESTION_CHARS, MAX_RETRIES_ALLOWED

MAX_BODY_BYTES: Final = 64 * 1024
MAX_WAIT_SECONDS: Final = 60
"""Most proxies end a request that is silent for longer."""
DEFAULT_WAIT_SECONDS: Final = 30

_PIECE: Final = 16 * 1024
_MAX_ERRORS: Final = 10
_MAX_NAME: Final = 100
_WAIT: Final = re.compile(r"wait\s*=\s*\"?([0-9]{1,6})\"?", re.ASCII | re.IGNORECASE)
_THREAD: Final = r"^[A-Za-z0-9_.:-]{1,64}$"
_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}", re.ASCII)


class Ask(BaseModel):
    """A question, or the reply to what a run asked back.

    `max_retries` is how many passes may follow one that does not pass.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    query: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION_CHARS)]
    max_retries: Annotated[int, Field(ge=0, le=MAX_RETRIES_ALLOWED)] | None = Field(
        default=None, description="Without one, what the operator has set."
    )
    in_reply_to: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(
        default=None,
        description="The run that asked back: `query` is the reply, and its question is asked again.",
    )
    thread: Annotated[str, Field(pattern=_THREAD)] | None = Field(
        default=None,
        description=(
            "The client's own id of a conversation, of this token alone: its questions are answered"
            " one after the other, and each may follow those before it."
        ),
    )
    mode: Mode = Field(
        default="auto",
        description=(
            "`documents` takes every message for a question to the documents, `auto` knows small talk"
            " and what is said about the last answer."
        ),
    )

    classify: bool = Field(
        default=False,
        description=(
            "Whether `query` describes something that wants a code of the workspace's code lists. Without it"
            " a question that asks for one does."
        ),
    )

    @field_validator("query")
    @classmethod
    def _says_something(cls, query: str) -> str:
        if not query.strip():
            raise ValueError("should not be empty")
        if "\0" in query:
            raise ValueError("should hold no NUL character")
        return query.strip()


async def asked(request: web.Request) -> Ask:
    """The question in the body.

    Raises:
        Refusal: it is too large, no JSON, or not what is expected.
    """
    if request.content_type != "application/json" or "Content-Encoding" in request.headers:
        raise unsupported("The body should be application/json, without a content encoding.")
    body = await _body(request)
    try:
        return Ask.model_validate_json(body)
    except ValidationError as error:
        # Its message quotes the body: it must not be what a log shows as the cause.
        wrong = [(each["loc"], each["type"], each["msg"]) for each in error.errors()]
    if any(kind == "json_invalid" for _, kind, _ in wrong):
        raise malformed("The body is no JSON.")
    raise Refusal(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "invalid",
        "The body is not a question as this service takes it.",
        errors=[
            Wrong(pointer=_pointer(place), detail=said.removeprefix("Value error, "))
            for place, _, said in wrong[:_MAX_ERRORS]
        ],
    )


async def _body(request: web.Request) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while piece := await request.content.read(_PIECE):
                body += piece
                if len(body) > MAX_BODY_BYTES:
                    raise too_large(f"{MAX_BODY_BYTES // 1024} KiB")
    except TimeoutError:
        raise slow_body(f"The body did not arrive within {BODY_SECONDS:.0f} s.") from None
    return bytes(body)


def _pointer(place: Iterable[int | str]) -> str:
    """A JSON pointer as a fragment (RFC 6901); a long name of the client's is cut."""
    parts = (str(each)[:_MAX_NAME].replace("~", "~0").replace("/", "~1") for each in place)
    return "".join(["#", *(f"/{part}" for part in parts)])


def idempotency_key(request: web.Request) -> str | None:
    """The client's own key of the request: the same key, the same run.

    Raises:
        Refusal: there are several, or it is none that can be compared.
    """
    given = request.headers.getall("Idempotency-Key", [])
    if not given:
        return None
    if len(given) > 1 or not _KEY.fullmatch(given[0]):
        raise malformed("Idempotency-Key should be one key of 1 to 255 printable characters.")
    return given[0]


def wait_seconds(request: web.Request, default: int) -> tuple[int, str]:
    """Read how long to wait for the result, and which preference was heeded (RFC 7240).

    A preference that cannot be read is none.
    """
    preferred = ",".join(request.headers.getall("Prefer", []))[:1000]
    wishes = [wish.strip() for wish in re.split(r"[,;]", preferred)]
    for wish in wishes:
        if found := _WAIT.fullmatch(wish):
            seconds = min(int(found[1]), MAX_WAIT_SECONDS)
            return seconds, f"wait={seconds}"
    if any(wish.lower() == "respond-async" for wish in wishes):
        return 0, "respond-async"
    return default, ""
