"""Results question by question on disk, so that an evaluation that was killed goes on."""

import os
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from pydantic import ValidationError

from bot.evaluation.report import Record
from masis.domain import Value
from masis.errors import InvalidSettings

MAX_BYTES: Final = 400_000_000
"""As much as the longest file of questions makes, ten times over."""


class Head(Value):
    """The first line: whose results follow."""

    format: Literal["masis-evaluation-part/1"] = "masis-evaluation-part/1"
    key: str


class Journal:
    """One JSON line a result, on the disk before the next question is asked.

    `records` are the results that are there, by id of their question; `kept` those of them that
    did not fail, for what failed is asked again. `is_other` says that there were some of other questions,
    documents or settings, which are gone now.
    """

    def __init__(self, path: Path, key: str, *, fresh: bool = False) -> None:
        """Open it, and start over where it is another one's or is to be `fresh`.

        Raises:
            InvalidSettings: it cannot be read or written, or is something else.
        """
        self._path = path
        try:
            lines = _lines(path)
            head = _head(path, lines)
            goes_on = head is not None and head.key == key and not fresh
            self.is_other = head is not None and head.key != key
            good = _good(lines) if goes_on else []
            self.records = {each.question.id: each for each in good}
            # What a crash cut off is no line; what is whole stays where it is.
            size = sum(len(line) + 1 for line in lines[: len(good) + 1]) if goes_on else 0
            self._file = os.fdopen(_opened(path), "r+b")
            self._file.truncate(size)
            self._file.seek(size)
            if not goes_on:
                self._write(Head(key=key))
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise InvalidSettings(
                f"“{path}” cannot be written ({why}): name another place with --report"
            ) from error

    @property
    def kept(self) -> dict[str, Record]:
        """The results that need not be asked for again."""
        return {id_: each for id_, each in self.records.items() if each.verdict != "failed"}

    def add(self, record: Record) -> None:
        """Keep one more."""
        self.records[record.question.id] = record
        self._write(record)

    def remove(self) -> None:
        """It has done its work: the report is written."""
        self._path.unlink(missing_ok=True)

    def _write(self, value: Value) -> None:
        self._file.write(value.model_dump_json().encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def _opened(path: Path) -> int:
    """For its owner alone: it holds what people asked and what documents say."""
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def _lines(path: Path) -> list[bytes]:
    """Whole lines alone: the last may have been cut off."""
    if not path.exists():
        return []
    if path.stat().st_size > MAX_BYTES:
        raise InvalidSettings(f"“{path}” has over {MAX_BYTES / 1e6:,.0f} MB: remove it")
    return path.read_bytes().split(b"\n")[:-1]


def _head(path: Path, lines: list[bytes]) -> Head | None:
    if not lines and not (path.exists() and path.stat().st_size):
        return None
    try:
        return Head.model_validate_json(lines[0] if lines else b"")
    except ValidationError as error:
        raise InvalidSettings(
            f"“{path}” was not written by `masis eval`: name another report with --report"
        ) from error


def _good(lines: list[bytes]) -> list[Record]:
    """The results below the head, up to a line that is none: of a disk that lost a page."""
    found: list[Record] = []
    for line in lines[1:]:
        try:
            found.append(Record.model_validate_json(line))
        except ValidationError:
            break
    return found
