"""One accepted request, from its start to its one visible outcome. The run engine calls it."""

import asyncio
import contextlib
import datetime as dt
import logging
from collections.abc import Mapping
from typing import Final

from bot.chat.surface import Denial, Ending, EndingKind, Shown, Surface
from bot.chat.wanted_files import WantedFiles
from bot.chat.words.suggested_replies import suggestions
from masis.answering.outcome_texts import below_nearest
from masis.assistant import Assistant, Finished
from masis.codelists.code_list import KIND_FIELD
from masis.conversation import ChatRun, Link, Session, Spot, session_id
from masis.documents.attaching import Attaching, Files
from masis.documents.ingestion import Ingest, IngestResult
from masis.domain import WITHOUT_REPLY, NeedsClarification, Workspace
from masis.errors import DocumentRefused, LinkChanged, MasisError, RunCancelled, StoreUnavailable
from masis.failures import NO_WORKSPACE, sentence_of
from masis.graphs.registry import GRAPHS
from masis.policy import (
    CLARIFICATION_HOURS,
    DEFAULT_MAX_RETRIES,
    RUN_ATTEMPTS,
    RUN_LIMIT_SECONDS,
)
from masis.ports import Repository
from masis.runs import OnStep, first_step
from masis.spending import Payer, paid_by
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions

log = logging.getLogger(__name__)

GAVE_UP: Final = (
    f"I tried this {RUN_ATTEMPTS} times and broke off each time. I am sorry. Ask again in another"
    " way, and tell the operator this id: {run}"
)
TOOK_TOO_LONG: Final = "This took longer than ten minutes, so I stopped. Ask again in a while."
NOT_SHOWN: Final = "This question could not be answered here. Ask again."
BROKEN_OFF: Final = "It was broken off. Ask again."
READING: Final = "reading “{name}”"

_SAID_AT_ONCE: Final = frozenset({"refused", "failed", "stopped"})
"""Ends that nothing is worked out for; the others are shown by going through the run again."""
_KINDS: Final[Mapping[str, EndingKind]] = {
    "success": "answer",
    "needs_clarification": "clarification",
}
"""As what the research's statuses are shown; every other one is a failure."""
_ADMISSIONS: Final = 3
"""Of an outcome whose link changes each time between its admission and its post, in one attempt."""


