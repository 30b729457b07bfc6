import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.conflict import Quantity, conflicts, quantities
from masis.domain import EvidenceChunk
from masis.extraction import passages, score
from tests.scripted_agents import chunk

QUESTION = "How many days of annual leave does an employee have?"


def named_apart(question: str, *evidence: EvidenceChunk) -> list[set[str]]:
    """Which documents disagree, by words alone."""
    scored = score(question, passages(evidence), None, None, {})
    return [
        {one.passage.chunk.document, other.passage.chunk.document}
        for one, other in conflicts(question, scored)
    ]


def papers(*texts: str) -> list[EvidenceChunk]:
    return [chunk(n, text=text, rank_score=0.9) for n, text in enumerate(texts)]


BOTH = {"paper-0.md", "paper-1.md"}


# --- quantities ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Leave is 25 days.", [(25, "day")]),
        ("It takes 1 day or 2 days.", [(1, "day"), (2, "day")]),
        ("It lasts 4 hrs.", [(4, "hour")]),
        ("It lasts 4 h.", [(4, "hour")]),
        ("It costs £1,250.50 a month.", [(1250.5, "£")]),
        ("It costs € 40.", [(40, "€")]),
        ("The share is 12.5 %.", [(12.5, "%")]),
        ("The share is 12.5 per cent.", [(12.5, "%")]),
        ("The share is 12.5 percent.", [(12.5, "%")]),
        ("It holds 16 bar.", [(16, "bar")]),
        ("There are 230 people.", [(230, "")]),
        ("It was founded in 1987.", []),
        ("It is a Priority 1 case.", []),
        ("See Section 4.", []),
        ("Nothing is said.", []),
        ("", []),
    ],
)
def test_quantities_are_figures_with_their_dimension(
    text: str, expected: list[tuple[float, str]]
) -> None:
    assert quantities(text) == {Quantity(value, dimension) for value, dimension in expected}


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="0123456789.,-£$%° hdaysPriority²\n", max_size=60) | st.text(max_size=60))
def test_reading_quantities_never_raises(text: str) -> None:
    assert all(quantity.value >= 0 for quantity in quantities(text))


# --- conflicts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            QUESTION,
            "An employee has 25 days of annual leave a year.",
            "An employee has 28 days of annual leave a year.",
        ),
        (
            "How much is the tooling budget?",
            "The tooling budget is £1.2 million.",
            "The tooling budget is £1.5 million.",
        ),
        (
            "How long is the notice period?",
            "The notice period is 4 weeks.",
            "The notice period is 6 weeks for everyone.",
        ),
    ],
)
def test_two_papers_with_different_figures_for_one_thing_disagree(
    question: str, one: str, other: str
) -> None:
    assert named_apart(question, *papers(one, other)) == [BOTH]
    assert named_apart(question, *papers(other, one)) == [BOTH]


@pytest.mark.parametrize(
    ("reason", "one", "other"),
    [
        (
            "the same figure",
            "An employee has 25 days of annual leave a year.",
            "Annual leave of an employee is 25 days.",
        ),
        (
            "figures of different years",
            "In 2024 an employee had 25 days of annual leave.",
            "In 2025 an employee had 28 days of annual leave.",
        ),
        (
            "figures of different units",
            "An employee has 25 days of annual leave a year.",
            "An employee has annual leave; days off are agreed 3 weeks before.",
        ),
        (
            "another subject",
            "An employee has 25 days of annual leave a year.",
            "Visitors park for 3 days.",
        ),
        (
            "no figure in one of them",
            "An employee has 25 days of annual leave a year.",
            "An employee has many days of annual leave a year.",
        ),
        (
            "one of them gives several figures",
            "An employee has 25 days of annual leave a year.",
            "An employee has 25 days of annual leave, 28 days after ten years.",
        ),
    ],
)
def test_no_disagreement_is_seen_where_there_is_none(reason: str, one: str, other: str) -> None:
    assert named_apart(QUESTION, *papers(one, other)) == [], reason


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            "How much is the tooling budget?",
            "The tooling budget is £1.2 million.",
            "The tooling budget is £1,200,000.",
        ),
    ],
)
def test_one_amount_written_in_two_ways_is_no_conflict(question: str, one: str, other: str) -> None:
    assert named_apart(question, *papers(one, other)) == []


@pytest.mark.xfail(strict=True, reason="whose figure it is would take a reader to see")
def test_figures_of_two_places_are_no_conflict() -> None:
    one, other = papers("Kettering has 120 staff.", "Deventer has 80 staff; Kettering is bigger.")

    assert named_apart("How many staff are in Kettering?", one, other) == []


def test_a_document_does_not_disagree_with_itself() -> None:
    one, other = papers(
        "An employee has 25 days of annual leave.", "An employee has 28 days of annual leave."
    )
    same = other.model_copy(update={"document_id": one.document_id})

    assert named_apart(QUESTION, one, same) == []


def test_a_question_that_wants_no_figure_has_no_conflict_of_figures() -> None:
    texts = papers(
        "Marta approves annual leave within 2 days.", "Jan approves annual leave within 3 days."
    )

    assert named_apart("Who approves annual leave?", *texts) == []


def test_a_figure_of_the_question_itself_is_not_what_papers_disagree_about() -> None:
    texts = papers(
        "After 5 years an employee has 28 days of annual leave.",
        "After 5 years an employee has 28 days of annual leave, says the handbook.",
    )

    assert named_apart("How many days of annual leave are there after 5 years?", *texts) == []


def test_nothing_disagrees_about_nothing() -> None:
    assert conflicts(QUESTION, []) == []


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 400), st.integers(2, 400))
def test_papers_disagree_exactly_when_their_one_figure_differs(one: int, other: int) -> None:
    texts = papers(*(f"An employee has {n} days of annual leave a year." for n in (one, other)))

    assert bool(named_apart(QUESTION, *texts)) == (one != other)


@settings(max_examples=40, deadline=None)
@given(
    st.text(max_size=100),
    st.lists(st.text(alphabet="25 days ofleave.|-\n#%£", min_size=1, max_size=80), max_size=4),
)
def test_looking_for_conflicts_never_raises(question: str, texts: list[str]) -> None:
    for pair in named_apart(question, *papers(*texts)):
        assert len(pair) == 2
