import datetime as dt
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.documents.chunking import MAX_CHARS, chunk_document
from masis.documents.parsing import document_limits, refusals
from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import ParsedDocument, workspace_id
from masis.errors import DocumentRefused
from tests.examples import examples


def read(text: str, name: str = "data.json") -> ParsedDocument:
    return read_document(name, text.encode())


def shape(parsed: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in parsed.blocks]


def test_short_records_become_table_rows() -> None:
    """Short records are rows of paths and figures stay as written."""
    parsed = read(
        '[{"city": "Bern", "rate": 1.10, "who": {"name": "Jane", "active": true}, "tags": ["a", "b"],'
        ' "gone": null}, {"city": "Basel", "rate": 12345678901234567890}]'
    )
    assert parsed.format == "json"
    assert shape(parsed) == [
        ("table_row", "city: Bern | rate: 1.10 | who.name: Jane | who.active: yes | tags: a, b"),
        ("table_row", "city: Basel | rate: 12345678901234567890"),
    ]


def test_lines_of_json_are_records() -> None:
    parsed = read('{"city": "Bern"}\n\n{"city": "Basel"}\n', "export.jsonl")
    assert shape(parsed) == [("table_row", "city: Bern"), ("table_row", "city: Basel")]


def test_long_record_becomes_named_section() -> None:
    """A long record is a section with its name."""
    long = "A sentence of some length about pumps. " * 10
    parsed = read(json.dumps({"pages": [{"title": "Pumps", "id": 7, "text": long}]}))
    assert shape(parsed) == [
        ("heading", "pages"),
        ("heading", "Pumps"),
        ("table_row", "title: Pumps | id: 7"),
        ("heading", "text"),
        ("paragraph", long.strip()),
    ]
    assert [block.level for block in parsed.blocks if block.kind == "heading"] == [1, 2, 3]
    [chunk] = chunk_document(
        parsed, workspace_id=workspace_id("w"), document_id="d", version_id="v"
    )
    assert "Pumps" in chunk.indexed_text


def test_object_gives_title_and_date() -> None:
    """An objects own title and date are the documents."""
    parsed = read('{"title": "Rate card", "updated": "2024-05-03T10:00:00Z", "rows": [1, 2]}')
    assert (parsed.title, parsed.date) == ("Rate card", dt.date(2024, 5, 3))


def test_content_decides_what_is_json() -> None:
    assert read('{"a": [{"b": 1}]}', "notes.txt").format == "json"
    assert read("{not json at all", "x.json").format == "txt"
    assert read("[link](https://example.org) and more", "x.md").format == "md"


def test_a_damaged_line_is_named() -> None:
    whole = "".join(f'{{"n": {number}}}\n' for number in range(30))
    with pytest.raises(DocumentRefused) as caught:
        read(whole + '{"n": \n', "x.jsonl")
    assert str(caught.value) == refusals.JSON_LINES


def test_deep_json_is_kept_as_text() -> None:
    """Deep values are shown as written and bottomless ones are text."""
    deep = (
        '{"a": [' * (document_limits.JSON_NESTING + 3)
        + '{"x": "found"}'
        + "]}" * (document_limits.JSON_NESTING + 3)
    )
    assert "found" in shape(read(deep))[-1][1]
    assert read("[" * 100_000 + '"word"' + "]" * 100_000).format == "txt"


def test_values_count_as_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_limits, "CELLS", 50)
    with pytest.raises(DocumentRefused, match="cells"):
        read(json.dumps([{"a": 1, "b": 2}] * 40))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(0, 99)
    | st.sampled_from(["word", "two words", "x" * 300]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b", "name"]), inner, max_size=3)
    ),
    max_leaves=20,
)


@settings(max_examples=examples(100), deadline=None)
@given(st.dictionaries(st.sampled_from(["one", "two", "three"]), VALUES, min_size=1))
def test_no_json_value_is_lost(value: object) -> None:
    """No value is lost and chunks keep their bounds."""
    leaves = [text for text in _leaves(value) if text]
    if not leaves:
        return
    parsed = read(json.dumps(value))
    whole = "\n".join(block.text for block in parsed.blocks)
    assert all(text in whole for text in leaves)
    chunks = chunk_document(parsed, workspace_id=workspace_id("w"), document_id="d", version_id="v")
    assert all(len(chunk.text) <= MAX_CHARS for chunk in chunks)


def _leaves(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for one in value.values() for text in _leaves(one)]
    if isinstance(value, list):
        return [text for one in value for text in _leaves(one)]
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    return [] if value is None else [str(value)]
