"""Questions that ask for a calculation."""

import pytest

from masis.calculations import is_asked_only

TWO_PRICES = ["The long one costs £264.", "The short one costs £186."]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How much more does the long one cost than the short one?", TWO_PRICES),
        ("price difference between long and short", TWO_PRICES),
        ("What is the ratio of staff to vans?", ["There are 40 staff and 8 vans."]),
        ("what share of their games did they win", ["They won 5 of 8 games."]),
        ("spending as a share of sales", ["Spending was 8 million.", "Sales were 100 million."]),
        ("What do both cost in total?", TWO_PRICES),
        ("average score of the three sites", ["Hull scored 92, Leeds 95.", "York scored 95."]),
        ("How much did sales grow from 2024 to 2025?", ["Sales were 90 in 2024 and 99 in 2025."]),
        ("How much more did it weigh than last year?", ["It weighed 214 kg, up from 187 kg."]),
        ("How many of us work outside Hull?", ["We are 418 people, of whom 265 work in Hull."]),
        ("compare the price of long and short", TWO_PRICES),
        ("How many guests have not replied?", ["We wrote to 90 guests; 61 have replied."]),
        ("How much do the long and the short one cost together?", TWO_PRICES),
        ("What does the locker cost per year?", ["The locker costs £4.50 a month."]),
        ("What is the annual price per month?", ["Annual plan: £40 a year."]),
        ("How much is the sauna for a whole week?", ["The sauna is £3 a day."]),
    ],
)
def test_a_calculation_that_no_statement_gives_is_found(question: str, said: list[str]) -> None:
    assert is_asked_only(question, said)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was total revenue?", ["Total revenue was 109.8 million."]),
        ("How long does delivery take on average?", ["Average delivery time: 4 days."]),
        ("How much did sales grow?", ["Sales grew by 8 % in 2025."]),
        ("How much more did it weigh?", ["It weighed 27 kg more than the year before."]),
        ("What was sales growth in 2025?", ["Sales growth: 8 %"]),
        ("What is the difference between a lease and a loan?", ["A lease ends in 3 years."]),
        ("By how much may I exceed the approved price list?", ["By 10 % at most."]),
        ("How many work outside Hull?", ["153 people work outside Hull."]),
        ("How much is the 2027 pay rise?", ["Pay goes up in 2027: 3 %."]),
        ("How do the two rules compare?", ["One is for staff, the other for guests."]),
        ("What does the long one cost?", TWO_PRICES),
        ("How many fit in, so that we don't queue?", ["The hall holds 90 people."]),
        ("How many guests have not replied?", ["29 guests have not replied yet."]),
        ("What does the locker cost per year?", ["The locker costs £54 a year or £4.50 a month."]),
        (
            "How much leave is there a year?",
            ["Staff have 27 days of leave, 2 days a month at most yearly."],
        ),
        ("What does the locker cost per year?", ["The locker costs £54."]),
        ("The total was wrong again. Who corrects it?", ["Accounts correct it within 3 days."]),
    ],
)
def test_a_stated_figure_needs_no_calculation(question: str, said: list[str]) -> None:
    assert not is_asked_only(question, said)
