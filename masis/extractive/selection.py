"""Choosing, among scored passages, the few that together make a short answer.

Pure. The best passage stands first; another is added only where it says something that was asked
for and that the chosen ones leave open, or goes on with what one of them says.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, Literal

import numpy as np

from masis.ports import Vectors
from masis.retrieval.extraction import Passage, Scored, says_nothing
from masis.text.grammars.calendar import ANY_MONTH, ANY_SHORT_MONTH
from masis.text.lexical import terms

MAX_STATEMENTS: Final = 4
"""Sentences of an answer; the items quoted of one list or table count as one."""
MAX_ITEMS: Final = 6
"""Of one list or table."""
ANSWER_CHARS: Final = 600
"""An answer's length, citations aside: half a minute of reading. What was asked stands in the first
of its statements; more of them were skipped by readers."""
LIST_CHARS: Final = 1500
"""Where a list was asked for, it is shown whole as far as this."""
ROW_CHARS: Final = 200
"""What a wide row comes to once the cells that were not asked for are left out."""
MAX_LISTED: Final = 15
"""Items of a list or steps of a procedure that were asked for."""
FEW_ITEMS: Final = 3
"""A list of so many items is one statement with its exceptions ("for US staff five years", "others
have ten"): one item alone would say something else."""

SENTENCE_FLOOR: Final = 0.65
"""A further sentence must reach this share of the best one's score."""
ITEM_FLOOR: Final = 0.80
"""Rows and list items must reach more: a row too many reads as debris."""
OTHER_DOCUMENT_FLOOR: Final = 0.92
"""So must whatever another document says: it is seldom part of the same answer."""
SAME_LIST_FLOOR: Final = 0.85
"""A further item must reach this share of the score of the first one of its list."""

NEW_WORDS: Final = 0.10
"""The share of the question's weighted terms that a passage has to add."""
NEW_DIRECTION: Final = 0.08
"""By so much, or else, a passage has to bring the chosen ones' vectors nearer to the question's:
the cosine between it and its projection on them."""
BESIDE_FLOOR: Final = 0.75
"""A sentence beside a chosen one needs to add nothing, but must reach this share of the best."""
CLOSE_RIVAL_FLOOR: Final = 0.93
"""What is as near as this needs to add nothing: it is as likely the answer as the best."""
RIVAL_FLOOR: Final = 0.80
"""What is so near to the best may be the answer where that one only speaks of it."""
PART_COSINE: Final = 0.40
"""A passage must be this near to a part of the question to be quoted for it."""

KIND_FLOOR: Final = 0.75
"""A table of what is asked for answers where its best row reaches this share of the best score."""
KIND_LEAD: Final = 0.01
"""All of its rows score so much more than the best: they are read in their order."""
FEWEST_OF_A_KIND: Final = 2

REDUNDANCY: Final = 0.92
"""Sentences with a higher cosine say the same thing."""
FOLLOWING_WEIGHT: Final = 0.5
"""The sentence after a very good one closes half of the gap to it."""
STRONG: Final = 0.88

_QUALIFIES: Final = re.compile(
    r"(?:however|but|except(?:ions?)?|unless|otherwise|others?\b|only|all others|everyone else|in "
    r"all other|for (?:all )?others?|this (?:does|do) not|these (?:does|do) not|it does not|does not "
    r"apply|not applicable|outside|the exception|until then|before that|after that)\b",
    re.IGNORECASE,
)
"""How a sentence begins that takes something back of the one before it."""
_LABEL: Final = (
    r"(?:version|owner|date|class|classification|document (?:no|number|id|owner)|status|applies to|"
    r"approved(?: by)?|author|prepared by|issued(?: by)?|next review|review date|last (?:updated|"
    r"reviewed|changed)|company|scope|distribution)"
)
_FRONT_MATTER: Final = re.compile(
    rf"(?:\W*{_LABEL}\s?:\s|(?:this|the|our) (?:policy|document|procedure|version|note|page|guide|"
    r"handbook|section|sheet|report|manual|paper|memo|plan) (?:replaces|supersedes|describes|explains|"
    r"sets out|covers|contains|gives|says|tells|states|records|is about|deals with|puts|applies to)\b"
    r"|it (?:replaces|supersedes|records what|sets out|describes|explains)\b"
    r"|(?:replaces|supersedes) (?:the|our|version|v\d)\b|version \d[\d.]{0,6}\b|(?:data sheet, )?issue \d+\b"
    r"|[^.:|]{1,60}· version \d)",
    re.IGNORECASE,
)
"""What a document says of itself at its head."""
_ATTENDANCE: Final = re.compile(
    r"\W*(?:present|apologies|attendees|attending|in attendance|absent|copies to|distribution)\b[^:]{0,20}:",
    re.IGNORECASE,
)
_PLACEHOLDER: Final = re.compile(
    r"\[[A-Z][A-Z _/'’-]{2,40}\]|\{\{[^{}\n]{1,40}\}\}|<[A-Z][A-Za-z _/-]{2,30}>"
    r"|\[(?:insert|your|name|date|amount|add|enter)\b[^\[\]\n]{0,40}\]|_{4,}|\bX{3,}\b",
)
"""What a template leaves to be filled in."""

_ALL: Final = re.compile(r"(?:all|any|every|both|each)(?: \w+)?", re.IGNORECASE)
"""What a cell says that holds for whatever is asked."""
_FIRST_PART: Final = re.compile(r",? ?\(|, (?:in )?(?=[£$€%]|[A-Z]{3}\b)")
"""Behind it the first cell says in which unit: "Revenue, £ million"."""
_COLUMN: Final = re.compile(r"(?:^|\| )([^:|]{1,60}):")
_FIGURE: Final = re.compile(r"\d[\d,.]*")

_Group = tuple[str, str, str]
Shape = Literal["any", "all", "steps", "name", "compare"]
"""What an answer is made of: whatever fits, all things of a kind, steps in order, a name, two sides."""


def choose(
    scored: Sequence[Scored],
    vectors: Vectors | None,
    parts_near: Sequence[Sequence[float]] = (),
    *,
    wants_list: bool = False,
    shape: Shape = "any",
) -> list[Scored]:
    """The best passage and those that complete it, at most `MAX_STATEMENTS` statements.

    `vectors` has a row a passage, or is None without an embedder. `parts_near` are the cosines of
    every passage to each part of the question: the best passage of a part takes the place of the
    weakest one. A short list of which most items were chosen is shown whole: half a list misleads.
    So does a rule without what takes some of it back. Then what is best has to fit into an answer's
    characters; where a list or steps are asked for (`wants_list`) the best item's list is shown whole,
    where all of a kind are (the `shape` of the answer), the best row's table. With steps nothing stands
    but what is told under their heading, and of a list with the name that is asked for that item.
    """
    scored = readable(scored, compares=shape == "compare")
    ranked = sorted(_followed(scored), key=lambda s: -s.score)
    chosen = _filled_up(_completing(ranked, vectors), ranked, vectors)
    most, room = (MAX_LISTED, LIST_CHARS) if wants_list else (FEW_ITEMS, ANSWER_CHARS)
    if shape != "name":
        chosen = _whole_lists(chosen, scored)
    chosen = _qualified(_within(chosen, room), scored, 0 if shape == "name" else most)
    if shape == "all":
        chosen = _whole_table(chosen, scored)
    if shape == "steps":
        chosen = _whole_section(_steps_alone(chosen), scored)
    for near in parts_near:
        chosen = _with_part(chosen, scored, near)
    return chosen


def _completing(ranked: Sequence[Scored], vectors: Vectors | None) -> list[Scored]:
    """Choose the best passage, and each that is as near, adds to it or goes on with it."""
    chosen = list(ranked[:1])
    for candidate in ranked[1:]:
        if _fits(candidate, chosen, vectors) and (
            _is_close(candidate, ranked[0])
            or _adds(candidate, chosen, vectors)
            or _goes_on(candidate, chosen)
        ):
            chosen = _with(chosen, candidate)
    return chosen


def _filled_up(
    chosen: list[Scored], ranked: Sequence[Scored], vectors: Vectors | None
) -> list[Scored]:
    """Add what else fits, as long as it is a rival of the best."""
    for candidate in ranked:
        if candidate.score < RIVAL_FLOOR * ranked[0].score:
            break
        if _fits(candidate, chosen, vectors):
            chosen = _with(chosen, candidate)
    return chosen


def readable(scored: Sequence[Scored], *, compares: bool = False) -> list[Scored]:
    """Return them without questions, which answer nothing, and the rows and items about something else.

    An item that lacks a code or figure of the question ("SO-26161", "Play 7") is about another
    thing, where another one of its document's lists or of the tables with its columns has the same
    ones and that one too. A list item lacks nothing that the document's own name says ("Q2-2026"),
    and nothing at all where it has no figure itself.
    """
    codes: dict[tuple[str, str], set[frozenset[str]]] = defaultdict(set)
    for s in scored:
        if _is_item(s):
            codes[_family(s)].add(_codes(s))
    found = [
        s
        for s in scored
        if (
            not (_FIGURE.search(s.passage.text) and _lacks(s, codes[_family(s)]))
            if _is_item(s)
            else s.passage.text[-1:] != "?"
        )
    ]
    return _of_what_is_named(
        [s for s in found if not _is_form(s)] or found or list(scored), 2 if compares else 1
    )


def _is_close(candidate: Scored, best: Scored) -> bool:
    """Say whether a sentence answers as well as another one.

    Items of a list do not count, as they are many.
    """
    both = not _is_item(candidate) and not _is_item(best)
    return both and candidate.score >= CLOSE_RIVAL_FLOOR * best.score


def _of_what_is_named(scored: Sequence[Scored], least: int = 1) -> list[Scored]:
    """Without the rows of other things: where a table's column has what the question names.

    Of "gold and silver plans" those are the rows whose plan is gold or silver, of "total revenue" the
    row of the revenue. A cell is named when the question has all of its words; one that says "all"
    holds for whatever is named. A column counts from the `least` number of values on: of two that are
    compared one alone may be misspelt.
    """
    named: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for s in scored:
        for column, value in cells_of(s):
            if _is_named(value, s) and not set(terms(value)) <= set(terms(column)):
                named[table_of(s)][column].add(value)
    counting = {
        table: [column for column, values in columns.items() if len(values) >= least]
        for table, columns in named.items()
    }
    return [s for s in scored if all(_may_be_meant(s, at) for at in counting.get(table_of(s), ()))]


def of_a_kind(kinds: Collection[str], scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages with the table of what is asked for first, if there is one; else none.

    Its first column is named for the things asked for ("Class" for "document classes"), and it is
    nearly as near as the best. Where a row is named, that one is meant.
    """
    left = readable(scored)
    top = max((s.score for s in left), default=0.0)
    tables: dict[tuple[str, str], list[Scored]] = defaultdict(list)
    for s in scored:
        if (cells := cells_of(s)) and not set(kinds).isdisjoint(terms(cells[0][0])):
            tables[table_of(s)].append(s)
    best = max(tables.values(), key=lambda rows: max(s.score for s in rows), default=[])
    lead = max((s.score for s in best), default=0.0)
    if (
        len(best) < FEWEST_OF_A_KIND
        or lead < KIND_FLOOR * top
        or len(best) != sum(s in best for s in left)
    ):
        return []
    return [replace(s, score=top + KIND_LEAD) if s in best else s for s in scored]


def of_the_month(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """Return the passages without rows of other months, where a table has rows of the month asked for."""
    asked = {month[:3].lower() for month in _IN_MONTH.findall(question)}
    months = {
        s.passage.key: {each[:3].lower() for each in _DAY_OF_MONTH.findall(s.passage.text)}
        for s in scored
        if asked and s.passage.unit.kind == "table_row"
    }
    met = {table_of(s) for s in scored if not asked.isdisjoint(months.get(s.passage.key, ()))}
    return [
        s
        for s in scored
        if not (told := months.get(s.passage.key)) or told & asked or table_of(s) not in met
    ]


_IN_MONTH: Final = re.compile(rf"\b(?:in|during|of|for)\s+({ANY_MONTH})\b", re.IGNORECASE)
_DAY_OF_MONTH: Final = re.compile(
    rf"\b\d{{1,2}}\.?\s+((?:{ANY_SHORT_MONTH})[a-z]*)\b", re.IGNORECASE
)


def is_front_matter(text: str) -> bool:
    """Return whether a text is what a document says of itself at its head, or who was there."""
    return bool(_FRONT_MATTER.match(text) or _ATTENDANCE.match(text))


def table_of(scored: Scored) -> tuple[str, str]:
    """Return the rows that a row belongs to: those of its document with its first column.

    Rows leave out the columns in which they are empty.
    """
    cells = cells_of(scored)
    return scored.passage.chunk.document_id, cells[0][0] if cells else ""


def _may_be_meant(scored: Scored, column: str) -> bool:
    """Say whether a row may be meant by its cell in a column.

    It may where the cell is named, says "all", or is not there.
    """
    values = [value for name, value in cells_of(scored) if name == column]
    return not values or any(_is_named(v, scored) or _ALL.fullmatch(v.strip()) for v in values)


def _is_named(value: str, scored: Scored) -> bool:
    words = set(terms(value))
    return any(map(str.isalpha, words)) and scored.covers.keys() >= words


def cells_of(scored: Scored) -> list[tuple[str, str]]:
    """Return the columns and values of a row; its first cell may have no column. None otherwise."""
    if scored.passage.unit.kind != "table_row":
        return []
    cells = scored.passage.text.strip("| ").split(" | ")
    parted = [cell.rpartition(": ") for cell in cells]
    subject = _FIRST_PART.split(parted[0][2], maxsplit=1)[0]
    return [(parted[0][0], subject), *((column, value) for column, _, value in parted[1:])]


def _lacks(scored: Scored, family: set[frozenset[str]]) -> bool:
    return any(_codes(scored) < others for others in family)


def _is_form(scored: Scored) -> bool:
    """Say whether a passage is a document's head that nobody asked about.

    A template's line to be filled in is one, too.

    So is what leans on such a head, which it would bring along.
    """
    text = scored.passage.text
    if _PLACEHOLDER.search(text):
        return True
    if scored.passage.unit.kind == "table_row":  # whose first column may be a date or a company
        return False
    brought = scored.passage.before if scored.passage.dangling else ""
    return any(_is_head(each, scored) for each in (text, brought))


def _is_head(text: str, scored: Scored) -> bool:
    """Say whether a text says something of its document that the question has no word of."""
    head = _FRONT_MATTER.match(text)
    return head is not None and scored.covers.keys().isdisjoint(terms(head[0]))


def _codes(scored: Scored) -> frozenset[str]:
    """The question's terms with a digit that it holds; of an item not those of the document's name."""
    codes = frozenset(term for term in scored.covers if any(map(str.isdigit, term)))
    if scored.passage.unit.kind == "table_row" or not codes:
        return codes
    return codes.difference(terms(scored.passage.chunk.document))


def _with(chosen: Sequence[Scored], candidate: Scored) -> list[Scored]:
    """One more, in the place of what stands in it already."""
    return [*(s for s in chosen if not _stands_in(s, candidate)), candidate]


def _fits(candidate: Scored, chosen: Sequence[Scored], vectors: Vectors | None) -> bool:
    """Say whether a passage fits in.

    There must be room for it, and it must be near and say something else.
    """
    if _repeats(candidate, chosen, vectors):
        return False
    listed = [s for s in chosen if _is_item(s) and _group(s) == _group(candidate)]
    if listed:
        return len(listed) < MAX_ITEMS and candidate.score >= SAME_LIST_FLOOR * listed[0].score
    return _statements([*chosen, candidate]) <= MAX_STATEMENTS and _is_near(candidate, chosen[0])


def _is_near(candidate: Scored, best: Scored) -> bool:
    """Say whether its score reaches what is asked of its kind and its document."""
    floor = ITEM_FLOOR if _is_item(candidate) else SENTENCE_FLOOR
    if candidate.passage.chunk.document_id != best.passage.chunk.document_id:
        floor = OTHER_DOCUMENT_FLOOR
    return candidate.score >= floor * best.score


def _adds(candidate: Scored, chosen: Sequence[Scored], vectors: Vectors | None) -> bool:
    """Say whether it adds something.

    It covers words of the question that the chosen ones do not, or goes with a list.
    """
    if any(_is_item(s) and _group(s) == _group(candidate) for s in chosen):
        return True
    said = {term for s in chosen for term in s.covers}
    new = sum(share for term, share in candidate.covers.items() if term not in said)
    if new >= NEW_WORDS:
        return True
    if vectors is None:
        return False
    return _nearness([*chosen, candidate], vectors) - _nearness(chosen, vectors) >= NEW_DIRECTION


def _nearness(chosen: Sequence[Scored], vectors: Vectors) -> float:
    """The cosine between the question and its projection on the passages' vectors.

    Their cosines to the question and to each other say it; its own vector is not needed.
    """
    rows = vectors[[s.vector for s in chosen]]
    cosines = np.array([s.cosine for s in chosen])
    projected = cosines @ np.linalg.pinv(rows @ rows.T, hermitian=True) @ cosines
    return float(np.sqrt(max(0.0, projected)))


def _goes_on(candidate: Scored, chosen: Sequence[Scored]) -> bool:
    """Say whether it stands right beside a chosen one and is nearly as good as the best."""
    this = candidate.passage
    return candidate.score >= BESIDE_FLOOR * chosen[0].score and any(
        s.passage.chunk is this.chunk and abs(s.passage.index - this.index) == 1 for s in chosen
    )


def _statements(chosen: Sequence[Scored]) -> int:
    """Count the statements that they make.

    A list is one, and a dangling sentence brings another.
    """
    texts = {s.passage.text for s in chosen}
    brought = {t for s in chosen if s.passage.dangling for t in _brought(s)} - texts
    return len({_group(s) for s in chosen}) + len(brought)


def _with_part(
    chosen: Sequence[Scored], scored: Sequence[Scored], near: Sequence[float]
) -> list[Scored]:
    best_score = max((s.score for s in scored), default=0.0) or 1.0
    answer = max(scored, key=lambda s: near[s.vector] + s.score / best_score, default=None)
    if (
        answer is None
        or near[answer.vector] < PART_COSINE
        or any(answer.passage.key == s.passage.key for s in chosen)
    ):
        return list(chosen)
    kept = list(chosen)
    while len(kept) > 1 and _statements([*kept, answer]) > MAX_STATEMENTS:
        kept.pop()
    return [*kept, answer]


def _followed(scored: Sequence[Scored]) -> list[Scored]:
    """The sentence right after a very good one often completes it."""
    best = max((s.score for s in scored), default=0.0)
    strong = {
        (s.passage.chunk.chunk_id, s.passage.index + 1): s.score
        for s in scored
        if s.score >= STRONG * best and not _is_item(s)
    }
    return [_lifted(s, strong.get((s.passage.chunk.chunk_id, s.passage.index))) for s in scored]


def _lifted(this: Scored, before: float | None) -> Scored:
    if before is None or before <= this.score or _is_item(this):
        return this
    return replace(this, score=this.score + FOLLOWING_WEIGHT * (before - this.score))


def _whole_lists(chosen: Sequence[Scored], scored: Sequence[Scored]) -> list[Scored]:
    groups: dict[_Group, list[Scored]] = defaultdict(list)
    for candidate in scored:
        if _is_item(candidate):
            groups[_group(candidate)].append(candidate)
    whole = {s.passage.key: s for s in chosen}
    for members in groups.values():
        picked = sum(member.passage.key in whole for member in members)
        if len(members) <= MAX_ITEMS and picked * 2 >= len(members) and picked > 1:
            whole = {member.passage.key: member for member in members} | whole
    return list(whole.values())


def _whole_table(chosen: Sequence[Scored], scored: Sequence[Scored]) -> list[Scored]:
    """The rows of the best row's table, in all of its chunks, as far as there is room; else the chosen."""
    best = max(chosen, key=lambda s: s.score, default=None)
    if best is None or best.passage.unit.kind != "table_row":
        return list(chosen)
    table = table_of(best)
    rows = [s for s in scored if s.passage.unit.kind == "table_row" and table_of(s) == table]
    rows.sort(key=lambda s: (s.passage.chunk.position, s.passage.index))
    while len(rows) > MAX_LISTED or length(rows) > LIST_CHARS:
        rows.pop()
    return rows if any(s is best for s in rows) else list(chosen)


def _steps_alone(chosen: Sequence[Scored]) -> list[Scored]:
    """Keep what stands under the best one's heading, where the best is one of several steps."""
    best = max(chosen, key=lambda s: s.score, default=None)
    if best is None or sum(_of_one_list(s, best) for s in chosen) < FEW_ITEMS:
        return list(chosen)
    return [s for s in chosen if _section(s) == _section(best)]


def _whole_section(chosen: Sequence[Scored], scored: Sequence[Scored]) -> list[Scored]:
    """The sentences of the best one's section, where they are few, short and under words of the question.

    Steps that are told as prose ask for as many readings of the question as there are sentences.
    """
    best = max(chosen, key=lambda s: s.score, default=None)
    if best is None or best.passage.unit.kind != "sentence" or not best.passage.heading:
        return list(chosen)
    there = [s for s in scored if _section(s) == _section(best)]
    told = all(s.passage.unit.kind == "sentence" for s in there)
    named = best.covers.keys() & set(terms(best.passage.heading))
    if not (told and named and len(there) <= MAX_ITEMS and length(there) <= ANSWER_CHARS):
        return list(chosen)
    return there


def _section(scored: Scored) -> tuple[str, str]:
    return scored.passage.chunk.document_id, scored.passage.heading


def _of_one_list(one: Scored, other: Scored) -> bool:
    """Say whether both are items of one list.

    A list may go on in the next chunk under the same lead.
    """
    if one.passage.unit.kind != "list_item" or other.passage.unit.kind != "list_item":
        return False
    return _group(one) == _group(other) or (
        _section(one) == _section(other)
        and one.passage.lead == other.passage.lead
        and abs(one.passage.chunk.position - other.passage.chunk.position) == 1
    )


def _qualified(chosen: Sequence[Scored], scored: Sequence[Scored], most: int) -> list[Scored]:
    """The chosen ones with what takes something back of the best of them.

    That is the next sentence, or the other items of a list of `most` at most.
    """
    if not chosen:
        return []
    best = max(chosen, key=lambda s: s.score)
    there = {s.passage.key for s in chosen}
    added = [s for s in scored if s.passage.key not in there and _takes_back(s, best, scored, most)]
    return [*chosen, *added]


def _takes_back(this: Scored, best: Scored, scored: Sequence[Scored], most: int) -> bool:
    if best.passage.unit.kind == "list_item":
        listed = [s for s in scored if _of_one_list(s, best)]
        return len(listed) <= most and any(s is this for s in listed)
    if this.passage.chunk is not best.passage.chunk:
        return False
    follows = this.passage.index == best.passage.index + 1
    return follows and bool(_QUALIFIES.match(this.passage.text))


def _within(chosen: Sequence[Scored], room: int) -> list[Scored]:
    """The best of the chosen that fit, a short list whole, and the very best whatever its length.

    The table that holds the very best is whole where it fits: a tier of prices says little alone.

    Items may fill the room, sentences those characters that any answer has.
    """
    groups: dict[_Group, list[Scored]] = defaultdict(list)
    for s in chosen:
        groups[_group(s)].append(s)
    kept: dict[tuple[str, int], Scored] = {}
    for s in sorted(chosen, key=lambda s: -s.score):
        listed = groups[_group(s)]
        tiers = not kept and s.passage.unit.kind == "table_row" and length(listed) <= room
        whole = len(listed) <= FEW_ITEMS or tiers
        taken = {one.passage.key: one for one in (listed if whole else [s])}
        most = room if _is_item(s) else min(room, ANSWER_CHARS)
        if not kept or length([*(kept | taken).values()]) <= most:
            kept |= taken
    return [s for s in chosen if s.passage.key in kept]


def length(chosen: Sequence[Scored]) -> int:
    """Return the characters of an answer of these, with the sentence that a dangling one brings along."""
    brought = (text for s in chosen if s.passage.dangling for text in _brought(s))
    return sum(map(_shown_length, chosen)) + sum(map(len, brought))


def _brought(scored: Scored) -> tuple[str, ...]:
    """The sentences that one which leans on them brings along."""
    return (*scored.passage.led_by, scored.passage.before)


def _shown_length(scored: Scored) -> int:
    """Its characters; of a wide row some cells alone are shown."""
    length = len(scored.passage.text)
    return min(length, ROW_CHARS) if scored.passage.unit.kind == "table_row" else length


def _is_item(scored: Scored) -> bool:
    return scored.passage.unit.kind != "sentence"


def _group(scored: Scored) -> _Group:
    """The list under one lead, or the table with these columns, that a passage belongs to."""
    passage = scored.passage
    if passage.unit.kind == "list_item":
        return passage.chunk.chunk_id, "list", passage.lead or passage.heading
    if passage.unit.kind == "table_row":
        return passage.chunk.chunk_id, "table", columns(passage)
    return passage.chunk.chunk_id, "sentence", str(passage.index)


def _family(scored: Scored) -> tuple[str, str]:
    """All list items of a document, or all rows of it with the same columns."""
    passage = scored.passage
    return passage.chunk.document_id, columns(passage) if passage.unit.kind == "table_row" else ""


def states(scored: Scored) -> bool:
    """Return whether a passage says something by itself: no row, no title, no list of who was there."""
    passage = scored.passage
    return (
        passage.unit.kind != "table_row"
        and not passage.dangling
        and not (passage.unit.kind == "sentence" and says_nothing(passage.text))
        and _ATTENDANCE.match(passage.text) is None
    )


def columns(passage: Passage) -> str:
    """Return the names of a row's columns, which rows of one table share."""
    return "|".join(_COLUMN.findall(passage.text))


def _repeats(candidate: Scored, chosen: Sequence[Scored], vectors: Vectors | None) -> bool:
    if any(_stands_in(candidate, c) for c in chosen):
        return True
    if vectors is None:
        return False
    # Rows of one table are alike by nature; their figures differ.
    return any(
        float(np.dot(vectors[candidate.vector], vectors[c.vector])) > REDUNDANCY
        and _figures(candidate) == _figures(c)
        for c in chosen
    )


def _stands_in(one: Scored, other: Scored) -> bool:
    return one.passage.text.casefold() in other.passage.text.casefold()


def _figures(scored: Scored) -> set[str]:
    return set(_FIGURE.findall(scored.passage.text))
