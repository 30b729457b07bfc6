"""The second reader of office files and pages notices what a reader would get wrong."""

import io
import zipfile
from pathlib import Path

from masis.domain import Block, ParsedDocument
from tests.bench.fidelity import xml_oracles
from tests.bench.fidelity.differences import Comparison

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
ROWS = [["Pump", "Heat", "Noise"], ["Wharfe", "yes", "low"], ["Calder", "no", "high"]]


def word_file(body: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as package:
        package.writestr("word/document.xml", f"<w:document {WORD}>{body}</w:document>")
    return made.getvalue()


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def table() -> str:
    rows = "".join(
        f"<w:tr>{''.join(f'<w:tc>{paragraph(text)}</w:tc>' for text in row)}</w:tr>" for row in ROWS
    )
    return f"<w:tbl>{rows}</w:tbl>"


def compared(content: bytes, *rows: str, name: str = "a.docx") -> Comparison:
    blocks = [Block(kind="table_row", text=row) for row in rows]
    document = ParsedDocument(format="docx", title="", blocks=blocks)
    return xml_oracles.compare(Path(name), content, document)


def test_correct_table_has_no_difference() -> None:
    """A table that came out right has no difference."""
    found = compared(
        word_file(table()),
        "Pump: Wharfe | Heat: yes | Noise: low",
        "Pump: Calder | Heat: no | Noise: high",
    )
    assert (found.tokens, found.cells) == (9, 9)
    assert [one for one in found.differences if not one.excuse] == []


def test_punctuation_after_name_loses_nothing() -> None:
    """A sign at a names end loses nothing."""
    source = xml_oracles.Source(seen=["Price (£)", "96"])
    document = ParsedDocument(
        format="xlsx", title="", blocks=[Block(kind="table_row", text="Price (£): 96")]
    )
    assert xml_oracles.compared(source, document).differences == []


def test_renamed_column_means_moved_cell() -> None:
    """A cell under another name has moved."""
    found = compared(
        word_file(table()),
        "Pump: Wharfe | Heat: low | Noise: yes",
        "Pump: Calder | Heat: no | Noise: high",
    )
    assert [(one.kind, one.text) for one in found.differences if not one.excuse] == [
        ("moved", "yes"),
        ("moved", "low"),
    ]


def test_missing_and_glued_words_are_found() -> None:
    """A word that is missing or glued is found."""
    content = word_file(paragraph("There is no fee for old pumps"))
    found = compared(content, "There is fee for oldpumps")

    assert {(one.kind, one.text) for one in found.differences if not one.excuse} == {
        ("lost", "no"),
        ("changed", "old"),
        ("changed", "pumps"),
    }


def test_invisible_text_is_counted_apart() -> None:
    """What people do not see is counted apart."""
    gone = "<w:p><w:del><w:r><w:delText>twenty</w:delText></w:r></w:del></w:p>"
    found = compared(word_file(paragraph("thirty") + gone), "thirty")

    assert (found.tokens, [tuple(one) for one in found.differences]) == (
        1,
        [("lost", "twenty", "", "deleted")],
    )


def test_inline_markup_splits_no_words() -> None:
    """Words of a page go on at inline markup."""
    page = b"<body><nav>Home</nav><p>H<sub>2</sub>O is w<b>e</b>t</p></body>"

    assert [one.excuse for one in compared(page, "H2O is wet", name="a.html").differences] == [
        "site"
    ]
