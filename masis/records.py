"""What is kept of documents and runs, as it goes to the database and comes from it."""

from typing import Any

from masis.domain import EvidenceChunk, Value, WorkspaceId


class Version(Value):
    """A document version while it is written."""

    id: str
    workspace_id: WorkspaceId
    document_id: str
    number: int
    content_hash: str


class DeletedDocument(Value):
    """Report what went with a document, and the versions whose vectors are still to be removed.

    They stay hidden until `discard_version` is called for each. `blanked` is how many stored
    answers were emptied because they quote the document. `replaced`: nothing was deleted, as
    another version than the one that was meant answers by now.
    """

    versions: list[str]
    blanked: int = 0
    replaced: bool = False


class StoredRun(Value):
    """A finished run as it is kept for the audit trail; `outcome` and `trace` as JSON values.

    `graph` is the name of the one that answered. `blanked` says that a document it quotes was deleted: its texts are empty, its numbers stand.
    """

    run_id: str
    workspace_id: WorkspaceId
    graph: str
    parent_run_id: str | None = None
    question: str
    status: str
    outcome: dict[str, Any]
    evidence: list[EvidenceChunk]
    trace: list[dict[str, Any]]
    figures: dict[str, Any]
    blanked: bool = False
