"""Quoted passages as a text that a person reads, and such a text back as its statements."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from masis.answering import citations
from masis.domain import EvidenceChunk
from masis.phrases import named_places
from masis.retrieval import extraction
from masis.retrieval.extraction import Passage, Scored, Wanted
from masis.text import lexical
from masis.text.instructions import special_case
from masis.text.quantities import is_limit
from masis.words import synonyms

MAX_LEAD_CHARS = 400
MAX_PLACE_CHARS = 60
"""Of a heading in front of a sentence."""
AS_GOOD = 0.96
"""From this share of the best score on a passage answers as well as the best one."""
RULE_FLOOR = 0.65
"""From this share on a sentence that holds always stands before the best one, which holds in a case."""
PLACE_FLOOR = 0.85
"""From this share on what holds for the place named first stands before the best one, which holds for another."""
LIST_LEAD = 0.85
"""An item of which the next best one has this share of the score at most is meant alone."""
WIDE_ROW = 4
WIDE_CHARS = 200
"""A row of more cells and characters is shown in part. A shorter one is read at once, and a column
whose name says nothing of the question may hold the answer ("reports_to" for a boss)."""
_NUMBERING = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.?\s+(?=\S)")
_CLAUSE = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2}){1,3}\.?|\d{1,2}[.)])\s+(?=[^\W\d_a-z])")
"""The number of a clause in front of its sentence: "9.2 Recipes remain …"."""
_ANSWER = re.compile(r"^A(?:nswer)?\s?\d{0,3}[.:)]\s+(?=\S)")
"""What stands before the answer on a page of questions and answers: "A. At the front door"."""
_IN_ORDER = re.compile(r"^\d{1,2}[.)] |\b(?:first|then|next|finally|afterwards)\b", re.IGNORECASE)
"""How an item of a sequence reads: "2. Lower the hook", "then enter"."""
_COUNTER = re.compile(r"(?:No\.?|Nr\.?|#): ?\d+[a-z]?", re.IGNORECASE)
_CODE = re.compile(r"(?=[A-Z0-9/-]{0,11}\d)[A-Z]{1,4}[-/]?[A-Z0-9-]{1,10}")
_NAMES = re.compile(r": [^\W\d_]{2,}(?: [^\W\d_][\w.'’&-]*)+$")
"""A cell of two words or more, which can stand for what a row is about."""
_SEVERAL = re.compile(r"[.!?] ")
_COLUMNS: Mapping[Wanted, re.Pattern[str]] = {
    "money": re.compile(
        r"[^:]*(?:[£$€]|\b(?:price|cost|fee|rate|amount|charge|total|sum)s?\b)", re.IGNORECASE
    ),
    "number": re.compile(r"[^:]*\b(?:qty|quantity|count|number|units|total)\b", re.IGNORECASE),
    "time": re.compile(
        r"[^:]*\b(?:when|dates?|time|by|due|from|until|day|quarter)\b", re.IGNORECASE
    ),
    "person": re.compile(
        r"[^:]*\b(?:who|owner|lead(?:er)?|name|contact|responsible|supplier|provider|company|contractor|"
        r"broker|manager|director|teacher|person|by)\b",
        re.IGNORECASE,
    ),
}
"""How columns are named that hold what a question wants: "What does it cost?" has no "price"."""
_CLOSING = re.compile(r"(?<!\.)[.!?][”\"’')]*$")


@dataclass(frozen=True, slots=True)
class _Asked:
    """The terms of a question, and the kind of answer that it wants.

    What is or may be a list is read `in_turn`; `lists` where one is asked for.
    """

    terms: frozenset[str]
    kind: Wanted
    in_turn: bool
    lists: bool = False
    others: frozenset[str] = frozenset()
    """The terms of what means the same as its phrases."""

    def may_be_in(self, cell: str) -> bool:
        """Say whether a cell may hold the answer.

        It speaks of what is asked, or its column is named for that kind of answer.
        """
        named = _COLUMNS.get(self.kind)
        return not self.terms.isdisjoint(lexical.terms(cell)) or bool(named and named.match(cell))

    def passes_over(self, cell: str) -> bool:
        """Say whether to pass over a cell that is only a row's code, such as "T1001".

        One with a word of the question stays.
        """
        code = _CODE.fullmatch(cell.partition(": ")[2])
        return bool(code) and self.terms.isdisjoint(lexical.terms(cell))


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer without its marks, and the headings over what it cites."""

    text: str
    context: str
    document: str


