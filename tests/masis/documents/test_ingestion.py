import asyncio
import dataclasses
import datetime as dt
import threading
from collections.abc import Callable

import pytest

import masis.documents.ingestion
from masis.documents.ingestion import (
    FILES_UNDER_WAY,
    READ_AGAIN,
    SUPERSEDED,
    TOO_MANY_FIELDS,
    UNSTORABLE,
    Ingest,
    IngestResult,
    Source,
)
from masis.domain import (
    Block,
    EmbeddingProfile,
    Format,
    Origin,
    ParsedDocument,
    Place,
    Workspace,
    WorkspaceId,
)
from masis.errors import (
    DocumentRefused,
    EmbeddingError,
    MasisError,
    ProfileMismatch,
    StoreUnavailable,
)
from masis.fields import MOST_FIELDS
from masis.text.lexical import sparse_query, term_id, terms
from tests.fakes import (
    PROFILE,
    FakeEmbedder,
    FakeParser,
    FakeRepository,
    FakeVectorStores,
    Faults,
    digest,
)

OLD = b"# Leave\nYou may carry over 240 hours.\nAsk your supervisor first."
NEW = b"# Leave\nYou may carry over 160 hours.\nAsk nobody.\nThe rule is new."


@dataclasses.dataclass
class House:
    """An `Ingest` over fakes that fail on demand."""

    ingest: Ingest
    workspace: Workspace
    repository: FakeRepository
    stores: FakeVectorStores
    embedder: FakeEmbedder
    parser: FakeParser
    faults: Faults
    forgotten: list[list[str]]

    async def recover(self) -> int:
        """Remove whatever is hidden."""
        hidden = await self.repository.hidden_versions(self.workspace.id)
        return await self.ingest.recover(self.workspace.id, hidden)

    async def texts(self) -> list[str]:
        """What a search brings, by the stored rows."""
        store = await self.stores.open(self.workspace.id, PROFILE)
        hidden = await self.repository.hidden_versions(self.workspace.id)
        hits = await store.search(None, sparse_query("carry over"), limit=50, hidden=hidden)
        found = await self.repository.chunks(self.workspace.id, [hit.chunk_id for hit in hits])
        assert len(found) == len(hits), "every visible point has its row"
        return [chunk.text for chunk, _ in found.values()]


@pytest.fixture
async def house() -> House:
    faults = Faults()
    repository, stores = FakeRepository(faults), FakeVectorStores(faults)
    embedder, parser = FakeEmbedder(), FakeParser()
    workspace = await repository.create_workspace("local", "acme")
    forgotten: list[list[str]] = []

    def forget(of: WorkspaceId) -> None:
        """Note which documents could still be found when it was called."""
        assert of == workspace.id
        states = [(row.name, row.state, row.version.number) for row in repository.rows.values()]
        forgotten.append([f"{name} {n}" for name, state, n in states if state == "active"])

    ingest = Ingest(
        repository=repository, stores=stores, embedder=embedder, parser=parser, forget=forget
    )
    return House(ingest, workspace, repository, stores, embedder, parser, faults, forgotten)


async def test_a_new_document_is_added_whole(house: House) -> None:
    result = await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    assert (result.status, result.version, result.chunks) == ("added", 1, 1)
    document = await house.repository.document(house.workspace.id, "leave.txt")
    assert document is not None
    assert document.id == result.document_id
    assert (document.content_hash, document.size_bytes) == (digest(OLD), len(OLD))
    [text] = await house.texts()
    assert "240 hours" in text
    bound = await house.repository.workspace_by_id(house.workspace.id)
    assert bound is not None
    assert bound.embedding_profile == PROFILE.id


class LongTable(FakeParser):
    """Reads a table whose last row is left to queries."""

    async def parse(self, name: str, content: bytes) -> ParsedDocument:
        read = await super().parse(name, content)
        last = Block(kind="table_row", text="Carry over: 9 days", is_queried=True)
        return read.model_copy(update={"blocks": [*read.blocks, last]})


