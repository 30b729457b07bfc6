"""Match text against a closed table of phrases, word by word.

A phrase is written as its words with blanks between them: `a|b` is one of two, `a_b` two words as
one, `a?` may be missing, and a word in capitals is a class of words. No word counts that stands in
no phrase, so a text that is covered holds nothing else.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

MOST_WORDS: Final = 40
"""Of a text that are looked at from one end; who writes more says something."""

_WORD: Final = re.compile(r"[^\W_]+(?:['’`\u00b4-][^\W_]+)*")
_SMILEY: Final = re.compile(
    r"(?<!\w):[a-z0-9_+-]{2,40}:(?!\w)|(?<!\w)[:;=xX8]['’]?-?[()DPpOo3*\]\[}|/\\]+(?!\w)|(?<!\w)<3+(?!\w)"
)
_MARKS: Final = re.compile(r"['’`\u00b4]")
_CLAUSE_END: Final = re.compile(r"[,;:!?…–—\n]|[.-](?=\s)|\s-")
_SENTENCE_END: Final = re.compile(r"[!?…\n]|\.(?=\s)")
_RUN: Final = re.compile(r"(\w)\1{2,}")
_LAUGH: Final = re.compile(
    r"(?:(?:[hjb]+[aeio]+){2,}h?|l+o+l+(?:o+l+)*z*|l+m+f?a+o+|ro+fl+|xd+|te+he+)"
)
_SOUND: Final = re.compile(
    r"(?:a+h+a*|o+h+|a+w+|hm+|m{2,}|u+h+|u+m+|e+r+m+|wo+w+|yay+|wo+h?o+|u+gh+|phe+w+)"
)


@dataclass(frozen=True, slots=True)
class Token:
    """Hold one word: as phrases have it, where it stands, and what is written before it."""

    word: str
    start: int
    end: int
    before: str


@dataclass(frozen=True)
class Phrases:
    """Hold a table: phrases by their kind, the classes in them, and other spellings of words.

    `distinctive` words are also known with two letters swapped or one left out.
    """

    lines: Mapping[str, str]
    classes: Mapping[str, str] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)
    distinctive: frozenset[str] = frozenset()
    """Words."""
    no_typos: frozenset[str] = frozenset()
    """Words of their own, although a typing error could make them."""

    def kinds(self, tokens: Sequence[Token]) -> list[str] | None:
        """Return the kinds of the phrases that cover the tokens, in order; None where one is left."""
        covers = self._covers(tokens)
        at = 0
        kinds: list[str] = []
        while at < len(tokens):
            step = covers[at]
            if step is None:
                return None
            kind, at = step
            kinds.append(kind)
        return kinds

    def matched(self, tokens: Sequence[Token], at: int) -> list[tuple[int, str]]:
        """List where phrases that begin at this token end, and their kinds, the longest first."""
        words = [token.word for token in tokens[at : at + MOST_WORDS]]
        found: dict[int, str] = {}
        for kind, line in self._beginning.get(words[0], ()) if words else ():
            for length in _lengths(line, words):
                found.setdefault(at + length, kind)
        return sorted(found.items(), reverse=True)

    def _covers(self, tokens: Sequence[Token]) -> list[tuple[str, int] | None]:
        """For each token the phrase that begins there, where phrases go on from it to the end."""
        covers: list[tuple[str, int] | None] = [None] * len(tokens)
        for at in range(len(tokens) - 1, -1, -1):
            for end, kind in self.matched(tokens, at):
                if end == len(tokens) or covers[end] is not None:
                    covers[at] = kind, end
                    break
        return covers

    def tokens(self, text: str) -> list[Token]:
        """Cut a text into words as the phrases write them: in lower case, spelt out, without marks."""
        plain = _SMILEY.sub(lambda match: "…" * len(match[0]), text)
        tokens: list[Token] = []
        last = 0
        for match in _WORD.finditer(plain):
            before = plain[last : match.start()]
            for each in self._spelt(match[0]):
                tokens.append(Token(each, match.start(), match.end(), before))
                before = ""
            last = match.end()
        return tokens

    def _spelt(self, written: str) -> Sequence[str]:
        word = folded(written)
        known = self.spellings.get(word) or self._typos.get(word)
        if known is None and word not in self._words:
            word = self._drawn_out(word)
            known = self.spellings.get(word)
        return known.split(" ") if known else (word,)

    def _drawn_out(self, word: str) -> str:
        """A word that is written with more letters than it has, as "heyyy" and "thaaanks" are."""
        if _LAUGH.fullmatch(word):
            return "haha"
        if _SOUND.fullmatch(word):
            return "wow" if word.startswith("w") and "p" not in word else "oh"
        bare = _RUN.sub(r"\1", word)
        if bare == word and not word.endswith(word[-1] * 2):
            return word
        for each in (bare, _RUN.sub(r"\1\1", word), word[:-1]):
            if each in self._words or each in self.spellings:
                return each
        return word

    @cached_property
    def _lines(self) -> list[tuple[str, "_Line"]]:
        return [
            (kind, [self._element(each) for each in line.split()])
            for kind, lines in self.lines.items()
            for line in lines.splitlines()
            if line.strip()
        ]

    def _element(self, written: str) -> "_Element":
        """The ways to say one element of a phrase, by their first words; an empty one may be missing."""
        element: _Element = {"": [()]} if written.endswith("?") else {}
        for each in written.rstrip("?").split("|"):
            if each in self.classes:
                for first, ways in self._element(self.classes[each]).items():
                    element.setdefault(first, []).extend(ways)
                continue
            spelt = (self.spellings.get(word, word) for word in map(folded, each.split("_")))
            way = tuple(" ".join(spelt).split())
            element.setdefault(way[0], []).append(way)
        return element

    @cached_property
    def _beginning(self) -> dict[str, list[tuple[str, "_Line"]]]:
        """Lines by each word that one can begin with, in the order of the table."""
        found: dict[str, list[tuple[str, _Line]]] = {}
        for kind, line in self._lines:
            for word in dict.fromkeys(_first_words(line)):
                found.setdefault(word, []).append((kind, line))
        return found

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(
            word
            for _, line in self._lines
            for element in line
            for ways in element.values()
            for way in ways
            for word in way
        )

    @cached_property
    def _typos(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for word in sorted(self.distinctive):
            for typo in _mistyped(word):
                if typo not in self._words and typo not in self.no_typos:
                    found.setdefault(typo, word)
        return found


_Element = dict[str, list[tuple[str, ...]]]
_Line = list[_Element]


def _first_words(line: _Line) -> Iterable[str]:
    for element in line:
        yield from filter(None, element)
        if "" not in element:
            return


def _lengths(line: _Line, words: Sequence[str]) -> set[int]:
    """How many of the words a phrase of this line can take from the first on."""
    ends = {0}
    for element in line:
        further = set(ends) if "" in element else set()
        for end in ends:
            if end < len(words):
                for way in element.get(words[end], ()):
                    if len(way) == 1 or tuple(words[end : end + len(way)]) == way:
                        further.add(end + len(way))
        if not further:
            return set()
        ends = further
    return ends - {0}


@lru_cache(maxsize=4_096)
def folded(word: str) -> str:
    """Return a word in lower case, without accents and apostrophes."""
    apart = unicodedata.normalize("NFKD", _MARKS.sub("", word).casefold())
    bare = "".join(char for char in apart if not unicodedata.combining(char))
    return bare if bare.isascii() else unicodedata.normalize("NFC", word.casefold())


def _mistyped(word: str) -> Iterable[str]:
    """Yield the word with two letters swapped, from five letters on also with one left out."""
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        if len(word) > 4:  # noqa: PLR2004 - shorter ones would be other words
            yield word[:at] + word[at + 1 :]


def ends_clause(before: str) -> bool:
    """Say whether what is written between two words ends a clause: a sign, an emoji, a new line."""
    return _CLAUSE_END.search(before) is not None or _has_emoji(before)


def ends_sentence(before: str) -> bool:
    """Say whether what is written between two words ends a sentence."""
    return _SENTENCE_END.search(before) is not None or _has_emoji(before)


def _has_emoji(text: str) -> bool:
    return any(unicodedata.category(char) == "So" for char in text)


def is_smiley(text: str) -> bool:
    """Say whether a text holds a smile in signs or by an emoji's name, as ":)" and ":wave:"."""
    return _SMILEY.search(text) is not None
