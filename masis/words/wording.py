"""Word a question for the search.

It is as meant where it is mistyped, and in other words where those gain.
"""

import asyncio
import copy
import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol, Self

from masis.attached import Attached
from masis.domain import Value, WorkspaceId
from masis.phrases import definitions
from masis.ports import Repository
from masis.text.grammars import relative_times
from masis.text.lexical import term_id, terms
from masis.words import (
    abbreviations,
    attachment_words,
    chat_words,
    compounds,
    english,
    spelling,
    synonyms,
)
from masis.words.spelling import Typed, Words
from masis.words.synonyms import Found
from masis.words.workspace_words import WorkspaceWords

MOST_OTHERS: Final = 3
"""Other wordings of one question: each is a search of its own."""
RARER: Final = 4
"""So much rarer than the typed word a synonym may be: "holiday" also stands in "bank holiday"."""
MOST_CHARS: Final = 600
"""A longer question tells a case: it is searched as it is written."""
_ASKING: Final = re.compile(r"(?:how many|how|what|when|where|who) ", re.IGNORECASE)
"""How a phrase of the list begins that people type, and that no document says."""
_IS_THE: Final = re.compile(r"^(?:is|are) (?:the |an? )?(?=\w)", re.IGNORECASE)
"""How a phrase of the list begins that answers "who": people are told "managing director" alone."""
PARAPHRASE: Final = 3
"""Words from which on a phrase is a paraphrase, whose words documents have for other things."""
MOST_TERMS: Final = 800
"""Terms that are looked up for one question."""


class Other(Value):
    """Another wording of a question. `needs` must stand in what it finds, each phrase together.

    `unknown` says that no document has the word that it takes the place of, `paraphrased` that this is
    a phrase like "how many people work", which means one thing whatever its words are found in. One to be
    read `beside` the typed one only adds to what that finds.
    """

    text: str
    needs: list[str]
    unknown: bool = False
    paraphrased: bool = False
    beside: bool = False


class Wording(Value):
    """A question as it is searched, and what it is searched for in place of words as they were typed.

    `names` are those of the documents that words miss by a letter which no document has, by these words,
    and `meant` the question with them: it is only offered.
    """

    text: str
    searched_for: list[str] = []
    others: list[Other] = []
    names: dict[str, str] = {}
    meant: str = ""

    def instead(self, other: Other) -> "Wording":
        """Return the wording with another one in its place."""
        told = [*self.searched_for, *(_IS_THE.sub("", need) for need in other.needs)]
        kept = {"text": other.text, "searched_for": list(dict.fromkeys(told)), "others": []}
        return self.model_copy(update=kept)


class AddedSynonyms(Protocol):
    """The synonyms that a workspace's admins added."""

    async def of(self, workspace_id: WorkspaceId) -> Sequence[Sequence[str]]:
        """Return the groups of a workspace."""
        ...


