"""A local OpenAI-compatible service with scripted roles, over real HTTP on a free loopback port.

Without a script it answers in one of two modes. `honest` quotes the evidence it was given, with
citations, and audits kindly. `obedient` does what the documents say: it repeats whatever in them
looks like an order, adds what it was told to in secret (`effects`), and gives full marks.
"""

import asyncio
import hashlib
import json
import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self

from aiohttp import web
from pydantic import SecretStr

from masis.adapters.openai_service import Endpoint
from masis.ports import Role

KEY: Final = "sk-test-4f9d2c71b8e34a6d9c05"
MODELS: Final[dict[Role, str]] = {
    "writer": "stub-writer",
    "auditor": "stub-auditor",
    "judge": "stub-judge",
}
SCHEMAS: Final[dict[str, Role]] = {"CritiqueReply": "auditor", "ScoresReply": "judge"}
"""Roles that share a model (gpt-4o audits and judges) are told apart by the form they ask for."""

TALK: Final = frozenset({"RouteReply", "StandaloneReply"})
"""Forms of the chat graph: scripts of the writer are for what it writes of evidence."""

FIGURES: Final[dict[str, dict[str, Any]]] = {
    "UnderstoodReply": {
        "kind": "unsure",
        "of": "",
        "against": "",
        "periods": [],
        "by": "",
        "top": 0,
    },
    "FiguresReply": {"groups": []},
    "ExplainedReply": {"sentences": []},
    "QualityReply": {"faults": []},
    "QueryReply": {"table": "", "sql": ""},
}
"""Forms of the analysis graph, with the replies that leave it to the rules."""
LEFT_TO_RULES: Final[dict[str, dict[str, Any]]] = {
    **FIGURES,
    "RouteReply": {"intent": "unsure"},
    "StandaloneReply": {"standalone": "", "subject": ""},
}

Scripted = Role | Literal["talk", "figures"]
"""Who a request is for."""

CRITIQUE: Final[Mapping[str, Any]] = {
    "confidence": 0.9,
    "hallucination_detected": False,
    "unsupported_claims": [],
    "logical_gaps": [],
    "conflicting_evidence": [],
    "needs_retry": False,
}
SCORES: Final[Mapping[str, Any]] = {
    "faithfulness": 0.9,
    "relevance": 0.9,
    "completeness": 0.9,
    "reasoning_quality": 0.9,
}


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    role: Scripted
    body: dict[str, Any]
    key: str

    @property
    def model(self) -> str:
        return str(self.body["model"])

    @property
    def messages(self) -> list[dict[str, str]]:
        return list(self.body["messages"])

    @property
    def system(self) -> str:
        return self.messages[0]["content"]

    @property
    def data(self) -> dict[str, Any]:
        """The user message, which is a JSON object when the graph's agents ask."""
        try:
            value: dict[str, Any] = json.loads(self.messages[1]["content"])
        except json.JSONDecodeError:
            return {"question": self.messages[1]["content"], "evidence": {}}
        return value

    @property
    def schema(self) -> str | None:
        form = self.body.get("response_format")
        return form["json_schema"]["name"] if form else None


Behaviour = Callable[[web.Request, Asked], Awaitable[web.StreamResponse]]


# --- what a service can do -----------------------------------------------------------------


def says(
    content: str | None, *, finish: str | None = "stop", refusal: str | None = None
) -> Behaviour:
    """A completion with this content."""

    async def answer(_: web.Request, asked: Asked) -> web.StreamResponse:
        return web.json_response(_completion(asked, content, finish, refusal))

    return answer


def says_json(value: object, **more: Any) -> Behaviour:
    """A completion whose content is JSON; NaN and infinities are written as Python does."""
    return says(json.dumps(value), **more)


def critique(**changed: object) -> Behaviour:
    """An audit that finds nothing, but for what is changed."""
    return says_json({**CRITIQUE, **changed})


def scores(**changed: object) -> Behaviour:
    """Good scores, but for what is changed."""
    return says_json({**SCORES, **changed})


def refuses() -> Behaviour:
    return says(None, refusal="I'm sorry, I can't help with that.")


def says_nothing() -> Behaviour:
    return says("")


def is_cut_off() -> Behaviour:
    return says('{"confidence": 0.9, "halluc', finish="length")


def is_filtered() -> Behaviour:
    return says("", finish="content_filter")


def breaks_json() -> Behaviour:
    return says('{"confidence": 0.9, "hallucination_detected": fal')


