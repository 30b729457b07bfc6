"""Makes each node of a graph a step of the durable run that it is part of."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import dbos
from langgraph.runtime import Runtime

from masis.errors import MasisError, RunCancelled, RunHeldUp, RunTakenOver, StoreUnavailable
from masis.graphs.codec import chunk_ids, decode_error, encode_error
from masis.graphs.common import AnyGraph, Node, Stored, Update, Wrap
from masis.ports import Repository
from masis.retrieval.evidence import unscored
from storage.durable.execution import Execution, current
from storage.durable.outages import Outages
from storage.sql.unavailable import is_outage

log = logging.getLogger(__name__)


def durable(graph: AnyGraph, repository: Repository) -> Wrap:
    """Make what goes around a graph's nodes, so that a finished one is not run again after a crash.

    Outside of a durable run its nodes are the bare ones. The texts of evidence are read from
    `repository` when a step is replayed.
    """
    outages = Outages()

    def wrap(name: str, node: Node) -> Node:
        async def step(state: Any, runtime: Runtime[Any]) -> Any:
            execution = current()
            if execution is None:
                return await node(state, runtime)
            done = _Step(graph, execution, repository, lambda: node(state, runtime), outages)
            return await done.run(name)

        return step

    return wrap


class StepFailed(Exception):
    """A step failed in a way that nobody planned; only the name of its error is kept."""


class _Step:
    """One step: done and written down, or read back when it was done before a crash."""

    def __init__(
        self,
        graph: AnyGraph,
        execution: Execution,
        repository: Repository,
        work: Callable[[], Awaitable[Any]],
        outages: Outages,
    ) -> None:
        self._graph = graph
        self._execution = execution
        self._repository = repository
        self._work = work
        self._outages = outages
        self._update: Update | None = None
        self._error: Exception | None = None

    async def run(self, name: str) -> Update:
        """The node's update.

        Raises:
            RunInterrupted: the run is not to go on here, or not now.
            MasisError: the node's own, also when it is read back.
        """
        stored = await self._stored(name)
        if self._error is not None:
            raise self._error
        if self._update is not None:
            return self._update
        if "error" in stored:
            raise decode_error(stored["error"])
        try:
            evidence = await self._evidence(chunk_ids(stored))
        except StoreUnavailable as error:
            self._hold_up(error)
            raise
        return self._graph.decode(stored, evidence)

    async def _stored(self, name: str) -> Stored:
        try:
            # Without arguments: DBOS shows those of a step that was broken off in its log.
            return await dbos.DBOS.run_step_async({"name": name}, self._do)
        except dbos.error.DBOSWorkflowCancelledError as error:
            raise RunCancelled from error
        except dbos.error.DBOSWorkflowConflictIDError as error:
            raise RunTakenOver from error
        except Exception as error:
            # The engine hands on whatever its driver or the step raised: sorted here, never kept.
            if self._execution.interrupted is not None:
                # What fails while the process shuts down is no failure of the run.
                raise self._execution.interrupted from error
            if isinstance(error, StepFailed) and self._error is not None:
                raise self._error from None
            if is_outage(error):  # of the engine's own statement: the node's errors are in `_do`
                raise RunHeldUp from error
            raise

    async def _do(self) -> Stored:
        try:
            self._update = dict(await self._execution.step(self._work))
        except MasisError as error:
            self._hold_up(error)  # nothing is written down then, and the step is done again
            self._error = error
            return {"error": encode_error(error)}
        except Exception as error:
            # DBOS keeps the words of an error, and these may quote a document.
            self._error = error
            raise StepFailed(type(error).__name__) from error
        self._outages.are_over(self._execution.held.id)
        return self._graph.encode(self._update)

    def _hold_up(self, error: MasisError) -> None:
        """Leave the step for later where its failure may pass.

        Raises:
            RunHeldUp: it may.
        """
        run_id = self._execution.held.id
        if self._outages.is_waited_for(run_id, error):
            log.warning("run %s waits: %s", run_id, error)
            raise RunHeldUp(str(error)) from error
        self._outages.are_over(run_id)

    async def _evidence(self, ids: list[str]) -> dict[str, Any]:
        if not ids:
            return {}
        found = await self._repository.chunks(self._execution.workspace_id, ids)
        return {name: unscored(chunk, document) for name, (chunk, document) in found.items()}
