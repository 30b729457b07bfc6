"""Take a question apart into its words and its noun phrases, by small words and their order.

Pure and lexical. A word that no list knows is taken for a noun: names and terms are such.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from masis.rewriting import grammar
from masis.words.given_names import GIVEN_NAMES

MOST_WORDS: Final = 120
"""Of a text that is taken apart; what is longer tells its own subject."""

_TOKEN: Final = re.compile(r"[^\W_]+(?:[.&'’/+-][^\W_]+)*['’]?|[^\w\s]")
_CONTRACTED: Final = re.compile(
    r"(?P<word>(?:what|who|where|when|how|that|there)(?=['’]?s$)|(?:it|he|she)(?=['’]s$)"
    r"|(?:i|you|we|they|he|she|it)(?=['’](?:m|re|ve|ll|d)$))(?P<rest>.*)",
    re.IGNORECASE,
)
_IN_FULL: Final = {"s": "is", "m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would"}
_HOW: Final = frozenset(
    "long fast often big old late high far soon early deep heavy tall wide good bad safe quickly large small loud hot cold".split()
)
"""What "how" asks the degree of."""
_YEAR: Final = re.compile(r"(?:19|20)\d\d|fy\d\d(?:\d\d)?")


class Token(NamedTuple):
    """Place a word or a sign in its text. `kind` is a letter, see `KINDS`."""

    text: str
    word: str
    start: int
    end: int
    kind: str = ""


KINDS: Final = {
    "D": "determiner",
    "P": "preposition",
    "O": "of",
    "X": "auxiliary",
    "W": "question word",
    "R": "pronoun",
    "C": "conjunction",
    "A": "adverb",
    "V": "verb",
    "J": "adjective behind a verb",
    "N": "noun, or what stands with it",
    ".": "sign",
}


class Phrase(NamedTuple):
    """Hold a noun phrase, and where it stands in its text.

    `role` is "subject", "object", "of", "about", "asked" (what "which" or "how many" asks for),
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
        return grammar.singular(self.words[-1])

    @property
    def plural(self) -> bool:
        """Whether it is of several."""
        return grammar.is_plural(self.words[-1])

    @property
    def of_people(self) -> bool:
        """Whether it tells who."""
        return self.head in grammar.PEOPLE or any(word in GIVEN_NAMES for word in self.words)

    @property
    def of_time(self) -> bool:
        """Whether it tells when."""
        return all(
            word in grammar.PERIODS or word in _TIMING or word.isdigit() or _YEAR.fullmatch(word)
            for word in self.words
        ) and not (len(self.words) == 1 and self.words[0].isdigit() and not _YEAR.fullmatch(self.words[0]))

    @property
    def named(self) -> bool:
        """Whether it is written as a name, or with a figure."""
        own = self.text.split()[-len(self.words) :]
        return any(part[:1].isupper() or any(map(str.isdigit, part)) for part in own)

    @property
    def relation(self) -> bool:
        """Whether it is of something that has to be told."""
        return self.head in grammar.RELATIONS

    @property
    def bare(self) -> str:
        """Its text without a determiner that does not belong to a name."""
        return self.text[len(self.determiner) :].lstrip() if self.determiner else self.text


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


@lru_cache(maxsize=256)
def parse(text: str) -> Parsed:
    """Take a text apart."""
    tokens = _kinds(list(_tokens(text)))
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


def _kinds(tokens: list[Token]) -> list[Token]:
    """The tokens with their kinds: first by the lists, then verbs by where they stand."""
    kinds = [_listed(token.word) for token in tokens]
    words = [token.word for token in tokens]
    for at, word in enumerate(words):
        kinds[at] = _in_place(kinds, words, at) or kinds[at]
    _set_verbs(kinds, words)
    return [token._replace(kind=kind) for token, kind in zip(tokens, kinds, strict=True)]


def _listed(word: str) -> str:  # noqa: PLR0911 - a table of lists, the first that has it
    if not word[0].isalnum():
        return "."
    if word == "of":
        return "O"
    if word in grammar.AUXILIARIES:
        return "X"
    if word in grammar.WH:
        return "W"
    if word in grammar.PERSONAL and word != "her":
        return "R"
    if word in grammar.DETERMINERS:
        return "D"
    if word in grammar.PREPOSITIONS:
        return "P"
    if word in grammar.CONJUNCTIONS:
        return "C"
    if word in grammar.ADVERBS or (word.endswith("ly") and len(word) > 4):  # noqa: PLR2004
        return "A"
    return "N"


