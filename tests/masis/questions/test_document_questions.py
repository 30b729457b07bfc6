"""What questions come of a document's own text, and which never do."""

import pytest

from masis.questions.document_questions import MOST_CHARS, Made, questions


def made(text: str, *headings: str) -> list[str]:
    return [each.text for each in questions(text, headings, "d_1")]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (
            "Can I bring my dog to the office?\n\nNo, not even on Fridays.",
            "Can I bring my dog to the office?",
        ),
        ("- Q: how do I return a pump?\n- A: Write to the desk.", "How do I return a pump?"),
        ("The notice period is 1 month, on either side.", "What is the notice period?"),
        ("The training allowance is up to £600 a year.", "What is the training allowance?"),
        ("Core hours are from 10:00 to 15:00.", "What are the core hours?"),
        ("Our anchor day is Wednesday.", "What is the anchor day?"),
        ("| Item: Client meals | Limit: £34 |", "What is the limit for client meals?"),
        ("| Place: Falkirk depot | Limit: £34 |", "What is the limit for Falkirk depot?"),
        ("| Plan: Gold | Fee: £34 |", "What is the fee for Gold?"),
        ("| Role: Key Account Lead | Limit: £34 |", "What is the limit for Key Account Lead?"),
    ],
)
def test_plain_statement_becomes_a_question(text: str, question: str) -> None:
    """A question is made of a plain statement."""
    assert made(text) == [question]


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("Annual leave", "What should I know about annual leave?"),
        ("4.2 Opening hours", "What are the opening hours?"),
        ("Expenses policy", "What does the expenses policy say?"),
        ("How do I claim expenses?", "How do I claim expenses?"),
    ],
)
def test_a_heading_is_asked_for(heading: str, question: str) -> None:
    assert made("It is told here in full.", "Handbook", heading) == [question]


def test_where_it_comes_from_is_kept() -> None:
    assert list(questions("The notice period is 1 month.", [], "d_9")) == [
        Made("What is the notice period?", "stated", "d_9")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The colleagues here are amazing people.",
        "The result is 4, as in the case above.",
        "The aim of the next one is 3 points.",
        "All new employees are 18 or older.",
        "It is 4 degrees there.",
        "| Name: Leeds | Phone: 0113 496 0142 |",
        "| Product: TX40 | Price: £40 |",
        "| Item: Meals | State: done |",
        "How was that?",
    ],
)
def test_context_dependent_statement_makes_no_question(text: str) -> None:
    """What makes no sense alone is not asked."""
    assert made(text) == []


def test_list_of_questions_is_form() -> None:
    """A list of questions is a form."""
    form = "- What is our mission here?\n- Who do we serve today?\n- What problems do we face?"

    assert made(form) == []
    assert made("", "What problems do we face?") == []


@pytest.mark.parametrize(
    "text",
    [
        "| Employee: Client meals | Limit: £34 |",
        "| Item: Client meals | Salary: £34,000 |",
        "How much does Priya earn a year?\n\nShe earns £34,000.",
        "What does Dr Nowak prescribe here?\n\nRest.",
        "When is J. Smith away this year?\n\nIn May.",
    ],
)
def test_nobody_is_named(text: str) -> None:
    assert made(text) == []


@pytest.mark.parametrize(
    "question",
    [
        "What is <@U123> doing in <!channel> now?",
        "What is at https://evil.example today?",
        "What is at evil.example/claims today?",
        "Who may read *all* of `this` here?",
        "Can [you](http://x) see this link?",
        "Is sk-abcdefgh12345678 the right key here?",
        f"What is {'very ' * 20}long?",
        "What is \u202eesrever in this line?",
    ],
)
def test_untrusted_text_makes_no_question(question: str) -> None:
    assert made(f"{question}\n\nIt is told below in full.") == []
    assert made("It is told below in full.", question) == []


def test_every_question_fits_a_button() -> None:
    row = f"| Item: {'Meals ' * 4}| Limit: £34 |"

    assert all(len(each) <= MOST_CHARS for each in made(f"{row}\nThe notice period is 3 days."))
