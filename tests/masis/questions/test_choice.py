import datetime as dt

import pytest

from masis.domain import Question
from masis.questions.choice import carried, chosen, read, statement_of
from tests.scripted_agents import chunk

MARCH = chunk(
    0, text="£68,000", document="minutes/2026-03-12-meeting.md", date=dt.date(2026, 3, 12)
)
APRIL = chunk(
    1, text="£74,500", document="minutes/2026-04-16-meeting.md", date=dt.date(2026, 4, 16)
)
ASKED = "What is the budget for 2026?"


def replied(said: str, asked: str = ASKED) -> Question:
    return Question(text=asked, standalone=asked, reply=said)


@pytest.mark.parametrize(
    "said",
    [
        "minutes/2026-04-16-meeting.md counts",
        "2026-04-16-Meeting.md",
        "the april one",
        "Take the meeting of 16 April.",
        "2026-04-16",
        "the newer one, please",
        "Go by the latest",
    ],
)
def test_name_date_or_age_chooses_document(said: str) -> None:
    """A document is chosen by its name date or age."""
    assert chosen(replied(said), MARCH, APRIL) is APRIL
    assert chosen(replied(said), APRIL, MARCH) is APRIL


def test_a_question_may_name_its_document() -> None:
    asked = Question.plain("What is the budget in 2026-04-16-meeting.md?")
    assert chosen(asked, MARCH, APRIL) is APRIL


@pytest.mark.parametrize("said", ["the newer one", "both", "a.md counts"])
def test_nothing_chooses_among_none(said: str) -> None:
    """A conflict may have been kept without what its documents say."""
    assert read(said, []) is None


def test_reply_may_choose_the_older() -> None:
    """The older one may be chosen too."""
    assert chosen(replied("the earlier meeting"), APRIL, MARCH) is MARCH


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("The bar closes at 2pm.", "The bar closes at 13:00."),
        ("Open from 10am to 5pm.", "Open from 9:00 to 16:30."),
        ("Forms are due on 3 May 2027.", "Forms are due on 14 April 2027."),
    ],
)
@pytest.mark.parametrize(
    "said", ["the later one", "later", "use the later time", "not the earlier one"]
)
def test_later_means_the_later_statement(said: str, later: str, earlier: str) -> None:
    """The later one is that of the later statement."""
    new = APRIL.model_copy(update={"text": earlier})
    old = MARCH.model_copy(update={"text": later})
    assert chosen(replied(said), old, new) is old
    assert chosen(replied("the newer one"), old, new) is new


def test_file_dates_do_not_decide_later() -> None:
    """The later one is not told by the dates of files."""
    new = APRIL.model_copy(update={"date_source": "file"})
    assert chosen(replied("the later one"), MARCH, new) is None
    assert chosen(replied("the newer one"), MARCH, new) is new
    assert chosen(replied("the later one"), MARCH, APRIL) is APRIL


@pytest.mark.parametrize(
    "said",
    [
        "",
        "I do not know",
        "in May",
        "March or April",
        "neither the older nor the newer one",
        "2026-03-12-meeting.md and 2026-04-16-meeting.md",
    ],
)
def test_ambiguous_reply_chooses_none(said: str) -> None:
    """What names neither or both chooses none."""
    assert chosen(replied(said), MARCH, APRIL) is None


def test_dates_in_question_choose_none() -> None:
    """Dates and ages of a question choose none."""
    asked = Question.plain("What is the latest budget of April?")
    assert chosen(asked, MARCH, APRIL) is None


def test_lowercase_may_is_no_month() -> None:
    """A small may is no month and no date is no age."""
    may = MARCH.model_copy(update={"date": dt.date(2026, 5, 1)})
    assert chosen(replied("whichever may count"), may, APRIL) is None
    assert chosen(replied("May"), may, APRIL) is may
    undated = MARCH.model_copy(update={"date": None})
    assert chosen(replied("the newer one"), undated, APRIL) is None


def test_listing_every_document_means_both() -> None:
    """A form lists the documents that count below what was typed."""
    shown = [statement_of(MARCH), statement_of(APRIL)]
    both = read(f"For the year\n{MARCH.document}\n{APRIL.document}", shown)
    assert both is not None
    assert both.kind == "both"
    one = read(f"For the year\n{APRIL.document}", shown)
    assert one is not None
    assert one.documents == [APRIL.document_id]


def test_reply_joins_earlier_choices() -> None:
    """A reply is carried with what was settled before."""
    statements = [statement_of(MARCH), statement_of(APRIL)]
    asked = {"statements": [each.model_dump(mode="json") for each in statements]}
    (unclear,) = carried(asked, "no idea")
    assert unclear.kind == "unclear"
    again = asked | {"choices": [unclear.model_dump(mode="json")]}
    assert [each.kind for each in carried(again, "who knows")] == ["undecided"]
    assert [each.kind for each in carried(again, "the newer one")] == ["documents"]
    assert carried(again, "") == []
    settled = {"choices": [each.model_dump(mode="json") for each in carried(asked, "both")]}
    assert [each.kind for each in carried(settled, "and for managers?")] == ["both"]
    assert carried({}, "the newer one") == []


def test_title_year_has_no_order_within() -> None:
    """A deck called "Open evening 2026" may be of any day of that year."""
    deck = MARCH.model_copy(update={"date": dt.date(2026, 1, 1), "date_source": "title"})
    older = APRIL.model_copy(update={"date": dt.date(2025, 4, 16)})

    for said in ("the newer one", "the older one"):
        assert chosen(replied(said), deck, APRIL) is None
    assert chosen(replied("the newer one"), deck, older) is deck
    assert chosen(replied("the older one"), deck, older) is older
