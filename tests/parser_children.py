"""The parser's child processes, kept from one test to the next.

To start one takes longer than to read the documents of a test, and a child is made to be used
again: the pool itself keeps one for hundreds of files. What the pool does with its children is
tested without this.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import pytest

from masis.documents.parsing.sandbox import pool

MOST_KEPT: Final = 2
_KEPT: Final[list["_KeptChild"]] = []


class _KeptChild(pool._Child):
    """A child that is kept instead of closed, unless it ended or was killed."""

    _was_killed = False

    def kill(self) -> None:
        self._was_killed = True
        super().kill()

    def close(self) -> None:
        if self._was_killed or self.is_spent() or not self.is_alive() or len(_KEPT) >= MOST_KEPT:
            super().close()
        else:
            _KEPT.append(self)

    def end(self) -> None:
        """Close it for good."""
        super().close()

    def is_alive(self) -> bool:
        return self._process.poll() is None


def _kept_or_new(command: Sequence[str]) -> pool._Child:
    while _KEPT and command == pool._COMMAND:
        child = _KEPT.pop()
        if child.is_alive():
            return child
        child.end()
    return _KeptChild(command)


@pytest.fixture
def _parser_children_are_kept(monkeypatch: pytest.MonkeyPatch, _kept_children_end: None) -> None:
    """Give every pool of a test a child that was kept, where there is one."""
    monkeypatch.setattr(pool, "_Child", _kept_or_new)


@pytest.fixture(scope="session")
def _kept_children_end() -> Iterator[None]:
    """End in the end what is kept."""
    yield
    while _KEPT:
        _KEPT.pop().end()
