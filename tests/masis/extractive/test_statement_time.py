import pytest

from masis.extractive import statement_time
from tests.scripted_agents import chunk

QUESTION = "What was the revenue?"


def read(sentence: str, title: str = "", question: str = QUESTION) -> statement_time.Scope:
    return statement_time.of(
        sentence, "", chunk(0, text=sentence, title=title, document="paper.md"), question
    )


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("Revenue was 108 in Q3 FY2023.", "Revenue was 420 in FY2023.", True),
        ("Revenue was 108 in the third quarter.", "Revenue was 96 in the 2nd quarter.", True),
        ("Revenue was 108 in Q3 2023.", "Revenue was 109 in the third quarter of 2023.", False),
        ("Revenue was 200 in the first half of 2023.", "Revenue was 420 in 2023.", True),
        ("Revenue was 108 in FY23.", "Revenue was 420 in fiscal year 2023.", False),
        ("Revenue was 108 in 2023/24.", "Revenue was 110 in 2024.", False),
        ("Revenue was 108 in 2022.", "Revenue was 420 in 2023.", True),
        ("Staff of 90 as of 31 March 2024.", "Staff of 95 as of 31 December 2024.", True),
        ("Staff of 90 as of 31 March 2024.", "Staff of 95 as at 31 March 2024.", False),
        ("Revenue is expected to reach 112.", "Revenue was 114.", True),
        ("Revenue is forecast at 112.", "We project and expect revenue of 114.", False),
        ("Revenue was 108 in FY2023.", "Revenue was 111.", False),
        ("Notice is 3 months for managers.", "Notice is 6 weeks for staff.", True),
        ("Notice is 3 months for managers.", "Notice is 6 weeks.", False),
        ("The mean wage of the men is 52.", "The mean wage is 48.", True),
        ("The mean wage of men and women is 52.", "The mean wage is 48.", False),
    ],
)
def test_statements_of_different_times_are_apart(one: str, other: str, *, apart: bool) -> None:
    assert statement_time.apart(read(one), read(other), QUESTION) is apart
    assert statement_time.apart(read(other), read(one), QUESTION) is apart


def test_title_supplies_period_for_its_sentences() -> None:
    """A title tells the period that its sentences lack."""
    one, other = read("Margin was 42.0 %.", "Q4 report"), read("Margin was 41.2 %.", "Q3 report")

    assert statement_time.apart(one, other, "What was the margin?")


def test_year_of_rule_is_its_version() -> None:
    """The year of a rule is its version."""
    one, other = (read("The limit is 160.", f"Travel policy {year}") for year in (2023, 2025))

    assert not statement_time.apart(one, other, "What is the limit?")


def test_budget_question_compares_budgets() -> None:
    """A question about a budget compares budgets."""
    question = "How much is the tooling budget?"
    one = read("The tooling budget is 120.", question=question)
    other = read("120 was set aside for tooling.", question=question)

    assert not statement_time.apart(one, other, question)


def test_statements_outside_asked_period_are_excluded() -> None:
    """Statements beside the asked period are out."""
    one, other = read("Revenue was 108 in Q3 2023."), read("Revenue was 109 in Q3 2023.")

    assert not statement_time.apart(one, other, "What was the revenue in Q3 2023?")
    assert statement_time.apart(one, other, "What was the revenue in 2022?")
    assert statement_time.apart(one, other, "What was the revenue for the whole of 2023?")


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("Revenue in Q3?", "Revenue | Q2: 26.1 | Q3: 27.9", "Revenue | Q3: 27.9"),
        ("Revenue?", "Revenue | Q2: 26.1 | Q3: 27.9", "Revenue"),
        ("Revenue in FY2025?", "Revenue | Q2: 26.1 | Q3: 27.9", "Revenue"),
        ("Revenue in FY2025?", "Revenue | FY2025: 98 | FY2024: 90", "Revenue | FY2025: 98"),
        ("Revenue in 2025?", "Revenue was 98 (2024: 90).", "Revenue was 98."),
        ("Revenue?", "Revenue | Value: 98", "Revenue | Value: 98"),
    ],
)
def test_cells_of_other_periods_are_omitted(question: str, text: str, expected: str) -> None:
    """Cells and brackets of other periods are left out."""
    assert statement_time.narrowed(text, question) == expected


@pytest.mark.parametrize(
    ("one", "other", "different"),
    [
        ("Leave in Spain", "Leave in Portugal", True),
        ("Elm Street clinic", "Harbour clinic", True),
        ("Wharfe 60", "Wharfe 80", True),
        ("Travel policy 2023", "Travel policy 2025", False),
        ("Minutes of 5 May", "Minutes of 12 May", False),
        ("Draft contract", "Final contract", False),
        ("Annual report", "Board minutes", False),
        ("Leave in Spain", "Leave in Spain and Portugal", False),
    ],
)
def test_titles_that_differ_in_names_alone(one: str, other: str, *, different: bool) -> None:
    assert statement_time.of_other_names(one, other) is different


def test_statement_of_another_day_is_excluded() -> None:
    """A statement of another day is beside the question."""
    asked = "How many people did we employ on 30 september 2025?"
    june, september = (
        read(f"{day} there were 404 people.") for day in ("On 30 June", "On 30 September")
    )

    assert statement_time.apart(june, september, asked)
    assert not statement_time.apart(september, read("There were 418 people."), asked)
    assert not statement_time.apart(june, september, "How many people do we employ?")


@pytest.mark.parametrize(
    ("question", "texts", "other"),
    [
        ("weight of the dr30", ["The DR35 weighs 2 kg."], True),
        ("weight of the DR-30", ["The DR30 weighs 2 kg, the DR35 3 kg."], False),
        ("weight of the DR30", ["It weighs 2 kg.", "Data", "DR35 data sheet"], True),
        ("weight of the DR30", ["The DR30 weighs 2 kg.", "", "DR35 data sheet"], False),
        ("revenue in Q3", ["Revenue in Q4 was 2."], False),
        ("weight of the pump", ["The DR35 weighs 2 kg."], False),
    ],
)
def test_another_code_is_another_thing(question: str, texts: list[str], *, other: bool) -> None:
    assert statement_time.of_another_code(question, *texts) is other