class Background:
    """Takes a run to its outcome: an answer, a clarification, a refusal or an error, shown once.

    It may be called again for a run that was broken off at any point. Without `sessions` nobody can
    reply where it was asked: what is asked back waits for nothing.
    """

    def __init__(
        self,
        *,
        assistant: Assistant,
        ingest: Ingest,
        attaching: Attaching | None = None,
        repository: Repository,
        sessions: Sessions | None,
        runs: ChatRuns,
        surface: Surface,
        wanted: WantedFiles,
        clarification_hours: float = CLARIFICATION_HOURS,
        limit_seconds: float = RUN_LIMIT_SECONDS,
        max_retries: int = DEFAULT_MAX_RETRIES,
    ) -> None:
        self._assistant = assistant
        self._ingest = ingest
        self._attaching = attaching
        self._repository = repository
        self._sessions = sessions
        self._runs = runs
        self._surface = surface
        self._wanted = wanted
        self._clarification_lifetime = dt.timedelta(hours=clarification_hours)
        self._limit_seconds = limit_seconds
        self._max_retries = max_retries

    async def __call__(self, run: ChatRun) -> Shown | None:
        """Do the run, or what is left of it; gives what is shown now, None where nothing was left."""
        before = await self._surface.ending(run)
        if before is not None and before.kind in _SAID_AT_ONCE:
            return None if before.posted else await self._say_again(run, before)
        is_shown = before is not None and before.posted
        if run.attempt > RUN_ATTEMPTS and not is_shown:
            return await self._fail(run, GAVE_UP.format(run=run.id))
        # An answer that was begun to be posted goes on; whether it may be shown was decided.
        admitted = None if before else await self._surface.admit(run)
        denial = admitted if isinstance(admitted, Denial) else None
        opened = denial or await self._surface.open(run)
        if isinstance(opened, Denial):
            # A question back that was begun to be posted may be there, and takes its reply.
            return await (self._refuse if before else self._withhold)(run, opened)
        try:
            async with asyncio.timeout(self._limit_seconds):
                with paid_by(_payer(run)):
                    return await self._work(opened, decided=before is not None)
        except RunCancelled:
            return await self._stop(await self._as_stored(opened))
        except TimeoutError:
            return await self._fail(opened, TOOK_TOO_LONG)

    async def _say_again(self, run: ChatRun, before: Ending) -> Shown:
        """Say an end once more that may not have arrived."""
        match before.kind:
            case "refused":
                return await self._refuse(run, Denial(reason=NOT_SHOWN, private=False))
            case "stopped":
                return await self._stop(run)
            case _:
                return await self._fail(run, BROKEN_OFF)

    async def _withhold(self, run: ChatRun, denial: Denial) -> Shown:
        """Refuse a run of which nothing was posted; its session was opened before its question."""
        if self._sessions is not None:
            await self._sessions.cancel(run.tenant, session_id(run.id), by="")
        return await self._refuse(run, denial)

    async def _refuse(self, run: ChatRun, denial: Denial) -> Shown:
        await self._surface.refuse(run, denial)
        return Shown("refused")

    async def _stop(self, run: ChatRun) -> Shown:
        await self._surface.stopped(run)
        return Shown("stopped")

    async def _fail(self, run: ChatRun, error: str) -> Shown:
        await self._surface.fail(run, error)
        return Shown("failed")

    async def _work(self, run: ChatRun, *, decided: bool) -> Shown:
        workspace = await self._repository.workspace_by_id(run.workspace_id)
        if run.cancelled_by and not decided:
            return await self._stop(run)
        if workspace is None:
            return await self._refuse(run, Denial(reason=NO_WORKSPACE, private=False))
        if run.kind == "upload":
            await self._surface.ingested(run, workspace, await self._put_in(run, workspace))
            return Shown("report")
        return await self._answer(run, workspace, decided=decided)

    async def _answer(self, run: ChatRun, workspace: Workspace, *, decided: bool) -> Shown:
        try:
            async with self._surface.progress(run) as on_step:
                await self._attach(run, workspace, on_step)
                finished = await self._assistant.ask(
                    workspace,
                    run.asked,
                    graph=run.graph,
                    run_id=run.id,
                    max_retries=(self._max_retries if run.max_retries is None else run.max_retries),
                    wider=run.wider,
                    parent_run_id=run.parent_run_id,
                    thread=_thread(run),
                    heard=run.heard,
                    mode=run.mode,
                    on_step=on_step,
                )
        except StoreUnavailable:
            raise  # what came of it is not kept yet: the engine waits for the database
        except MasisError as error:
            log.warning("run %s failed: %s: %s", run.id, type(error).__name__, error)
            return await self._fail(run, sentence_of(error, run.id))
        if decided:
            return await self._show(run, finished, None)
        for _ in range(_ADMISSIONS - 1):
            with contextlib.suppress(LinkChanged):
                return await self._show_admitted(run, finished)
        return await self._show_admitted(run, finished)

    async def _show_admitted(self, run: ChatRun, finished: Finished) -> Shown:
        """Show an outcome if it may be shown by now: the link may have changed meanwhile.

        Raises:
            LinkChanged: it changed once more in between.
        """
        admitted = await self._surface.admit(run)
        if isinstance(admitted, Denial):
            return await self._withhold(run, admitted.model_copy(update={"private": False}))
        return await self._show(run, finished, admitted)

    async def _show(self, run: ChatRun, finished: Finished, link: Link | None) -> Shown:
        session = await self._session(run, finished)
        await self._surface.show(run, finished, session, link)
        return Shown(_KINDS.get(finished.status, "failed"), finished)

    async def _attach(self, run: ChatRun, workspace: Workspace, on_step: OnStep) -> None:
        """Read the files that came with the question, before it is answered."""
        if self._attaching is None or not run.files:
            return
        graph = GRAPHS.get(run.graph)

        def on_file(name: str) -> None:
            if graph is not None:
                note = READING.format(name=name)
                on_step(first_step(graph).model_copy(update={"note": note}))

        files = await self._surface.files(run)
        await self._attaching.read(workspace, run.id, files, on_file)

    async def _as_stored(self, run: ChatRun) -> ChatRun:
        """The run with who cancelled it, and with its thread."""
        stored = await self._runs.get(run.tenant, run.id)
        return run if stored is None else stored.model_copy(update={"thread": run.thread})

    async def _session(self, run: ChatRun, finished: Finished) -> Session | None:
        """Open the session that waits for the reply.

        It is stored before the question is asked, since a reply may be quick.
        """
        outcome = finished.outcome
        if self._sessions is None or not isinstance(outcome, NeedsClarification):
            return None
        if outcome.kind in WITHOUT_REPLY:
            return None
        now = dt.datetime.now(dt.UTC)
        session = Session(
            id=session_id(run.id),
            tenant=run.tenant,
            channel=run.channel,
            thread=run.thread,
            asker=run.asker,
            kind=outcome.kind,
            run_id=run.id,
            workspace_id=run.workspace_id,
            question=outcome.understood or run.query,
            clarification=below_nearest(outcome.nearest, outcome.clarification_question),
            suggestions=suggestions(outcome, finished.figures),
            created_at=now,
            expires_at=now + self._clarification_lifetime,
        )
        return await self._sessions.open(session)

    async def _put_in(self, run: ChatRun, workspace: Workspace) -> list[IngestResult]:
        files = await self._surface.files(run)
        results: list[IngestResult] = []
        for position in range(len(files.names)):
            await self._surface.uploading(run, workspace, files.names, results)
            results.append(await self._put_one_in(run, workspace, files, position))
        return results

    async def _put_one_in(
        self, run: ChatRun, workspace: Workspace, files: Files, position: int
    ) -> IngestResult:
        name = files.names[position]
        # A chat's form may say a kind; a file that comes over HTTP is none of the run's own.
        kind = next((each.kind for each in run.files[position : position + 1]), "")
        fields = {KIND_FIELD: kind} if kind else {}
        try:
            offered_at = await self._wanted.check(run, workspace, files.names, position)
            content = await files.read(position)
            async with self._surface.share(run) as on_share:
                return await self._ingest.ingest(
                    workspace,
                    name,
                    content,
                    fields=fields,
                    offered_at=offered_at,
                    on_share=on_share,
                )
        except DocumentRefused as refusal:
            return IngestResult(status="refused", name=name, reason=str(refusal))
        except MasisError as error:
            log.warning("run %s: a file failed: %s: %s", run.id, type(error).__name__, error)
            said = sentence_of(error, run.id, about="file")
            return IngestResult(status="refused", name=name, reason=said)


def _thread(run: ChatRun) -> Spot | None:
    """Return where the run was asked; None where nothing can have been asked before."""
    if not run.thread:
        return None
    return Spot(tenant=run.tenant, channel=run.channel, thread=run.thread)


def _payer(run: ChatRun) -> Payer:
    """Return the payer of the run's calls."""
    return Payer(
        tenant=run.tenant,
        channel=run.channel,
        user=run.asker,
        workspace_id=run.workspace_id,
        run_id=run.id,
    )
