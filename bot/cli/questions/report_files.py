"""The files of a report, beside each other, and never in place of somebody's own."""

import os
import tempfile
from pathlib import Path
from typing import Final, NamedTuple, Self

from bot.cli.exit_codes import BadInput
from bot.rendering.show import line

_PAGE_MARK: Final = b'content="masis eval"'
_DATA_MARK: Final = b'{"format":"masis-evaluation/'
_LOOKED_AT: Final = 2_000
"""Bytes at the beginning of a file, within which it says what it is."""


class ReportFiles(NamedTuple):
    """The page, the same for programs, and what is kept while questions are asked."""

    page: Path
    data: Path
    journal: Path

    @classmethod
    def of(cls, page: Path) -> Self:
        """The files for that page; earlier reports in them will be replaced.

        Raises:
            BadInput: it does not end in `.html`, or something else is there.
        """
        files = cls(page, page.with_suffix(".json"), page.with_suffix(".part.jsonl"))
        check_page(page)
        _check(files.data, _DATA_MARK)
        return files

    def write(self, page: str, data: str) -> None:
        """Both at once, as far as a disk can."""
        put(self.data, data)
        put(self.page, page)


def check_page(page: Path) -> None:
    """Check that a page may be written there.

    Raises:
        BadInput: it does not end in `.html`, or something else is there.
    """
    if page.suffix.lower() != ".html":
        raise BadInput(f"“{line(str(page))}” is no name for a report: name it like report.html")
    _check(page, _PAGE_MARK)


def _check(path: Path, mark: bytes) -> None:
    try:
        with path.open("rb") as file:
            begin = file.read(_LOOKED_AT)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unwritten(path, error) from error
    if mark not in begin:
        raise BadInput(f"“{line(str(path))}” is there already, and no report: name a new file")


def put(path: Path, content: str) -> None:
    """The whole file or none of it, for its owner alone: it holds what documents say.

    Raises:
        BadInput: it cannot be written.
    """
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".masis-", delete=False) as file:
            temporary = Path(file.name)
            try:
                file.write(content.encode())
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                temporary.unlink()
                raise
        temporary.replace(path)
    except OSError as error:
        raise _unwritten(path, error) from error


def _unwritten(path: Path, error: OSError) -> BadInput:
    why = error.strerror or type(error).__name__
    return BadInput(f"“{line(str(path))}” cannot be written ({why}): name another place")
