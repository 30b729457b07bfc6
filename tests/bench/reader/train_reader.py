"""Train the reading model: `python -m tests.bench.reader.train_reader --out FILE`.

It prints the size of the set, and after every epoch how well the held-out documents are read.
"""

import argparse
import math
import os
import time
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from tests.bench.reader.reader_batches import Batch, Encoded, Encoder, batched, tensors
from tests.bench.reader.reader_model import UNSEEN, Reader, base, saved
from tests.bench.reader.reading_examples import Examples, whole
from tests.bench.reader.reading_set import HELD_OUT_EVERY, PASSAGES, Passage, load, split

EPOCHS: Final = 4
BATCH: Final = 16
RATE: Final = 8e-5
"""The highest one: it rises over the first tenth of the steps and falls to nothing by the last."""

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


def read(reader: Reader, batch: Batch) -> Read:
    """Run the network over a batch, in bfloat16 but for its heads' logits and the losses."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        begin, end, answered = reader(batch.ids, batch.mask, batch.segments)
    outside = (1 - batch.mask * batch.segments) * UNSEEN
    outside[:, 0] = 0
    begin, end = begin + outside, end + outside
    where = nn.functional.cross_entropy(begin, batch.begin)
    where = where + nn.functional.cross_entropy(end, batch.end)
    known = (batch.begin > 0).float()
    whether = nn.functional.binary_cross_entropy_with_logits(answered, known)
    return Read(begin, end, answered, where / 2 + whether)


# --- how well it reads ---------------------------------------------------------------------


def auroc(answered: Sequence[float], unanswered: Sequence[float]) -> float:
    """How often an answered question is ranked above an unanswered one; a tie counts half."""
    ranked = sorted(unanswered)
    above = sum(bisect_left(ranked, one) + bisect_right(ranked, one) for one in answered)
    return above / 2 / len(answered) / len(ranked)


def overlapping(found: Read, batch: Batch) -> list[bool]:
    """Whether the likeliest span of each row shares a token with the answer."""
    begin, end = found.begin.clone(), found.end.clone()
    begin[:, 0] = end[:, 0] = 2 * UNSEEN
    spans = begin[:, :, None] + end[:, None, :]
    allowed = torch.ones_like(spans[0], dtype=torch.bool).triu().tril(MOST_ANSWER_TOKENS - 1)
    best = spans.masked_fill(~allowed, 10 * UNSEEN).flatten(1).argmax(1)
    first, last = best // begin.shape[1], best % begin.shape[1]
    shared: list[bool] = ((first <= batch.end) & (last >= batch.begin)).tolist()
    return shared


def judged(reader: Reader, passages: Sequence[Passage], encoder: Encoder) -> str:
    """Every question of these passages with its whole passage, in a line of figures."""
    examples = [whole(one, ask) for one in passages for ask in one.asks]
    encoded = [encoder.encode(example) for example in examples]
    logits: list[float] = []
    overlaps: list[bool] = []
    reader.eval()
    with torch.no_grad():
        for start in range(0, len(encoded), BATCH):
            batch = tensors(encoded[start : start + BATCH])
            found = read(reader, batch)
            logits += found.answered.tolist()
            overlaps += overlapping(found, batch)
    told = list(zip(examples, logits, overlaps, strict=True))
    answered = [logit for example, logit, _ in told if example.answer is not None]
    near_misses = [logit for example, logit, _ in told if example.answer is None]
    shared = sum(overlap for example, _, overlap in told if example.answer is not None)
    apart = auroc(answered, near_misses)
    return f"AUROC {apart:.4f}, answers overlapped {shared / len(answered):.4f}"


# --- training ------------------------------------------------------------------------------


class Training:
    """Steps of AdamW at a rate that rises and falls."""

    def __init__(self, reader: Reader, steps: int, rate: float) -> None:
        learned = [one for one in reader.parameters() if one.requires_grad]
        matrices = {"params": [one for one in learned if one.ndim > 1], "weight_decay": DECAY}
        vectors = {"params": [one for one in learned if one.ndim == 1], "weight_decay": 0}
        self._optimizer = torch.optim.AdamW([matrices, vectors], lr=rate, fused=True)
        self._reader = reader
        self._steps = steps
        self._rate = rate
        self._done = 0

    def epoch(self, batches: Sequence[Sequence[Encoded]]) -> float:
        """One step a batch; the mean loss."""
        self._reader.train()
        return sum(self._step(tensors(batch)) for batch in batches) / len(batches)

    def _step(self, batch: Batch) -> float:
        rising = (self._done + 1) / (self._steps * WARM_UP)
        falling = (self._steps - self._done) / (self._steps * (1 - WARM_UP))
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate * min(rising, falling)
        loss = read(self._reader, batch).loss
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._reader.parameters(), MOST_GRADIENT)
        self._optimizer.step()
        self._done += 1
        return float(loss.item())


def main(options: argparse.Namespace) -> None:
    """Train, print, and write the weights after every epoch."""
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    rng, encoder, started = Random(options.seed), Encoder(), time.monotonic()
    learned, held_out = split(load(options.passages)[: options.first], options.held_out_every)
    draw = Examples(learned, rng)
    epochs = [[encoder.encode(one) for one in draw.epoch()] for _ in range(options.epochs)]
    counts = [len(epoch) for epoch in epochs]
    print(f"{len(learned)} passages, {len(held_out)} held out, examples an epoch: {counts}")
    reader = saved(options.start) if options.start else base()
    steps = sum(math.ceil(count / BATCH) for count in counts)
    training = Training(reader, steps, options.rate)
    for number, examples in enumerate(epochs, start=1):
        loss = training.epoch(batched(examples, BATCH, rng))
        save_file(reader.state_dict(), options.out)
        figures = judged(reader, held_out, encoder) if held_out else "nothing held out"
        seconds = round(time.monotonic() - started)
        print(f"epoch {number}: loss {loss:.4f}, {figures}, {seconds} s", flush=True)


def arguments() -> argparse.ArgumentParser:
    """The command's options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="file of weights to write")
    parser.add_argument("--start", type=Path, help="go on from these weights, not the base model")
    parser.add_argument("--passages", type=Path, default=PASSAGES, help="folder of the set")
    parser.add_argument("--first", type=int, help="only so many passages, to try it out")
    parser.add_argument("--held-out-every", type=int, default=HELD_OUT_EVERY)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    return parser


if __name__ == "__main__":
    main(arguments().parse_args())
