"""Carries each run that the queue gives to its end, in this process."""

import asyncio
import contextlib
import functools
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

import sqlalchemy as sa

from masis.conversation import OPEN, ChatRun, RunStatus
from masis.errors import MasisError, RunCancelled, RunInterrupted, RunTakenOver, StoreUnavailable
from masis.policy import RUN_ATTEMPTS, RUN_LIMIT_SECONDS, RUN_PATIENCE_SECONDS
from storage.acceptance import let_through
from storage.chat import requests
from storage.database import Database
from storage.execution import Execution
from storage.forgotten import Forgotten
from storage.limits import USUAL, Limits
from storage.pulse import Pulse
from storage.rows import now
from storage.tables import outbox
from storage.turns import take_turn
from storage.workflows import Workflows

log = logging.getLogger(__name__)

T = TypeVar("T")
Handler = Callable[[ChatRun], Awaitable[None]]
Takes = Callable[[ChatRun], bool]
_Mishap = Literal["broken off", "too long", "raised", "passing"]

_LAST_WORD: Final = RUN_ATTEMPTS + 1
"""The attempt in which a handler only says that it gave up."""
_LAST_TRY: Final = _LAST_WORD + 6
"""An apology does nothing that could kill its process: what breaks it off is something else."""
_ALONE_SECONDS: Final = 3.0
"""What kills its process does so at the step that it died in: within a call, or a search."""
_LAST_WORD_SECONDS: Final = 60.0
_MOST_DOUBLINGS: Final = 5
"""Of the pause before a run is tried again: from 2 s to about a minute."""
_PAUSED: Final = 1000
"""Runs whose pauses are remembered; of one that is forgotten they are short again."""
_PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Before a write is tried again, while the database is locked or its disk is full."""


LIMIT_SECONDS: Final = RUN_LIMIT_SECONDS + _LAST_WORD_SECONDS
PATIENCE_SECONDS: Final = 5.0
RETRY_SECONDS: Final = 2.0
_STOP_PATIENCE_SECONDS: Final = 2.0
_HURRIED_PATIENCE_SECONDS: Final = 0.2


@dataclass(frozen=True, slots=True)
class Patience:
    """How long what may take, in seconds."""

    limit: float = LIMIT_SECONDS
    """One attempt."""
    broken_off: float = PATIENCE_SECONDS
    """A post takes less; what is outside of a step for longer is broken off where it stands."""
    retry: float = RETRY_SECONDS
    """Before a run whose handler failed is tried again, times the attempt."""


class Carrier:
    """The runs at work in this process. A run that is left where it is is found by the `Watch`.

    What a run has is noted only as long as nobody else is at it: an attempt that was taken over
    ends without a word.
    """

    def __init__(
        self,
        database: Database,
        workflows: Workflows,
        pulse: Pulse,
        forgotten: Forgotten,
        patience: Patience,
        *,
        limits: Limits = USUAL,
    ) -> None:
        self._database = database
        self._runs = requests.ChatRuns(database)
        self._workflows = workflows
        self._pulse = pulse
        self._forgotten = forgotten
        self._patience = patience
        self._limits = limits
        self._handler: Handler | None = None
        self._takes: Takes | None = None
        self._stopping = asyncio.Event()
        self._last_attempt = asyncio.Lock()
        self._working: dict[asyncio.Task[Any], str] = {}
        self._background: set[asyncio.Task[Any]] = set()
        self._running: dict[str, Execution] = {}
        self._left: set[str] = set()
        self._outages: dict[str, int] = {}

    def begin(self, handler: Handler, takes: Takes | None) -> None:
        """Name who takes the runs to their outcomes, and of which runs that is true."""
        self._handler, self._takes = handler, takes

    # --- looked at from outside ------------------------------------------------------------

    def unknown(self, given: set[str]) -> set[str]:
        """Of the runs that were given to this process those that nobody here knows of."""
        self._left &= given
        return given - self._left - set(self._working.values())

    def cancel(self, run_id: str) -> None:
        """Break a run off that is asked to end, where it is at work here."""
        if (execution := self._running.get(run_id)) is not None:
            self._interrupt(execution, RunCancelled, self._patience.broken_off)

    def let_go(self) -> None:
        """Break everything off: it goes on elsewhere already."""
        for execution in self._running.values():
            self._interrupt(execution, RunTakenOver, 0)

    async def review(self) -> None:
        """Break off what somebody in another process cancelled or took over."""
        before = dict(self._running)
        if not before:
            return
        found = {run.id: run for run in await self._runs.of_ids(before)}
        for run_id, execution in before.items():
            why = _objection(found.get(run_id), execution.held)
            if why is None or execution.interrupted or self._running.get(run_id) is not execution:
                continue
            patience = self._patience.broken_off if why is RunCancelled else 0
            self._interrupt(execution, why, patience)

    async def stop(self, grace_seconds: float, hurry: asyncio.Event) -> None:
        """Begin nothing more, let what is at work finish for so long, break the rest off.

        With `hurry`, set before or meanwhile, nothing is waited for.
        """
        self._stopping.set()
        await _settled({*self._working}, grace_seconds, unless=hurry)
        patience = _HURRIED_PATIENCE_SECONDS if hurry.is_set() else _STOP_PATIENCE_SECONDS
        for execution in self._running.values():
            self._interrupt(execution, RunTakenOver, min(self._patience.broken_off, patience))
        await _settled({*self._working} | self._background, 2 * patience)
        await _settled({*self._background}, patience)  # what those that ended last have begun

    # --- a run -----------------------------------------------------------------------------

    async def work(self, run_id: str) -> None:
        """The workflow. It ends with the run; raising `RunTakenOver` it stays where it is."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a workflow is a task
        self._working[task] = run_id
        task.add_done_callback(lambda _: self._worked(task))
        if self._stopping.is_set():
            raise RunTakenOver
        async with self._apart(run_id):
            await self._work(run_id)

    def _worked(self, task: asyncio.Task[Any]) -> None:
        """The engine has noted the workflow's end: what had to wait for it can be forgotten."""
        del self._working[task]
        self._in_background(self._insist(self._forgotten.sweep))

    async def _work(self, run_id: str) -> None:
        if self._stopping.is_set():
            raise RunTakenOver
        run = await self._insist(lambda: self._begin(run_id))
        if run is None:
            return
        try:
            run, status = await self._carried(run)
        except RunTakenOver:
            await self._give_back(run)
            raise
        if status is None:
            await self._try_again(run)
            raise RunTakenOver
        self._outages.pop(run.id, None)
        await self._insist(lambda: self._end(run, status))

    @contextlib.asynccontextmanager
    async def _apart(self, run_id: str) -> AsyncIterator[None]:
        """Make last attempts one after the other.

        A run that kills its process takes what is at work beside it along, each time. Before any of
        them is given up it is tried without the others, and only one of them dies again.
        """
        run = await self._insist(lambda: self._runs.get(None, run_id))
        if run is None or run.attempt != RUN_ATTEMPTS - 1:
            yield
            return
        await self._last_attempt.acquire()
        alone = contextlib.ExitStack()
        alone.callback(self._last_attempt.release)
        # One that has lived for so long beside nobody is not the one.
        later = asyncio.get_running_loop().call_later(_ALONE_SECONDS, alone.close)
        try:
            yield
        finally:
            later.cancel()
            alone.close()

    async def _begin(self, run_id: str) -> ChatRun | None:
        """Count the attempt, from the last finished step on; None when there is nothing to do.

        Raises:
            RunTakenOver: another process is at it, or the run is not for this one.
        """
        if not await self._is_alive():
            raise RunTakenOver
        steps = await self._workflows.steps(run_id)
        run = await self._runs.get(None, run_id)
        if run is not None and self._takes is not None and not self._takes(run):
            log.warning("run %s is of a chat that this process does not serve", run_id)
            self._left.add(run_id)
            raise RunTakenOver
        return await self._database.transact(
            lambda connection: self._count(connection, run_id, steps)
        )

    def _count(self, connection: sa.Connection, run_id: str, steps: int) -> ChatRun | None:
        run = requests.find(connection, run_id)
        if run is None:  # its workspace was deleted, and others may have waited for it
            let_through(connection, self._workflows.enqueue, self._limits)
            return None
        if run.status not in OPEN:
            return None
        steps += _sent(connection, run_id)
        # Who got further and was broken off all the same has tried the step that comes now once.
        before = min(run.attempt, 1) if steps > run.steps else run.attempt
        attempt = before + 1
        begun = run.model_copy(update={"status": "running", "attempt": attempt, "steps": steps})
        if not requests.mark(connection, run_id, "running", attempt=attempt, steps=steps, held=run):
            raise RunTakenOver
        return begun

    async def _end(self, run: ChatRun, status: RunStatus) -> None:
        """Note the end, and let those through that waited for it.

        Raises:
            RunTakenOver: another process is at it.
        """

        def end(connection: sa.Connection) -> bool:
            take_turn(connection)
            noted = requests.mark(connection, run.id, status, held=run)
            let_through(connection, self._workflows.enqueue, self._limits)
            return noted or requests.find(connection, run.id) is None

        if not await self._database.transact(end):
            raise RunTakenOver

    async def _carried(self, run: ChatRun) -> tuple[ChatRun, RunStatus | None]:
        """Take the run to its end, whose kind it gives; None when it is to be tried again.

        The run is given as it stands by then.

        Raises:
            RunTakenOver: it goes on elsewhere, or at the next start.
        """
        if run.attempt > _LAST_TRY:
            return run, "failed"  # not even the apology was survived
        given_up: RunStatus = "failed"
        end = await self._attempt(run, run, self._patience.limit)
        if end == "broken off":
            given_up = "cancelled"
            end = await self._attempt(run, await self._seen(run), _LAST_WORD_SECONDS)
        elif end == "too long":
            late = await self._insist(functools.partial(self._given_up, run))
            run, end = late, await self._attempt(late, late, _LAST_WORD_SECONDS)
        match end:
            case "passing":
                return await self._uncounted(run), None
            case "broken off" | "too long" | "raised":
                return run, None if run.attempt < _LAST_TRY else given_up
            case status:
                return run, status

    async def _uncounted(self, run: ChatRun) -> ChatRun:
        """Take an attempt back that failed by an outage: it killed nothing."""
        less = run.attempt - 1
        self._outages[run.id] = self._outages.pop(run.id, -1) + 1
        if len(self._outages) > _PAUSED:
            del self._outages[next(iter(self._outages))]
        await self._insist(lambda: self._runs.mark(run.id, "queued", attempt=less, held=run))
        return run.model_copy(update={"status": "queued", "attempt": less})

    async def _given_up(self, run: ChatRun) -> ChatRun:
        """Note that only an apology is left to do, whoever makes it.

        Raises:
            RunTakenOver: another process is at it.
        """
        if run.attempt >= _LAST_WORD:
            return run
        late = run.model_copy(update={"attempt": _LAST_WORD})
        if await self._runs.mark(run.id, "running", attempt=_LAST_WORD, held=run):
            return late
        found = await self._runs.get(None, run.id)
        if found is not None and not requests.stands(found, late):
            raise RunTakenOver
        return late

    async def _attempt(self, held: ChatRun, run: ChatRun, seconds: float) -> RunStatus | _Mishap:
        """Hand the run over, for so long. `held` is what the database says of it."""
        try:
            async with asyncio.timeout(seconds):
                return await self._handled(held, run)
        except RunCancelled:
            return "broken off"
        except TimeoutError:
            log.warning("run %s took too long", run.id)
            return "too long"
        except Exception as error:
            # Whatever it was, the one who asked is owed an outcome.
            log.exception("run %s failed in attempt %d", run.id, run.attempt)
            passes = isinstance(error, MasisError) and error.retryable
            return "passing" if passes and _is_young(held) else "raised"

    async def _handled(self, held: ChatRun, run: ChatRun) -> RunStatus:
        """One call of the handler, which may be broken off."""
        execution = Execution(
            held,
            objection=lambda: self._objection(held, run),
            is_ours=lambda: self._is_ours(held),
        )
        self._running[run.id] = execution
        try:
            await execution.run(self._call(run))
        finally:
            if self._running.get(run.id) is execution:
                del self._running[run.id]
        if run.cancelled_by or (execution.told and execution.interrupted is RunCancelled):
            return "cancelled"
        return "finished" if run.attempt < _LAST_WORD else "failed"

    async def _call(self, run: ChatRun) -> None:
        assert self._handler is not None  # noqa: S101 - set by `begin`
        await self._handler(run)

    async def _try_again(self, run: ChatRun) -> None:
        """Queue the run anew after a pause; its finished steps are not done again."""
        outages = min(self._outages.get(run.id, 0), _MOST_DOUBLINGS)
        pause = self._patience.retry * max(run.attempt, 2**outages)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), pause)
            return
        await self._insist(lambda: self._again(run.id))

    async def _again(self, run_id: str) -> None:
        if await self._is_alive() and await self._workflows.is_mine(run_id):
            await self._workflows.again([run_id])

    async def _give_back(self, run: ChatRun) -> None:
        """An attempt that this process's own end broke off does not count."""
        if not self._stopping.is_set():
            return
        less = run.attempt - 1
        with contextlib.suppress(StoreUnavailable):
            await self._runs.mark(run.id, "queued", attempt=less, held=run)

    # --- whose the run is ------------------------------------------------------------------

    async def _objection(self, held: ChatRun, run: ChatRun) -> type[RunInterrupted] | None:
        """Why the run's next step is not to be done."""
        if run.cancelled_by:
            return RunCancelled
        with contextlib.suppress(StoreUnavailable):
            return _objection(await self._runs.get(None, held.id), held)
        return None

    async def _is_ours(self, held: ChatRun) -> bool:
        """Whether nobody else can be at the run; the database is asked only in doubt."""
        if self._pulse.is_fresh:
            return True
        if not await self._insist(self._is_alive):
            return False
        found = await self._insist(lambda: self._runs.get(None, held.id))
        return found is None or requests.stands(found, held)

    async def _is_alive(self) -> bool:
        """Whether the others hold this process for alive, after a new beat where that is open."""
        if self._pulse.is_fresh or await self._pulse.beat():
            return True
        self.let_go()
        return False

    async def _seen(self, run: ChatRun) -> ChatRun:
        """The run as it stands in the database, with this attempt."""
        found = await self._insist(lambda: self._runs.get(None, run.id))
        return run if found is None else found

    # --- patience --------------------------------------------------------------------------

    async def _insist(self, action: Callable[[], Awaitable[T]]) -> T:
        """Do it again while the database is locked, full or away.

        Raises:
            RunTakenOver: it stays so; the run is left where it is.
        """
        for pause in _PAUSES:
            try:
                with self._database.reported():
                    return await action()
            except StoreUnavailable as error:
                log.warning("The engine waits for its database: %s", error)
                await asyncio.sleep(pause)
        raise RunTakenOver

    def _interrupt(self, execution: Execution, why: type[RunInterrupted], patience: float) -> None:
        self._in_background(execution.interrupt(why, patience))

    def _in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Work that outlives its caller; the loop itself holds tasks by weak references only."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return task


