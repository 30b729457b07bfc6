import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.text import sentences
from masis.text.sentences import MAX_SENTENCE_CHARS, units
from tests.examples import examples

MIXED = """# Leave policy

Employees in the U.S. get approx.
25 days, i.e. five weeks, a year (see No. 5). Apply by e-mail to
Anna Berg.

Annual leave
All staff are told before the summer begins.
- First item. It has two sentences
  and a wrapped line.
- [x] Booked
1. Ask

| Quarter | Revenue |
|---|---|
| Q1 | 5 |
Product: Lamp | Price: 12.50

> Quoted over
> two lines.

```python
x = [1]
```
"""


def kinds_and_texts(text: str) -> list[tuple[str, str]]:
    return [(unit.kind, unit.flat) for unit in units(text)]


def test_each_line_kind_becomes_one_unit() -> None:
    """Every kind of line becomes its own unit."""
    assert kinds_and_texts(MIXED) == [
        ("heading", "Leave policy"),
        (
            "sentence",
            "Employees in the U.S. get approx. 25 days, i.e. five weeks, a year (see No. 5).",
        ),
        ("sentence", "Apply by e-mail to Anna Berg."),
        ("heading", "Annual leave"),
        ("sentence", "All staff are told before the summer begins."),
        ("list_item", "First item. It has two sentences and a wrapped line."),
        ("list_item", "Booked"),
        ("list_item", "Ask"),
        ("heading", "| Quarter | Revenue |"),
        ("table_row", "| Q1 | 5 |"),
        ("table_row", "Product: Lamp | Price: 12.50"),
        ("sentence", "Quoted over two lines."),
        ("code", "```python x = [1] ```"),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "Dr. Smith met Prof. Jones at 5 p.m. on Monday.",
        "The fee is approx. $3.5 million for Acme Inc. in Boston.",
        "See e.g. the manual, v. 2.1.3, at https://example.com/a.b?c=1.",
        "J. R. R. Tolkien wrote it in No. 5 of the journal.",
        "He works for the U.S. Army and earns 1,200.50 a week.",
        "Use Python 3.11.7, i.e. the version of 09.03.2024.",
        "It applies from 1. March 2024.",
        "Übertragene Tage sind bis zum 31. März zu nehmen.",
        "Am 3. Oktober und am 24. Dezember ist das Büro geschlossen.",
        "Der Preis gilt inkl. Montage bzw. Abholung, zzgl. Fracht.",
        "Dotyczy to np. Wrocławia, tj. Biura sprzedaży.",
        "Details stand in Sec. 4 and Fig. 12 of the report.",
        "Sales rose 3.5% vs. the plan.",
    ],
)
def test_abbreviations_and_figures_stay_whole(sentence: str) -> None:
    """Abbreviations figures and addresses are not torn."""
    text = f"Before it. {sentence} After it."
    assert [unit.text for unit in units(text)] == ["Before it.", sentence, "After it."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Is it? Yes! It is.", ["Is it?", "Yes!", "It is."]),
        ('"Stop." He left.', ['"Stop."', "He left."]),
        ("日本語の文です。次の文。", ["日本語の文です。", "次の文。"]),
        ("no full stop at all", ["no full stop at all"]),
        ("", []),
        (" \n\t\n", []),
        ("---", []),
        ("- ", []),
        ("1984. A year.", ["1984.", "A year."]),
    ],
)
def test_prose_is_parted_at_sentence_ends(text: str, expected: list[str]) -> None:
    assert [unit.text for unit in units(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title In Capitals\nThe text follows here.", "heading"),
        ("Title In Capitals", "sentence"),
        ("Travel costs\n=====\nText.", "heading"),
        ("Travel costs are paid monthly\n-----\nText.", "heading"),
        ("**Travel costs**\nText.", "heading"),
        ("**Travel costs are paid.**\nText.", "sentence"),
        ("## Travel costs ##", "heading"),
        ("#5 is the number\nText.", "sentence"),
        ("the lower case line\nText.", "sentence"),
    ],
)
def test_titles_are_headings_when_something_follows(text: str, expected: str) -> None:
    assert units(text)[0].kind == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The committee met in the large hall of the\nTown House and left.", 1),
        ("Chaired by\nAnna Berg in the evening.", 1),
        ("Short line\nAnother short line of this text", 2),
        ("Oslo, Norway,\nEurope", 1),
        ("It is as follows:\nEverything is allowed.", 2),
        ("One paragraph that is rather long and has no stop\n\nAnother paragraph.", 2),
    ],
)
def test_only_hard_wrapped_lines_are_joined(text: str, count: int) -> None:
    """Hard wrapped lines are joined and lone lines are not."""
    assert len(units(text)) == count


