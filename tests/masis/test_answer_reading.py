from collections.abc import Sequence

from masis.answer_reading import likelihood
from masis.errors import ReadingError
from tests.scripted_agents import chunk

QUESTION = "hotel limit"
NEAR = chunk(1, text="The limit is £140 a night.", context="Travel › Hotels", nearness=0.9)
FAR = chunk(2, text="Taxis are not paid.", context="Travel › Taxis", nearness=0.7)


class Remembering:
    """A reader that remembers what it was given, or fails."""

    def __init__(self, error: str = "") -> None:
        self.texts: list[str] = []
        self._error = error

    async def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        assert question == QUESTION
        if self._error:
            raise ReadingError(self._error)
        self.texts += texts
        return [0.25 for _ in texts]


async def test_the_nearest_chunk_is_read_under_its_headings() -> None:
    reader = Remembering()

    assert await likelihood(reader, QUESTION, [FAR, NEAR]) == 0.25
    assert reader.texts == ["Travel › Hotels: The limit is £140 a night."]


async def test_without_headings_the_text_stands_alone() -> None:
    reader = Remembering()
    await likelihood(reader, QUESTION, [NEAR.model_copy(update={"context": ""})])

    assert reader.texts == ["The limit is £140 a night."]


async def test_nobody_says_anything_without_a_reader_or_evidence_or_where_it_fails() -> None:
    assert await likelihood(None, QUESTION, [NEAR]) is None
    assert await likelihood(Remembering(), QUESTION, []) is None
    assert await likelihood(Remembering("reinstall MASIS"), QUESTION, [NEAR]) is None
