"""The HTTP API: a question asked, its run looked up. Runs go through the engine of every surface."""

import logging
import uuid
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.api import http_requests, openapi
from bot.api.authentication import Door
from bot.api.events import Events
from bot.api.http_answers import (
    AGAIN_SECONDS,
    as_json,
    check_quota,
    check_right,
    handled,
    key_reused,
    only,
)
from bot.api.http_requests import Ask
from bot.api.lookup import Lookup
from bot.api.problems import Refusal, not_found
from bot.api.surface import API, PREFIX
from bot.api.waits import Waits
from bot.results import Pending
from masis.conversation import OPEN, Acceptance, ChatRun, run_id
from masis.domain import CODE_GRAPH, DEFAULT_GRAPH
from masis.errors import UnknownWorkspace
from masis.ports import Repository, RunEngine
from masis.questions.replies import answering
from storage.accounts.api_tokens import ApiToken
from storage.chat.requests import ChatRuns

log = logging.getLogger(__name__)

ROOT: Final = "/masis"
RUNS: Final = f"{ROOT}/runs"

MOST_WAITING: Final = 100
"""Clients that are kept waiting at the same time; others are told at once where to look."""


class Api:
    """Answers requests. Who asks sees the runs that were asked of the token's workspace this way."""

    def __init__(
        self,
        *,
        door: Door,
        engine: RunEngine,
        runs: ChatRuns,
        repository: Repository,
        lookup: Lookup,
        events: Events,
        waits: Waits,
    ) -> None:
        self._door = door
        self._engine = engine
        self._runs = runs
        self._repository = repository
        self._lookup = lookup
        self._events = events
        self._waits = waits

    def routes(self) -> list[web.RouteDef]:
        """List the routes served below `/masis`."""
        asking, looking = f"{ROOT}/workspaces/{{workspace_id}}", f"{RUNS}/{{run_id}}"
        following = f"{looking}/events"
        return [
            web.post(asking, handled(self.ask)),
            web.route("*", asking, only("POST")),
            web.get(looking, handled(self.look)),
            web.route("*", looking, only("GET")),
            web.get(following, handled(self.follow), allow_head=False),
            web.route("*", following, only("GET")),
            web.get(f"{ROOT}/openapi.json", _document),
            web.route("*", f"{ROOT}/{{rest:.*}}", handled(_nothing)),
        ]

    async def ask(self, request: web.Request) -> web.Response:
        """Take a question on, and give its result when it is there in time.

        Raises:
            Refusal: it was not taken on.
            StoreUnavailable: the database does not answer.
        """
        token = await self._door.enter(request)
        if request.match_info["workspace_id"] != token.workspace_id:
            raise not_found()
        check_right(token, "ask")
        key = http_requests.idempotency_key(request)
        run = await self._taken_up(token, _run(token, await http_requests.asked(request), key))
        try:
            acceptance = await self._engine.accept(run)
        except UnknownWorkspace:
            raise not_found() from None
        await self._check(acceptance, run)
        seconds, heeded = http_requests.wait_seconds(request, http_requests.DEFAULT_WAIT_SECONDS)
        return await self._answer(token, run.id, seconds, heeded)

    async def look(self, request: web.Request) -> web.Response:
        """Give a run's result, or say how far it is.

        Raises:
            Refusal: the token reaches no such run.
            StoreUnavailable: the database does not answer.
        """
        token = await self._asking(request)
        seconds, heeded = http_requests.wait_seconds(request, 0)
        return await self._answer(token, request.match_info["run_id"], seconds, heeded)

    async def follow(self, request: web.Request) -> web.StreamResponse:
        """Stream how a run goes on, and what comes of it.

        Raises:
            Refusal: the token reaches no such run, or too many streams are open.
            StoreUnavailable: the database does not answer.
        """
        token = await self._asking(request)
        run_id = request.match_info["run_id"]
        return await self._events.stream(request, run_id, token, lambda: self._door.enter(request))

    async def _asking(self, request: web.Request) -> ApiToken:
        token = await self._door.enter(request)
        check_right(token, "ask")
        return token

    async def _taken_up(self, token: ApiToken, run: ChatRun) -> ChatRun:
        """The run, of the question that it replies to where it does.

        Raises:
            Refusal: the token reaches no such run, or nothing was asked back by it.
        """
        if run.parent_run_id is None:
            return run
        earlier = await self._lookup.found(token, run.parent_run_id)
        kept = await self._repository.run(earlier.workspace_id, earlier.id)
        if kept is None or kept.status != "needs_clarification":
            raise Refusal(
                HTTPStatus.CONFLICT, "not_asked_back", "That run waits for no reply: ask anew."
            )
        kind, asked = kept.outcome["kind"], earlier.asked
        offered = kept.outcome.get("questions", ())
        standalone = kept.outcome.get("understood") or asked.standalone
        question = answering(asked.text, standalone, kind, run.query, questions=offered)
        change = {
            "kind": "reply",
            "graph": CODE_GRAPH if kind == "choice" else run.graph,
            "question": question.text,
            "query": question.standalone,
            "earlier": earlier.earlier,
            "reply": question.reply,
            "thread": run.thread or _own_thread(run, earlier),
        }
        return run.model_copy(update=change)

    async def _check(self, acceptance: Acceptance, run: ChatRun) -> None:
        """Refuse what is too much, and a key that stands for another question."""
        check_quota(acceptance)
        if acceptance.state != "duplicate":
            return
        before = await self._runs.get(run.tenant, run.id)
        if before and _said(before) != _said(run):
            raise key_reused("question")

    async def _answer(
        self, token: ApiToken, run_id: str, seconds: int, heeded: str
    ) -> web.Response:
        run = await self._waits.until(
            lambda seen: seen.status not in OPEN,
            lambda: self._lookup.found(token, run_id),
            seconds,
        )
        headers = {"Preference-Applied": heeded} if heeded else {}
        place = f"{RUNS}/{run.id}"
        if run.status in OPEN:
            far = Pending(status="running" if run.status == "running" else "queued", run_id=run.id)
            again = {"Location": place, "Retry-After": str(AGAIN_SECONDS)}
            return as_json(far, HTTPStatus.ACCEPTED, headers | again)
        result = await self._lookup.result(run)
        return as_json(result, HTTPStatus.OK, headers | {"Content-Location": place})


