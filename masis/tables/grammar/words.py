"""Parts a question into words, and notes what each was read as."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from masis.text.grammars.successions import successive
from masis.text.lexical import terms

_WORD: Final = re.compile(
    r"[^\W_]+(?:(?:[-.'’/&_]|(?<=\d),(?=\d))[^\W_]+)*|[<>]=?|[£$€%]", re.UNICODE
)
FILLERS: Final = frozenset(
    """
    whats what's whos who's hows how's a about across all also altogether am an and any anything are as at be been being both but by can could currently
    did different do does each ever every exactly far file files find following for from get give given go got had has
    have having held here how i in including into is it its just know let like list listed look lot made make many
    may me much my name named names need no now number numbers of off on one ones only or our out over overall
    please pls plz record recorded records row rows see set sheet shall should show shown single so some spreadsheet
    table tables data dataset tell than that the their them then there these they thing things this those to took take takes taken
    total under until up us using want was we were what when where which who whom whose will with within
    would you your yet still already altogether happen happened ok okay hi hello thanks thank entry entries line lines item items
    value values amount amounts figure figures details detail info per
    say said each both respectively separately breakdown broken split grouped down sorted order ordered ordering
    raised logged created registered reported handled worked placed came come comes booked sold bought
    kept stored marked labelled labeled tagged flagged categorised categorized classed classified
    based located situated together plain
    belong belongs belonging assigned work works done doing put individual people person persons
    """.split()
)
"""Words that ask, and say nothing of a column or a value."""
_ABBREVIATIONS: Final = frozenset({"it"})
"""Those of them that are names in capitals: a query without "IT" would be of everybody."""


@dataclass(slots=True)
class Token:
    """A word of a question; `read` says what it was read as, empty for nothing yet."""

    text: str
    start: int
    end: int
    read: str = ""
    plain: str = field(init=False)
    """It in lower case, without the ending of a possessive."""

    def __post_init__(self) -> None:
        plain = self.text.casefold()
        self.plain = plain[:-2] if plain.endswith(("'s", "’s")) else plain

    @property
    def term(self) -> str:
        """Return its stem; itself for a stop word."""
        return stem(self.plain)


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return the stem of a word; the word itself where it has none."""
    found = terms(word)
    return found[-1] if found else word


@dataclass(slots=True)
class AskedWords:
    """A question in words, in lower case where nothing else matters."""

    text: str
    tokens: list[Token] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tokens = [
            Token(each[0], each.start(), each.end()) for each in _WORD.finditer(self.text)
        ]

    def read(self, start: int, end: int, what: str) -> None:
        """Note what the words from one character to another were read as."""
        for token in self.tokens:
            if token.start < end and token.end > start:
                token.read = what

    def is_free(self, start: int, end: int) -> bool:
        """Tell whether none of these words was read yet."""
        return not any(each.read for each in self.tokens if each.start < end and each.end > start)

    def _is_filler(self, token: Token) -> bool:
        is_name = token.plain in _ABBREVIATIONS and token.text.isupper() and not self.text.isupper()
        return token.plain in FILLERS and not is_name

    def unread(self) -> list[str]:
        """Return the words that say something and were not read."""
        said = [
            each.text
            for each in self.tokens
            if not each.read and not self._is_filler(each) and not _is_mark(each.text)
        ]
        return [*said, *successive(self.text)]


def _is_mark(text: str) -> bool:
    return len(text) == 1 and not text.isalnum()