def as_text(
    question: str,
    chosen: Sequence[Scored],
    evidence: Sequence[EvidenceChunk],
    *,
    in_order: bool = False,
) -> str:
    """The passages grouped by document (best first), each cited.

    The list or sentence that answers best stands first, with what follows it; else, and where
    nothing is asked for but the document (`in_order`), reading order.
    """
    kind = extraction.wanted(question)
    lists = extraction.asks_for_list(question)
    others = frozenset(
        term
        for each in synonyms.in_other_words(question)
        for other in each.others
        for term in other
    )
    asked = _Asked(frozenset(lexical.terms(question)), kind, lists or kind == "any", lists, others)
    shown: list[str] = []
    return "\n\n".join(
        paragraph
        for passages in _ordered(chosen, evidence, asked, in_order=in_order)
        for paragraph in _paragraphs(asked, passages, shown)
    )


def _ordered(
    chosen: Sequence[Scored], evidence: Sequence[EvidenceChunk], asked: _Asked, *, in_order: bool
) -> list[list[Passage]]:
    """The passages by document, the best document first, in each the best answer first."""
    rank = {chunk.chunk_id: n for n, chunk in enumerate(evidence)}

    def place(s: Scored) -> tuple[int, int, int]:
        chunk = s.passage.chunk
        return chunk.position, rank.get(chunk.chunk_id, 0), s.passage.index

    documents: dict[str, list[Scored]] = {}
    for s in sorted(chosen, key=lambda s: -s.score):
        documents.setdefault(s.passage.chunk.document_id, []).append(s)
    read = [sorted(members, key=place) for members in documents.values()]
    if in_order:
        return [[s.passage for s in members] for members in read]
    return [_answer_first(members, asked) for members in read]


def _answer_first(members: Sequence[Scored], asked: _Asked) -> list[Passage]:
    """One document's passages from where the best one begins: its list, or itself.

    Where a fact was asked for and no list, the best item of one stands first, and where nobody can tell an item that is far better than the others.

    Of several sentences that are as good the first one that stands alone: a document gives the rule before
    what differs from it.
    """
    top = max(s.score for s in members)
    best = next(s for s in members if s.score == top)
    if _is_sentence(best):
        best = next(s for s in members if s is best or _is_as_good(s, top))
        best = _first_place(_rule(best, members, asked), members, asked)
    first = next(n for n, s in enumerate(members) if s is best or _same_list(s, best))
    while first and members[first].passage.dangling and _next(members[first - 1], members[first]):
        first -= 1
    last = first
    while last + 1 < len(members) and (
        _same_list(members[last + 1], best) or _next(members[last], members[last + 1])
    ):
        last += 1
    front = [*members[first : last + 1]]
    if not _is_sentence(best) and (not asked.in_turn or (not asked.lists and _leads(best, front))):
        front.sort(key=lambda s: s is not best)
    return [s.passage for s in _answering_first((*front, *members[:first], *members[last + 1 :]))]


def _answering_first(ordered: Sequence[Scored]) -> list[Scored]:
    """Those under the heading of the first one, then the others, sentences without what is asked for last.

    What a further section says beside its answer stands in nobody's way so.
    """
    heading = ordered[0].passage.heading
    if not ordered[0].hint or not all(map(_is_sentence, ordered)):
        return list(ordered)
    return sorted(
        ordered,
        key=lambda s: not (s.hint or s.passage.heading == heading or s.passage.dangling),
    )


def _rule(best: Scored, members: Sequence[Scored], asked: _Asked) -> Scored:
    """The rule that a sentence about a special case belongs to; itself where that case is asked about."""
    case = special_case(best.passage.text)
    if not case:
        return best
    rules = [
        s
        for s in members
        if _is_sentence(s)
        and s.passage.heading == best.passage.heading
        and s.passage.chunk.document_id == best.passage.chunk.document_id
        and not s.passage.dangling
        and not special_case(s.passage.text)
        and s.score >= RULE_FLOOR * best.score
    ]
    found = max(rules, key=lambda s: s.score, default=None)
    if found is None:
        return best
    own = (asked.terms | asked.others).intersection(lexical.terms(case))
    own = own.difference(lexical.terms(found.passage.text))
    return best if own else found