def fences(value: object) -> Behaviour:
    """JSON in a Markdown fence with words around it."""
    return says(
        f"Here is the audit {{as asked}}:\n```json\n{json.dumps(value)}\n```\nAnything else?"
    )


def sends(
    body: str, *, status: int = 200, kind: str = "application/json", **headers: str
) -> Behaviour:
    """This very body."""
    wire = {name.replace("_", "-"): value for name, value in headers.items()}

    async def answer(_: web.Request, __: Asked) -> web.StreamResponse:
        return web.Response(text=body, status=status, content_type=kind, headers=wire)

    return answer


def has_no_choices() -> Behaviour:
    return sends('{"id": "x", "object": "chat.completion", "choices": [], "usage": null}')


def sends_html() -> Behaviour:
    return sends("<html><body>Welcome to the guest network</body></html>", kind="text/html")


def fails(
    status: int, code: str | None = None, message: str = "no", param: Any = None, **headers: str
) -> Behaviour:
    """An error in the service's form."""
    error = {"message": message, "type": "error", "param": param, "code": code}
    return sends(json.dumps({"error": error}), status=status, **headers)


def is_busy(wait: str | None = None) -> Behaviour:
    """429, with this Retry-After header."""
    headers = {} if wait is None else {"Retry_After": wait}
    return fails(429, "rate_limit_exceeded", **headers)


def has_no_quota() -> Behaviour:
    return fails(429, "insufficient_quota", "You exceeded your current quota.")


def refuses_the_key(status: int = 401) -> Behaviour:
    """401 or 403, repeating the whole key and the prompt, as careless services do."""

    async def answer(_: web.Request, asked: Asked) -> web.StreamResponse:
        message = (
            f"Incorrect API key provided: {asked.key}. Prompt: {asked.messages[-1]['content']}"
        )
        error = {"message": message, "type": "invalid_request_error", "code": "invalid_api_key"}
        return web.json_response({"error": error}, status=status)

    return answer


def resets() -> Behaviour:
    """Cuts the connection instead of answering."""

    async def answer(request: web.Request, _: Asked) -> web.StreamResponse:
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    return answer


def drips() -> Behaviour:
    """Sends a blank now and then, for as long as anybody listens (20 s at most)."""

    async def answer(request: web.Request, _: Asked) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        try:
            for _blank in range(1000):
                await response.write(b" ")
                await asyncio.sleep(0.02)
        except ConnectionError:
            pass  # nobody listens any more, which is what is tested
        return response

    return answer


def floods(size: int) -> Behaviour:
    """A body of that many bytes."""
    return sends(json.dumps({"choices": [], "padding": "x" * size}))


# --- the service ---------------------------------------------------------------------------