def _in_place(kinds: Sequence[str], words: Sequence[str], at: int) -> str:  # noqa: PLR0911
    """The kind of a word that its neighbours make another, else nothing."""
    word, before = words[at], kinds[at - 1] if at else "."
    after = words[at + 1] if at + 1 < len(words) else ""
    following = kinds[at + 1] if after else "."
    if word in _DEMONSTRATIVE or word in _QUANTIFYING:
        return _pointing(word, following, after, words[at + 2 : at + 3], before)
    if word in {"have", "has", "had"} and following != "R" and before in {"R", "X", "N"}:
        return "V"
    if word in {"do", "does", "did"} and following != "R" and before in {"R", "X"}:
        return "V"
    if word in grammar.IMPERATIVES and (at == 0 or before == ".") and following != "X":
        return "V"
    if word == "may" and (before == "P" or following == "."):
        return "N"
    if word == "like" and before in {"R", "X"}:
        return "V"
    if word == "it" and before == "D":
        return "N"
    if word in {"no", "first"}:
        return "N" if word == "first" and following == "N" else "A" if following != "N" else ""
    if word in _HOW and before == "W" and words[at - 1] == "how":
        return "A"
    return ""


def _pointing(word: str, following: str, after: str, next_but_one: Sequence[str], before: str) -> str:
    """The kind of "that" and "some": alone, or with a noun."""
    alone = following not in {"N", "A"}
    if before == "X" and (grammar.is_adjective(after) or after.isdigit()):
        alone = not next_but_one or _listed(next_but_one[0]) != "N"
    elif before == "X" and following == "N" and grammar.is_verb(after):
        alone = grammar.is_plain_verb(after) or not next_but_one or _listed(next_but_one[0]) in "R.AP"
    if not alone:
        return ""
    return "R" if word in _DEMONSTRATIVE else "A"


_DEMONSTRATIVE: Final = frozenset("this that these those her his both another".split())
_QUANTIFYING: Final = frozenset("all each any some more most much many less few".split())


def _set_verbs(kinds: list[str], words: Sequence[str]) -> None:
    """Set the verbs of each run of nouns."""
    at = 0
    while at < len(kinds):
        if kinds[at] != "N":
            at += 1
            continue
        end = at
        while end < len(kinds) and kinds[end] == "N":
            end += 1
        _set_verb(kinds, words, at, end)
        at = end


def _set_verb(kinds: list[str], words: Sequence[str], start: int, end: int) -> None:
    """Find the verb, or the adjective behind "is", in one run of nouns."""
    before = kinds[start - 1] if start else "."
    earlier = words[start - 1] if start else ""
    run = words[start:end]
    if len(run) > 1 and run[0] in _WHICH and run[1] in grammar.PERIODS:
        return
    if before == "V" and grammar.is_participle(run[0]) and earlier in {"get", "gets", "got", "getting"}:
        kinds[start] = "V"
        return
    if earlier in {"many", "much"} and len(run) == 1 and grammar.is_verb(run[0]) and kinds[end : end + 1] == ["P"]:
        kinds[start] = "V"
        return
    if before in {"P", "O", "V"} and _is_gerund(run) or (before == "V" and len(run) == 1 and run[0].endswith("ing")):
        kinds[start] = "V"
        return
    if before == "A" and start > 1 and kinds[start - 2] == "N" and grammar.is_verb(run[0]):
        kinds[start] = "V"
        return
    if _is_behind_subject(kinds, words, start):
        kinds[start] = "V"
        return
    asks = before == "W" and earlier in {"who", "what", "which"}
    if asks and (grammar.is_plain_verb(run[0]) or (earlier != "which" and grammar.is_verb(run[0]))):
        kinds[start] = "V"
        return
    if before == "X" and earlier not in grammar.BE and end - start == 1 and start > 1:
        if words[start - 2] in {"what", "who"} and grammar.is_verb(run[0]):
            kinds[start] = "V"
            return
    clause = _clause_verb(kinds, words, start)
    if clause in grammar.BE:
        _set_predicate(kinds, words, start, end)
    elif before == "X" and not clause:
        return
    elif clause or before in {"D", "O", "W", "R", "C", "."}:
        _set_main_verb(kinds, words, start, end, helped=bool(clause))


_WHICH: Final = frozenset("last next this same".split())


def _is_gerund(run: Sequence[str]) -> bool:
    """Whether a run of nouns begins with what is done to the others: "of consuming drinks"."""
    word = run[0]
    return len(run) > 1 and word.endswith("ing") and grammar.is_verb(word) and word not in grammar.GERUND_NOUNS


def _is_behind_subject(kinds: Sequence[str], words: Sequence[str], at: int) -> bool:
    """Whether a word stands where "I" or "to" has its verb."""
    before = at - 1
    while before > 0 and kinds[before] == "A":
        before -= 1
    earlier, word = words[before] if before >= 0 else "", words[at]
    if earlier in {"i", "you", "we", "they", "he", "she"}:
        helped = before > 0 and words[before - 1] in grammar.BE
        return grammar.is_verb(word) or not (helped or grammar.is_adjective(word))
    known = earlier in {"to", "it", "that", "this"} or earlier in grammar.SUBJECTS
    return known and kinds[before] != "D" and grammar.is_verb(word)