def _first_place(best: Scored, members: Sequence[Scored], asked: _Asked) -> Scored:
    """The sentence on the place that a document names first, where nobody asked about that of the best one.

    It must say as much of what was asked: what holds for most stands before what one site has instead.
    """
    if not _places(best) or any(name <= asked.terms for name in _places(best)):
        return best
    return next(
        s
        for s in members
        if s is best
        or (
            _is_sentence(s)
            and not s.passage.dangling
            and s.hint == best.hint
            and s.coverage >= best.coverage
            and s.score >= PLACE_FLOOR * best.score
        )
    )


def _places(scored: Scored) -> list[frozenset[str]]:
    """The places that the heading over a passage says it is of."""
    return named_places.named_in(_NUMBERING.sub("", scored.passage.heading))


def _is_as_good(scored: Scored, top: float) -> bool:
    """Whether a sentence answers as well as the best one, and needs none before it."""
    close = scored.score >= min(top, AS_GOOD * top)
    return close and _is_sentence(scored) and not scored.passage.dangling


def _leads(best: Scored, listed: Sequence[Scored]) -> bool:
    """Tell whether an item is so much better than the others of its list that it alone may be meant.

    Steps are done in their order, whichever is asked about.
    """
    others = [s.score for s in listed if s is not best]
    are_steps = any(
        _IN_ORDER.search(s.passage.text)
        or extraction.asks_how_to(f"{s.passage.heading} {s.passage.lead}")
        for s in listed
    )
    return bool(others) and not are_steps and max(others) <= LIST_LEAD * best.score


def _is_sentence(scored: Scored) -> bool:
    return scored.passage.unit.kind == "sentence"


def _same_list(one: Scored, other: Scored) -> bool:
    listed = one.passage.unit.kind == other.passage.unit.kind != "sentence"
    return (
        listed
        and one.passage.chunk is other.passage.chunk
        and one.passage.lead == other.passage.lead
    )


def _next(one: Scored, other: Scored) -> bool:
    """Say whether the other passage stands right behind the one."""
    return one.passage.chunk is other.passage.chunk and other.passage.index == one.passage.index + 1


def _paragraphs(asked: _Asked, passages: Sequence[Passage], shown: list[str]) -> list[str]:
    """Prose runs together; items of one list or table stand together, under their lead."""
    parts: list[str] = []
    for (is_prose, lead), group in groupby(passages, key=_kind):
        members = list(group)
        if is_prose:
            told = _prose(members, shown)
            parts += [f"{_of_place(asked, members)}{told}"] if told else []
        else:
            items = zip(members, _items(asked, members), strict=True)
            parts.append(_listed([_cited(p, item) for p, item in items], lead))
    return parts


def _of_place(asked: _Asked, passages: Sequence[Passage]) -> str:
    """The heading in front of sentences that hold for its place alone, where nobody asked about that."""
    heading = _NUMBERING.sub("", passages[0].heading)
    said = asked.terms.union(*(lexical.terms(each.text) for each in passages))
    places = named_places.named_in(heading) if len(heading) <= MAX_PLACE_CHARS else []
    if not places or any(name <= said for name in places):
        return ""
    return f"{citations.neutralise(heading)}: "


def _listed(items: Sequence[str], lead: str) -> str:
    """Items under their lead; one short item follows its lead in the same line.

    An item of several sentences stands behind a dash, so that one citation covers it.
    """
    if lead and all(item.startswith(lead) for item in items):
        lead = ""
    if len(items) == 1 and not _SEVERAL.search(items[0]):
        return f"{lead} {items[0]}".strip()
    lines = [f"- {item}" for item in items]
    return "\n".join([lead, *lines] if lead else lines)


def _kind(passage: Passage) -> tuple[bool, str]:
    is_prose = passage.unit.kind == "sentence"
    return is_prose, "" if is_prose else _lead(passage)


