"""Stores requests together: one transaction, and one wait for the disk, for all that are there.

Those that come meanwhile wait in a queue, first come first served: who is let in is expected to be
stored in time, so that another order would only let some overtake others. Who would come too late,
by what the latest transactions took, is turned away at the door and costs the database nothing.
"""

import asyncio
import datetime as dt
import math
import threading
from collections import deque
from collections.abc import Sequence
from time import monotonic
from typing import Final

import sqlalchemy as sa

from masis.conversation import Acceptance, ChatRun
from masis.errors import StoreUnavailable, TooBusy
from storage.admission.acceptance import Enqueue, admit
from storage.admission.quota_settings import USUAL, Limits
from storage.sql import postgres_errors
from storage.sql.database import Database
from storage.sql.exclusive import locked_away, take_admission_lock
from storage.sql.moments import instant

_Result = Acceptance | BaseException

TOGETHER: Final = 32
"""Requests in one transaction. The disk's part of each is small by then, and others write too."""
_AT_FIRST: Final = 8
"""Requests in the first transaction, while nobody knows how long they take here. It is doubled after
one that was quick, and halved after one that was slow: all of it has to be over in time."""
_QUICK: Final = 0.25
_SLOW: Final = 0.5
"""Shares of a request's time that a transaction takes."""
_WAITING: Final = 1_000
"""Requests that wait for a transaction; more than can be stored within an acceptance's time."""
_STEP: Final = dt.timedelta(microseconds=1)
"""Between requests that are stored together, so that they stay in order."""
_COMMIT_SECONDS: Final = 0.5
"""For a transaction that is under way when the time is up: what it comes to is worth more than that,
and to leave one request out is to store all the others of it again."""
_PROMISED: Final = 0.7
"""The share of its time that a request may be expected to take when it is let in."""
_SINGLES: Final = 8
"""What a transaction says of the next ones counts by its requests: eight count a half. One alone
pays for the whole commit, which many share."""