def _clause_verb(kinds: Sequence[str], words: Sequence[str], at: int) -> str:
    """The auxiliary that a run of nouns stands behind, with no other verb between."""
    for back in range(at - 1, max(-1, at - 12), -1):
        if kinds[back] == "X":
            return words[back]
        if kinds[back] in {"V", "J", "P", "."} or (kinds[back] == "C"  and words[back] not in {"and", "or"}):
            return ""
    return ""


def _set_predicate(kinds: list[str], words: Sequence[str], start: int, end: int) -> None:
    """Behind "is": the last word of several is an adjective, or a verb's participle."""
    for at in range(start, end):
        word = words[at]
        if at == start and kinds[start - 1] not in {"N", "R", "X", "A"}:
            continue
        behind = kinds[start - 1] == "X" and at == start
        names = start > 1 and words[start - 2] in {"what", "who"}
        if behind and word.endswith("ing") and grammar.is_verb(word) and not names and start > 1:
            kinds[at] = "V"
            return
        if names and word.endswith("ing"):
            continue
        follows = at + 1 >= end
        if follows and (word in grammar.ADJECTIVES or grammar.is_adjective(word) or word.endswith("ing") and grammar.is_verb(word)):
            kinds[at] = "V" if grammar.is_verb(word) else "J"
            return
        if at > start and (follows or word.endswith("ed")) and grammar.is_participle(word):
            kinds[at] = "V"
            return
    last = words[end - 1]
    if end - start == 1 and kinds[start - 1] in {"X", "A"} and grammar.is_adjective(last):
        kinds[start] = "J"


def _set_main_verb(kinds: list[str], words: Sequence[str], start: int, end: int, *, helped: bool) -> None:
    """Set the verb of a run behind its subject: one that is seldom a noun, else the last that may be."""
    first = start + 1 if helped or kinds[start - 1 : start] != ["R"] else start
    plain = [at for at in range(first, end) if grammar.is_plain_verb(words[at]) and not (words[at].endswith("ing") or (helped and words[at].endswith("s")))]
    maybe = [at for at in range(first, end) if grammar.is_verb(words[at]) and not words[at].endswith(("ing", "ed"))]
    if helped and plain:
        kinds[plain[0]] = "V"
    elif helped and maybe:
        kinds[maybe[-1]] = "V"
    elif plain:
        kinds[plain[0]] = "V"


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
        inner = token.kind == "A" and tokens[end - 1].kind != "N" and end + 1 < len(tokens) and tokens[end + 1].kind == "N" and token.word.endswith("ly")
        if (token.kind != "N" and not inner) or (end > begin and _begins_time(tokens, end)):
            break
        end += 1
        if token.word.endswith(("'s", "s'")):
            return end, True
    return end, False


_TIMING: Final = frozenset(
    """last next this same full whole first second third fourth past previous coming financial fiscal
    calendar current early late mid end""".split()  # noqa: SIM905
)
_DATED: Final = re.compile(
    r"q[1-4]|h[12]|(?:19|20)\d\d|(?:january|february|march|april|june|july|august|september|october|november|december)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
)


def _begins_time(tokens: Sequence[Token], at: int) -> bool:
    """Whether a time begins behind a noun: "revenue last year"."""
    before, word = tokens[at - 1].word, tokens[at].word
    if before in _TIMING or _DATED.fullmatch(before):
        return False
    following = tokens[at + 1].word if at + 1 < len(tokens) else ""
    return bool(_DATED.fullmatch(word)) or (word in _WHICH and following in grammar.PERIODS)


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
    if at == 0:
        return "subject"
    before = tokens[at - 1]
    if before.kind == "O":
        return "of"
    if before.kind == "P":
        return before.word
    if before.kind == "V":
        asked = at > 1 and tokens[at - 2].kind == "W" and tokens[at - 2].word in {"who", "what"}
        return "subject" if asked else "object"
    if before.kind == "W" or (before.kind == "A" and at > 1 and tokens[at - 2].word == "how"):
        return "asked"
    if before.kind == "C" and before.word in {"and", "or", "&", "nor"}:
        return _role_before(tokens, at - 1)
    if before.kind in {"R", "A"} and at > 1 and tokens[at - 2].kind == "V":
        return "object"
    return "subject"


def _role_before(tokens: Sequence[Token], at: int) -> str:
    """The role of the phrase before "and"."""
    while at > 0 and tokens[at - 1].kind in {"N", "D"}:
        at -= 1
    return _role(tokens, at) if at > 0 and tokens[at - 1].kind != "C" else "subject"
