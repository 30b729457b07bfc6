from dataclasses import dataclass
from typing import Literal

import pytest

from masis.documents.ingestion import Ingest
from masis.domain import Block, EvidenceChunk, ParsedDocument, Workspace
from masis.retrieval.neighbours import ROOM, Neighbours, RuleSections
from masis.retrieval.sentence_vectors import SentenceVectors
from tests.fakes import FakeEmbedder, FakeParser, FakeRepository, FakeVectorStores

FILLER = "The canteen opens at noon and closes in the evening. "
LONG = FILLER * 12
STEPS = [
    f"Step {at}: {'press the green button and wait for the lamp ' * 2}{at}." for at in range(12)
]


def paragraph(text: str) -> Block:
    return Block(kind="paragraph", text=text)


def listed(texts: list[str], kind: Literal["list_item", "table_row"] = "list_item") -> list[Block]:
    return [Block(kind=kind, text=text) for text in texts]


@dataclass
class Shelf:
    """One document in a workspace, and its chunks as a search would bring them."""

    repository: FakeRepository
    workspace: Workspace
    chunks: list[EvidenceChunk]
    sentences: SentenceVectors

    async def beside(self, question: str, *held: int, room: int = ROOM) -> list[int]:
        found = await Neighbours(self.repository, self.sentences).beside(
            question, [self.chunks[at] for at in held], room
        )
        assert all(each.score == 0 and each.document == "manual.txt" for each in found)
        return [each.position for each in found]


async def shelf(patch: pytest.MonkeyPatch, blocks: list[Block]) -> Shelf:
    async def parse(_: FakeParser, name: str, __: bytes) -> ParsedDocument:
        return ParsedDocument(format="txt", title=name, blocks=blocks)

    patch.setattr(FakeParser, "parse", parse)
    repository, embedder = FakeRepository(), FakeEmbedder()
    ingest = Ingest(
        repository=repository, stores=FakeVectorStores(), embedder=embedder, parser=FakeParser()
    )
    workspace = await repository.create_workspace("local", "acme")
    await ingest.ingest(workspace, "manual.txt", b"whatever")
    [document] = await repository.documents(workspace.id)
    read = await repository.neighbours(workspace.id, document.version_id, range(document.chunks))
    chunks = [
        EvidenceChunk(
            **chunk.model_dump(exclude={"id"}),
            chunk_id=chunk.id,
            document=document.name,
            title=document.title,
            score=0.8,
        )
        for chunk in read
    ]
    return Shelf(repository, workspace, chunks, SentenceVectors(embedder))


async def test_answer_at_end_brings_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An answer at the end of a chunk brings the next one."""
    answer = "The warranty of the Wharfe pump has three exceptions."
    here = await shelf(monkeypatch, [paragraph(LONG + answer), paragraph(LONG)])
    assert answer in here.chunks[0].text
    assert len(here.chunks) == 2
    asked = "Which exceptions has the warranty of the Wharfe pump?"
    assert await here.beside(asked, 0) == [1]
    assert await here.beside("When does the canteen close in the evening?", 0) == []


async def test_continued_list_brings_only_its_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A list that goes on brings its rest and not what follows it."""
    blocks = [paragraph("To start it:"), *listed(STEPS), paragraph(LONG)]
    here = await shelf(monkeypatch, blocks)
    assert len(here.chunks) == 3
    assert await here.beside("Which green button do I press in step 2?", 0) == [1]
    assert await here.beside("Which green button do I press in step 11?", 1) == []


async def test_continued_table_brings_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table goes on in its rows."""
    rows = [f"Item: pump {at} | Price: {at} euros | Note: {'in stock ' * 6}" for at in range(20)]
    here = await shelf(monkeypatch, listed(rows, "table_row"))
    assert len(here.chunks) > 1
    assert await here.beside("What is the price of pump 3?", 0) == [1]


async def test_existing_evidence_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is evidence already does not come twice."""
    here = await shelf(monkeypatch, [paragraph("To start it:"), *listed(STEPS)])
    assert await here.beside("Which green button do I press in step 2?", 0, 1) == []


async def test_neighbours_fit_the_remaining_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more comes along than there is room for."""
    here = await shelf(monkeypatch, [paragraph("To start it:"), *listed(STEPS)])
    room = len(here.chunks[1].text)
    asked = "Which green button do I press in step 2?"
    assert await here.beside(asked, 0, room=room) == [1]
    assert await here.beside(asked, 0, room=room - 1) == []


async def test_words_decide_without_an_embedder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without an embedder the words of a sentence decide."""
    answer = "The warranty of the Wharfe pump has three exceptions."
    here = await shelf(monkeypatch, [paragraph(LONG + answer), paragraph(LONG)])
    by_words = Neighbours(here.repository, None)
    [found] = await by_words.beside("exceptions of the warranty", here.chunks[:1], ROOM)
    assert found.position == 1


async def test_deleted_version_has_no_neighbours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A version that is not visible any more has no neighbours."""
    here = await shelf(monkeypatch, [paragraph("To start it:"), *listed(STEPS)])
    [document] = await here.repository.documents(here.workspace.id)
    await here.repository.delete_document(here.workspace.id, document.id)
    assert await here.beside("Which green button do I press in step 2?", 0) == []


async def test_rule_between_exceptions_comes_along(monkeypatch: pytest.MonkeyPatch) -> None:
    """The section between two that were found is read where it is asked whether one may."""
    told = await shelf(monkeypatch, [paragraph(f"{LONG}Part {at}.") for at in range(5)])
    sections, held = RuleSections(told.repository), [told.chunks[at] for at in (0, 2, 4)]

    async def beside(question: str, room: int = ROOM) -> list[int]:
        return [each.position for each in await sections.beside(question, held, room)]

    assert await beside("can I eat there", 10 * ROOM) == [1, 3]
    assert await beside("can I eat there", 10) == []
    assert await beside("when does it open", 10 * ROOM) == []
