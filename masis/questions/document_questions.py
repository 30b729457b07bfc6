"""Make questions out of a document's own text, for who does not know what to ask.

Pure and lexical: a question that stands in the text, "The notice period is 1 month" turned round, a
cell of a table asked for by its row and column, a heading. Document text is untrusted: a question
of plain words comes of it, or none.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from masis.text.given_names import GIVEN_NAMES
from masis.text.lexical import terms
from masis.text.redaction import redacted
from masis.text.sentences import Unit, units

Kind = Literal["asked", "stated", "cell", "heading"]
KINDS: Final[tuple[Kind, ...]] = ("asked", "stated", "cell", "heading")
"""How a question was made, the one that reads best first."""

MOST_CHARS: Final = 90
"""Of a question: it stands on a button."""
LEAST_WORDS: Final = 4
MOST_WORDS: Final = 14
MOST_SUBJECT_WORDS: Final = 5
MOST_COLUMN_WORDS: Final = 3
MOST_UNIT_CHARS: Final = 400
"""Of the text that one question is made of; a longer one is no plain statement."""

MOST_PIECE_CHARS: Final = 4_000

_PLAIN: Final = re.compile(r"[^\W_][\w \-'’,&/%£€$().]*\?")
"""Words, figures and the marks inside them: no markup, no mention, no address."""
_ADDRESS: Final = re.compile(r"\w\.[A-Za-z]{2}|//")
_NUMBERING: Final = re.compile(
    r"(?:[QF][.:)]\s*|(?:Question|Q)\s*\d{0,3}\s*[.:)]\s*|\d{1,2}(?:\.\d{1,2})*[.)]?\s+)",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"(?:what|when|where|who|why|which|how|can|could|may|must|should|do|does|did|is|are|will)\b",
    re.IGNORECASE,
)
_STATED: Final = re.compile(
    r"(?:(?:The|Our|Your) ([a-z][\w\-’' ]{2,60}?) (is|are)|([A-Z][a-z]{1,20} [a-z][a-z\- ]{2,40}?) (are)) "
    r"(?=(?:about |from |between |up to |at least |at most |an? |on |every )?(?:[\d£$€]|(?:one|two|three|four|five"
    r"|six|seven|eight|nine|ten|twelve|half|once|twice|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b))"
)
"""What something is: a figure or a day. What it is like ("amazing") nobody asks."""
_MEASURES: Final = re.compile(
    r"(?:.* )?(?:limit|price|fee|cost|rate|charge|allowance|capacity|discount|warranty|deadline|weight|pressure"
    r"|budget|deposit|dose|flow|lead time|due date|opening times|opening hours|notice|period)",
    re.IGNORECASE,
)
"""Columns that read well in a question."""
_ASKED_AS: Final = (
    (
        re.compile(
            r".*\b(?:hours|times|dates|fees|prices|charges|rates|limits|rules|requirements|benefits|allowances"
            r"|holidays|periods)",
            re.IGNORECASE,
        ),
        "What are the {}?",
    ),
    (re.compile(r".*\b(?:policy|procedure|process)", re.IGNORECASE), "What does the {} say?"),
    (re.compile(r".*\b(?:period|allowance|limit|rate)", re.IGNORECASE), "What is the {}?"),
    (
        re.compile(
            r".*\b(?:leave|expenses|claims|absence|training|working|parking|security|safety|insurance"
            r"|warranty|delivery|returns|refunds|support|backups?|passwords?|access|equipment|bookings?"
            r"|visits?|visitors|complaints|uniform|lunches|trips|cover|pay)",
            re.IGNORECASE,
        ),
        "What should I know about {}?",
    ),
)
"""How headings end that stand over what people ask for, and how that is asked."""
_VAGUE: Final = frozenset(
    """
    of above aim answer below case circle difference example first following goal idea issue item last
    latter main matter next one ones other others point previous problem purpose question reason
    rest result same second table thing things third this that these those way
    """.split()
)
"""Words of a subject that only its neighbours explain."""
_JOINING: Final = frozenset(
    "all each every some any most many few more no both there if when and or but not only also still already now then there it they he she we you i who which that".split()
)
_CELL: Final = re.compile(r"(?:^|\| )([^:|]{1,60}): ([^|]{1,120}?)(?= \||\s*$)")
_OF_PEOPLE: Final = re.compile(
    r"\b(?:name|names|surname|forename|employee|staff|person|people|member|owner|contact|colleague|tutor|"
    r"teacher|patient|pupil|student|child|customer|client|candidate|author|attendee|manager|lead|who|by|"
    r"phone|mobile|telephone|extension|e-?mail|address|born|birth|birthday|age|gender|salary|pay|grade|"
    r"bank|account|iban|passport|id|password|pin|code|sickness|diagnosis|medical|allerg\w{0,5}|notes?|"
    r"comments?|remarks?)\b",
    re.IGNORECASE,
)
"""Columns and rows that tell of people, or that nobody asks for."""
_TITLED: Final = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir)\b\.?")
_NAMED: Final = re.compile(r"\b[A-Z]\. ?[A-Z][a-z]+|\b[A-Z][a-z]+ [A-Z]\b(?:\.|$)")
_WORD: Final = re.compile(r"[^\W\d_]+")
_PLURAL: Final = re.compile(r"[a-z]{3,}[^s'’u]s$")


class Made(NamedTuple):
    """A question, how it was made, and of which document."""

    text: str
    kind: Kind
    document_id: str


def questions(text: str, headings: Sequence[str], document_id: str) -> Iterator[Made]:
    """Make every question that a piece of a document and the heading over it give, in their order."""
    pieces = units(text[:MOST_PIECE_CHARS], wrapped=False)
    found = [*_of_heading(headings[-1], pieces[:1])] if headings else []
    for place, unit in enumerate(pieces):
        if len(unit.text) <= MOST_UNIT_CHARS:
            found += _of_unit(unit, pieces[place + 1 : place + 2])
    for question, kind in dict.fromkeys(found):
        if _may_be_shown(question):
            yield Made(question, kind, document_id)


_Found = tuple[str, Kind]


def _of_unit(unit: Unit, following: Sequence[Unit]) -> Iterator[_Found]:
    if unit.kind == "table_row":
        yield from _of_row(unit.flat)
    elif unit.kind == "heading":
        yield from _of_heading(unit.flat, following)
    elif unit.kind in {"sentence", "list_item"}:
        yield from _as_asked(unit.flat, following)
        yield from _turned_round(unit.flat)


def _of_heading(heading: str, following: Sequence[Unit]) -> Iterator[_Found]:
    text = _NUMBERING.sub("", heading.lstrip("# ").strip(), count=1).strip()
    if text.endswith("?"):
        yield from _as_asked(text, following)
    elif _is_topic(text):
        told = _in_a_sentence(text)
        yield from (
            (asked.format(told), "heading") for ends, asked in _ASKED_AS if ends.fullmatch(text)
        )


def _as_asked(text: str, following: Sequence[Unit]) -> Iterator[_Found]:
    """Return a question as it stands, without what numbers it, where an answer follows.

    In a form or a list of questions another one does, or nothing.
    """
    bare = _NUMBERING.sub("", text.strip("*_ "), count=1).strip("*_ ")
    answered = [u for u in following if u.kind != "heading" and not u.text.strip().endswith("?")]
    if bare.endswith("?") and _ASKS.match(bare) and answered:
        yield bare[0].upper() + bare[1:], "asked"


def _turned_round(text: str) -> Iterator[_Found]:
    """Make "What is the notice period?" of "The notice period is 1 month."."""
    said = _STATED.match(text)
    if said is None:
        return
    subject, are = (said[1], said[2]) if said[1] else (_in_a_sentence(said[3]), said[4])
    if _is_subject(subject):
        yield f"What {are} the {subject}?", "stated"


def _is_subject(text: str) -> bool:
    words = text.casefold().split()
    return (
        1 < len(words) <= MOST_SUBJECT_WORDS
        and len(set(terms(text))) > 1
        and not _VAGUE.intersection(words)
        and not _JOINING.intersection(words)
        and not any(map(str.isdigit, text))
    )


def _of_row(row: str) -> Iterator[_Found]:
    """Ask for the cells of a row by its first cell: "What is the limit for meals?"."""
    cells = _CELL.findall(row.strip("| "))
    if len(cells) <= 1 or not _names_a_row(*cells[0]):  # a name, and something of it
        return
    name = cells[0][1].partition(",")[0].strip()
    for column, value in cells[1:]:
        if _can_be_asked_for(column) and any(map(str.isdigit, value)):
            are = "are" if _PLURAL.search(column.casefold()) else "is"
            yield f"What {are} the {_in_a_sentence(column.strip())} for {_row_named(name)}?", "cell"


def _row_named(name: str) -> str:
    """The name of a row without its capital where it is several of a kind: a place or a product keeps it."""
    kind = name.rpartition(" ")[2]
    return _in_a_sentence(name) if kind != name and _PLURAL.fullmatch(kind) else name


def _names_a_row(column: str, name: str) -> bool:
    return (
        not _OF_PEOPLE.search(column)
        and len(name.split()) <= MOST_SUBJECT_WORDS
        and bool(terms(name))
        and not any(map(str.isdigit, name))
    )


def _can_be_asked_for(column: str) -> bool:
    words = column.split()
    return (
        len(words) <= MOST_COLUMN_WORDS
        and bool(_MEASURES.fullmatch(column))
        and not _OF_PEOPLE.search(column)
        and not _VAGUE.intersection(column.casefold().split())
    )


def _is_topic(text: str) -> bool:
    """Say whether a heading is a topic.

    It is a noun phrase of two or three words that says what stands below it.
    """
    words = text.split()
    return (
        1 < len(words) <= MOST_COLUMN_WORDS
        and all(_WORD.fullmatch(word.replace("-", "")) for word in words)
        and len(set(terms(text))) > 1
        and not _VAGUE.intersection(text.casefold().split())
        and not _OF_PEOPLE.search(text)
    )


def _in_a_sentence(text: str) -> str:
    """The words without the capital that a cell or a heading begins with; names keep theirs."""
    first, *rest = text.split(" ")
    is_name = not first[1:].islower() or any(word[:1].isupper() for word in rest)
    return text if is_name else f"{first.lower()}{text[len(first) :]}"


def _may_be_shown(text: str) -> bool:
    """Say whether a question is plain, short, and about nobody."""
    words = {word.casefold() for word in _WORD.findall(text)}
    return (
        len(text) <= MOST_CHARS
        and LEAST_WORDS <= len(text.split()) <= MOST_WORDS
        and bool(_PLAIN.fullmatch(text))
        and not _ADDRESS.search(text)
        and not words & GIVEN_NAMES
        and not _TITLED.search(text)
        and not _NAMED.search(text)
        and redacted(text) == text
    )