async def test_queried_rows_are_no_passages(house: House) -> None:
    ingest = Ingest(
        repository=house.repository,
        stores=house.stores,
        embedder=house.embedder,
        parser=LongTable(),
    )
    assert (await ingest.ingest(house.workspace, "orders.csv", OLD)).status == "added"
    [text] = await house.texts()
    assert "240 hours" in text
    assert "9 days" not in text


@pytest.mark.parametrize("step", ["chunked", "points_of", "_counted"])
async def test_long_steps_leave_the_loop_free(
    house: House, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Each takes seconds for a large document, and questions are acknowledged meanwhile."""
    done_in: list[int] = []
    real = getattr(masis.documents.ingestion, step)

    def noted(*arguments: object) -> object:
        done_in.append(threading.get_ident())
        return real(*arguments)

    monkeypatch.setattr(masis.documents.ingestion, step, noted)
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)

    assert len(done_in) == 1
    assert threading.get_ident() not in done_in


async def test_point_includes_heading_words(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A point knows the words of the headings it stands under."""

    def under(heading: str, level: int, text: str, place: Place) -> list[Block]:
        said = Block(kind="heading", text=heading, level=level, place=place)
        return [said, Block(kind="paragraph", text=text, place=place)]

    async def parse(_: FakeParser, name: str, __: bytes) -> ParsedDocument:
        blocks = [
            *under("Leave", 1, "It is granted. " * 60, Place()),
            *under("Annual leave", 2, "It is 26 days.", Place()),
            *under("Sick days", 2, "They are paid.", Place()),
            *under("Rates", 1, "It is 4 euros. " * 60, Place(sheet="Prices 2026")),
        ]
        return ParsedDocument(format="xlsx", title=name, blocks=blocks)

    monkeypatch.setattr(FakeParser, "parse", parse)
    await house.ingest.ingest(house.workspace, "leave.xlsx", OLD)
    points = house.stores.opened[house.workspace.id].points.values()
    said = ["leave", "leave annual sick days", "rates prices 2026"]
    expected = {tuple(sorted({term_id(term) for term in terms(words)})) for words in said}
    assert {point.section for point in points} == expected


async def test_the_phases_are_timed_apart(house: House) -> None:
    seconds = (await house.ingest.ingest(house.workspace, "leave.txt", OLD)).seconds
    assert min(seconds.parse, seconds.chunk, seconds.embed, seconds.write) > 0


async def test_the_same_bytes_do_nothing(house: House) -> None:
    first = await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    house.faults.calls.clear()
    again = await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    assert (again.status, again.document_id, again.chunks) == ("unchanged", first.document_id, 1)
    assert house.parser.asked == ["leave.txt"]
    assert house.faults.calls == ["document"]


def upgraded(house: House, parsers: dict[Format, int]) -> Ingest:
    """The same ingestion in a version whose readers are newer."""
    return Ingest(
        repository=house.repository,
        stores=house.stores,
        embedder=house.embedder,
        parser=house.parser,
        parsers=parsers,
    )


async def test_newer_reader_rereads_same_bytes(house: House) -> None:
    """Only documents of its own format, once; what is embedded already is not embedded again."""
    first = await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    embedded = len(house.embedder.asked)
    other = await upgraded(house, {"pdf": 2}).ingest(house.workspace, "leave.txt", OLD)
    assert other.status == "unchanged"
    newer = upgraded(house, {"txt": 1})
    again = await newer.ingest(house.workspace, "leave.txt", OLD)
    assert (again.status, again.version, again.notes) == ("updated", 2, [READ_AGAIN])
    assert again.document_id == first.document_id
    assert len(house.embedder.asked) == embedded
    assert (await newer.ingest(house.workspace, "leave.txt", OLD)).status == "unchanged"
    assert len(await house.texts()) == 1


async def test_same_bytes_are_reread_on_request(house: House) -> None:
    """The same bytes are read again on request."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    again = await house.ingest.ingest(house.workspace, "leave.txt", OLD, again=True)
    assert (again.status, again.version, again.notes) == ("updated", 2, [READ_AGAIN])


async def test_rereading_keeps_the_origin(house: House) -> None:
    """An upload stays one though a sync reads it again, and a sync's document though it is uploaded."""
    drive, other = Origin(source="drive", stamp="1"), Origin(source="drive", stamp="2")
    await house.ingest.ingest(house.workspace, "up.txt", OLD)
    await house.ingest.ingest(house.workspace, "down.txt", NEW, drive)
    newer = upgraded(house, {"txt": 1})
    await newer.ingest(house.workspace, "up.txt", OLD, drive)
    await newer.ingest(house.workspace, "down.txt", NEW)
    found = await house.repository.documents(house.workspace.id)
    assert {each.name: each.origin for each in found} == {"up.txt": Origin(), "down.txt": drive}
    await newer.ingest(house.workspace, "down.txt", NEW, other, again=True)
    found = await house.repository.documents(house.workspace.id)
    assert {each.name: each.origin for each in found} == {"up.txt": Origin(), "down.txt": other}


async def test_duplicate_under_other_name_is_noted(house: House) -> None:
    """The same bytes under another name go in with a note."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    copy = await house.ingest.ingest(house.workspace, "copy.txt", OLD)
    assert (copy.status, copy.notes) == ("added", ["same as leave.txt"])
    other = await house.ingest.ingest(house.workspace, "other.txt", NEW)
    assert other.notes == []


@pytest.mark.parametrize("name", ["le\udcffave.txt", "\ud83dleave.txt", "leave\0.txt"])
async def test_unstorable_name_is_refused_printably(house: House, name: str) -> None:
    """A name that no database keeps is refused in words that can be shown."""

    def missing() -> bytes:
        raise FileNotFoundError(2, "No such file")

    results = [await house.ingest.ingest(house.workspace, name, OLD)]
    sources = [Source(name, lambda: OLD), Source(name, missing)]
    results += [each async for each in house.ingest.ingest_many(house.workspace, sources)]
    assert {each.status for each in results} == {"refused"}
    assert [each.reason for each in results[:2]] == [UNSTORABLE] * 2
    for each in results:
        assert each.model_dump_json()
        assert "?" in each.name
    assert house.repository.rows == {}


async def test_changed_bytes_replace_the_document(house: House) -> None:
    first = await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    second = await house.ingest.ingest(house.workspace, "leave.txt", NEW)
    assert (second.status, second.version) == ("updated", 2)
    assert second.document_id == first.document_id
    [text] = await house.texts()
    assert "160 hours" in text
    assert "240" not in text
    assert await house.repository.hidden_versions(house.workspace.id) == []


async def test_refused_document_leaves_old_version(house: House) -> None:
    """A refused document says why and leaves the old one."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    result = await house.ingest.ingest(house.workspace, "leave.txt", b"refuse this")
    assert result.status == "refused"
    assert result.reason == "The file is damaged and could not be read."
    assert "240 hours" in (await house.texts())[0]


def break_store(call: str) -> Callable[[House], None]:
    return lambda house: house.faults.failing.add(call)


def break_embedder(house: House) -> None:
    house.embedder.failing = True


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(break_store("open"), id="open"),
        pytest.param(break_store("begin_version"), id="begin"),
        pytest.param(break_embedder, id="embed"),
        pytest.param(break_store("upsert"), id="upsert"),
        pytest.param(break_store("write_chunks"), id="write"),
        pytest.param(break_store("activate"), id="activate"),
    ],
)
async def test_failure_leaves_the_old_version(house: House, fault: Callable[[House], None]) -> None:
    """A failure at any step leaves the old version."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    fault(house)
    with pytest.raises((StoreUnavailable, EmbeddingError)):
        await house.ingest.ingest(house.workspace, "leave.txt", NEW)
    house.faults.failing.clear()
    house.embedder.failing = False
    assert "240 hours" in (await house.texts())[0]
    assert await house.repository.hidden_versions(house.workspace.id) == []
    repeated = await house.ingest.ingest(house.workspace, "leave.txt", NEW)
    assert repeated.status == "updated"
    assert "160 hours" in (await house.texts())[0]


async def test_failed_first_binding_writes_nothing(house: House) -> None:
    """A first binding that fails writes nothing."""
    house.faults.failing.add("bind_profile")
    with pytest.raises(StoreUnavailable):
        await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    assert house.repository.rows == {}


async def test_unremovable_version_stays_hidden(house: House) -> None:
    """What cannot be removed stays hidden until recovery."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    house.faults.failing |= {"activate", "delete_version"}
    with pytest.raises(StoreUnavailable, match="activate"):
        await house.ingest.ingest(house.workspace, "leave.txt", NEW)
    house.faults.failing.clear()
    assert len(await house.repository.hidden_versions(house.workspace.id)) == 1
    assert "240 hours" in (await house.texts())[0]
    assert await house.recover() == 1
    assert await house.repository.hidden_versions(house.workspace.id) == []
    assert await house.stores.opened[house.workspace.id].count() == 1
    assert await house.recover() == 0


