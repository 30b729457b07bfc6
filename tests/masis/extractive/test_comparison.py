import pytest

from masis.domain import EvidenceChunk
from masis.extractive.comparison import Compared, compared, names_its_side, sides
from masis.retrieval.extraction import passages, score
from tests.scripted_agents import chunk

BOATS = chunk(
    0,
    text=(
        "Boat: Heron | Seats: 4 | Rent a day: 80\nBoat: Swan | Seats: 6 | Rent a day: 110\n"
        "Boat: Teal | Seats: 2 | Rent a day: 45"
    ),
)


def told(question: str, *evidence: EvidenceChunk) -> Compared:
    pair = sides(question)
    assert pair is not None
    found = compared(pair, score(question, passages(evidence), None, None, {}))
    assert found is not None
    return found


def texts(found: Compared) -> list[str]:
    return [s.passage.text for s in found.chosen]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("compare gold and silver service plans", ("gold", "silver")),
        ("what is the difference between the heron and the swan?", ("heron", "swan")),
        ("total income 2031 vs 2032?", ("2031", "2032")),
        ("fees for year 4 compared to year 8", ("4", "8")),
        ("compare v1 and v2 of the mooring policy", ("1", "2")),
    ],
)
def test_both_sides_of_comparison_are_found(question: str, names: tuple[str, str]) -> None:
    """The two sides of a comparison are told."""
    pair = sides(question)

    assert pair is not None
    assert (pair[0].name, pair[1].name) == names


@pytest.mark.parametrize(
    "question",
    ["who runs the yard and the shop", "compare the boats", "berth fee, new rules vs old", ""],
)
def test_question_without_pair_compares_nothing(question: str) -> None:
    """What names no two things compares nothing."""
    assert sides(question) is None


def test_rows_of_third_things_are_omitted() -> None:
    """Rows of both sides are told and no other."""
    assert texts(told("compare heron and swan boats", BOATS)) == [
        "Boat: Heron | Seats: 4 | Rent a day: 80",
        "Boat: Swan | Seats: 6 | Rent a day: 110",
    ]


def test_both_sides_share_respects() -> None:
    """Both sides are told in the same respects."""
    one = chunk(
        0,
        text="The guarantee on the RB10 is 2 years from the sale. The RB10 was drawn by Ada Finch.",
    )
    other = chunk(
        1,
        text="The RB12 may be left in the rain. The guarantee on the RB12 is 3 years from the sale.",
    )

    assert texts(told("compare the rb10 and the rb12", one, other)) == [
        "The guarantee on the RB10 is 2 years from the sale.",
        "The guarantee on the RB12 is 3 years from the sale.",
    ]


SOLD = chunk(1, text="Berth: Harbour | Sold: 31\nBerth: River | Sold: 28")
OFFERED = chunk(
    2,
    text="Berth: Harbour | Price: 90 | Water: metered | Power: 16 A\nBerth: River | Price: 60 | "
    "Water: free | Power: none",
)


def test_without_a_respect_the_fullest_rows_come_first() -> None:
    whole = texts(told("compare harbour and river berths", SOLD, OFFERED))
    assert whole[0].startswith("Berth: Harbour | Price")
    asked = texts(told("compare the number sold of harbour and river", SOLD, OFFERED))
    assert asked[0] == "Berth: Harbour | Sold: 31"


def test_sentence_joining_both_sides_is_skipped() -> None:
    """A sentence that says one thing of both is passed over."""
    joint = chunk(0, text="Ropes cost extra in the harbour and river berths.")
    found = texts(told("compare harbour and river berths", joint, OFFERED))

    assert [text[:15] for text in found] == ["Berth: Harbour ", "Berth: River | "]


def test_row_holding_both_sides_suffices() -> None:
    """A row that holds both sides needs no other."""
    table = chunk(0, text="Line: Income | 2031: 410 | 2032: 455\nLine: Rent | 2031: 90 | 2032: 91")
    other = chunk(1, text="The income of 2031 was a record.")

    assert texts(told("income 2031 vs 2032", table, other)) == [
        "Line: Income | 2031: 410 | 2032: 455"
    ]


def test_unmentioned_side_is_reported_missing() -> None:
    """A side that nothing mentions is missing."""
    found = told("compare the heron and the osprey", BOATS)

    assert (found.chosen, [side.name for side in found.missing]) == ([], ["osprey"])


def test_document_name_assigns_unnamed_side() -> None:
    """The documents name tells the side of what names none."""
    old = chunk(
        0, text="A berth costs £20 a night.", document="berth-rules-2031.md", title="Berths"
    )
    new = chunk(
        1, text="A berth costs £26 a night.", document="berth-rules-2032.md", title="Berths"
    )
    question = "compare the 2031 and 2032 berth rules"
    found = told(question, old, new)
    pair = sides(question)

    assert texts(found) == ["A berth costs £20 a night.", "A berth costs £26 a night."]
    assert pair is not None
    assert not any(names_its_side(s.passage, pair) for s in found.chosen)


def test_unfound_sides_compare_nothing() -> None:
    """Where neither side is found nothing is compared."""
    pair = sides("compare the osprey and the kite")

    assert pair is not None
    assert compared(pair, score("", passages([BOATS]), None, None, {})) is None
