from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from masis.domain import EvidenceChunk
from masis.errors import ReadingError
from masis.extractive.answer_reading import (
    MOST_JUDGED,
    MOST_READ,
    WEIGHT,
    Read,
    RememberingReader,
    judged,
    read,
)
from masis.retrieval.extraction import Scored, passages, score
from tests.scripted_agents import chunk

QUESTION = "hotel limit"
HOTELS = "The limit of a hotel is £140 a night."
NEAR = chunk(1, text=HOTELS, context="Travel › Hotels", nearness=0.9)
FAR = chunk(2, text="Taxis are not paid by anybody.", context="Travel › Taxis", nearness=0.7)


class Remembering:
    """A reader that remembers what it was given, or fails; it finds likely what it was told to."""

    def __init__(self, error: str = "", likely: Mapping[str, float] | None = None) -> None:
        self.texts: list[str] = []
        self._error = error
        self._likely = likely or {}

    async def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        assert question == QUESTION
        if self._error:
            raise ReadingError(self._error)
        self.texts += texts
        return [self._likely.get(text, 0.25) for text in texts]


def scored(*evidence: EvidenceChunk) -> list[Scored]:
    return score(QUESTION, passages(evidence), None, None, {})


async def test_nearest_chunks_are_read_with_headings() -> None:
    """The nearest chunks are read under their headings."""
    reader = Remembering()

    assert await read(reader, QUESTION, [FAR, NEAR], []) == Read(0.25, 0.25)
    assert reader.texts == [
        f"Travel › Hotels: {HOTELS}",
        "Travel › Taxis: Taxis are not paid by anybody.",
    ]


async def test_without_headings_the_text_stands_alone() -> None:
    reader = Remembering()
    await read(reader, QUESTION, [NEAR.model_copy(update={"context": ""})], [])

    assert reader.texts == [HOTELS]


async def test_passage_is_read_with_context() -> None:
    """A passage is read with what stands over it."""
    reader = Remembering()
    many = chunk(3, text=f"Hotels are booked by the office. {HOTELS}", context="Travel")
    await read(reader, QUESTION, [many], scored(many))

    assert f"Travel. Hotels are booked by the office. {HOTELS}" in reader.texts


async def test_the_likeliest_of_each_kind_counts() -> None:
    last = f"Travel › Hotels. {HOTELS}"
    reader = Remembering(likely={last: 0.75, "Travel › Taxis: Taxis are not paid by anybody.": 0.5})

    assert await read(reader, QUESTION, [NEAR, FAR], scored(NEAR, FAR)) == Read(0.5, 0.75)


async def test_only_likeliest_passages_are_read() -> None:
    """No more is read than what is likeliest."""
    many = [chunk(n, text=f"Hotel number {n} has a limit of its own.") for n in range(9)]
    reader = Remembering()
    await read(reader, QUESTION, many, scored(*many))

    assert len(reader.texts) <= 2 * MOST_READ


async def test_identical_chunk_is_read_once() -> None:
    """What is chunk and passage is read once."""
    plain = NEAR.model_copy(update={"context": ""})
    reader = Remembering()
    await read(reader, QUESTION, [plain], scored(plain))

    assert reader.texts == [HOTELS]


async def test_no_reading_without_reader_or_evidence() -> None:
    """Nobody says anything without a reader or evidence or where it fails."""
    assert await read(None, QUESTION, [NEAR], []) is None
    assert await read(Remembering(), QUESTION, [], []) is None
    assert await read(Remembering("reinstall MASIS"), QUESTION, [NEAR], []) is None


def near(*evidence: EvidenceChunk) -> list[Scored]:
    """What was found, each as near as any other."""
    return [replace(one, cosine=0.5) for one in scored(*evidence)]


async def test_what_is_read_and_near_scores_more() -> None:
    found = near(NEAR, FAR)
    reader = Remembering(likely={"Travel › Taxis. Taxis are not paid by anybody.": 1.0})
    hotel, taxi = await judged(reader, QUESTION, found)

    assert hotel.score == pytest.approx(found[0].score + WEIGHT * 0.25 * 0.5)
    assert taxi.score == pytest.approx(found[1].score + WEIGHT * 0.5)
    far = [replace(one, cosine=0.0) for one in found]
    assert await judged(reader, QUESTION, far) == far


async def test_the_best_statements_alone_are_judged() -> None:
    many = [chunk(n, text=f"Hotel number {n} has a limit of its own.") for n in range(12)]
    reader = Remembering()
    await judged(reader, QUESTION, near(*many))

    assert len(reader.texts) == MOST_JUDGED


async def test_scores_stay_where_nobody_can_read() -> None:
    found = near(NEAR, FAR)

    assert await judged(None, QUESTION, found) == found
    assert await judged(Remembering("reinstall MASIS"), QUESTION, found) == found


async def test_a_text_is_read_once() -> None:
    inner = Remembering(likely={"a": 0.75})
    reader = RememberingReader(inner)

    assert await reader.answers(QUESTION, ["a", "b", "a"]) == [0.75, 0.25, 0.75]
    assert await reader.answers(QUESTION, ["b", "c"]) == [0.25, 0.25]
    assert inner.texts == ["a", "b", "c"]


async def test_the_texts_read_long_ago_are_forgotten() -> None:
    inner = Remembering()
    reader = RememberingReader(inner, size=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        await reader.answers(QUESTION, [text])

    assert inner.texts == ["a", "b", "c", "b"]
