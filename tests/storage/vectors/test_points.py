import numpy as np
import pytest

from masis.errors import StoreUnavailable
from masis.ports import Point
from storage.vectors.points import ForeignPoint, hit_of, payload_of, point_id

POINT = Point("c_0", "d_1", "v_1", 0, "md", np.ones(4, dtype=np.float32), {0: 1.0})


def test_a_point_of_another_workspace_stops_the_search() -> None:
    payload = payload_of("w_theirs", POINT)
    with pytest.raises(ForeignPoint, match="another workspace"):
        hit_of(payload, 1.0, 1.0, "w_mine")


@pytest.mark.parametrize("payload", [None, {}])
def test_a_point_without_its_ids_is_damage(payload: dict[str, str] | None) -> None:
    with pytest.raises(StoreUnavailable, match="lost its ids"):
        hit_of(payload, 1.0, 1.0, "w_mine")


def test_a_payload_holds_ids_and_places_alone() -> None:
    assert payload_of("w_mine", POINT) == {
        "workspace_id": "w_mine",
        "document_id": "d_1",
        "version_id": "v_1",
        "chunk_id": "c_0",
        "position": 0,
        "format": "md",
        "section": [],
    }


def test_a_chunk_has_another_point_in_another_workspace() -> None:
    assert point_id("w_a", "c_1") == point_id("w_a", "c_1")
    assert len({point_id("w_a", "c_1"), point_id("w_b", "c_1"), point_id("w_a", "c_2")}) == 3
