"""Which date a document has, on documents made for it."""

import datetime as dt
import io
from collections.abc import Sequence

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from masis.documents.parsing.dates import parse_period
from masis.documents.parsing.recognition.dating import (
    byline_date,
    dated,
    fiscal_end,
    stated_date,
    titled_date,
)
from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import Block
from tests.masis.documents.parsing.test_parsing_formats import pdf

DAY = dt.date


def lines(*texts: str) -> list[Block]:
    return [Block(kind="paragraph", text=text) for text in texts]


def rows(*texts: str) -> list[Block]:
    return [Block(kind="table_row", text=text) for text in texts]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("July – September 2023", DAY(2023, 9, 30)),
        ("1 July - 30 September 2023", DAY(2023, 9, 30)),
        ("July 1, 2023 to September 30, 2023", DAY(2023, 9, 30)),
        ("2023-07-01 – 2023-09-30", DAY(2023, 9, 30)),
        ("Q3 2023", DAY(2023, 9, 30)),
        ("Q3 FY2023", DAY(2023, 9, 30)),
        ("2026 Q2", DAY(2026, 6, 30)),
        ("H1 2026", DAY(2026, 6, 30)),
        ("second half of 2025", DAY(2025, 12, 31)),
        ("third quarter, fiscal year 2024", DAY(2024, 9, 30)),
        ("February 2024", DAY(2024, 2, 29)),
        ("2026-06", DAY(2026, 6, 30)),
        ("FY 2023", DAY(2023, 12, 31)),
        ("30 June 2024", DAY(2024, 6, 30)),
        ("2024–2026", None),
        ("2026-27", None),
        ("Q5 2023", None),
        ("H3 2023", None),
        ("1234 Main Street", None),
        ("May contain nuts", None),
    ],
)
def test_the_end_of_a_period(text: str, end: dt.date | None) -> None:
    period = parse_period(text)
    assert (period and period.end) == end


@pytest.mark.parametrize(
    ("texts", "date"),
    [
        (["Page reviewed 14 January 2026"], DAY(2026, 1, 14)),
        (["Period: July – September 2023"], DAY(2023, 9, 30)),
        (["Period: Q3 2023", "Published: 14 November 2023"], DAY(2023, 9, 30)),
        (["For the quarterly period ended September 30, 2023"], DAY(2023, 9, 30)),
        (["Accounts for the year ended 31 March 2025"], None),
        (["For the fiscal year ended June 30, 2024 of the Company"], DAY(2024, 6, 30)),
        (["Valid from 1 March 2026", "Printed on 2 May 2026"], DAY(2026, 3, 1)),
        (["Printed on 2 May 2026", "Effective 1 March 2026"], DAY(2026, 3, 1)),
        (["Effective from 1 March 2020", "Last updated: 5 May 2026"], DAY(2026, 5, 5)),
        (["Last updated: 5 February 2026", "Effective from 1 March 2026"], DAY(2026, 3, 1)),
        (["Last updated 5 May 2026 · Approved 1 May 2026"], DAY(2026, 5, 5)),
        (["Version 3, March 2026"], DAY(2026, 3, 1)),
        (["Version 2.1 of 4 April 2026"], DAY(2026, 4, 4)),
        (["Status as of 30 June 2026"], None),
        (["As of 30 June 2026"], DAY(2026, 6, 30)),
        (["As of October 20, 2023, there were 15,552,752,000 shares outstanding."], None),
        (["This policy is effective from 1 March 2026 and holds for all."], DAY(2026, 3, 1)),
        (["This agreement is made on 18 March 2024 between A and B."], DAY(2024, 3, 18)),
        (["10 September 2026, version 3, class Internal"], DAY(2026, 9, 10)),
        (["May 5, 2023 To Whom it May Concern: we write to you."], DAY(2023, 5, 5)),
        (["May 5, 2023 was a Friday on which nothing happened at all."], None),
        (["In 2024 the office moved.", "It moved on 3 May 2024."], None),
    ],
)
def test_what_a_text_states(texts: list[str], date: dt.date | None) -> None:
    assert stated_date(lines(*texts)) == date


