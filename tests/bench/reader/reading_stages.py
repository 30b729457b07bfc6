"""The two stages of the training: general reading of public rows, then the documents of our own."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from tests.bench.reader.reading_examples import Example, Examples
from tests.bench.reader.reading_set import Passage
from tests.bench.reader.shared_rows import Row, SharedExamples

MIXED_IN: Final = 0.2
"""The share of a general epoch that every epoch of our own set has beside it."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Its name, and how long and how fast it learns unless told otherwise."""

    name: str
    epochs: int
    rate: float


GENERAL: Final = Stage("general", epochs=3, rate=8e-5)
OWN: Final = Stage("own", epochs=4, rate=5e-5)
STAGES: Final = {stage.name: stage for stage in (GENERAL, OWN)}


class Course:
    """What is learned in each epoch: the same each time it is asked for."""

    def __init__(self, passages: Sequence[Passage], shared: Sequence[Row], seed: int) -> None:
        self._passages = passages
        self._shared = SharedExamples(shared)
        self._seed = seed

    def epoch(self, stage: Stage, number: int) -> list[Example]:
        """Its examples, in no order that means anything."""
        rng = self.chance(stage, number)
        general = self._shared.epoch(rng)
        if stage is GENERAL:
            return general
        mixed_in = rng.sample(general, round(len(general) * MIXED_IN))
        return [*Examples(self._passages, rng).epoch(), *mixed_in]

    def chance(self, stage: Stage, number: int) -> Random:
        """The chance of one epoch: it depends on nothing that happened before."""
        return Random(f"{self._seed} {stage.name} {number}")