async def test_unremovable_old_version_spares_new(house: House) -> None:
    """An old version that cannot be removed does not spoil the new."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    house.faults.failing.add("delete_version")
    result = await house.ingest.ingest(house.workspace, "leave.txt", NEW)
    house.faults.failing.clear()
    assert result.status == "updated"
    assert "160 hours" in (await house.texts())[0]
    assert await house.recover() == 1


async def test_recovery_leaves_what_is_being_written(house: House) -> None:
    recovered: list[asyncio.Task[int]] = []

    def recover() -> None:
        task = asyncio.get_running_loop().create_task(house.recover())
        recovered.append(task)

    house.faults.before["upsert"] = recover
    result = await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    assert result.status == "added"
    assert await recovered[0] == 0


async def test_concurrent_ingests_of_document_wait(house: House) -> None:
    """Two ingests of one document wait for each other."""
    results = await asyncio.gather(
        house.ingest.ingest(house.workspace, "leave.txt", OLD),
        house.ingest.ingest(house.workspace, "leave.txt", OLD),
        house.ingest.ingest(house.workspace, "leave.txt", NEW),
    )
    assert [result.status for result in results] == ["added", "unchanged", "updated"]
    assert "160 hours" in (await house.texts())[0]


async def test_later_of_two_processes_wins(house: House) -> None:
    """Of two processes with one document the later wins."""
    other = Ingest(
        repository=house.repository,
        stores=house.stores,
        embedder=house.embedder,
        parser=house.parser,
    )
    results = await asyncio.gather(
        house.ingest.ingest(house.workspace, "leave.txt", OLD),
        other.ingest(house.workspace, "leave.txt", NEW),
    )
    assert "160 hours" in (await house.texts())[0]
    assert len(await house.texts()) == 1
    assert results[1].status in {"added", "updated"}
    assert await house.repository.hidden_versions(house.workspace.id) == []


async def test_superseded_version_is_refused(house: House) -> None:
    """A version that lost is refused with the reason."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    deleted: list[asyncio.Task[object]] = []

    def delete() -> None:
        task = house.ingest.delete(house.workspace, "leave.txt")
        deleted.append(asyncio.get_running_loop().create_task(task))

    house.faults.before["upsert"] = delete
    result = await house.ingest.ingest(house.workspace, "leave.txt", NEW)
    await deleted[0]
    assert (result.status, result.reason) == ("refused", SUPERSEDED)
    assert await house.texts() == []
    assert await house.stores.opened[house.workspace.id].count() == 0


