"""How good a ranking is, and how rankings are compared: recall@5, nDCG@10, and tables of them."""

import math
import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

RECALL_AT: Final = 5
GAIN_AT: Final = 10


@dataclass(frozen=True, slots=True)
class Judged:
    """What one way to search did on one question."""

    question: str
    recall: float
    gain: float


def recall(found: Sequence[str], units: Sequence[Collection[str]], at: int = RECALL_AT) -> float:
    """The share of the places of the answer of which something is among the first `at`."""
    seen = set(found[:at])
    return statistics.fmean(not seen.isdisjoint(unit) for unit in units)


def ndcg(found: Sequence[str], right: Collection[str], at: int = GAIN_AT) -> float:
    """Normalised discounted cumulative gain with gains of 0 and 1."""
    gain = sum(1 / math.log2(rank + 2) for rank, item in enumerate(found[:at]) if item in right)
    return gain / sum(1 / math.log2(rank + 2) for rank in range(min(at, len(right))))


def judged(question: str, found: Sequence[str], units: Sequence[Collection[str]]) -> Judged:
    """Both figures of one ranking; every item of every unit is right, and nothing else."""
    right = set().union(*units)
    return Judged(question, recall(found, units), ndcg(found, right))


def means(results: Sequence[Judged]) -> tuple[float, float]:
    """The mean of both figures."""
    gain = statistics.fmean(result.gain for result in results)
    return statistics.fmean(result.recall for result in results), gain


def lead(used: Sequence[Judged], other: Sequence[Judged]) -> tuple[float, float]:
    """By how much nDCG is higher, and the standard error of that difference over the questions."""
    gaps = [one.gain - two.gain for one, two in zip(used, other, strict=True)]
    return statistics.fmean(gaps), statistics.stdev(gaps) / math.sqrt(len(gaps))


def worst(results: Sequence[Judged], most: int = 5) -> list[Judged]:
    """The questions with the least nDCG, those with the least recall first among equals."""
    return sorted(results, key=lambda result: (result.gain, result.recall))[:most]


def table(figures: Mapping[str, Mapping[str, Sequence[Judged]]]) -> str:
    """Markdown: a row for each way to search, a column for each collection."""
    names = list(next(iter(figures.values())))
    lines = [f"| | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for way, by_collection in figures.items():
        cells = [means(by_collection[name]) for name in names]
        lines.append(f"| {way} | {' | '.join(f'{r:.3f} / {g:.3f}' for r, g in cells)} |")
    return "\n".join(lines)
