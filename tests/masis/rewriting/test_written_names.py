"""Names that are typed without capitals."""

from masis.rewriting.written_names import with_names
from masis.words.spelling import Words

WORDS = Words({"Deventer": 9, "Manager": 9, "Kiln": 1, "kettle": 3, "Signed": 4})


def test_names_are_written_as_in_the_documents() -> None:
    assert with_names("who is in deventer's hut?", WORDS) == "who is in Deventer's hut?"


def test_words_and_titles_stay_small() -> None:
    """So does what stands in one passage alone."""
    text = "the kettle, manager, kiln, signed by @deventer in deventer.md"
    assert with_names(text, WORDS) == text