class Admissions:
    """Takes each request in within its time, or tells its caller that nothing was stored."""

    def __init__(
        self, database: Database, enqueue: Enqueue, *, seconds: float, limits: Limits = USUAL
    ) -> None:
        self._database = database
        self._enqueue = enqueue
        self._limits = limits
        self._seconds = seconds
        self._waiting: deque[_Request] = deque()
        self._pace = _Pace()
        self._together = _AT_FIRST
        self._storing_now = 0
        """Requests of the transaction that is under way."""
        self._storing: asyncio.Task[None] | None = None
        # Between the loop, where callers stop waiting, and the thread that is about to commit.
        self._deciding = threading.Lock()

    async def accept(self, run: ChatRun, *, seconds: float | None = None) -> Acceptance:
        """Store the request with those that wait at the same time; each has its own result.

        Raises:
            TooBusy: too many wait before it; nothing was asked of the database.
            StoreUnavailable: the database is locked or gone, or took too long; nothing was stored,
                unless the message says that this is not known.
            UnknownWorkspace: its tenant has no such workspace.
        """
        seconds = self._seconds if seconds is None else seconds
        if not self._has_room(seconds):
            raise _too_busy()
        request = _Request(run, seconds)
        self._waiting.append(request)
        if self._storing is None or self._storing.done():
            self._storing = asyncio.create_task(self._store_all())
        try:
            await asyncio.wait({request.result}, timeout=seconds)
            if request.is_being_stored:
                await asyncio.wait({request.result}, timeout=_COMMIT_SECONDS)
        finally:
            withdrawn = not request.result.done() and self._withdraw(request)
        if withdrawn:
            raise self._why_late(request)
        if not request.result.done():
            raise _unknown()
        result = request.result.result()
        if isinstance(result, BaseException):
            raise result
        return result

    async def close(self, seconds: float) -> None:
        """Wait for what is being stored, for so long."""
        if self._storing is not None:
            await asyncio.wait({self._storing}, timeout=seconds)

    # --- whether there is time -------------------------------------------------------------

    def _has_room(self, seconds: float) -> bool:
        """Say whether one more is expected to be stored in time; the first one always is tried."""
        before = len(self._waiting) + self._storing_now
        is_early = self._pace.seconds(before + 1) <= _PROMISED * seconds
        return before < _WAITING and (is_early or not before)

    def _why_late(self, request: "_Request") -> StoreUnavailable:
        """Tell a database that stands still from one that was busy with others."""
        waited_for_others = self._pace.noted_at > request.came
        return _too_busy() if waited_for_others and not request.is_being_stored else _unavailable()

    # --- whether it is stored --------------------------------------------------------------

    def _withdraw(self, request: "_Request") -> bool:
        """Leave the request out; False when it is being committed, and may be stored."""
        with self._deciding:
            request.is_withdrawn = not request.is_committing
            return request.is_withdrawn

    def _commit(self, batch: "list[_Request]") -> None:
        """From here on nobody is told that nothing was stored.

        Raises:
            _Withdrawn: somebody was.
        """
        with self._deciding:
            if any(request.is_withdrawn for request in batch):
                raise _Withdrawn
            for request in batch:
                request.is_committing = True

    # --- storing ---------------------------------------------------------------------------

    async def _store_all(self) -> None:
        """Store what waits, the oldest first, until nothing does."""
        while batch := self._next():
            await self._store(batch)

    def _next(self) -> "list[_Request]":
        """Take those that are stored next, and turn away whose time is not enough for that.

        The last one is always tried: it tells how long things take now.
        """
        waiting = self._waiting
        ends = monotonic() + self._pace.seconds(min(len(waiting), self._together))
        batch: list[_Request] = []
        while waiting and len(batch) < self._together:
            request = waiting.popleft()
            if request.is_withdrawn:
                continue
            if request.due < ends and waiting:
                request.settle(_too_busy())
            else:
                request.is_being_stored = True
                batch.append(request)
        return batch

    async def _store(self, batch: "list[_Request]") -> None:
        """Store the requests in one transaction; one that breaks it hurts none of the others."""
        done = await self._transact(batch)
        if isinstance(done, list):
            for request, result in zip(batch, done, strict=True):
                request.settle(result)
        elif isinstance(done, _Withdrawn):
            if remaining := _still_wanted(batch):
                await self._store(remaining)
        elif isinstance(done, StoreUnavailable) and done.retryable and batch[0].is_committing:
            await self._look_into(batch)
        elif len(batch) == 1 or (isinstance(done, StoreUnavailable) and not _is_one_s_own(done)):
            for request in batch:
                request.settle(done)
        else:
            for request in batch:
                if not request.is_withdrawn:  # while those before it were waited for
                    await self._store([request])

    async def _look_into(self, batch: "list[_Request]") -> None:
        """Store once more what may be stored: the connection was lost after the word to commit."""
        done = await self._transact(batch)
        results: Sequence[_Result]
        results = done if isinstance(done, list) else [_unknown()] * len(batch)
        for request, result in zip(batch, results, strict=True):
            request.settle(request.looked_into(result))

    async def _transact(self, batch: "list[_Request]") -> list[_Result] | BaseException:
        self._storing_now, begun = len(batch), monotonic()
        transaction = self._database.transact(lambda sync: self._admit(sync, batch), urgent=True)
        done = (await asyncio.gather(transaction, return_exceptions=True))[0]
        self._learn(len(batch), monotonic() - begun)
        self._storing_now = 0
        return done

    def _learn(self, requests: int, seconds: float) -> None:
        """Decide how many are stored together next, by a transaction whatever it came to."""
        self._pace.note(requests, min(seconds, self._seconds))
        if seconds > _SLOW * self._seconds:
            self._together = max(self._together // 2, 1)
        elif seconds < _QUICK * self._seconds:
            self._together = min(self._together * 2, TOGETHER)

    def _admit(self, connection: sa.Connection, batch: "list[_Request]") -> list[_Result]:
        take_admission_lock(connection)
        closed = locked_away(connection, {request.run.workspace_id for request in batch})
        moment = instant(connection)
        results: list[_Result] = [
            _unavailable()
            if request.run.workspace_id in closed
            else admit(
                connection, request.run, moment + position * _STEP, self._enqueue, self._limits
            )
            for position, request in enumerate(batch)
        ]
        self._commit(batch)
        for request, result in zip(batch, results, strict=True):
            if isinstance(result, Acceptance):
                request.promised = request.promised or result
        return results


class _Pace:
    """How long transactions take for each of their requests, by the latest ones."""

    def __init__(self) -> None:
        self._each = 0.0
        self.noted_at = -math.inf
        """When the latest one ended."""

    def note(self, requests: int, seconds: float) -> None:
        """Learn from a transaction, whatever it came to."""
        self._each += requests / (requests + _SINGLES) * (seconds / requests - self._each)
        self.noted_at = monotonic()

    def seconds(self, requests: int) -> float:
        """Return how long so many are expected to take."""
        return requests * self._each


class _Request:
    """A request and what became of it. `due` is when its time is up, by the monotonic clock."""

    def __init__(self, run: ChatRun, seconds: float) -> None:
        self.run = run
        self.came = monotonic()
        self.due = self.came + seconds
        self.is_being_stored = False
        """Whether a transaction was begun with it."""
        self.is_withdrawn = False
        self.is_committing = False
        self.promised: Acceptance | None = None
        """What the first commit would come to, or has come to."""
        # An error is a result here: nobody has to fetch it where the caller is gone.
        self.result: asyncio.Future[_Result]
        self.result = asyncio.get_running_loop().create_future()

    def settle(self, result: _Result) -> None:
        """Tell who waits what became of it; a crash right before is one that chaos makes."""
        self.result.set_result(result)

    def looked_into(self, result: _Result) -> _Result:
        """Return what to tell the caller when the first commit's outcome was not known."""
        if isinstance(result, Acceptance):
            return (result.state == "duplicate" and self.promised) or result
        return result if self.promised is None else _unknown()


class _Withdrawn(Exception):
    """Somebody was told that nothing was stored, while it was about to be."""


def _is_one_s_own(error: StoreUnavailable) -> bool:
    """Say whether one request alone may have waited for a row, or taken too long."""
    return postgres_errors.state(getattr(error.__cause__, "orig", None)) in {"55P03", "57014"}


def _still_wanted(batch: list[_Request]) -> list[_Request]:
    return [request for request in batch if not request.is_withdrawn]


def _too_busy() -> TooBusy:
    return TooBusy("Too many requests came at once and nothing was stored. Ask again.")


def _unavailable() -> StoreUnavailable:
    error = StoreUnavailable(
        "The database did not answer in time and nothing was stored. Ask again."
    )
    error.retryable = True
    return error


def _unknown() -> StoreUnavailable:
    error = StoreUnavailable(
        "The database did not say in time whether the question was stored. If no answer comes, ask"
        " again."
    )
    error.retryable = True
    return error
