"""Show a run in Slack: its root message, its progress, its one outcome."""

import datetime as dt
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final, get_args

from cachetools import LRUCache

from bot.chat.shown.progress_shown import End, ProgressShown
from bot.chat.surface import Denial, Ending
from bot.chat.words import shared_sentences
from bot.slack.access import Access
from bot.slack.client.coalescing import EVERY_SECONDS, Coalesced
from bot.slack.client.delivery import Delivery
from bot.slack.client.uploaded import Uploaded
from bot.slack.client.web import SessionState, SlackWeb
from bot.slack.install.uninstall import BY_UNINSTALL
from bot.slack.slack_errors import SlackError
from bot.slack.text import sentences
from bot.slack.threads import Threads
from bot.slack.views import ends
from bot.slack.views.answer import answer
from bot.slack.views.clarification import clarification, closed, expired
from bot.slack.views.message import Attachment, Message, notice
from bot.slack.views.progress import progress
from bot.slack.views.upload import adds_files, begun, ended, report, under_way
from masis.assistant import Finished
from masis.conversation import AdminAction, ChatRun, Link, Session
from masis.documents.indexing import OnShare
from masis.documents.ingestion import IngestResult
from masis.domain import Answered, Failed, NeedsClarification, Workspace
from masis.runs import OnStep, Step
from storage.chat.admin_log import AdminLog
from storage.chat.outbox import Outbox
from storage.chat.requests import ChatRuns
from storage.chat.sessions import EXPIRED, Sessions

log = logging.getLogger(__name__)

ROOT: Final = "root"
PROGRESS: Final = "progress"
REST: Final = "rest"
TABLE: Final = "table"
_REMEMBERED: Final = 1000
"""Runs whose progress is known; one that is forgotten shows it from the beginning."""
_SHOWN: Final[dict[str, End]] = {
    "answer": "answered",
    "clarification": "asked_back",
    "report": "answered",
}
"""Outcomes beside which no apology may stand, and what the progress shows for them."""
_ENDINGS: Final = get_args(Ending.model_fields["kind"].annotation)


