from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from masis.documents.folder_sync import (
    CAME_OTHERWISE,
    EMPTIED,
    INCOMPLETE,
    Change,
    File,
    Listing,
    Refusals,
    Sync,
)
from masis.documents.ingestion import READ_AGAIN, Ingest
from masis.domain import Origin, Workspace
from masis.errors import DocumentRefused, StoreLocked, StoreUnavailable
from tests.fakes import (
    FakeEmbedder,
    FakeParser,
    FakeRepository,
    FakeVectorStores,
    Faults,
)

HOME = "/srv/handbook"
LEAVE = b"# Leave\nYou may carry over 240 hours."
SICK = b"# Sick\nCall your manager first of all."


@dataclass
class Folder:
    """Files in memory; a new stamp each time that one is written."""

    files: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    reads: list[str] = field(default_factory=list)
    written: int = 0

    def write(self, name: str, content: bytes) -> None:
        self.written += 1
        self.files[name] = (content, str(self.written))

    def listing(
        self, problems: tuple[tuple[str, str], ...] = (), empty: tuple[str, ...] = ()
    ) -> Listing:
        files = [
            File(name, len(content), stamp, self._reader(name, content))
            for name, (content, stamp) in sorted(self.files.items())
        ]
        return Listing(HOME, files, problems, empty)

    def _reader(self, name: str, content: bytes) -> Callable[[], bytes]:
        def read() -> bytes:
            self.reads.append(name)
            if content == b"too large":
                raise DocumentRefused("It is too large.")
            return content

        return read


@dataclass
class Town:
    """A workspace and a folder that it is synced with."""

    workspace: Workspace
    repository: FakeRepository
    ingest: Ingest
    embedder: FakeEmbedder
    faults: Faults
    folder: Folder = field(default_factory=Folder)
    refusals: Refusals = field(default_factory=dict)

    async def sync(
        self,
        listing: Listing | None = None,
        *,
        allow_empty: bool = False,
        adopt: bool = False,
        again: bool = False,
        check: Callable[[], None] = lambda: None,
    ) -> list[Change]:
        sync = Sync(
            self.repository,
            self.ingest,
            allow_empty=allow_empty,
            adopt=adopt,
            again=again,
            refusals=self.refusals,
        )
        self.folder.reads.clear()
        plan = await sync.plan(self.workspace, listing or self.folder.listing())
        return [change async for change in sync.carry_out(self.workspace, plan, check=check)]

    async def names(self) -> list[str]:
        return [document.name for document in await self.repository.documents(self.workspace.id)]

    async def versions(self) -> set[tuple[str, str]]:
        documents = await self.repository.documents(self.workspace.id)
        return {(document.id, document.version_id) for document in documents}

    async def upload(self, name: str, content: bytes) -> None:
        await self.ingest.ingest(self.workspace, name, content)


@pytest.fixture
async def town() -> Town:
    faults = Faults()
    repository, embedder = FakeRepository(faults), FakeEmbedder()
    ingest = Ingest(
        repository=repository,
        stores=FakeVectorStores(faults),
        embedder=embedder,
        parser=FakeParser(),
    )
    workspace = await repository.create_workspace("local", "acme")
    town = Town(workspace, repository, ingest, embedder, faults)
    town.folder.write("leave.md", LEAVE)
    town.folder.write("sick.md", SICK)
    return town


def said(changes: list[Change]) -> list[tuple[str, str]]:
    return [(change.status, change.name) for change in changes]


async def test_workspace_stays_equal_to_folder(town: Town) -> None:
    """A workspace becomes equal to the folder and stays so."""
    assert said(await town.sync()) == [("added", "leave.md"), ("added", "sick.md")]
    town.folder.write("leave.md", LEAVE + b" The rule is new.")
    town.folder.write("travel.md", b"# Travel\nBook early.")
    del town.folder.files["sick.md"]
    assert said(await town.sync()) == [
        ("updated", "leave.md"),
        ("added", "travel.md"),
        ("removed", "sick.md"),
    ]
    assert await town.names() == ["leave.md", "travel.md"]


async def test_unwritten_file_is_not_read(town: Town) -> None:
    """A file that nobody wrote to is not even read."""
    await town.sync()
    assert said(await town.sync()) == [("unchanged", "leave.md"), ("unchanged", "sick.md")]
    assert town.folder.reads == []
    town.folder.write("leave.md", LEAVE)
    assert said(await town.sync())[-1] == ("unchanged", "leave.md")
    assert town.folder.reads == ["leave.md"]
    await town.sync()
    assert town.folder.reads == [], "it is known as it is now"


def upgraded(town: Town) -> None:
    """Go on in a version with a newer reader."""
    town.ingest = Ingest(
        repository=town.repository,
        stores=FakeVectorStores(town.faults),
        embedder=town.embedder,
        parser=FakeParser(),
        parsers={"txt": 2},
    )


