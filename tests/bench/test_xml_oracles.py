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


def test_a_table_that_came_out_right_has_no_difference() -> None:
    found = compared(
        word_file(table()),
        "Pump: Wharfe | Heat: yes | Noise: low",
        "Pump: Calder | Heat: no | Noise: high",
    )
    assert (found.tokens, found.cells) == (9, 9)
    assert [one for one in found.differences if not one.excuse] == []


def test_a_sign_at_a_names_end_loses_nothing() -> None:
    source = xml_oracles.Source(seen=["Price (£)", "96"])
    document = ParsedDocument(
        format="xlsx", title="", blocks=[Block(kind="table_row", text="Price (£): 96")]
    )
    assert xml_oracles.compared(source, document).differences == []


def test_a_cell_under_another_name_has_moved() -> None:
    found = compared(
        word_file(table()),
        "Pump: Wharfe | Heat: low | Noise: yes",
        "Pump: Calder | Heat: no | Noise: high",
    )
    assert [(one.kind, one.text) for one in found.differences if not one.excuse] == [
        ("moved", "yes"),
        ("moved", "low"),
    ]


def test_a_word_that_is_missing_or_glued_is_found() -> None:
    content = word_file(paragraph("There is no fee for old pumps"))
    found = compared(content, "There is fee for oldpumps")

    assert {(one.kind, one.text) for one in found.differences if not one.excuse} == {
        ("lost", "no"),
        ("changed", "old"),
        ("changed", "pumps"),
    }


def test_what_people_do_not_see_is_counted_apart() -> None:
    gone = "<w:p><w:del><w:r><w:delText>twenty</w:delText></w:r></w:del></w:p>"
    found = compared(word_file(paragraph("thirty") + gone), "thirty")

    assert (found.tokens, [tuple(one) for one in found.differences]) == (
        1,
        [("lost", "twenty", "", "deleted")],
    )


def test_words_of_a_page_go_on_at_inline_markup() -> None:
    page = b"<body><nav>Home</nav><p>H<sub>2</sub>O is w<b>e</b>t</p></body>"

    assert [one.excuse for one in compared(page, "H2O is wet", name="a.html").differences] == [
        "site"
    ]