@pytest.mark.parametrize(
    "text",
    [
        "This policy replaces the Travel Policy, dated 3 May 2023.",
        "Supersedes: Returns Procedure (effective 15 May 2023)",
        "Former version: 2, published 1 May 2020",
        "See the Expenses Policy (last updated 4 April 2024)",
        "Next review, valid from 1 May 2027",
        "Date of birth: 3 May 1980",
        "Valid until 31 December 2026",
        f"{'The committee looked at the plant in March. ' * 4}Its report, dated 3 May 2023, is long.",
    ],
)
def test_another_documents_date_is_not_taken(text: str) -> None:
    assert stated_date(lines(text)) is None


def test_version_history_gives_no_date() -> None:
    """A history of versions is not its date."""
    begins = lines("The rules for travel.")
    history = [Block(kind="heading", text="2. Version history", level=2)]
    told = lines("Effective 1 May 2020: first version", "Updated 3 June 2021: rates")
    assert stated_date([*begins, *history, *told]) is None


def test_date_deep_in_text_is_ignored() -> None:
    """A date deep inside is not taken."""
    deep = [*lines(*["Nothing of note is said here."] * 12), *lines("Effective 1 May 2020")]
    assert stated_date(deep) is None


def test_only_particulars_tables_give_dates() -> None:
    """Particulars in tables are read data not."""
    particulars = rows("Owner | HR", "Effective date | 1 March 2026", "Version | 3")
    assert stated_date(particulars) == DAY(2026, 3, 1)
    data = rows("Date: 1 May 2024 | Item: Cycle begins", "Date: 3 June 2024 | Item: Cycle ends")
    assert stated_date(data) is None


MARCH = DAY(2026, 3, 10)


@pytest.mark.parametrize(
    ("title", "name", "own", "date"),
    [
        ("Annual report 2024", "x.pdf", None, DAY(2024, 12, 31)),
        ("Travel policy 2025", "x.pdf", None, DAY(2025, 1, 1)),
        ("Travel policy 2026", "x.pdf", MARCH, None),
        ("Board pack, second quarter 2025", "x.pptx", MARCH, DAY(2025, 6, 30)),
        ("Board pack", "board-pack-2025-Q2.pptx", MARCH, DAY(2025, 6, 30)),
        ("Minutes", "2025-09-17-board-minutes.docx", MARCH, DAY(2025, 9, 17)),
        ("Minutes of 17 September 2025", "minutes.docx", MARCH, DAY(2025, 9, 17)),
        ("Stock count 2025 06", "stock-count-2025-06.txt", None, DAY(2025, 6, 1)),
        ("Monthly report", "monthly_report_june2025.pdf", None, DAY(2025, 6, 30)),
        ("Figures 2024–2026", "figures-2024-2026.xlsx", MARCH, None),
        ("Sales forecast 2027", "forecast.xlsx", MARCH, None),
        ("Capital budget 2025", "budget.xlsx", MARCH, None),
        ("Results for the fourth quarter 2026", "q4.pdf", MARCH, None),
        ("Rates of 2023 and 2024", "rates.md", None, None),
        ("Handbook", "handbook-v2.docx", MARCH, None),
        ("1999 Main Street", "letter.md", DAY(1999, 5, 1), None),
    ],
)
def test_what_a_title_gives(
    title: str, name: str, own: dt.date | None, date: dt.date | None
) -> None:
    assert titled_date(title, name, own) == date


@pytest.mark.parametrize(
    ("line", "date"),
    [
        ("Mill School, 24 June 2025", DAY(2025, 6, 24)),
        ("Data sheet, issue 5, March 2025.", DAY(2025, 3, 1)),
        ("Hull, 20 November 2025. The works grew again, in every country.", DAY(2025, 11, 20)),
        ("For new starters · January 2026", DAY(2026, 1, 1)),
        ("Board of the mill – 3 May 2024", DAY(2024, 5, 3)),
        ("The trip is on Friday, 9 October 2025", None),
        ("Open morning: Saturday, 14 November 2025", None),
        ("Replaces issue 4, March 2024.", None),
        ("Summer party, 12 July 2025", None),
        ("Mill School, 24 June 2031", None),
        ("In the hall, as agreed, 40 chairs", None),
    ],
)
def test_line_below_title_may_hold_date(line: str, date: dt.date | None) -> None:
    """A line below the title may hold the date."""
    assert byline_date(lines("Welcome to all", line), MARCH) == date