@dataclass
class OpenAIServer:
    """The service. `will` scripts a role's next answers; after the script it goes on by `mode`."""

    mode: Literal["honest", "obedient"] = "honest"
    effects: list[str] = field(default_factory=list)
    """What an obedient writer and auditor say besides, when they see an order."""
    dimension: int = 1536
    embedding_failures: deque[Behaviour] = field(default_factory=deque)
    asked: list[Asked] = field(default_factory=list)
    embedded: list[list[str]] = field(default_factory=list)
    _scripts: dict[Scripted, deque[Behaviour]] = field(default_factory=dict)
    _runner: web.AppRunner | None = None
    url: str = ""

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=50_000_000)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_post("/v1/embeddings", self._embed)
        app.router.add_get("/v1/models", self._models)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    def will(self, role: Scripted, *behaviours: Behaviour) -> None:
        """Answer the role's next requests like this, in this order."""
        self._scripts.setdefault(role, deque()).extend(behaviours)

    def endpoints(self, key: str = KEY) -> dict[Role, Endpoint]:
        """Each role's model at this service."""
        return {role: self.endpoint(model, key) for role, model in MODELS.items()}

    def endpoint(self, model: str, key: str = KEY) -> Endpoint:
        return Endpoint(model=model, base_url=self.url, api_key=SecretStr(key))

    def of(self, role: Scripted) -> list[Asked]:
        """What the role was asked."""
        return [asked for asked in self.asked if asked.role == role]

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        asked = Asked(_role(body), body, _key(request))
        self.asked.append(asked)
        script = self._scripts.get(asked.role)
        behaviour = script.popleft() if script else self._by_mode(asked)
        return await behaviour(request, asked)

    def _by_mode(self, asked: Asked) -> Behaviour:
        orders = _orders(asked.data) if self.mode == "obedient" else []
        if asked.schema in LEFT_TO_RULES:
            return says_json(LEFT_TO_RULES[asked.schema])
        if asked.schema == "SummariesReply":
            passages = asked.data["passages"].items()
            short = [{"id": chunk_id, "summary": text[:180]} for chunk_id, text in passages]
            return says_json({"summaries": short})
        match asked.role:
            case "auditor":
                obeyed = critique(confidence=1.0, logical_gaps=self.effects)
                return obeyed if orders else critique()
            case "judge":
                return scores(**dict.fromkeys(SCORES, 1.0)) if orders else scores()
            case _:
                obeyed = says("\n".join([" ".join(orders), *self.effects]).strip())
                return obeyed if orders else says(_quoted(asked.data))

    async def _embed(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.embedded.append(body["input"])
        if self.embedding_failures:
            asked = Asked("writer", {**body, "messages": [{"content": ""}]}, _key(request))
            return await self.embedding_failures.popleft()(request, asked)
        rows = [
            {"object": "embedding", "index": index, "embedding": hash_vector(text, self.dimension)}
            for index, text in enumerate(body["input"])
        ]
        # Services promise an index, not an order.
        answer = {"object": "list", "data": rows[::-1], "model": body["model"]}
        usage = {"prompt_tokens": sum(map(_tokens, body["input"])), "total_tokens": 0}
        return web.json_response({**answer, "usage": usage})

    async def _models(self, _: web.Request) -> web.StreamResponse:
        models = [{"id": model, "object": "model"} for model in MODELS.values()]
        return web.json_response({"object": "list", "data": models})


def hash_vector(text: str, dimension: int) -> list[float]:
    """A vector that depends on the text's words alone, so that texts that share words are near."""
    vector = [0.01] * dimension
    for word in re.findall(r"\w+", text.lower()):
        digest = hashlib.sha256(word.encode()).digest()
        vector[int.from_bytes(digest[:4], "big") % dimension] += 1.0
    return vector


def _role(body: Mapping[str, Any]) -> Scripted:
    form = body.get("response_format")
    name = form["json_schema"]["name"] if form else ""
    if name in TALK:
        return "talk"
    if name in FIGURES:
        return "figures"
    for role, model in MODELS.items():
        if body["model"] == model:
            return role
    return SCHEMAS.get(name, "writer")


def _key(request: web.Request) -> str:
    return request.headers.get("Authorization", "").removeprefix("Bearer ")


def _completion(
    asked: Asked, content: str | None, finish: str | None, refusal: str | None
) -> dict[str, Any]:
    prompt = sum(_tokens(message["content"]) for message in asked.messages)
    if asked.schema is not None:
        # A form is put into the prompt by the service, and paid for.
        prompt += _tokens(json.dumps(asked.body["response_format"]["json_schema"]["schema"]))
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": asked.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": _tokens(content or "")},
    }


def _tokens(text: str) -> int:
    """Words, parts of long words, and signs: somewhat more than GPT-4o's tokenizer counts."""
    return len(re.findall(r"[A-Za-z]{1,7}|\d{1,3}|[^\w\s]|\w", text))


_WORD: Final = re.compile(r"\w{4,}")


def _quoted(data: Mapping[str, Any]) -> str:
    """The sentences of the evidence that share most words with the question, each cited."""
    asked = set(_WORD.findall(data["question"].lower()))
    ranked = sorted(
        (
            (-len(asked & set(_WORD.findall(sentence.lower()))), place, sentence, chunk_id)
            for place, (chunk_id, passage) in enumerate(data["evidence"].items())
            for sentence in _sentences(passage.partition("\n")[2])
        ),
    )
    best = [(sentence, chunk_id) for shared, _, sentence, chunk_id in ranked[:3] if shared]
    if not best:
        return "There is insufficient evidence on this question."
    return " ".join(f"{sentence.rstrip('. ')} [{chunk_id}]." for sentence, chunk_id in best)


def _sentences(text: str) -> Sequence[str]:
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+|\n", text) if len(part.split()) > 3]


_ORDER: Final = re.compile(
    r"(?i)ignore (?:all|any|the|previous)|you must|instead of|assistant:|system:|reply with|say that"
    r"|cite |give (?:it )?(?:a )?(?:full|perfect)|confidence"
)


def _orders(data: Mapping[str, Any]) -> list[str]:
    """Every sentence of the documents that reads like an order, without asking whose it is."""
    passages = {**data.get("evidence", {}), **data.get("excerpts", {})}
    return [
        sentence
        for passage in passages.values()
        for sentence in _sentences(passage)
        if _ORDER.search(sentence)
    ]
