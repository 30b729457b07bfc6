"""Words with their places on a page, as PDF pages and recognised pictures give them."""

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

_WIDE: Final = 1.3
"""Gaps of so many times the size are wider than any space between words."""
BACK: Final = 0.2
"""What begins so far before the end of the last word, in sizes, is drawn over it: another run."""
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def is_accent(char: str) -> bool:
    """Say whether a character is an accent, which is drawn over a letter."""
    return not char.isascii() and unicodedata.category(char) in {"Mn", "Sk", "Lm"}


def is_right_to_left(text: str) -> bool:
    """Say whether a text has letters that are written from right to left."""
    return bool(_RIGHT_TO_LEFT.search(text))


@dataclass(slots=True)
class Word:
    """A word and its box in points, y upwards.

    `first` and `last` are the pieces of a drawing that its first and last characters belong to,
    0 where that is unknown or tells nothing. `seams` are where one begins within it: after so many
    characters, at this x, and which. It is `spaced` where a drawing begins with it, but so near the
    word before it as words of one text stand.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    first: int = 0
    last: int = 0
    seams: tuple[tuple[int, float, int], ...] = ()
    spaced: bool = False

    @property
    def right_to_left(self) -> bool:
        """Return whether the word has letters that are written from right to left."""
        return is_right_to_left(self.text)

    def starts_after(self, word: "Word") -> bool:
        """Say whether the word is known to be drawn apart from the word before it."""
        return bool(word.last and self.first) and word.last != self.first


@dataclass(slots=True)
class Line:
    """A line of text in reading order; `size` is that of its first character, in points."""

    page: int
    size: float
    bold: bool
    words: list[Word] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its words with single spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        """Its left edge."""
        return min(word.left for word in self.words)

    @property
    def right(self) -> float:
        """Its right edge."""
        return max(word.right for word in self.words)

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return min(word.bottom for word in self.words)

    @property
    def top(self) -> float:
        """Its upper edge."""
        return max(word.top for word in self.words)

    def cells(self) -> list[list[Word]]:
        """Its words parted at wide gaps, and where one is drawn over the end of another."""
        if any(word.right_to_left for word in self.words):
            return self._cells_by_place()
        parts = [[self.words[0]]]
        for word in self.words[1:]:
            gap = word.left - parts[-1][-1].right
            if gap > _WIDE * self.size or gap < -BACK * self.size:
                parts.append([word])
            else:
                parts[-1].append(word)
        return parts

    def _cells_by_place(self) -> list[list[Word]]:
        """Its cells from left to right, where words of two directions stand in each other's way."""
        order = {id(word): at for at, word in enumerate(self.words)}
        parts: list[list[Word]] = []
        edge = 0.0
        for word in sorted(self.words, key=lambda word: word.left):
            if parts and word.left - edge <= _WIDE * self.size:
                parts[-1].append(word)
            else:
                parts.append([word])
            edge = max(edge, word.right) if len(parts[-1]) > 1 else word.right
        return [sorted(part, key=lambda word: order[id(word)]) for part in parts]
