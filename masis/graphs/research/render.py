"""Quoted passages as a text that a person reads, and such a text back as its statements."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from masis import citations
from masis.domain import EvidenceChunk
from masis.extraction import Passage, Scored
from masis.sentences import units

MAX_LEAD_CHARS = 160


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer without its marks, and the headings over what it cites."""

    text: str
    context: str
    document: str


def as_text(chosen: Sequence[Scored], evidence: Sequence[EvidenceChunk]) -> str:
    """The passages grouped by document (best first), each in reading order, each cited."""
    rank = {chunk.chunk_id: n for n, chunk in enumerate(evidence)}
    best: dict[str, float] = {}
    for scored in chosen:
        document = scored.passage.chunk.document_id
        best[document] = max(best.get(document, 0.0), scored.score)
    ordered = sorted(
        (s.passage for s in chosen),
        key=lambda p: (
            -best[p.chunk.document_id],
            p.chunk.document_id,
            p.chunk.position,
            rank.get(p.chunk.chunk_id, 0),
            p.index,
        ),
    )
    paragraphs = []
    for _, passages in groupby(ordered, key=lambda p: p.chunk.document_id):
        paragraphs.extend(_paragraphs(list(passages)))
    return "\n\n".join(paragraphs)


def _paragraphs(passages: Sequence[Passage]) -> list[str]:
    """Prose runs together; items of one list stand under their lead."""
    parts: list[str] = []
    for (is_prose, lead), group in groupby(passages, key=_kind):
        members = list(group)
        if is_prose:
            parts.append(" ".join(_cited(p, _with_before(p)) for p in members))
        elif len(members) > 1 and lead:
            items = [f"- {_cited(p, p.text)}" for p in members]
            parts.append("\n".join([lead, *items]))
        else:
            parts.extend(_cited(p, _alone(p, lead)) for p in members)
    return parts


def _kind(passage: Passage) -> tuple[bool, str]:
    is_prose = passage.unit.kind == "sentence"
    return is_prose, "" if is_prose else _lead(passage)


def _lead(passage: Passage) -> str:
    lead = passage.lead or (f"{passage.heading}:" if passage.heading else "")
    return lead if len(lead) <= MAX_LEAD_CHARS else ""


def _with_before(passage: Passage) -> str:
    return (
        f"{passage.before} {passage.text}" if passage.dangling and passage.before else passage.text
    )


def _alone(passage: Passage, lead: str) -> str:
    if passage.unit.kind == "table_row":
        return f"{lead} {passage.text}".strip() if passage.lead else passage.text
    return f"{lead} {passage.text}".strip()


def _cited(passage: Passage, text: str) -> str:
    """The citation goes before the closing stop, so that it belongs to the sentence."""
    mark = f"[{passage.chunk.chunk_id}]"
    body = text.rstrip()
    if body.endswith((".", "!", "?")) and not body.endswith(".."):
        return f"{body[:-1]} {mark}{body[-1]}"
    return f"{body.rstrip(' ;,:')} {mark}."


def statements(draft: str, evidence: Sequence[EvidenceChunk]) -> list[Statement]:
    """The sentences of a draft, each with the headings of what it cites."""
    by_id = {chunk.chunk_id: chunk for chunk in evidence}
    found = []
    for unit in units(draft):
        marks = citations.find(unit.text)
        cited = [by_id[i] for mark in marks for i in mark.ids if i in by_id]
        text = unit.text
        for mark in reversed(marks):
            text = text[: mark.start] + text[mark.end :]
        if not cited:
            continue
        context = " ".join(dict.fromkeys(f"{c.context}" for c in cited))
        found.append(Statement(" ".join(text.split()), context, cited[0].document_id))
    return found
