"""List what a folder holds as a whole, or say where it could not be seen.

Nothing is removed on half a listing.
"""

import os
import stat
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.cli.documents.paths import MAX_FILES, Found, below, content_of, hidden
from bot.cli.exit_codes import BadInput
from bot.rendering.show import line

if TYPE_CHECKING:
    from masis.documents.folder_sync import File, Listing

MAX_DEPTH: Final = 32
"""Folders within folders; deeper is most likely a mistake, and is told."""
MAX_ENTRIES: Final = 200_000
"""Names that are looked at, hidden ones and folders too: the wrong folder is noticed early."""
_FRESH_SECONDS: Final = 2.0
"""A file that was written so recently may be written again without its time changing: the
coarsest file systems count in two seconds."""


def located(folder: str) -> Path:
    """The real path of a folder.

    Raises:
        BadInput: there is none.
    """
    path = Path(os.path.realpath(Path(folder).expanduser()))
    if not path.is_dir():
        raise BadInput(
            f"there is no folder “{line(folder)}”; check the path, and that its drive is connected."
            " Nothing was removed."
        )
    return path


def source_of(folder: Path) -> str:
    """Return a folder's name where no other is given: its path, as any database keeps it."""
    return os.fsencode(folder).decode("utf-8", "replace")


def listed(folder: Path, source: str, limit: int, *, without: Path | None = None) -> "Listing":
    """List a folder; it may block.

    Args:
        folder: Its real path.
        source: What it is called.
        limit: Bytes of a file; more is refused when it is read.
        without: A folder that is left out.

    Raises:
        BadInput: it holds too many files, or too much else.
    """
    from masis.documents.folder_sync import Listing  # noqa: PLC0415 - help is quick without

    seen = _Seen(folder)
    for each in seen.walk(without):
        if len(seen.files) >= MAX_FILES:
            raise BadInput(
                f"more than {MAX_FILES:,} files: is “{line(str(folder))}” the right folder?"
                " Nothing was changed."
            )
        seen.add(each, limit)
    # Hidden files and folders are nobody's documents: a drive that is missing may leave some.
    empty = seen.empty if seen.files else ["", *seen.empty]
    files = sorted(seen.files.values(), key=lambda file: file.name)
    return Listing(source, files, sorted(seen.problems), sorted(empty))


@dataclass
class _Seen:
    """Collect what was seen of a folder so far."""

    folder: Path
    files: "dict[str, File]" = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    entries: int = 0

    def walk(self, without: Path | None) -> Iterator[Path]:
        """Every file that is not hidden; links to folders are not followed."""
        left = [(self.folder, 0)]
        while left:
            folder, depth = left.pop()
            found = self._entries(folder)
            if found is not None and not found and folder != self.folder:
                self.empty.append(self._named(folder))
            for entry in found or ():
                path = Path(entry.path)
                if hidden(entry.name) or path == without:
                    continue
                if not _is_folder(entry):
                    yield path
                elif entry.is_symlink():
                    continue
                elif depth < MAX_DEPTH:
                    left.append((path, depth + 1))
                else:
                    too_deep = f"It is more than {MAX_DEPTH} folders deep."
                    self.problems.append((self._named(path), too_deep))

    def add(self, path: Path, limit: int) -> None:
        """List a file."""
        from masis.documents.folder_sync import File  # noqa: PLC0415 - help is quick without

        found = below(self.folder, path)
        if found.name in self.files:
            self.problems.append((found.name, "Two files have this name as people see it."))
            return
        try:
            status = path.lstat() if found.leads_out else path.stat()
        except FileNotFoundError:
            if not path.is_symlink():
                return  # it went while we looked
            status = path.lstat()
        except OSError as error:
            self.problems.append((found.name, _why(error)))
            return
        read = partial(_read, self.folder, found, limit)
        self.files[found.name] = File(found.name, status.st_size, _stamp(status), read)

    def _entries(self, folder: Path) -> list[os.DirEntry[str]] | None:
        """List what is in a folder, by name; None where that cannot be seen."""
        try:
            with os.scandir(folder) as several:
                found = sorted(self._counted(several), key=lambda entry: entry.name)
        except OSError as error:
            self.problems.append((self._named(folder), _why(error)))
            return None
        return found

    def _counted(self, entries: Iterable[os.DirEntry[str]]) -> Iterator[os.DirEntry[str]]:
        for entry in entries:
            self.entries += 1
            if self.entries > MAX_ENTRIES:
                raise BadInput(
                    f"more than {MAX_ENTRIES:,} files and folders, hidden ones too: is"
                    f" “{line(str(self.folder))}” the right folder? Nothing was changed."
                )
            yield entry

    def _named(self, folder: Path) -> str:
        return f"{below(self.folder, folder).name}/" if folder != self.folder else "./"


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Say whether the entry is a folder, or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False  # reading it as a file says why it cannot be had


def _stamp(status: os.stat_result) -> str:
    """Return a stamp that changes when a file is written to.

    It is empty for one that was written to just now.
    """
    if status.st_mtime > time.time() - _FRESH_SECONDS or not stat.S_ISREG(status.st_mode):
        return ""
    return f"{status.st_size}.{status.st_mtime_ns}.{status.st_ctime_ns}.{status.st_ino}"


def _read(folder: Path, found: Found, limit: int) -> bytes:
    """The file's bytes. A link may lead elsewhere by now than when it was listed."""
    return content_of(below(folder, found.path), limit)


def _why(error: OSError) -> str:
    return f"It cannot be read: {error.strerror or type(error).__name__}."
