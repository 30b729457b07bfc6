"""Measure a reading model as it is shipped: `... measure_reader [FILE]`, without torch.

It reads as the product does, by the same adapter, the dev part of the shared rows and our own
held-out documents, and prints how often an answered question is ranked above a near miss.
"""

import argparse
import asyncio
import hashlib
import os
import statistics
import time
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from masis.adapters import minilm_reader
from masis.adapters.minilm_reader import MiniLMReader
from tests.bench.reader.reading_examples import Example, whole
from tests.bench.reader.reading_set import Passage, load, split
from tests.bench.reader.shared_rows import SHARED, Row, rows, shown

MOST_ROWS: Final = 2_000
"""Of one source; drawn, the same each time."""
OWN: Final = "own, held out"


@dataclass(frozen=True, slots=True)
class Asked:
    """An example of a source, and how much of its question's words the passage says."""

    source: str
    example: Example
    cover: float | None = None


def auroc(answered: Sequence[float], unanswered: Sequence[float]) -> float:
    """How often an answered question is ranked above an unanswered one; a tie counts half."""
    ranked = sorted(unanswered)
    above = sum(bisect_left(ranked, one) + bisect_right(ranked, one) for one in answered)
    return above / 2 / len(answered) / len(ranked)


def of_shared(given: Iterable[Row], most: int) -> list[Asked]:
    """The rows of each source with its near misses, at most so many; every second with its title."""
    families: dict[str, list[Row]] = defaultdict(list)
    for row in given:
        families[row.family].append(row)
    found = []
    for name, family in sorted(families.items()):
        picked = Random(1).sample(family, min(most, len(family)))
        found += [
            Asked(name, shown(row, titled=place % 2 == 0), row.cover)
            for place, row in enumerate(picked)
        ]
    return found


def of_own(passages: Sequence[Passage], most: int) -> list[Asked]:
    """Every question of these passages with its whole passage, at most so many."""
    asked = [Asked(OWN, whole(one, ask)) for one in passages for ask in one.asks]
    return Random(1).sample(asked, min(most, len(asked)))


def table(asked: Sequence[Asked], likelihoods: Sequence[float]) -> list[str]:
    """A line a source: its questions, those answered, AUROC of the model and of the words alone."""
    told: dict[str, list[tuple[Asked, float]]] = defaultdict(list)
    for one, likelihood in zip(asked, likelihoods, strict=True):
        told[one.source].append((one, likelihood))
    lines = ["| source | questions | answered | AUROC | by words alone |", "|---|---|---|---|---|"]
    figures = []
    for source, found in told.items():
        answered = sum(one.example.answerable for one, _ in found)
        if 0 < answered < len(found):
            figure = _apart([(one.example.answerable, likelihood) for one, likelihood in found])
            words = [(one.example.answerable, one.cover) for one, _ in found]
            figures += [figure] * (source != OWN)
            lines.append(
                f"| {source} | {len(found)} | {answered} | {figure:.3f} | {_words(words)} |"
            )
    if figures:
        lines.append(f"| mean of the public sources | | | {statistics.mean(figures):.3f} | |")
    return lines


def _apart(labelled: Sequence[tuple[bool, float]]) -> float:
    answered = [figure for answerable, figure in labelled if answerable]
    return auroc(answered, [figure for answerable, figure in labelled if not answerable])


def _words(labelled: Sequence[tuple[bool, float | None]]) -> str:
    known = [(answerable, cover) for answerable, cover in labelled if cover is not None]
    return f"{_apart(known):.3f}" if len(known) == len(labelled) else ""


def dev_questions(first: int | None, most: int, folder: Path = SHARED) -> Iterator[Asked]:
    """What is measured: the dev part, where it stands beside the checkout, and our held-out documents."""
    yield from of_shared(rows("dev", folder), most)
    yield from of_own(split(load()[:first])[1], most)


async def read(asked: Sequence[Asked], file: Path, threads: int) -> list[float]:
    """As the product reads: each text under its title, one by one."""
    async with MiniLMReader(threads=threads, model_path=file) as reader:
        return [(await reader.answers(one.example.question, [_text(one)]))[0] for one in asked]


def _text(asked: Asked) -> str:
    context, text = asked.example.context, asked.example.text
    return f"{context}: {text}" if context else text


def _trusted(file: Path) -> None:
    """Let the adapter run this file, which is not the shipped one."""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    minilm_reader._MODEL = replace(minilm_reader._MODEL, sha256=digest)  # type: ignore[misc]


def main(options: argparse.Namespace) -> None:
    """Read everything, print the table and what a text takes of a processor."""
    os.nice(options.nice)
    _trusted(options.file)
    asked = list(dev_questions(None, options.rows))
    started = time.process_time()
    found = asyncio.run(read(asked, options.file, options.threads))
    print("\n".join(table(asked, found)))
    milliseconds = 1000 * (time.process_time() - started) / max(1, len(asked))
    print(f"\n{options.file.name}: {milliseconds:.1f} ms of processor a text")


def arguments() -> argparse.ArgumentParser:
    """The command's options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=minilm_reader._FILE)
    parser.add_argument("--rows", type=int, default=MOST_ROWS, help="of a source, at most")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--nice", type=int, default=0)
    return parser


if __name__ == "__main__":
    main(arguments().parse_args())
