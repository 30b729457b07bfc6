"""Put in what a pronoun of a follow-up stands for."""

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from masis.rewriting import small_words
from masis.rewriting.edits import Edit
from masis.rewriting.noun_phrases import Parsed, Phrase, Token
from masis.rewriting.subjects import Subject, Thread
from masis.text.given_names import GIVEN_NAMES
from masis.words.english import is_english

_THING: Final = frozenset({"it", "its", "that", "this"})
_SEVERAL: Final = frozenset({"they", "them", "their", "theirs", "these", "those"})
_SOMEBODY: Final = frozenset({"he", "she", "him", "her", "his", "hers"})
_POINTING: Final = frozenset({"this", "that", "these", "those"})
_FULL_NAME: Final = 2
_WEATHER: Final = frozenset(
    "snow snows snowed snowing rain rains rained raining hail hails thunders freezes thaws".split()
)
"""Verbs of which "it" is nothing."""
_OWNING: Final = frozenset({"its", "their", "his", "her"})
_SUBJECTS: Final = frozenset({"i", "we", "you", "he", "she", "they"})
_DOING: Final = frozenset({"to", "i", "we", "you", "they", "he", "she"})
_BOUNDARY: Final = frozenset({"C", "W", "."})
_REACH: Final = 6
"""Words behind "it" among which stands what it only announces: "is it possible to"."""
_UNLIKE: Final = 1.5
"""What a subject loses that is of several where one is meant, or the other way."""
_LONGEST_OWNER: Final = 4
"""Words; of a longer one something is, and it has nothing."""


def resolved(parsed: Parsed, thread: Thread, *, owning: bool = False) -> list[Edit]:
    """Return what the pronouns of a message stand for, each sort put in once.

    With `owning` what "that" and "those" stand for is left open: "after that".
    """
    edits: list[Edit] = []
    done: set[str] = set()
    for at, token in enumerate(parsed.tokens):
        sort = _sort(token)
        if owning and token.word in _POINTING:
            continue
        if not sort or sort in done or not _points_back(parsed, at, sort):
            continue
        done.add(sort)
        edit = _edit(parsed, at, sort, thread.without(each.subject for each in edits))
        if edit is not None:
            edits.append(edit)
    return edits


def points_back(parsed: Parsed) -> bool:
    """Tell whether a message has a pronoun for which nothing stands in itself."""
    return bool(first_back(parsed))


def first_back(parsed: Parsed) -> str:
    """Return the first pronoun of a message for which nothing stands in itself; else nothing."""
    for at, token in enumerate(parsed.tokens):
        sort = _sort(token)
        if sort and _points_back(parsed, at, sort):
            return token.word
    return ""


def _sort(token: Token) -> str:
    word = token.word
    if token.kind not in {"R", "D"} or (token.kind == "D" and word not in _OWNING):
        return ""
    if word in _THING:
        return "thing"
    if word in _SEVERAL:
        return "several"
    return "somebody" if word in _SOMEBODY else ""


def _points_back(parsed: Parsed, at: int, sort: str) -> bool:
    stands = _announces(parsed, at) or _joins(parsed, at) or _is_within(parsed, at, sort)
    return not (stands or _is_done(parsed, at))


def does_what_was_told(parsed: Parsed) -> bool:
    """Tell whether a message asks of "do that", which stands for what was told to be done."""
    return any(_sort(token) and _is_done(parsed, at) for at, token in enumerate(parsed.tokens))


def _is_done(parsed: Parsed, at: int) -> bool:
    """Whether "do that" stands for what was told to be done: "how soon do I need to do that"."""
    before = [each.word for each in parsed.tokens[max(0, at - 2) : at]]
    after = parsed.tokens[at + 1 : at + 2]
    is_verb = before[-1:] == ["do"] and before[:1] and before[0] in _DOING
    return bool(is_verb) and (not after or after[0].kind in {".", "P", "A", "C"})


def _announces(parsed: Parsed, at: int) -> bool:
    """Whether "it" only announces what follows: "is it possible to", "how long does it take to"."""
    tokens = parsed.tokens
    of_weather = any(each.word in _WEATHER for each in tokens[at + 1 : at + 3])
    if tokens[at].word == "it" and (of_weather or _is_cleft(tokens, at) or _is_case(tokens, at)):
        return True
    if tokens[at].word != "it" or (at and tokens[at - 1].kind not in {"X", "W", "C", "."}):
        return False
    for next_at in range(at + 1, min(at + _REACH, len(tokens) - 1)):
        word, after = tokens[next_at].word, tokens[next_at + 1]
        if tokens[next_at].kind in {".", "W"}:
            return False
        if word == "to" and (after.kind in {"V", "X"} or small_words.is_plain_verb(after.word)):
            return True
        if word == "that" and after.kind in {"R", "D"} and next_at > at + 1:
            return True
    return False


