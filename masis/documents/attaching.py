"""Read the files that came with a question, for its run alone."""

import asyncio
import datetime as dt
import hashlib
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, Protocol

from masis.attached import AttachedFile
from masis.documents.chunking import chunk_document
from masis.domain import ATTACHED, Chunk, Document, ParsedDocument, Question, Workspace, opaque_id
from masis.errors import DocumentRefused, MasisError, StoreUnavailable
from masis.failures import sentence_of
from masis.ports import AttachedFiles, Parser

log = logging.getLogger(__name__)

MOST_FILES: Final = 10
"""Of one question: as many as Slack's own clients send with a message."""
MOST_PASSAGES: Final = 2_000
"""Of all files of one question, some 1.5 million characters."""
SECONDS: Final = 120.0
"""For all files of one question: who asked waits, and a run has ten minutes."""

TOO_MANY: Final = f"Only the first {MOST_FILES} files of a question are read."
TOO_SLOW: Final = f"Reading the files took longer than {SECONDS:.0f} s."
TOO_MUCH: Final = (
    f"The files before it already fill the {MOST_PASSAGES:,} passages that one question may bring."
)

OnFile = Callable[[str], None]
"""Told of the name of each file when it is read; it must return at once."""


class Files(Protocol):
    """Some files that somebody sent."""

    @property
    def names(self) -> list[str]:
        """Return the files' names, for people."""
        ...

    async def read(self, position: int) -> bytes:
        """The bytes of the file at that place among the names.

        Raises:
            DocumentRefused: it cannot be had; the message is the reason shown to people.
        """
        ...


class Attaching:
    """Reads each file once, however often its run is begun: what was read is kept with the run."""

    def __init__(self, *, kept: AttachedFiles, parser: Parser) -> None:
        self._kept = kept
        self._parser = parser

    async def read(
        self, workspace: Workspace, run_id: str, files: Files, on_file: OnFile | None = None
    ) -> None:
        """Read the files that are not read yet; one that cannot be read is kept with its reason.

        Raises:
            StoreUnavailable: what was read could not be kept.
        """
        held = await self._kept.of(workspace.id, run_id)
        room = MOST_PASSAGES - len(held.chunks)
        deadline = asyncio.get_running_loop().time() + SECONDS
        for position, name in list(enumerate(files.names))[len(held.files) :]:
            if on_file is not None:
                on_file(name)
            one = _One(workspace, run_id, position, name)
            file, chunks = await self._read(one, files, room, deadline)
            await self._kept.write(workspace.id, run_id, position, file, chunks)
            room -= len(chunks)

    async def forget(self, workspace: Workspace, run_id: str) -> None:
        """Remove what was read for a run.

        Raises:
            StoreUnavailable: it could not be removed now.
        """
        await self._kept.remove(workspace.id, run_id)

    @asynccontextmanager
    async def attached(
        self, workspace: Workspace, run_id: str, question: Question, files: Files | None
    ) -> AsyncIterator[Question]:
        """Give the question with its files, which are forgotten at the end of the block.

        Raises:
            StoreUnavailable: what was read could not be kept, or removed.
        """
        if files is None or not files.names:
            yield question
            return
        try:
            await self.read(workspace, run_id, files)
            yield question.model_copy(update={"files": files.names})
        finally:
            await self.forget(workspace, run_id)

    async def _read(
        self, one: "_One", files: Files, room: int, deadline: float
    ) -> tuple[AttachedFile, list[Chunk]]:
        """Return what was read of a file: its passages, or why there are none."""
        if one.position >= MOST_FILES or room <= 0:
            return one.refused(TOO_MANY if one.position >= MOST_FILES else TOO_MUCH), []
        try:
            async with asyncio.timeout_at(deadline):
                content = await files.read(one.position)
                parsed = await self._parser.parse(one.name, content)
                return await asyncio.to_thread(one.passages, parsed, content, room)
        except TimeoutError:
            return one.refused(TOO_SLOW), []
        except DocumentRefused as refusal:
            return one.refused(str(refusal)), []
        except StoreUnavailable:
            raise
        except MasisError as error:
            log.warning("run %s: a file failed: %s: %s", one.run_id, type(error).__name__, error)
            return one.refused(sentence_of(error, one.run_id, about="file")), []


class _One:
    """A file of a run's question."""

    def __init__(self, workspace: Workspace, run_id: str, position: int, name: str) -> None:
        self._workspace = workspace
        self.run_id = run_id
        self.position = position
        self.name = name

    def refused(self, reason: str) -> AttachedFile:
        """Return the file as one that could not be read."""
        return AttachedFile(name=self.name, reason=reason)

    def passages(
        self, parsed: ParsedDocument, content: bytes, room: int
    ) -> tuple[AttachedFile, list[Chunk]]:
        """Return the file with its first passages, as many as there is room for."""
        document = self._document(parsed, content)
        chunks = chunk_document(
            parsed,
            workspace_id=self._workspace.id,
            document_id=document.id,
            version_id=document.version_id,
        )
        kept = chunks[:room]
        document = document.model_copy(update={"chunks": len(kept)})
        left_out = len(chunks) - len(kept)
        return AttachedFile(name=self.name, document=document, left_out=left_out), kept

    def _document(self, parsed: ParsedDocument, content: bytes) -> Document:
        """Return it as a document, which the reply to a question about it finds again by its id."""
        digest = hashlib.sha256(content).hexdigest()
        scope = self._workspace.id, str(self.position), self.name, digest
        id_ = opaque_id(ATTACHED, *scope)
        return Document(
            id=id_,
            workspace_id=self._workspace.id,
            name=self.name,
            title=parsed.title,
            format=parsed.format,
            version_id=opaque_id("v", self._workspace.id, self.run_id, id_),
            version_number=1,
            content_hash=digest,
            size_bytes=len(content),
            chunks=0,
            date=parsed.date,
            date_source=parsed.date_source,
            ingested_at=dt.datetime.now(dt.UTC),
        )
