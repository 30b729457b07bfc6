"""Whether a word is one of English, by a list of some 80,000.

The list is kept as the one piece of text that it is read as, which takes a tenth of a set's memory.
"""

from functools import cache
from importlib import resources
from typing import Final

_LIST: Final = "english_words.txt"


def is_english(word: str) -> bool:
    """Tell whether a word, in lower case, is in the list with its usual spellings."""
    return word.isascii() and word.isalpha() and f"\n{word}\n".encode() in _words()


@cache
def _words() -> bytes:
    return b"\n" + (resources.files("masis") / "data" / _LIST).read_bytes()
