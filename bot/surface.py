"""What a chat must be able to show of a run; Slack's is `bot/slack/surface.py`."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from masis.assistant import Finished
from masis.conversation import ChatRun, Session
from masis.domain import Value, Workspace
from masis.ingest import IngestResult
from masis.runs import OnStep


class Denial(Value):
    """Why a run may not answer. `private`: only the asker is told, nothing appears in the channel."""

    reason: str
    private: bool = True


class Surface(Protocol):
    """Shows a run. Every call may come again after a crash, and shows nothing twice.

    Raises:
        SlackError or another of the chat's: it refused for good; the run's end cannot be shown.
    """

    async def admit(self, run: ChatRun) -> Denial | None:
        """Whether the asker may have an answer from that workspace in that place, as of now."""
        ...

    async def open(self, run: ChatRun) -> ChatRun:
        """Post what the run's thread hangs from, where the asker's message does not; give its thread."""
        ...

    def progress(self, run: ChatRun) -> AbstractAsyncContextManager[OnStep]:
        """Show the steps that it is told of, until the block ends."""
        ...

    async def is_shown(self, run: ChatRun) -> bool:
        """Whether the run's outcome was posted whole already."""
        ...

    async def show(
        self, run: ChatRun, workspace: Workspace, finished: Finished, session: Session | None
    ) -> None:
        """Post the outcome; `session` is what a reply to a clarification will answer."""
        ...

    async def ingested(self, run: ChatRun, results: list[IngestResult]) -> None:
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

    async def files(self, run: ChatRun) -> "Files":
        """The files of an upload, to be read one after the other."""
        ...


class Files(Protocol):
    """The files that somebody wants in a workspace."""

    @property
    def names(self) -> list[str]:
        """What they are called, for people."""
        ...

    async def read(self, position: int) -> bytes:
        """A file's bytes.

        Raises:
            DocumentRefused: it cannot be had; the message is the reason shown to people.
        """
        ...
