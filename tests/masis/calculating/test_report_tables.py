"""Tables as quarterly reports write them: stretches that end on a day, sections, shares, costs of what is asked."""

import pytest

from masis.calculating.asked_calculation import wanted
from masis.calculating.calculation import Incomparable, calculate, stated
from masis.calculating.figure_pool import table_figures
from masis.calculating.figures import tables
from masis.calculating.operands import operands
from masis.domain import EvidenceChunk, Figure

KILN = (
    "Glaze sales | Three Months Ended October 29, 2023: $14,514 | Three Months Ended October 30, 2022: $3,833"
    " | Nine Months Ended October 29, 2023: $29,121"
)
AREAS = """North
Net sales | Q3 2023: $87,887 | Q3 2022: $78,843
Abroad
Net sales | Q3 2023: $32,137 | Q3 2022: $27,720
Studio
Net sales | Q3 2023: $23,059 | Q3 2022: $20,538"""
SHARES = """Revenue | Q3 2023: 100.0 % | Q3 2022: 100.0 %
Gross profit | Q3 2023: 74.0 | Q3 2022: 53.6
Operating income | Q3 2023: 57.5 % | Q3 2022: 10.2 %"""


def passage(text: str, document: str = "kiln.pdf", at: int = 0) -> EvidenceChunk:
    return EvidenceChunk(
        chunk_id=f"c_{document}{at}", document_id=document, version_id=document, document=document,
        title="", text=text, position=at, score=0.8,
    )  # fmt: skip


def result(question: str, *passages: EvidenceChunk) -> tuple[str, bool]:
    """What comes of a question, and whether it is sure."""
    meant = wanted(question)
    assert meant is not None
    found = operands(meant, passages)
    if found is None or not found.groups:
        return "nothing", False
    done = calculate(found.kind or meant.kind, found.groups[0].figures)  # type: ignore[arg-type]
    return (done.reason if isinstance(done, Incomparable) else stated(done)), found.is_sure


def figures(text: str, document: str = "kiln.pdf") -> list[Figure]:
    return [each for table in tables([passage(text, document)]) for each in table_figures(table)]


@pytest.mark.parametrize(
    ("document", "beside", "named"),
    [
        ("2023_Q3_kiln.pdf", "", [("quarter", 2023), ("quarter", 2022), ("nine_months", 2023)]),
        ("2023_Q3_kiln.pdf", "It rose in the third quarter of fiscal year 2024.", [("quarter", 2024), ("quarter", 2023), ("nine_months", 2024)]),
        ("2023_Q3_kiln.pdf", "It rose in the third quarter of fiscal year 2024. The third quarter of fiscal year 2025 looks good.", [("quarter", 2024), ("quarter", 2023), ("nine_months", 2024)]),
        ("2023_Q3_kiln.pdf", "The fourth quarter of fiscal year 2024 looks good.", [("quarter", 2023), ("quarter", 2022), ("nine_months", 2023)]),
        ("kiln.pdf", "", [("day", 2023), ("day", 2022), ("day", 2023)]),
    ],
)  # fmt: skip
def test_stretches_are_called_by_their_report(
    document: str, beside: str, named: list[tuple[str, int]]
) -> None:
    """A report's own name says which quarter it is, in the fiscal year of its text."""
    found = figures(f"{beside}\n\n{KILN}", document=document)

    assert [(each.period.kind, each.period.year) for each in found if each.period] == named


def test_calendar_quarters_need_no_name() -> None:
    found = figures("Glaze | Three Months Ended July 1, 2023: 5 | Six Months Ended July 1, 2023: 9")

    assert [(each.period.kind, each.period.part) for each in found if each.period] == [("quarter", 2), ("half", 1)]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("difference of glaze sales in the three months ended october 29, 2023 against the three months ended october 30, 2022", "+$10,681"),
        ("how much did glaze sales grow from q3 2022 to q3 2023 in %", "+278.7 %"),
        ("difference in glaze sales, q3 2023 against the first nine months of 2023", "not comparable"),
    ],
)  # fmt: skip
def test_quarters_and_nine_months_stay_apart(question: str, said: str) -> None:
    shown, _ = result(question, passage(KILN, "2023_Q3_kiln.pdf"))

    assert said in shown


PUMPS = (
    "Pumps | Three months ended 31 December 2023: £40 | Three months ended 31 December 2022: £52"
)
SEPTEMBER = "Net sales | Three Months Ended September 30, 2023: $143,083 | Three Months Ended September 30, 2022: $127,101"