async def test_a_cancelled_ingest_leaves_nothing_behind(house: House) -> None:
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    task = asyncio.create_task(house.ingest.ingest(house.workspace, "leave.txt", NEW))

    def cancel() -> None:
        task.cancel()

    house.faults.before["write_chunks"] = cancel
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await house.repository.hidden_versions(house.workspace.id) == []
    assert "240 hours" in (await house.texts())[0]


async def test_cancelling_after_publication_keeps_version(
    house: House,
) -> None:
    """An ingest cancelled when its version is visible keeps that version."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    task = asyncio.create_task(house.ingest.ingest(house.workspace, "leave.txt", NEW))

    def cancel() -> None:
        task.cancel()

    house.faults.before["activated"] = cancel
    with pytest.raises(asyncio.CancelledError):
        await task
    assert "160 hours" in (await house.texts())[0]
    assert await house.stores.opened[house.workspace.id].count() == 2
    assert len(house.forgotten) == 1
    assert await house.recover() == 1
    assert "160 hours" in (await house.texts())[0]
    assert await house.stores.opened[house.workspace.id].count() == 1


async def test_repeated_cancellation_completes_cleanup(
    house: House,
) -> None:
    """An ingest cancelled again while it cleans up does so to the end."""
    task = asyncio.create_task(house.ingest.ingest(house.workspace, "leave.txt", OLD))

    def cancel() -> None:
        task.cancel()

    house.faults.before |= {"upsert": cancel, "delete_version": cancel}
    with pytest.raises(asyncio.CancelledError):
        await task
    assert house.repository.rows == {}


async def test_lasting_database_failure_hides_version(house: House) -> None:
    """A database that fails for good leaves the version hidden."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)

    def lose_the_database() -> None:
        house.faults.failing |= {"activate", "document"}

    house.faults.before["activate"] = lose_the_database
    with pytest.raises(StoreUnavailable, match="activate"):
        await house.ingest.ingest(house.workspace, "leave.txt", NEW)
    house.faults.failing.clear()
    assert "240 hours" in (await house.texts())[0]
    assert await house.recover() == 1


