import itertools
import re
from collections.abc import Sequence
from typing import Literal, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.documents import chunking
from masis.documents.chunking import MAX_CHARS, TARGET_CHARS, chunk_document
from masis.domain import Block, Chunk, ParsedDocument, Place, workspace_id
from masis.errors import DocumentRefused
from tests.examples import examples

Kind = Literal["heading", "paragraph", "list_item", "table_row", "code"]


def block(kind: Kind, text: str, **place: object) -> Block:
    return Block(kind=kind, text=text, place=Place.model_validate(place))


def heading(text: str, level: int = 1, **place: object) -> Block:
    return Block(kind="heading", text=text, level=level, place=Place.model_validate(place))


def paragraph(text: str, **place: object) -> Block:
    return block("paragraph", text, **place)


def item(text: str) -> Block:
    return block("list_item", text)


def chunked(*blocks: Block, title: str = "Handbook", version: str = "v_1") -> list[Chunk]:
    parsed = ParsedDocument(format="md", title=title, blocks=list(blocks))
    return chunk_document(
        parsed, workspace_id=workspace_id("ws"), document_id="d_1", version_id=version
    )


def sentences(count: int, words: int = 12) -> str:
    return " ".join(
        " ".join([f"Sentence{number}", *["word"] * (words - 2), "end."]) for number in range(count)
    )


def test_short_document_is_one_chunk() -> None:
    """A short document is one chunk in the form people see."""
    [chunk] = chunked(
        heading("Leave"),
        paragraph("You can use:"),
        item("annual leave"),
        item("sick leave"),
        paragraph("Ask first."),
        title="Leave",
    )
    assert chunk.text == "You can use:\n- annual leave\n- sick leave\n\nAsk first."
    assert chunk.context == "Leave"
    assert chunk.place.headings == []
    assert chunk.indexed_text.startswith("Leave\nYou can use:")


def test_context_and_place_carry_the_headings() -> None:
    body = sentences(5)
    chunks = chunked(
        heading("Handbook"),
        heading("Leave", 2),
        heading("Annual leave", 3),
        paragraph(body, page=4),
    )
    [chunk] = chunks
    assert chunk.context == "Handbook › Leave › Annual leave"
    assert chunk.place.headings == ["Leave", "Annual leave"]
    assert chunk.place.label() == "p. 4 · Leave › Annual leave"


def test_heading_leaves_path_with_section() -> None:
    """A heading leaves the path with its section."""
    chunks = chunked(
        heading("A"),
        heading("A1", 2),
        paragraph(sentences(10)),
        heading("B"),
        paragraph(sentences(10)),
    )
    assert [chunk.context for chunk in chunks] == ["Handbook › A › A1", "Handbook › B"]


def test_small_siblings_merge_with_headings() -> None:
    """Small siblings are merged each heading on its own line."""
    [chunk] = chunked(
        heading("Leave"),
        heading("Court leave", 2),
        paragraph("For jury duty."),
        heading("Voting", 2),
        paragraph("Up to four hours."),
    )
    assert chunk.text == "Court leave\nFor jury duty.\n\nVoting\nUp to four hours."
    assert chunk.context == "Handbook › Leave"
    assert chunk.place.headings == ["Leave"]


def test_sections_of_different_parents_stay_apart() -> None:
    """Small sections of different parents stay apart."""
    chunks = chunked(
        heading("A"),
        heading("A1", 2),
        heading("A11", 3),
        paragraph("One."),
        heading("B"),
        heading("B1", 2),
        heading("B11", 3),
        paragraph("Two."),
    )
    assert [chunk.text for chunk in chunks] == ["One.", "Two."]


@pytest.mark.parametrize("spot", ["page", "slide"])
def test_sections_on_different_pages_stay_apart(spot: str) -> None:
    """Small sections on different pages stay apart."""
    chunks = chunked(
        heading("A", **{spot: 1}),
        paragraph("One.", **{spot: 1}),
        heading("B", **{spot: 2}),
        paragraph("Two.", **{spot: 2}),
    )
    assert [chunk.text for chunk in chunks] == ["One.", "Two."]