@pytest.mark.parametrize(
    ("document", "beside", "named"),
    [
        ("Q4 2023.pdf", "", ("quarter", 2023, 4)),
        ("pack.pdf", "", ("quarter", 2023, 4)),
        ("Q1 2024 board pack.pdf", "", ("day", 2023, 12)),
        ("Q1 2024 board pack.pdf", "The first quarter of 2024 looks good.", ("day", 2023, 12)),
        ("Q1 2024.pdf", "Fiscal years end in September. The first quarter of 2024 was good.", ("quarter", 2024, 1)),
        ("Q3 2024.pdf", "Fiscal years end in March. The third quarter and first nine months of 2024 were good.", ("quarter", 2024, 3)),
    ],
)  # fmt: skip
def test_titles_alone_rename_no_calendar_quarter(
    document: str, beside: str, named: tuple[str, int, int]
) -> None:
    """A title's quarter may be the one that is looked out on: it is believed where the text says so too."""
    found = figures(f"{beside}\n\n{PUMPS}", document)[0].period

    assert found is not None
    assert (found.kind, found.year, found.part) == named


def test_earlier_quarters_beside_keep_their_names() -> None:
    text = "Pumps | Three months ended 30 June 2026: £40 | Three months ended 31 March 2026: £52"
    shown, _ = result("pumps q2 2026 vs q1 2026 difference", passage(text, "Q2 2026 report.md"))

    assert shown.startswith("−£12")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("growth of net sales q1 2023 to q1 2024 in %", "nothing"),
        ("growth of net sales q3 2022 to q3 2023 in %", "+12.6 %"),
    ],
)
def test_fiscal_quarters_rename_no_other_company(question: str, said: str) -> None:
    """One company's first quarter ends on the day of another's third."""
    cloud = SEPTEMBER.replace("Net sales", "Cloud revenue")
    fiscal = passage(f"In the first quarter of fiscal year 2024 it grew.\n\n{cloud}", "2024_Q1_b.pdf")  # fmt: skip
    shown, _ = result(question, passage(SEPTEMBER, "2023_Q3_a.pdf"), fiscal)

    assert shown.startswith(said)


def test_days_of_two_quarters_name_none() -> None:
    """Where the companies call a stretch differently, a question after its day is answered for neither by guess."""
    fiscal = passage(f"In the first quarter of fiscal year 2024 it grew.\n\n{SEPTEMBER}", "2024_Q1_b.pdf")  # fmt: skip
    later = SEPTEMBER.replace("September 30, 2023", "March 31, 2024").replace("September 30, 2022", "March 31, 2023")  # fmt: skip
    shown, _ = result(
        "growth of net sales three months ended september 30, 2022 to three months ended september 30, 2023",
        passage(later.replace("143,083", "150,000"), "2024_Q1_a.pdf"), passage(SEPTEMBER, "2023_Q3_a.pdf"), fiscal,
    )  # fmt: skip

    assert "150,000" not in shown


SPANS = "Pumps | Six months {0} 30 June 2026: £40 | Six months {0} 30 June 2025: £52 | Three months {0} 30 June 2026: £22 | Three months {0} 30 June 2025: £20"


@pytest.mark.parametrize("headed", ["to", "ended"])
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("difference in pumps three months to 30 june 2026 vs three months to 30 june 2025", "+£2"),
        ("how much did pumps change in the quarter to 30 june 2026", "+£2"),
        ("difference in pumps h1 2026 vs h1 2025", "−£12"),
        ("difference in pumps three months to 30 june 2026 vs six months to 30 june 2025", "a quarter and a half-year are not comparable"),
    ],
)  # fmt: skip
def test_stretches_are_read_with_either_word(headed: str, question: str, said: str) -> None:
    """Reports and people write "to" or "ended"."""
    assert result(question, passage(SPANS.format(headed)))[0].startswith(said)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("difference in pumps 31 december 2023 vs 31 december 2022", "−£12"),
        ("difference in cash 31 december 2023 vs 31 december 2022", "+£3"),
    ],
)
def test_days_alone_are_the_only_stretch(question: str, said: str) -> None:
    """A day is the stretch that ended on it, where no figure is as of the day itself."""
    cash = "Cash | 31 December 2023: £9 | 31 December 2022: £6"

    assert result(question, passage(PUMPS), passage(cash, "cash.pdf"))[0].startswith(said)


@pytest.mark.parametrize(
    "header",
    [
        "FY 2025 (year ended 31 March)",
        "2025 (year ended 31 December 2025)",
        "Nine Months Ended October 29, 2023",
    ],
)
def test_columns_are_quoted_as_written(header: str) -> None:
    """A proof has the document's own words, whatever a column is called within."""
    found = figures(f"Pumps | {header}: £52 | Note: none", "2023_Q3_a.pdf")[0]

    assert found.said == f"Pumps – {header}: £52"
    assert (found.place.cells or "").endswith(f"column “{header}”")
    assert found.metric.strip(" ()") in {"", "Pumps"}


