"""Take a question apart into its words and its noun phrases, by small words and their order.

Pure and lexical. A word that no list knows is taken for a noun: names and terms are such.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from masis.rewriting import small_words
from masis.rewriting.tagging import WHICH, kinds_of
from masis.text.given_names import GIVEN_NAMES
from masis.text.grammars.calendar import WEEKDAY, WRITTEN_MONTH
from masis.text.lexical import terms
from masis.words.english import is_english

MOST_WORDS: Final = 120
"""Of a text that is taken apart; what is longer tells its own subject."""

_LEAST_NAME: Final = 3
_TOKEN: Final = re.compile(r"[^\W_]+(?:[.&'’/+-][^\W_]+)*['’]?|[^\w\s]")
_CONTRACTED: Final = re.compile(
    r"(?P<word>(?:what|who|where|when|how|that|there)(?=['’]?s$)|(?:it|he|she)(?=['’]s$)"
    r"|(?:i|you|we|they|he|she|it)(?=['’](?:m|re|ve|ll|d)$))(?P<rest>.*)",
    re.IGNORECASE,
)
_IN_FULL: Final = {"s": "is", "m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would"}


_YEAR: Final = re.compile(r"(?:19|20)\d\d|fy\d\d(?:\d\d)?")


class Token(NamedTuple):
    """Place a word or a sign in its text. `kind` is a letter, see `tagging.KINDS`."""

    text: str
    word: str
    start: int
    end: int
    kind: str = ""


class Phrase(NamedTuple):
    """Hold a noun phrase, and where it stands in its text.

    `role` is "subject", "object", "of", "about", "asked" (what "which" or "how many" asks for), "asker"
    ("i am new"),
    "owner" (with "'s") or the preposition before it.
    """

    text: str
    start: int
    end: int
    words: tuple[str, ...]
    role: str
    determiner: str = ""

    @property
    def head(self) -> str:
        """Its last word, of one thing."""
        return small_words.singular(self.words[-1])

    @property
    def plural(self) -> bool:
        """Whether it is of several."""
        return small_words.is_plural(self.words[-1])

    @property
    def of_people(self) -> bool:
        """Whether it tells who."""
        return self.head in small_words.PEOPLE or any(word in GIVEN_NAMES for word in self.words)

    @property
    def of_time(self) -> bool:
        """Whether it tells when."""
        return all(
            word in small_words.PERIODS
            or word in _TIMING
            or (word in _COUNTING and len(self.words) > 1)
            or word.isdigit()
            or _YEAR.fullmatch(word)
            for word in self.words
        ) and not (
            len(self.words) == 1 and self.words[0].isdigit() and not _YEAR.fullmatch(self.words[0])
        )

    @property
    def named(self) -> bool:
        """Whether it is written as a name or with a figure, or has a word that is none of English."""
        own = self.text.split()[-len(self.words) :]
        if any(part[:1].isupper() or any(map(str.isdigit, part)) for part in own):
            return True
        return any(map(_is_no_word, self.words))

    @property
    def relation(self) -> bool:
        """Whether it is of something that has to be told."""
        return self.head in small_words.RELATIONS

    @property
    def bare_relation(self) -> bool:
        """Whether it is a relation without a word of its own: "the main reason"."""
        return self.relation and set(self.words[:-1]) <= small_words.PLAIN_MODIFIERS

    def owns(self, other: "Phrase") -> bool:
        """Tell whether another phrase stands behind this one's "'s"."""
        return self.role == "owner" and 0 <= other.start - self.end <= len("'s ")

    @property
    def bare(self) -> str:
        """Its text without a determiner that does not belong to a name."""
        return self.text[len(self.determiner) :].lstrip() if self.determiner else self.text


@lru_cache(maxsize=4096)
def _is_no_word(word: str) -> bool:
    """Whether a word is none of English, nor a compound: in small letters names are such."""
    return len(word) > _LEAST_NAME and word.isascii() and word.isalpha() and not is_english(word)


class Parsed(NamedTuple):
    """Hold a text with its words and its noun phrases."""

    text: str
    tokens: tuple[Token, ...]
    phrases: tuple[Phrase, ...]

    def before(self, phrase: Phrase) -> Token | None:
        """Return the word before a phrase."""
        return next((each for each in reversed(self.tokens) if each.end <= phrase.start), None)

    def after(self, place: int) -> Token | None:
        """Return the first word from a place on."""
        return next((each for each in self.tokens if each.start >= place), None)


@lru_cache(maxsize=4096)
def content(text: str) -> frozenset[str]:
    """Return the terms of a text that say something."""
    return frozenset(terms(text))


@lru_cache(maxsize=256)
def parse(text: str) -> Parsed:
    """Take a text apart."""
    plain = list(_tokens(text))
    kinds = kinds_of([each.word for each in plain])
    tokens = [each._replace(kind=kind) for each, kind in zip(plain, kinds, strict=True)]
    return Parsed(text, tuple(tokens), tuple(_phrases(text, tokens)))


