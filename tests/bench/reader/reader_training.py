"""Train the reading model step by step, and keep its state so that the same command goes on."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from tests.bench.reader.reader_batches import Batch, Encoder, batched, tensors
from tests.bench.reader.reader_model import UNSEEN, Reader, learned
from tests.bench.reader.reading_examples import Example
from tests.bench.reader.reading_stages import Course, Stage

WARM_UP: Final = 0.1
DECAY: Final = 0.01
MOST_GRADIENT: Final = 1.0
MOST_ANSWER_TOKENS: Final = 40


@dataclass(frozen=True, slots=True)
class Read:
    """What the network says of a batch: logits as `Reader` gives them, and how wrong they are.

    Only [CLS] and the tokens of the text are left as begin and end.
    """

    begin: Tensor
    end: Tensor
    answered: Tensor
    loss: Tensor

    def overlapping(self, batch: Batch) -> list[bool]:
        """Whether the likeliest span of each row shares a token with the answer."""
        begin, end = self.begin.clone(), self.end.clone()
        begin[:, 0] = end[:, 0] = 2 * UNSEEN
        spans = begin[:, :, None] + end[:, None, :]
        allowed = torch.ones_like(spans[0], dtype=torch.bool).triu().tril(MOST_ANSWER_TOKENS - 1)
        best = spans.masked_fill(~allowed, 10 * UNSEEN).flatten(1).argmax(1)
        first, last = best // begin.shape[1], best % begin.shape[1]
        shared: list[bool] = ((first <= batch.end) & (last >= batch.begin)).tolist()
        return shared


def read(reader: Reader, batch: Batch) -> Read:
    """Run the network over a batch, in bfloat16 but for its heads' logits and the losses."""
    with torch.autocast(batch.ids.device.type, dtype=torch.bfloat16):
        begin, end, answered = reader(batch.ids, batch.mask, batch.segments)
    outside = (1 - batch.mask * batch.segments) * UNSEEN
    outside[:, 0] = 0
    begin, end = begin + outside, end + outside
    where = nn.functional.cross_entropy(begin, batch.begin, reduction="none")
    where = where + nn.functional.cross_entropy(end, batch.end, reduction="none")
    whether = nn.functional.binary_cross_entropy_with_logits(
        answered, batch.answered, reduction="none"
    )
    loss = (batch.where * where / 2 + batch.whether * whether).mean()
    return Read(begin, end, answered, loss)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a kept state belongs to: with any of it changed, it is another training."""

    stage: str
    epochs: int
    rate: float
    batch: int
    tokens: int
    seed: int
    examples: int
    """In the first epoch; the later ones hardly differ."""

    @property
    def steps(self) -> int:
        """Of all epochs."""
        return self.epochs * math.ceil(self.examples / self.batch)

    def as_row(self) -> dict[str, Any]:
        """As it is kept."""
        return {name: getattr(self, name) for name in self.__slots__}


class Training:
    """Steps of AdamW at a rate that rises and falls, from whatever state was kept.

    Raises:
        ValueError: the state is of another plan.
    """

    def __init__(self, reader: Reader, plan: Plan, state: Path) -> None:
        moved = [one for one in reader.parameters() if one.requires_grad]
        matrices = {"params": [one for one in moved if one.ndim > 1], "weight_decay": DECAY}
        vectors = {"params": [one for one in moved if one.ndim == 1], "weight_decay": 0}
        self._optimizer = torch.optim.AdamW([matrices, vectors], lr=plan.rate, fused=True)
        self._device = next(reader.parameters()).device
        self._encoder = Encoder(plan.tokens)
        self._reader, self._plan, self._state = reader, plan, state
        self.number, self.step, self.done, self._loss = 1, 0, 0, 0.0
        if state.exists():
            self._go_on()

    @property
    def finished(self) -> bool:
        """Whether all epochs are done."""
        return self.number > self._plan.epochs

    def epoch(self, course: Course, stage: Stage, deadline: float, every: int) -> float | None:
        """Do the rest of the epoch and keep the state; its mean loss, or None where time ran out."""
        rng = course.chance(stage, self.number + self._plan.epochs)
        batches = batched(course.epoch(stage, self.number), self._plan.batch, rng)
        self._reader.train()
        for batch in batches[self.step :]:
            self._learn(batch)
            late = time.monotonic() >= deadline
            if late or self.step % every == 0:
                self.keep()
            if late:
                return None
        mean = self._loss / max(1, self.step)
        self.number, self.step, self._loss = self.number + 1, 0, 0.0
        self.keep()
        return mean

    def _learn(self, examples: Sequence[Example]) -> None:
        batch = tensors([self._encoder.encode(one) for one in examples]).on(self._device)
        rising = (self.done + 1) / (self._plan.steps * WARM_UP)
        falling = (self._plan.steps - self.done) / (self._plan.steps * (1 - WARM_UP))
        for group in self._optimizer.param_groups:
            group["lr"] = self._plan.rate * max(0.0, min(rising, falling, 1.0))
        loss = read(self._reader, batch).loss
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._reader.parameters(), MOST_GRADIENT)
        self._optimizer.step()
        self.step, self.done, self._loss = self.step + 1, self.done + 1, self._loss + loss.item()

    # --- what is kept ----------------------------------------------------------------------

    def keep(self) -> None:
        """Write everything that going on takes; a file that is half written replaces nothing."""
        kept = {
            "plan": self._plan.as_row(),
            "at": [self.number, self.step, self.done, self._loss],
            "reader": learned(self._reader),
            "optimizer": self._optimizer.state_dict(),
            "chance": torch.get_rng_state(),
            "chance_there": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        }
        written(self._state, lambda path: torch.save(kept, path))

    def _go_on(self) -> None:
        kept = torch.load(self._state, map_location="cpu", weights_only=True)
        if kept["plan"] != self._plan.as_row():
            raise ValueError(
                f"{self._state} was kept by a training with other options ({kept['plan']}); "
                "give the same ones, or another --out"
            )
        self.number, self.step, self.done, self._loss = kept["at"]
        self._reader.load_state_dict(self._reader.state_dict() | kept["reader"])
        self._optimizer.load_state_dict(kept["optimizer"])
        torch.set_rng_state(kept["chance"])
        if torch.cuda.is_available() and len(kept["chance_there"]) == torch.cuda.device_count():
            torch.cuda.set_rng_state_all(kept["chance_there"])


def written(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside it and put that in its place."""
    beside = path.with_name(f"{path.name}.new")
    write(beside)
    beside.replace(path)