async def test_documents_are_found_without_embedder(house: House) -> None:
    """Without an embedder documents are found by their words."""
    lexical = Ingest(
        repository=house.repository, stores=house.stores, embedder=None, parser=house.parser
    )
    assert (await lexical.ingest(house.workspace, "leave.txt", OLD)).status == "added"
    assert "240 hours" in (await house.texts())[0]
    bound = await house.repository.workspace_by_id(house.workspace.id)
    assert bound is not None
    assert bound.embedding_profile is None


async def test_vectorless_ingest_into_vectors_is_refused(
    house: House,
) -> None:
    """Without an embedder nothing is put among documents with vectors."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    lexical = Ingest(
        repository=house.repository, stores=house.stores, embedder=None, parser=house.parser
    )
    with pytest.raises(ProfileMismatch, match=r"“acme”.*no embedder is in use.*another workspace"):
        await lexical.ingest(house.workspace, "new.txt", NEW)
    assert len(house.repository.rows) == 1


async def test_unopenable_store_leaves_no_profile(
    house: House,
) -> None:
    """A store that cannot be opened leaves the workspace without a profile."""
    house.faults.failing.add("open")
    with pytest.raises(StoreUnavailable):
        await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    found = await house.repository.workspace_by_id(house.workspace.id)
    assert found is not None
    assert found.embedding_profile is None


async def test_vectors_of_another_profile_are_refused(house: House) -> None:
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    other = EmbeddingProfile(
        name="other", model="m", dimension=16, version="2", calibration=[(0.0, 0.0), (1.0, 1.0)]
    )
    wrong = Ingest(
        repository=house.repository,
        stores=house.stores,
        embedder=FakeEmbedder(other),
        parser=house.parser,
    )
    with pytest.raises(ProfileMismatch):
        await wrong.ingest(house.workspace, "leave.txt", NEW)
    assert "240 hours" in (await house.texts())[0]


async def test_wrong_embedding_shape_is_an_error(house: House) -> None:
    """An embedder that gives another shape is an error."""
    narrow = PROFILE.model_copy(update={"dimension": 8})
    house.embedder._profile = narrow
    ingest = Ingest(
        repository=house.repository,
        stores=house.stores,
        embedder=_Liar(house.embedder),
        parser=house.parser,
    )
    with pytest.raises(EmbeddingError, match="gave"):
        await ingest.ingest(house.workspace, "leave.txt", OLD)


class _Liar(FakeEmbedder):
    """Says that its vectors are wider than they are."""

    def __init__(self, narrow: FakeEmbedder) -> None:
        super().__init__(narrow.profile)

    @property
    def profile(self) -> EmbeddingProfile:
        return PROFILE


async def test_deleting_is_complete(house: House) -> None:
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    result = await house.ingest.delete(house.workspace, "leave.txt")
    assert (result.status, result.chunks) == ("deleted", 1)
    assert house.repository.rows == {}
    assert await house.stores.opened[house.workspace.id].count() == 0
    assert (await house.ingest.delete(house.workspace, "leave.txt")).status == "unknown"


async def test_named_version_alone_is_deleted(house: House) -> None:
    """What was put in meanwhile stays."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    result = await house.ingest.delete(house.workspace, "leave.txt", version="v_another")
    assert result.status == "replaced"
    held = await house.repository.document(house.workspace.id, "leave.txt")
    assert held is not None
    result = await house.ingest.delete(house.workspace, "leave.txt", version=held.version_id)
    assert result.status == "deleted"


