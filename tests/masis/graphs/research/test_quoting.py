"""Quoting what probably answers, by the reading model's word on passages and statements."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from masis.adapters.minilm import MiniLMEmbedder
from masis.adapters.minilm_reader import MiniLMReader
from masis.domain import EvidenceChunk, Question
from masis.errors import ReadingError
from masis.graphs.research.offline import Reader
from masis.graphs.research.quoting import ReadingQuoter
from masis.retrieval.sentence_vectors import SentenceVectors
from tests.scripted_agents import chunk, chunk_id

LUGGAGE = (
    "The company books trains and flights for you. "
    "Fees for a further piece of checked baggage are repaid with the approval of your manager. "
    "Seats are booked in the lowest class."
)
KITCHEN = "The kitchen is cleaned on Fridays. Cups go into the dishwasher."
SUITCASE = "do they pay for a second suitcase on the plane"


class Even:
    """Every term weighs the same."""

    async def weights(self, workspace_id: str, question: str) -> dict[str, float]:  # noqa: ARG002 - the port
        return {}


class Scripted:
    """Takes for answering what has the word, and where it stands in a longer text as well or not."""

    def __init__(self, word: str, *, in_passages: bool = True) -> None:
        self._word = word
        self._in_passages = in_passages

    async def answers(self, question: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG002 - the port
        return [
            0.9 if self._word in text and (self._in_passages or len(text) < 120) else 0.1
            for text in texts
        ]


class Broken:
    async def answers(self, question: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG002 - the port
        raise ReadingError("the file is missing")


@pytest.fixture(scope="module")
def vectors() -> Iterator[SentenceVectors]:
    embedder = MiniLMEmbedder(threads=1)
    yield SentenceVectors(embedder)
    asyncio.run(embedder.close())


def passages(*texts: str) -> list[EvidenceChunk]:
    return [chunk(n, text=text, score=0.4) for n, text in enumerate(texts)]


async def quoted(answers: object, vectors: SentenceVectors | None, *texts: str) -> str:
    quoter = ReadingQuoter(Reader(Even(), vectors), answers)  # type: ignore[arg-type]
    draft = await quoter.quote(Question.plain(SUITCASE), passages(*texts))
    return draft.text if draft else ""


async def test_only_the_answering_statement_is_quoted(vectors: SentenceVectors) -> None:
    """No word of the question stands in it."""
    reader = MiniLMReader(threads=1)
    found = await quoted(reader, vectors, KITCHEN, LUGGAGE)
    await reader.close()

    assert "further piece of checked baggage" in found
    assert f"[{chunk_id(1)}]" in found
    assert "kitchen" not in found


async def test_nothing_is_quoted_of_other_matters(vectors: SentenceVectors) -> None:
    reader = MiniLMReader(threads=1)
    found = await quoted(reader, vectors, KITCHEN)
    await reader.close()

    assert found == ""


async def test_statement_must_answer_within_its_passage(vectors: SentenceVectors) -> None:
    """A statement must answer in its passage too."""
    assert await quoted(Scripted("baggage"), vectors, LUGGAGE)
    assert not await quoted(Scripted("baggage", in_passages=False), vectors, LUGGAGE)


async def test_distant_statement_is_never_quoted(vectors: SentenceVectors) -> None:
    """Far statements are not quoted whatever is read."""
    assert await quoted(Scripted("dishwasher"), vectors, KITCHEN) == ""


@pytest.mark.parametrize("answers", [None, Broken()], ids=["none", "broken"])
async def test_missing_reading_model_quotes_nothing(
    answers: object, vectors: SentenceVectors
) -> None:
    """Without the reading model nothing is quoted."""
    assert await quoted(answers, vectors, LUGGAGE) == ""


async def test_without_an_embedder_nothing_is_quoted() -> None:
    assert await quoted(Scripted("baggage"), None, LUGGAGE) == ""