def test_trailing_heading_becomes_text() -> None:
    """A heading that leads to nothing is text."""
    [chunk] = chunked(heading("Leave"), paragraph("Ask first."), heading("Appendix"))
    assert chunk.text.endswith("Appendix")


def test_split_section_overlaps_one_sentence() -> None:
    """A long section is split with a sentence of overlap."""
    first, second = " ".join(["One"] * 100) + ". Ask your supervisor first.", sentences(10)
    chunks = chunked(heading("Leave"), paragraph(first), paragraph(second))
    assert len(chunks) == 2
    assert chunks[1].text.startswith("Ask your supervisor first.\n\nSentence0")


def test_no_overlap_crosses_a_heading() -> None:
    chunks = chunked(
        heading("A"), paragraph(sentences(10)), heading("B"), paragraph(sentences(10) + " Last.")
    )
    assert not any("Last." in chunk.text for chunk in chunks[:-1])
    assert len(chunks) == 2


def test_long_paragraph_splits_between_sentences() -> None:
    """A long paragraph is cut between sentences."""
    chunks = chunked(paragraph(sentences(60)))
    assert len(chunks) > 3
    assert all(chunk.text.endswith("end.") for chunk in chunks)
    assert all(chunk.text.startswith("Sentence") for chunk in chunks)


def test_split_list_repeats_its_lead_in() -> None:
    """A split list keeps its lead in."""
    items = [item(f"item {number} " + "word " * 20) for number in range(12)]
    chunks = chunked(paragraph("You can use:"), *items)
    assert len(chunks) > 1
    assert all(chunk.text.startswith("You can use:\n- item") for chunk in chunks)


def test_lead_in_never_ends_chunk() -> None:
    """A lead in is not left behind at the end of a chunk."""
    chunks = chunked(
        paragraph(sentences(8)), paragraph("You need:"), *[item("thing " * 15) for _ in range(8)]
    )
    assert not any(chunk.text.endswith("You need:") for chunk in chunks)


def test_table_rows_stay_whole_lines() -> None:
    """Table rows are never cut and stand one a line."""
    rows = [
        block("table_row", f"Item: thing {n} | Price: {n} EUR | Note: {'x' * 60}")
        for n in range(40)
    ]
    chunks = chunked(*rows)
    lines = [line for chunk in chunks for line in chunk.text.split("\n")]
    assert lines == [row.text for row in rows]


def test_overlong_row_splits_between_cells() -> None:
    """A row that is too long alone is cut between cells."""
    row = block("table_row", " | ".join(f"Column {n}: {'word ' * 20}".strip() for n in range(20)))
    chunks = chunked(row)
    assert len(chunks) > 1
    assert all(chunk.text.startswith("Column") for chunk in chunks)
    assert " | ".join(chunk.text for chunk in chunks) == row.text


def test_split_row_repeats_naming_cell() -> None:
    """Each part of a cut row begins with the cell that names the row."""
    cells = [f"Column {n}: {'word ' * 20}".strip() for n in range(20)]
    chunks = chunked(block("table_row", " | ".join(["Product: Pump 7", *cells])))
    assert len(chunks) > 1
    assert all(chunk.text.startswith("Product: Pump 7 | Column") for chunk in chunks)
    parts = [cell for chunk in chunks for cell in chunk.text.split(" | ")[1:]]
    assert parts == cells


def test_place_starts_at_new_text() -> None:
    """The place is where the new text begins."""
    one = " ".join(["One"] * 170) + ". Short end."
    chunks = chunked(paragraph(one, page=1), paragraph(sentences(9), page=2))
    assert [chunk.place.page for chunk in chunks] == [1, 2]
    assert chunks[1].text.startswith("Short end.")


def test_cell_range_spans_chunk_rows() -> None:
    """Cells span the rows of the chunk."""
    rows = [
        block("table_row", f"Item: {n}", sheet="Prices", cells=f"A{n}:{'B' if n % 2 else 'AC'}{n}")
        for n in range(7, 13)
    ]
    [chunk] = chunked(heading("Prices", sheet="Prices"), *rows)
    assert (chunk.place.sheet, chunk.place.cells) == ("Prices", "A7:AC12")
    assert chunk.place.label() == "sheet Prices · A7:AC12"


