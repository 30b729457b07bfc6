"""Name the numbers that are written in words, once for every grammar that counts."""

from typing import Final

_WRITTEN: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    *("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
)
NUMBER_WORDS: Final = frozenset(_WRITTEN)
NUMBER_WORD: Final = "|".join(_WRITTEN)
"""An alternation of them."""
COUNTING: Final = (
    r"(?<!the )\bone(?= \w)(?! (?:in|with|of|at|for|on|from|by|to|near|that|who|which|then|now|too|is|was|we|they|i|you)\b)"
    rf"|\b(?:{'|'.join(_WRITTEN[1:])})\b"
)
"""The same where they count: "one" may stand for a thing, as in "the one in York"."""
