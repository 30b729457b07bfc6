"""Finding in the files of one run's question, beside the documents of its workspace."""

import datetime as dt

import pytest

from masis.attached import Attached, AttachedFile
from masis.documents.ingestion import Ingest
from masis.domain import Chunk, Document, EvidenceChunk, Place, Workspace
from masis.filters import parse
from masis.retrieval.attached_search import shared
from masis.retrieval.search import Retrieval
from masis.retrieval.sentence_vectors import SentenceVectors
from tests.fakes import FakeParser, FakeRepository, FakeVectorStores
from tests.masis.retrieval.test_search import WordsEmbedder

WHEN = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
NOTICE = "The notice period of the supply agreement is ninety days."


def attached(
    workspace: Workspace, *texts: str, name: str = "deal.md", alone: bool = False
) -> Attached:
    """A file of these passages, each under a heading of its own."""
    document = Document(
        id="f_deal",
        workspace_id=workspace.id,
        name=name,
        title="Deal",
        format="md",
        version_id="v_deal",
        version_number=1,
        content_hash="hash",
        size_bytes=1,
        chunks=len(texts),
        date=None,
        ingested_at=WHEN,
    )
    chunks = tuple(
        Chunk(
            id=f"c_deal{n}",
            workspace_id=workspace.id,
            document_id=document.id,
            version_id=document.version_id,
            position=n,
            text=text,
            place=Place(headings=[f"Part {n}"]),
        )
        for n, text in enumerate(texts)
    )
    return Attached(files=(AttachedFile(name=name, document=document),), chunks=chunks, alone=alone)


@pytest.fixture
def repository() -> FakeRepository:
    return FakeRepository()


@pytest.fixture
async def workspace(repository: FakeRepository) -> Workspace:
    return await repository.create_workspace("local", "acme")


@pytest.fixture
async def retrieval(repository: FakeRepository, workspace: Workspace) -> Retrieval:
    """A search over one document."""
    embedder, stores = WordsEmbedder(), FakeVectorStores()
    ingest = Ingest(repository=repository, stores=stores, embedder=embedder, parser=FakeParser())
    await ingest.ingest(workspace, "notice.md", b"The notice period of employees is thirty days.")
    return Retrieval(
        repository=repository,
        stores=stores,
        embedder=embedder,
        sentences=SentenceVectors(embedder),
    )


async def found(retrieval: Retrieval, workspace: Workspace, asked: str) -> list[str]:
    """The names of the documents of what is found, best first."""
    question, filters = parse(asked)
    result = await retrieval.search(workspace.id, question, limit=10, filters=filters)
    return list(dict.fromkeys(each.document for each in [*result.candidates, *result.introduction]))


async def test_file_and_document_are_found_together(
    retrieval: Retrieval, workspace: Workspace
) -> None:
    """Judged alike, the nearer of the two stands first; without the file it is not found."""
    beside = retrieval.with_files(attached(workspace, NOTICE))

    asked = "What is the notice period of the supply agreement?"
    result = await beside.search(workspace.id, asked, limit=10)

    assert [each.document for each in result.candidates] == ["deal.md", "notice.md"]
    assert result.candidates[0].score > result.candidates[1].score > 0
    assert result.indexed == 2
    assert await found(retrieval, workspace, asked) == ["notice.md"]


@pytest.mark.parametrize(
    ("asked", "documents"),
    [
        ("@deal.md what is the notice period?", ["deal.md"]),
        ("@deal what is the notice period?", ["deal.md", "notice.md"]),
        ("@notice.md what is the notice period?", ["notice.md", "deal.md"]),
        ("type:txt what is the notice period?", ["notice.md", "deal.md"]),
        ("what is this file about?", ["deal.md"]),
        ("@deal.md summarise", ["deal.md"]),
    ],
)
async def test_files_are_named_like_documents(
    retrieval: Retrieval, workspace: Workspace, asked: str, documents: list[str]
) -> None:
    """A name or a question about the whole chooses the file; other filters leave it in."""
    beside = retrieval.with_files(attached(workspace, NOTICE))

    assert sorted(await found(beside, workspace, asked)) == sorted(documents)


async def test_question_about_files_leaves_workspace_out(
    retrieval: Retrieval, workspace: Workspace
) -> None:
    """What is asked of the files alone finds no document, not even where no file was read."""
    asked = "What is the notice period?"
    alone = retrieval.with_files(attached(workspace, NOTICE, alone=True))
    unread = AttachedFile(name="deal.md", reason="It is damaged.")
    nothing = retrieval.with_files(Attached(files=(unread,), alone=True))

    assert await found(alone, workspace, asked) == ["deal.md"]
    assert await found(nothing, workspace, asked) == []


async def test_section_of_named_file_is_kept(retrieval: Retrieval, workspace: Workspace) -> None:
    beside = retrieval.with_files(attached(workspace, NOTICE, "The notice is written."))
    question, filters = parse('@deal.md section:"Part 1" what is the notice period?')

    result = await beside.search(workspace.id, question, limit=10, filters=filters)

    assert [each.chunk_id for each in result.candidates] == ["c_deal1"]


def evidence(name: str, rank: float) -> EvidenceChunk:
    return EvidenceChunk(
        chunk_id=f"c_{name}{rank}",
        document_id=name,
        version_id="v",
        document=name,
        title=name,
        text=name,
        score=rank,
        rank_score=rank,
    )


@pytest.mark.parametrize(
    ("files", "documents", "split"),
    [(20, 20, (5, 5)), (1, 20, (1, 9)), (20, 2, (8, 2)), (0, 20, (0, 10))],
)
def test_both_sides_have_their_share(files: int, documents: int, split: tuple[int, int]) -> None:
    """Half is for the files, however much nearer all documents are, and the other way round."""
    near = [evidence("d_doc", 100 - n) for n in range(documents)]
    far = [evidence("f_file", 50 - n) for n in range(files)]

    kept = shared([*near, *far], 10)

    assert (sum(e.attached for e in kept), sum(not e.attached for e in kept)) == split