async def test_newer_reader_rereads_untouched_files(town: Town) -> None:
    """A newer reader reads untouched files again."""
    await town.sync()
    upgraded(town)
    assert said(await town.sync()) == [("updated", "leave.md"), ("updated", "sick.md")]
    assert said(await town.sync()) == [("unchanged", "leave.md"), ("unchanged", "sick.md")]


async def test_reread_request_includes_untouched_files(town: Town) -> None:
    """Untouched files are read again on request."""
    await town.sync()
    assert said(await town.sync(again=True)) == [("updated", "leave.md"), ("updated", "sick.md")]


async def test_reread_keeps_documents_origin(town: Town) -> None:
    """What came otherwise stays so when read again."""
    await town.upload("leave.md", LEAVE)
    upgraded(town)
    leave = (await town.sync())[0]
    assert (leave.status, leave.notes) == ("updated", [READ_AGAIN, CAME_OTHERWISE])
    del town.folder.files["leave.md"]
    await town.sync()
    assert await town.names() == ["leave.md", "sick.md"]


async def test_rehearsal_tells_what_is_reread(town: Town) -> None:
    """A rehearsal tells what would be read again."""
    await town.sync()
    upgraded(town)
    sync = Sync(town.repository, town.ingest)
    plan = await sync.plan(town.workspace, town.folder.listing())
    changes = [change async for change in sync.rehearse(plan)]
    assert said(changes) == [("updated", "leave.md"), ("updated", "sick.md")]


async def test_renamed_file_is_not_embedded_again(town: Town) -> None:
    """A renamed file is neither read into pieces nor embedded again."""
    await town.sync()
    before = await town.versions()
    embedded = len(town.embedder.asked)
    town.folder.files["2026/leave.md"] = town.folder.files.pop("leave.md")
    [_, renamed] = await town.sync()
    assert (renamed.status, renamed.name, renamed.was) == ("renamed", "2026/leave.md", "leave.md")
    assert len(town.embedder.asked) == embedded
    assert await town.names() == ["2026/leave.md", "sick.md"]
    assert await town.versions() == before
    assert {each.status for each in await town.sync()} == {"unchanged"}


async def test_identical_documents_keep_matching_names(
    town: Town,
) -> None:
    """Of two documents alike each new name goes to the one that was called so."""
    town.folder.files = {}
    for name in ("a/one.md", "a/two.md"):
        town.folder.write(name, LEAVE)
    await town.sync()
    town.folder.files = {}
    for name in ("b/two.md", "b/one.md"):
        town.folder.write(name, LEAVE)
    changes = await town.sync()
    assert [(each.was, each.name) for each in changes] == [
        ("a/one.md", "b/one.md"),
        ("a/two.md", "b/two.md"),
    ]


async def test_changed_file_type_is_read_anew(town: Town) -> None:
    """The same bytes under a name of another kind are read anew."""
    await town.sync()
    town.folder.files["sick.txt"] = town.folder.files.pop("sick.md")
    assert said(await town.sync())[1:] == [("added", "sick.txt"), ("removed", "sick.md")]


async def test_name_taken_during_sync_is_updated(town: Town) -> None:
    """A new name that somebody takes meanwhile is synced all the same."""
    await town.sync()
    town.folder.files["new.md"] = town.folder.files.pop("sick.md")
    sync = Sync(town.repository, town.ingest)
    plan = await sync.plan(town.workspace, town.folder.listing())
    await town.upload("new.md", b"# Other\nSomething else.")
    changes = [each async for each in sync.carry_out(town.workspace, plan)]
    assert said(changes)[1:] == [("updated", "new.md"), ("removed", "sick.md")]


# --- what is not removed -------------------------------------------------------------------


async def test_documents_that_came_otherwise_stay(town: Town) -> None:
    await town.upload("uploaded.md", b"# Uploaded\nBy somebody.")
    await town.upload("sick.md", SICK)
    _, sick = await town.sync()
    assert (sick.status, sick.notes) == ("unchanged", [CAME_OTHERWISE])
    town.folder.files.clear()
    await town.sync()
    assert await town.names() == ["sick.md", "uploaded.md"]


async def test_upload_over_file_outlives_it(
    town: Town,
) -> None:
    """A document that was uploaded over a files stays when the file goes."""
    await town.sync()
    await town.upload("leave.md", b"# Leave\nWhat somebody knows better.")
    del town.folder.files["leave.md"]
    await town.sync()
    assert await town.names() == ["leave.md", "sick.md"]


async def test_uploaded_documents_are_adopted_on_request(
    town: Town,
) -> None:
    """Documents that came otherwise are taken over where that is wished."""
    await town.upload("sick.md", SICK)
    assert (await town.sync(adopt=True))[1].notes == []
    del town.folder.files["sick.md"]
    assert ("removed", "sick.md") in said(await town.sync())


