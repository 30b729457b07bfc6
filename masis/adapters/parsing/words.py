"""Words with their places on a page, as PDF pages and recognised pictures give them."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Word:
    """A word and its box in points, y upwards."""

    text: str
    left: float
    right: float
    bottom: float
    top: float


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
        """Where it begins."""
        return self.words[0].left

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.words[-1].right

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return min(word.bottom for word in self.words)

    @property
    def top(self) -> float:
        """Its upper edge."""
        return max(word.top for word in self.words)

    def cells(self) -> list[list[Word]]:
        """Its words parted at gaps that are wider than any space between words."""
        parts = [[self.words[0]]]
        for word in self.words[1:]:
            if word.left - parts[-1][-1].right > 1.3 * self.size:
                parts.append([word])
            else:
                parts[-1].append(word)
        return parts
