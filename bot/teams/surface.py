"""Show a run in Teams: a placeholder, its progress, and its one outcome in the same message."""

import datetime as dt
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from cachetools import LRUCache

from bot.chat.shown.progress_shown import ProgressShown
from bot.chat.shown.upload_shown import upload_shown
from bot.chat.surface import Denial, Ending
from bot.chat.trail.run_trail import result_of
from bot.teams.cards import notice_card, upload_card
from bot.teams.cards.answer_card import answer
from bot.teams.cards.progress_card import progress
from bot.teams.cards.question_card import closed, expired, question
from bot.teams.connector.connector_errors import CardTooLarge, RemovedFromPlace, TeamsError
from bot.teams.connector.conversation_limits import PROGRESS_SECONDS
from bot.teams.connector.file_downloads import FileDownloads
from bot.teams.outcome_delivery import ENDINGS, PROGRESS, OutcomeDelivery
from bot.teams.paced_progress import Paced
from bot.teams.teams_access import TeamsAccess
from bot.teams.text import sentences
from masis.assistant import Finished
from masis.conversation import ChatRun, Link, Session
from masis.documents.attaching import Files
from masis.documents.indexing import OnShare
from masis.documents.ingestion import IngestResult
from masis.domain import Answered, Failed, NeedsClarification, Workspace
from masis.records import StoredRun
from masis.runs import OnStep, Step
from storage.chat.outbox import Outbox
from storage.chat.sessions import EXPIRED, Sessions

log = logging.getLogger(__name__)

_REMEMBERED: Final = 1000
"""Runs whose progress is known; one that is forgotten shows it from the beginning."""
LONG: Final = dt.timedelta(seconds=60)
"""Who waited so long has gone on to something else."""

Json = dict[str, Any]