@pytest.mark.parametrize(
    ("meanwhile", "status"), [("activated", "replaced"), ("deleted", "unknown")]
)
async def test_version_is_compared_in_the_deed(house: House, meanwhile: str, status: str) -> None:
    """What is activated, or deleted by somebody else, after the look at what is there counts."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    held = await house.repository.document(house.workspace.id, "leave.txt")
    assert held is not None
    row = house.repository.rows[held.version_id]

    def change() -> None:
        if meanwhile == "deleted":
            house.repository.rows.clear()
        else:
            newer = row.version.model_copy(update={"id": "v_newer", "number": 2})
            house.repository.rows["v_newer"] = dataclasses.replace(row, version=newer)
            row.state = "retired"

    house.faults.before["open"] = change
    result = await house.ingest.delete(house.workspace, "leave.txt", version=held.version_id)
    assert (result.status, result.chunks) == (status, 0)
    assert ("v_newer" in house.repository.rows) is (meanwhile == "activated")


async def test_late_file_replaces_nothing_newer(house: House) -> None:
    """What was offered before another version was put in comes too late; the same bytes do not."""
    await house.ingest.ingest(house.workspace, "leave.txt", NEW)
    held = await house.repository.document(house.workspace.id, "leave.txt")
    assert held is not None
    offered_at = held.ingested_at - dt.timedelta(seconds=1)
    late = await house.ingest.ingest(house.workspace, "leave.txt", OLD, offered_at=offered_at)
    assert (late.status, late.reason) == ("refused", SUPERSEDED)
    same = await house.ingest.ingest(house.workspace, "leave.txt", NEW, offered_at=offered_at)
    assert same.status == "unchanged"
    in_time = held.ingested_at
    result = await house.ingest.ingest(house.workspace, "leave.txt", OLD, offered_at=in_time)
    assert result.status == "updated"


async def test_unopenable_vectors_prevent_deletion(house: House) -> None:
    """Nothing is deleted while the vectors cannot be opened."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    house.faults.failing.add("open")
    with pytest.raises(StoreUnavailable, match="open failed"):
        await house.ingest.delete(house.workspace, "leave.txt")
    with pytest.raises(StoreUnavailable, match="open failed"):
        await house.ingest.delete_workspace(house.workspace)
    house.faults.failing.clear()
    assert "240 hours" in (await house.texts())[0]


async def test_deleted_workspace_can_be_recreated(house: House) -> None:
    """A deleted workspace holds nothing and can be made anew."""
    await house.ingest.ingest(house.workspace, "leave.txt", OLD)
    await house.ingest.delete_workspace(house.workspace)
    assert house.repository.rows == {}
    assert house.stores.opened == {}
    again = await house.repository.create_workspace("local", "acme")
    assert (await house.ingest.ingest(again, "leave.txt", OLD)).status == "added"


