"""A thread of the terminal: its questions, and the rows by which it is remembered and forgotten."""

import datetime as dt
import getpass
import uuid
from typing import TYPE_CHECKING, Final

from bot.cli.exit_codes import BadInput
from bot.rendering import show
from bot.results import outcome_of
from masis.conversation import LOCAL_TENANT, ChatRun, RunKind, Spot, Tenant
from masis.domain import Answered, AnyOutcome, NeedsClarification, Question, Workspace
from masis.questions.replies import answering, is_reply
from storage.chat.requests import ChatRuns

if TYPE_CHECKING:
    from bot.compose import App
    from masis.assistant import Finished
    from masis.documents.attaching import Files
    from masis.runs import OnStep

TERMINAL: Final = "terminal"
"""The channel and the surface of what is asked at a terminal."""
_ID_CHARS: Final = 64


class TerminalThread:
    """Asks one question after another; what was asked before is read from where it is stored.

    `files` come with each of them, and nothing of them is kept.
    """

    def __init__(
        self,
        app: "App",
        workspace: Workspace,
        *,
        tenant: Tenant | None = None,
        max_retries: int | None = None,
        files: "Files | None" = None,
    ) -> None:
        self._files = files
        self._app = app
        self._workspace = workspace
        self._max_retries = max_retries
        self._runs = ChatRuns(app.database)
        self._tenant = tenant or LOCAL_TENANT
        self._asker = f"{TERMINAL}:{_account()}"[:_ID_CHARS]
        self.last: AnyOutcome | None = None
        self.id = str(uuid.uuid4())

    async def resume(self, thread: str) -> None:
        """Go on with a thread that was left.

        Raises:
            BadInput: nothing was asked in it of this workspace.
        """
        run = await self._runs.latest_in_thread(self._tenant, TERMINAL, thread)
        if run is None or run.workspace_id != self._workspace.id:
            raise BadInput(f"There is no conversation {show.line(thread)} with this workspace.")
        kept = await self._app.repository.run(run.workspace_id, run.id)
        self.id, self.last = thread, outcome_of(kept) if kept else None

    def begin(self) -> None:
        """Begin another thread, which knows nothing of this one."""
        self.id, self.last = str(uuid.uuid4()), None

    async def say(self, text: str, on_step: "OnStep | None" = None) -> "Finished":
        """Ask what a message asks: it replies to what was asked back, or goes on with the thread.

        Raises:
            InvalidQuestion: it is empty or too long.
            StoreUnavailable: the run could not be stored.
        """
        before = self.last
        if isinstance(before, NeedsClarification) and is_reply(text, before):
            standalone = before.understood or before.question
            question = answering(
                before.question, standalone, before.kind, text, questions=before.questions
            )
            return await self._asked("reply", question, on_step, parent=before.run_id)
        kind: RunKind = "ask" if before is None else "follow_up"
        return await self._asked(kind, Question.plain(text), on_step)

    async def wider(self, on_step: "OnStep | None" = None) -> "Finished | None":
        """Search wider for the last question; None where nothing was searched."""
        before = self.last
        if not isinstance(before, Answered | NeedsClarification):
            return None
        if isinstance(before, Answered) and before.small_talk:
            return None
        standalone = before.understood or before.question
        question = Question(text=before.question, standalone=standalone, reply=before.reply)
        return await self._asked("wider", question, on_step, parent=before.run_id)

    async def _asked(
        self,
        kind: RunKind,
        question: Question,
        on_step: "OnStep | None",
        parent: str | None = None,
    ) -> "Finished":
        begun = dt.datetime.now(dt.UTC)
        finished = await self._answered(question, kind, parent, on_step)
        await self._runs.keep(self._row(finished.outcome.run_id, kind, question, parent, begun))
        self.last = finished.outcome
        return finished

    async def _answered(
        self, question: Question, kind: RunKind, parent: str | None, on_step: "OnStep | None"
    ) -> "Finished":
        app, workspace, run_id = self._app, self._workspace, str(uuid.uuid4())
        spot = Spot(tenant=self._tenant, channel=TERMINAL, thread=self.id)
        async with app.attaching.attached(workspace, run_id, question, self._files) as asked:
            return await app.assistant.ask(
                workspace,
                asked,
                run_id=run_id,
                max_retries=self._max_retries,
                wider=kind == "wider",
                parent_run_id=parent,
                thread=spot,
                on_step=on_step,
            )

    def _row(
        self,
        run_id: str,
        kind: RunKind,
        question: Question,
        parent: str | None,
        begun: dt.datetime,
    ) -> ChatRun:
        """Return the run as it is kept: taken in, begun and finished."""
        return ChatRun(
            id=run_id,
            tenant=self._tenant,
            surface=TERMINAL,
            channel=TERMINAL,
            thread=self.id,
            asker=self._asker,
            kind=kind,
            question=question.text,
            query=question.standalone,
            reply=question.reply,
            workspace_id=self._workspace.id,
            max_retries=self._max_retries,
            wider=kind == "wider",
            parent_run_id=parent,
            status="finished",
            accepted_at=begun,
            begun_at=begun,
        )


def _account() -> str:
    """Return the name of the account that is at the terminal; a container may have none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