class TeamsSurface:
    """Teams as `bot.chat.surface.Surface`: every message goes over the outbox and the windows."""

    def __init__(
        self,
        *,
        access: TeamsAccess,
        delivery: OutcomeDelivery,
        downloads: FileDownloads,
        outbox: Outbox,
        sessions: Sessions,
        every: float = PROGRESS_SECONDS,
    ) -> None:
        self._access = access
        self._delivery = delivery
        self._downloads = downloads
        self._outbox = outbox
        self._sessions = sessions
        self._every = every
        self._states: LRUCache[str, ProgressShown] = LRUCache(_REMEMBERED)
        """How far each run is that goes on here."""

    # --- before ----------------------------------------------------------------------------

    async def ending(self, run: ChatRun) -> Ending | None:
        """Return how the run was about to end when it was broken off; None when it was not."""
        posted = await self._outbox.of(run.id)
        row = next((row for row in posted if row.kind in ENDINGS and row.part == 0), None)
        return None if row is None else Ending(kind=row.kind, posted=row.state == "sent")

    async def admit(self, run: ChatRun) -> Denial | Link | None:
        """Check whether the asker may have an answer from that workspace in that place, now."""
        return await self._access.admission(run)

    async def open(self, run: ChatRun) -> ChatRun | Denial:
        """Post the placeholder; show that work begins.

        Raises:
            TeamsError: Teams cannot be reached now.
        """
        try:
            await self._delivery.begin(run, progress(run, ProgressShown.planned(run)))
        except TeamsError as error:
            if not error.permanent:
                raise
            log.info("run %s cannot be shown: %s", run.id, type(error).__name__)
            return Denial(reason=sentences.NOWHERE)
        if run.session_id:
            await self._close_answered(run, run.session_id)
        return run

    async def _close_answered(self, run: ChatRun, session_id: str) -> None:
        """Show the question closed whose reply a run has: who took it may have died since."""
        session = await self._sessions.by_id(run.tenant, session_id)
        if session is None or session.next_run_id != run.id:
            return
        asking = run.model_copy(update={"id": session.run_id})
        name = await self._access.name(run, session.answered_by)
        try:
            await self.close_question(asking, session, sentences.answered_by(name, session.reply))
        except TeamsError as error:
            log.info("session %s is not shown closed: %s", session.id, type(error).__name__)

    # --- while it goes on ------------------------------------------------------------------

    @asynccontextmanager
    async def progress(self, run: ChatRun) -> AsyncIterator[OnStep]:
        """Show the steps, at most once in four seconds, until the block ends."""
        # A run that was held up goes on with what it has shown.
        state = self._states.get(run.id, ProgressShown.planned(run))

        async def show(newest: ProgressShown) -> None:
            try:
                await self._delivery.show(run, progress(run, newest))
            except TeamsError as error:
                # Progress is a courtesy: the run goes on without it.
                log.info("progress of run %s is not shown: %s", run.id, type(error).__name__)

        async with Paced(show, every=self._every) as shown:

            def on_step(step: Step) -> None:
                nonlocal state
                state = state.with_step(step)
                self._states[run.id] = state
                shown.set(state)

            yield on_step

    def shown_now(self, run: ChatRun) -> Json:
        """Return the progress of a run as it is known here."""
        return progress(run, self._states.get(run.id, ProgressShown.planned(run)))

    async def redraw(self, run: ChatRun, kept: StoredRun) -> Json | None:
        """Show an outcome again over which late progress came; None where there is none to show."""
        result = result_of(kept)
        if isinstance(result, Answered) and not result.small_talk:
            kind, shown = "answer", await self._answer(run, result)
        elif isinstance(result, NeedsClarification):
            found = await self._sessions.open_in_thread(run.tenant, run.channel, run.thread)
            session = found if found is not None and found.run_id == run.id else None
            kind, shown = "clarification", await self._question(run, result, session)
        else:
            return None
        await self._delivery.update(run, kind, shown)
        return shown

    # --- the end ---------------------------------------------------------------------------

    async def show(
        self, run: ChatRun, finished: Finished, session: Session | None, link: Link | None
    ) -> None:
        """Show the outcome in the placeholder's place."""
        match finished.outcome:
            case Answered(small_talk=True) as outcome:
                said = notice_card.greeting(outcome.answer, outcome.questions)
                await self._end(run, "answer", said, link)
            case Answered() as outcome:
                await self._end(run, "answer", await self._answer(run, outcome), link)
            case NeedsClarification() as outcome:
                asked = await self._question(run, outcome, session)
                await self._ask_back(run, asked, session, link)
            case Failed() as outcome:
                shown = notice_card.failed(outcome.error, retryable=outcome.retryable)
                await self._end(run, "failed", shown)
            case outcome:
                await self.fail(run, f"Unexpected outcome: {type(outcome).__name__}")
        await self._remind(run)

    async def _remind(self, run: ChatRun) -> None:
        """Tell who waited long in a channel: a message that is changed notifies nobody."""
        waited = dt.datetime.now(dt.UTC) - (run.accepted_at or dt.datetime.now(dt.UTC))
        if run.direct or waited < LONG:
            return
        try:
            if name := await self._access.name(run, run.asker):
                await self._delivery.remind(run, notice_card.above(run.asker, name))
        except TeamsError as error:
            log.info("the asker of run %s is not reminded: %s", run.id, type(error).__name__)

    async def _question(
        self, run: ChatRun, outcome: NeedsClarification, session: Session | None
    ) -> Json:
        in_chat = await self._in_chat(run)
        return question(run, outcome, session, _today(), in_chat=in_chat)

    async def _answer(self, run: ChatRun, outcome: Answered) -> Json:
        return answer(run, outcome, _today(), in_chat=await self._in_chat(run))

    async def _in_chat(self, run: ChatRun) -> bool:
        """Say whether it was asked in somebody's own chat, and not alone in a channel."""
        return run.direct and (await self._delivery.place(run)).kind == "personal"

    async def _ask_back(
        self, run: ChatRun, asked: Json, session: Session | None, link: Link | None
    ) -> None:
        """Show a clarification; one that was answered meanwhile says so."""
        message = await self._end(run, "clarification", asked, link)
        if session is None or not message:
            return
        await self._sessions.set_message(run.tenant, session.id, message)
        now = await self._sessions.by_id(run.tenant, session.id)
        if now is not None and now.status == "answered":
            # A reply was quicker than its question: who it was is not kept, and asked for.
            name = await self._access.name(run, now.answered_by)
            await self.close_question(run, now, sentences.answered_by(name, now.reply))

    async def close_question(self, run: ChatRun, session: Session, said: str) -> None:
        """Show a clarification without its buttons, and why it takes no reply any more."""
        await self._delivery.update(run, "clarification", closed(session, said))

    async def refuse(self, run: ChatRun, denial: Denial) -> None:
        """Say why there is no answer: to the asker alone, or where the run has begun."""
        if await self._delivery.message(run, PROGRESS):
            drawn = notice_card.refused if denial.private else notice_card.withheld
            await self._end(run, "refused", drawn(denial.reason))
            return
        row = await self._outbox.begin(run.id, "refused", 0, run.channel, run.thread)
        if row.state != "sent":
            # After a crash the reason is not known any more: it is what it would be now.
            again = None if row.fresh else await self._access.admission(run)
            reason = (again if isinstance(again, Denial) else denial).reason
            await self._privately(run, "refused", notice_card.refused(reason))
            await self._outbox.sent(run.id, "refused", 0, "")

    async def stopped(self, run: ChatRun) -> None:
        """Say that somebody stopped the run; after an uninstallation nobody may be told anything."""
        if run.cancelled_by != BY_REMOVAL:
            await self._end(run, "stopped", notice_card.stopped(run.cancelled_by))

    async def fail(self, run: ChatRun, error: str) -> None:
        """Apologise, unless an outcome stands there already."""
        posted = await self._outbox.of(run.id)
        if any(row.kind in ENDINGS and row.state == "sent" for row in posted):
            return
        await self._end(run, "failed", notice_card.failed(error))

    async def expired(self, run: ChatRun, session: Session) -> None:
        """Show the question closed.

        Raises:
            TeamsError: Teams cannot be reached now.
        """
        row = await self._outbox.begin(run.id, EXPIRED, 0, run.channel, run.thread)
        if row.state == "sent":
            return
        try:
            await self._delivery.update(run, "clarification", expired(session))
        except TeamsError as error:
            if not error.permanent:
                raise
            log.info("the end of session %s is not shown: %s", session.id, type(error).__name__)
        await self._outbox.sent(run.id, EXPIRED, 0, "")

    async def _end(self, run: ChatRun, kind: str, shown: Json, link: Link | None = None) -> str:
        """Show an outcome; gives its message's id.

        Raises:
            LinkChanged: the link does not stand any more, and nothing was shown.
            TeamsError: Teams cannot be reached now.
        """
        self._states.pop(run.id, None)
        try:
            return await self._delivery.finish(run, kind, shown, link)
        except CardTooLarge:
            log.warning("the outcome of run %s is too large for Teams", run.id)
            return await self._delivery.finish(run, kind, notice_card.failed(sentences.TOO_LARGE))
        except TeamsError as error:
            if not error.permanent:
                raise
            log.warning("run %s cannot be shown: %s", run.id, type(error).__name__)
            # What was asked alone in a channel can be told in the asker's own chat.
            if run.direct or not isinstance(error, RemovedFromPlace):
                await self._privately(run, "nowhere", notice_card.failed(sentences.NOWHERE))
            return ""

    async def _privately(self, run: ChatRun, about: str, shown: Json) -> None:
        """Tell the asker alone, where anybody knows where they are."""
        try:
            await self._delivery.privately(run, about, shown)
        except TeamsError as error:
            log.warning("the asker of run %s cannot be told: %s", run.id, type(error).__name__)

    # --- files -----------------------------------------------------------------------------

    async def files(self, run: ChatRun) -> Files:
        """Return the files that came with a question."""
        return self._downloads.of(run)

    async def uploading(
        self,
        run: ChatRun,
        workspace: Workspace,
        names: list[str],
        results: list[IngestResult],
    ) -> None:
        """Show how far an upload is."""
        try:
            await self._delivery.show(
                run, upload_card.under_way(run, upload_shown(workspace, results, names))
            )
        except TeamsError as error:
            log.info("progress of run %s is not shown: %s", run.id, type(error).__name__)

    @asynccontextmanager
    async def share(self, run: ChatRun) -> AsyncIterator[OnShare]:
        """Show nothing of it: a message is changed once a file, and no oftener."""
        yield _unseen

    async def ingested(
        self, run: ChatRun, workspace: Workspace, results: list[IngestResult]
    ) -> None:
        """Show what became of the files."""
        await self._end(run, "report", upload_card.report(upload_shown(workspace, results)))


BY_REMOVAL: Final = "removed"
"""Who cancelled a run because MASIS was taken out of its team: no person (`ChatRun.cancelled_by`)."""


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


def _unseen(_: float) -> None:
    """Take a share, and do nothing with it."""
