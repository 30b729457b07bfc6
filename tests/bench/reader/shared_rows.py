"""The labelled rows of public sources: read where they stand, and drawn for an epoch of training.

They lie beside the checkout, in `../shared/data/reader-train`, whose README names sources and
licences. None of them is copied into this repository.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

from tests.bench.reader.reading_examples import Example
from tests.bench.reader.reading_set import Span

SHARED: Final = Path(__file__).parents[4] / "shared" / "data" / "reader-train"

Part = Literal["train", "dev"]

MOST_ROWS: Final = 50_000
"""Of one source; more are not read."""
MOST_LINE_CHARS: Final = 100_000

FAMILY: Final = {"qed": "nq", "nq-swap": "nq"}
"""Sources whose near misses stand in another one's file."""
TITLED: Final = frozenset({"squad", "shifts-wiki", "nq", "selqa"})
"""What documents begin with whose names are titles; those of the others are numbers and hashes."""
NOISY: Final = {"qmsum": 0.3, "qasper": 0.3}
"""What a row's losses are multiplied by where the source's labels are often wrong."""

BINS: Final = 10
"""Of `cover`: an answerable row and a made near miss of one bin make a pair."""
HUMAN_MISSES: Final = 2
"""How often an epoch shows a near miss that people wrote: there are few, and they teach most."""
SHOWN_TITLED: Final = 0.5


@dataclass(frozen=True, slots=True)
class Row:
    """A question with a passage, as labelled.

    `answer` is where the answer stands; None where there is none, and where the source does not
    mark it. `cover` is the weighted share of the question's words that stand in the passage.
    """

    source: str
    question: str
    title: str
    passage: str
    answerable: bool
    answer: Span | None
    human: bool
    cover: float

    @property
    def family(self) -> str:
        """The source whose near misses its answerable rows are paired with."""
        return FAMILY.get(self.source, self.source)


def rows(part: Part, folder: Path = SHARED, first: int = MOST_ROWS) -> Iterator[Row]:
    """The rows of one part, file by file; of each at most the first so many.

    Raises:
        ValueError: a row contradicts itself.
    """
    for path in sorted((folder / part).glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(islice(lines, min(first, MOST_ROWS)), start=1):
                if len(line) > MOST_LINE_CHARS:
                    raise ValueError(f"{path.name}:{number} is too long")
                yield _row(json.loads(line))


def _row(given: dict[str, Any]) -> Row:
    """`yes_no` is not looked at: a passage answers such a question with no as well as with yes."""
    answerable, passage = bool(given["answerable"]), given["passage"]
    answer = None
    for one in given["answers"][:1]:
        answer = one["start"], one["start"] + len(one["text"])
        if not answerable or not one["text"] or passage[slice(*answer)] != one["text"]:
            raise ValueError(f"the answer of {given['id']} does not stand in its passage")
    human = given["made"] == "human"
    if answerable and not human:
        raise ValueError(f"{given['id']} is a made near miss that answers")
    title = _title(given["document"])
    cover = float(given["cover"])
    return Row(given["source"], given["question"], title, passage, answerable, answer, human, cover)


def _title(document: str) -> str:
    kind, _, name = document.partition(":")
    return name.replace("_", " ").strip() if kind in TITLED else ""


def shown(row: Row, *, titled: bool = False, whether: bool = True) -> Example:
    """The row as it is read; without `whether` it teaches where an answer stands alone."""
    weight = NOISY.get(row.source, 1.0)
    return Example(
        row.question,
        row.title if titled else "",
        row.passage,
        row.answer,
        unmarked=row.answerable and row.answer is None,
        whether=weight if whether else 0.0,
        where=weight,
    )


class SharedExamples:
    """Draws the examples of an epoch from the rows, anew each time."""

    def __init__(self, given: Sequence[Row]) -> None:
        families: dict[str, list[Row]] = defaultdict(list)
        for row in given:
            families[row.family].append(row)
        self._families = [families[name] for name in sorted(families)]

    def epoch(self, rng: Random) -> list[Example]:
        """All that people labelled, their near misses twice, and of the made ones a balanced part."""
        return [example for family in self._families for example in _drawn(family, rng)]


def _drawn(family: Sequence[Row], rng: Random) -> Iterator[Example]:
    """One source's rows.

    A model that is shown made near misses as they come learns to count the question's words. So in
    each bin of `cover` there are at most as many of them as answerable rows, and an answerable row
    that finds no partner does not teach whether a passage answers: it teaches where, or waits for
    another epoch. A source with near misses by people alone is taken as it is.
    """
    balanced = any(not row.answerable and not row.human for row in family)
    for alike in _by_cover(family):
        answerable = [row for row in alike if row.answerable]
        human = [row for row in alike if row.human and not row.answerable] * HUMAN_MISSES
        made = [row for row in alike if not row.human]
        rng.shuffle(answerable)
        pairs = rng.sample(made, min(len(made), max(0, len(answerable) - len(human))))
        paired = len(human) + len(pairs) if balanced else len(answerable)
        for place, row in enumerate(answerable):
            if place < paired or row.answer is not None:
                yield shown(row, titled=_titled(rng), whether=place < paired)
        for row in [*human, *pairs]:
            yield shown(row, titled=_titled(rng))


def _by_cover(family: Sequence[Row]) -> list[list[Row]]:
    bins: list[list[Row]] = [[] for _ in range(BINS)]
    for row in family:
        bins[max(0, min(BINS - 1, int(row.cover * BINS)))].append(row)
    return bins


def _titled(rng: Random) -> bool:
    return rng.random() < SHOWN_TITLED