def test_one_day_has_one_name() -> None:
    """Two reports that would call one stretch differently call it as the one whose text speaks of it."""
    spoken = passage(f"In the third quarter of fiscal year 2024 it rose.\n\n{KILN}", "2023_Q3_a.pdf")  # fmt: skip
    older = passage("Glaze | Three Months Ended October 30, 2022: $3,833", "2022_Q3_b.pdf")
    named = {
        each.period
        for table in tables([spoken, older])
        for each in table_figures(table)
        if "October 30, 2022" in each.said
    }

    assert len(named) == 1


def test_sections_tell_rows_apart() -> None:
    """Rows of one name are told apart by what stands above them."""
    shown, is_sure = result("growth of studio net sales q3 2023 vs q3 2022 in %", passage(AREAS))

    assert shown.startswith("+12.3 %")
    assert is_sure
    assert [each.section for each in figures(AREAS)][::2] == ["North", "Abroad", "Studio"]


def test_rows_below_all_sections_are_of_none() -> None:
    """A total, and what stands in one section alone, is not said to be of the last one."""
    text = f"{AREAS}\nTotal net sales | Q3 2023: $143,083 | Q3 2022: $127,101\nOperating costs | Q3 2023: $120 | Q3 2022: $110"
    shown, _ = result("what share of total net sales was studio in q3 2023", passage(text))

    assert [each.section for each in figures(text)][6:] == [""] * 4
    assert "$87,887" not in shown


def test_sections_go_on_in_the_next_passage() -> None:
    first, second = AREAS.split("Net sales | Q3 2023: $23,059")
    passages = [passage(first.rstrip()), passage(f"Net sales | Q3 2023: $23,059{second}", at=1)]
    found = [each for table in tables(passages) for each in table_figures(table)]

    assert {each.section for each in found if each.value == 23059} == {"Studio"}


def test_shares_of_a_whole_are_percent() -> None:
    """Between "100.0 %" and the last row in percent bare figures are in percent too."""
    text = f"{SHARES}\nUnits | Q3 2023: 12 | Q3 2022: 11"

    assert [each.unit for each in figures(text)] == ["%"] * 6 + ["", ""]
    assert [each.of_whole for each in figures(text)] == [True] * 6 + [False] * 2


def test_shares_go_on_below_their_sections() -> None:
    """The costs of a table of shares stand under a line of their own."""
    text = SHARES.replace(
        "Operating income",
        "Operating expenses\nResearch | Q3 2023: 12.7 | Q3 2022: 32.8\nOperating income",
    )

    assert [each.unit for each in figures(text)] == ["%"] * 8


@pytest.mark.parametrize(
    "text",
    [
        "On-time delivery | 2025: 100 % | 2024: 100 %\nComplaints | 2025: 4 | 2024: 9",
        "On-time delivery | 2025: 100 % | 2024: 100 %\nComplaints | 2025: 4 | 2024: 9\nSatisfaction | 2025: 91 % | 2024: 88 %",
        "On-time delivery | 2025: 100.0 % | 2024: 100.0 %\nComplaints | 2025: 4 | 2024: 9\nSatisfaction | 2025: 91.0 % | 2024: 88.0 %",
        "Customer satisfaction in percent\nScore | 2025: 91 % | 2024: 88 %\nComplaints | 2025: 4 | 2024: 9",
    ],
    ids=["not closed", "counts between rates", "other decimals", "counts below a rate"],
)  # fmt: skip
def test_counts_below_a_rate_are_counts(text: str) -> None:
    """A rate that happens to be 100 % makes no table of shares."""
    shown, is_sure = result("difference in complaints 2025 vs 2024", passage(text))

    assert (shown.partition(" = ")[0], is_sure) == ("−5", True)


def test_written_percentages_are_no_shares() -> None:
    """A rate that is written as one is what is asked for by its name, and not a count beside it."""
    text = "Churn | 2024: 5 % | 2025: 3 %\nChurned customers | 2024: 50 | 2025: 33"
    shown, is_sure = result("difference in churn 2025 vs 2024", passage(text))

    assert shown.startswith("−2.0 percentage points")
    assert is_sure


def test_shares_are_no_amounts() -> None:
    """A share where an amount is asked for is no sure one, and no money."""
    shown, is_sure = result("how much higher was operating income in q3 2023 than in q3 2022", passage(SHARES))  # fmt: skip

    assert "percentage points" in shown
    assert not is_sure