def _tokens(text: str) -> Iterator[Token]:
    for at, match in enumerate(_TOKEN.finditer(text)):
        if at >= MOST_WORDS:
            return
        said = match[0]
        word = said.lower().replace("’", "'")
        contracted = _CONTRACTED.fullmatch(said)
        if contracted:
            middle = match.start() + len(contracted["word"])
            full = _IN_FULL[contracted["rest"].lower().lstrip("'’")]
            yield Token(contracted["word"], contracted["word"].lower(), match.start(), middle)
            yield Token(contracted["rest"], full, middle, match.end())
        else:
            yield Token(said, word, match.start(), match.end())


# --- noun phrases ----------------------------------------------------------------------------


def _phrases(text: str, tokens: Sequence[Token]) -> Iterator[Phrase]:
    at = 0
    while at < len(tokens):
        token = tokens[at]
        begins = token.kind == "N" or (
            token.kind == "D" and at + 1 < len(tokens) and tokens[at + 1].kind in {"N", "A", "D"}
        )
        if not begins:
            at += 1
            continue
        end, owned = _phrase_end(tokens, at)
        phrase = _phrase(text, tokens, at, end, owned=owned)
        if phrase is not None:
            yield phrase
        at = max(end, at + 1)


def _phrase_end(tokens: Sequence[Token], at: int) -> tuple[int, bool]:
    """Where a phrase ends that begins at a place, and whether it has something ("'s")."""
    end = at
    while end < len(tokens) and tokens[end].kind == "D":
        end += 1
    begin = end
    while end < len(tokens):
        token = tokens[end]
        inner = (
            token.kind == "A"
            and tokens[end - 1].kind != "N"
            and end + 1 < len(tokens)
            and tokens[end + 1].kind == "N"
            and token.word.endswith("ly")
        )
        if (token.kind != "N" and not inner) or (end > begin and _begins_time(tokens, end)):
            break
        end += 1
        if token.word.endswith(("'s", "s'")):
            return end, True
    return end, False


_TIMING: Final = frozenset(
    """last next this same full whole first second third fourth past previous coming financial fiscal
    calendar current early late mid end""".split()
)
_COUNTING: Final = frozenset(
    "one two three four five six seven eight nine ten twelve few couple several".split()
)
_DATED: Final = re.compile(
    rf"q[1-4]|h[12]|(?:19|20)\d\d|(?!mar$|may$)(?:{WRITTEN_MONTH})"
    rf"|{WEEKDAY}s?"
)


def _begins_time(tokens: Sequence[Token], at: int) -> bool:
    """Whether a time begins behind a noun: "revenue last year"."""
    before, word = tokens[at - 1].word, tokens[at].word
    if before in _TIMING or _DATED.fullmatch(before):
        return False
    following = tokens[at + 1].word if at + 1 < len(tokens) else ""
    return bool(_DATED.fullmatch(word)) or (word in WHICH and following in small_words.PERIODS)


def _phrase(text: str, tokens: Sequence[Token], at: int, end: int, *, owned: bool) -> Phrase | None:
    nouns = [each for each in tokens[at:end] if each.kind in {"N", "A"}]
    if not nouns:
        return None
    determiners = [each for each in tokens[at:end] if each.kind == "D"]
    begin, stop = tokens[at].start, tokens[end - 1].end
    words = tuple(re.sub(r"'s$|'$", "", each.word) for each in nouns)
    said = text[begin:stop]
    if owned:
        said = re.sub(r"['’]s$|['’]$", "", said)
        stop = begin + len(said)
    lead = text[begin : determiners[-1].end] if determiners else ""
    role = "owner" if owned else _role(tokens, at)
    return Phrase(said, begin, stop, words, role, lead)


def _role(tokens: Sequence[Token], at: int) -> str:
    """What a phrase is to its sentence, by the word before it."""
    before = tokens[at - 1] if at else None
    if before is None:
        return "subject"
    if before.word in {"am", "'m"} or (before.kind == "X" and before.text.lower() in {"'m", "’m"}):
        return "asker"
    earlier = tokens[at - 2] if at > 1 else None
    if before.kind == "C" and before.word in {"and", "or", "&", "nor"}:
        return _role_before(tokens, at - 1)
    if before.kind == "P":
        return before.word
    if before.kind == "V" and earlier is not None and earlier.word in {"who", "what"}:
        return "subject"
    behind = earlier.kind if earlier is not None and before.kind in {"A", "R"} else ""
    return _ROLES.get(behind if behind in {"V", "W"} else before.kind, "subject")


_ROLES: Final = {"O": "of", "V": "object", "W": "asked", "N": "predicate"}


def _role_before(tokens: Sequence[Token], at: int) -> str:
    """The role of the phrase before "and"."""
    while at > 0 and tokens[at - 1].kind in {"N", "D"}:
        at -= 1
    return _role(tokens, at) if at > 0 and tokens[at - 1].kind != "C" else "subject"
