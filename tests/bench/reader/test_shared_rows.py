"""What the reading model is shown of the public sources, and in what balance."""

import gzip
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.bench.reader.measure_reader import Asked, auroc, of_own, of_shared, table
from tests.bench.reader.reading_examples import Example
from tests.bench.reader.reading_set import Ask, Passage
from tests.bench.reader.reading_stages import GENERAL, OWN, Course
from tests.bench.reader.shared_rows import SHARED, Row, SharedExamples, rows, shown

GIVEN: dict[str, Any] = {
    "id": "town-1",
    "source": "town",
    "document": "town:7",
    "question": "What does a car cost?",
    "passage": "Bikes are free. A car costs £9 a day.",
    "answers": [{"text": "£9 a day", "start": 28}],
    "answerable": 1,
    "made": "human",
    "cover": 0.5,
}


def written(folder: Path, *changes: dict[str, Any]) -> Path:
    """A folder with one source, whose rows differ from `GIVEN` in these."""
    (folder / "train").mkdir()
    with gzip.open(folder / "train" / "town.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.writelines(f"{json.dumps(GIVEN | change)}\n" for change in changes)
    return folder


def row(kind: str, *, cover: float = 0.5, source: str = "town", number: int = 0) -> Row:
    """`spanned`, `unmarked`, `missed` by people, or `made`."""
    answer = (0, 2) if kind == "spanned" else None
    answerable, human = kind in {"spanned", "unmarked"}, kind != "made"
    return Row(source, f"{kind} {number}?", "Title", "It is.", answerable, answer, human, cover)


def many(kind: str, count: int, **where: Any) -> list[Row]:
    return [row(kind, number=number, **where) for number in range(count)]


def kinds(examples: list[Example]) -> Counter[str]:
    return Counter(one.question.split()[0] for one in examples)


# --- reading -------------------------------------------------------------------------------


def test_rows_are_read_as_labelled(tmp_path: Path) -> None:
    miss = {"answers": [], "answerable": 0, "made": "minus", "document": "squad:Car_parks"}
    folder = written(tmp_path, {}, miss, {"answers": [], "yes_no": 0})
    told, near, unmarked = rows("train", folder)
    assert told.answer is not None
    assert told.passage[slice(*told.answer)] == "£9 a day"
    assert (near.answerable, near.human, near.title, told.title) == (False, False, "Car parks", "")
    assert (unmarked.answerable, unmarked.answer) == (True, None)


def test_first_rows_of_each_file(tmp_path: Path) -> None:
    assert len(list(rows("train", written(tmp_path, {}, {}, {}), first=2))) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"answers": [{"text": "£9 a day", "start": 27}]},
        {"answerable": 0},
        {"made": "near"},
        {"passage": "x" * 200_000},
    ],
)
def test_contradictory_rows_are_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="town"):
        list(rows("train", written(tmp_path, change)))


# --- an epoch ------------------------------------------------------------------------------


def test_human_near_misses_come_twice() -> None:
    given = [*many("spanned", 3), *many("missed", 2)]
    drawn = SharedExamples(given).epoch(Random(1))
    assert kinds(drawn) == {"spanned": 3, "missed": 4}
    assert {one.whether for one in drawn} == {1.0}


def test_made_near_misses_match_in_cover() -> None:
    """A made near miss is shown beside an answerable row of like cover only."""
    low, high = many("spanned", 2, cover=0.15), many("spanned", 6, cover=0.95)
    misses = [*many("made", 5, cover=0.11), *many("made", 4, cover=1.0)]
    drawn = SharedExamples([*low, *high, *misses]).epoch(Random(1))
    assert kinds(drawn) == {"spanned": 8, "made": 6}
    assert sum(one.whether for one in drawn if one.answerable) == 6
    assert all(one.where == 1 for one in drawn)


def test_unpaired_rows_without_spans_wait() -> None:
    given = [*many("unmarked", 5), *many("made", 2)]
    seen = {
        one.question
        for seed in range(40)
        for one in SharedExamples(given).epoch(Random(seed))
        if one.answerable
    }
    assert kinds(SharedExamples(given).epoch(Random(1))) == {"unmarked": 2, "made": 2}
    assert len(seen) == 5


