"""Who is named as a side at the head of documents."""

from masis.extractive.wholes.listed import wanted
from masis.extractive.wholes.parties import is_side, parties
from tests.scripted_agents import chunk, chunk_id

CLAY = chunk(0, text='Supplier: Ada Clay Ltd ("Clay")\nBuyer: Kiln House, York\n\n1 Subject')
CARE = chunk(1, text="Supplier: Kiln House, York\nCustomer: North School\n\nOwner: Bo Day")


def alike(term: str) -> frozenset[str]:
    return frozenset({term})


def test_sides_of_agreements_are_told() -> None:
    asked = wanted("suppliers")
    assert asked is not None

    (line,) = parties(asked, [[CLAY], [CARE]], alike)
    assert (line.text, line.ids) == ("Ada Clay Ltd", [chunk_id(0)])


def test_owners_are_no_side() -> None:
    asked = wanted("owners")
    assert asked is not None
    assert not is_side("owner")
    assert parties(asked, [[CLAY], [CARE]], alike) == []