def _objection(found: ChatRun | None, held: ChatRun) -> type[RunInterrupted] | None:
    """What a run's row says against an attempt; nothing where there is no row: its steps will."""
    if found is None:
        return None
    if not requests.stands(found, held):
        return RunTakenOver
    return RunCancelled if found.cancelled_by else None


async def _settled(
    tasks: set[asyncio.Task[Any]], seconds: float, unless: asyncio.Event | None = None
) -> None:
    """Wait for the tasks' end, for so long, or until `unless`."""
    if not tasks:
        return
    done = asyncio.ensure_future(asyncio.wait(tasks, timeout=seconds))
    broken_off = asyncio.ensure_future(unless.wait()) if unless else None
    both = {done} if broken_off is None else {done, broken_off}
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in both:
            each.cancel()
        await asyncio.gather(*both, return_exceptions=True)


def _sent(connection: sa.Connection, run_id: str) -> int:
    """How many messages of the run arrived: who brings one more out gets further, too."""
    mine = outbox.c.run_id == run_id, outbox.c.state == "sent"
    return connection.scalar(sa.select(sa.func.count()).select_from(outbox).where(*mine)) or 0


def _is_young(run: ChatRun) -> bool:
    """Whether it is worth waiting for what keeps the run from its outcome."""
    age = now() - (run.accepted_at or now())
    return age.total_seconds() < RUN_PATIENCE_SECONDS
