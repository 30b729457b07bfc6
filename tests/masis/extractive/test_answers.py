import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.extractive import answers
from masis.extractive.answers import Moment, Name, Value, asked, differ, quantities
from masis.text.day_times import TimeOfDay
from masis.text.quantities import Quantity
from tests.examples import examples


def found(question: str, text: str) -> list[Value]:
    """What a sentence gives as the answer to a question."""
    read = asked(question)
    assert read is not None
    return answers.given(read, text)


def name(*terms: str) -> Name:
    return Name(frozenset(terms))


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


@settings(max_examples=examples(80), deadline=None)
@given(st.text(alphabet="0123456789.,-£$%° hdaysPriority²\n", max_size=60) | st.text(max_size=60))
def test_reading_quantities_never_raises(text: str) -> None:
    assert all(quantity.value >= 0 for quantity in quantities(text))


# --- the question --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When does the depot open?", "moment"),
        ("What is the release date of Fellgate 4?", "moment"),
        ("Which year was the mill built?", "moment"),
        ("Who signs the lease?", "name"),
        ("Which supplier delivers the gaskets?", "name"),
        ("Where is the archive kept?", "place"),
        ("In which city is the archive?", "place"),
        ("How many days of leave are there?", "figure"),
        ("What is the population of Leeds?", "figure"),
        ("Is the depot open?", "rule"),
        ("Are dogs allowed in the office?", "rule"),
    ],
)
def test_question_asks_for_one_kind(question: str, kind: str) -> None:
    """A question asks for one kind of answer."""
    read = asked(question)
    assert read is not None
    assert read.kind == kind


@pytest.mark.parametrize(
    "question",
    ["Why is the depot closed?", "Where are we going?", "?", ""],
)
def test_some_questions_have_no_kind(question: str) -> None:
    """Some questions have no answer to compare."""
    assert asked(question) is None


def test_names_codes_and_titles_are_subjects() -> None:
    """Names codes and quoted titles are the subject."""
    read = asked('Who is the artist of the album "both sides now" sold as WH-200 in Leeds?')
    assert read is not None
    assert read.subject == {"both", "side", "now", "wh", "200", "leed"}


# --- what a text gives ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        (
            "When was Ada Byron born?",
            "Ada Byron, born on 10 December 1815, died in 1852.",
            [Moment(1815, 12, 10), Moment(1852)],
        ),
        (
            "When does the canteen open?",
            "The canteen opens at 11:30.",
            [TimeOfDay(690, is_exact=False)],
        ),
        (
            "When must a claim be submitted?",
            "A claim is submitted within 30 days.",
            [Quantity(30, "day")],
        ),
        (
            "Who directed the film?",
            "Mill Lane is a film that was directed by Marc Forster.",
            [name("marc", "forster")],
        ),
        (
            "Where is the archive kept?",
            "Marta keeps the archive in Leeds.",
            [name("leed")],
        ),
        (
            "What is the population of Leeds?",
            "The population was 4,411.",
            [Quantity(4411, "")],
        ),
        ("Who approves leave in March?", "Leave is approved in April.", []),
    ],
)
def test_nearest_value_of_asked_kind_wins(question: str, text: str, expected: list[Value]) -> None:
    """The nearest value of the asked kind comes first."""
    assert found(question, text) == expected


def test_value_in_other_clause_is_farther() -> None:
    """A value in another clause counts as farther away."""
    question = "How high is the fee?"

    assert found(question, "The fee is £4.") == [Quantity(4, "£")]
    assert found(question, "The fee is low; a permit, to be sure, costs £4.") == []


def test_question_words_are_no_answer() -> None:
    """What the question says itself is no answer."""
    question = "How many days of leave are there after 5 years?"

    assert found(question, "After 5 years there are 28 days of leave.") == [Quantity(28, "day")]


@settings(max_examples=examples(80), deadline=None)
@given(
    st.sampled_from(["When did it open at Leeds?", "Who runs Leeds depot?", "Where is Leeds?"])
    | st.text(max_size=60),
    st.text(alphabet="1 May2027:.,ABCdepot by in-/’\n", max_size=80) | st.text(max_size=80),
)
def test_reading_an_answer_never_raises(question: str, text: str) -> None:
    read = asked(question)
    if read is not None:
        values = answers.given(read, text)
        assert len(values) == len(set(values))
        assert not differ(values, values)


# --- two of them ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ([Quantity(4, "day")], [Quantity(5, "day")], True),
        ([Quantity(4, "day")], [Quantity(4, "day")], False),
        ([Quantity(4, "day")], [Quantity(5, "week")], False),
        ([Quantity(4, "day")], [Quantity(4, "day"), Quantity(5, "day")], False),
        ([Moment(2027, 5)], [Moment(2027, 5, 3)], False),
        ([Moment(2027, 5)], [Moment(2027, 6)], True),
        ([Moment(2027)], [TimeOfDay(540, is_exact=True)], False),
        ([Moment(2026)], [Moment(2027), Moment(2026)], False),
        ([name("marta", "jansen")], [name("jansen")], False),
        ([name("marta", "jansen")], [name("tom")], True),
        ([name("marta")], [Moment(2027)], False),
        ([], [name("tom")], False),
    ],
)
def test_answers_differ_only_within_a_kind(
    ours: list[Value], theirs: list[Value], expected: bool
) -> None:
    assert differ(ours, theirs) is expected
    assert differ(theirs, ours) is expected


def test_an_amount_is_nothing_that_is_described() -> None:
    text = "Orley is a market town in the north."
    assert found("What is the population of Orley?", text) == []
    assert found("What is the nickname of Orley?", text)
