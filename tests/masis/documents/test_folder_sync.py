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


async def test_a_workspace_becomes_equal_to_the_folder_and_stays_so(town: Town) -> None:
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


async def test_a_file_that_nobody_wrote_to_is_not_even_read(town: Town) -> None:
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


async def test_a_newer_reader_reads_untouched_files_again(town: Town) -> None:
    await town.sync()
    upgraded(town)
    assert said(await town.sync()) == [("updated", "leave.md"), ("updated", "sick.md")]
    assert said(await town.sync()) == [("unchanged", "leave.md"), ("unchanged", "sick.md")]


async def test_untouched_files_are_read_again_on_request(town: Town) -> None:
    await town.sync()
    assert said(await town.sync(again=True)) == [("updated", "leave.md"), ("updated", "sick.md")]


async def test_what_came_otherwise_stays_so_when_read_again(town: Town) -> None:
    await town.upload("leave.md", LEAVE)
    upgraded(town)
    leave = (await town.sync())[0]
    assert (leave.status, leave.notes) == ("updated", [READ_AGAIN, CAME_OTHERWISE])
    del town.folder.files["leave.md"]
    await town.sync()
    assert await town.names() == ["leave.md", "sick.md"]


async def test_a_rehearsal_tells_what_would_be_read_again(town: Town) -> None:
    await town.sync()
    upgraded(town)
    sync = Sync(town.repository, town.ingest)
    plan = await sync.plan(town.workspace, town.folder.listing())
    changes = [change async for change in sync.rehearse(plan)]
    assert said(changes) == [("updated", "leave.md"), ("updated", "sick.md")]


async def test_a_renamed_file_is_neither_read_into_pieces_nor_embedded_again(town: Town) -> None:
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


async def test_of_two_documents_alike_each_new_name_goes_to_the_one_that_was_called_so(
    town: Town,
) -> None:
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


async def test_the_same_bytes_under_a_name_of_another_kind_are_read_anew(town: Town) -> None:
    await town.sync()
    town.folder.files["sick.txt"] = town.folder.files.pop("sick.md")
    assert said(await town.sync())[1:] == [("added", "sick.txt"), ("removed", "sick.md")]


async def test_a_new_name_that_somebody_takes_meanwhile_is_synced_all_the_same(town: Town) -> None:
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


async def test_a_document_that_was_uploaded_over_a_files_stays_when_the_file_goes(
    town: Town,
) -> None:
    await town.sync()
    await town.upload("leave.md", b"# Leave\nWhat somebody knows better.")
    del town.folder.files["leave.md"]
    await town.sync()
    assert await town.names() == ["leave.md", "sick.md"]


async def test_documents_that_came_otherwise_are_taken_over_where_that_is_wished(
    town: Town,
) -> None:
    await town.upload("sick.md", SICK)
    assert (await town.sync(adopt=True))[1].notes == []
    del town.folder.files["sick.md"]
    assert ("removed", "sick.md") in said(await town.sync())


async def test_another_folders_document_of_the_same_name_is_left_alone(town: Town) -> None:
    other = Origin(source="/srv/other", stamp="1")
    await town.ingest.ingest(town.workspace, "sick.md", b"# Other\nSick.", other)
    for _ in range(2):
        refused, *_ = await town.sync()
        assert (refused.status, refused.name) == ("refused", "sick.md")
        assert "comes from /srv/other. Delete it" in (refused.reason or "")
    del town.folder.files["sick.md"]
    await town.sync()
    assert await town.names() == ["leave.md", "sick.md"]


async def test_nothing_is_removed_or_renamed_where_a_listing_is_not_complete(town: Town) -> None:
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


async def test_what_stood_in_an_empty_folder_stays_until_that_is_meant(town: Town) -> None:
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


async def test_an_empty_listing_of_a_folder_that_was_full_removes_nothing(town: Town) -> None:
    await town.sync()
    town.folder.files.clear()
    changes = await town.sync(town.folder.listing(empty=("",)))
    assert said(changes) == [("kept", "leave.md"), ("kept", "sick.md")]
    assert await town.names() == ["leave.md", "sick.md"]


# --- what goes wrong -----------------------------------------------------------------------


async def test_a_refused_file_is_not_read_again_as_it_is_and_keeps_its_document(
    town: Town,
) -> None:
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


async def test_a_sync_that_lost_its_turn_goes_no_further(town: Town) -> None:
    await town.sync()
    del town.folder.files["sick.md"]

    def lost() -> None:
        raise StoreLocked("Another sync is at work.")

    with pytest.raises(StoreLocked):
        await town.sync(check=lost)
    assert await town.names() == ["leave.md", "sick.md"]


async def test_a_store_that_fails_in_the_middle_is_made_up_for_by_the_next_sync(
    town: Town,
) -> None:
    town.faults.failing = {"write_chunks"}
    with pytest.raises(StoreUnavailable):
        await town.sync()
    town.faults.failing = set()
    assert said(await town.sync()) == [("added", "leave.md"), ("added", "sick.md")]


async def test_a_rehearsal_says_what_would_be_done_and_does_nothing(town: Town) -> None:
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