class TestWhatIsKeptInMemory:
    async def test_cache_drops_superseded_version(self, house: House) -> None:
        """It is dropped when a version is no longer visible."""
        await house.ingest.ingest(house.workspace, "leave.txt", OLD)
        await house.ingest.ingest(house.workspace, "leave.txt", OLD)
        await house.ingest.ingest(house.workspace, "other.txt", b"# Other\nText.")
        assert house.forgotten == []
        await house.ingest.ingest(house.workspace, "leave.txt", NEW)
        assert house.forgotten == [["other.txt 1", "leave.txt 2"]]

    async def test_cache_drops_document_despite_remaining_points(self, house: House) -> None:
        """It is dropped with a document even where its points remain."""
        await house.ingest.ingest(house.workspace, "leave.txt", OLD)
        house.faults.failing.add("delete_version")
        with pytest.raises(StoreUnavailable):
            await house.ingest.delete(house.workspace, "leave.txt")
        assert house.forgotten == [[]]
        await house.ingest.delete(house.workspace, "unknown.txt")
        assert len(house.forgotten) == 1

    async def test_it_is_dropped_with_a_workspace(self, house: House) -> None:
        await house.ingest.ingest(house.workspace, "leave.txt", OLD)
        await house.ingest.delete_workspace(house.workspace)
        assert house.forgotten == [[]]


async def collected(house: House, sources: list[Source]) -> list[IngestResult]:
    return [result async for result in house.ingest.ingest_many(house.workspace, sources)]


async def test_many_files_return_ordered_results(house: House) -> None:
    """Many files come out in order each with its result."""

    def missing() -> bytes:
        raise FileNotFoundError(2, "No such file or directory")

    def too_big() -> bytes:
        raise DocumentRefused("The file is larger than 25 MB.")

    sources = [
        Source("a.txt", lambda: b"# A\nThe first carry over text."),
        Source("b.txt", missing),
        Source("c.txt", too_big),
        Source("d.txt", lambda: b"refuse it"),
        *(Source(f"e{n}.txt", lambda n=n: b"# E\ncarry over %d" % n) for n in range(12)),  # type: ignore[misc] # the default binds each n
    ]
    results = await collected(house, sources)
    assert [result.name for result in results] == [source.name for source in sources]
    assert [result.status for result in results[:4]] == ["added", "refused", "refused", "refused"]
    assert results[1].reason == "The file could not be read: No such file or directory."
    assert {result.status for result in results[4:]} == {"added"}
    assert len(await house.texts()) == 13


async def test_next_files_are_read_while_embedding(house: House) -> None:
    """The next files are read while one is embedded."""
    house.embedder.gate = asyncio.Event()
    read: list[str] = []
    enough = asyncio.Event()

    class Counting(FakeParser):
        async def parse(self, name: str, content: bytes) -> ParsedDocument:
            if len(self.asked) + 1 == FILES_UNDER_WAY:
                enough.set()
            return await super().parse(name, content)

    def source(name: str) -> Source:
        def content() -> bytes:
            read.append(name)
            return f"# T\n{name} carry over".encode()

        return Source(name, content)

    ingest = Ingest(
        repository=house.repository,
        stores=house.stores,
        embedder=house.embedder,
        parser=Counting(),
    )
    results = ingest.ingest_many(house.workspace, [source(f"{n}.txt") for n in range(20)])
    first = asyncio.ensure_future(anext(results))
    await enough.wait()
    assert len(read) == FILES_UNDER_WAY, "no more files than these are held in memory"
    assert not first.done()
    house.embedder.gate.set()
    assert (await first).status == "added"
    assert len([result async for result in results]) == 19


async def test_failing_store_ends_folder_cleanly(house: House) -> None:
    """A failing store ends a folder and leaves nothing half done."""
    house.faults.failing.add("write_chunks")
    sources = [Source(f"{n}.txt", lambda: OLD) for n in range(10)]
    with pytest.raises(MasisError):
        await collected(house, sources)
    house.faults.failing.clear()
    assert house.repository.rows == {}
    assert await house.texts() == []


