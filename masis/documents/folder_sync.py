"""Keeping a workspace equal to a folder: what is new, changed, renamed or gone there."""

import asyncio
import contextlib
import hashlib
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final, Literal

from masis.documents.ingestion import READ_AGAIN, SUPERSEDED, Ingest, IngestResult, Source
from masis.domain import Document, Origin, Value, Workspace
from masis.errors import DocumentRefused
from masis.ports import Repository

INCOMPLETE: Final = "The folder could not be listed whole, so that nothing is removed."
EMPTIED: Final = "Its folder is there and holds nothing, so that it may be a drive that is missing."
CAME_OTHERWISE: Final = "It came otherwise: it stays when its file goes."


class Change(Value):
    """Report what became, or would become, of one document.

    `was` is the name that it had before.

    `kept` is a document whose file is not there and that stays all the same; `reason` says why.
    """

    status: Literal["added", "updated", "renamed", "removed", "unchanged", "kept", "refused"]
    name: str
    was: str | None = None
    reason: str | None = None
    version: int | None = None
    chunks: int = 0
    notes: list[str] = []
    blanked: int = 0


@dataclass(frozen=True, slots=True)
class File:
    """A file as it was listed. `read` may block, and raise DocumentRefused.

    An empty `stamp` says that the file has to be read to know whether it has changed.
    """

    name: str
    size: int
    stamp: str
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Listing:
    """List what a folder holds, each name once. `source` names the folder.

    `problems` are the places that could not be listed, each with the reason: where there are any
    the listing is not complete. `empty` are the folders without any entry, as the beginning that
    the names of their documents have: `old/`, and nothing for the folder itself.
    """

    source: str
    files: Sequence[File]
    problems: Sequence[tuple[str, str]] = ()
    empty: Sequence[str] = ()


@dataclass(slots=True)
class Plan:
    """Hold what a sync is to do. `to_read` are files that are new or may have changed."""

    source: str
    refused: list[tuple[str, str]] = field(default_factory=list)
    unchanged: list[Document] = field(default_factory=list)
    renamed: list[tuple[Document, File]] = field(default_factory=list)
    to_read: list[tuple[Document | None, File]] = field(default_factory=list)
    removed: list[Document] = field(default_factory=list)
    kept: list[tuple[Document, str]] = field(default_factory=list)


Refusals = dict[str, tuple[str, str]]
"""By name: the stamp of a file that was refused, and why. It is not read again as it is."""