class SlackSurface:
    """Slack as `bot.chat.surface.Surface`: every message goes over the outbox and the pacing."""

    def __init__(
        self,
        *,
        access: Access,
        admin_log: AdminLog,
        delivery: Delivery,
        outbox: Outbox,
        runs: ChatRuns,
        sessions: Sessions,
        uploaded: Uploaded,
        web: SlackWeb,
        every: float = EVERY_SECONDS,
    ) -> None:
        self._access = access
        self._admin_log = admin_log
        self._delivery = delivery
        self._outbox = outbox
        self._runs = runs
        self._sessions = sessions
        self._threads = Threads(web)
        self.files = uploaded.of
        """Gives the files of an upload, or of a question."""
        self._web = web
        self._every = every
        # Runs that were held up may go on elsewhere.
        self._states: LRUCache[str, ProgressShown] = LRUCache(_REMEMBERED)
        """How far each run is that goes on here; its end is shown from there."""

    # --- before ----------------------------------------------------------------------------

    async def ending(self, run: ChatRun) -> Ending | None:
        """Return how the run was about to end when it was broken off; None when it was not."""
        posted = await self._outbox.of(run.id)
        row = next((row for row in posted if row.kind in _ENDINGS and row.part == 0), None)
        return None if row is None else Ending(kind=row.kind, posted=row.state == "sent")

    async def admit(self, run: ChatRun) -> Denial | Link:
        """Check whether the asker may have an answer from that workspace in that place, now."""
        admitted = await self._access.admission(run)
        if run.kind == "upload":
            await self._note_upload(run, allowed=not isinstance(admitted, Denial))
        return admitted

    async def open(self, run: ChatRun) -> ChatRun | Denial:
        """Post the root where the asker's message is none; show that work begins.

        Raises:
            SlackError: Slack cannot be reached now.
        """
        try:
            if not run.thread:
                first = adds_files(run) if run.kind == "upload" else ends.root(run)
                thread = await self._delivery.post(run, ROOT, first, thread="")
                await self._runs.set_thread(run.id, thread)
                run = run.model_copy(update={"thread": thread})
            elif not run.heard:
                run = await self._with_thread(run)
            shown = begun() if run.kind == "upload" else progress(run, ProgressShown.begun(run))
            await self._delivery.post(run, PROGRESS, shown)
        except SlackError as error:
            if not error.permanent:
                raise
            return Denial(reason=error.sentence or shared_sentences.UNEXPECTED)
        await self._status(run, "processing")
        return run

    async def _with_thread(self, run: ChatRun) -> ChatRun:
        """The run with what was written before it, where somebody asks in other people's thread."""
        heard = await self._threads.heard(run)
        if not heard:
            return run
        await self._runs.set_heard(run.id, heard)
        return run.model_copy(update={"heard": heard})

    async def _note_upload(self, run: ChatRun, *, allowed: bool) -> None:
        """Log who put files in, or tried to: here all ways of it meet. A retry is no new line."""
        action = AdminAction(
            tenant=run.tenant,
            actor=run.asker,
            action="upload",
            target=run.channel,
            detail=f"files: {len(run.files)}",
            allowed=allowed,
            at=dt.datetime.now(dt.UTC),
        )
        await self._admin_log.add(action, once=run.id)

    # --- while it goes on ------------------------------------------------------------------

    @asynccontextmanager
    async def progress(self, run: ChatRun) -> AsyncIterator[OnStep]:
        """Show the steps, at most once in two seconds, until the block ends."""
        # A run that was held up goes on with what it has shown, and what it waits for.
        state = self._states.get(run.id, ProgressShown.begun(run))

        async def show(newest: ProgressShown) -> bool:
            try:
                shown = progress(run, newest)
                return await self._delivery.update(run, PROGRESS, shown, droppable=True)
            except SlackError as error:
                # Progress is a courtesy: the run goes on without it.
                log.info("progress of run %s is not shown: %s", run.id, error.code)
                return True

        opened = ProgressShown.begun(run)
        async with Coalesced(show, every=self._every, shown=opened) as shown:

            def on_step(step: Step) -> None:
                nonlocal state
                state = state.with_step(step)
                self._states[run.id] = state
                shown.set(state)

            yield on_step

    # --- the end ---------------------------------------------------------------------------

    async def show(
        self, run: ChatRun, finished: Finished, session: Session | None, link: Link | None
    ) -> None:
        """Post the outcome."""
        match finished.outcome:
            case Answered(small_talk=True) as outcome:
                said = ends.small_talk(outcome.answer, outcome.questions)
                await self._end(run, "answer", [said], "answered", link=link)
            case Answered() as outcome:
                made = answer(run, outcome, _today())
                await self._end(
                    run,
                    "answer",
                    made.messages,
                    "answered",
                    made.attachment,
                    tables=made.tables,
                    link=link,
                )
            case NeedsClarification() as outcome:
                asked = clarification(run, outcome, session, _today())
                await self._ask_back(run, asked, session, link)
            case Failed() as outcome:
                shown = ends.failed(outcome.error, retryable=outcome.retryable)
                await self._end(run, "failed", [shown], "failed")
            case outcome:
                await self.fail(run, f"Unexpected outcome: {type(outcome).__name__}")

    async def _ask_back(
        self, run: ChatRun, asked: Message, session: Session | None, link: Link | None
    ) -> None:
        """Post a clarification; where no reply could help, nothing is waited for."""
        end: End = "refused" if session is None else "asked_back"
        ts = await self._end(run, "clarification", [asked], end, link=link)
        if session is None or not ts:
            return
        await self._sessions.set_message(run.tenant, session.id, ts)
        # Somebody may have answered before it was known where the buttons are.
        now = await self._sessions.by_id(run.tenant, session.id)
        if now is not None and now.status == "answered":
            said = sentences.answered_by(now.answered_by, now.reply)
            await self._delivery.update(run, "clarification", closed(now, said))

    async def uploading(
        self, run: ChatRun, workspace: Workspace, names: list[str], results: list[IngestResult]
    ) -> None:
        """Show how far an upload is."""
        shown = under_way(workspace, names, results)
        await self._delivery.update(run, PROGRESS, shown, droppable=True)

    @asynccontextmanager
    async def share(self, run: ChatRun) -> AsyncIterator[OnShare]:
        """Show nothing of it: a message is changed once a file, and no oftener."""
        yield _unseen

    async def ingested(
        self, run: ChatRun, workspace: Workspace, results: list[IngestResult]
    ) -> None:
        """Post what became of the files."""
        await self._end(run, "report", [report(workspace, results)], "answered")

    async def refuse(self, run: ChatRun, denial: Denial) -> None:
        """Say why there is no answer: to the asker alone, or in the thread that has begun."""
        run = await self._where_it_stands(run)
        if denial.private and run.direct:  # nobody else reads there, and what is posted stays
            await self._end(run, "refused", [ends.refused(denial.reason)], "refused")
        elif denial.private:
            row = await self._outbox.begin(run.id, "refused", 0, run.channel, run.thread)
            if row.state != "sent":
                await self._privately(run, ends.refused(denial.reason))
                await self._outbox.sent(run.id, "refused", 0, "")
            await self._show_end(run, "refused")
        else:
            await self._end(run, "refused", [ends.withheld(denial.reason)], "withheld")

    async def stopped(self, run: ChatRun) -> None:
        """Say that somebody stopped the run; after an uninstallation nobody may be told anything."""
        if run.cancelled_by == BY_UNINSTALL:
            return
        run = await self._where_it_stands(run)
        await self._end(run, "stopped", [ends.stopped(run.cancelled_by)], "stopped")

    async def fail(self, run: ChatRun, error: str) -> None:
        """Apologise: say what failed and what to do."""
        run = await self._where_it_stands(run)
        if end := await self._shown(run):
            await self._show_end(run, end)
        else:
            await self._end(run, "failed", [ends.failed(error)], "failed")

    async def expired(self, run: ChatRun, session: Session) -> None:
        """Take the buttons away, and say in the thread that it is closed: that is said last.

        Raises:
            SlackError: Slack cannot be reached now.
        """
        try:
            await self._close(run, session)
        except SlackError as error:
            if not error.permanent:
                raise
            log.info("the end of session %s cannot be shown: %s", session.id, error.code)
            # Noted as said, so that what Slack refuses for good is not tried for ever.
            await self._outbox.begin(run.id, EXPIRED, 0, run.channel, run.thread)
            await self._outbox.sent(run.id, EXPIRED, 0, "")

    async def _close(self, run: ChatRun, session: Session) -> None:
        said = expired(session)
        try:
            await self._delivery.update(run, "clarification", said)
        except SlackError as error:
            if not error.permanent:
                raise
            log.info("the question of session %s stays as it is: %s", session.id, error.code)
        await self._delivery.post(run, EXPIRED, notice(said.text))
        await self._web.session_status(
            session.tenant, session.channel, session.thread, "active", initiator=session.asker
        )

    async def _shown(self, run: ChatRun) -> End | None:
        """Return how the run has ended, where its outcome arrived and only the rest went wrong.

        Raises:
            SlackError: the installation is gone.
        """
        for kind, end in _SHOWN.items():
            if await self._delivery.found(run, kind):
                return end
        return None

    async def _where_it_stands(self, run: ChatRun) -> ChatRun:
        """The run in its thread, and its progress known: a process may have died before it noted them."""
        try:
            await self._delivery.found(run, PROGRESS)
            thread = run.thread or await self._delivery.found(run, ROOT)
        except SlackError as error:
            log.info("run %s is not looked for: %s", run.id, error.code)
            return run
        if thread and not run.thread:
            await self._runs.set_thread(run.id, thread)
        return run.model_copy(update={"thread": thread})

    async def _end(
        self,
        run: ChatRun,
        kind: str,
        messages: Sequence[Message],
        end: End,
        attachment: Attachment | None = None,
        *,
        tables: Sequence[Attachment] = (),
        link: Link | None = None,
    ) -> str:
        """Post an outcome whole, and let the progress show it; gives the last message's ts.

        Raises:
            LinkChanged: the link does not stand any more, and nothing was posted.
            SlackError: Slack cannot be reached now.
        """
        ts = ""
        try:
            for part, message in enumerate(messages):
                # What was begun is shown whole.
                by = None if part else link
                ts = await self._delivery.post(run, kind, message, part=part, link=by)
            if attachment is not None:
                await self._delivery.upload(run, REST, attachment)
            for part, table in enumerate(tables):
                await self._delivery.upload(run, TABLE, table, part=part)
        except SlackError as error:
            if not error.permanent:
                raise
            await self._could_not_post(run, error)
        await self._show_end(run, end)
        await self._status(run, "suspended" if end == "asked_back" else "active")
        return ts

    async def _show_end(self, run: ChatRun, end: End) -> None:
        """The progress message's last state; it is there only where work had begun."""
        state = self._states.pop(run.id, ProgressShown.planned(run)).finished(end)
        shown = ended(end) if run.kind == "upload" else progress(run, state)
        try:
            await self._delivery.update(run, PROGRESS, shown)
        except SlackError as error:
            log.info("the end of run %s is not shown in its progress: %s", run.id, error.code)

    async def _could_not_post(self, run: ChatRun, error: SlackError) -> None:
        log.warning("the outcome of run %s cannot be posted: %s", run.id, error.code)
        if not error.disables_installation:
            await self._privately(run, ends.failed(error.sentence or shared_sentences.UNEXPECTED))

    async def _privately(self, run: ChatRun, message: Message) -> None:
        """Tell the asker alone, where they asked, else in their direct messages."""
        try:
            await self._web.ephemeral(
                run.tenant, run.channel, run.asker, message, thread=run.thread
            )
        except SlackError as error:
            if error.disables_installation:
                return
            try:
                await self._web.post(run.tenant, run.asker, ends.elsewhere(message, run))
            except SlackError as last:
                log.warning("the asker of run %s cannot be told: %s", run.id, last.code)

    async def _status(self, run: ChatRun, status: SessionState) -> None:
        """Slack's own sign of what the thread's session does, as well as the app may."""
        await self._web.session_status(
            run.tenant, run.channel, run.thread, status, initiator=run.asker
        )


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


def _unseen(_: float) -> None:
    """Take a share, and do nothing with it."""
