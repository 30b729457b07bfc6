"""Documents and uploads as programs read them over HTTP."""

import datetime as dt
from typing import Literal, Self

from pydantic import Field

from bot.api.surface import STOPPED
from bot.chat.handler import BROKEN_OFF
from masis.conversation import OPEN, ChatRun
from masis.domain import Document, Unit, Value
from storage.chat.received_files import UploadProgress, UploadState


class Upload(Value):
    """A file that was sent, from its arrival to its end."""

    id: str
    name: str
    state: UploadState
    share: Unit | None = Field(
        default=None, description="Of its passages those that are embedded, where it is known."
    )
    reason: str | None = Field(default=None, description="Why it was refused.")
    result: Literal["added", "updated", "unchanged"] | None = None
    document_id: str | None = None
    version: int | None = None
    chunks: int | None = None
    notes: list[str] = Field(
        default=[], description="What was left out of it, and which document has the same bytes."
    )

    @classmethod
    def of(cls, run: ChatRun, progress: UploadProgress) -> Self:
        """An upload as far as it is noted; one that ended without a word was broken off."""
        state, share, result = progress.state, progress.share, progress.result
        if state == "processing" and run.status not in OPEN:
            reason = STOPPED if run.status == "cancelled" else BROKEN_OFF
            return cls(id=run.id, name=run.question, state="refused", reason=reason)
        is_ready = state == "ready"
        return cls(
            id=run.id,
            name=run.question,
            state=state,
            share=1.0 if is_ready else share,
            reason=result.get("reason"),
            result=result.get("status") if is_ready else None,
            document_id=result.get("document_id"),
            version=result.get("version"),
            chunks=result.get("chunks") if is_ready else None,
            notes=result.get("notes", []),
        )


class DocumentEntry(Value):
    """A document that can be asked."""

    id: str
    name: str
    title: str
    state: Literal["ready"] = "ready"
    format: str
    date: dt.date | None = None
    size_bytes: int
    chunks: int
    version: int
    ingested_at: dt.datetime

    @classmethod
    def of(cls, document: Document) -> Self:
        """A document of a workspace."""
        return cls(
            id=document.id,
            name=document.name,
            title=document.title,
            format=document.format,
            date=document.date,
            size_bytes=document.size_bytes,
            chunks=document.chunks,
            version=document.version_number,
            ingested_at=document.ingested_at,
        )


class Listing(Value):
    """A page of documents by name, and the newest uploads that are not documents, or not yet."""

    documents: list[DocumentEntry]
    uploads: list[Upload]
    next: str | None = Field(description="What `after` takes for the next page.")


class Deleted(Value):
    """A document that is gone; `blanked` counts the stored answers that lost their texts with it."""

    id: str
    name: str
    blanked: int
