"""Find what a thread is about: the noun phrases of its questions, the likeliest first."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from masis.conversation import Exchange
from masis.rewriting import grammar
from masis.rewriting.phrases import Parsed, Phrase, parse
from masis.text.lexical import terms

MOST_EXCHANGES: Final = 6
MOST_CHARS: Final = 4000
"""Of a thread's questions, the last ones first."""

_BY_ROLE: Final = {"subject": 4.0, "about": 5.0, "of": 4.0, "owner": 4.5, "object": 3.0, "asked": 2.5}
_BY_PREPOSITION: Final = 2.0
_NAMED: Final = 1.0
_CARRIED: Final = 1.5
_RELATION: Final = -3.0
_VAGUE: Final = -4.0
_PEOPLE: Final = -0.5
_AGEING: Final = 0.6
"""By how much less a phrase counts for each question that was asked since."""


class Subject(NamedTuple):
    """Hold a noun phrase of a thread, and how likely it is what the thread is about."""

    phrase: Phrase
    text: str
    score: float
    age: int = 0

    @property
    def plural(self) -> bool:
        """Whether it is of several."""
        return self.phrase.plural

    @property
    def definite(self) -> str:
        """Its text as something that was spoken of: a lost laptop is then the lost laptop."""
        determiner, rest = self.phrase.determiner.lower(), self._rest
        if determiner in {"a", "an"}:
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


_KEPT: Final = frozenset("the my our your his her their its this that these those".split())  # noqa: SIM905


class Thread(NamedTuple):
    """Hold what was asked in a thread, the last first, and its subjects, the likeliest first."""

    questions: tuple[Parsed, ...]
    subjects: tuple[Subject, ...]
    titles: tuple[str, ...] = ()

    @property
    def last(self) -> Parsed:
        """The question before."""
        return self.questions[0]

    def best(self, fits: Callable[[Subject], bool] = lambda _: True) -> Subject | None:
        """Return the likeliest subject that fits."""
        return next((each for each in self.subjects if fits(each)), None)


def thread(exchanges: Sequence[Exchange]) -> Thread | None:
    """Read a thread; None where nothing was asked in it."""
    asked = [each for each in reversed(exchanges[-MOST_EXCHANGES:]) if terms(_question(each))]
    questions, subjects, room = [], [], MOST_CHARS
    for age, exchange in enumerate(asked):
        room -= len(_question(exchange))
        if room < 0 and questions:
            break
        parsed = parse(_question(exchange)[:MOST_CHARS])
        questions.append(parsed)
        subjects += _subjects(parsed, set(terms(exchange.question)), age)
    if not questions:
        return None
    ordered = sorted(subjects, key=lambda each: -each.score)
    titles = next((each.about for each in asked if each.about), [])
    return Thread(tuple(questions), tuple(ordered), tuple(titles))


def _question(exchange: Exchange) -> str:
    return exchange.standalone or exchange.question


def _subjects(parsed: Parsed, typed: set[str], age: int) -> Iterator[Subject]:
    for at, phrase in enumerate(parsed.phrases):
        if phrase.of_time or not terms(phrase.text):
            continue
        following = parsed.phrases[at + 1] if at + 1 < len(parsed.phrases) else None
        text = _with_complement(parsed, phrase, following)
        score = _score(phrase, typed) + _placed(parsed, at)
        if score > 0:
            yield Subject(phrase, text, score * _AGEING**age, age)


def _with_complement(parsed: Parsed, phrase: Phrase, following: Phrase | None) -> str:
    """The text of a phrase with what it is of, where it is not a mere relation of that."""
    if following is None or following.role != "of" or phrase.relation:
        return phrase.text
    between = parsed.text[phrase.end : following.start].split()
    return parsed.text[phrase.start : following.end] if between[:1] == ["of"] else phrase.text


def _score(phrase: Phrase, typed: set[str]) -> float:
    score = _BY_ROLE.get(phrase.role, _BY_PREPOSITION)
    if phrase.relation and not phrase.named:
        score += _RELATION
    if phrase.head in grammar.VAGUE and len(phrase.words) == 1:
        score += _VAGUE
    if typed.isdisjoint(terms(phrase.text)):
        score += _CARRIED
    return score + _NAMED * phrase.named + _PEOPLE * phrase.of_people


def _placed(parsed: Parsed, at: int) -> float:
    """What of its place a phrase loses: of equals the first is meant."""
    phrase = parsed.phrases[at]
    if at and phrase.role == "of" and not parsed.phrases[at - 1].relation:
        return -1.5
    return -0.2 * at


def heads(subjects: Iterable[Subject]) -> set[str]:
    """Return the nouns that the phrases of a thread end with."""
    return {each.phrase.head for each in subjects}
