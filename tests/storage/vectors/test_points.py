import numpy as np
import pytest

from masis.errors import StoreUnavailable
from masis.ports import Point
from storage.vectors.points import ForeignPoint, hit_of, payload_of, point_id

POINT = Point("c_0", "d_1", "v_1", 0, "md", np.ones(4, dtype=np.float32), {0: 1.0})


def test_foreign_point_stops_the_search() -> None:
    """A point of another workspace stops the search."""
    payload = payload_of("w_theirs", POINT)
    with pytest.raises(ForeignPoint, match="another workspace"):
        hit_of(payload, 1.0, 1.0, "w_mine")


@pytest.mark.parametrize("payload", [None, {}])
def test_point_without_ids_is_damage(payload: dict[str, str] | None) -> None:
    """A point without its ids is damage."""
    with pytest.raises(StoreUnavailable, match="lost its ids"):
        hit_of(payload, 1.0, 1.0, "w_mine")


def test_payload_holds_only_ids_and_places() -> None:
    """A payload holds ids and places alone."""
    assert payload_of("w_mine", POINT) == {
        "workspace_id": "w_mine",
        "document_id": "d_1",
        "version_id": "v_1",
        "chunk_id": "c_0",
        "position": 0,
        "format": "md",
        "section": [],
    }


def test_point_id_depends_on_workspace() -> None:
    """A chunk has another point in another workspace."""
    assert point_id("w_a", "c_1") == point_id("w_a", "c_1")
    assert len({point_id("w_a", "c_1"), point_id("w_b", "c_1"), point_id("w_a", "c_2")}) == 3
