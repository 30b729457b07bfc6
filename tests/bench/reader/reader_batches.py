"""Examples as the reading model takes them: tokens, in batches of about the same length."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from random import Random
from typing import Final

import torch
from tokenizers import BertWordPieceTokenizer
from torch import Tensor

from masis.adapters.minilm_reader import MAX_QUESTION_TOKENS, MAX_TOKENS
from tests.bench.reader.reading_examples import Example

VOCABULARY: Final = Path(__file__).parents[3] / "masis" / "adapters" / "data" / "bert_vocab.txt"
BEGIN: Final = 101
SEPARATOR: Final = 102
"""The tokens [CLS] and [SEP] of that vocabulary."""

ALIKE: Final = 16
"""Tokens of which a batch is a multiple long: what is prepared for each length is kept, some gigabytes otherwise."""
POOLED_BATCHES: Final = 20
"""Batches of alike length are cut from so many at a time: little padding, and still shuffled."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """`[CLS] question [SEP] context: text [SEP]`: its ids, and the segment of each, 0 or 1.

    `begin` and `end` are the places of the first and the last token of the answer; without an
    answer both are 0, the place of [CLS]. `whether` and `where` weigh its two losses.
    """

    ids: list[int]
    segments: list[int]
    begin: int
    end: int
    answered: bool
    whether: float
    where: float


@dataclass(frozen=True, slots=True)
class Batch:
    """Encoded examples as tensors of shape (rows, tokens) and (rows,)."""

    ids: Tensor
    mask: Tensor
    segments: Tensor
    begin: Tensor
    end: Tensor
    answered: Tensor
    whether: Tensor
    where: Tensor

    def on(self, device: torch.device) -> "Batch":
        """The same batch, where the network is."""
        return Batch(*(getattr(self, field.name).to(device) for field in fields(self)))


class Encoder:
    """Turns examples into tokens, with the vocabulary of the model that is shipped."""

    def __init__(self, most_tokens: int = MAX_TOKENS) -> None:
        self._most_tokens = most_tokens
        self._tokenizer = BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)

    def encode(self, example: Example) -> Encoded:
        """Of at most so many tokens.

        An answer behind the last of them is none. Where nobody marked it and the text is cut,
        nobody knows: it teaches nothing.
        """
        question = self._tokenizer.encode(example.question, add_special_tokens=False)
        asked = [BEGIN, *question.ids[-MAX_QUESTION_TOKENS:], SEPARATOR]
        title = f"{example.context}: " if example.context else ""
        read = self._tokenizer.encode(title + example.text, add_special_tokens=False)
        room = self._most_tokens - len(asked) - 1
        ids = [*asked, *read.ids[:room], SEPARATOR]
        segments = [0] * len(asked) + [1] * (len(ids) - len(asked))
        begin = end = 0
        if example.answer is not None:
            first, last = (place + len(title) for place in example.answer)
            places = [
                len(asked) + place
                for place, (start, stop) in enumerate(read.offsets[:room])
                if stop > first and start < last
            ]
            begin, end = (places[0], places[-1]) if places else (0, 0)
        answered = begin > 0 or example.unmarked
        unknown = example.unmarked and len(read.ids) > room
        whether = 0.0 if unknown else example.whether
        where = 0.0 if example.unmarked else example.where
        return Encoded(ids, segments, begin, end, answered, whether, where)


def batched(examples: Iterable[Example], size: int, rng: Random) -> list[list[Example]]:
    """All of them, in an order drawn anew, with examples of about the same length together."""
    drawn = list(examples)
    rng.shuffle(drawn)
    pool = size * POOLED_BATCHES
    batches = []
    for start in range(0, len(drawn), pool):
        alike = sorted(drawn[start : start + pool], key=lambda one: len(one.question + one.text))
        batches += [alike[place : place + size] for place in range(0, len(alike), size)]
    rng.shuffle(batches)
    return batches


def tensors(examples: Sequence[Encoded]) -> Batch:
    """The shorter ones are filled up with token 0, which the mask leaves out."""
    longest = max(len(one.ids) for one in examples)
    longest += -longest % ALIKE
    ids = torch.zeros(len(examples), longest, dtype=torch.long)
    segments, mask = torch.zeros_like(ids), torch.zeros(len(examples), longest)
    for row, one in enumerate(examples):
        ids[row, : len(one.ids)] = torch.tensor(one.ids)
        segments[row, : len(one.ids)] = torch.tensor(one.segments)
        mask[row, : len(one.ids)] = 1
    begin = torch.tensor([one.begin for one in examples])
    end = torch.tensor([one.end for one in examples])
    answered = torch.tensor([float(one.answered) for one in examples])
    whether = torch.tensor([one.whether for one in examples])
    where = torch.tensor([one.where for one in examples])
    return Batch(ids, mask, segments, begin, end, answered, whether, where)
