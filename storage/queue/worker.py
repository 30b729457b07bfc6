"""Bring each run that the queue gives to its end, in this process."""

import asyncio
import contextlib
import functools
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Literal, TypeVar

from masis.conversation import ChatRun, RunStatus
from masis.errors import (
    MasisError,
    RunCancelled,
    RunHeldUp,
    RunInterrupted,
    RunTakenOver,
    StoreUnavailable,
)
from masis.policy import RUN_ATTEMPTS, RUN_OUTAGE_SECONDS
from storage.admission.quota_settings import USUAL, Limits
from storage.chat import requests
from storage.durable.execution import Execution
from storage.durable.timeouts import LAST_WORD_SECONDS, Pauses, Timeouts, retry_on_outage
from storage.durable.workflows import Workflows
from storage.queue.attempts import LAST_TRY, LAST_WORD, Attempts, Next
from storage.queue.forgotten import Forgotten
from storage.queue.heartbeat import Heartbeat
from storage.queue.last_attempts import LastAttempts
from storage.queue.retries import Retries
from storage.sql.database import Database
from storage.sql.rows import now

log = logging.getLogger(__name__)

T = TypeVar("T")
Handler = Callable[[ChatRun], Awaitable[None]]
Takes = Callable[[ChatRun], bool]
_Mishap = Literal["broken off", "too long", "raised", "passing"]

_STOP_GRACE_SECONDS: Final = 2.0
_HURRIED_GRACE_SECONDS: Final = 0.2
_SWEEP_SECONDS: Final = 1.0
"""After a run's end, so that those that end meanwhile are looked at with it."""


