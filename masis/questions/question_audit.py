"""Find what a draft leaves open of its question.

It is computed in code, whoever wrote the draft.
"""

import asyncio
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final, Protocol

from rapidfuzz import process
from rapidfuzz.distance import OSA

from masis.answering import citations
from masis.answering.claims import is_hedge
from masis.domain import EvidenceChunk, Question, Value, WorkspaceId
from masis.phrases import open_points
from masis.questions import (
    calculations,
    nearest,
    question_names,
    question_parts,
    readings,
    unclear,
)
from masis.questions.question_names import Named
from masis.questions.readings import Readings
from masis.retrieval import extraction
from masis.text.facts import is_acronym
from masis.text.lexical import terms
from masis.words import english, synonyms
from masis.words.plain_words import PLAIN_WORDS

MOST_ABSENT: Final = 3
"""Words told as standing in no document; a question with more of them is about something else."""

_LEAST_MISSPELT: Final = 5
"""A shorter word is a letter away from too many others."""
_LONG_THING: Final = 40
"""Characters from which on a thing is told in full, whatever follows."""
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_COMPARATIVE: Final = re.compile(r"\b[^\W\d_]{2,20}er(?= than\b)")
"""How two things compare ("heavier than"), which is no third thing."""
_LETTERS: Final = re.compile(r"[^\W\d_]{3}")
_PREFIX: Final = re.compile(r"^(?:un|non-)(?=[a-z]{3})")
"""With it a word is of the kind that it is without: "unused", "non-stop"."""
_JOINING: Final = frozenset({"and", "of", "the", "for", "to", "in"})
_WORD: Final = re.compile(r"[^\W_][\w&]*(?:[.'’-][^\W_][\w&]*)*")
_VERB_AFTER: Final = frozenset(
    """
    i you we they he she it who to not never can could may might must shall should will would do
    how too very so still does did don't doesn't didn't can't won't i'm we're they're
    """.split()
)
"""Before these comes a verb, which documents say in other words, and no thing."""
_NO_THING: Final = frozenset(
    terms(
        "anyone anybody anything anywhere everyone everybody everything someone something somewhere "
        "nobody somebody somebodys someones nothing really actually exactly currently usually "
        "still already again ever quickly soon late early today tomorrow yesterday now then here there maybe perhaps just even also "
        "myself yourself himself herself itself ourselves yourselves themselves "
        "hi hiya hello hey thanks thank please pls whats wheres hows whos thats im ive ok okay stuff "
        "thing things tell explain describe summarise summarize list give show find know need want "
        "many much several different possible allowed able supposed going person people number numbers "
        "company firm business organisation organization boss colleague guy vs versus last next first "
        "second current new old right best good bad big small whole total average difference share "
        "percentage percent max min maximum minimum altogether year month week day time kind sort type way "
        "across among around beside during inside onto through throughout toward until upon via without "
        "long short high low far wide deep heavy often quick fast slow "
        "more less fewer higher lower bigger larger smaller longer shorter cheaper dearer greater most "
        "least both each either neither other another whole combined sum ratio compare comparison "
        "lighter heavier faster slower stronger weaker wider narrower taller thicker thinner earlier later nearer closer "
        "double twice take took taken happen mean keep put run start begin end stop use work make made "
        "said called cheap dear regarding concerning between within together "
        "one ones once two three four five six seven eight nine ten eleven twelve half"
    )
)
_MEASURES: Final = frozenset(
    terms(
        "price cost rate amount fee charge level size length weight height date degree duration value"
        " change difference increase decrease rise fall growth average mean sum total share percentage"
        " proportion ratio largest smallest highest lowest biggest greatest absolute respective"
    )
)
"""Of anything, or made of several: a document that gives one seldom calls it so. With another word they
are a thing."""


class Vocabulary(Protocol):
    """Look up which words the documents of a workspace have."""

    async def known(self, workspace_id: WorkspaceId, words: Iterable[str]) -> frozenset[str]:
        """Those of the terms that stand in a document."""
        ...


class QuestionAudit(Value):
    """Hold what was found out about a question.

    That is what of it the evidence and the draft leave open.

    `unmentioned` are its names, years and codes that no evidence has, `nowhere` those of them that
    no document has; `absent` its other things that no document speaks of; `unanswered` and
    `answered` its parts, where it has several. `calculation` says that it asks for one whose result
    no quoted sentence states. `nearest` are the places of the draft's claims that come
    nearest to it, `nearest_share` the share of its words that the nearest of them has, `nearness` how
    near that comes, where it was measured; `other_language` where no document has the small words of the
    question's language; `answers_whole` where the draft as a whole is what was
    asked for; `open_point` where the documents themselves only ask it.
    """

    unmentioned: list[str] = []
    nowhere: list[str] = []
    absent: list[str] = []
    unanswered: list[str] = []
    answered: list[str] = []
    calculation: bool = False
    readings: Readings = Readings()
    nearest: list[int] = []
    nearest_share: float = 0.0
    nearness: float | None = None
    answers_whole: bool = False
    open_point: bool = False
    other_language: bool = False


