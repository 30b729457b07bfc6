"""Tell an HTTP client what it did wrong, or has to wait for, as problem details (RFC 9457)."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Final, Literal

from aiohttp import web
from pydantic import Field

from masis.domain import Value

CONTENT_TYPE: Final = "application/problem+json"

Code = Literal[
    "malformed",
    "unauthenticated",
    "forbidden",
    "not_found",
    "method_not_allowed",
    "slow_body",
    "key_reused",
    "not_asked_back",
    "too_large",
    "unsupported_media_type",
    "invalid",
    "over_quota",
    "too_many_failures",
    "too_many_streams",
    "too_many_uploads",
    "unavailable",
]
"""What programs tell problems apart by; the words of `detail` may change."""


class Wrong(Value):
    """Describe what is wrong with one field of the body: a JSON pointer to it, and why."""

    pointer: str
    detail: str


class Problem(Value):
    """Why there is no result, in the members of RFC 9457, and `code` for programs."""

    type: Literal["about:blank"] = "about:blank"
    title: str
    status: Annotated[int, Field(ge=400, le=599)]
    detail: str
    code: Code
    errors: list[Wrong] = []


class Refusal(Exception):
    """Ends a request with a problem."""

    def __init__(
        self,
        status: HTTPStatus,
        code: Code,
        detail: str,
        *,
        errors: list[Wrong] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.problem = Problem(
            title=status.phrase, status=status, detail=detail, code=code, errors=errors or []
        )
        self.headers = headers or {}

    def response(self) -> web.Response:
        """The refusal as an answer."""
        return web.Response(
            status=self.problem.status,
            text=self.problem.model_dump_json(),
            content_type=CONTENT_TYPE,
            headers={**self.headers, "Cache-Control": "no-store"},
        )


def malformed(detail: str) -> Refusal:
    """The request cannot be read."""
    return Refusal(HTTPStatus.BAD_REQUEST, "malformed", detail)


def unsupported(detail: str) -> Refusal:
    """The body is of a kind that is not read."""
    return Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", detail)


def too_large(most: str) -> Refusal:
    """The body has more bytes than are read; the rest of it may still be on its way."""
    return Refusal(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "too_large",
        f"The body has over {most}.",
        headers={"Connection": "close"},
    )


def slow_body(detail: str) -> Refusal:
    """The body did not arrive in time; the rest of it may still be on its way."""
    return Refusal(HTTPStatus.REQUEST_TIMEOUT, "slow_body", detail, headers={"Connection": "close"})


def not_found() -> Refusal:
    """There is no such thing, or it is somebody else's: nobody is told which."""
    return Refusal(
        HTTPStatus.NOT_FOUND,
        "not_found",
        "There is no such thing, or this token does not reach it.",
    )


def unavailable(seconds: int, *, busy: bool) -> Refusal:
    """Something that the request needs does not answer, or has too much to do."""
    why = "Too many requests came at once." if busy else "The database does not answer."
    return Refusal(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "unavailable",
        f"{why} Nothing was stored; repeat the request.",
        headers={"Retry-After": str(seconds)},
    )
