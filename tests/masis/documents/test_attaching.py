"""Reading the files of a question: each once, bounded, and every refusal with its reason."""

import asyncio
from collections.abc import Sequence

import pytest

from masis.attached import Attached, AttachedFile
from masis.documents import attaching
from masis.documents.attaching import MOST_FILES, TOO_MANY, TOO_MUCH, TOO_SLOW, Attaching
from masis.domain import Chunk, Workspace, WorkspaceId, is_attached
from masis.errors import DocumentRefused, StoreUnavailable
from tests.fakes import FakeParser

HERE = Workspace(id=WorkspaceId("w_here"), owner="local", name="acme")


class Kept:
    """Attached files in memory."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], list[tuple[AttachedFile, Sequence[Chunk]]]] = {}

    async def write(
        self,
        workspace_id: WorkspaceId,
        run_id: str,
        position: int,
        file: AttachedFile,
        chunks: Sequence[Chunk],
    ) -> None:
        held = self.rows.setdefault((workspace_id, run_id), [])
        assert len(held) == position
        held.append((file, chunks))

    async def of(self, workspace_id: WorkspaceId, run_id: str) -> Attached:
        held = self.rows.get((workspace_id, run_id), [])
        return Attached(
            files=tuple(file for file, _ in held),
            chunks=tuple(chunk for _, chunks in held for chunk in chunks),
        )

    async def remove(self, workspace_id: WorkspaceId, run_id: str) -> None:
        self.rows.pop((workspace_id, run_id), None)


class Sent:
    """Files that somebody sent."""

    def __init__(self, **files: bytes | Exception) -> None:
        self._files = files
        self.reads: list[str] = []

    @property
    def names(self) -> list[str]:
        return list(self._files)

    async def read(self, position: int) -> bytes:
        name = self.names[position]
        self.reads.append(name)
        content = self._files[name]
        if isinstance(content, Exception):
            raise content
        if content == b"slow":
            await asyncio.sleep(60)
        return content


async def read(files: Sent, kept: Kept | None = None, run_id: str = "run-1") -> Attached:
    """What is kept of the files once they are read."""
    kept = kept or Kept()
    await Attaching(kept=kept, parser=FakeParser()).read(HERE, run_id, files)
    return await kept.of(HERE.id, run_id)


async def test_refused_file_keeps_its_reason() -> None:
    """What cannot be read is kept with its reason, and the others are read."""
    found = await read(Sent(a=b"Paper.", b=b"refuse", c=DocumentRefused("Gone."), d=b"Ink."))

    assert [file.reason for file in found.files] == [
        "",
        "The file is damaged and could not be read.",
        "Gone.",
        "",
    ]
    assert [chunk.text for chunk in found.chunks] == ["Paper.", "Ink."]
    assert all(is_attached(document.id) for document in found.documents)


async def test_read_file_is_not_fetched_again() -> None:
    """A run that was broken off goes on with the file that it had not read."""
    kept, first = Kept(), Sent(a=b"Paper.", b=StoreUnavailable("locked"))
    with pytest.raises(StoreUnavailable):
        await read(first, kept)
    again = Sent(a=b"Other.", b=b"Ink.")

    found = await read(again, kept)

    assert again.reads == ["b"]
    assert [chunk.text for chunk in found.chunks] == ["Paper.", "Ink."]


async def test_too_many_files_are_not_read() -> None:
    sent = Sent(**{f"f{n}": b"Paper." for n in range(MOST_FILES + 2)})

    found = await read(sent)

    assert len(sent.reads) == MOST_FILES
    assert [file.reason for file in found.files[MOST_FILES:]] == [TOO_MANY] * 2


async def test_passages_and_seconds_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long files are read as far as there is room and time, and it is said how far."""
    monkeypatch.setattr(attaching, "MOST_PASSAGES", 2)
    long = "\n".join(f"# Part {n}\n{'word ' * 150}" for n in range(3)).encode()
    found = await read(Sent(a=long, b=b"Ink."))
    monkeypatch.setattr(attaching, "SECONDS", 0.01)
    slow = await read(Sent(a=b"slow"))

    assert (len(found.chunks), found.files[0].left_out) == (2, 1)
    assert found.files[1].reason == TOO_MUCH
    assert slow.files[0].reason == TOO_SLOW


async def test_two_runs_share_no_passage() -> None:
    """The same file of two runs is one document, whose passages are each run's own."""
    kept = Kept()
    one = await read(Sent(a=b"Paper."), kept, "run-1")
    other = await read(Sent(a=b"Paper."), kept, "run-2")

    assert [each.id for each in one.documents] == [each.id for each in other.documents]
    assert {chunk.id for chunk in one.chunks}.isdisjoint(chunk.id for chunk in other.chunks)
