import pytest

from masis.domain import EvidenceChunk, Place
from masis.questions import unclear


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("how long does it take?", "it"),
        ("when is it out?", "it"),
        ("hi, who approves this?", "this"),
        ("how long does the leak test take?", ""),
        ("is it possible to work from abroad?", ""),
        ("when is the IT desk open?", ""),
        ("what do customers say when they send it back?", ""),
        ("where is the form that I need?", ""),
        ("", ""),
    ],
)
def test_pronoun_in_place_of_all_else(question: str, word: str) -> None:
    """Only what has nothing else to search by is unclear."""
    assert unclear.pronoun(question) == word


def _chunk(number: int, text: str, heading: str = "") -> EvidenceChunk:
    return EvidenceChunk(
        chunk_id=f"c{number}",
        document_id=f"d{number}",
        version_id=f"v{number}",
        document=f"{number}.md",
        title=f"Paper {number}",
        place=Place(headings=[heading] if heading else []),
        text=text,
        score=0.5,
    )


def test_options_are_what_would_answer() -> None:
    """They are named by what is told of, by headings, and by titles where there are none."""
    found = [
        _chunk(1, "Nothing here has a length.", "Other things"),
        _chunk(2, "The test takes 30 minutes.", "3 Leak test"),
        _chunk(3, "An update takes 14 minutes."),
    ]
    options = unclear.options("how long does it take?", found)
    assert options == ["Leak test", "Paper 3"]
    assert len(options) <= unclear.MOST_OPTIONS


def test_headings_of_any_document_name_nothing() -> None:
    found = [_chunk(1, "Ada approves it.", "Open points"), _chunk(2, "Bo approves it.", "4 Trips")]
    assert unclear.options("who approves it?", found) == ["Paper 1", "Trips"]


LIMITS = [
    _chunk(1, "The credit limit is £5,000.", "Rules"),
    _chunk(2, "The limit for minibuses is 62 mph.", "Driving"),
    _chunk(3, "| Journey: Over 50 miles | Limit: £40 |", "Meals"),
]


def test_kinds_of_a_thing_are_named() -> None:
    """By what passages call it; who says more than the kind has chosen."""
    found = unclear.left_open("whats the limit?", LIMITS)
    assert found.thing == "limit"
    assert found.options == ["credit limit", "limit for minibuses", "Over 50 miles"]
    assert unclear.left_open("what is the credit limit for new customers?", LIMITS).options == []
    assert unclear.left_open("list the limits", LIMITS).options == []


def test_one_kind_is_no_choice() -> None:
    assert unclear.left_open("whats the limit?", LIMITS[:1]).options == []


def test_rows_stand_for_their_table() -> None:
    """Where other places answer as well, many rows are one option."""
    rows = "\n".join(f"| Journey: {name} | Limit: £40 |" for name in ("Rome", "Oslo", "Bern"))
    found = [_chunk(1, rows, "Meals"), LIMITS[0]]
    assert unclear.left_open("what is the limit?", found).options == ["Meals", "credit limit"]


def test_own_company_and_roles_are_no_choice() -> None:
    """Nobody is asked which company is meant, nor by whose heading somebody is told."""
    found = [
        _chunk(1, "The company has two directors: Ada Lund and Bo Quist.", "Leases"),
        _chunk(2, "The managing director signs for the company.", "Trips"),
        _chunk(3, "The company contact is Cy Vane.", "Fees"),
    ]
    for question in (
        "who runs the company?",
        "who is our managing director?",
        "who is the contact?",
    ):
        assert unclear.left_open(question, found).options == []


def test_kind_has_the_whole_name() -> None:
    """Full sick pay is no kind of pay rise."""
    found = [_chunk(1, "The full sick pay is 8 weeks."), _chunk(2, "The weekly pay is £90.")]
    assert not unclear.left_open("what about the pay rise", found).options
    assert unclear.left_open("what about the pay", found).options


def test_headings_say_no_kind_of_deed() -> None:
    """Who asks how something is done chooses between kinds of it, not between headings that mention it."""
    rows = "\n".join(
        f"| Place: {name} | Done: Glaze was mixed |" for name in ("Mill", "Yard", "Shed")
    )
    found = [
        _chunk(1, rows, "Timeline"),
        _chunk(2, "Do not buy glaze on a company card.", "Buying"),
    ]
    kinds = [_chunk(1, "The glass glaze is mixed."), _chunk(2, "The salt glaze is bought.")]

    assert not unclear.left_open("how do i get a glaze", found).options
    assert unclear.left_open("how do i get a glaze", kinds).options == ["glass glaze", "salt glaze"]