class Wordings:
    """Words questions anew by what the documents of a workspace say.

    Raises:
        StoreUnavailable: the database cannot be read.
    """

    def __init__(
        self,
        repository: Repository,
        words: WorkspaceWords,
        added: AddedSynonyms | None = None,
        *,
        today: Callable[[], dt.date] | None = None,
    ) -> None:
        self._repository = repository
        self._words = words
        self._added = added
        self._today = today or _today
        self._attached: Attached | None = None

    def with_files(self, attached: Attached) -> Self:
        """Return what words questions by the files of one run's question as well."""
        beside = copy.copy(self)
        beside._attached = attached  # noqa: SLF001 - its own copy
        return beside

    async def of(self, workspace_id: WorkspaceId, question: str) -> Wording:
        """Return how a question is to be searched in a workspace."""
        if self._attached is not None:
            question = attachment_words.without(question)
        if len(question) > MOST_CHARS:
            return Wording(text=question)
        # Beside the event loop, like all below that reads a list or looks through a vocabulary.
        plain = await asyncio.to_thread(chat_words.plain, question)
        plain = await self._in_full(workspace_id, plain)
        text, corrected = await self._corrected(workspace_id, plain)
        others, unknown = await self._others(workspace_id, text)
        names = await self._names(workspace_id, unknown)
        return Wording(
            text=text,
            searched_for=corrected,
            others=others[:MOST_OTHERS],
            names={typed.word: name for typed, name in names.items()},
            meant=_asked_of(text, names),
        )

    async def _in_full(self, workspace_id: WorkspaceId, text: str) -> str:
        """The text with the abbreviations in full that no document has."""
        short = list(abbreviations.abbreviations(text))
        if not short or not await asyncio.to_thread(english.reads_english, text, short):
            return text
        counts = await self._counts(workspace_id, short)
        return abbreviations.in_full(text, lambda each: counts.get(each, 0) > 0)

    async def _corrected(self, workspace_id: WorkspaceId, text: str) -> tuple[str, list[str]]:
        """The text with the words that are meant, and those."""
        suspects = await asyncio.to_thread(lambda: list(spelling.suspects(text)))
        if not suspects or len(suspects) > spelling.MOST_CORRECTED:
            return text, []
        counts = await self._counts(workspace_id, [typed.word for typed in suspects])
        unknown = [typed for typed in suspects if not counts[typed.word]]
        if not unknown:
            return text, []
        words = await self._words.of(workspace_id)
        meant = await asyncio.to_thread(_meant, words, unknown, text)
        told = (word for word in meant.values() if word not in spelling.QUESTION_WORDS)
        return spelling.replaced(text, meant), list(dict.fromkeys(told))

    async def _others(
        self, workspace_id: WorkspaceId, text: str
    ) -> tuple[list[Other], list[Typed]]:
        """The other wordings of a text, and its words that no document has."""
        added = await self._added.of(workspace_id) if self._added else []
        found = await asyncio.to_thread(_synonyms, text, added)
        joined = list(compounds.pairs(text))
        asked = [typed for typed in _words(text) if terms(typed.word)]
        phrases = [phrase for each in found for phrase in (each.phrase, *each.others)]
        counts = await self._counts(
            workspace_id, [*phrases, *(each[2] for each in joined), *(t.word for t in asked)]
        )
        counts |= {e.phrase: 0 for e in found if len(e.phrase.split()) >= PARAPHRASE}
        unknown = [typed for typed in asked if not counts[typed.word] and typed.word.isalpha()]
        parted = await self._parted(workspace_id, text, unknown)
        synonymous = _synonymous(text, found, counts)
        others = [
            *await self._dated(workspace_id, text, synonymous),
            *_explained(text, counts),
            *parted,
            *await self._heard(workspace_id, text, unknown),
            *_together(text, joined, counts),
            *synonymous,
        ]
        return others, unknown

    async def _dated(
        self, workspace_id: WorkspaceId, text: str, synonymous: Sequence[Other]
    ) -> list[Other]:
        """The wording with "last year" as the year that it was, in the documents' words for the rest."""
        known = next((each for each in synonymous if each.unknown), None)
        base = known or Other(text=text, needs=[])
        said = relative_times.period(base.text, self._today())
        if said is None:
            return []
        counts = await self._counts(workspace_id, said.names)
        return [
            base.model_copy(
                update={
                    "text": relative_times.worded(base.text, said, name),
                    "needs": [*base.needs, name],
                }
            )
            for name in said.names
            if counts[name]
        ]

    async def _names(self, workspace_id: WorkspaceId, unknown: Sequence[Typed]) -> dict[Typed, str]:
        """The names that words which no document has miss by a letter."""
        missed = [each for each in unknown if not english.is_english(each.word.lower())]
        if not missed:
            return {}
        words = await self._words.of(workspace_id)
        near = await asyncio.to_thread(
            lambda: {each: words.name_near(each.word) for each in missed[:MOST_OTHERS]}
        )
        return {typed: name for typed, name in near.items() if name}

    async def _parted(
        self, workspace_id: WorkspaceId, text: str, unknown: Sequence[Typed]
    ) -> list[Other]:
        """The wordings with a word that no document has in its two parts, where they have both."""
        if not unknown:
            return []
        words = await self._words.of(workspace_id)
        ways = await asyncio.to_thread(_partings, words, unknown[:MOST_OTHERS])
        parts = [part for each in ways.values() for way in each for part in way]
        counts = await self._counts(workspace_id, parts) if parts else {}
        others = []
        for typed, pairs in ways.items():
            known = {
                way: min((counts[part] for part in way if terms(part)), default=0) for way in pairs
            }
            best = max(known, key=lambda way: (known[way], min(map(len, way))), default=None)
            if best is not None and known[best]:
                phrase = " ".join(best)
                worded = spelling.replaced(text, {typed: phrase})
                others.append(Other(text=worded, needs=[phrase], unknown=True))
        return others

    async def _heard(
        self, workspace_id: WorkspaceId, text: str, unknown: Sequence[Typed]
    ) -> list[Other]:
        """The wordings with what sounds like a word that no document has: "brakes" for breaks."""
        if not unknown:
            return []
        words = await self._words.of(workspace_id)
        heard = await asyncio.to_thread(
            lambda: {each: words.heard(each.word) for each in unknown[:MOST_OTHERS]}
        )
        counts = await self._counts(workspace_id, [w for each in heard.values() for w in each])
        return [
            Other(text=spelling.replaced(text, {typed: word}), needs=[word], unknown=True)
            for typed, found in heard.items()
            for word in [word for word in found if counts[word]][:1]
        ]

    async def _counts(self, workspace_id: WorkspaceId, phrases: Iterable[str]) -> dict[str, int]:
        """In how many passages the rarest word of each phrase stands; 0 for one of small words."""
        by_phrase = {phrase: terms(phrase) for phrase in phrases}
        wanted = list(dict.fromkeys(term for each in by_phrase.values() for term in each))
        ids = {term_id(term) for term in wanted[:MOST_TERMS]}
        if not ids:
            return dict.fromkeys(by_phrase, 0)
        _, known = await self._repository.term_frequencies(workspace_id, ids)
        beside = await self._in_files(wanted)
        return {
            phrase: min(
                (known.get(term_id(term), 0) + beside.get(term, 0) for term in own), default=0
            )
            for phrase, own in by_phrase.items()
        }

    async def _in_files(self, wanted: Sequence[str]) -> dict[str, int]:
        """In how many passages of the run's files each of the terms stands."""
        if self._attached is None:
            return {}
        return await asyncio.to_thread(self._attached.frequencies, wanted)


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