def _run(token: ApiToken, asked: Ask, key: str | None) -> ChatRun:
    """The run that a request stands for; quotas count a token as they count a person."""
    who = f"{PREFIX}{token.id}"
    known = key and run_id(token.tenant, "api", f"{token.id}\x1f{key}")
    return ChatRun(
        id=known or str(uuid.uuid4()),
        tenant=token.tenant,
        surface=API,
        channel=who,
        thread=asked.thread or "",
        asker=who,
        question=asked.query,
        query=asked.query,
        workspace_id=token.workspace_id,
        max_retries=asked.max_retries,
        mode=asked.mode,
        graph=CODE_GRAPH if asked.classify else DEFAULT_GRAPH,
        parent_run_id=asked.in_reply_to,
    )


def _said(run: ChatRun) -> tuple[object, ...]:
    """Return what two requests with one key must have in common."""
    how = run.max_retries, run.thread, run.mode, run.graph
    return run.query, run.reply, run.parent_run_id, *how


def _own_thread(run: ChatRun, earlier: ChatRun) -> str:
    """Return the thread that a reply belongs to; one of another token is not this one's."""
    return earlier.thread if earlier.channel == run.channel else ""


async def _nothing(_: web.Request) -> web.StreamResponse:
    raise not_found()


async def _document(_: web.Request) -> web.Response:
    return web.Response(text=openapi.text(), content_type="application/json")
