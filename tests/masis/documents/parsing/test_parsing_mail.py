import datetime as dt
import io
from email.message import EmailMessage

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.documents.parsing import document_limits, refusals
from masis.documents.parsing.recognition.read_document import read_document
from masis.documents.parsing.sparing import DAMAGE
from masis.domain import ParsedDocument
from masis.errors import DocumentRefused
from tests.examples import examples


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


def test_email_headers_give_text_and_date() -> None:
    """An email gives its headers as text and its date as metadata."""
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


def test_plain_text_is_preferred_to_html() -> None:
    """Plain text is preferred to html unless it is empty."""
    mail = message(text="Said in plain words.")
    mail.add_alternative("<p>Said in <b>HTML</b>.</p>", subtype="html")
    assert shape(read(mail))[4:] == [("paragraph", "Said in plain words.")]
    mail = message(text=" \n")
    mail.add_alternative("<p>Said in <b>HTML</b>.</p><ul><li>one</li></ul>", subtype="html")
    assert shape(read(mail))[4:] == [("paragraph", "Said in HTML."), ("list_item", "one")]


def test_attachments_are_parts_with_names() -> None:
    """Attachments are read as parts under their names."""
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


def test_unreadable_attachment_is_named() -> None:
    """An attachment that cannot be read is named with the reason."""
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


def test_alternative_parts_attachments_are_kept() -> None:
    """What is attached to the other form of a text is not lost."""
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


def test_nested_messages_have_depth_limit() -> None:
    """Messages within messages are opened to a depth."""
    mail = message("Innermost", "the bottom")
    for number in range(document_limits.MAIL_NESTING, 0, -1):
        outer = message(f"Level {number}", f"text {number}")
        outer.add_attachment(mail)
        mail = outer
    parsed = read(mail)
    said = [text for _, text in shape(parsed)]
    assert "text 3" in said
    assert "the bottom" not in said
    assert parsed.notes == [f"Attachment a message was not read: {refusals.TOO_DEEP}"]


def test_attached_email_file_is_bounded() -> None:
    """An attached file that is an email is bounded too."""
    mail = message("Innermost", "the bottom")
    for number in range(document_limits.MAIL_NESTING, 0, -1):
        outer = message(f"Level {number}", f"text {number}")
        outer.add_attachment(
            mail.as_bytes(), maintype="application", subtype="octet-stream", filename="m.eml"
        )
        mail = outer
    assert read(mail).notes == [f"Attachment m.eml was not read: {refusals.TOO_DEEP}"]


def test_excess_attachments_are_noted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Attachments beyond the limit are left out and noted."""
    monkeypatch.setattr(document_limits, "ATTACHMENTS", 2)
    mail = message()
    for number in range(4):
        mail.add_attachment(f"text {number}", filename=f"{number}.txt")
    parsed = read(mail)
    assert [text for _, text in shape(parsed) if text.startswith("text")] == ["text 0", "text 1"]
    assert parsed.notes == [refusals.TOO_MANY_ATTACHMENTS]


def test_cell_limit_spans_all_attachments(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cells of all attachments count together."""
    mail = message()
    for name in ("a.xlsx", "b.xlsx"):
        mail.add_attachment(prices(), maintype="application", subtype="octet-stream", filename=name)
    monkeypatch.setattr(document_limits, "CELLS", 10)
    with pytest.raises(DocumentRefused, match="cells"):
        read(mail)


@pytest.mark.parametrize(
    "charset", [b"no-such-charset", b"us-ascii", b"utf-8"], ids=["unknown", "wrong", "right"]
)
def test_wrong_charset_header_is_tolerated(charset: bytes) -> None:
    """A text is read whatever encoding its header states."""
    content = (
        b"From: a@b.c\nTo: d@e.f\nMIME-Version: 1.0\nContent-Type: text/plain; charset="
        + charset
        + b"\nContent-Transfer-Encoding: 8bit\n\n"
        + "Die schöne Straße führt über die Brücke.".encode()
    )
    assert shape(read(content))[-1] == ("paragraph", "Die schöne Straße führt über die Brücke.")


def test_email_is_detected_by_headers() -> None:
    """An email is known by its headers and not by its name."""
    assert read(message(), "saved.txt").format == "eml"
    assert read(b"just words, no headers at all", "words.eml").format == "txt"


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_damaged_email_is_read_or_refused(data: st.DataObject) -> None:
    """A damaged email is read or refused."""
    mail = message()
    mail.add_attachment("text", filename="a.txt")
    content = bytearray(mail.as_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        assert read(bytes(content)).blocks
    except (DocumentRefused, *DAMAGE):
        pass
