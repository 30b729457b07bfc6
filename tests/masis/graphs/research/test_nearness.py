"""Measuring what of a draft is nearest, with a reading model at hand."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from masis.adapters.minilm import MiniLMEmbedder
from masis.answering import citations
from masis.domain import EvidenceChunk, Place
from masis.errors import ReadingError
from masis.graphs.research.nearness import ReadNearness
from masis.graphs.research.offline import Reader
from masis.questions.nearest import Measured
from masis.retrieval.sentence_vectors import SentenceVectors
from tests.scripted_agents import chunk


class Even:
    """Every term weighs the same."""

    async def weights(self, workspace_id: str, question: str) -> dict[str, float]:  # noqa: ARG002 - the port
        return {}


class Scripted:
    """Takes for answering what has the word."""

    def __init__(self, word: str) -> None:
        self._word = word

    async def answers(self, question: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG002 - the port
        return [0.9 if self._word in text else 0.1 for text in texts]


class Broken:
    async def answers(self, question: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG002 - the port
        raise ReadingError("the file is missing")


@pytest.fixture(scope="module")
def vectors() -> Iterator[SentenceVectors]:
    embedder = MiniLMEmbedder(threads=1)
    yield SentenceVectors(embedder)
    asyncio.run(embedder.close())


async def measured(
    question: str, evidence: Sequence[EvidenceChunk], vectors: SentenceVectors, answers: object
) -> Measured:
    draft = "\n\n".join(f"{c.text.rstrip('.')} [{c.chunk_id}]." for c in evidence)
    measure = ReadNearness(Reader(Even(), vectors), answers)  # type: ignore[arg-type]
    found = await measure.of(question, citations.claims(draft), evidence)
    assert found is not None
    return found


SUITCASE = [
    chunk(0, text="The kitchen is cleaned on the second Friday of a month."),
    chunk(1, text="Fees for a further piece of checked baggage are repaid."),
]


async def test_other_words_for_a_thing_are_near(vectors: SentenceVectors) -> None:
    question = "do they pay for a second suitcase on the plane"

    kitchen, luggage = (await measured(question, SUITCASE, vectors, Scripted("-"))).nearness

    assert luggage > kitchen + 0.1


async def test_what_is_read_as_answering_is_nearer(vectors: SentenceVectors) -> None:
    read = await measured("is it repaid", SUITCASE, vectors, Scripted("repaid"))
    unread = await measured("is it repaid", SUITCASE, vectors, Broken())

    assert read.nearness[1] > unread.nearness[1] + 0.2


async def test_a_comparison_of_both_sides_is_whole(vectors: SentenceVectors) -> None:
    plans = [
        chunk(0, text="The gold plan has two visits."),
        chunk(1, text="The silver plan has one visit."),
    ]
    question = "compare the gold and silver plan"

    assert (await measured(question, plans, vectors, Scripted("-"))).is_whole
    assert not (await measured(question, plans[:1], vectors, Scripted("-"))).is_whole


async def test_a_summary_of_what_is_named_is_whole(vectors: SentenceVectors) -> None:
    report = [
        chunk(n, text=f"{said} in the spring of this year.", context=said).model_copy(
            update={"title": "Board pack", "place": Place(headings=[said]), "document_id": "d_pack"}
        )
        for n, said in enumerate(["Orders rose by a tenth", "Deliveries are late"])
    ]

    assert (await measured("summarise the board pack", report, vectors, Scripted("-"))).is_whole
    assert not (await measured("summarise the lease", report, vectors, Scripted("-"))).is_whole


async def test_nothing_is_measured_of_nothing(vectors: SentenceVectors) -> None:
    measure = ReadNearness(Reader(Even(), vectors), Scripted("-"))

    assert await measure.of("is it repaid", [], SUITCASE) is None
