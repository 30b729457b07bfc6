"""How differently near a list is to what is described."""

from collections.abc import Sequence

import numpy as np
import pytest

from masis.codelists.index import CodeIndex
from masis.codelists.ranking import spread
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


@pytest.mark.parametrize(
    ("texts", "expected"),
    [(["tyres"], 0.5), (["the moon"], 0.0), (["the moon", "tyres"], 0.5)],
)
async def test_spread_is_of_the_nearest_text(texts: list[str], expected: float) -> None:
    """What a list is of is near to some titles alone; what it is not of is as near to all."""
    titles = ["Company cars", "Tyres", "Garage", "Canteen", "Customs", "Payroll"]
    rows = [(f"1{at}00", title) for at, title in enumerate(titles)]
    index = CodeIndex(found(table("Code,Title", rows)))
    near, far = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    directions = dict.fromkeys([*titles[:3], "tyres"], near) | dict.fromkeys(titles[3:], far)
    assert index.has_names_alone
    assert await spread(index, HERE, texts, Directions(directions)) == pytest.approx(expected)
