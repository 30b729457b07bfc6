"""What of a draft is shown beside a question back."""

import datetime as dt

import pytest

from masis.answering import citations
from masis.domain import Place
from masis.questions.nearest import Measured, borne_out, numbered, statements
from tests.scripted_agents import chunk, chunk_id

LEASE = chunk(0, text="The lease costs £4,000 a month.", context="Lease")
MENU = chunk(1, text="Lunch is served from 12 to 2.", context="Canteen")
DRAFT = (
    f"Lunch is served from 12 to 2 [{chunk_id(1)}]. "
    f"The lease costs £4,000 a month [{chunk_id(0)}]. Somebody said it is too dear."
)


def test_statement_with_question_words_is_nearest() -> None:
    """The statement that speaks of the question is nearest."""
    near = statements("How much is the lease a month?", DRAFT, [LEASE, MENU])

    assert near.places == [1]
    assert near.share == pytest.approx(1.0)


def test_what_is_to_come_tells_no_past() -> None:
    """Asked when something was, what will be is not the nearest."""
    draft = (
        f"The next drill will be in May [{chunk_id(1)}]. The drill was on 3 March [{chunk_id(0)}]."
    )
    chunks = [
        chunk(0, text="The drill was on 3 March."),
        chunk(1, text="The next drill will be in May."),
    ]

    assert statements("When was the last drill?", draft, chunks).places == [1]
    assert statements("When is the next drill?", draft, chunks).places[0] == 0


def test_other_years_are_not_nearest() -> None:
    """Asked of one year, what is told of another is not the nearest; what names none may be."""
    draft = (
        f"For 2026 we forecast a result of £5m [{chunk_id(0)}]. The result was £4m [{chunk_id(1)}]."
    )
    chunks = [
        chunk(0, text="For 2026 we forecast a result of £5m."),
        chunk(1, text="The result was £4m."),
    ]

    assert statements("result in 2025", draft, chunks).places == [1]
    assert 0 in statements("result in 2026", draft, chunks).places
    assert 0 in statements("which result", draft, chunks).places


def test_uncited_and_distant_statements_are_excluded() -> None:
    """What cites nothing and what is far is left out."""
    assert statements("Who said that it is too dear?", DRAFT, [LEASE, MENU]).places == []
    assert statements("How much is the lease?", DRAFT, []).places == []


def test_two_nearest_keep_draft_order() -> None:
    """At most two stand in the order of the draft."""
    draft = " ".join(f"The lease of yard {n} costs £{n} a day [{chunk_id(n)}]." for n in range(4))
    chunks = [chunk(n, text=f"The lease of yard {n} costs £{n} a day.") for n in range(4)]

    near = statements("How much is the lease of yard 2 and of yard 1?", draft, chunks)

    assert near.places == [1, 2]


def test_heading_word_counts_half() -> None:
    """A word in the headings counts half."""
    chunks = [chunk(0, text="It costs £4,000 a month.", context="Lease")]

    near = statements("lease costs?", f"It costs £4,000 a month [{chunk_id(0)}].", chunks)

    assert (near.places, near.share) == ([0], 0.75)


def test_a_long_statement_stands_alone() -> None:
    long = f"The lease of yard 1 costs {'very ' * 70}much"
    draft = f"{long} [{chunk_id(0)}]. The lease of yard 2 costs £2 [{chunk_id(1)}]."
    chunks = [chunk(0, text=f"{long}."), chunk(1, text="The lease of yard 2 costs £2.")]

    assert statements("What does the lease of yard 1 cost?", draft, chunks).places == [0]


def test_older_version_yields_to_current() -> None:
    """An older version is not nearest beside the one in force."""
    old = chunk(0, text="The lease policy of 2023: the lease costs £3,000 a month.")
    new = chunk(1, text="This replaces the lease policy of 2023. The lease costs £4,000 a month.")
    evidence = [
        old.model_copy(update={"title": "Lease Policy", "date": dt.date(2023, 1, 1)}),
        new.model_copy(update={"title": "Lease Policy", "date": dt.date(2025, 1, 1)}),
    ]
    draft = (
        f"The lease costs £4,000 a month [{chunk_id(1)}]. "
        f"The lease costs £3,000 a month [{chunk_id(0)}]."
    )

    assert statements("How much is the lease a month?", draft, evidence).places == [0]