def latest(question: Question) -> str:
    """Return what is asked now: a reply that asks anew takes the place of the question before it.

    So does the last line that asks, of several: clients of the HTTP API write a reply below.
    """
    if question_parts.asks(question.reply):
        return question.reply
    asking = [line for line in question.standalone.splitlines() if question_parts.asks(line)]
    return asking[-1] if len(asking) > 1 else question.standalone


async def audit(
    question: str,
    draft: str,
    evidence: Sequence[EvidenceChunk],
    vocabulary: Vocabulary | None,
    workspace_id: WorkspaceId,
    *,
    measure: nearest.Measure | None = None,
) -> QuestionAudit:
    """Hold a question against the evidence that was found for it and the draft from that."""
    named = question_names.unmentioned(question, [citations.source_text(c) for c in evidence])
    stated = said(draft, evidence)
    known = await _known(question, named, vocabulary, workspace_id)
    named = question_names.counting(named, known)
    if known is not None:
        named = _with_unfamiliar(question, named, unknown_terms(question, known, evidence))
    found = "\n".join(map(citations.source_text, evidence))
    measured = await measure.of(question, citations.claims(draft), evidence) if measure else None
    near = nearest.statements(question, draft, evidence, measured)
    open_parts = question_parts.unanswered(question, question_parts.Said(stated, found))
    things = absent(question, known, found) if known is not None else []
    return QuestionAudit(
        other_language=bool(things) and english.reads_other(question),
        unmentioned=[each.written for each in named],
        nowhere=question_names.unknown(named, known) if known is not None else [],
        absent=things,
        unanswered=open_parts,
        answered=[part for part in question_parts.parts(question) if part not in open_parts],
        calculation=calculations.is_asked_only(question, stated),
        readings=_readings(question, evidence),
        nearest=near.places,
        nearest_share=near.share,
        nearness=near.nearness,
        answers_whole=near.is_whole,
        open_point=leaves_open(question, draft, evidence),
    )


def leaves_open(question: str, draft: str, evidence: Sequence[EvidenceChunk]) -> bool:
    """Tell whether a draft quotes a question that a document leaves open, and was asked for something else."""
    told = [claim for claim in citations.claims(draft) if "?" in claim.text]
    if not told or open_points.asks_for_points(question):
        return False
    cited = {name for claim in told for name in claim.ids}
    found = extraction.passages([each for each in evidence if each.chunk_id in cited])
    posed = (open_points.posed(each.text, f"{each.heading}\n{each.lead}") for each in found)
    return any(asked in claim.text for asked in posed if asked for claim in told)


def _readings(question: str, evidence: Sequence[EvidenceChunk]) -> Readings:
    """The things between which a question does not choose, or that a question for a kind may mean."""
    several = readings.readings(question, evidence)
    # Nobody chooses between bare figures.
    if several.options and not any(_LETTERS.search(each) for each in several.options):
        return Readings()
    if several.options:
        return several
    several = readings.periods(question, evidence)
    if several.options or any(chunk.attached for chunk in evidence):
        return several  # who sends a file along means that of the file
    return unclear.left_open(question, evidence)


async def not_found(
    question: str, vocabulary: Vocabulary | None, workspace_id: WorkspaceId
) -> QuestionAudit:
    """Say which things of a question stand in no document, where nothing was found for it."""
    named = question_names.unmentioned(question, [])
    known = await _known(question, named, vocabulary, workspace_id)
    if known is None:
        return QuestionAudit()
    named = question_names.counting(named, known)
    named = _with_unfamiliar(question, named, unknown_terms(question, known, []))
    nowhere = question_names.unknown(named, known)
    things = absent(question, known)
    other = bool(things) and english.reads_other(question)
    return QuestionAudit(unmentioned=nowhere, nowhere=nowhere, absent=things, other_language=other)


async def names_absent(
    question: str,
    evidence: Sequence[EvidenceChunk],
    vocabulary: Vocabulary | None,
    workspace_id: WorkspaceId,
) -> bool:
    """Tell whether a question names a thing of which no document speaks; no where that cannot be known."""
    known = await _known(question, [], vocabulary, workspace_id)
    if known is None:
        return False
    found = "\n".join(map(citations.source_text, evidence))
    return bool(absent(question, known.union(terms(found)), found))


def unknown_terms(
    question: str, known: Collection[str], evidence: Iterable[EvidenceChunk]
) -> frozenset[str]:
    """Return the terms of a question that no document has, without those of misspelt words."""
    written = {
        word.lower() for chunk in evidence for word in _WORD.findall(citations.source_text(chunk))
    }
    return frozenset(
        term
        for word in _WORD.findall(question)
        if not _is_misspelt(word, written)
        for term in terms(word)
        if term not in known
    )