def _meant(words: Words, unknown: Iterable[Typed], text: str) -> dict[Typed, str]:
    unknown = list(unknown)
    if english.reads_english(text):
        return _near(words, unknown)
    # "minimun lenght of pasword": English once the plainest slips are mended.
    slips = _near(words, unknown, slips_only=True)
    return _near(words, unknown) if english.reads_english(spelling.replaced(text, slips)) else slips


def _near(words: Words, unknown: Iterable[Typed], *, slips_only: bool = False) -> dict[Typed, str]:
    near = {typed: words.nearest(typed.word, slips_only=slips_only) for typed in unknown}
    return {typed: word for typed, word in near.items() if word}


def _asked_of(text: str, names: Mapping[Typed, str]) -> str:
    """Return a question with names as documents write them; nothing without any."""
    if not names:
        return ""
    asked = text
    for typed, name in sorted(names.items(), key=lambda item: -item[0].start):
        asked = f"{asked[: typed.start]}{name}{asked[typed.end :]}"
    return f"{asked.strip().rstrip('?.! ')}?"


def _synonyms(text: str, added: Iterable[Sequence[str]]) -> list[Found]:
    return synonyms.found(text, [*added, *synonyms.bundled()])


def _partings(words: Words, unknown: Iterable[Typed]) -> dict[Typed, list[tuple[str, str]]]:
    return {
        typed: [way for way in compounds.partings(typed.word) if all(map(words.has, way))]
        for typed in unknown
    }


def _words(text: str) -> Iterator[Typed]:
    for match in spelling.WORD.finditer(text):
        yield Typed(match[0], match.start(), match.end())


def _explained(text: str, counts: Mapping[str, int]) -> list[Other]:
    """The wording of what would say what a thing is, where one that documents have is asked for."""
    name = definitions.thing(text)
    known = bool(name) and all(counts.get(word, 1) for word in name.split())
    return [Other(text=f"{name} is our service", needs=[name], beside=True)] if known else []


def _together(
    text: str, joined: Sequence[tuple[int, int, str]], counts: Mapping[str, int]
) -> list[Other]:
    """The wordings with two words as one, where documents write them so."""
    return [
        Other(text=f"{text[:start]}{word}{text[end:]}", needs=[word])
        for start, end, word in joined
        if counts[word]
    ]


def _synonymous(text: str, found: Sequence[Found], counts: Mapping[str, int]) -> list[Other]:
    """The wordings with what documents say in place of each phrase, the first of its group before the next.

    What no document has is said otherwise first, then all phrases at once, then each alone.
    """
    said = {each: others for each in found if (others := _said(text, each, counts))}
    firsts = {each: others[0] for each, others in said.items()}
    unknown = {each: other for each, other in firsts.items() if not counts[each.phrase]}
    instead = [unknown, firsts, *({each: other} for each, other in firsts.items())]
    instead += [{each: other} for each, others in said.items() for other in others[1:]]
    distinct = [each for n, each in enumerate(instead) if each and each not in instead[:n]]
    return [_with(text, each, counts) for each in distinct]


def _said(text: str, found: Found, counts: Mapping[str, int]) -> list[str]:
    """The synonyms of a phrase that documents have about as often or more, and that the text has not yet."""
    own, asked = set(terms(found.phrase)), set(terms(text))
    return [
        other
        for other in found.others
        if not _ASKING.match(other)
        and counts[other] >= max(1, counts[found.phrase] / RARER)
        and not own.issubset(terms(other))
        and not asked.issuperset(terms(other))
    ]


def _with(text: str, instead: Mapping[Found, str], counts: Mapping[str, int]) -> Other:
    meant = {
        Typed(each.phrase, each.start, each.end): f"{_asking(each.phrase)}{other}"
        for each, other in instead.items()
    }
    return Other(
        text=spelling.replaced(text, meant),
        needs=list(instead.values()),
        unknown=any(not counts[each.phrase] for each in instead),
        paraphrased=any(_ASKING.match(each.phrase) for each in instead),
    )


def _asking(phrase: str) -> str:
    """The word with which a phrase asks, which stays: "how many" of "how many people work"."""
    found = _ASKING.match(phrase)
    return found[0] if found else ""