def test_costs_of_sales_are_no_sales() -> None:
    """What goes off sales is not taken for them, unless it is asked for."""
    text = "Service | Q3 2026: £1,801k\nCost of sales | Q3 2026: £3,806k\nTotal sales | Q3 2026: £6,573k"
    of_sales, _ = result("what share of sales was service in q3 2026", passage(text))
    of_cost, _ = result("difference between cost of sales and service in q3 2026 in pounds", passage(text))  # fmt: skip

    assert of_sales.startswith("27.4 %")
    assert "3,806" in of_cost


COSTS = """Cost of energy | 2024: £40,000 | 2025: £52,000
Cost of rent | 2024: £80,000 | 2025: £82,000
Cost of living allowance | 2024: £500 | 2025: £650"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("difference between energy and rent in 2025 in pounds", "−£30,000"),
        ("growth in energy expenses 2024 to 2025", "+30.0 %"),
        ("difference in the living allowance 2025 vs 2024", "+£150"),
        ("difference in what we paid for energy 2025 vs 2024", "+£12,000"),
    ],
)
def test_costs_of_what_is_bought_are_meant(question: str, said: str) -> None:
    """Where a row of costs is all there is of a thing, it is what is asked for."""
    shown, is_sure = result(question, passage(COSTS))

    assert shown.startswith(said)
    assert is_sure


def test_costs_of_sales_alone_are_no_sales() -> None:
    text = "Service | Q3 2026: £1,801k\nCost of sales | Q3 2026: £3,806k"

    assert result("what share of sales was service in q3 2026", passage(text))[0] == "nothing"


def test_sentences_that_begin_with_costs_count() -> None:
    text = "Returns from customers fell and total sales were £900k in 2025.\n\nPump sales were £300k in 2025."
    shown, _ = result("what share of total sales were pump sales in 2025", passage(text))

    assert shown.startswith("33.3 %")


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("by how much did revenue grow from 2022 to 2023, in dollars", "difference"),
        ("by how many percent did sales in euros grow from 2024 to 2025", "growth"),
        ("growth in money market funds from 2023 to 2024 in percent", "growth"),
        ("what was the value added per head in 2025", "per_unit"),
        ("how much did pumps change in the quarter to 30 june 2026", "difference"),
    ],
)
def test_kinds_are_told_by_what_is_said(question: str, kind: str) -> None:
    """Growth in dollars is an amount, unless percent is said; an added value is no sum."""
    meant = wanted(question)

    assert meant is not None
    assert meant.kind == kind


@pytest.mark.parametrize(
    "question",
    [
        "difference between value date and booking date",
        "what's the difference between core values and company values",
        "has the handbook changed since the year ended 31 march 2025",
        "did anything change in the year ended 31 december 2025 for holiday rules",
    ],
)
def test_words_that_differ_are_no_calculation(question: str) -> None:
    assert wanted(question) is None


def test_all_of_them_may_be_chosen_from() -> None:
    """Who asks for one of all asks for one, and who has all listed for all."""
    tops = [
        meant.top
        for rest in ("of all of them from 2024 to 2025", "from 2024 to 2025, list them all")
        if (meant := wanted(f"which line grew fastest {rest}"))
    ]

    assert tops[0] == 1
    assert tops[1] > 1


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("£250k", ("25.0 %", True)),
        ("-£250k", ("-25.0 %", False)),
        ("£66,822k", ("nothing", False)),
    ],
)
def test_shares_that_are_none_are_doubted(part: str, expected: tuple[str, bool]) -> None:
    """A share below nothing is no sure one, and one above all is of another whole."""
    text = f"Glaze | 2025: {part}\nTotal revenue | 2025: £1,000k"
    shown, is_sure = result("what share of total revenue was glaze in 2025", passage(text))

    assert shown.startswith(expected[0])
    assert is_sure == expected[1]


def test_margins_of_losses_are_sure() -> None:
    text = "Revenue | 2025: £1,000k\nOperating income | 2025: (£250k)"

    assert result("what was the operating margin in percent in 2025", passage(text))[1]


def test_margins_far_from_any_are_none() -> None:
    text = "Revenue | 2025: £131k\nCost of sales | 2025: £66,822k"

    assert result("what was the gross margin in percent in 2025", passage(text))[0] == "nothing"


def test_changes_are_no_amounts() -> None:
    """By how much something changed is not how much it is."""
    text = "Exchange rates reduced glaze costs by $182 million in 2025.\n\nTotal costs were $900 million in 2025."  # fmt: skip

    assert result("what share of total costs was glaze in 2025", passage(text))[0] == "nothing"
