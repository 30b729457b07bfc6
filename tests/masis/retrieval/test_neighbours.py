from dataclasses import dataclass
from typing import Literal

import pytest

from masis.documents.ingestion import Ingest
from masis.domain import Block, EvidenceChunk, ParsedDocument, Workspace
from masis.retrieval.neighbours import ROOM, Neighbours
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


async def test_an_answer_at_the_end_of_a_chunk_brings_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer = "The warranty of the Wharfe pump has three exceptions."
    here = await shelf(monkeypatch, [paragraph(LONG + answer), paragraph(LONG)])
    assert answer in here.chunks[0].text
    assert len(here.chunks) == 2
    asked = "Which exceptions has the warranty of the Wharfe pump?"
    assert await here.beside(asked, 0) == [1]
    assert await here.beside("When does the canteen close in the evening?", 0) == []


async def test_a_list_that_goes_on_brings_its_rest_and_not_what_follows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blocks = [paragraph("To start it:"), *listed(STEPS), paragraph(LONG)]
    here = await shelf(monkeypatch, blocks)
    assert len(here.chunks) == 3
    assert await here.beside("Which green button do I press in step 2?", 0) == [1]
    assert await here.beside("Which green button do I press in step 11?", 1) == []


async def test_a_table_goes_on_in_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [f"Item: pump {at} | Price: {at} euros | Note: {'in stock ' * 6}" for at in range(20)]
    here = await shelf(monkeypatch, listed(rows, "table_row"))
    assert len(here.chunks) > 1
    assert await here.beside("What is the price of pump 3?", 0) == [1]


async def test_what_is_evidence_already_does_not_come_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = await shelf(monkeypatch, [paragraph("To start it:"), *listed(STEPS)])
    assert await here.beside("Which green button do I press in step 2?", 0, 1) == []


async def test_no_more_comes_along_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    here = await shelf(monkeypatch, [paragraph("To start it:"), *listed(STEPS)])
    room = len(here.chunks[1].text)
    asked = "Which green button do I press in step 2?"
    assert await here.beside(asked, 0, room=room) == [1]
    assert await here.beside(asked, 0, room=room - 1) == []


async def test_without_an_embedder_the_words_of_a_sentence_decide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer = "The warranty of the Wharfe pump has three exceptions."
    here = await shelf(monkeypatch, [paragraph(LONG + answer), paragraph(LONG)])
    by_words = Neighbours(here.repository, None)
    [found] = await by_words.beside("exceptions of the warranty", here.chunks[:1], ROOM)
    assert found.position == 1


async def test_a_version_that_is_not_visible_any_more_has_no_neighbours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = await shelf(monkeypatch, [paragraph("To start it:"), *listed(STEPS)])
    [document] = await here.repository.documents(here.workspace.id)
    await here.repository.delete_document(here.workspace.id, document.id)
    assert await here.beside("Which green button do I press in step 2?", 0) == []