def test_paired_sources_share_near_misses() -> None:
    """A source without near misses is paired with those of its family."""
    given = [*many("spanned", 2, source="qed"), *many("made", 3, source="nq")]
    assert kinds(SharedExamples(given).epoch(Random(1))) == {"spanned": 2, "made": 2}


def test_epochs_differ_and_can_be_repeated() -> None:
    draw = SharedExamples([*many("spanned", 3), *many("made", 9)])
    assert draw.epoch(Random(1)) == draw.epoch(Random(1))
    assert draw.epoch(Random(1)) != draw.epoch(Random(2))


def test_half_of_passages_carry_titles() -> None:
    drawn = SharedExamples(many("spanned", 400)).epoch(Random(1))
    assert 150 < sum(one.context == "Title" for one in drawn) < 250


def test_noisy_sources_weigh_less() -> None:
    """An answer that nobody marked is answerable without a place."""
    noisy = shown(row("unmarked", source="qmsum"))
    assert noisy.whether == noisy.where == 0.3
    assert noisy.answerable
    assert noisy.answer is None


# --- stages --------------------------------------------------------------------------------

PASSAGES = [
    Passage(
        "sites", f"Guide {number}", "Bikes are free.", (Ask("Fee?", "free"), Ask("Vans?", None))
    )
    for number in range(10)
]


def test_own_stage_mixes_in_general_rows() -> None:
    """A fifth of a general epoch comes with every epoch of our own set."""
    course = Course(PASSAGES, [*many("spanned", 50), *many("missed", 25)], seed=1)
    assert len(course.epoch(GENERAL, 1)) == 100
    drawn = course.epoch(OWN, 1)
    assert sum(one.text == "It is." for one in drawn) == 20
    assert sum(one.text == "Bikes are free." for one in drawn) >= 20


def test_same_epoch_is_drawn_again() -> None:
    """What was interrupted goes on with the same examples in the same order."""
    first, again = (Course(PASSAGES, many("spanned", 20), seed=1) for _ in range(2))
    assert first.epoch(OWN, 2) == again.epoch(OWN, 2)
    assert first.epoch(OWN, 2) != again.epoch(OWN, 3)


# --- figures -------------------------------------------------------------------------------


def test_ties_count_half_in_auroc() -> None:
    assert auroc([0.9, 0.5], [0.5, 0.1]) == 0.875


def test_table_has_a_line_a_source() -> None:
    asked = [
        Asked("town", shown(row("spanned")), 0.9),
        Asked("town", shown(row("made")), 0.1),
        *of_own(PASSAGES[:1], most=9),
    ]
    likely = [0.2 if one.example.answerable else 0.7 for one in asked[:2]]
    lines = table(asked, [*likely, *(float(one.example.answerable) for one in asked[2:])])
    assert lines[2] == "| town | 2 | 1 | 0.000 | 1.000 |"
    assert lines[3] == "| own, held out | 2 | 1 | 1.000 |  |"


def test_measured_rows_are_bounded() -> None:
    """Of each source so many rows are measured, the same each time."""
    given = [*many("spanned", 30), *many("made", 30, source="other")]
    assert Counter(one.source for one in of_shared(given, 10)) == {"town": 10, "other": 10}
    assert of_shared(given, 10) == of_shared(given, 10)


# --- the shared set ------------------------------------------------------------------------


@pytest.mark.shared
def test_shared_set_is_read_and_balanced() -> None:
    """All rows hold together, and no source's made near misses outnumber its answerable rows."""
    if not SHARED.is_dir():
        pytest.skip("the labelled rows are not beside the checkout (../shared/data/reader-train)")
    given = list(rows("train", first=1_500))
    drawn = SharedExamples(given).epoch(Random(1))
    assert len({one.source for one in given}) == 16
    assert all(one.answer is None or one.text[slice(*one.answer)].strip() for one in drawn)
    taught = sum(one.whether for one in drawn if one.answerable)
    missed = sum(one.whether for one in drawn if not one.answerable)
    assert 0.4 < taught / (taught + missed) < 0.6
