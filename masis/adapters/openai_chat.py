"""Chat completions from any OpenAI-compatible service, as the ChatModel port.

One attempt a call: repeats, the rate limit and the breaker are the gateway's (`masis.models.gateway`).
"""

import functools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import httpx2
import openai
from pydantic import BaseModel, ValidationError

from masis.adapters.openai_service import (
    BodyTooLarge,
    Endpoint,
    call,
    client,
    http_client,
    usage_of,
)
from masis.errors import ModelServiceBusy
from masis.policy import MODEL_CALL_SECONDS
from masis.ports import ChatReply, Message, Role

MAX_BODY_BYTES: Final = 1_000_000
MAX_REPLY_CHARS: Final = 100_000
"""Far above what `MAX_COMPLETION_TOKENS` can hold; more is no answer."""
MAX_COMPLETION_TOKENS: Final = 4000
"""Some ten times an ordinary answer: room for a model that thinks first, and a bound on its cost."""
MAX_REFUSAL_CHARS: Final = 500
MAX_JSON_STARTS: Final = 20
"""How many opening braces are tried when a reply has words around its JSON."""

NO_CHOICES: Final = "no_choices"
NOT_A_COMPLETION: Final = "not_a_completion"
"""`finish_reason` of a reply without any choice, and of one that is no completion (HTML, say)."""

_FINISH_REASON: Final = re.compile(r"[a-z_]{1,32}")
_ENDED: Final = frozenset({"stop", "eos_token", "stop_sequence", "end_turn"})
"""What compatible services call an answer that ended by itself."""
_OPTIONAL: Final[Mapping[str, object]] = {
    "temperature": 0,
    "max_completion_tokens": MAX_COMPLETION_TOKENS,
}
"""Sent until a model says that it does not take them."""

_ModelT = TypeVar("_ModelT", bound=BaseModel)


class _Said(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Said
    finish_reason: str | None = None


class _Completion(BaseModel):
    """The few fields of a completion that matter; the rest is the service's own affair."""

    choices: list[_Choice] | None = None
    usage: dict[str, Any] | None = None


class OpenAIChat:
    """A chat model for every role, each at its own address with its own key.

    What the service says wrongly (refusal, nothing, cut off, no JSON) comes back as a reply for
    the agents to judge; what it fails at is raised. `timeout` bounds a call as a whole.
    """

    def __init__(
        self, endpoints: Mapping[Role, Endpoint], *, timeout: float = MODEL_CALL_SECONDS
    ) -> None:
        self._endpoints = dict(endpoints)
        self._timeout = timeout
        self._pool = http_client(MAX_BODY_BYTES, timeout)
        self._clients = {role: client(to, self._pool) for role, to in self._endpoints.items()}
        self._not_taken: dict[str, set[str]] = {}

    async def complete(
        self, role: Role, messages: Sequence[Message], schema: type[BaseModel] | None = None
    ) -> ChatReply:
        """Ask the role's model once.

        Raises:
            ModelServiceUnavailable: no answer in time, a server error, or 429; or the model wants
                to be asked in another form, which is known from then on.
            ModelServiceError: key, quota or request refused.
        """
        endpoint = self._endpoints[role]
        try:
            body = await call(
                lambda: self._send(role, endpoint.model, messages, schema), endpoint, self._timeout
            )
        except BodyTooLarge:
            return ChatReply(finish_reason=NOT_A_COMPLETION, usage=usage_of(None))
        return _reply(body, schema)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._pool.aclose()

    async def _send(
        self,
        role: Role,
        model: str,
        messages: Sequence[Message],
        schema: type[BaseModel] | None,
    ) -> bytes:
        not_taken = self._not_taken.setdefault(model, set())
        optional = {k: v for k, v in _OPTIONAL.items() if k not in not_taken}
        try:
            # As it is: the client's typed method walks through all of a body that is plain already.
            response = await self._clients[role].post(
                "/chat/completions",
                cast_to=httpx2.Response,
                body={
                    "messages": [{"role": each.role, "content": each.content} for each in messages],
                    "model": model,
                    **optional,
                    **_response_format(schema),
                },
            )
        except openai.BadRequestError as error:
            # Models that think (o3, gpt-5) refuse a temperature; which ones do is their secret.
            if error.param not in list(optional):  # a list: a bad server's `param` has no hash
                raise
            not_taken.add(error.param)
            raise ModelServiceBusy(
                f"The model {model} takes no {error.param} and has to be asked again without."
            ) from None
        return response.content


def _response_format(schema: type[BaseModel] | None) -> Mapping[str, object]:
    return {} if schema is None else _form(schema)


@functools.lru_cache(maxsize=64)
def _form(schema: type[BaseModel]) -> Mapping[str, object]:
    """Say in the service's words how a reply is to be made; there are a dozen such types."""
    # The vendor's own reading of "strict" is reachable in public through its tool form.
    strict = _lean(openai.pydantic_function_tool(schema)["function"]["parameters"])
    described = {"name": schema.__name__, "strict": True, "schema": strict}
    return {"response_format": {"type": "json_schema", "json_schema": described}}


def _lean(schema: object) -> object:
    """The schema without what only costs prompt tokens.

    Titles repeat the names, and descriptions of whole objects are docstrings for us.
    """
    if isinstance(schema, list):
        return [_lean(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    idle = {"title", "description"} if "properties" in schema else {"title"}
    # A property that is called `title` holds a schema, not a text.
    return {k: _lean(v) for k, v in schema.items() if k not in idle or isinstance(v, dict)}


def _reply(body: bytes, schema: type[BaseModel] | None) -> ChatReply:
    try:
        completion = _Completion.model_validate_json(body)
    except ValidationError:
        return ChatReply(finish_reason=NOT_A_COMPLETION, usage=usage_of(None))
    figures = completion.usage or {}
    usage = usage_of(figures.get("prompt_tokens"), figures.get("completion_tokens"))
    if not completion.choices:
        return ChatReply(finish_reason=NO_CHOICES, usage=usage)
    choice = completion.choices[0]
    text = (choice.message.content or "").strip()
    finish = _finish(choice.finish_reason or "stop")
    if len(text) > MAX_REPLY_CHARS:
        text, finish = text[:MAX_REPLY_CHARS], "length"
    refusal = (choice.message.refusal or "")[:MAX_REFUSAL_CHARS] or None
    whole = finish == "stop" and refusal is None
    parsed = read_json(text, schema) if schema is not None and whole else None
    return ChatReply(text=text, parsed=parsed, refusal=refusal, finish_reason=finish, usage=usage)


def _finish(reason: str) -> str:
    if reason in _ENDED:
        return "stop"
    return reason if _FINISH_REASON.fullmatch(reason) else NOT_A_COMPLETION


def read_json(text: str, schema: type[_ModelT]) -> _ModelT | None:
    """The first JSON object in `text` that meets the schema, fences and words around it or not."""
    decoder = json.JSONDecoder()
    starts = (match.start() for match in re.finditer(r"\{", text))
    for _, start in zip(range(MAX_JSON_STARTS), starts, strict=False):
        try:
            _, end = decoder.raw_decode(text, start)
            return schema.model_validate_json(text[start:end])
        except (ValueError, RecursionError):  # a ValidationError is a ValueError
            continue
    return None
