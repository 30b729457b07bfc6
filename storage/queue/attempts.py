"""Record a run's attempts and its end in its row.

Only whoever is still at the run may change it.
"""

from typing import Final, NamedTuple

import sqlalchemy as sa

from masis.conversation import OPEN, ChatRun, RunStatus
from masis.errors import RunTakenOver
from masis.policy import RUN_ATTEMPTS
from storage import checkpoint_rows
from storage.admission.acceptance import let_through
from storage.admission.quota_settings import Limits
from storage.chat import requests
from storage.documents import attached_rows
from storage.durable.workflows import Workflows
from storage.sql.database import Database
from storage.sql.exclusive import take_admission_lock
from storage.sql.tables import outbox

LAST_WORD: Final = RUN_ATTEMPTS + 1
"""The attempt in which a handler only says that it gave up."""
LAST_TRY: Final = LAST_WORD + 6
"""An apology does nothing that could kill its process: what breaks it off is something else."""


class Next(NamedTuple):
    """A run's next attempt: the row as it is, and as it is to be."""

    before: ChatRun
    after: ChatRun


class Attempts:
    """Each call is a transaction, and may be made again where its outcome was not heard."""

    def __init__(self, database: Database, workflows: Workflows, limits: Limits) -> None:
        self._database = database
        self._runs = requests.ChatRuns(database)
        self._workflows = workflows
        self._limits = limits

    async def next(self, run_id: str) -> Next | None:
        """The attempt that comes, from the last finished step on; None when nothing is to be done."""

        def look(connection: sa.Connection) -> tuple[ChatRun | None, int]:
            run = requests.find(connection, run_id)
            is_new = run is None or run.attempt == 0
            return run, 0 if is_new else _sent(connection, run_id)

        run, steps = await self._database.inspect(look)
        if run is None:  # its workspace was deleted, and others may have waited for it
            await self._database.transact(self._let_through)
        if run is None or run.status not in OPEN:
            return None
        if run.attempt > 0:  # how far a first one got is looked up by the second
            steps += await self._workflows.steps(run_id)
        # Who got further and was broken off all the same has tried the step that comes now once.
        before = min(run.attempt, 1) if steps > run.steps else run.attempt
        changed = {"status": "running", "attempt": before + 1, "steps": steps}
        return Next(run, run.model_copy(update=changed))

    async def begin(self, coming: Next) -> ChatRun | None:
        """Count the attempt, once however often it is asked for; None when the run has ended.

        Raises:
            RunTakenOver: another process is at it.
        """
        before, after = coming

        def count(connection: sa.Connection) -> tuple[bool, ChatRun | None]:
            counted = requests.mark(
                connection,
                after.id,
                "running",
                attempt=after.attempt,
                steps=after.steps,
                held=before,
            )
            return counted, requests.find(connection, after.id)

        counted, run = await self._database.transact(count)
        if run is None or run.status not in OPEN:
            return None
        if counted or await self._was_counted(run, after):
            return run
        raise RunTakenOver

    async def _was_counted(self, run: ChatRun, after: ChatRun) -> bool:
        """Say whether an earlier try already left the row as it is.

        Word of its commit was lost then.
        """
        return requests.is_unchanged(run, after) and await self._workflows.is_mine(run.id)

    async def end(self, run: ChatRun, status: RunStatus) -> None:
        """Note the end, let those through that waited for it, and forget what was kept for it alone.

        Raises:
            RunTakenOver: another process is at it.
        """

        def end(connection: sa.Connection) -> bool:
            take_admission_lock(connection)
            noted = requests.mark(connection, run.id, status, held=run)
            if noted and run.files:
                attached_rows.remove(connection, [run.id])
            if noted:
                checkpoint_rows.remove_ended(connection, run.id, run.session_id)
            self._let_through(connection)
            found = None if noted else requests.find(connection, run.id)
            return found is None or found.status not in OPEN

        if not await self._database.transact(end):
            raise RunTakenOver

    async def take_back(self, run: ChatRun) -> ChatRun:
        """Count an attempt no more that neither an error of the run nor a death ended."""
        less = run.attempt - 1
        await self._runs.mark(run.id, "queued", attempt=less, held=run)
        return run.model_copy(update={"status": "queued", "attempt": less})

    async def give_up(self, run: ChatRun) -> ChatRun:
        """Note that only an apology is left to do, whoever makes it.

        Raises:
            RunTakenOver: another process is at it.
        """
        if run.attempt >= LAST_WORD:
            return run
        steps = await self._workflows.steps(run.id)

        def give_up(connection: sa.Connection) -> ChatRun | None:
            # How far it got is noted, too: it is no reason to try again.
            reached = {"attempt": LAST_WORD, "steps": steps + _sent(connection, run.id)}
            late = run.model_copy(update=reached)
            if requests.mark(
                connection, run.id, "running", attempt=LAST_WORD, steps=late.steps, held=run
            ):
                return late
            found = requests.find(connection, run.id)
            return late if found is None or requests.is_unchanged(found, late) else None

        late = await self._database.transact(give_up)
        if late is None:
            raise RunTakenOver
        return late

    def _let_through(self, connection: sa.Connection) -> None:
        let_through(connection, self._workflows.enqueue, self._limits)


def _sent(connection: sa.Connection, run_id: str) -> int:
    """Count the messages of the run that arrived.

    An attempt that brings one more out gets further, too.
    """
    mine = outbox.c.run_id == run_id, outbox.c.state == "sent"
    return connection.scalar(sa.select(sa.func.count()).select_from(outbox).where(*mine)) or 0
