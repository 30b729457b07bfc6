"""Say the last answer of a thread again: its sources, its first point, or what else they say.

Nothing is searched and nothing is new: every sentence stands in a passage that the answer cited.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from masis.answering import citations
from masis.answering.claims import Claim
from masis.domain import Answered, Badge, EvidenceChunk, NeedsClarification, Value
from masis.graphs.chat import texts
from masis.graphs.chat.points_table import points_table
from masis.graphs.chat.state import Retold
from masis.phrases.answer_commands import Part
from masis.records import StoredRun
from masis.text.lexical import terms
from masis.text.sentences import units

_SEVERAL: Final = re.compile(r"[.!?] (?=[^\W\d_a-z])")
PASSAGE_CHARS: Final = 400
"""Of a passage that is shown; it is opened in full beside its number."""
MOST_MORE: Final = 6
"""Sentences that are shown of what the answer left out."""
MIN_WORDS: Final = 4
"""Of a sentence that says something."""
_NUMBER: Final = re.compile(r"\[(\d{1,3})\]")


class Told(Value):
    """Hold an answer that was given, its citations by chunk id as a writer has them."""

    draft: str
    evidence: list[EvidenceChunk]
    badge: Badge | None
    confidence: float
    extractive: bool
    unsound: list[str]
    """Its claims that did not hold."""
    unsure: bool = False
    """Whether it stood beside a question back, as the nearest that was found."""


def kept_answer(run: StoredRun | None) -> Told | None:
    """Read the answer that a run gave; None where it gave none, or what it quotes was deleted."""
    if run is None or run.blanked or run.status not in {"success", "needs_clarification"}:
        return None
    if run.status == "needs_clarification":
        return _nearest(run)
    answered = Answered.model_validate(run.outcome)
    ids = {str(each.n): each.chunk_id for each in answered.citations}
    cited = set(ids.values())
    evidence = [chunk for chunk in run.evidence if chunk.chunk_id in cited]
    if not evidence or answered.small_talk:
        return None
    audit = answered.audit
    return Told(
        draft=_NUMBER.sub(lambda match: f"[{ids.get(match[1], match[1])}]", answered.answer),
        evidence=evidence,
        badge=answered.badge,
        confidence=answered.confidence,
        extractive=answered.extractive,
        unsound=[*audit.uncited, *(claim.sentence for claim in audit.unsupported)],
    )


def coded(run: StoredRun | None) -> Answered | None:
    """Return the answer of a run that gave a code; None where it gave none, or its list was deleted."""
    if run is None or run.blanked or run.status != "success":
        return None
    answer = Answered.model_validate(run.outcome)
    return answer if answer.code else None


def _nearest(run: StoredRun) -> Told | None:
    """Read what stood beside a question back; None where nothing did."""
    back = NeedsClarification.model_validate(run.outcome)
    ids = {str(each.n): each.chunk_id for each in back.citations}
    draft = _NUMBER.sub(lambda match: f"[{ids.get(match[1], match[1])}]", back.nearest)
    shown = set(citations.cited(draft, run.evidence))
    evidence = [chunk for chunk in run.evidence if chunk.chunk_id in shown]
    if not evidence:
        return None
    return Told(
        draft=draft,
        evidence=evidence,
        badge=back.badge,
        confidence=back.confidence,
        extractive=back.extractive,
        unsound=[],
        unsure=True,
    )


def sources(last: Told) -> Retold:
    """Show the passages that the answer rests on, each with its document and its place."""
    said = citations.claims(last.draft)
    lines = [
        _line(
            chunk,
            _passage(chunk.text, [claim.text for claim in said if chunk.chunk_id in claim.ids]),
            names=True,
        )
        for chunk in _in_order(last)
    ]
    return _quoting(last, texts.UNSURE if last.unsure else texts.SOURCES, lines)


def shorter(last: Told) -> Retold:
    """Show the first point of the answer, and say that it is that."""
    sound = _sound(last)
    if not sound:
        return sources(last)
    lead = texts.FIRST_POINT if len(sound) > 1 else texts.ONLY_POINT
    # An item of several sentences has one citation for them all, and only as an item.
    item = "- " if _SEVERAL.search(sound[0].text.strip()) else ""
    return _repeating(last, lead, f"{item}{_cited(sound[0])}")


def listed(last: Told) -> Retold:
    """Show the points of the answer one by one."""
    sound = _sound(last)
    if not sound:
        return sources(last)
    return _points(last, texts.POINTS, sound)


def part(last: Told, wanted: Part) -> Retold | None:
    """Show what the answer says of something, or else its passages; None where that is nothing."""
    if wanted.figures:
        said = [claim for claim in _sound(last) if any(map(str.isdigit, claim.text))]
        return _points(last, texts.FIGURES, said) if said else None
    named = set(terms(wanted.words))
    lead = texts.PART.format(words=wanted.words)
    said = [claim for claim in _sound(last) if named and named <= set(terms(claim.text))]
    if said:
        return _points(last, lead, said)
    lines = [
        _line(chunk, unit.flat)
        for chunk in _in_order(last)
        for unit in units(chunk.text)
        if unit.kind != "heading" and named and named <= set(terms(unit.flat))
    ]
    return _quoting(last, lead, lines[:MOST_MORE]) if lines else None


def tabled(last: Told) -> Retold:
    """Show the points of the answer as the rows of a table, each with where it stands."""
    sound = _sound(last)
    if not sound:
        return sources(last)
    table = points_table([(claim.text, _where(last, claim.ids)) for claim in sound])
    cited = list(dict.fromkeys(name for claim in sound for name in claim.ids))
    shown = table.model_copy(update={"sources": cited})
    return _points(last, texts.TABLE, sound).model_copy(update={"tables": [shown]})


def copied(last: Told, lead: str) -> Retold:
    """Show the points of the answer, said to be no more than that."""
    sound = _sound(last)
    return _points(last, lead, sound) if sound else sources(last)


def _where(last: Told, ids: Sequence[str]) -> str:
    """The document and the place of the first passage that bears a point out."""
    chunk = next(each for each in last.evidence if each.chunk_id == ids[0])
    return " · ".join(filter(None, (chunk.title or chunk.document, chunk.place.label())))


def _points(last: Told, lead: str, claims: Sequence[Claim]) -> Retold:
    return _repeating(last, lead, "\n".join(f"- {_cited(claim)}" for claim in claims))


def _sound(last: Told) -> list[Claim]:
    """The claims of an answer that hold."""
    known = {chunk.chunk_id for chunk in last.evidence}
    return [
        claim
        for claim in citations.claims(last.draft)
        if claim.ids and known.issuperset(claim.ids) and claim.text not in last.unsound
    ]


def _cited(claim: Claim) -> str:
    return claim.text.strip() + "".join(f" [{name}]" for name in claim.ids)


def _repeating(last: Told, lead: str, said: str) -> Retold:
    """The answer's own words again, with its badge."""
    return Retold(
        draft=f"{texts.UNSURE if last.unsure else lead}\n\n{said}",
        evidence=last.evidence,
        badge=last.badge,
        confidence=last.confidence,
        extractive=last.extractive,
    )


