"""Mistyped words, and the ones of documents that they stand for."""

from collections import Counter

import pytest

from masis.words.spelling import (
    MOST_OF_A_VERSION,
    Typed,
    Words,
    counted,
    merged,
    replaced,
    suspects,
)

OFFICE = Words(
    {
        "mileage": 4,
        "expenses": 6,
        "accommodation": 2,
        "calendar": 3,
        "parking": 2,
        "maternity": 5,
        "doctor": 2,
        "Jensen": 9,
        "skippering": 1,
        "kubelog": 3,
    }
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("milage", "mileage"),
        ("expences", "expenses"),
        ("acommodatoin", "accommodation"),
        ("Calandar", "calendar"),
        ("docters", "doctors"),
        ("kubelgo", "kubelog"),
        ("shoud", "should"),
        ("doctro", "doctor"),
        ("pakrnig", "parking"),
    ],
)
def test_misspelling_maps_to_nearest_word(typed: str, meant: str) -> None:
    """A mistyped word is the nearest one."""
    assert [each.word for each in suspects(f"{typed} please")] == [typed]
    assert OFFICE.nearest(typed) == meant


@pytest.mark.parametrize("word", ["paternity", "packing", "sauna", "Mileage", "park", "leave"])
def test_english_word_is_never_a_misspelling(word: str) -> None:
    """However near it is to one of the documents': what is not written down is not there."""
    assert list(suspects(f"is there {word.lower()} here")) == []


@pytest.mark.parametrize(
    "question",
    [
        "who is Milege now",
        "what does Dr milege say",
        "rate for MX40-milag",
        "milage2 rate",
        "see milage.docx",
        "is alice here",
        "what about Germnay and Norway today",
    ],
)
def test_names_and_codes_are_kept(question: str) -> None:
    """Names codes and numbers are never mistyped."""
    assert list(suspects(question)) == []


def test_capital_title_reveals_no_names() -> None:
    """A title in capitals says nothing of names."""
    assert [each.word for each in suspects("WHAT IS THE MILAGE RATE")] == ["MILAGE"]


def test_document_name_is_no_correction() -> None:
    """It is only ever written with its capital; a rare word without one is not sure to be right."""
    assert OFFICE.nearest("jenssen") is None
    assert OFFICE.nearest("skipperin") is None


@pytest.mark.parametrize(
    ("typed", "documents", "name"),
    [
        ("prya", {"Priya": 3, "price": 9}, "Priya"),
        ("Vissar", {"Visser": 1}, "Visser"),
        ("visser", {"Visser": 1}, None),
        ("marti", {"Martin": 3, "Marta": 3}, None),  # either of two
        ("pumpe", {"pump": 9}, None),  # no name
        ("risser", {"Visser": 1}, None),  # another first letter
    ],
)
def test_name_near_is_one_name(typed: str, documents: dict[str, int], name: str | None) -> None:
    """A name that a word misses by a letter is found where it is the only one."""
    assert Words(documents).name_near(typed) == name


@pytest.mark.parametrize(
    ("typed", "meant", "documents"),
    [
        ("pasword", "password", {"passcode": 1}),
        ("vacaton", "vacation", {"annual": 4, "leave": 9}),
        ("cantean", "canteen", {"cafeteria": 2}),
    ],
)
def test_misspelt_synonym_is_corrected(typed: str, meant: str, documents: dict[str, int]) -> None:
    """The documents have the other word for it alone; where they have neither, it stays."""
    assert [each.word for each in suspects(f"{typed} please")] == [typed]
    assert Words(documents).nearest(typed) == meant
    assert Words({"annual": 4, "kiln": 9}).nearest(typed) is None


def test_correctly_written_synonym_is_kept() -> None:
    """A synonym as it is written stays."""
    assert Words({"remote": 3, "working": 9}).nearest("homeworking") is None


def test_a_word_of_the_documents_stays() -> None:
    assert OFFICE.nearest("kubelog") is None
    assert OFFICE.nearest("zzyzxqw") is None


def test_short_correction_keeps_its_letters() -> None:
    """A short word must keep its letters."""
    words = Words({"form": 4, "room": 4})
    assert words.nearest("from") == "form"
    assert words.nearest("rorm") is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("farnia", "farina"), ("fariina", "farina"), ("frina", "farina"), ("farine", None)],
)
def test_slips_keep_the_letters(typed: str, meant: str | None) -> None:
    """In a language of whose words there is no list, another letter is another word."""
    assert Words({"farina": 3}).nearest(typed, slips_only=True) == meant


def test_words_are_counted_once_a_text() -> None:
    """A word that is written in lower case anywhere is no name."""
    found = counted(["Mileage, mileage: ask Jensen.", "Mileage of 45p, Jensen said", "the Kiln"])
    assert found == {"mileage": 2, "Jensen": 2, "said": 1, "Kiln": 1}


def test_heading_word_is_no_name() -> None:
    """A word of a heading is no name."""
    assert counted(["Mileage Rates 2026", "Rates: 45p"]) == {"mileage": 1, "rates": 2}


def test_german_noun_capital_makes_no_name() -> None:
    """Capitals of german nouns are no names."""
    assert "urlaub" in counted(["Wer den Urlaub und die Vertretung plant, ist der Leiter."])


def test_words_per_version_are_bounded() -> None:
    """A version has so many words at most."""
    letters = "abcdefghijklmnopqrst"
    words = (f"{a}{b}{c}{d}" for a in letters for b in letters for c in letters for d in letters)
    assert len(counted([" ".join(words)])) == MOST_OF_A_VERSION


def test_names_in_paths_stay_names() -> None:
    """A name that some documents have in a path or a table alone stays one, a word of English hardly."""
    together = merged(Counter(), [{"Deventer": 9, "Vendel": 1}, {"deventer": 1, "vendel": 2}])
    assert together == {"Deventer": 10, "Vendel": 3}
    assert merged(Counter(), [{"Board": 2}, {"board": 1}]) == {"board": 3}


def test_versions_together_tell_names_from_words() -> None:
    together = merged(Counter(), [{"Mileage": 1, "Jensen": 2}, {"mileage": 3}])
    assert together == {"mileage": 4, "Jensen": 2}


def test_replacement_keeps_position_and_capital() -> None:
    """A replaced word keeps its place and capital."""
    question = "Milage of (wors), milage?"
    meant = {Typed("Milage", 0, 6): "mileage", Typed("milage", 18, 24): "mileage"}
    assert replaced(question, meant) == "Mileage of (wors), mileage?"
