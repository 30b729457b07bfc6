"""Questions that ask for a calculation."""

import pytest

from masis.questions.calculations import is_asked_only

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
        ("what was the change in sales", ["Sales – 2025: 90; 2024: 80; 2023: 70"]),
        ("How many guests have not replied?", ["We wrote to 90 guests; 61 have replied."]),
        ("How much do the long and the short one cost together?", TWO_PRICES),
        ("What does the locker cost per year?", ["The locker costs £4.50 a month."]),
        ("What is the annual price per month?", ["Annual plan: £40 a year."]),
        ("How much is the sauna for a whole week?", ["The sauna is £3 a day."]),
        (
            "whats the least we pay the farm per day",
            ["We pay for at least 90 eggs each day.", "An egg is £0.30."],
        ),
        ("which plan is the cheapest", TWO_PRICES),
        ("whats the cheapest one", ["The long one costs £264."]),
        ("which site spends the most", ["Hull spends £900, Leeds £700."]),
        ("which month had the lowest sales", ["Sales: May 9, June 12, July 8."]),
        ("is the long one twice the price of the short one", TWO_PRICES),
        (
            "how much heavier is the long one",
            ["The long one weighs 345 g.", "The short one weighs 310 g."],
        ),
        ("what do members save in a year", ["Members pay 10% less.", "A visit costs £40."]),
        ("how much do five swims cost", ["A swim costs £4.50."]),
        ("how much is rent per month", ["Annual rent: £6,480; Lessor: Ofen Ltd."]),
        ("what does a whole year of tuition cost", ["Fee per term (£): 4720"]),
        (
            "whats the most we pay the farm per market day",
            ["We pay £0.30 for each egg.", "The price cannot rise by more than 4% a year."],
        ),
        ("what does a coach cost per child", ["A coach costs £600 per trip."]),
        ("how much of the harvest goes to the dairy, in percent", ["The dairy took 40 t of 90 t."]),
        (
            "a guided tour costs how many times a plain one",
            ["A guided tour costs £9.", "A plain one £4."],
        ),
        (
            "how many times the floor of the barn is the hall",
            ["The barn has 80 m², the hall 240 m²."],
        ),
        ("we send 3 children for 2 days, what do we pay", ["A day costs £12 for each child."]),
    ],
)
def test_calculation_without_statement_is_found(question: str, said: list[str]) -> None:
    """A calculation that no statement gives is found."""
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
        (
            "whats the least we pay per day",
            ["The minimum charge per day is £240, whatever we pay else."],
        ),
        ("which plan is the cheapest", ["The cheapest plan is Basic at £4."]),
        ("what is the most days you can carry over", ["Up to three days may be carried over."]),
        ("highest yearly price rise", ["The price cannot rise by more than 4% in a year."]),
        ("at least how many hours before must I cancel", ["Cancel 48 hours before."]),
        ("what is the most recent price list", ["The price list of May 2026 has 40 items."]),
        ("what is our biggest risk", ["Flooding cost us 3 days."]),
        ("how much do five swims cost", ["Five swims cost £20, one £4.50."]),
        (
            "What are the two longest-serving members called?",
            ["Ann Lee and Bo Day, both for 30 years."],
        ),
        ("The total was wrong again. Who corrects it?", ["Accounts correct it within 3 days."]),
        ("what are the changes in the new handbook", ["It has 40 pages."]),
        ("what is the change of address form", ["It is form 12."]),
        ("what was the change in sales", ["Sales were down 8 % to £4m."]),
        ("what is the change in fees", ["The fees are £4 higher."]),
    ],
)
def test_a_stated_figure_needs_no_calculation(question: str, said: list[str]) -> None:
    assert not is_asked_only(question, said)


@pytest.mark.parametrize(
    "said",
    [
        ["We pay £0.30 for each egg.", "We pay £12 a market day."],
        ["A market day costs £12."],
        ["Each market day we pay £12 to the farm."],
    ],
)
def test_a_price_per_what_is_asked_is_stated(said: list[str]) -> None:
    assert not is_asked_only("what do we pay the farm per market day", said)
