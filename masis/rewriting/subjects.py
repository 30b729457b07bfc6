"""Find what a thread is about: the noun phrases of its questions, the likeliest first."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from masis.conversation import Exchange
from masis.rewriting import small_words
from masis.rewriting.noun_phrases import Parsed, Phrase, content, parse
from masis.words.english import is_english

MOST_EXCHANGES: Final = 6
MOST_CHARS: Final = 4000
"""Of a thread's questions, the last ones first."""

_BY_ROLE: Final = {
    "subject": 4.0,
    "about": 5.0,
    "of": 4.0,
    "owner": 4.5,
    "object": 3.0,
    "asked": 2.5,
    "predicate": 2.5,
    "asker": -5.0,
}
_BY_PREPOSITION: Final = 2.0
PLACES: Final = frozenset({"in", "at", "on", "from"})
_NAMED: Final = 1.0
_CARRIED: Final = 1.5
_RELATION: Final = -3.0
_TOLD: Final = 2.0
_VAGUE: Final = -4.0
_PEOPLE: Final = -0.5
_AGEING: Final = 0.6
"""By how much less a phrase counts for each question that was asked since."""
_LEAST: Final = 0.8
"""What is less likely is not what is meant."""
_CHANGED: Final = 0.2
"""The same where that question was about something else."""


class Subject(NamedTuple):
    """Hold a noun phrase of a thread, and how likely it is what the thread is about."""

    phrase: Phrase
    text: str
    score: float
    age: int = 0

    @property
    def key(self) -> str:
        """Tell it from others, of one or of several alike."""
        return " ".join(map(small_words.singular, self.phrase.words))

    @property
    def plural(self) -> bool:
        """Whether it is of several."""
        return self.phrase.plural

    @property
    def asks_who(self) -> bool:
        """Whether it is who somebody is to others: "Ada's manager"."""
        return self.phrase.relation and self.phrase.of_people

    @property
    def is_owned(self) -> bool:
        """Tell whether its text tells whose it is: "Ada's biggest order"."""
        return self.text != self.phrase.text and not self.text.startswith(self.phrase.text)

    @property
    def definite(self) -> str:
        """Its text as something that was spoken of: a lost laptop is then the lost laptop."""
        determiner, rest = self.phrase.determiner.lower(), self._rest
        asked = self.phrase.role == "asked" and not determiner and not self.plural
        if determiner in {"a", "an"} or asked:
            return f"the {rest}"
        return self.text if determiner in _KEPT else rest

    @property
    def bare(self) -> str:
        """Its text without any determiner."""
        return self._rest

    @property
    def _rest(self) -> str:
        lead = self.phrase.determiner
        return self.text[len(lead) :].lstrip() if lead else self.text


_FIRST_WORD: Final = re.compile(r"[A-Z][a-z]+\b(?!['’.])")
_KEPT: Final = frozenset("the my our your his her their its this that these those".split())


class Thread(NamedTuple):
    """Hold what was asked in a thread, the last first, and its subjects, the likeliest first."""

    questions: tuple[Parsed, ...]
    subjects: tuple[Subject, ...]
    titles: tuple[str, ...] = ()
    typed: frozenset[str] | None = None
    """The words that were typed for the question before, where others were carried to it."""
    person: str = ""
    """Whom the answer to the question before names, where it asked who."""

    @property
    def last(self) -> Parsed:
        """The question before."""
        return self.questions[0]

    def without(self, texts: Iterable[str]) -> "Thread":
        """Return the thread without the subjects of these texts."""
        aside = set(texts)
        return self._replace(
            subjects=tuple(each for each in self.subjects if each.text not in aside)
        )

    @property
    def told(self) -> "Subject | None":
        """The person whom the last answer names."""
        if not self.person:
            return None
        words = tuple(self.person.lower().split())
        phrase = Phrase(self.person, 0, len(self.person), words, "told")
        return Subject(phrase, self.person, 0.0)

    def best(self, fits: Callable[[Subject], bool] = lambda _: True) -> Subject | None:
        """Return the likeliest subject that fits."""
        return next((each for each in self.subjects if fits(each)), None)


def thread(exchanges: Sequence[Exchange]) -> Thread | None:
    """Read a thread; None where nothing was asked in it."""
    asked = [each for each in reversed(exchanges[-MOST_EXCHANGES:]) if content(_question(each))]
    questions: list[Parsed] = []
    subjects: list[Subject] = []
    room = MOST_CHARS
    weight = 1.0
    for age, exchange in enumerate(asked):
        room -= len(_question(exchange))
        if room < 0 and questions:
            break
        parsed = parse(_question(exchange)[:MOST_CHARS])
        questions.append(parsed)
        found = [
            each._replace(score=each.score + weight * _told_now(each, exchange))
            for each in _subjects(parsed, content(exchange.question), age, weight)
        ]
        subjects += found
        weight *= _AGEING if _goes_on(exchange, found, asked[age + 1 : age + 2]) else _CHANGED
    if not questions:
        return None
    titles = next((each.about for each in asked if each.about), [])
    return Thread(
        tuple(questions),
        tuple(_ordered(subjects)),
        tuple(titles),
        _typed(asked[0]),
        asked[0].person,
    )


def _told_now(subject: Subject, exchange: Exchange) -> float:
    """What a phrase counts more that was the whole of a message: "what about contractors?"."""
    asked = parse(exchange.question).tokens
    typed = _typed(exchange)
    if typed is None or any(each.kind in {"V", "X"} for each in asked):
        return 0.0
    return _TOLD * (content(subject.phrase.bare) <= typed)