async def test_other_folders_namesake_is_kept(town: Town) -> None:
    """Another folders document of the same name is left alone."""
    other = Origin(source="/srv/other", stamp="1")
    await town.ingest.ingest(town.workspace, "sick.md", b"# Other\nSick.", other)
    for _ in range(2):
        refused, *_ = await town.sync()
        assert (refused.status, refused.name) == ("refused", "sick.md")
        assert "comes from /srv/other. Delete it" in (refused.reason or "")
    del town.folder.files["sick.md"]
    await town.sync()
    assert await town.names() == ["leave.md", "sick.md"]


async def test_incomplete_listing_removes_nothing(town: Town) -> None:
    """Nothing is removed or renamed where a listing is not complete."""
    await town.sync()
    town.folder.files["new.md"] = town.folder.files.pop("sick.md")
    problem = ("secret/", "It cannot be read: Permission denied.")
    changes = await town.sync(town.folder.listing(problems=(problem,)), allow_empty=True)
    assert [(each.status, each.name, each.reason) for each in changes] == [
        ("refused", *problem),
        ("unchanged", "leave.md", None),
        ("kept", "sick.md", INCOMPLETE),
        ("added", "new.md", None),
    ]
    assert said(await town.sync())[-1] == ("removed", "sick.md"), "once it is complete"


async def test_emptied_subfolder_keeps_its_documents(town: Town) -> None:
    """What stood in an empty folder stays until that is meant."""
    town.folder.write("old/plan.md", b"# Plan\nOf old.")
    await town.sync()
    del town.folder.files["old/plan.md"], town.folder.files["sick.md"]
    unbelieved = town.folder.listing(empty=("old/",))
    changes = await town.sync(unbelieved)
    assert [(each.name, each.reason) for each in changes if each.status == "kept"] == [
        ("old/plan.md", EMPTIED)
    ]
    assert said(changes)[-1] == ("removed", "sick.md"), "what stood elsewhere is gone"
    assert said(await town.sync(unbelieved, allow_empty=True))[-1] == ("removed", "old/plan.md")


async def test_empty_listing_removes_nothing(town: Town) -> None:
    """An empty listing of a folder that was full removes nothing."""
    await town.sync()
    town.folder.files.clear()
    changes = await town.sync(town.folder.listing(empty=("",)))
    assert said(changes) == [("kept", "leave.md"), ("kept", "sick.md")]
    assert await town.names() == ["leave.md", "sick.md"]


# --- what goes wrong -----------------------------------------------------------------------


async def test_refused_file_keeps_its_document(
    town: Town,
) -> None:
    """A refused file is not read again as it is and keeps its document."""
    await town.sync()
    town.folder.write("sick.md", b"too large")
    for reads in (["sick.md"], []):
        changes = await town.sync()
        assert ("refused", "sick.md") in said(changes)
        assert {each.reason for each in changes} == {None, "It is too large."}
        assert town.folder.reads == reads
    assert await town.names() == ["leave.md", "sick.md"]
    town.folder.write("sick.md", SICK)
    assert said(await town.sync())[-1] == ("unchanged", "sick.md")
    assert town.refusals == {}
    town.folder.write("sick.md", b"too large")
    await town.sync()
    del town.folder.files["sick.md"]
    await town.sync()
    assert town.refusals == {}


async def test_superseded_sync_stops(town: Town) -> None:
    """A sync that lost its turn goes no further."""
    await town.sync()
    del town.folder.files["sick.md"]

    def lost() -> None:
        raise StoreLocked("Another sync is at work.")

    with pytest.raises(StoreLocked):
        await town.sync(check=lost)
    assert await town.names() == ["leave.md", "sick.md"]


async def test_next_sync_repairs_store_failure(
    town: Town,
) -> None:
    """A store that fails in the middle is made up for by the next sync."""
    town.faults.failing = {"write_chunks"}
    with pytest.raises(StoreUnavailable):
        await town.sync()
    town.faults.failing = set()
    assert said(await town.sync()) == [("added", "leave.md"), ("added", "sick.md")]


async def test_rehearsal_changes_nothing(town: Town) -> None:
    """A rehearsal says what would be done and does nothing."""
    sync = Sync(town.repository, town.ingest)
    plan = await sync.plan(None, town.folder.listing())
    rehearsed = [each async for each in sync.rehearse(plan)]
    assert said(rehearsed) == [("added", "leave.md"), ("added", "sick.md")]
    assert await town.names() == []
    town.folder.write("old.md", b"# Old\nIs to go.")
    town.folder.write("away.md", b"# Away\nGoes elsewhere.")
    await town.sync()
    town.folder.write("leave.md", LEAVE + b" More.")
    town.folder.write("sick.md", SICK)
    town.folder.write("large.md", b"too large")
    del town.folder.files["old.md"]
    town.folder.files["there/away.md"] = town.folder.files.pop("away.md")
    plan = await sync.plan(town.workspace, town.folder.listing())
    rehearsed = [each async for each in sync.rehearse(plan)]
    assert said(rehearsed) == [
        ("renamed", "there/away.md"),
        ("refused", "large.md"),
        ("updated", "leave.md"),
        ("unchanged", "sick.md"),
        ("removed", "old.md"),
    ]
    assert said(await town.sync()) == said(rehearsed)
