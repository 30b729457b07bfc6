"""Name what is written for so many of something, once for every grammar of figures."""

from typing import Final

SCALES: Final = {
    **dict.fromkeys(("thousand", "k"), 1_000),
    **dict.fromkeys(("million", "m", "mn"), 1_000_000),
    **dict.fromkeys(("billion", "bn"), 1_000_000_000),
}
"""What a figure is multiplied by, by the word or the letters behind it."""

MORE_SCALES: Final = {
    **SCALES,
    "hundred": 100,
    **dict.fromkeys(("mio", "mln"), 1_000_000),
    "b": 1_000_000_000,
    **dict.fromkeys(("trillion", "tn"), 1_000_000_000_000),
}
"""The same with those that are seldom written."""

COLUMN_SCALES: Final = {
    **SCALES,
    **{f"{word}s": scale for word, scale in SCALES.items() if len(word) > 2},
    **dict.fromkeys(("000", "'000", "’000", "000s", "'000s", "tsd"), 1_000),
    **dict.fromkeys(("mio", "mm"), 1_000_000),
}
"""The same as headers and cells of tables have them."""

NAMES: Final = {scale: word for word, scale in SCALES.items() if len(word) > 2}
"""The words, by what they are."""

SUFFIXES: Final = {1: "", 1_000: "k", 1_000_000: "M", 1_000_000_000: "bn"}
"""How a scale is written behind a figure."""

WORDS: Final = "|".join(word for word in SCALES if len(word) > 2)
"""An alternation of the words."""
LETTERS: Final = "|".join(word for word in SCALES if len(word) <= 2)
"""An alternation of the letters, which behind a space may be a unit: metres, or kilos."""
COLUMN_LETTERS: Final = "|".join(word for word in COLUMN_SCALES if word.isalpha() and len(word) < 4)
"""An alternation of the letters that headers have, in which "mm" is a million."""
AMBIGUOUS: Final = frozenset({"k", "m", "mm"})
"""Letters of headers that are a scale of money alone: elsewhere they are kelvins, metres, millimetres."""
PLAIN_LETTERS: Final = "|".join(word for word in COLUMN_LETTERS.split("|") if word not in AMBIGUOUS)
"""An alternation of the other letters that headers have."""
SCALE: Final = f"{WORDS}|{LETTERS}"
"""An alternation of both, for a group of a pattern that ignores case."""
MORE_WORDS: Final = "|".join(word for word in MORE_SCALES if len(word) > 3)
"""An alternation of the words, with those that are seldom written."""
MORE_LETTERS: Final = "|".join(word for word in MORE_SCALES if len(word) <= 3)
"""An alternation of the letters, with those that are seldom written."""
