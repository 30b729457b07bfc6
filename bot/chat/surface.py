"""Define what a chat must be able to show of a run. Slack's is `bot/slack/surface.py`."""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from aiohttp import web

from masis.assistant import Finished
from masis.conversation import ChatRun, Link, Session
from masis.documents.attaching import Files
from masis.documents.indexing import OnShare
from masis.documents.ingestion import IngestResult
from masis.domain import Value, Workspace
from masis.runs import OnStep
from storage.chat.sessions import Sessions


class Denial(Value):
    """Why a run may not answer. `private`: only the asker is told, nothing appears in the channel."""

    reason: str
    private: bool = True


EndingKind = Literal["answer", "clarification", "refused", "failed", "stopped", "report"]


class Ending(Value):
    """An outcome that was begun to be posted before: what it was, and whether it is there whole."""

    kind: EndingKind
    posted: bool


class Shown(NamedTuple):
    """What a run's handler has shown: the kind of outcome, and the research where there was any."""

    kind: EndingKind
    finished: Finished | None = None


class Surface(Protocol):
    """Shows a run. Every call may come again after a crash, and shows nothing twice.

    What the chat refuses for good (the bot was removed) is logged and told to the asker alone,
    as far as that is possible. What may pass is raised as MasisError: the run is tried again.
    """

    async def ending(self, run: ChatRun) -> Ending | None:
        """Return how the run was about to end when it was broken off; None when it was not."""
        ...

    async def admit(self, run: ChatRun) -> Denial | Link | None:
        """Check whether the asker may have an answer from that workspace in that place, now.

        Gives the link by which they may, where it takes one.
        """
        ...

    async def open(self, run: ChatRun) -> ChatRun | Denial:
        """Post what the run's thread hangs from, where the asker's message does not; give its thread."""
        ...

    def progress(self, run: ChatRun) -> AbstractAsyncContextManager[OnStep]:
        """Show the steps that it is told of, until the block ends."""
        ...

    async def show(
        self, run: ChatRun, finished: Finished, session: Session | None, link: Link | None
    ) -> None:
        """Post the outcome; `session` is what a reply to a clarification will answer.

        Raises:
            LinkChanged: `link`, by which it was admitted, does not stand any more. Nothing of an
                answer or a question back was posted.
        """
        ...

    async def files(self, run: ChatRun) -> Files:
        """The files of an upload, or of a question."""
        ...

    async def uploading(
        self, run: ChatRun, workspace: Workspace, names: list[str], results: list[IngestResult]
    ) -> None:
        """Show how far an upload is: `results` are those of the first names."""
        ...

    def share(self, run: ChatRun) -> AbstractAsyncContextManager[OnShare]:
        """Show which share of the file at work is done, until the block ends."""
        ...

    async def ingested(
        self, run: ChatRun, workspace: Workspace, results: list[IngestResult]
    ) -> None:
        """Post what became of the files."""
        ...

    async def refuse(self, run: ChatRun, denial: Denial) -> None:
        """Say why there is no answer."""
        ...

    async def stopped(self, run: ChatRun) -> None:
        """Say that somebody stopped the run."""
        ...

    async def fail(self, run: ChatRun, error: str) -> None:
        """Apologise: say what failed and what to do."""
        ...

    async def expired(self, run: ChatRun, session: Session) -> None:
        """Say that what the run asked back takes no reply any more."""
        ...


async def _nothing() -> None:
    """End nothing: there is no work beside the runs."""


def _alone(_: int) -> None:
    """Share nothing: nobody limits what is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedSurface:
    """A surface as a process serves it.

    `name` is what its runs carry. Without `sessions` nobody can reply where it was asked. `routes`
    are what it wants of the HTTP server. `drain` lets its work beside the runs end; `share` is told
    among how many processes the chat's limits are shared. `forever` goes on as long as the process.
    """

    name: str
    shows: Surface
    sessions: Sessions | None = None
    routes: Sequence[web.RouteDef] = ()
    drain: Callable[[], Awaitable[None]] = _nothing
    share: Callable[[int], None] = _alone
    forever: Callable[[], Coroutine[Any, Any, None]] = _nothing
