"""What the reading model is shown: the questions of the set with more or less of a passage.

A search finds whole passages and pieces of them, the right one and its neighbours. So a question
comes with its passage, with a run of its sentences, with the passage less the sentence that
answers it, with another passage of the same document, and with one from elsewhere.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from tests.bench.reader.reading_set import ANSWERED, NEAR_MISSES, Ask, Passage, Span

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"“\-])|\n+")
_NEIGHBOURS: Final = (0, 0, 1, 1, 2, 3)
"""How many sentences a run takes in on either side, each as likely as it stands here."""

_LEAST_TYPO_CHARS: Final = 13
"""A shorter question would be no longer understood."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question and a text to read, and where in the text the answer stands, if it does.

    `context` is empty where the text comes without its title. `unmarked`: the text answers, and
    nobody marked where. `whether` and `where` weigh what it teaches about either, from 0 to 1.
    """

    question: str
    context: str
    text: str
    answer: Span | None
    unmarked: bool = False
    whether: float = 1.0
    where: float = 1.0

    @property
    def answerable(self) -> bool:
        """Whether the text answers the question."""
        return self.unmarked or self.answer is not None


def whole(passage: Passage, ask: Ask) -> Example:
    """The question as it stands in the set, with all of its passage."""
    answer = None if ask.answer is None else passage.span(ask.answer)
    return Example(ask.question, passage.context, passage.text, answer)


@dataclass(frozen=True, slots=True)
class Mix:
    """How often each thing happens, from 0 to 1.

    A passage comes `whole`, else as a run of sentences, and `titled`, else without its context. An
    answered question comes once more `without` its answer, with a `sibling` of the same document,
    and with a passage from `elsewhere`. A question loses its mark (`unmarked`) or has a `typo`.
    """

    whole: float = 0.5
    titled: float = 0.85
    without: float = 0.5
    sibling: float = 0.5
    elsewhere: float = 0.15
    unmarked: float = 0.25
    typo: float = 0.05


USUAL: Final = Mix()


def sentences(text: str) -> list[Span]:
    """Its sentences and lines, without the space between them."""
    ends = [(gap.start(), gap.end()) for gap in _SENTENCE_END.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(text)]
    return [(start, stop) for start, stop in zip(starts, stops, strict=True) if start < stop]


def run(text: str, answer: Span | None, rng: Random) -> tuple[str, Span | None]:
    """A few sentences in a row, with all of the answer if there is one, and where it is now."""
    units = sentences(text)
    if answer is None:
        first = last = rng.randrange(len(units))
    else:
        first, last = _touched(units, answer)
    start = units[max(0, first - rng.choice(_NEIGHBOURS))][0]
    stop = units[min(len(units) - 1, last + rng.choice(_NEIGHBOURS))][1]
    return text[start:stop], answer and (answer[0] - start, answer[1] - start)


def without(text: str, answer: Span) -> str:
    """The text less the sentences of its answer; empty if the answer stands elsewhere, too."""
    units = sentences(text)
    first, last = _touched(units, answer)
    before, after = units[:first], units[last + 1 :]
    kept = " ".join(text[part[0][0] : part[-1][1]] for part in (before, after) if part)
    return "" if text[slice(*answer)] in kept else kept


def _touched(units: Sequence[Span], answer: Span) -> tuple[int, int]:
    """The first and the last sentence that has a character of the answer."""
    hit = [
        place for place, (start, stop) in enumerate(units) if stop > answer[0] and start < answer[1]
    ]
    return hit[0], hit[-1]


MISSES: Final = NEAR_MISSES / ANSWERED
"""Near misses shown for each answered question, however many a passage has."""


def misses_shown(passage: Passage) -> float:
    """How many near misses of the passage an epoch shows, in the mean."""
    answered = sum(ask.answer is not None for ask in passage.asks)
    misses = len(passage.asks) - answered
    return min(misses, max(1.0, answered * MISSES))


def drawn(passage: Passage, rng: Random) -> list[Ask]:
    """All answered questions and as many of its near misses as keep the balance, in their order."""
    many, rest = divmod(misses_shown(passage), 1)
    misses = [place for place, ask in enumerate(passage.asks) if ask.answer is None]
    kept = set(rng.sample(misses, int(many) + (rng.random() < rest)))
    return [
        ask for place, ask in enumerate(passage.asks) if ask.answer is not None or place in kept
    ]


class Examples:
    """Makes them from the set; every epoch draws anew."""

    def __init__(self, passages: Sequence[Passage], rng: Random, mix: Mix = USUAL) -> None:
        self._passages = passages
        self._rng = rng
        self._mix = mix
        self._documents: dict[tuple[str, str], list[Passage]] = defaultdict(list)
        for passage in passages:
            self._documents[passage.document].append(passage)

    def epoch(self) -> Iterator[Example]:
        """The questions drawn with their passage, and the answered ones where nothing answers them."""
        for passage in self._passages:
            for ask in drawn(passage, self._rng):
                yield self._own(passage, ask)
                if ask.answer is not None:
                    yield from self._unanswered(passage, ask, ask.answer)

    def _own(self, passage: Passage, ask: Ask) -> Example:
        text, answer = passage.text, whole(passage, ask).answer
        if not self._happens(self._mix.whole):
            text, answer = run(text, answer, self._rng)
        return Example(self._asked(ask), self._context(passage), text, answer)

    def _unanswered(self, passage: Passage, ask: Ask, answer: str) -> Iterator[Example]:
        if self._happens(self._mix.without):
            rest = without(passage.text, passage.span(answer))
            if rest:
                yield Example(self._asked(ask), self._context(passage), rest, None)
        siblings = [one for one in self._documents[passage.document] if one is not passage]
        if siblings and self._happens(self._mix.sibling):
            yield self._beside(ask, self._rng.choice(siblings))
        if self._happens(self._mix.elsewhere):
            other = self._rng.choice(self._passages)
            if other.document != passage.document:
                yield self._beside(ask, other)

    def _beside(self, ask: Ask, other: Passage) -> Example:
        return Example(self._asked(ask), self._context(other), other.text, None)

    def _context(self, passage: Passage) -> str:
        return passage.context if self._happens(self._mix.titled) else ""

    def _asked(self, ask: Ask) -> str:
        """The question as somebody in a hurry types it."""
        question = ask.question
        if self._happens(self._mix.unmarked):
            question = question.rstrip("?")
        if len(question) >= _LEAST_TYPO_CHARS and self._happens(self._mix.typo):
            at = self._rng.randrange(1, len(question) - 2)
            question = question[:at] + question[at + 1] + question[at] + question[at + 2 :]
        return question

    def _happens(self, often: float) -> bool:
        return self._rng.random() < often