class Sync:
    """Makes a workspace's documents equal to a folder's files; it removes only what came from it.

    Args:
        repository: Where the documents are.
        ingest: What reads, renames and deletes them.
        allow_empty: Remove documents also where their folder is there and holds nothing.
        adopt: Take over documents that came otherwise and are the same as the folder's files.
        again: Read every file again, also where nothing says that it has changed.
        refusals: What was refused before, for who syncs again and again.
    """

    def __init__(
        self,
        repository: Repository,
        ingest: Ingest,
        *,
        allow_empty: bool = False,
        adopt: bool = False,
        again: bool = False,
        refusals: Refusals | None = None,
    ) -> None:
        self._repository = repository
        self._ingest = ingest
        self._allow_empty = allow_empty
        self._adopt = adopt
        self._again = again
        self._refusals = {} if refusals is None else refusals

    # --- what is to be done ----------------------------------------------------------------

    async def plan(self, workspace: Workspace | None, listing: Listing) -> Plan:
        """Compare a listing with what the workspace holds; without one, with nothing.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        held = [] if workspace is None else await self._repository.documents(workspace.id)
        documents = {document.name: document for document in held}
        plan = Plan(listing.source, refused=list(listing.problems))
        for file in listing.files:
            self._place(plan, documents.get(file.name), file)
        listed = {file.name for file in listing.files}
        for name in self._refusals.keys() - listed:
            del self._refusals[name]
        gone = [
            document
            for document in held
            if document.origin.source == listing.source and document.name not in listed
        ]
        if listing.problems:
            plan.kept = [(document, INCOMPLETE) for document in gone]
            return plan
        plan.renamed = await asyncio.to_thread(_moved, gone, plan.to_read)
        self._let_go(plan, gone, listing.empty)
        return plan

    def _place(self, plan: Plan, document: Document | None, file: File) -> None:
        """Put a file where it belongs in the plan, as far as that is known without reading it."""
        stamp, reason = self._refusals.get(file.name, ("", ""))
        origin = None if document is None else document.origin
        as_it_is = Origin(source=plan.source, stamp=file.stamp)
        if origin is not None and origin.source not in {"", plan.source}:
            plan.refused.append((file.name, _of_another(origin.source)))
        elif document and file.stamp and origin == as_it_is and not self._is_due(document):
            plan.unchanged.append(document)
        elif reason and stamp == file.stamp and not self._again:
            plan.refused.append((file.name, reason))
        else:
            plan.to_read.append((document, file))

    def _is_due(self, document: Document) -> bool:
        """Tell whether to read a document again whatever its file looks like."""
        return self._again or self._ingest.is_outdated(document)

    def _let_go(self, plan: Plan, gone: Sequence[Document], empty: Iterable[str]) -> None:
        """Part what is gone into what is removed and what stays; what was renamed is neither."""
        renamed = {document.id for document, _ in plan.renamed}
        new = {file.name for _, file in plan.renamed}
        plan.to_read = [each for each in plan.to_read if each[1].name not in new]
        doubtful = () if self._allow_empty else tuple(empty)
        for document in gone:
            if document.id in renamed:
                continue
            if document.name.startswith(doubtful):
                plan.kept.append((document, EMPTIED))
            else:
                plan.removed.append(document)

    # --- doing it --------------------------------------------------------------------------

    async def rehearse(self, plan: Plan) -> AsyncGenerator[Change]:
        """Say what would be done. A file that cannot be understood is found out by doing it."""
        for change in _untouched(plan):
            yield change
        for document, file in plan.renamed:
            yield _of("renamed", document, name=file.name, was=document.name)
        for held, file in plan.to_read:
            change = await asyncio.to_thread(_rehearsed, held, file)
            if held is not None and change.status == "unchanged" and self._is_due(held):
                change = change.model_copy(update={"status": "updated", "notes": [READ_AGAIN]})
            yield change
        for document in plan.removed:
            yield _of("removed", document)

    async def carry_out(
        self, workspace: Workspace, plan: Plan, *, check: Callable[[], None] = lambda: None
    ) -> AsyncGenerator[Change]:
        """Do it: rename, then add and update, and remove at last, so that nothing is missed.

        `check` is called before each change, and raises where this sync is not to go on.

        Raises:
            StoreUnavailable: what was told so far is done, the rest is done by the next sync.
            ProfileMismatch: see `Ingest.ingest`, as of EmbeddingError and BudgetSpent.
        """
        for change in _untouched(plan):
            yield change
        for document, file in plan.renamed:
            check()
            if await self._ingest.rename(document, file.name, _origin(plan, file)):
                yield _of("renamed", document, name=file.name, was=document.name)
            else:  # somebody took the name meanwhile
                plan.to_read.append((None, file))
                plan.removed.append(document)
        async with contextlib.aclosing(self._read(workspace, plan)) as changes:
            async for change in changes:
                yield change
                check()
        for document in plan.removed:
            check()
            deleted = await self._ingest.delete(workspace, document.name)
            yield _of("removed", document, blanked=deleted.blanked)

    async def _read(self, workspace: Workspace, plan: Plan) -> AsyncGenerator[Change]:
        """Ingest the files that are to be read."""
        sources = (
            Source(file.name, file.read, _origin(plan, file), again=self._again)
            for _, file in plan.to_read
        )
        several = self._ingest.ingest_many(workspace, sources)
        left = iter(list(plan.to_read))
        async with contextlib.aclosing(several) as results:
            async for result in results:
                held, file = next(left)
                yield await self._noted(plan, held, file, result)

    async def _noted(
        self, plan: Plan, held: Document | None, file: File, result: IngestResult
    ) -> Change:
        """Report what came of a file. What is known of it now is noted for the next sync."""
        self._refusals.pop(file.name, None)
        notes = list(result.notes)
        if result.status == "refused" and file.stamp and result.reason != SUPERSEDED:
            self._refusals[file.name] = (file.stamp, result.reason or "")
        is_ours = held is not None and (held.origin.source or self._adopt)
        if held is not None and is_ours and result.status == "unchanged":
            origin = _origin(plan, file)
            await self._repository.note_origin(held.workspace_id, held.version_id, origin)
        elif held is not None and not held.origin.source and _has_same_bytes(result):
            notes.append(CAME_OTHERWISE)
        return Change(
            status=result.status,
            name=file.name,
            reason=result.reason,
            version=result.version,
            chunks=result.chunks,
            notes=notes,
        )


# --- parts ---------------------------------------------------------------------------------


def _has_same_bytes(result: IngestResult) -> bool:
    return result.status == "unchanged" or READ_AGAIN in result.notes


def _origin(plan: Plan, file: File) -> Origin:
    return Origin(source=plan.source, stamp=file.stamp)


def _of_another(source: str) -> str:
    return (
        f"The document of this name comes from {source}. Delete it to have it from here, or give"
        f" --source “{source}” where that folder was moved here."
    )


def _of(
    status: Literal["renamed", "removed", "unchanged", "kept", "updated"],
    document: Document,
    *,
    name: str | None = None,
    was: str | None = None,
    reason: str | None = None,
    blanked: int = 0,
) -> Change:
    return Change(
        status=status,
        name=name or document.name,
        was=was,
        reason=reason,
        version=document.version_number,
        chunks=document.chunks,
        blanked=blanked,
    )


def _untouched(plan: Plan) -> list[Change]:
    """List the files that the sync leaves as they are, and why."""
    refused = [Change(status="refused", name=name, reason=why) for name, why in plan.refused]
    same = [_of("unchanged", document) for document in plan.unchanged]
    return [*refused, *same, *(_of("kept", document, reason=why) for document, why in plan.kept)]


def _moved(
    gone: Sequence[Document], found: Sequence[tuple[Document | None, File]]
) -> list[tuple[Document, File]]:
    """The new files that are a document whose file is gone: the same bytes, of the same kind.

    Only files of a size that is sought are read. Of several documents alike the one is taken that
    was called so in another folder.
    """
    sought: dict[tuple[int, str], list[Document]] = defaultdict(list)
    for document in gone:
        sought[document.size_bytes, _suffix(document.name)].append(document)
    pairs = []
    for held, file in found:
        alike = [] if held else sought.get((file.size, _suffix(file.name)), [])
        digest = _digest(file) if alike else ""
        same = [each for each in alike if each.content_hash == digest]
        if same:
            called_so = (each for each in same if _last(each.name) == _last(file.name))
            chosen = next(called_so, same[0])
            alike.remove(chosen)
            pairs.append((chosen, file))
    return pairs


def _rehearsed(held: Document | None, file: File) -> Change:
    """Predict what reading a file would lead to, as far as its bytes tell."""
    try:
        digest = hashlib.sha256(file.read()).hexdigest()
    except DocumentRefused as refusal:
        return Change(status="refused", name=file.name, reason=str(refusal))
    if held is None:
        return Change(status="added", name=file.name)
    return _of("unchanged" if held.content_hash == digest else "updated", held)


def _digest(file: File) -> str:
    """The hash of its bytes; nothing where they cannot be had, which reading it will tell."""
    try:
        return hashlib.sha256(file.read()).hexdigest()
    except DocumentRefused:
        return ""


def _suffix(name: str) -> str:
    """Return what a file's name says about its kind. Plain text is read by it."""
    return PurePosixPath(name).suffix.lower()


def _last(name: str) -> str:
    return PurePosixPath(name).name