def _typed(exchange: Exchange) -> frozenset[str] | None:
    typed = content(exchange.question)
    return None if typed >= content(_question(exchange)) else typed


def _goes_on(exchange: Exchange, found: Sequence[Subject], before: Sequence[Exchange]) -> bool:
    """Whether a question is about what the one before it was: it needed that, or names the same."""
    if _typed(exchange) is not None or not before:
        return True
    earlier = content(_question(before[0]))
    return any(earlier.issuperset(content(each.phrase.bare)) for each in found)


def _ordered(subjects: Sequence[Subject]) -> list[Subject]:
    """The subjects, the likeliest first: one that was asked of several times counts as often."""
    total: dict[str, float] = {}
    for each in subjects:
        total[each.key] = total.get(each.key, 0.0) + each.score
    latest = {each.key: each for each in sorted(subjects, key=lambda each: -each.age)}
    return sorted(
        (each._replace(score=total[key]) for key, each in latest.items() if total[key] >= _LEAST),
        key=lambda each: -each.score,
    )


def _question(exchange: Exchange) -> str:
    """The question as it was understood; the capital that only begins it is none of a name."""
    text = (exchange.standalone or exchange.question).strip().replace("\n", ", ")
    first = _FIRST_WORD.match(text)
    is_plain = first is not None and exchange.standalone != exchange.question
    return f"{text[0].lower()}{text[1:]}" if is_plain and is_english(first[0].lower()) else text  # type: ignore[index]


def _subjects(parsed: Parsed, typed: frozenset[str], age: int, weight: float) -> Iterator[Subject]:
    for at, phrase in enumerate(parsed.phrases):
        open_owner = phrase.determiner.lower() in small_words.POSSESSIVE_PRONOUNS | {"her"}
        if phrase.of_time or not content(phrase.text) or _only_picks(phrase) or open_owner:
            continue
        before = parsed.before(phrase)
        is_degree = len(phrase.words) == 1 and not phrase.determiner
        if before is not None and before.word == "how" and is_degree:
            continue  # "how quick" asks of no thing
        following = parsed.phrases[at + 1] if at + 1 < len(parsed.phrases) else None
        text = _with_complement(parsed, phrase, following)
        owner = parsed.phrases[at - 1] if at else None
        if owner is not None and owner.owns(phrase):
            text = parsed.text[owner.start : phrase.start] + text
        score = _score(phrase, typed) + _placed(parsed, at)
        score += _owning(parsed, at)
        if score > 0:
            yield Subject(phrase, text, score * weight, age)


def _only_picks(phrase: Phrase) -> bool:
    """Whether a phrase has no noun: "the best", "the most powerful", "lost", "21"."""
    word = phrase.words[-1]
    if (
        len(phrase.words) == 1
        and not phrase.determiner
        and (word.isdigit() or small_words.is_participle(word) or word in small_words.ADJECTIVES)
    ):
        return True
    most = phrase.determiner.lower() in {"the most", "the least", "most"}
    return small_words.is_superlative(phrase.words[-1]) or (
        most and small_words.is_adjective(phrase.words[-1])
    )


def _with_complement(parsed: Parsed, phrase: Phrase, following: Phrase | None) -> str:
    """The text of a phrase with what it is of, where it is not a mere relation of that."""
    if following is None or following.role != "of" or phrase.relation:
        return phrase.text
    between = parsed.text[phrase.end : following.start].split()
    return parsed.text[phrase.start : following.end] if between[:1] == ["of"] else phrase.text


def _score(phrase: Phrase, typed: frozenset[str]) -> float:
    score = _BY_ROLE.get(phrase.role, _BY_PREPOSITION)
    if phrase.relation and not phrase.named and not phrase.of_people:
        score += _RELATION if phrase.bare_relation else _RELATION / 2
    any_one = phrase.determiner.lower() not in _KEPT
    if any_one and len(phrase.words) > 1 and phrase.words[0] in small_words.PLAIN_MODIFIERS:
        score += _RELATION / 2
    if phrase.head in small_words.VAGUE and set(phrase.words[:-1]) <= small_words.PLAIN_MODIFIERS:
        score += _VAGUE
    if typed.isdisjoint(content(phrase.text)) and phrase.role in _BY_ROLE:
        score += _CARRIED
    bound = phrase.role in PLACES and not phrase.determiner
    return score + _NAMED * (phrase.named and not bound) + _PEOPLE * phrase.of_people


def _owning(parsed: Parsed, at: int) -> float:
    """Return what an owner loses to what it has, where that is no mere relation: "Ada's biggest order"."""
    phrase = parsed.phrases[at]
    following = parsed.phrases[at + 1] if at + 1 < len(parsed.phrases) else None
    if following is not None and phrase.owns(following):
        return 0.0 if following.relation or following.of_people else _OWNER
    owner = parsed.phrases[at - 1] if at else None
    owned = owner is not None and owner.owns(phrase)
    return -_OWNER / 2 if owned and not (phrase.relation or phrase.of_people) else 0.0


_OWNER: Final = -3.5


def _placed(parsed: Parsed, at: int) -> float:
    """What of its place a phrase loses: of equals the first is meant."""
    phrase = parsed.phrases[at]
    if at and phrase.role == "of" and not parsed.phrases[at - 1].relation:
        return -1.5
    return -0.2 * at