def more(last: Told) -> Retold | None:
    """Show what else stands in the cited passages; None where the answer has it all."""
    said = _flat(last.draft)
    left = [
        (chunk, unit.flat)
        for chunk in _in_order(last)
        for unit in units(chunk.text)
        if unit.kind != "heading"
        and len(unit.flat.split()) >= MIN_WORDS
        and _flat(unit.flat) not in said
    ]
    lines = [_line(chunk, sentence) for chunk, sentence in left[:MOST_MORE]]
    return _quoting(last, texts.MORE, lines) if lines else None


def reworded(last: Told, text: str, language: str) -> Retold | None:
    """Take the answer in other words; None where these say what the answer did not.

    Other words are another text: the badge of the first is not theirs. Words of another language
    cannot be held against the passages; their citations and figures can.
    """
    audit = citations.audit(text, last.evidence, graded=not language)
    if not audit.citations or audit.invalid or audit.uncited:
        return None
    if not _figures(text) <= _figures(last.draft):
        return None
    if not language and (audit.unsupported or len(text) >= len(last.draft)):
        return None
    note = Badge(level="Not audited", confidence=0.0, note=texts.REWORDED)
    return Retold(
        draft=text, evidence=last.evidence, badge=note, confidence=0.0, extractive=last.extractive
    )


