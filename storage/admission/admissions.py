"""Stores requests together: one transaction, and one wait for the disk, for all that are there."""

import asyncio
import datetime as dt
import threading
from collections import deque
from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa

from masis.conversation import Acceptance, ChatRun
from masis.errors import StoreUnavailable
from storage.admission.acceptance import Enqueue, admit
from storage.admission.quota_settings import USUAL, Limits
from storage.sql import postgres_errors
from storage.sql.database import Database
from storage.sql.exclusive import locked_away, take_admission_lock
from storage.sql.moments import instant

_Result = Acceptance | BaseException

TOGETHER: Final = 32
"""Requests in one transaction. The disk's part of each is small by then, and others write too."""
_WAITING: Final = 1_000
"""Requests that wait for a transaction; more than can be stored within an acceptance's time."""
_STEP: Final = dt.timedelta(microseconds=1)
"""Between requests that are stored together, so that they stay in order."""
_COMMIT_SECONDS: Final = 0.5
"""For a commit that is under way when the time is up: what it comes to is worth more than that."""


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
        self._storing: asyncio.Task[None] | None = None
        # Between the loop, where callers stop waiting, and the thread that is about to commit.
        self._deciding = threading.Lock()

    async def accept(self, run: ChatRun) -> Acceptance:
        """Store the request with those that wait at the same time; each has its own result.

        Raises:
            StoreUnavailable: the database is locked or gone, or took too long; nothing was stored,
                unless the message says that this is not known.
            UnknownWorkspace: its tenant has no such workspace.
        """
        if len(self._waiting) >= _WAITING:
            raise _unavailable()
        request = _Request(run)
        self._waiting.append(request)
        if self._storing is None or self._storing.done():
            self._storing = asyncio.create_task(self._store_all())
        try:
            await asyncio.wait({request.result}, timeout=self._seconds)
        finally:
            withdrawn = not request.result.done() and self._withdraw(request)
        if withdrawn:
            raise _unavailable()
        await asyncio.wait({request.result}, timeout=_COMMIT_SECONDS)
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
        batch: list[_Request] = []
        while self._waiting and len(batch) < TOGETHER:
            batch += _still_wanted([self._waiting.popleft()])
        return batch

    async def _store(self, batch: "list[_Request]") -> None:
        """Store the requests in one transaction; one that breaks it hurts none of the others."""
        transaction = self._database.transact(lambda sync: self._admit(sync, batch), urgent=True)
        done = (await asyncio.gather(transaction, return_exceptions=True))[0]
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
        transaction = self._database.transact(lambda sync: self._admit(sync, batch), urgent=True)
        done = (await asyncio.gather(transaction, return_exceptions=True))[0]
        results: Sequence[_Result]
        results = done if isinstance(done, list) else [_unknown()] * len(batch)
        for request, result in zip(batch, results, strict=True):
            request.settle(request.looked_into(result))

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


class _Request:
    """A request and what became of it."""

    def __init__(self, run: ChatRun) -> None:
        self.run = run
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
