"""The labelled set that the reading model learns from, and the rules that every passage keeps."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PASSAGES: Final = Path(__file__).parent / "passages"

ANSWERED: Final = 4
NEAR_MISSES: Final = 3
ASKS: Final = frozenset({(ANSWERED, NEAR_MISSES), (6, 9)})
"""How many questions of a passage are answered and how many are not: as first written, and extended."""
LEAST_WORDS: Final = 45
MOST_WORDS: Final = 190
MOST_ANSWER_CHARS: Final = 260
"""A clause or a step; an answer that is longer says no more where it stands."""

HELD_OUT_EVERY: Final = 8
"""Every eighth document teaches nothing and is asked about after each epoch."""

Span = tuple[int, int]
"""Where a piece begins and ends in its text, in characters."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, and the piece of the passage that answers it; None for a near miss."""

    question: str
    answer: str | None


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of an invented document, and what is asked of it.

    `context` is the document's title, for most followed by ` › ` and the section's heading.
    """

    subject: str
    context: str
    text: str
    asks: tuple[Ask, ...]

    @property
    def document(self) -> tuple[str, str]:
        """What it shares with its neighbours: whoever holds out one of them holds out all."""
        return self.subject, self.context.split("›", maxsplit=1)[0].strip()

    def span(self, answer: str) -> Span:
        """Where the answer stands first.

        Raises:
            ValueError: it does not stand there.
        """
        start = self.text.index(answer)
        return start, start + len(answer)


def load(folder: Path = PASSAGES) -> list[Passage]:
    """Every passage of the set, by subject and in the order of its file."""
    return [passage for path in sorted(folder.glob("*.jsonl")) for passage in _file(path)]


def _file(path: Path) -> Iterator[Passage]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        asks = tuple(Ask(ask["q"], ask["a"]) for ask in row["asks"])
        yield Passage(path.stem, row["context"], row["text"], asks)


def faults(passage: Passage) -> list[str]:
    """Which rules a passage breaks, in words."""
    answers = [ask.answer for ask in passage.asks if ask.answer is not None]
    words = len(passage.text.split())
    found = []
    if not LEAST_WORDS <= words <= MOST_WORDS:
        found.append(f"{words} words")
    if (len(answers), len(passage.asks) - len(answers)) not in ASKS:
        found.append(f"{len(answers)} of {len(passage.asks)} questions are answered")
    if len({ask.question.strip() for ask in passage.asks} - {""}) != len(passage.asks):
        found.append("a question is empty or asked twice")
    found += [f"too long: {answer}" for answer in answers if len(answer) > MOST_ANSWER_CHARS]
    found += [
        f"not in the text: {answer!r}"
        for answer in answers
        if not answer.strip() or answer not in passage.text
    ]
    return found


def split(
    passages: Sequence[Passage], every: int = HELD_OUT_EVERY
) -> tuple[list[Passage], list[Passage]]:
    """Those to learn from, and those of every n-th document, which are held out."""
    documents = sorted({passage.document for passage in passages})
    held_out = set(documents[every - 1 :: every])
    return (
        [passage for passage in passages if passage.document not in held_out],
        [passage for passage in passages if passage.document in held_out],
    )
