"""Answer an HTTP request: with JSON, or with a problem where it went wrong."""

import datetime as dt
import logging
import math
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.api.problems import Refusal, unavailable
from masis.conversation import Acceptance
from masis.domain import Value
from masis.errors import StoreUnavailable, TooBusy
from storage.accounts.api_tokens import ApiToken, Right

log = logging.getLogger(__name__)

QUOTA_SECONDS: Final = 60
"""Every quota but the day's budget counts within a minute, so that after one it is worth a try."""
DOWN_SECONDS: Final = 5
AGAIN_SECONDS: Final = 2
"""When to look again for a result."""

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


def handled(answer: Answer) -> Answer:
    """Says as a problem what went wrong."""

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            return await answer(request)
        except Refusal as refusal:
            return refusal.response()
        except StoreUnavailable as error:
            log.warning("a request to the API failed: %s", type(error).__name__)
            busy = isinstance(error, TooBusy)
            return unavailable(DOWN_SECONDS, busy=busy).response()

    return handle


def only(*methods: str) -> Answer:
    """Refuses every other method."""
    named = ", ".join(methods)

    async def refuse(_: web.Request) -> web.StreamResponse:
        raise Refusal(
            HTTPStatus.METHOD_NOT_ALLOWED,
            "method_not_allowed",
            f"Use {named} here.",
            headers={"Allow": named},
        )

    return handled(refuse)


def as_json(
    value: Value, status: HTTPStatus = HTTPStatus.OK, headers: Mapping[str, str] | None = None
) -> web.Response:
    """Answer with a value, which no cache on the way keeps."""
    return web.Response(
        status=status,
        text=value.model_dump_json(),
        content_type="application/json",
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


def check_right(token: ApiToken, right: Right) -> None:
    """Check what the token's holder may do.

    Raises:
        Refusal: not this.
    """
    if right not in token.rights:
        raise Refusal(
            HTTPStatus.FORBIDDEN,
            "forbidden",
            f"This token has no right “{right}”: `masis token create --rights` gives rights.",
        )


def check_quota(acceptance: Acceptance) -> None:
    """Check that a request was not too much.

    Raises:
        Refusal: it was; nothing was stored.
    """
    if acceptance.state == "over_quota":
        raise Refusal(
            HTTPStatus.TOO_MANY_REQUESTS,
            "over_quota",
            acceptance.reason,
            headers={"Retry-After": str(_retry_after(acceptance))},
        )


def key_reused(what: str) -> Refusal:
    """The key of a repeat stands for something else."""
    return Refusal(
        HTTPStatus.CONFLICT,
        "key_reused",
        f"This Idempotency-Key stands for another {what}: use a new one.",
    )


def _retry_after(refused: Acceptance) -> int:
    """Seconds until it is worth another try: a budget is new at midnight (UTC)."""
    if not refused.over_budget:
        return QUOTA_SECONDS
    now = dt.datetime.now(dt.UTC)
    midnight = dt.datetime.combine(now.date() + dt.timedelta(days=1), dt.time(), dt.UTC)
    return math.ceil((midnight - now).total_seconds())
