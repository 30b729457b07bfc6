"""Stream how a run goes on and what came of it, as server-sent events.

Everything is read from what is stored, at a bounded rate: the process that works on the run may be
another one, and who comes back goes on where they were, whichever process they come to. No draft is
ever sent: an answer is when the run has ended, as the run's own place gives it.
"""

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Literal, Self

from aiohttp import web
from pydantic import Field

from bot.api.lookup import Lookup
from bot.api.problems import Refusal
from bot.api.server_sent import RETRY_SECONDS, EventStream
from bot.results import Result, Source, Status
from masis.conversation import OPEN
from masis.domain import Value
from masis.errors import StoreUnavailable
from masis.policy import RUN_LIMIT_SECONDS
from storage.accounts.api_tokens import ApiToken
from storage.chat.run_steps import MOST_STEPS, RunSteps, ToldStep

log = logging.getLogger(__name__)

STREAMS: Final = 100
"""Open at the same time in one process: while nothing moves each reads two statements a second."""
STREAMS_PER_TOKEN: Final = 10
"""A token has two runs at work; who comes back may still have an old stream open."""
STREAM_SECONDS: Final = RUN_LIMIT_SECONDS + 60.0
"""A run that has begun ends by then; one that still waits in its queue is come back for."""
HEARTBEAT_SECONDS: Final = 15.0
"""Most proxies end an answer that is silent for a minute, some after thirty seconds."""
WRITE_SECONDS: Final = 10.0

_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 1.0
_POSITION: Final = re.compile(r"[0-9]{1,6}", re.ASCII)

Stage = Literal["answer", "sources", "end"]
_STAGES: Final[tuple[Stage, ...]] = ("answer", "sources", "end")
"""The events of a run's end, in their order; each is its own id."""

Admit = Callable[[], Awaitable[ApiToken]]
"""Gives the token as it is now; raises `Refusal` when it works no more."""


class StepEvent(Value):
    """A step of the run that began or ended; `title` is for people, `note` what it waits for."""

    name: str
    title: str
    state: Literal["started", "finished"]
    number: int = Field(serialization_alias="pass", description="The pass, from 1.")
    note: str

    @classmethod
    def of(cls, told: ToldStep) -> Self:
        """The step as it was told."""
        step = told.step
        return cls(
            name=step.name, title=step.title, state=step.state, number=step.number, note=step.note
        )


class SourcesEvent(Value):
    """The sources that the answer cites, in its order."""

    citations: list[Source]


class EndEvent(Value):
    """The run's end: nothing comes after it."""

    status: Status
    run_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamBounds:
    """Hold how many streams are open, for how long, and how slowly a client may read."""

    in_all: int = STREAMS
    per_token: int = STREAMS_PER_TOKEN
    seconds: float = STREAM_SECONDS
    heartbeat_seconds: float = HEARTBEAT_SECONDS
    write_seconds: float = WRITE_SECONDS


class Events:
    """Streams runs to their clients. Once `is_stopping` says so, every stream ends."""

    def __init__(
        self,
        *,
        lookup: Lookup,
        steps: RunSteps,
        bounds: StreamBounds | None = None,
        is_stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self._lookup = lookup
        self._steps = steps
        self._bounds = bounds or StreamBounds()
        self._is_stopping = is_stopping
        self._open: Counter[str] = Counter()

    async def stream(
        self, request: web.Request, run_id: str, token: ApiToken, admit: Admit
    ) -> web.StreamResponse:
        """Answer with the run's events, from after the last one that the client has.

        Raises:
            Refusal: the token reaches no such run, or too many streams are open.
            StoreUnavailable: the database does not answer.
        """
        await self._lookup.found(token, run_id)
        run = _Run(run_id, request.headers.get("Last-Event-ID", ""))
        if not run.left:
            # A client that comes back by itself stops at this.
            return web.Response(status=HTTPStatus.NO_CONTENT)
        with self._one_more(token.id):
            out = EventStream(request, self._bounds.write_seconds)
            try:
                await out.begin()
                await self._follow(out, run, token, admit)
                await out.end()
            except ConnectionError:
                log.debug("the client of a stream of run %s is gone", run_id)
            return out.response

    @contextmanager
    def _one_more(self, token_id: str) -> Iterator[None]:
        bounds = self._bounds
        if self._open[token_id] >= bounds.per_token or self._open.total() >= bounds.in_all:
            raise Refusal(
                HTTPStatus.TOO_MANY_REQUESTS,
                "too_many_streams",
                "Too many streams are open: end one, or look at the run itself.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            )
        self._open[token_id] += 1
        try:
            yield
        finally:
            self._open -= Counter({token_id: 1})  # who has none left is forgotten

    async def _follow(self, out: EventStream, run: "_Run", token: ApiToken, admit: Admit) -> None:
        """Send what is new until the run has ended, or it has been long enough.

        Raises:
            ConnectionError: the client is gone, or does not read.
        """
        clock = asyncio.get_running_loop().time
        until, alive, pause = clock() + self._bounds.seconds, clock(), _FIRST_PAUSE
        while out.is_open and not self._is_stopping() and clock() < until:
            before = run.position
            try:
                if await self._go_on(out, run, token, admit):
                    return
                if clock() - alive >= self._bounds.heartbeat_seconds:
                    await out.keep_alive()
                    alive, token = clock(), await admit()
            except Refusal as refusal:
                log.info("a stream of run %s ends: %s", run.id, refusal)
                return
            except StoreUnavailable as error:  # it comes back, or the client does
                log.info("a stream of run %s waits: %s", run.id, type(error).__name__)
            pause = _FIRST_PAUSE if run.position > before else min(pause * 1.5, _LONGEST_PAUSE)
            await asyncio.sleep(pause)

    async def _go_on(self, out: EventStream, run: "_Run", token: ApiToken, admit: Admit) -> bool:
        """Send what is new; says whether that was the run's end."""
        # First the request: where it says that the run has ended, all steps are there.
        asked = await self._lookup.found(token, run.id)
        for told in await self._steps.since(run.id, run.position):
            data = StepEvent.of(told).model_dump_json(by_alias=True)
            await out.send("status", str(told.position), data)
            run.position = told.position
        if asked.status in OPEN:
            return False
        await admit()
        result = await self._lookup.result(asked)
        for stage in run.left.copy():
            await out.send(stage, stage, _ending(stage, result, run.id).model_dump_json())
            run.left.remove(stage)
        return True


class _Run:
    """Hold what a client has of a run: steps up to `position`, and all stages but those `left`."""

    def __init__(self, run_id: str, last: str) -> None:
        self.id: Final = run_id
        self.position = int(last) if _POSITION.fullmatch(last) else 0
        self.left: list[Stage] = list(_STAGES)
        if last in _STAGES:
            self.position = MOST_STEPS
            self.left = list(_STAGES[_STAGES.index(last) + 1 :])


def _ending(stage: Stage, result: Result, run_id: str) -> Value:
    match stage:
        case "answer":
            return result
        case "sources":
            return SourcesEvent(citations=result.citations)
        case "end":
            return EndEvent(status=result.status, run_id=run_id)
