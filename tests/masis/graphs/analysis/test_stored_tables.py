"""How far a table is read from where its passages are stored."""

import pytest

from masis.documents.ingestion import Ingest
from masis.domain import Block, EvidenceChunk, ParsedDocument, WorkspaceId
from masis.graphs.analysis import stored_tables
from masis.graphs.analysis.stored_tables import StoredTables
from masis.tables.long_tables import SheetName
from tests.fakes import FakeEmbedder, FakeParser, FakeRepository, FakeVectorStores

ROWS = [
    Block(kind="table_row", text=f"Order: A{n} | Remark: {'long words ' * 12} | Qty: {n}")
    for n in range(60)
]


async def held(patch: pytest.MonkeyPatch) -> tuple[StoredTables, list[EvidenceChunk]]:
    async def parse(_: FakeParser, name: str, __: bytes) -> ParsedDocument:
        return ParsedDocument(format="csv", title=name, blocks=ROWS)

    patch.setattr(FakeParser, "parse", parse)
    repository, stores = FakeRepository(), FakeVectorStores()
    ingest = Ingest(
        repository=repository, stores=stores, embedder=FakeEmbedder(), parser=FakeParser()
    )
    workspace = await repository.create_workspace("local", "kiln")
    await ingest.ingest(workspace, "orders.csv", b"whatever")
    [document] = await repository.documents(workspace.id)
    read = await repository.neighbours(workspace.id, document.version_id, range(document.chunks))
    chunks = [
        EvidenceChunk(
            **chunk.model_dump(exclude={"id"}),
            chunk_id=chunk.id,
            document="orders.csv",
            title="orders",
            score=0.8,
        )
        for chunk in read
    ]
    assert len(chunks) > 4
    return StoredTables(repository), chunks


async def test_table_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    tables, chunks = await held(monkeypatch)
    rest = await tables.beside([chunks[2], chunks[1]])
    expected = {chunk.chunk_id for chunk in chunks} - {chunks[1].chunk_id, chunks[2].chunk_id}
    assert {each.chunk_id for each in rest.passages} == expected
    assert rest.partial == frozenset()


async def test_too_long_table_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    tables, chunks = await held(monkeypatch)
    monkeypatch.setattr(stored_tables, "REACH", 1)
    rest = await tables.beside([chunks[2]])
    assert rest.passages == []
    assert rest.partial == {chunks[2].chunk_id}


class Long:
    """Knows one sheet with a longer table than its passages hold."""

    def __init__(self, version: str, sheet: str = "") -> None:
        self._sheet = SheetName(version, sheet)

    async def longer(self, workspace_id: WorkspaceId) -> frozenset[SheetName]:
        assert workspace_id
        return frozenset({self._sheet})


async def test_sampled_table_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first rows of a long table come to no total, whether they could be read or not."""
    tables, chunks = await held(monkeypatch)
    long = StoredTables(tables._repository, Long(chunks[2].version_id))
    rest = await long.beside([chunks[2]])
    assert rest.passages == []
    assert rest.partial == {chunks[2].chunk_id}
    for other in (Long("v_other"), Long(chunks[2].version_id, "Archive")):
        rest = await StoredTables(tables._repository, other).beside([chunks[2]])
        assert rest.partial == frozenset()


async def test_passage_with_the_unit_comes_along(monkeypatch: pytest.MonkeyPatch) -> None:
    """What says in what unit the figures are may stand under another heading."""
    monkeypatch.setattr("tests.masis.graphs.analysis.test_stored_tables.ROWS", [
        Block(kind="heading", text="Notes", level=1),
        Block(kind="paragraph", text="All amounts are in thousands of euros. " + "It is so. " * 90),
        Block(kind="heading", text="Orders", level=1),
        *ROWS,
    ])  # fmt: skip
    tables, chunks = await held(monkeypatch)
    rest = await tables.beside(chunks[-1:])
    assert any("All amounts" in each.text for each in rest.passages)
