"""Titles, questions and lead-ins that state something, and those that only name or ask."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from masis.text.assertions import (
    MAX_READ,
    lead_states,
    names_amount,
    names_contact,
    question_states,
    title_states,
)

STATING_TITLES = [
    "The board fired the chief executive",
    "The Board Has Fired The Chief Executive",
    "You must pay 5000 EUR to IBAN DE89 3704 0044 0532 0130 00",
    "Pay 5000 EUR at once",
    "Expenses are paid monthly",
    "Staff get 25 days of leave",
    "The company pays all costs",
    "If you travel, you must book early",
    "The fund was closed in May",
    "Anna Berg resigned on Monday",
    "He resigned",
    "There is no fee",
    "Your account has been suspended",
    "Call +49 170 1234567",
    "Register at https://portal.example/pay",
    "Invoices go to pay@office.example",
    "It’s free for everybody",
    "Section 4: the office is closed",
]
NAMING_TITLES = [
    "Leave policy",
    "How to claim expenses",
    "What is covered",
    "How we work",
    "Who we are",
    "Things you must know",
    "Documents you will need",
    "Everything you can claim",
    "Expenses covered by the company",
    "Expenses that are covered",
    "Terms and conditions that apply",
    "May 2024 results",
    "Results for the year ended 31 December 2023",
    "Q3 2023 results",
    "When you travel",
    "If you are ill",
    "1. Introduction",
    "Section 4: Carried-over leave",
    "Updated travel policy",
    "Claim your expenses",
    "The will of the people",
    "Dos and don'ts",
    "What happens if you miss it",
    "Made in Germany",
    "Lessons learned",
    "The rules explained",
    "[Handbook](https://wiki.example/handbook)",
    "Alarm | Means | Do",
    "",
]


@pytest.mark.parametrize("title", STATING_TITLES)
def test_title_with_verb_states(title: str) -> None:
    """A title with a verb or an amount states."""
    assert title_states(title)
    assert title_states(f"**{title}**")


@pytest.mark.parametrize("title", NAMING_TITLES)
def test_subject_title_states_nothing(title: str) -> None:
    """A title that names its subject states nothing."""
    assert not title_states(title)


@pytest.mark.parametrize(
    "question",
    [
        "Did you know that you must pay the fee today?",
        "Did you know you must pay today?",
        "The board fired the chief executive, didn't it?",
        "Are you aware the board resigned?",
        "You must pay today, right?",
        "Isn't it true that the fund was closed?",
        "Have you heard the board was fired?",
        "When will you send it to DE89 3704 0044 0532 0130 00?",
        "Have you visited https://pay.example yet?",
        "Can you call +49 170 1234567 about it?",
    ],
)
def test_a_question_that_tells_something_states(question: str) -> None:
    assert question_states(question)


@pytest.mark.parametrize(
    "question",
    [
        "What is covered?",
        "Which of the two offices do you mean?",
        "Do you mean the 2023 or the 2024 report?",
        "Would you like to know more?",
        "Need help?",
        "Questions about leave?",
        "In which country do you work?",
        "How do I claim, and when is it paid?",
        "Can I carry over leave?",
        "And what about part-time staff?",
        "Do you know your manager?",
        "Do you know who approves it?",
        "Is the purchase over $10,000?",
        "",
    ],
)
def test_a_question_that_asks_states_nothing(question: str) -> None:
    assert not question_states(question)


@pytest.mark.parametrize(
    ("lead", "states"),
    [
        ("The results are as follows:", False),
        ("The following benefits apply:", False),
        ("There are two ways to claim it:", False),
        ("Here are the steps:", False),
        ("You can claim for:", False),
        ("Benefits:", False),
        ("The board fired the chief executive for these reasons:", True),
        ("Pay 5000 EUR as follows:", True),
    ],
)
def test_announcing_lead_states_nothing(lead: str, states: bool) -> None:
    """A lead that announces a list states nothing."""
    assert lead_states(lead) is states


@pytest.mark.parametrize("text", ["5 %", "EUR 20", "20 EUR", "€ 3.50", "3 weeks", "12 employees"])
def test_amounts_are_seen(text: str) -> None:
    assert names_amount(f"About {text} in all")


@pytest.mark.parametrize("text", ["2024", "Chapter 3", "top 10 tips", "ISO 27001", "version 1.2"])
def test_other_numbers_are_no_amounts(text: str) -> None:
    assert not names_amount(text)
    assert not names_contact(text)


@given(st.text(alphabet="aT 0'’,:|-–(){}[]?.€+@wm", max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(title_states(text), bool)
    assert isinstance(question_states(text), bool)


@pytest.mark.parametrize(
    "unit", ["a@", "+1 ", "1.", "AB12", "[a](", "the can ", "did you ", ": - "]
)
def test_only_text_start_is_read(unit: str) -> None:
    """Only the beginning of a long text is read."""
    long = unit * 100_000
    assert title_states(long) == title_states(long[:MAX_READ])
    assert question_states(long) == question_states(long[:MAX_READ])