def test_overlong_headings_move_to_text() -> None:
    """Headings that would crowd the context out stand in the text."""
    names = ["Long heading " + "x" * 90 for _ in range(4)]
    [chunk] = chunked(*[heading(name, level) for level, name in enumerate(names, 1)], item("one"))
    assert len(chunk.context) < 300
    assert names[-1] in chunk.text


def test_chunk_ids_are_deterministic_per_version() -> None:
    """The same input gives the same chunks and another version other ids."""
    blocks = [heading("A"), paragraph(sentences(60))]
    assert chunked(*blocks) == chunked(*blocks)
    ids = {chunk.id for chunk in chunked(*blocks)}
    assert ids.isdisjoint(chunk.id for chunk in chunked(*blocks, version="v_2"))
    assert all(re.fullmatch(r"c_[a-z2-7]{12}", one) for one in ids)


def test_too_many_chunks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document with too many chunks is refused."""
    monkeypatch.setattr(chunking, "MAX_CHUNKS", 3)
    with pytest.raises(DocumentRefused, match="too long"):
        chunked(paragraph(sentences(300)))


# --- properties ----------------------------------------------------------------------------

WORDS = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x4FF, categories=["L", "N"]),
    min_size=1,
    max_size=30,
)
TEXTS = st.one_of(
    st.lists(WORDS, min_size=1, max_size=30).map(" ".join),
    st.lists(WORDS, min_size=1, max_size=8).map(lambda words: (" ".join(words) + ". ") * 60),
    st.lists(WORDS, min_size=2, max_size=8).map(lambda words: " | ".join(words * 60)),
    st.lists(WORDS, min_size=1, max_size=3).map(lambda words: "\n".join(words * 150)),
    st.just("x" * 3000),
)
PLACES = st.builds(
    Place,
    page=st.none() | st.integers(1, 3),
    sheet=st.none() | st.just("Sheet"),
    cells=st.none() | st.just("A1:B2") | st.just("C7") | st.just("nonsense"),
)
KINDS: Sequence[Kind] = get_args(Kind)
BLOCKS = st.lists(
    st.builds(
        Block, kind=st.sampled_from(KINDS), text=TEXTS, level=st.integers(0, 9), place=PLACES
    ),
    max_size=25,
)


@settings(max_examples=examples(150), deadline=None)
@given(BLOCKS)
def test_chunks_lose_no_words(blocks: list[Block]) -> None:
    """Chunks lose no word and keep their bounds."""
    chunks = chunked(*blocks)
    assert [chunk.position for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert all(0 < len(chunk.text) <= MAX_CHARS for chunk in chunks)
    assert all(len(chunk.context) <= 400 for chunk in chunks)
    shown = set(" ".join(chunk.indexed_text for chunk in chunks).split())
    for one in blocks:
        for word in one.text.split():
            assert word in shown or (len(word) > TARGET_CHARS and word[:TARGET_CHARS] in shown)


@settings(max_examples=examples(50), deadline=None)
@given(BLOCKS)
def test_chunks_follow_document_order(blocks: list[Block]) -> None:
    """Chunks follow the order of the document."""
    marked = [
        one.model_copy(update={"text": f"mark{number} {one.text}"})
        for number, one in enumerate(blocks)
        if one.kind != "heading"
    ]
    text = "\n".join(chunk.text for chunk in chunked(*marked))
    places = [
        text.find(f"mark{number} ") for number in range(len(blocks)) if f"mark{number} " in text
    ]
    assert all(before < after for before, after in itertools.pairwise(places))


def test_chunking_takes_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work grows with the text and not with its square."""
    seen = 0
    original = chunking._Unit

    def counting(*args: object, **kwargs: object) -> object:
        nonlocal seen
        seen += 1
        return original(*args, **kwargs)  # type: ignore[arg-type] # passes all on

    monkeypatch.setattr(chunking, "_Unit", counting)
    counts = []
    for size in (200, 400, 800):
        seen = 0
        chunked(*[item(f"item {number} of a long list") for number in range(size)])
        counts.append(seen)
    assert counts[2] - counts[1] <= 2.2 * (counts[1] - counts[0])
