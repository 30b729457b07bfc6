"""Keep what is noted under an answer: few lines are listed, the others are counted, none is lost."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.chat.words.badge_words import MAX_LISTED, cut
from bot.chat.words.shared_sentences import more_in_trail
from bot.chat.words.visible_text import one_line

NOTE_CHARS: Final = 600
"""Of a note that is listed; “How I got this” has it whole."""


@dataclass(frozen=True, slots=True)
class NotedLines:
    """Hold lines of one kind, in order and whole; `mark` stands before each that is listed."""

    lines: tuple[str, ...] = ()
    mark: str = ""

    @classmethod
    def of(cls, said: Iterable[str], mark: str = "") -> "NotedLines":
        """Return what is said, a line each; what is empty is no line."""
        return cls(tuple(line for each in said if (line := one_line(each))), mark)

    @property
    def is_whole(self) -> bool:
        """Tell whether each of them is listed, and uncut."""
        return len(self.lines) <= MAX_LISTED and all(len(each) <= NOTE_CHARS for each in self.lines)

    @property
    def listed(self) -> list[str]:
        """Return the lines that stand under an answer, the last of which counts the others."""
        first = [f"{self.mark}{cut(each, NOTE_CHARS)}" for each in self.lines[:MAX_LISTED]]
        left = len(self.lines) - len(first)
        return [*first, more_in_trail(left)] if left > 0 else first