def test_list_item_splits_with_exact_offsets() -> None:
    """A list item parts into sentences with places in the source."""
    text = "Intro.\n- Ask Anna. She knows the U.S. rules.\n"
    item = units(text)[1]
    parts = sentences.sentences(item)
    assert [part.text for part in parts] == ["Ask Anna.", "She knows the U.S. rules."]
    assert all(text[part.start : part.end] == part.text for part in parts)


def test_sentence_is_its_only_sentence() -> None:
    """A sentence is its own only sentence."""
    unit = units("One here.")[0]
    assert sentences.sentences(unit) == [unit]


def test_unclosed_code_fence_runs_to_end() -> None:
    """An unclosed code fence reaches to the end."""
    assert [unit.kind for unit in units("Text.\n```\ncode\n\n# more")] == ["sentence", "code"]


def test_text_without_stops_splits_at_blanks() -> None:
    """Text without full stops is cut at blanks."""
    found = units("word " * 2000)
    assert all(len(unit.text) <= MAX_SENTENCE_CHARS for unit in found)
    assert " ".join(unit.text for unit in found) == ("word " * 2000).strip()
    assert len(units("x" * 5000)) == 3


def test_words_keep_decimals_and_hyphens_whole() -> None:
    assert sentences.words("It’s 1,200.50 for a re-run, ok?") == [
        "It’s",
        "1,200.50",
        "for",
        "a",
        "re-run",
        "ok",
    ]


TEXT_WITH_STRUCTURE = st.lists(
    st.sampled_from(
        [
            "\n",
            " ",
            ".",
            "!",
            "- ",
            "1. ",
            "# ",
            "|",
            "---",
            "> ",
            "```",
            "**",
            "Dr",
            "U.S.",
            "word",
        ]
    )
    | st.characters()
).map("".join)


@given(TEXT_WITH_STRUCTURE)
@settings(max_examples=examples(200), deadline=None)
def test_units_are_disjoint_with_exact_offsets(text: str) -> None:
    """Units never overlap and their places are exact."""
    end = 0
    for unit in units(text):
        assert end <= unit.start < unit.end
        assert text[unit.start : unit.end] == unit.text
        assert unit.text.strip()
        end = unit.end
        for part in sentences.sentences(unit):
            assert text[part.start : part.end] == part.text


@given(st.lists(st.sampled_from(["word", "Dr.", "U.S.", "3.5", "Stop.", "Why?", "Go!", "\n", ","])))
@settings(max_examples=examples(100), deadline=None)
def test_no_prose_word_is_lost(tokens: list[str]) -> None:
    """No word of plain prose is lost."""
    text = " ".join(tokens)
    assert " ".join(unit.text for unit in units(text)).split() == text.split()


def test_open_ended_numbered_heading_stands_apart() -> None:
    """A numbered heading that ends openly is no part of its text."""
    text = "1 What this report is for\nIt records what happened to the pier."

    assert [(u.kind, u.text) for u in units(text, wrapped=False)] == [
        ("heading", "1 What this report is for"),
        ("sentence", "It records what happened to the pier."),
    ]


def test_numbered_line_is_no_part_of_text() -> None:
    """A numbered line with a stop that ends openly is no part of the line below either."""
    text = "1. Calling in\nRing the desk by nine."

    assert [u.text for u in units(text, wrapped=False)] == ["Calling in", "Ring the desk by nine."]