def _with_unfamiliar(
    question: str, named: Sequence[Named], unknown: Collection[str]
) -> list[Named]:
    """The names, and those in small letters that no document has; none twice."""
    there = {term for each in named for term in each.terms}
    others = question_names.unfamiliar(question, unknown)
    return [*named, *(each for each in others if each.terms.isdisjoint(there))]


async def _known(
    question: str,
    named: Iterable[Named],
    vocabulary: Vocabulary | None,
    workspace_id: WorkspaceId,
) -> frozenset[str] | None:
    """The terms that documents have; None where that cannot be known."""
    if vocabulary is None:
        return None
    said_otherwise = await asyncio.to_thread(_said_otherwise, question)
    asked = [*terms(question), *(term for each in named for term in each.terms)]
    asked += [term for others in said_otherwise.values() for term in others]
    known = await vocabulary.known(workspace_id, asked)
    return known.union(
        term for term, others in said_otherwise.items() if not others.isdisjoint(known)
    )


def _said_otherwise(question: str) -> dict[str, frozenset[str]]:
    """Return the words of a question that have synonyms of one word, with these, as terms."""
    found: dict[str, frozenset[str]] = {}
    for each in synonyms.found(question, synonyms.bundled()):
        others = [own[0] for other in each.others if len(own := terms(other)) == 1]
        if len(own := terms(each.phrase)) == 1 and others:
            found[own[0]] = frozenset(others)
    return found


def absent(question: str, known: frozenset[str], evidence: str = "") -> list[str]:
    """The things of a question that stand in no document, as it writes them.

    Words beside each other are one thing, from the first that is not there to the last. What is
    written nearly like a word of the evidence is that word, misspelt.
    """
    question = " ".join(question_parts.asking_clauses(question))[: question_names.MOST_CHARS]
    question = _COMPARATIVE.sub(" ", question)
    words = _WORD.findall(evidence)
    written = {word.lower() for word in words}
    firsts = "".join(word[0].lower() for word in words if word.lower() not in _JOINING)
    found: list[str] = []
    start, end, before = None, 0, ""
    for match in _WORD.finditer(question):
        gap = question[end : match.start()] if start is not None else ""
        missing = (
            _is_missing(match[0], before, known)
            and not _is_misspelt(match[0], written)
            and not _is_short_for(match[0], firsts)
        )
        is_long = start is not None and end - start >= _LONG_THING
        if start is not None and (not missing or gap.strip(" ") or is_long):
            found.append(question[start:end])
            start = None
        if missing:
            start, end = (match.start() if start is None else start), match.end()
        before = match[0].lower().replace("’", "'")
    if start is not None:
        found.append(question[start:end])
    things = [
        _POSSESSIVE.sub("", thing) for thing in found if not _MEASURES.issuperset(terms(thing))
    ]
    return list(dict.fromkeys(things))[:MOST_ABSENT]


def speaks_of_nothing(word: str) -> bool:
    """Tell whether a word of a question names no thing that a document could lack."""
    word = word.lower()
    stem = _PREFIX.sub("", word)
    return word in PLAIN_WORDS or stem in PLAIN_WORDS or _NO_THING.issuperset(terms(word))


def _is_missing(word: str, before: str, known: frozenset[str]) -> bool:
    own = terms(word)
    if (
        not own
        or speaks_of_nothing(word)
        or any(term in known or term in _NO_THING for term in own)
    ):
        return False
    return before not in _VERB_AFTER and not any(map(str.isdigit, word))


def _is_misspelt(word: str, written: Collection[str]) -> bool:
    """Say whether one change of a letter makes it a word that is written.

    One is added, left out, changed or exchanged.
    """
    return (
        len(word) >= _LEAST_MISSPELT
        and process.extractOne(word.lower(), written, scorer=OSA.distance, score_cutoff=1)
        is not None
    )


def _is_short_for(word: str, firsts: str) -> bool:
    """Say whether a word is initials, as "R&D" is.

    Words of the evidence begin with them in this order.
    """
    is_short = "&" in word or is_acronym(word)
    return is_short and "".join(filter(str.isalnum, word.lower())) in firsts


def said(draft: str, evidence: Sequence[EvidenceChunk]) -> list[str]:
    """The cited statements of a draft, each with the headings of what it cites."""
    by_id = {chunk.chunk_id: chunk for chunk in evidence}
    return [
        "\n".join([claim.text, *dict.fromkeys(by_id[name].context for name in ids)])
        for claim in citations.claims(draft)
        if (ids := [name for name in claim.ids if name in by_id]) and not is_hedge(claim.text)
    ]
