"""How codes are ordered by their parents' words, and how differently near a list is to what is described."""

from collections.abc import Sequence

import numpy as np
import pytest

from masis.codelists.index import CodeIndex
from masis.codelists.ranking import Ranked, by_group, spread
from masis.domain import WorkspaceId
from masis.ports import Vectors
from tests.masis.codelists.test_reading import HERE, found, table


class Directions:
    """An embedder that knows the directions of a few words, and has a third one for all others."""

    def __init__(self, known: dict[str, tuple[float, float, float]]) -> None:
        self._known = known

    async def of(self, workspace_id: WorkspaceId, texts: Sequence[str]) -> Vectors:
        assert workspace_id == HERE
        return np.array([self._known.get(text, (0.0, 0.0, 1.0)) for text in texts], np.float32)

    async def question(self, workspace_id: WorkspaceId, text: str) -> Vectors:
        row: Vectors = (await self.of(workspace_id, [text]))[0]
        return row


TITLES = ["Company cars", "Tyres", "Garage", "Canteen", "Customs", "Payroll"]


def indexed(titles: Sequence[str]) -> CodeIndex:
    rows = [(f"1{at}00", title) for at, title in enumerate(titles)]
    return CodeIndex(found(table("Code,Title", rows)))


@pytest.mark.parametrize("scale", [1.0, 0.3])
@pytest.mark.parametrize(
    ("texts", "expected"),
    [(["tyres"], 1.02), (["the moon"], 0.0), (["the moon", "tyres"], 1.02)],
)
async def test_spread_is_of_the_nearest_text(
    texts: list[str], expected: float, scale: float
) -> None:
    """What a list is of is near to some titles alone, by whatever embedder; anything else as near to all."""
    common = (1 - scale**2) ** 0.5
    near, far = (scale, 0.0, common), (0.0, scale, common)
    directions = dict.fromkeys([*TITLES[:3], "tyres"], near) | dict.fromkeys(TITLES[3:], far)
    found_spread = await spread(indexed(TITLES), HERE, texts, Directions(directions))
    assert found_spread == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    ("column", "expected"), [("Remark", True), ("Synonyms", False), ("Description", False)]
)
def test_synonyms_and_descriptions_are_more_than_titles(column: str, *, expected: bool) -> None:
    rows = [(f"1{at}00", title, f"Paid for {title}") for at, title in enumerate(TITLES)]
    index = CodeIndex(found(table(f"Code,Title,{column}", rows)))
    assert index.has_titles_alone is expected


async def test_equally_near_titles_tell_nothing() -> None:
    """What does not differ in itself is no scale for anything else."""
    assert await spread(indexed(TITLES), HERE, ["tyres"], Directions({})) is None


FAMILIES = [
    ("10", "Cars", ""), ("101", "Tyres", "Wheels of company cars"), ("102", "Fuel", "Petrol for company cars"),
    ("20", "Rooms", ""), ("201", "Rent", "What landlords are paid"), ("202", "Paint", "Walls and ceilings"),
    ("203", "Carpets", "Floors of offices, and walls"),
]  # fmt: skip


def ranking(index: CodeIndex, *codes: str) -> list[Ranked]:
    by_code = index.codes.by_code
    return [Ranked(by_code[code], 9.0 - at / 100, 0.5, 0.1) for at, code in enumerate(codes)]


def test_siblings_words_order_what_is_behind() -> None:
    """Behind the first two a code gains by what is said of its parent's other codes; places keep their favour."""
    index = CodeIndex(found(table("Code,Title,Description", FAMILIES)))
    before = ranking(index, "201", "101", "102", "202")
    after = by_group(before, index, "walls and floors of landlords")
    assert [each.code.code for each in after] == ["201", "101", "202", "102"]
    assert [each.score for each in after] == [each.score for each in before]


def test_first_two_stay() -> None:
    index = CodeIndex(found(table("Code,Title,Description", FAMILIES)))
    after = by_group(ranking(index, "101", "102", "202"), index, "walls and floors")
    assert [each.code.code for each in after] == ["101", "102", "202"]


def test_lists_without_parents_keep_their_order() -> None:
    index = indexed(TITLES)
    before = ranking(index, *(entry.code.code for entry in index.entries))
    assert by_group(before, index, "payroll of customs") == before
