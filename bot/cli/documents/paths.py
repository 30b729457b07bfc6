"""Find the files that an `ingest` means.

Folders are walked, patterns expanded, hidden files left out.
"""

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from bot.cli.exit_codes import BadInput
from bot.rendering.show import line
from masis.errors import DocumentRefused

MAX_FILES: Final = 10_000
"""Files of one call; more is most likely the wrong folder."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file, and the document name that it gets: its path below what was named.

    `leads_out` says that it is a link to somewhere outside of that, which nobody has named.
    """

    path: Path
    name: str
    leads_out: bool = False


def find(arguments: Sequence[str]) -> list[Found]:
    """Every file that the arguments mean, once, by name.

    Raises:
        BadInput: an argument means no file, or they mean too many.
    """
    found: dict[Path, Found] = {}
    for argument in arguments:
        files = _meant(argument)
        for file in files:
            # A link out stands for itself: what it leads to may be named as well.
            key = file.path.absolute() if file.leads_out else _real(file.path)
            found.setdefault(key, file)
            if len(found) > MAX_FILES:
                raise BadInput(
                    f"more than {MAX_FILES:,} files: is “{line(argument)}” the right folder?"
                    " Ingest its subfolders one by one."
                )
    return sorted(found.values(), key=lambda file: (file.name, file.path))


def _meant(argument: str) -> Iterator[Found]:
    """The files of one argument, at least one."""
    path = Path(argument).expanduser()
    if path.is_dir():
        files, why = _walk(path, path), "holds no files; hidden ones are left out"
    elif os.path.lexists(path) or not glob.has_magic(argument):
        files, why = iter([Found(path, _name(PurePath(path.name)))]), ""
        if not os.path.lexists(path):
            raise BadInput(f"there is no file or folder “{line(argument)}”; check the path")
    else:
        files, why = _matches(path), "matches no files; hidden ones are left out"
    empty = True
    for file in files:
        empty = False
        yield file
    if empty:
        raise BadInput(f"“{line(argument)}” {why}")


def _matches(pattern: Path) -> Iterator[Found]:
    """The files that a pattern matches, named by their path below its fixed part."""
    parts = pattern.parts
    fixed = next((n for n, part in enumerate(parts) if glob.has_magic(part)), len(parts))
    base = Path(*parts[:fixed])
    for match in sorted(glob.glob(str(pattern), recursive=True)):  # noqa: PTH207 - hides dot files
        path = Path(match)
        if path.is_dir():
            yield from _walk(path, base)
        elif not hidden(path.name):
            yield below(base, path)


def _walk(folder: Path, base: Path) -> Iterator[Found]:
    # Links to folders are not followed: they may lead in circles, or out of what was meant.
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not hidden(name))
        for name in sorted(files):
            if not hidden(name):
                yield below(base, Path(root, name))


def below(base: Path, path: Path) -> Found:
    """A file below what was named. A link may lead to one that its reader never meant to show."""
    leads_out = not _real(path).is_relative_to(_real(base))
    return Found(path, _name(path.relative_to(base)), leads_out)


def _real(path: Path) -> Path:
    """Resolve where a path leads. For links in a circle this is a path that cannot be read."""
    return Path(os.path.realpath(path))  # Path.resolve raises for circles


def hidden(name: str) -> bool:
    """Dot files, and the lock files that office programs leave beside open documents."""
    return name.startswith((".", "~$"))


def _name(path: PurePath) -> str:
    """A document name: forward slashes everywhere, and nothing that a terminal obeys."""
    return line(os.fsencode(path.as_posix()).decode("utf-8", "replace"))


def content_of(file: Found, limit: int) -> bytes:
    """The file's bytes.

    Raises:
        DocumentRefused: they cannot be had; the message is the reason shown to people.
    """
    if file.leads_out:
        raise DocumentRefused("It is a link out of the folder; name the file itself to ingest it.")
    content = read(file.path, limit)
    if isinstance(content, str):
        raise DocumentRefused(content)
    return content


_DELIMITED: Final = frozenset({".csv", ".tsv"})
"""Files that are read row by row may be this many times as large as others."""
_DELIMITED_TIMES: Final = 4


def read(path: Path, limit: int) -> bytes | str:
    """The file's bytes, or why they cannot be had."""
    limit *= _DELIMITED_TIMES if path.suffix.casefold() in _DELIMITED else 1
    try:
        if not path.is_file():
            return "It is no regular file." if path.exists() else "The file is gone."
        found = path.stat().st_size
        if found > limit:
            return f"It has {found / 1e6:,.1f} MB; the limit is {limit / 1e6:,.0f} MB."
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        return f"It cannot be read: {error.strerror or type(error).__name__}."
    return content if len(content) <= limit else "It grew over the limit while it was read."
