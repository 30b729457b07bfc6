"""Who is named as a side at the head of documents."""

from masis.domain import Place
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


def test_goods_under_supply_name_their_sender() -> None:
    """Who sends goods is a supplier where it is about supply; a day, a person and a known side are none."""
    asked, place = wanted("suppliers"), Place(headings=["4 Supply"])
    assert asked is not None
    told = (
        "Boards from Moss & Fen are late. Frames from Clay arrive. Calls from Anna and post from Monday wait."
        " Lorries from Hull to York wait. Calls from IT and letters from Germany. Complaints from Marketing."
        " Glass from Sand is late."
    )
    supply, elsewhere = (
        chunk(2, text=told),
        chunk(3, text="Boards from Reed Works are late. We pay Sand & Co weekly."),
    )
    read = [[CLAY], [CARE], [supply.model_copy(update={"place": place}), elsewhere]]

    lines = parties(asked, read, alike)
    assert [line.text for line in lines] == ["Ada Clay Ltd", "Moss & Fen", "Sand"]
