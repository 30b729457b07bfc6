"""Reading what documents list."""

from masis.extractive.wholes.collections import collections, is_line, names_several
from tests.whole_papers import part


def test_table_goes_on_in_the_next_chunk() -> None:
    """Rows stay together over the border of two chunks."""
    found = collections(
        [
            part(0, "Supplier: Acorn | For: oak\nSupplier: Birch | For: ply", "Suppliers"),
            part(1, "Supplier: Cedar | For: beams", "Suppliers"),
        ]
    )
    assert [row.name for each in found for row in each.rows] == ["Acorn", "Birch", "Cedar"]
    assert [each.label for each in found] == ["Suppliers"]


def test_row_is_named_behind_its_number() -> None:
    """What numbers a row does not name it."""
    [found] = collections([part(0, "No.: C-1 | Who: Acorn\nNo.: C-2 | Who: Birch", "Contracts")])
    assert [row.name for row in found.rows] == ["Acorn", "Birch"]
    assert found.naming_column == "Who"


def test_headings_inside_a_chunk_part_tables() -> None:
    """A numbered heading right above rows is no item."""
    text = "1. In force\nWho: Acorn | For: oak\nWho: Birch | For: ply\n\n2. Ended\nWho: Cedar | For: beams\nWho: Dogwood | For: hedges"
    assert [each.label for each in collections([part(0, text)])] == ["In force", "Ended"]


def test_items_stand_under_their_lead() -> None:
    """Bullets are a list with the sentence that leads them in."""
    [found] = collections([part(0, "You bring:\n- a passport\n- a photo", "First day")])
    assert found.kind == "list"
    assert found.label == "You bring"


def test_lines_of_a_name_and_a_role() -> None:
    """Lines with a dash are a list of people."""
    [found] = collections([part(0, "Ada Lund – chair\nBo Quist – treasurer", "Board")])
    assert [row.name for row in found.rows] == ["Ada Lund", "Bo Quist"]


def test_head_of_a_document_is_no_list() -> None:
    """What a document says of itself lists nothing."""
    assert collections([part(0, "Owner: Ada Lund\nVersion: 3\nClass: Internal", "Suppliers")]) == []


def test_sentence_lists_behind_its_label() -> None:
    """Names behind a colon are a list, a clause is none."""
    assert names_several("Trustees: Ada Lund (chair), Bo Quist and Cy Vane.")
    assert not names_several("Note: we close at noon.")


def test_line_has_no_stop() -> None:
    """A sentence with a dash is no line of a list."""
    assert is_line("Ada Lund – chair")
    assert not is_line("We met – and agreed on all of it.")
