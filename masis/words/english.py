"""Tell whether a word is one of English, by a list of some 80,000.

The list is kept as the one piece of text that it is read as, which takes a tenth of a set's memory.
"""

import re
from collections.abc import Collection
from functools import cache
from importlib import resources
from typing import Final

_LIST: Final = "english_words.txt"
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_LEAST: Final = 2
"""Words that tell a language."""


def is_english(word: str) -> bool:
    """Tell whether a word, in lower case, is in the list with its usual spellings."""
    return word.isascii() and word.isalpha() and _has(_words(), word.encode())


def reads_english(text: str, aside: Collection[str] = ()) -> bool:
    """Tell whether a text is in English, as far as it can be told: half of its words are.

    Those `aside` say nothing, and where too few say something it is.
    """
    said = [word for word in _WORD.findall(text.lower()) if word not in aside]
    return len(said) < _LEAST or 2 * sum(map(is_english, said)) >= len(said)


def _has(words: bytes, word: bytes) -> bool:
    """Search the list, which is in order, by halves: a word that is missing costs no look at all of it."""
    low, high = 0, len(words) - 1
    while low < high:
        start = words.rfind(b"\n", 0, (low + high) // 2 + 1) + 1
        end = words.index(b"\n", start)
        found = words[start:end]
        if found == word:
            return True
        if found < word:
            low = end + 1
        else:
            high = start - 1
    return False


@cache
def _words() -> bytes:
    return b"\n" + (resources.files("masis.words") / "data" / _LIST).read_bytes()
