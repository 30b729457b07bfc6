"""Tell a question that says nothing of what it is about, and what it could be about.

Pure and lexical. What it could be is named by the passages that would answer it: by what their words
make of the thing that is asked for ("credit limit", "limit of the hoist"), by what they tell of, by
their row, their heading or their document.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from masis.domain import EvidenceChunk
from masis.questions.question_parts import ASKING
from masis.questions.readings import CALCULATED, Readings
from masis.retrieval import extraction, succession
from masis.retrieval.extraction import Passage
from masis.rewriting import gaps, pronouns, small_words
from masis.rewriting.noun_phrases import Parsed, Phrase, content, parse
from masis.text.given_names import GIVEN_NAMES
from masis.text.lexical import terms
from masis.words.chat_words import plain

MOST_OPTIONS: Final = 4
OPTION_CHARS: Final = 60
BRIEF: Final = 2
"""Different words of a question that says no more than the kind of thing it asks for."""
_MOST_WORDS: Final = 5
"""Of a name; a longer one is a sentence."""
_LOOKED_AT: Final = 40
"""Passages, the nearest first."""
_SENTENCE_CHARS: Final = 400
_NUMBERING: Final = re.compile(r"^(?:[A-Z]{0,2}\d{1,2}(?:\.\d{1,2})*[.)]?\s+)")
_OF_FIGURES: Final = re.compile(
    r"\b(?:(?:19|20)\d\d|average|mean|total|amount(?: of)?|number of|percentage|absolute"
    r"|(?:increase|decrease|change|difference) in(?: the)?)(?=\s|[?.]|$)",
    re.IGNORECASE,
)
"""What is told of figures: their year, or what is made of them."""
_ASKS: Final = re.compile(r"(?:who|what|when|where|why|how|which)\b", re.IGNORECASE)
_PARTS_OF_ANY: Final = frozenset(
    terms(
        "open points actions action items background overview introduction scope purpose summary notes note remarks general "
        "contents appendix annex definitions agenda attendance attendees next steps decisions other business any history "
        "changes details information about section part document page table list costs cost figures results rules terms "
        "conditions responsibilities procedure process steps references contact contacts questions answers version versions "
        "revision revisions asked decision consequences principle principles messages staff everyone applies effective"
    )
)
"""Words of headings that any document has: they name no matter."""
_OF_THINGS: Final = frozenset({"of", "for", "on"})
_PLAIN: Final = frozenset("hour hours minute minutes pay means dates date".split())
_VERBS: Final = frozenset({"pays"})
"""Forms that end like plurals and are none: "Finance pays" is no kind of pay."""
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_REACH: Final = 4
"""Words behind what a sentence begins with, for its verb."""
_EXPLAINS: Final = re.compile(r"\W*what (?:is|are) an? ", re.IGNORECASE)
"""How it is asked what a kind of thing is, and not for one of them."""
_OURS: Final = frozenset(
    {"company", "firm", "business", "organisation", "organization", "employer"}
)
"""Of which the asker has one."""
_NOTE: Final = re.compile(r"\w: \S| = ")
"""Tells a note over a table ("Unit: £k") from the name of a part."""
FEW_ROWS: Final = 2
"""Rows of a table that are told apart beside other places."""


class _Option(NamedTuple):
    """A name of what a passage tells of, and its table or document."""

    name: str
    document: str
    table: str = ""
    """Of a row; empty for others."""
    place: str = ""
    """What the heading or document is called."""


def _asked(question: str) -> frozenset[str]:
    """The words of a question that say what it is about: a year is none of them."""
    return frozenset(each for each in terms(question) if not each.isdigit()) - ASKING - CALCULATED


class _Sought(NamedTuple):
    """The words of a question that say something; those of the thing it asks for; whether it asks for a person."""

    words: frozenset[str]
    thing: frozenset[str]
    of_people: bool


def pronoun(question: str) -> str:
    """Return the pronoun that a question has in place of all that could be searched; else nothing."""
    parsed = parse(plain(question))
    if not gaps.is_thin(parsed):
        return ""
    return pronouns.first_back(parsed)


def options(
    question: str,
    candidates: Sequence[EvidenceChunk],
    *,
    only_own: bool = False,
    one_kind: bool = False,
) -> list[str]:
    """Return what a question could be about: a name for each passage that would answer it, best first.

    With `only_own` no passage is named by its heading or document, nor are the rows of a table; with
    `one_kind` headings are no choices beside other names, nor where they are of several documents.
    """
    asked = _asked(question)
    said = parse(plain(question))
    sought = _Sought(
        asked,
        asked.intersection(*[content(each.bare) for each in said.phrases][:1] or [frozenset()]),
        of_people=extraction.wanted(question) == "person",
    )
    found = [
        option
        for passage in _answering(question, asked, _in_force(candidates))
        if (option := _named(passage, sought)) is not None
        and not (only_own and option.name == option.place)
    ]
    if len({each.document_id for each in candidates}) == 1:
        titles = {_label(each.title) for each in candidates}
        tops = {each.place.headings[0] if each.place.headings else "" for each in candidates}
        titles |= set(map(_label, tops)) if len(tops) == 1 else set()
        found = [each for each in found if each.name not in titles]
    told = found if only_own else _of_tables(found)
    told = _of_one_kind(told) if one_kind else told
    return _distinct([each.name for each in _apart(told)])[:MOST_OPTIONS]


def _of_one_kind(found: Sequence[_Option]) -> list[_Option]:
    """The options that are names of things, or else the headings of one document."""
    own = [each for each in found if each.table or each.name != each.place]
    if own:
        return own
    return list(found) if len({each.document for each in found}) == 1 else []


def _in_force(candidates: Sequence[EvidenceChunk]) -> list[EvidenceChunk]:
    """The candidates without older versions of documents."""
    older = succession.older_versions(candidates)
    return [each for each in candidates if each.document_id not in older]


def _of_tables(found: Sequence[_Option]) -> list[_Option]:
    """The options, the rows of a table as one where other places answer as well."""
    rows = Counter(each.table for each in found if each.table)
    places = {each.table or each.document for each in found}
    if len(places) == 1:
        return list(found)
    return [
        each._replace(name=each.place) if each.place and rows[each.table] > FEW_ROWS else each
        for each in found
    ]


def _apart(found: Sequence[_Option]) -> list[_Option]:
    """The options in turns of one from each document: what differs most is told first."""
    turns: Counter[str] = Counter()
    turn: list[tuple[int, _Option]] = []
    seen: set[str] = set()
    for each in found:
        if each.name in seen:
            continue
        seen.add(each.name)
        turn.append((turns[each.document], each))
        turns[each.document] += 1
    return [each for _, each in sorted(turn, key=lambda pair: pair[0])]


def left_open(question: str, candidates: Sequence[EvidenceChunk]) -> Readings:
    """Return what a question for a kind of thing could mean; nothing for one that says more."""
    said = _OF_FIGURES.sub(" ", plain(question))
    asked, thing = _asked(said), _thing(parse(said))
    if extraction.asks_for_all(said) or not thing or not asked or len(asked) > BRIEF:
        return Readings()
    if _EXPLAINS.match(said) or extraction.wanted(said) == "yes_no":
        return Readings()
    is_named, of_people = len(thing.split()) > 1, extraction.wanted(said) == "person"
    if small_words.singular(thing.split()[-1].lower()) in _OURS or (is_named and of_people):
        return Readings()
    # What two words name is mostly one thing: it is asked about where passages name kinds of it.
    # Who does something, and how it is done, is said by no heading.
    how_to = extraction.asks_how_to(said)
    found = options(said, candidates, only_own=is_named or of_people or how_to, one_kind=True)
    if how_to or is_named:  # a kind of it has its name: full sick pay is no pay rise
        found = [each for each in found if content(thing) <= content(each)]
    if len(found) <= 1:  # a choice
        return Readings()
    return Readings(thing=thing, options=found)


def _thing(parsed: Parsed) -> str:
    """Return what a question asks for, in a word or two: "limit" of "what is the limit?"; nothing where it has no noun."""
    told = [each for each in parsed.phrases if not each.of_time and content(each.bare)]
    if len(told) != 1 or told[0].named or len(told[0].words) > BRIEF:
        return ""
    word = told[0].words[-1]
    if not (told[0].determiner or told[0].role == "asked") or told[0].head in small_words.VAGUE:
        return ""
    is_noun = not small_words.is_participle(word) and word not in small_words.ADJECTIVES
    return " ".join(told[0].words) if is_noun else ""


def _answering(
    question: str, asked: frozenset[str], candidates: Sequence[EvidenceChunk]
) -> Iterator[Passage]:
    """The passages that speak of what is asked, and give what could be the answer."""
    wanted = extraction.wanted(question)
    for passage in extraction.passages(candidates)[:_LOOKED_AT]:
        over = passage.heading if passage.unit.kind == "table_row" else ""
        said = terms(f"{over} {passage.lead} {passage.text}")
        gives = wanted in {"any", "yes_no", "person"} or extraction.fits(wanted, passage.text)
        if gives and (not asked or not asked.isdisjoint(said)):
            yield passage


def _named(passage: Passage, sought: _Sought) -> _Option | None:
    """The shortest good name of what a passage tells of; None where it has none."""
    chunk, place = passage.chunk, _of_place(passage, sought.words)
    if passage.unit.kind == "table_row":
        table = f"{chunk.document_id} {chunk.place.sheet} {passage.heading}"
        own = _of_row(passage, sought)
    else:
        parsed = parse(passage.text[:_SENTENCE_CHARS])
        table, own = "", _compound(parsed, sought) or _told_of(parsed, sought.words)
    name = own or place
    return _Option(name, chunk.document_id, table, place) if name else None


def _compound(parsed: Parsed, sought: _Sought) -> str:
    """Return what a sentence calls the thing that is asked for, with what tells it apart: "credit limit"."""
    for at, phrase in enumerate(parsed.phrases):
        if sought.thing.isdisjoint(terms(phrase.head)) or phrase.role == "owner":
            continue
        if phrase.words[-1].lower() in _VERBS:
            continue
        if name := _bare(phrase, sought.words):
            return name
        behind = parsed.phrases[at + 1] if at + 1 < len(parsed.phrases) else None
        between = parsed.text[phrase.end : behind.start].strip().lower() if behind else ""
        if behind is not None and between in _OF_THINGS and (name := _bare(behind, sought.words)):
            return f"{phrase.words[-1]} {between} {name}"
    return ""


def _told_of(parsed: Parsed, asked: frozenset[str]) -> str:
    """Return what a sentence begins with, where that is what is done or told: "orders" of "orders are approved"."""
    first = parsed.phrases[0] if parsed.phrases else None
    if first is None or parsed.text[: first.start].strip():
        return ""
    behind = [each for each in parsed.tokens if each.start >= first.end][:_REACH]
    is_told = bool(behind) and behind[0].kind == "X"
    if not is_told or all(asked.isdisjoint(terms(each.word)) for each in behind):
        return ""
    return _bare(first, asked)


def _bare(phrase: Phrase, asked: frozenset[str]) -> str:
    """A phrase as a name; nothing where it says no more than the question, a time, a sum or who."""
    name = " ".join(phrase.bare.split())
    is_short = len(phrase.words) <= _MOST_WORDS and len(name) <= OPTION_CHARS
    if not is_short or phrase.of_time or phrase.of_people or not _tells(phrase.words, asked):
        return ""
    return "" if any(map(_is_of_verb, phrase.words)) else name


def _tells(words: Sequence[str], asked: frozenset[str]) -> bool:
    """Tell whether words name something: one of them is no figure, period or vague word, nor asked for."""
    is_kind = any(not asked.isdisjoint(terms(word)) for word in words)
    aside = small_words.PLAIN_MODIFIERS | small_words.VAGUE | small_words.PERIODS | _PLAIN
    return any(
        len(word) > 1
        and word not in aside
        and not any(map(str.isdigit, word))
        and (is_kind or not small_words.is_adjective(word))
        and content(word) - asked - _PARTS_OF_ANY
        for word in words
    )


def _is_of_verb(word: str) -> bool:
    """Tell whether a word is more likely what is done than what it is done to."""
    return small_words.is_plain_verb(word) and not word.endswith("ing")


def _of_row(passage: Passage, sought: _Sought) -> str:
    """Return what a row is of: its first cell, where that is a name, and of nobody who would be the answer."""
    first = passage.text.strip("| ").split(" | ")[0]
    label = _label(first.partition(": ")[2] or first)
    words = [word.lower() for word in _WORD.findall(label)]
    is_answer = sought.of_people and any(
        word in GIVEN_NAMES or small_words.singular(word) in small_words.PEOPLE for word in words
    )
    return label if _tells(words, sought.words) and not is_answer else ""


def _of_place(passage: Passage, asked: frozenset[str]) -> str:
    """The matter of the heading over a passage, or of one above that, else the name of its document."""
    chunk = passage.chunk
    over = [passage.heading, *reversed(chunk.place.headings), chunk.place.sheet or "", chunk.title]
    labels = (_label(heading) for heading in over)
    return next((each for each in labels if content(each) - _PARTS_OF_ANY - asked), "")


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, each once; one that only adds a figure or a word to another is the same."""
    kept: list[str] = []
    for name in names:
        own = content(name)
        if all(not own <= content(other) and not content(other) <= own for other in kept):
            kept.append(name)
    return kept


def _label(text: str) -> str:
    """Return a heading without its number; nothing where it is too long for a choice, or asks."""
    flat = " ".join(_NUMBERING.sub("", text.lstrip("# ")).split())
    is_name = len(flat) <= OPTION_CHARS and flat[:1].isalnum() and not flat.endswith("?")
    return flat if is_name and not (_ASKS.match(flat) or _NOTE.search(flat)) else ""
