"""PDF text that is written from right to left, as its glyphs stand on the page."""

from collections.abc import Iterable

import pytest

from masis.documents.parsing.recognition.read_document import read_document
from tests.pdfs import Run, made


def drawn(glyphs: Iterable[str], x: float = 60, y: float = 700) -> Run:
    """Glyphs from left to right."""
    return Run("", x, y, 12, visual=tuple(glyphs))


def read(*runs: Run) -> list[str]:
    return [block.text for block in read_document("a.pdf", made([runs])).blocks]


@pytest.mark.parametrize(
    ("glyphs", "text"),
    [
        (["\u0645", "\u0644\u0627", "\u0633"], "\u0633\u0644\u0627\u0645"),
        (["\u0644\u0627", "\u0643"], "\u0643\u0644\u0627"),
        (["\u0644\u0623"], "\u0644\u0623"),
        (["\ufee2", "\ufefc", "\ufeb3"], "\u0633\u0644\u0627\u0645"),
        (["\u0647", "\u0644\u0645\u062d"], "\u0644\u0645\u062d\u0647"),
    ],
    ids=["lam-alef", "at the end", "alone with hamza", "presentation forms", "three letters"],
)
def test_ligatures_come_out_in_their_order(glyphs: list[str], text: str) -> None:
    assert read(drawn(glyphs)) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "שלום עולם",
        "ראו ABC DEF בעמוד הבא",
        "ב-2024 היו 35 עובדים",
        "המחיר הוא 1,200",
    ],
)
def test_hebrew_comes_out_in_reading_order(text: str) -> None:
    # What stands on the page: the words from right to left, their Hebrew letters too.
    words = text.split()
    shown = [word[::-1] if any("א" <= char <= "ת" for char in word) else word for word in words]
    shown = ["4202-ב" if word == "4202-ב" else word for word in shown]
    line = " ".join(_latin_together(shown[::-1]))
    assert read(drawn(line.replace("4202", "2024"))) == [text]


def _latin_together(words: list[str]) -> list[str]:
    """Neighbouring Latin words stand from left to right."""
    if "DEF" in words:
        at = words.index("DEF")
        words[at], words[at + 1] = words[at + 1], words[at]
    return words


def test_hebrew_words_keep_their_order() -> None:
    """Hebrew words within english stand in order."""
    assert read(drawn("Hello םלוע םולש world and all of you")) == [
        "Hello שלום עולם world and all of you"
    ]


def test_a_table_begins_at_the_right() -> None:
    rows = [("שם", "מחיר", "מצב"), ("אבגד", "10", "כן"), ("הוזח", "20", "לא")]
    runs = [
        drawn(cell if cell.isdecimal() else cell[::-1], x, 700 - 14 * at)
        for at, row in enumerate(rows)
        for cell, x in zip(row, (400, 250, 100), strict=True)
    ]
    assert read(*runs) == ["שם: אבגד | מחיר: 10 | מצב: כן", "שם: הוזח | מחיר: 20 | מצב: לא"]


def test_separately_drawn_letters_form_words() -> None:
    """Letters drawn one by one are words."""
    word = ["\u0633", "\u0644\u0627", "\u0645"]
    assert read(*(drawn([glyph], 200 - 6.6 * at) for at, glyph in enumerate(word))) == [
        "\u0633\u0644\u0627\u0645"
    ]


def test_latin_punctuation_stays_in_place() -> None:
    """Signs beside latin letters stay in place."""
    line = "the “public access” costs €46,200 in all agencies’ budgets"
    assert read(Run(line, 60, 700, 11)) == [line]


def test_drawn_accent_splits_no_word() -> None:
    """An accent drawn over a letter parts no word."""
    runs = [drawn("Og", 60), drawn("\u02d8", 66.6), drawn("uz wrote it", 73.2)]
    assert "Oguz" in read(*runs)[0].replace("\u02d8", "")
