"""Give what becomes of files that are put into a workspace as every chat shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bot.chat.words import shared_sentences
from bot.chat.words.visible_text import one_line
from masis.documents.ingestion import IngestResult
from masis.domain import Workspace

FileStatus = Literal["added", "updated", "unchanged", "refused"]
STATUSES: Final[tuple[FileStatus, ...]] = ("added", "updated", "unchanged", "refused")


@dataclass(frozen=True, slots=True)
class FileShown:
    """Hold what became of a file: `reason` says why it was refused, `notes` what was left out of it."""

    name: str
    status: FileStatus
    passages: int
    version: int
    reason: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UploadShown:
    """Hold an upload: the files that are done, and the names of those whose turn has not come."""

    workspace: str
    done: tuple[FileShown, ...]
    waiting: tuple[str, ...] = ()

    @property
    def files(self) -> int:
        """Return how many files came."""
        return len(self.done) + len(self.waiting)

    @property
    def taken(self) -> int:
        """Return how many can be searched."""
        return sum(each.status != "refused" for each in self.done)

    @property
    def counts(self) -> Mapping[str, int]:
        """Return how many files were added, updated, unchanged and refused."""
        found = [each.status for each in self.done]
        return {each: found.count(each) for each in STATUSES}


def upload_shown(
    workspace: Workspace, results: Sequence[IngestResult], names: Sequence[str] = ()
) -> UploadShown:
    """Return an upload as far as it is; `names` are those of all files while it goes on."""
    done = tuple(map(_file, results))
    return UploadShown(workspace.name, done, tuple(names[len(results) :]))


def _file(result: IngestResult) -> FileShown:
    is_refused = result.status == "refused"
    return FileShown(
        name=result.name,
        status=result.status,
        passages=result.chunks,
        version=result.version or 1,
        reason=(result.reason or shared_sentences.UNEXPECTED) if is_refused else "",
        notes=tuple(map(one_line, result.notes)) if result.status in {"added", "updated"} else (),
    )
