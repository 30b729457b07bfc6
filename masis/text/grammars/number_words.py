"""Name the numbers that are written in words, once for every grammar that counts."""

from typing import Final

_WRITTEN: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    *("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
)
NUMBER_WORDS: Final = frozenset(_WRITTEN)