class TestVectorsThatAreThereAlready:
    """A paragraph makes a chunk of its own: its heading and text fill one."""

    @staticmethod
    def handbook(*paragraphs: str) -> bytes:
        lines = [f"# Part {at}\n{text} {'It is so. ' * 60}" for at, text in enumerate(paragraphs)]
        return "\n".join(lines).encode()

    async def test_only_changed_texts_are_embedded(self, house: House) -> None:
        """Only the texts that changed are embedded anew."""
        old = self.handbook("Leave is 26 days.", "Parking is free.", "The canteen opens at noon.")
        new = self.handbook("Leave is 28 days.", "Parking is free.", "The canteen opens at noon.")
        first = await house.ingest.ingest(house.workspace, "handbook.txt", old)
        [all_texts] = house.embedder.asked
        assert first.chunks == len(all_texts) == 3
        house.embedder.asked.clear()
        await house.ingest.ingest(house.workspace, "handbook.txt", new)
        [[changed]] = house.embedder.asked
        assert "28 days" in changed
        points = house.stores.opened[house.workspace.id].points.values()
        assert len(points) == 3
        for point in points:
            found = await house.repository.chunks(house.workspace.id, [point.chunk_id])
            text = found[point.chunk_id][0].indexed_text
            assert point.dense is not None
            assert point.dense @ (await house.embedder.embed([text]))[0] == pytest.approx(1.0)

    async def test_renamed_bytes_are_not_embedded(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same bytes under another name are not embedded."""
        read = FakeParser.parse

        async def titled(parser: FakeParser, name: str, content: bytes) -> ParsedDocument:
            return (await read(parser, name, content)).model_copy(update={"title": "Handbook"})

        monkeypatch.setattr(FakeParser, "parse", titled)
        await house.ingest.ingest(house.workspace, "leave.txt", OLD)
        house.embedder.asked.clear()
        copy = await house.ingest.ingest(house.workspace, "copy.txt", OLD)
        assert (copy.status, copy.chunks, house.embedder.asked) == ("added", 1, [])

    async def test_what_was_deleted_is_embedded_again(self, house: House) -> None:
        await house.ingest.ingest(house.workspace, "leave.txt", OLD)
        await house.ingest.delete(house.workspace, "leave.txt")
        house.embedder.asked.clear()
        await house.ingest.ingest(house.workspace, "leave.txt", OLD)
        assert len(house.embedder.asked) == 1

    async def test_another_workspace_has_nothing_of_it(self, house: House) -> None:
        other = await house.repository.create_workspace("local", "other")
        await house.ingest.ingest(house.workspace, "leave.txt", OLD)
        house.embedder.asked.clear()
        await house.ingest.ingest(other, "leave.txt", OLD)
        assert len(house.embedder.asked) == 1


class TestGivenFields:
    async def fields(self, house: House) -> dict[str, str]:
        document = await house.repository.document(house.workspace.id, "leave.txt")
        assert document is not None
        return document.fields

    async def put(self, house: House, content: bytes, **fields: str) -> IngestResult:
        return await house.ingest.ingest(house.workspace, "leave.txt", content, fields=fields)

    async def test_fields_persist_and_can_be_removed(self, house: House) -> None:
        """They stay when the document changes and can be taken away."""
        await self.put(house, OLD, owner="finance", status="draft")
        assert await self.fields(house) == {"owner": "finance", "status": "draft"}
        await self.put(house, NEW, status="final")
        assert await self.fields(house) == {"owner": "finance", "status": "final"}
        await self.put(house, OLD, owner="")
        assert await self.fields(house) == {"status": "final"}

    async def test_too_many_fields_are_refused(self, house: House) -> None:
        """More than can be asked for are refused and change nothing."""
        most = {f"k{number}": "v" for number in range(MOST_FIELDS)}
        await self.put(house, OLD, **most)
        for content in (OLD, NEW):
            assert (await self.put(house, content, one="more")).reason == TOO_MANY_FIELDS
        assert await self.fields(house) == most
        assert (await self.put(house, NEW, k0="", one="more")).status == "updated"
        assert set(await self.fields(house)) == {*most, "one"} - {"k0"}

    async def test_changed_fields_need_no_reading(self, house: House) -> None:
        """The same bytes with other fields are read and embedded no more."""
        await self.put(house, OLD, owner="finance")
        again = await self.put(house, OLD, owner="sales")
        assert (again.status, again.version) == ("unchanged", 1)
        assert await self.fields(house) == {"owner": "sales"}
        assert (len(house.parser.asked), len(house.embedder.asked)) == (1, 1)
