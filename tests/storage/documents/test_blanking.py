from hypothesis import given, settings
from hypothesis import strategies as st

from masis.questions.choice import carried, statement_of
from storage.documents.blanking import blanked
from tests.examples import examples
from tests.scripted_agents import chunk

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4)
    ),
    max_leaves=20,
)


def texts(value: object) -> list[str]:
    match value:
        case dict():
            return [text for item in value.values() for text in texts(item)]
        case list():
            return [text for item in value for text in texts(item)]
        case str():
            return [value]
    return []


@settings(deadline=None, max_examples=examples(200))
@given(JSON_VALUES)
def test_blanking_removes_text_with_spaces(value: object) -> None:
    """No text with a space outlives blanking."""
    assert not any(" " in text for text in texts(blanked({"value": value})))


def test_blanking_keeps_numbers_ids_and_codes() -> None:
    """Numbers ids and the codes own words stay."""
    value = {
        "node": "critic",
        "route": "first_run",
        "confidence": 0.9,
        "needs_retry": False,
        "chunk_id": "c_7f3akq2mxw4b",
        "kept": ["c_7f3akq2mxw4b", "a word of the document"],
    }
    assert blanked(value) == value | {"kept": ["c_7f3akq2mxw4b", ""]}


def test_what_was_a_date_becomes_null() -> None:
    assert blanked({"date": "2024-03-01"}) == {"date": None}


def test_blanking_removes_sentence_under_code_key() -> None:
    """A sentence under one of the codes own keys does not stay."""
    sentence = "The budget, they say, is 4711."
    assert blanked({"reason": sentence, sentence: 1}) == {"reason": ""}
    assert blanked({"level": "Not audited", "kind": "budget is 4711"}) == {
        "level": "Not audited",
        "kind": "",
    }


def test_blanked_run_carries_no_choice() -> None:
    """Its statements are without their words: one of the documents is gone."""
    papers = [
        chunk(0, text="The fee is £26.", date="2026-03-01"),
        chunk(1, text="The fee is £20.", date="2025-03-01"),
    ]
    asked = {"statements": [statement_of(each).model_dump(mode="json") for each in papers]}
    (made,) = carried(asked, "the newer one")
    chose = {"choices": [made.model_dump(mode="json")]}

    assert carried(chose, "") == [made]
    assert carried(blanked(chose), "") == []
    assert carried(blanked(asked), "the newer one") == []