def _quoting(last: Told, lead: str, lines: Iterable[str]) -> Retold:
    """Passages word for word; they state nothing of their own, and so have no badge."""
    return Retold(
        draft="\n".join([lead, "", *lines]),
        evidence=last.evidence,
        badge=None,
        confidence=0.0,
        extractive=True,
    )


def _line(chunk: EvidenceChunk, quoted: str, *, names: bool = False) -> str:
    said = citations.neutralise(" ".join(quoted.split()))
    if not names:
        return f"- {said} [{chunk.chunk_id}]"
    where = " · ".join(filter(None, (chunk.title or chunk.document, chunk.place.label())))
    return f"- {citations.neutralise(where)}: “{said}” [{chunk.chunk_id}]"


def _in_order(last: Told) -> list[EvidenceChunk]:
    """The cited chunks in the order in which the answer cites them."""
    by_id = {chunk.chunk_id: chunk for chunk in last.evidence}
    return [by_id[name] for name in citations.cited(last.draft, last.evidence)]


def _passage(text: str, claims: Sequence[str]) -> str:
    """The parts of a passage that bear out the claims, and what stands around them while there is room."""
    if len(text) <= PASSAGE_CHARS:
        return text
    pieces = [unit.flat for unit in units(text)]
    shown: set[int] = set()
    for at in (at for claim in claims for at in _bearing(pieces, claim)):
        if not shown or sum(len(pieces[each]) for each in {*shown, at}) <= 2 * PASSAGE_CHARS:
            shown.add(at)
    shown = shown or {0}
    room = PASSAGE_CHARS - sum(len(pieces[at]) for at in shown)
    while beside := [
        at
        for each in sorted(shown)
        for at in (each + 1, each - 1)
        if 0 <= at < len(pieces) and at not in shown and len(pieces[at]) < room
    ]:
        shown.add(beside[0])
        room -= len(pieces[beside[0]]) + 1
    return _excerpt(pieces, sorted(shown))


def _bearing(pieces: Sequence[str], claim: str) -> list[int]:
    """Where a claim stands: in the pieces that it quotes, else in the one that it shares most words with."""
    said = f" {_flat(claim)} "
    flat = [f" {_flat(each)} " for each in pieces]
    quoted = [at for at, each in enumerate(flat) if each.strip() and (each in said or said in each)]
    if quoted:
        return quoted
    wanted = set(terms(claim))
    shared = [len(wanted & set(terms(each))) for each in pieces]
    return [shared.index(max(shared))] if any(shared) else []


def _excerpt(pieces: Sequence[str], shown: Sequence[int]) -> str:
    """Join pieces, with a sign wherever something is left out."""
    told = "… " if shown[0] else ""
    for before, at in zip((shown[0] - 1, *shown), shown, strict=False):
        told += pieces[at] if at == before + 1 else f"… {pieces[at]}"
        told += " "
    return told.strip() + (" …" if shown[-1] + 1 < len(pieces) else "")


def _figures(text: str) -> set[str]:
    """The digits of a text outside its marks; another language writes the signs between them anew."""
    plain = text
    for mark in reversed(citations.find(text)):
        plain = plain[: mark.start] + plain[mark.end :]
    return {re.sub(r"\D", "", each) for each in re.findall(r"\d[\d.,\u00a0\u202f]*", plain)}


def _flat(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
