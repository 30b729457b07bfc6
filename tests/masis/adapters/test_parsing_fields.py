"""What documents say about themselves, as free fields."""

import io
from email.message import EmailMessage

import docx
import pptx

from masis.adapters.parsing.reading import read_document


def test_front_matter_gives_fields_beside_title_and_date() -> None:
    text = (
        b'---\ntitle: Leave\ndate: 2026-01-01\nowner: "Finance Team"\nCost-Center: 4711\n'
        b"in: nothing\nstatus:\n---\n# Leave\n\nIt is 26 days.\n"
    )
    found = read_document("leave.md", text)
    assert found.fields == {"owner": "Finance Team", "cost-center": "4711"}
    assert (found.title, str(found.date)) == ("Leave", "2026-01-01")


def test_a_value_that_stands_on_further_lines_is_not_its_sign() -> None:
    text = (
        b"---\ntitle: >\n  Annual leave\nabout: |-\n  All of it\n---\n# Leave\n\nIt is 26 days.\n"
    )
    found = read_document("leave.md", text)
    assert (found.title, found.fields) == ("Leave", {})


def test_text_between_lines_is_no_field() -> None:
    assert read_document("leave.md", b"# Leave\n\nowner: nobody\n\nIt is 26 days.\n").fields == {}


def test_an_email_has_those_of_its_head() -> None:
    message = EmailMessage()
    message["From"], message["To"] = "Jane Doe <jane@example.com>", "ops@example.com"
    message["Subject"] = "Pump \u202eorder"
    message.set_content("The pump comes on Monday, as it was ordered last week.")
    found = read_document("order.eml", message.as_bytes())
    assert found.fields == {
        "from": "Jane Doe <jane@example.com>",
        "to": "ops@example.com",
        "subject": "Pump order",
    }


def test_office_files_have_their_properties_unless_a_library_left_them_there() -> None:
    text, file = docx.Document(), io.BytesIO()
    text.add_paragraph("Annual leave is 26 days a year for everybody.")
    text.core_properties.category = "Policy"
    text.save(file)
    assert read_document("leave.docx", file.getvalue()).fields == {"category": "Policy"}
    deck, file = pptx.Presentation(), io.BytesIO()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Annual leave is 26 days"
    deck.core_properties.author, deck.core_properties.keywords = "Jane Doe", "leave; days"
    deck.save(file)
    found = read_document("leave.pptx", file.getvalue())
    assert found.fields == {"author": "Jane Doe", "keywords": "leave; days"}
