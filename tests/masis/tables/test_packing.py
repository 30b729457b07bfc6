import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.tables import packing
from masis.values.tabular import Column
from tests.examples import examples
from tests.masis.tables.samples import packed

WORDS = st.lists(st.one_of(st.none(), st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)), max_size=40)  # fmt: skip
NUMBERS = st.lists(st.one_of(st.none(), st.integers(-(10**18), 10**18)), max_size=40)


@settings(max_examples=examples(60), deadline=None)
@given(WORDS)
def test_texts_come_back(cells: list[str | None]) -> None:
    read = packing.texts(packing.packed_block(Column(name="", type="text"), cells))
    assert read.tolist() == cells


@settings(max_examples=examples(60), deadline=None)
@given(NUMBERS)
def test_numbers_come_back(cells: list[int | None]) -> None:
    values, blank = packing.whole(packing.packed_block(Column(name="", type="number"), cells))
    read = [None if none else value for value, none in zip(values.tolist(), blank, strict=True)]
    assert read == cells


def test_table_comes_back_through_a_pipe() -> None:
    table = packed()
    assert packing.unframed(packing.framed(table)) == table


@pytest.mark.parametrize("body", [b"", b"\xff" * 8, b"\x01\0\0\0\x02\0\0\0{}"])
def test_other_bytes_are_no_table(body: bytes) -> None:
    with pytest.raises(ValueError, match="table"):
        packing.unframed(body)