def test_late_or_tabular_byline_is_ignored() -> None:
    """A byline far down or among data is none."""
    far = lines("Welcome", "One.", "Two.", "Three.", "Mill School, 24 June 2025")
    assert byline_date(far, MARCH) is None
    assert byline_date([*lines("Welcome"), *rows("Mill School, 24 June 2025")], MARCH) is None


@pytest.mark.parametrize(
    ("text", "title", "date"),
    [
        ("Year from 1 October 2023 to 30 September 2024.", "Report FY2024", DAY(2024, 9, 30)),
        ("Our fiscal year ends on 31 March.", "Report FY2025", DAY(2025, 3, 31)),
        ("Our fiscal year ends on 30 September.", "Q3 FY2025 report", DAY(2025, 6, 30)),
        ("The financial year runs from July to June 30.", "Q1 FY2025 report", DAY(2024, 9, 30)),
        ("Our fiscal year ends on 30 September.", "Report 2024", DAY(2024, 12, 31)),
        ("The year was fine.", "Report FY2024", DAY(2024, 12, 31)),
    ],
)
def test_fiscal_year_end_follows_document(text: str, title: str, date: dt.date) -> None:
    """A fiscal year ends when the document says."""
    blocks = lines(title, "Mill plc.", text)
    assert dated(blocks, title, "x.pdf", MARCH, is_authored=False) == (date, "title")


def test_invalid_fiscal_year_end_is_none() -> None:
    """No month is no end of a fiscal year."""
    assert fiscal_end(lines("The fiscal year ends on a high note.")) is None
    assert fiscal_end(lines("The fiscal year ends on 29 February.")) is None


def word(texts: Sequence[str], own: dt.datetime) -> bytes:
    document = docx.Document()
    document.core_properties.modified = own
    for text in texts:
        document.add_paragraph(text)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


LONG_AGO = dt.datetime(2020, 2, 3, tzinfo=dt.UTC)


def test_where_the_date_stands_is_kept() -> None:
    """In four formats: text before title, title before what the file notes of itself."""
    plain = "The rules for everybody who travels."
    found = {
        name: (document.date, document.date_source)
        for name, content in {
            "policy.md": b"# Travel\n\nEffective from 1 March 2026\n\n" + plain.encode(),
            "front.md": b"---\ndate: 2025-04-05\n---\n# Travel\n\n" + plain.encode(),
            "results-2019-Q4.docx": word([plain], LONG_AGO),
            "stated.docx": word(["Effective from 1 March 2026", plain], LONG_AGO),
            "rules.docx": word([plain], LONG_AGO),
            "report.pdf": pdf([[("Period: July - September 2023", 11, 60, 700)]]),
            "page.html": b"<h1>Rules</h1><p>Last updated: 3 May 2024</p><p>Read on.</p>",
            "noted.html": b'<meta name="last-modified" content="2024-05-03"><p>Read on now.</p>',
            "none.txt": plain.encode(),
        }.items()
        if (document := read_document(name, content))
    }
    assert found == {
        "policy.md": (DAY(2026, 3, 1), "text"),
        "front.md": (DAY(2025, 4, 5), "text"),
        "results-2019-Q4.docx": (DAY(2019, 12, 31), "title"),
        "stated.docx": (DAY(2026, 3, 1), "text"),
        "rules.docx": (DAY(2020, 2, 3), "file"),
        "report.pdf": (DAY(2023, 9, 30), "text"),
        "page.html": (DAY(2024, 5, 3), "text"),
        "noted.html": (DAY(2024, 5, 3), "file"),
        "none.txt": (None, None),
    }


@given(st.text(max_size=300), st.text(max_size=80))
def test_any_text_has_date_or_none(text: str, name: str) -> None:
    """Any text has a date or none."""
    stated_date(lines(text))
    titled_date(text, name, None, (9, 30))
    byline_date(lines(name, text), None)
    fiscal_end(lines(text))