def _is_case(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether "it" only tells the case that is asked about: "if it is a bank holiday"."""
    before, rest = tokens[max(0, at - 1) : at], tokens[at + 1 : at + 4]
    is_told = [each.word for each in rest[1:2]] in (["a"], ["an"]) and rest[
        0
    ].word in small_words.BE
    return (
        is_told
        and [each.word for each in before] in (["if"], ["when"], ["unless"])
        and not any(each.word in small_words.VAGUE for each in rest)
    )


def _is_cleft(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether "it" only points to a noun: "it is the laptop that", "who was it that"."""
    asks = at > 1 and tokens[at - 1].word in small_words.BE and tokens[at - 2].kind == "W"
    if asks and at + 1 < len(tokens) and tokens[at + 1].word in {"that", "who"}:
        return True
    rest = tokens[at + 1 : at + _REACH]
    if len(rest) < 3 or rest[0].word not in small_words.BE or rest[1].kind not in {"D", "N"}:  # noqa: PLR2004
        return False
    return any(each.word in {"that", "who", "which"} for each in rest[2:])


def _joins(parsed: Parsed, at: int) -> bool:
    """Whether "that" joins a clause to what is before it: "the form that I need", "say that we"."""
    token = parsed.tokens[at]
    if token.word != "that" or not at:
        return False
    before, after = parsed.tokens[at - 1], parsed.tokens[at + 1 : at + 2]
    clause = bool(after) and after[0].kind in {"R", "D", "X", "V", "N"}
    return clause and (before.kind == "N" or (before.kind == "V" and after[0].kind in {"R", "D"}))


def _is_within(parsed: Parsed, at: int, sort: str) -> bool:
    """Whether a message itself has what a pronoun stands for, in a clause before or as its owner."""
    token = parsed.tokens[at]
    for phrase in parsed.phrases:
        if phrase.end > token.start:
            continue
        between = [each for each in parsed.tokens if phrase.end <= each.start < token.start]
        if _is_topic(parsed, phrase, between):
            return True
        ended = any(each.word in {".", "?", "!", ";"} for each in between)
        if token.word == "their" and phrase.plural and phrase.of_people:
            return True
        if not _may_be_meant(phrase, sort, anywhere=ended or _is_of_asked(parsed, phrase)):
            continue
        parted = any(each.kind in _BOUNDARY for each in between) or _begins_clause(
            [*between, token]
        )
        if parted or (token.word in _OWNING and phrase.role == "subject"):
            return True
    return False


def _is_of_asked(parsed: Parsed, phrase: Phrase) -> bool:
    """Whether a phrase tells of what something is counted that is asked for: "how many weeks of leave"."""
    before = parsed.phrases[parsed.phrases.index(phrase) - 1]
    return phrase.role == "of" and before.role == "asked" and before.end < phrase.start


def _begins_clause(tokens: list[Token]) -> bool:
    """Whether a clause begins at a pronoun right behind a noun: "a pump he does not need", "a pump we lent him"."""
    return any(one.kind == "N" and two.word in _SUBJECTS for one, two in pairwise(tokens))


def has_topic(parsed: Parsed) -> bool:
    """Tell whether a message begins with what it is about: "service tooling, what is its budget?"."""
    if not parsed.phrases:
        return False
    first = parsed.phrases[0]
    return _is_topic(parsed, first, [each for each in parsed.tokens if each.start >= first.end])


def _is_topic(parsed: Parsed, phrase: Phrase, between: list[Token]) -> bool:
    """Whether a message begins with what it is about: "service tooling, what is its budget?"."""
    return (
        phrase is parsed.phrases[0]
        and phrase.start == parsed.tokens[0].start
        and len(between) > 1
        and between[0].word in {",", ":", "-", "–"}
        and between[1].kind in {"W", "X"}
    )


def _may_be_meant(phrase: Phrase, sort: str, *, anywhere: bool) -> bool:
    """Whether a phrase of the message is of the sort that a pronoun tells, and no pronoun's own."""
    is_vague = phrase.head in small_words.VAGUE and not (anywhere and phrase.of_people)
    if phrase.of_time or phrase.determiner.lower() in _OWNING or is_vague:
        return False
    if not anywhere and phrase.role not in {"subject", "object", "about", "asked"}:
        return False
    if sort == "several":
        is_anyone = phrase.role == "subject" and phrase.determiner.lower() in {"a", "an"}
        return phrase.plural or phrase.of_people or _is_plain_name(phrase) or is_anyone
    if sort == "somebody":
        return phrase.of_people and not phrase.plural
    return not phrase.plural and not phrase.of_people


def _edit(parsed: Parsed, at: int, sort: str, thread: Thread) -> Edit | None:
    subject, sure = meant(thread, sort), True
    token = parsed.tokens[at]
    if subject is not None and sort == "several" and not _may_be_several(subject, parsed, at):
        # Who acts for a name that was spoken of is "they" as well: "what do they charge?".
        subject, sure = thread.best(lambda each: _acts(each, parsed, at)), False
    if subject is None:
        return None
    if token.word in _POINTING:
        return Edit(token.start, token.end, _pointed_at(token, subject), subject.text)
    if token.word not in _OWNING or token.kind == "R":
        return Edit(token.start, token.end, subject.definite, subject.text, sure)
    return _owned(parsed, token, subject)


def _pointed_at(token: Token, subject: Subject) -> str:
    """Put its noun behind "that", where it is no name: "that discount"."""
    if (
        subject.phrase.named
        or subject.is_owned
        or subject.plural
        or subject.phrase.of_people
        or token.word in {"these", "those"}
    ):
        return subject.definite
    return f"{token.text} {subject.bare}"


def _owned(parsed: Parsed, token: Token, subject: Subject) -> Edit:
    """Put an owner in the place of "its", behind what it has where it is long."""
    phrase = next((each for each in parsed.phrases if each.start <= token.start < each.end), None)
    owner = subject.definite
    if len(owner.split()) > _LONGEST_OWNER and phrase is not None:
        bare = phrase.text[token.end - phrase.start :].strip()
        return Edit(phrase.start, phrase.end, f"the {bare} of {owner}", subject.text)
    mark = "'" if subject.plural and owner.endswith("s") else "'s"
    # Behind a figure the "s" would be searched as a word of its own.
    mark = mark if owner[-1:].isalpha() else ""
    return Edit(token.start, token.end, f"{owner}{mark}", subject.text)


def meant(thread: Thread, sort: str) -> Subject | None:
    """Return the likeliest subject of a sort, else for a thing or several the likeliest of all."""
    if sort == "somebody" and thread.told is not None:
        return thread.told
    if sort == "somebody":
        asked = [each for each in thread.subjects if each.age == 0 and each.asks_who]
        if asked and thread.last.tokens[0].word == "who":
            return asked[0]
        asks_who = [each.kind for each in thread.last.tokens[:2]] == ["W", "V"]
        # Who does something is in the answer, and stands in no question.
        return thread.best(lambda each: is_somebody(each.phrase)) or thread.best(
            lambda each: (not asks_who or each.phrase.named) and _may_be_name(each)
        )
    fits: dict[str, Callable[[Subject], float]] = {
        "thing": lambda each: -_UNLIKE * each.plural - _UNLIKE * 2 * each.phrase.of_people,
        "several": lambda each: -_UNLIKE * (not _are_several(each)),
    }
    # "It" is never a person, where anything else was spoken of.
    rated = [(each.score + fits[sort](each), -at, each) for at, each in enumerate(thread.subjects)]
    return max(rated)[2] if rated else None


def _are_several(subject: Subject) -> bool:
    """Tell whether a phrase is of several, of people or of what is both."""
    phrase = subject.phrase
    return subject.plural or phrase.of_people or phrase.head in small_words.COLLECTIVES


def _may_be_name(subject: Subject) -> bool:
    """Tell whether a phrase may be somebody's name: no lone common noun is, as "extension"."""
    phrase = subject.phrase
    is_lone = len(phrase.words) == 1 and not phrase.named and not subject.bare[:1].isupper()
    word = subject.bare.lower()
    is_thing = phrase.bare_relation or (is_english(word) and word not in GIVEN_NAMES)
    return not (is_lone and (is_thing or any(map(str.isdigit, subject.text))))


def _is_plain_name(phrase: Phrase) -> bool:
    """Tell whether a phrase is a name without a figure, as of a company."""
    return phrase.named and not phrase.determiner and not any(map(str.isdigit, phrase.text))


def _acts(subject: Subject, parsed: Parsed, at: int) -> bool:
    """Tell whether a subject of the question before is a name or people that may do what a message asks."""
    return (
        subject.age == 0 and _is_plain_name(subject.phrase) and _may_be_several(subject, parsed, at)
    )


def _may_be_several(subject: Subject, parsed: Parsed, at: int) -> bool:
    """Whether "they" may stand for a phrase: of several, of people, a name, or any one of its kind.

    Who does something without having been named is somebody else: "what if they send it back?".
    """
    if subject.plural or subject.phrase.of_people or subject.phrase.named:
        return True
    if subject.phrase.head in small_words.COLLECTIVES:
        return True
    near = [*parsed.tokens[max(0, at - 1) : at], *parsed.tokens[at + 1 : at + 2]]
    acts = parsed.tokens[at].word == "they" and not any(
        each.word in small_words.BE for each in parsed.tokens[at + 1 : at + 2] + tuple(near)
    )
    return subject.phrase.determiner.lower() in {"a", "an"} and not acts


def is_somebody(phrase: Phrase) -> bool:
    """Tell whether a phrase names one person, by a title, a given name or two capitals."""
    if phrase.plural and not phrase.named:
        return False
    parts = phrase.bare.split()
    full = len(parts) == _FULL_NAME and all(part[:1].isupper() for part in parts)
    return phrase.of_people or full


def places(parsed: Parsed) -> list[tuple[int, int]]:
    """Return where the pronouns stand that point back, and own nothing."""
    return [
        (token.start, token.end)
        for at, token in enumerate(parsed.tokens)
        if _sort(token) and token.kind == "R" and _points_back(parsed, at, _sort(token))
    ]