class Worker:
    """The runs at work in this process. A run that is left where it is is found by `Failover`.

    What a run has is noted only as long as nobody else is at it: an attempt that was taken over
    ends without a word.
    """

    def __init__(
        self,
        database: Database,
        workflows: Workflows,
        heartbeat: Heartbeat,
        forgotten: Forgotten,
        timeouts: Timeouts,
        *,
        limits: Limits = USUAL,
    ) -> None:
        self._database = database
        self._runs = requests.ChatRuns(database)
        self._attempts = Attempts(database, workflows, limits)
        self._workflows = workflows
        self._heartbeat = heartbeat
        self._forgotten = forgotten
        self._timeouts = timeouts
        self._handler: Handler | None = None
        self._takes: Takes | None = None
        self._is_stopping = False
        self._working: dict[asyncio.Task[Any], str] = {}
        self._begun: set[str] = set()
        self._is_sweeping = False
        self._background: set[asyncio.Task[Any]] = set()
        self._running: dict[str, Execution] = {}
        self._pauses = Pauses()
        self._last_attempts = LastAttempts(self._pauses)
        self._retries = Retries(
            database,
            workflows,
            heartbeat,
            self._pauses,
            retry_seconds=timeouts.retry,
            is_alive=self._is_alive,
        )

    def begin(self, handler: Handler, takes: Takes | None) -> None:
        """Name who takes the runs to their outcomes, and of which runs that is true."""
        self._handler, self._takes = handler, takes

    # --- looked at from outside ------------------------------------------------------------

    def unknown(self, given: set[str]) -> set[str]:
        """Of the runs that were given to this process those that nobody here knows of."""
        return given - set(self._working.values()) - self._retries.runs

    def begun(self) -> set[str]:
        """The runs that came to work here since this was asked last."""
        begun, self._begun = self._begun, set()
        return begun

    def cancel(self, run_id: str) -> None:
        """Break a run off that is asked to end, where it is at work here."""
        self._pauses.cut(run_id)
        if (execution := self._running.get(run_id)) is not None:
            self._interrupt(execution, RunCancelled, self._timeouts.interrupt)

    def let_go(self) -> None:
        """Break everything off: it goes on elsewhere already."""
        for execution in self._running.values():
            self._interrupt(execution, RunTakenOver, 0)

    async def review(self) -> None:
        """Break off, or wake, what somebody in another process cancelled or took over."""
        before, waiting = dict(self._running), self._pauses.runs
        if not before and not waiting:
            return
        found = {run.id: run for run in await self._runs.of_ids({*before, *waiting})}
        for run_id in waiting:
            if run_id in found and found[run_id].cancelled_by:
                self._pauses.cut(run_id)
        for run_id, execution in before.items():
            why = _objection(found.get(run_id), execution.held)
            if why is None or execution.interrupted or self._running.get(run_id) is not execution:
                continue
            grace = self._timeouts.interrupt if why is RunCancelled else 0
            self._interrupt(execution, why, grace)

    async def stop(self, grace_seconds: float, hurry: asyncio.Event) -> None:
        """Begin nothing more, let what is at work finish for so long, break the rest off.

        With `hurry`, set before or meanwhile, nothing is waited for.
        """
        self._is_stopping = True
        self._pauses.end()
        await _settled({*self._working}, grace_seconds, unless=hurry)
        grace = _HURRIED_GRACE_SECONDS if hurry.is_set() else _STOP_GRACE_SECONDS
        for execution in self._running.values():
            self._interrupt(execution, RunTakenOver, min(self._timeouts.interrupt, grace))
        rest = self._background | self._retries.tasks
        await _settled({*self._working} | rest, 2 * grace)
        await _settled({*self._background}, grace)  # what those that ended last have begun

    # --- a run -----------------------------------------------------------------------------

    async def work(self, run_id: str) -> None:
        """The workflow. It ends with the run; raising `RunTakenOver` it stays where it is."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a workflow is a task
        self._working[task] = run_id
        self._begun.add(run_id)
        task.add_done_callback(lambda _: self._worked(task))
        self._retries.begun(run_id)
        if self._is_stopping:
            raise RunTakenOver
        coming = await self._retried(lambda: self._attempts.next(run_id))
        if coming is None:
            return
        async with contextlib.AsyncExitStack() as held:
            before = coming.before
            if before.attempt == RUN_ATTEMPTS - 1 and not before.cancelled_by:
                await held.enter_async_context(self._last_attempts.alone(run_id))
                coming = await self._retried(lambda: self._attempts.next(run_id))
            if coming is not None:
                await self._work(run_id, coming)

    def _worked(self, task: asyncio.Task[Any]) -> None:
        """The engine has noted the workflow's end: what had to wait for it can be forgotten."""
        del self._working[task]
        if not self._is_sweeping:
            self._is_sweeping = True
            self._in_background(self._sweep())

    async def _sweep(self) -> None:
        """Forget once for all that end meanwhile; a stop waits for nothing but the sweep."""
        try:
            await self._pauses.wait(_SWEEP_SECONDS)
        finally:
            self._is_sweeping = False
        await self._retried(self._forgotten.sweep)

    async def _work(self, run_id: str, coming: Next) -> None:
        if self._is_stopping:
            raise RunTakenOver
        run = await self._begin(run_id, coming)
        if run is None:
            return
        try:
            run, status = await self._to_end(run)
        except RunTakenOver:
            await self._give_back(run)
            raise
        if status is None:
            self._retries.queue_later(run)
            raise RunTakenOver
        self._retries.ended(run.id)
        await self._retried(lambda: self._attempts.end(run, status))

    async def _begin(self, run_id: str, coming: Next) -> ChatRun | None:
        """Count the attempt; None when there is nothing to do.

        Raises:
            RunTakenOver: another process is at it, or the run is not for this one.
        """
        if self._takes is not None and not self._takes(coming.before):
            self._retries.hand_back(run_id)
            raise RunTakenOver

        async def begin() -> ChatRun | None:
            if not await self._is_alive():
                raise RunTakenOver
            return await self._attempts.begin(coming)

        return await self._retried(begin)

    async def _to_end(self, run: ChatRun) -> tuple[ChatRun, RunStatus | None]:
        """Take the run to its end, whose kind it gives; None when it is to be tried again.

        The run is given as it stands by then.

        Raises:
            RunTakenOver: it goes on elsewhere, or at the next start.
        """
        if run.attempt > LAST_TRY:
            return run, "failed"  # not even the apology was survived
        given_up: RunStatus = "failed"
        end = await self._attempt(run, run, self._timeouts.attempt)
        if end == "broken off":
            given_up = "cancelled"
            end = await self._attempt(run, await self._seen(run), LAST_WORD_SECONDS)
        elif end == "too long":
            late = await self._retried(functools.partial(self._attempts.give_up, run))
            run, end = late, await self._attempt(late, late, LAST_WORD_SECONDS)
        match end:
            case "passing":
                return await self._retried(functools.partial(self._attempts.take_back, run)), None
            case "broken off" | "too long" | "raised":
                return run, None if run.attempt < LAST_TRY else given_up
            case status:
                return run, status

    async def _attempt(self, held: ChatRun, run: ChatRun, seconds: float) -> RunStatus | _Mishap:
        """Hand the run over, for so long. `held` is what the database says of it."""
        try:
            async with asyncio.timeout(seconds) as limit:
                # What the engine itself could not write comes as the driver's own error.
                with self._database.reported():
                    return await self._handled(held, run)
        except RunCancelled:
            return "broken off"
        except (Exception, RunHeldUp) as error:
            if isinstance(error, TimeoutError) and limit.expired():
                log.warning("run %s took too long", run.id)
                return "too long"
            # Whatever it was, the one who asked is owed an outcome.
            if isinstance(error, RunHeldUp):
                log.warning("run %s is held up in attempt %d", run.id, run.attempt)
            else:
                log.exception("run %s failed in attempt %d", run.id, run.attempt)
            return "passing" if _is_outage(error) and _is_young(held) else "raised"

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
        if run.cancelled_by or (execution.is_raised and execution.interrupted is RunCancelled):
            return "cancelled"
        return "finished" if run.attempt < LAST_WORD else "failed"

    async def _call(self, run: ChatRun) -> None:
        assert self._handler is not None  # noqa: S101 - set by `begin`
        await self._handler(run)

    async def _give_back(self, run: ChatRun) -> None:
        """An attempt that this process's own end broke off does not count."""
        if not self._is_stopping:
            return
        with contextlib.suppress(StoreUnavailable):
            await self._attempts.take_back(run)

    # --- whose the run is ------------------------------------------------------------------

    async def _objection(self, held: ChatRun, run: ChatRun) -> type[RunInterrupted] | None:
        """Why the run's next step is not to be done.

        Somebody's cancel or takeover is seen by `review`, as often as the process beats; only where
        its heartbeat is not fresh the row is asked first.
        """
        if run.cancelled_by:
            return RunCancelled
        if self._heartbeat.is_fresh:
            return None
        with contextlib.suppress(StoreUnavailable):
            return _objection(await self._runs.get(None, held.id), held)
        return None

    async def _is_ours(self, held: ChatRun) -> bool:
        """Say whether nobody else can be at the run. The database is asked only in doubt."""
        if self._heartbeat.is_fresh:
            return True
        if not await self._retried(self._is_alive):
            return False
        found = await self._retried(lambda: self._runs.get(None, held.id))
        return found is None or requests.is_unchanged(found, held)

    async def _is_alive(self) -> bool:
        """Say whether the others hold this process for alive.

        Where that is open, a new heartbeat is sent first.
        """
        if self._heartbeat.is_fresh or await self._heartbeat.beat():
            return True
        self.let_go()
        return False

    async def _seen(self, run: ChatRun) -> ChatRun:
        """The run as it stands in the database, with this attempt."""
        found = await self._retried(lambda: self._runs.get(None, run.id))
        return run if found is None else found

    # --- tasks -----------------------------------------------------------------------------

    async def _retried(self, action: Callable[[], Awaitable[T]]) -> T:
        return await retry_on_outage(self._database, action)

    def _interrupt(self, execution: Execution, why: type[RunInterrupted], grace: float) -> None:
        self._in_background(execution.interrupt(why, grace))

    def _in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Work that outlives its caller; the loop itself holds tasks by weak references only."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return task


def _objection(found: ChatRun | None, held: ChatRun) -> type[RunInterrupted] | None:
    """Return what a run's row says against an attempt.

    Without a row that is nothing, as its steps will say it.
    """
    if found is None:
        return None
    if not requests.is_unchanged(found, held):
        return RunTakenOver
    return RunCancelled if found.cancelled_by else None


def _is_outage(error: BaseException) -> bool:
    """Say whether an error is none of the run's.

    What is away comes back, and a full disk is emptied.
    """
    if isinstance(error, (RunHeldUp, StoreUnavailable)):
        return True
    return isinstance(error, MasisError) and error.retryable


def _is_young(run: ChatRun) -> bool:
    """Say whether it is worth waiting for what keeps the run from its outcome."""
    age = now() - (run.accepted_at or now())
    return age.total_seconds() < RUN_OUTAGE_SECONDS


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