def test_older_version_tells_no_past() -> None:
    """Where all that is in force is to come, what was replaced is no answer to when something was."""
    old = chunk(0, text="The lease policy of 2023: the lease began on 3 May.")
    new = chunk(
        1, text="This replaces the lease policy of 2023. The lease will be signed on 5 May."
    )
    evidence = [
        old.model_copy(update={"title": "Lease Policy", "date": dt.date(2023, 1, 1)}),
        new.model_copy(update={"title": "Lease Policy", "date": dt.date(2025, 1, 1)}),
    ]
    draft = f"The lease began on 3 May [{chunk_id(0)}]. The lease will be signed on 5 May [{chunk_id(1)}]."

    assert statements("When was the lease signed?", draft, evidence).places == [1]


def test_statement_missing_from_source_is_excluded() -> None:
    """What its source has not is left out."""
    stated = f"The lease costs £7,000 a month [{chunk_id(0)}]."

    assert borne_out([0], stated, citations.audit(stated, [LEASE])) == []
    assert borne_out([0, 9], DRAFT, citations.audit(DRAFT, [LEASE, MENU])) == [0]


def test_nearest_statements_carry_source_numbers() -> None:
    """What is shown carries the numbers of its sources."""
    _, sources = citations.number(DRAFT, citations.audit(DRAFT, [LEASE, MENU]), [LEASE, MENU])

    assert numbered([1], DRAFT, sources) == ["The lease costs £4,000 a month. [2]"]
    assert numbered([], DRAFT, sources) == []


def test_what_is_measured_near_needs_no_words() -> None:
    near = statements("tell me about the yard", DRAFT, [LEASE, MENU], Measured([0.2, 0.9, 1.0]))

    assert near.places == [1], "the third cites nothing, the first is far behind"
    assert near.nearness == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("question", "places"),
    [("how do I return the key", [0, 1, 2]), ("where does the key go", [1])],
)
def test_steps_are_shown_with_the_nearest(question: str, places: list[int]) -> None:
    steps = ["Lock the yard at night.", "Put the key in the box.", "Sign the sheet at the gate."]
    draft = "Leaving:\n" + "\n".join(f"- {step[:-1]} [{chunk_id(0)}]." for step in steps)

    near = statements(question, draft, [chunk(0, text=" ".join(steps))], Measured([0.1, 0.9, 0.1]))

    assert near.places == places


def test_whole_draft_is_cut_to_room() -> None:
    """A whole is shown as far as there is room."""
    points = [f"Point {n} of the report {'is long ' * 20}." for n in range(5)]
    draft = " ".join(f"{point[:-1]} [{chunk_id(0)}]." for point in points)
    measured = Measured([0.5, 0.4, 0.3, 0.2, 0.1], is_whole=True)

    near = statements("sum up the report", draft, [chunk(0, text=" ".join(points))], measured)

    assert near.is_whole
    assert near.places == [0, 1, 2]


def test_what_stands_under_its_name_is_nearer() -> None:
    """Of two about as near that one is told first whose heading is what is asked about."""
    chunks = [
        chunk(0, text="Core hours are 10 to 3."),
        chunk(1, text="The week has 37 hours.", place=Place(headings=["3 Working hours"])),
    ]
    draft = f"Core hours are 10 to 3 [{chunk_id(0)}]. The week has 37 hours [{chunk_id(1)}]."

    near = statements("what are the working hours", draft, chunks, Measured([0.5, 0.4]))

    assert near.nearness == pytest.approx(0.6)


def test_steps_come_first_where_it_is_asked_how() -> None:
    """The list is told where it is asked how to do something."""
    chunks = [chunk(0, text="Late claims need a line.")]
    draft = (
        f"Late claims need a line [{chunk_id(0)}].\n\nClaiming:\n- Photograph the receipt [{chunk_id(0)}]."
        f"\n- Submit the claim [{chunk_id(0)}]."
    )
    near = statements("how do I claim", draft, chunks, Measured([0.5, 0.4, 0.45]))
    assert near.places == [1, 2]


def test_nobody_is_no_answer_to_who() -> None:
    """Where it is asked who, a statement that names nobody is not near."""
    bill = chunk(0, text="The lease is charged to the department.")
    ada = chunk(1, text="The lease is signed by Ada Clay.")
    draft = (
        f"The lease is charged to the department [{chunk_id(0)}]. "
        f"The lease is signed by Ada Clay [{chunk_id(1)}]."
    )
    measured = Measured([1.0, 0.5])

    assert statements("who signs the lease", draft, [bill, ada], measured).places == [1]
    assert statements("what of the lease", draft, [bill, ada], measured).places == [0]
