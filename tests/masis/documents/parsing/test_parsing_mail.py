import datetime as dt
import io
from email.message import EmailMessage

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.documents.parsing import limits, refusals
from masis.documents.parsing.recognition.read_document import read_document
from masis.documents.parsing.sparing import DAMAGE
from masis.domain import ParsedDocument
from masis.errors import DocumentRefused


def message(subject: str = "Stock count", text: str | None = "Count the pumps.") -> EmailMessage:
    made = EmailMessage()
    made["Subject"] = subject
    made["From"] = "Jane Doe <jane@example.org>"
    made["To"] = "Bob <bob@example.org>, Eve <eve@example.org>"
    made["Date"] = "Fri, 03 May 2024 12:08:48 +0200"
    if text is not None:
        made.set_content(text)
    return made


def read(mail: EmailMessage | bytes, name: str = "mail.eml") -> ParsedDocument:
    return read_document(name, mail if isinstance(mail, bytes) else mail.as_bytes())


def shape(parsed: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in parsed.blocks]


def prices() -> bytes:
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Prices"
    for row in (["Code", "Price"], ["WH-060", 1995], ["WH-200", 3540]):
        book.worksheets[0].append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_an_email_gives_its_headers_as_text_and_its_date_as_metadata() -> None:
    parsed = read(message(text="Hello Bob,\n\ncount the\npumps.\n\n> On Monday\n> we had 74.\n"))
    assert (parsed.format, parsed.title, parsed.date) == (
        "eml",
        "Stock count",
        dt.date(2024, 5, 3),
    )
    assert shape(parsed) == [
        ("heading", "Stock count"),
        ("paragraph", "From: Jane Doe <jane@example.org>"),
        ("paragraph", "To: Bob <bob@example.org>, Eve <eve@example.org>"),
        ("paragraph", "Date: 2024-05-03 12:08+0200"),
        ("paragraph", "Hello Bob,"),
        ("paragraph", "count the pumps."),
        ("paragraph", "On Monday we had 74."),
    ]


def test_plain_text_is_preferred_to_html_unless_it_is_empty() -> None:
    mail = message(text="Said in plain words.")
    mail.add_alternative("<p>Said in <b>HTML</b>.</p>", subtype="html")
    assert shape(read(mail))[4:] == [("paragraph", "Said in plain words.")]
    mail = message(text=" \n")
    mail.add_alternative("<p>Said in <b>HTML</b>.</p><ul><li>one</li></ul>", subtype="html")
    assert shape(read(mail))[4:] == [("paragraph", "Said in HTML."), ("list_item", "one")]


def test_attachments_are_read_as_parts_under_their_names() -> None:
    mail = message()
    mail.add_attachment(prices(), maintype="application", subtype="octet-stream", filename="p.xlsx")
    mail.add_attachment("# Rules\n\nAsk first.", subtype="markdown", filename="rules.md")
    parsed = read(mail)
    assert shape(parsed)[5:] == [
        ("heading", "Attachment: p.xlsx"),
        ("heading", "Prices"),
        ("table_row", "Code: WH-060 | Price: 1995"),
        ("table_row", "Code: WH-200 | Price: 3540"),
        ("heading", "Attachment: rules.md"),
        ("heading", "Rules"),
        ("paragraph", "Ask first."),
    ]
    assert parsed.blocks[7].place.label() == "sheet Prices · A2:B2"
    levels = [block.level for block in parsed.blocks if block.kind == "heading"]
    assert levels == [1, 2, 3, 2, 3]
    assert parsed.notes == []


def test_an_attachment_that_cannot_be_read_is_named_with_the_reason() -> None:
    mail = message()
    mail.add_attachment(b"PK\x03\x04", maintype="application", subtype="zip", filename="a.zip")
    mail.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="b.pdf")
    parsed = read(mail)
    assert shape(parsed)[5:] == [
        ("paragraph", "Attachment: a.zip"),
        ("paragraph", "Attachment: b.pdf"),
    ]
    assert parsed.notes == [
        f"Attachment a.zip was not read: {refusals.BROKEN_ZIP}",
        f"Attachment b.pdf was not read: {refusals.DAMAGED}",
    ]


def test_what_is_attached_to_the_other_form_of_a_text_is_not_lost() -> None:
    mail = message()
    mail.add_alternative("<p>The same.</p>", subtype="html")
    page = mail.get_payload(1)
    assert isinstance(page, EmailMessage)
    page.add_attachment("the rules", filename="rules.txt")
    assert shape(read(mail))[4:] == [
        ("paragraph", "Count the pumps."),
        ("heading", "Attachment: rules.txt"),
        ("paragraph", "the rules"),
    ]


def test_messages_within_messages_are_opened_to_a_depth() -> None:
    mail = message("Innermost", "the bottom")
    for number in range(limits.MAIL_NESTING, 0, -1):
        outer = message(f"Level {number}", f"text {number}")
        outer.add_attachment(mail)
        mail = outer
    parsed = read(mail)
    said = [text for _, text in shape(parsed)]
    assert "text 3" in said
    assert "the bottom" not in said
    assert parsed.notes == [f"Attachment a message was not read: {refusals.TOO_DEEP}"]


def test_an_attached_file_that_is_an_email_is_bounded_too() -> None:
    mail = message("Innermost", "the bottom")
    for number in range(limits.MAIL_NESTING, 0, -1):
        outer = message(f"Level {number}", f"text {number}")
        outer.add_attachment(
            mail.as_bytes(), maintype="application", subtype="octet-stream", filename="m.eml"
        )
        mail = outer
    assert read(mail).notes == [f"Attachment m.eml was not read: {refusals.TOO_DEEP}"]


def test_attachments_beyond_the_limit_are_left_out_and_noted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "ATTACHMENTS", 2)
    mail = message()
    for number in range(4):
        mail.add_attachment(f"text {number}", filename=f"{number}.txt")
    parsed = read(mail)
    assert [text for _, text in shape(parsed) if text.startswith("text")] == ["text 0", "text 1"]
    assert parsed.notes == [refusals.TOO_MANY_ATTACHMENTS]


def test_the_cells_of_all_attachments_count_together(monkeypatch: pytest.MonkeyPatch) -> None:
    mail = message()
    for name in ("a.xlsx", "b.xlsx"):
        mail.add_attachment(prices(), maintype="application", subtype="octet-stream", filename=name)
    monkeypatch.setattr(limits, "CELLS", 10)
    with pytest.raises(DocumentRefused, match="cells"):
        read(mail)


@pytest.mark.parametrize(
    "charset", [b"no-such-charset", b"us-ascii", b"utf-8"], ids=["unknown", "wrong", "right"]
)
def test_a_text_is_read_whatever_encoding_its_header_states(charset: bytes) -> None:
    content = (
        b"From: a@b.c\nTo: d@e.f\nMIME-Version: 1.0\nContent-Type: text/plain; charset="
        + charset
        + b"\nContent-Transfer-Encoding: 8bit\n\n"
        + "Die schöne Straße führt über die Brücke.".encode()
    )
    assert shape(read(content))[-1] == ("paragraph", "Die schöne Straße führt über die Brücke.")


def test_an_email_is_known_by_its_headers_and_not_by_its_name() -> None:
    assert read(message(), "saved.txt").format == "eml"
    assert read(b"just words, no headers at all", "words.eml").format == "txt"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_email_is_read_or_refused(data: st.DataObject) -> None:
    mail = message()
    mail.add_attachment("text", filename="a.txt")
    content = bytearray(mail.as_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        assert read(bytes(content)).blocks
    except (DocumentRefused, *DAMAGE):
        pass
