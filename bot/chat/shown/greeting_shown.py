"""Give a greeting as every chat shows it: a few words, and questions that can be asked instead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.chat.words.visible_text import one_line

MAX_QUESTIONS: Final = 3
"""That are offered beside a greeting."""


@dataclass(frozen=True, slots=True)
class GreetingShown:
    """Hold what is said to who says hello, or to who put MASIS in: then it has a title.

    `prompts` are words to say next, where a chat offers such.
    """

    said: str
    questions: tuple[str, ...] = ()
    title: str = ""
    prompts: tuple[str, ...] = ()


def greeting_shown(
    said: str,
    questions: Sequence[str] = (),
    *,
    most_chars: int,
    title: str = "",
    prompts: Sequence[str] = (),
) -> GreetingShown:
    """Return a greeting with the first questions that fit a button of so many characters."""
    fitting = [text for each in questions if 0 < len(text := one_line(each)) <= most_chars]
    return GreetingShown(said, tuple(fitting[:MAX_QUESTIONS]), title, tuple(prompts))
