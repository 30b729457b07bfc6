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


def reads_other(text: str) -> bool:
    """Tell whether a text is in another language, by its small words: two of them, and a third of all."""
    said = re.findall(r"[^\W\d_]+", text.lower())
    small = sum(word in _SMALL_OF_OTHERS for word in said)
    return small >= _LEAST and small * 3 >= len(said)


_SMALL_OF_OTHERS: Final = frozenset(
    """
    aan bij dan dat deze dit een en er geen heb hebben heeft het hoe hoeveel ik je jij kan kunnen mag mijn moet
    naar niet om ons onze op uit van veel voor waar wanneer wat welke wie wij worden wordt zijn zonder
    aber auf aus bei bin das dem den der dürfen ein eine einen er gibt haben hat ich ist kann mein mit muss nach
    nicht oder sich sind und unser viel viele vom von wann warum welche wenn wer wie wir wird wo zu zum zur über für
    au aux avec ce cette combien comment dans des du elle est et faut il je la le les ma mes mon nous où par pas
    peut peux pour quand que quel quelle quels qui sont sur un une vous
    como con cuando cuándo cuánto cuántos de del donde dónde el en es esta hay los las mi no para por puedo qué
    quién se son su tiene una uno y
    """.split()
) - frozenset(
    "an a as at by do he in is it me no on so us we die per son pour con den bin est un".split()
)
"""Of Dutch, German, French and Spanish, without those that English has as well."""


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