def _lead(passage: Passage) -> str:
    """The sentence that leads in a list; for an item without one the heading, without its number."""
    if passage.lead or passage.unit.kind == "table_row":
        lead = _NUMBERING.sub("", passage.lead)
    else:
        lead = f"{_NUMBERING.sub('', passage.heading)}:" if passage.heading else ""
    return lead if len(lead) <= MAX_LEAD_CHARS else ""


def _prose(passages: Sequence[Passage], shown: list[str]) -> str:
    """Sentences in a row; one that leans on the sentence before brings it along, once.

    `shown` collects what was said so far, in this paragraph and before it.
    """
    sentences = []
    for passage in passages:
        needed = [*passage.led_by, passage.before] if passage.dangling and passage.before else []
        for text in (*needed, passage.text):
            if text not in shown:
                shown.append(text)
                sentences.append(_cited(passage, _said(passage, text)))
    return " ".join(sentences)


def _said(passage: Passage, text: str) -> str:
    """A sentence without the number of its clause, or the mark of an answer under its question."""
    if passage.heading.endswith("?"):
        text = _ANSWER.sub("", text)
    return _CLAUSE.sub("", text)


def _items(asked: _Asked, passages: Sequence[Passage]) -> list[str]:
    """Each as people read it; of rows that would read alike every cell, which tells them apart."""
    items = [_item(passage, asked) for passage in passages]
    return [
        _item(passage) if items.count(item) > 1 else item
        for passage, item in zip(passages, items, strict=True)
    ]


def _item(passage: Passage, asked: _Asked | None = None) -> str:
    if passage.unit.kind == "table_row":
        return _row(passage.text, asked)
    return _CLAUSE.sub("", passage.text)


def _row(text: str, asked: _Asked | None) -> str:
    """A table row as people read it: what it is about, then its cells.

    Of a long one those that were asked for, where it is said what was.
    `Item: Meals | Limit: £34` becomes `Meals – Limit: £34`. A limit says nothing without what it is of:
    `Cost of a trip: up to £50 | Who: Ada` keeps its first column.
    """
    cells = text.strip("| ").split(" | ")
    if len(cells) > 1 and _COUNTER.fullmatch(cells[0]):
        cells = cells[1:]
    if asked and len(cells) > 1 and asked.passes_over(cells[0]) and _NAMES.search(cells[1]):
        cells = [cells[1], cells[0], *cells[2:]]
    if asked and len(cells) > WIDE_ROW and len(text) > WIDE_CHARS:
        chosen = [cell for cell in cells[1:] if asked.may_be_in(cell)]
        cells = [cells[0], *chosen] if len(chosen) > 1 else cells
    subject, named, rest = cells[0], *cells[0].partition(": ")[1:]
    if len(cells) == 1 or not named:
        return "; ".join([subject, *cells[1:]])
    subject = subject if is_limit(rest) else rest
    return f"{subject} – {'; '.join(cells[1:])}"


def _cited(passage: Passage, text: str) -> str:
    return cited([passage.chunk.chunk_id], text)


def cited(chunk_ids: Sequence[str], text: str) -> str:
    """Return a text with its citations before the closing stop, so that they belong to the sentence."""
    mark = f"[{', '.join(chunk_ids)}]"
    # What looks like a citation inside a document is none of ours.
    whole = citations.neutralise(text.strip().lstrip("*"))
    end = _CLOSING.search(whole)
    body, closing = (whole[: end.start()], end.group()) if end else (whole, "")
    if closing:
        return f"{body} {mark}{closing}" if len(closing) == 1 else f"{whole} {mark}"
    return f"{body.rstrip(' ;,:')} {mark}."


def statements(draft: str, evidence: Sequence[EvidenceChunk]) -> list[Statement]:
    """List what a draft states with a citation, each with the headings of what it cites."""
    by_id = {chunk.chunk_id: chunk for chunk in evidence}
    found = []
    for claim in citations.claims(draft):
        cited = [by_id[chunk_id] for chunk_id in claim.ids if chunk_id in by_id]
        if cited:
            context = " ".join(dict.fromkeys(chunk.context for chunk in cited))
            found.append(Statement(claim.text, context, cited[0].document_id))
    return found
