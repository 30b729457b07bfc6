import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.text import facts
from tests.examples import examples


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,200", [1200]),
        ("1200.50 euros", [1200.5]),
        ("1.2 thousand", [1200]),
        ("$3.5 million", [3.5e6]),
        ("€3.5m", [3.5e6]),
        ("4bn and 7k", [4e9, 7e3]),
        ("1\u202f200\u00a0000", [1_200_000]),
        ("3,5 per cent", [3.5]),
        ("12 % and 12%", [12, 12]),
        ("the 3rd of twenty-one", [3, 21]),
        ("twenty five machines", [25]),
        ("two hundred", [200]),
        ("three-year", [3]),
        ("a first dozen", [1, 12]),
        ("30GB", [30]),
        ("(5)", [5]),
        ("-5", [5]),
        ("none", []),
        ("bone", []),
    ],
)
def test_figures_are_read_by_value(text: str, values: list[float]) -> None:
    assert [figure.value for figure in facts.facts(text).figures] == values


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("5 March 2024", (2024, 3, 5)),
        ("5th of March, 2024", (2024, 3, 5)),
        ("March 5, 2024", (2024, 3, 5)),
        ("Mar. 5", (None, 3, 5)),
        ("March 2024", (2024, 3, None)),
        ("2024-03-05", (2024, 3, 5)),
        ("05.03.2024", (2024, 3, 5)),
        ("5/3/2024", (2024, 3, 5)),
        ("12/31/2024", (2024, 12, 31)),
        ("1 May", (None, 5, 1)),
    ],
)
def test_date_formats_are_all_read(text: str, date: tuple[int | None, int, int | None]) -> None:
    """Dates are read however they are written."""
    found = facts.facts(f"It was {text}, they say.")
    assert [(day.year, day.month, day.day) for day in found.dates] == [date]
    assert found.figures == []


@pytest.mark.parametrize("text", ["Option 2 may be used", "45 March", "99/99/2024", "march on"])
def test_other_words_are_no_dates(text: str) -> None:
    assert facts.facts(text).dates == []


@pytest.mark.parametrize(
    ("text", "minute"),
    [("5 p.m.", 300), ("17:00", 300), ("5:00", 300), ("9.30am", 570), ("12:15", 15)],
)
def test_times_compare_within_half_day(text: str, minute: int) -> None:
    """Times are compared within half a day."""
    assert [time.minute for time in facts.facts(f"At {text} it opens").times] == [minute]


def test_codes_are_kept_whole() -> None:
    text = "Use v2.1.3 of A-113, GPT-4o and FY2022 for Q3."
    assert facts.facts(text).codes == ["v2.1.3", "A-113", "GPT-4o", "FY2022", "Q3"]


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("The office in Oslo belongs to Acme Inc.", ["Oslo", "Acme", "Inc"]),
        ("Employees get leave. Managers decide.", []),
        ("Anna Berg leads the team.", ["Anna", "Berg"]),
        ("However Anna leads.", ["Anna"]),
        ("NASA flew on Monday.", ["NASA", "Monday"]),
        ("Name: Lamp | Price: 5", []),
        ("It ended in March 2024 with GPT-4.", []),
        ("- **Travel** is paid", []),
    ],
)
def test_names_are_capitals_inside_a_sentence(sentence: str, names: list[str]) -> None:
    assert list(facts.names(sentence)) == names


def test_runs_of_capitals_have_initials() -> None:
    found = list(facts.runs("The Bank of New York paid. Our Chief Executive Officer left"))
    assert [facts.initials(run) for run in found] == ["TBNY", "OCEO"]


LONG_S = "\u017f"  # patterns without case take it for an s
PIECES = st.sampled_from(
    [
        *(
            "1",
            "23",
            "2024",
            "999999999999999999999999999999999999.5",
            ",",
            ".",
            "-",
            "/",
            ":",
            " ",
        ),
        *("%", "$", "a.m.", "PM", "May", "Sept", f"{LONG_S}ept", f"{LONG_S}ix", "k", "\u212a"),
        *("million", f"thou{LONG_S}and", "th", "of", "Q3", "FY2022", "A-1", "\u202f", "\n", "Name"),
    ]
)


@given(st.lists(PIECES | st.characters(), max_size=30).map("".join))
@settings(max_examples=examples(300), deadline=None)
def test_no_text_breaks_the_reading(text: str) -> None:
    found = facts.facts(text)
    assert all(figure.value >= 0 for figure in found.figures)
    assert all(1 <= date.month <= 12 for date in found.dates)
    assert all(name in text for name in facts.names(text))
