"""Choose, among what documents list, the rows of what a question asks for, and how sure that is.

Pure and lexical. A list is of what its first column, its heading or its lead-in says; of a list of other
things those rows are meant whose cells say it ("Finance director" for the directors).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from masis.domain import EvidenceChunk
from masis.extractive.wholes.collections import FIGURE, Collection, Row, is_line
from masis.phrases.held_roles import is_title
from masis.text.lexical import terms

SURE: Final = 0.88
"""The list is called what is asked for, and every further word is its own or one of its rows'."""
FAIRLY_SURE: Final = 0.84
"""Its rows say it, not its name."""
SAID_BESIDE: Final = 0.80
"""Its name says it of something else: "Rating of suppliers", "The flow in seven steps"."""
NAMED_BY_COLUMN: Final = 0.78
"""Its rows are named in a column that is called so, and it is called otherwise."""
HELD_IN_COLUMN: Final = 0.74
LOOKED_AT: Final = 8
"""Rows from which it is told what a column holds."""
LEAST_OF_ROWS: Final = 2
MOST_SOURCES: Final = 3
MOST_CELL_WORDS: Final = 6
"""A longer cell tells something, and names no role or kind."""
BOTH: Final = 0.02
SECOND: Final = 0.06
"""A list of another document is shown too where it is at most this much less sure."""

STEPS_OF: Final = 0.82
"""Its heading says the matter, and not that steps or rules of it follow."""
NAMED_SO: Final = 0.82
"""Its rows are called by what narrows the things down, and a number: "Holiday 1" of the holiday days."""
OF_NAME: Final = 0.06
"""How much surer a list is of a document that has all else of the question in its name."""
_SEQUENCES: Final = frozenset(
    terms(
        "steps stages rules requirements conditions criteria instructions procedure process points checks"
    )
)
"""What a list holds that is headed by the matter alone."""

Instead = Callable[[str], frozenset[str]]
"""Returns a term with those that stand for it."""
Names = Callable[[Collection], frozenset[str]]
"""Returns the terms that the name and date of a list's document cover."""

_CORE_END: Final = re.compile(
    r"\s(?:that|which|who|whose|with|without|in|on|for|at|from|of|by|to|under|we|i|you|they|are|is|do|does|did|have|has|had|were|"
    r"was|can|must|should|will|used|due|since|this|last|next|per|and what|and their|allowed|planned)\b"
    r"|\s[a-z]{2,}ed\b(?!\s+[a-z]+s\b)"
)
_EVERYONE: Final = frozenset(
    terms("everybody everyone people person member staff name names team who")
)
_BELONGING: Final = frozenset(terms("team department office group unit"))
_SAYS_NOTHING: Final = frozenset(
    terms(
        "current currently now today use used uses using work works have list listed all every each different various please name names "
        "detail details whole complete full exist there here company firm business organisation place us our we need involved "
        "main key important item items still moment open entry present kind type sort belong belongs altogether total existing available know year term month week quarter season"
    )
)
_DONE: Final = frozenset(
    terms(
        "look looks after handle handles manage manages "
        "own owns run runs lead leads give gives giving make makes making do doing get getting take takes taking carry carrying go going responsible charge worry worried think last page document file sheet table slide"
    )
)
"""What is done with the things, which no list says of them."""
_NAMING: Final = frozenset(terms("name names who person people contact"))
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SEGMENT: Final = re.compile(r"\s(?:of|in|for|per|by|to|on|and|with|at|from)\s|[,;:/&–—]|\s-\s")
_PARTICIPLE: Final = re.compile(r"(?<=\w)\s+[a-z]{2,}ed$")
_NAME: Final = re.compile(r"\.[a-z]{2,4}$|[_\-./\\]")
_PEOPLE: Final = frozenset(
    terms(
        "staff employee employees people team directory contacts personnel colleagues members board committee"
    )
)
_PAIR: Final = ("what", "who")
_CALLED: Final = frozenset(terms("name title full"))
_PAST: Final = re.compile(
    r"\b(?:ended|former|past|previous|old|lapsed|expired|closed|cancelled|rejected|archived?|historic\w*|no longer|not)\b",
    re.IGNORECASE,
)
"""How a list is called that is of what was, and not of what is."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Name the things that are listed: the term of its head noun, those beside it, and what narrows it down."""

    head: str
    core: tuple[str, ...]
    narrowing: tuple[str, ...]
    past: bool = False
    word: str = ""
    """The head noun as it is written, in the singular: "plan" is no planning."""

    def is_called(self, word: str, instead: Instead) -> bool:
        """Return whether a word is the head noun, or a synonym of it."""
        own = terms(word)
        if singular(word.lower()) == self.word:
            return True
        return bool(own) and own[-1] != self.head and own[-1] in instead(self.head)


@dataclass(frozen=True, slots=True)
class Match:
    """A collection with the rows that are meant, and how sure it is that they are."""

    collection: Collection
    rows: tuple[Row, ...]
    confidence: float
    column: str = ""
    """The column that holds the things asked for; empty where each row is one."""

    def key(self, row: Row) -> str:
        """Return what tells a row from others: the thing that it names."""
        named = dict(row.cells).get(self.column, "") if self.column else ""
        return " ".join(terms(named or row.name)) or row.text


def wanted(of: str) -> Wanted | None:
    """Read what is to be listed: "first aiders" of "first aiders in the studio"."""
    text = re.sub(r"^(?:the|our|all|every|any|my|of|different|various)\s+", "", of.strip())
    cut = _CORE_END.search(text)
    first, rest = (text[: cut.start()], text[cut.start() :]) if cut else (text, "")
    core = [term for term in terms(first) if term not in _SAYS_NOTHING]
    if not core and (everyone := [term for term in terms(first) if term in _EVERYONE]):
        core = everyone
    if not core:
        core, rest = [term for term in terms(text) if term not in _SAYS_NOTHING][:1], ""
    if not core:
        return None
    said = (term for term in terms(rest) if term not in _SAYS_NOTHING and term not in _DONE)
    narrowing = [term for term in said if term not in core]
    if core[-1] in _EVERYONE:  # "in the finance team": where somebody belongs is told without that
        narrowing = [term for term in narrowing if term not in _BELONGING] or narrowing
    past = _PAST.search(of) is not None
    word = next(
        (w for w in reversed(_WORD.findall(first or text)) if terms(w)[-1:] == core[-1:]), ""
    )
    return Wanted(core[-1], tuple(core), tuple(narrowing), past, singular(word.lower()))


def singular(word: str) -> str:
    """Return a noun in the singular, as far as its ending tells."""
    if word.endswith("ies") and len(word) > len("ties"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def matches(
    asked: Wanted, found: Sequence[Collection], instead: Instead, names: Names | None = None
) -> list[Match]:
    """Return the lists that are meant, the surest first, then the longest."""
    current = [each for each in found if asked.past or not _PAST.search(each.label)]

    def fitting_by(like: Instead) -> list[Match]:
        held = (_match(asked, each, like, names or _no_names) for each in current)
        return [match for match in held if match is not None]

    # A manager is no director where somebody is called one.
    exact = fitting_by(lambda term: frozenset({term}) if term == asked.head else instead(term))
    fitting = fitting_by(instead)
    surest = max((match.confidence for match in fitting), default=0.0)
    if max((match.confidence for match in exact), default=0.0) >= surest - SECOND:
        fitting = exact
    return sorted(fitting, key=lambda m: (-round(m.confidence, 2), -len(m.rows)))


def chosen(found: Sequence[Match]) -> list[Match]:
    """Return the surest list, and lists of other places that are about as sure and add to it."""
    taken: list[Match] = []
    seen: set[str] = set()
    for match in found:
        if taken and match.confidence < taken[0].confidence - SECOND:
            break
        fresh = tuple(row for row in match.rows if match.key(row) not in seen)
        if taken and (len(fresh) * 2 < len(match.rows) or not _goes_with(match, taken)):
            continue
        seen |= {match.key(row) for row in match.rows}
        taken.append(replace(match, rows=fresh))
        if len(taken) == MOST_SOURCES:
            break
    return taken


def under_their_name(
    fitting: Sequence[Match], of: str, chunks: Iterable[EvidenceChunk]
) -> list[Match]:
    """Return the lists without those that are called otherwise where a section is called as is asked.

    "Hours and travel" of a price list are no working hours where a handbook tells "Working hours".
    """
    asked = _called(of)
    if not any(asked == _called(name) for chunk in chunks for name in chunk.place.headings):
        return list(fitting)
    return [each for each in fitting if each.confidence >= SURE or asked in _names(each)]


def _names(match: Match) -> set[frozenset[str]]:
    """What a list and all that it stands under are called."""
    one = match.collection
    place = one.chunk.place
    names = (one.label, one.lead, one.heading, one.chunk.title, place.sheet or "", *place.headings)
    return {_called(name) for name in names}


def _called(name: str) -> frozenset[str]:
    """The terms of a name without its number."""
    return frozenset(term for term in terms(name) if not term.isdigit())


def _goes_with(match: Match, taken: Sequence[Match]) -> bool:
    """Say whether a list belongs beside those: of another document, or of the same form in the same one."""
    if match.collection.kind == "sentence":
        return False
    same = [
        m for m in taken if m.collection.chunk.document_id == match.collection.chunk.document_id
    ]
    return all(
        m.collection.kind == match.collection.kind
        and m.collection.columns == match.collection.columns
        for m in same
    )


def _no_names(_: Collection) -> frozenset[str]:
    return frozenset()


def _match(asked: Wanted, one: Collection, instead: Instead, names: Names) -> Match | None:
    """Hold what is asked against one list."""
    over = _over(one)
    named = names(one)
    around = over | _around(one) | named
    base, column = _sure_of_kind(asked, one, instead)
    rows = tuple(one.rows)
    open_terms = [t for t in asked.narrowing if instead(t).isdisjoint(around)]
    if base is None and (sure := _headed_by_matter(asked, one, instead)):
        base = sure
    elif base is None and (called := _called_by_core(asked, one)):
        base, rows = NAMED_SO, called
    elif base is None:
        rows = tuple(row for row in one.rows if _says(row, asked, instead, around))
        base = FAIRLY_SURE if _names_people(one) else FAIRLY_SURE - BOTH * 2
        if len(rows) < LEAST_OF_ROWS or one.kind == "sentence":
            return None
    else:
        beside = [t for t in asked.core if t != asked.head and instead(t).isdisjoint(around)]
        open_terms = [*beside, *open_terms]
    base += BOTH if asked.narrowing and _is_on(asked.narrowing, one, instead) else 0.0
    own = named | _of_document(one)
    if asked.narrowing and all(not instead(term).isdisjoint(own) for term in asked.narrowing):
        base += OF_NAME
    for term in open_terms:
        rows = tuple(row for row in rows if not instead(term).isdisjoint(_words(row)))
    if len(rows) < LEAST_OF_ROWS and set(open_terms) & set(asked.core):
        return None
    if not rows or (open_terms and one.kind == "sentence"):
        return None
    return Match(one, rows, base, column)


def _headed_by_matter(asked: Wanted, one: Collection, instead: Instead) -> float | None:
    """How sure it is that these are the steps or rules of a matter, by the heading right over them."""
    if asked.head not in _SEQUENCES or one.kind not in {"list", "lines"} or not asked.narrowing:
        return None
    over = _over(one)
    said = [t for t in (*asked.core[:-1], *asked.narrowing) if not instead(t).isdisjoint(over)]
    if not said or not over.issuperset(over.intersection(said)):
        return None
    around = over | _around(one) | {t for row in one.rows for t in _words(row)}
    is_all = all(not instead(t).isdisjoint(around) for t in (*asked.core[:-1], *asked.narrowing))
    return STEPS_OF + (BOTH if len(said) > 1 else 0.0) if is_all else None


def _called_by_core(asked: Wanted, one: Collection) -> tuple[Row, ...]:
    """The rows that are called as the things are narrowed down, and are told apart by numbers."""
    own = set(asked.core[:-1])
    found = tuple(
        row
        for row in one.rows
        if own and {t for t in terms(row.name) if not any(map(str.isdigit, t))} == own
    )
    return found if len(found) >= LEAST_OF_ROWS else ()


def _sure_of_kind(asked: Wanted, one: Collection, instead: Instead) -> tuple[float | None, str]:
    """How sure it is that the list is of what is asked for, by its names, and by which column.

    None where they do not say so.
    """
    if not instead(asked.head).isdisjoint(_EVERYONE):
        return (SURE if _are_the_people(asked, one) else None), ""
    over = _segments(one)
    column = next((c for c in one.columns if _is_column_of(c, asked, one, instead)), "")
    if any(asked.is_called(segment[-1], instead) for segment in over):
        said = {term for segment in over for term in terms(" ".join(segment))}
        is_all = all(not instead(term).isdisjoint(said) for term in asked.core)
        named = column if column == one.naming_column or _repeats(one) else ""
        first = asked.is_called(over[0][-1], instead)
        return (SURE if is_all and len(over) == 1 else FAIRLY_SURE if first else SAID_BESIDE), named
    is_sheet = one.chunk.place.sheet is not None or not one.chunk.place.headings
    titled = _WORD.findall(one.chunk.title)
    if column and column == one.naming_column and titled and asked.is_called(titled[-1], instead):
        return FAIRLY_SURE, column
    if column and (column == one.naming_column or is_sheet):
        return (NAMED_BY_COLUMN if column == one.naming_column else HELD_IN_COLUMN), column
    own = [word for word in _WORD.findall(_NAME.sub(" ", one.chunk.document)) if len(word) > 1]
    if own and asked.is_called(own[-1], instead) and one.kind == "table" and not one.label:
        return FAIRLY_SURE, ""
    return None, ""


def _are_the_people(asked: Wanted, one: Collection) -> bool:
    """Say whether a list names people: those of what is asked, or all where nothing narrows it down."""
    called = _over(one) | _of_document(one)
    if sum(is_title(row.name) for row in one.rows) * 2 > len(one.rows):
        return False
    return _names_people(one) and (bool(asked.narrowing) or not _PEOPLE.isdisjoint(called))


def _segments(one: Collection) -> list[list[str]]:
    """The words over the rows, part by part: "Rating", "suppliers"; its head noun ends each."""
    own = one.rows[0].text.partition(":")[0] if one.kind == "sentence" else ""
    title = " ".join(terms(one.chunk.title))
    above = (one.lead, one.heading, one.chunk.place.sheet or "")
    named = [text for text in ((own,) if one.kind == "sentence" else above) if text]
    return [
        said
        for text in named
        if " ".join(terms(text)) != title or text == one.chunk.place.sheet
        for part in _SEGMENT.split(re.sub(r"\(.*?\)", "", text))
        if (said := _WORD.findall(_PARTICIPLE.sub("", part.strip())))
    ]


def _repeats(one: Collection) -> bool:
    """Say whether several rows have one name: then it is of a group, and another column tells them."""
    names = [row.name for row in one.rows]
    return len(set(names)) < len(names)


def _is_column_of(column: str, asked: Wanted, one: Collection, instead: Instead) -> bool:
    """Say whether a column holds the things: "Supplier", "Conference title", and no figures or codes."""
    said = _WORD.findall(_SEGMENT.split(re.sub(r"\(.*?\)", "", column.replace("_", " ")))[0])
    while len(said) > 1 and not _CALLED.isdisjoint(terms(said[-1])):
        said.pop()
    values = [dict(row.cells).get(column, "") for row in one.rows[:LOOKED_AT]]
    if not said or all(FIGURE.fullmatch(value) for value in values if value):
        return False
    return asked.is_called(said[-1], instead)


def _is_on(narrowing: Sequence[str], one: Collection, instead: Instead) -> bool:
    """Say whether the heading or lead-in of a list has what narrows it down."""
    over = _over(one)
    return all(not instead(term).isdisjoint(over) for term in narrowing)


def _over(one: Collection) -> frozenset[str]:
    """The terms right over the rows: lead-in, heading and sheet; in a sentence its own label."""
    own = one.rows[0].text.partition(":")[0] if one.kind == "sentence" else ""
    return frozenset(terms(f"{one.lead} {one.heading} {one.chunk.place.sheet or ''} {own}"))


def _around(one: Collection) -> frozenset[str]:
    """The terms of all names above a list, of its columns, and of the sentence before it."""
    above = " ".join([*one.chunk.place.headings, *one.columns, one.intro])
    return frozenset(terms(above)) | _of_document(one)


def _of_document(one: Collection) -> frozenset[str]:
    name = re.sub(r"[_\-./\\]", " ", one.chunk.document)
    return frozenset(terms(f"{one.chunk.title} {name}"))


def _names_people(one: Collection) -> bool:
    """Say whether a list names people in its rows."""
    columns = {term for column in one.columns for term in terms(column)}
    if one.kind == "table":
        # In two columns one is who: in more of them it may be an owner of something else.
        return not _NAMING.isdisjoint(columns) or (
            len(one.columns) == len(_PAIR)
            and any(
                _are_names(dict(row.cells).get(column, "").partition(",")[0] for row in one.rows)
                for column in one.columns
            )
        )
    if one.kind == "sentence":
        return _are_names(_PARTS.split(one.rows[0].text.partition(":")[2].rstrip(". ")))
    names = [row.name for row in one.rows]
    behind = [row.text.removeprefix(row.name).strip(" –—-:") for row in one.rows]
    return _are_names(names) or _are_names(re.split(r"[,;(]", text)[0] for text in behind)


def _are_names(names: Iterable[str]) -> bool:
    found = [_PERSON.fullmatch(re.sub(r"\(.*?\)", "", name).strip()) is not None for name in names]
    return sum(found) * 2 > len(found)


_PARTS: Final = re.compile(r"[,;]\s+(?:and\s+)?|\sand\s")
_PERSON: Final = re.compile(
    r"(?:(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof(?:essor)?|Sir|Dame|Rev)\.? )?[A-Z][\w'’.-]+(?: (?:van|de|der|von|[A-Z][\w'’.-]*)){1,3}"
)


def _says(row: Row, asked: Wanted, instead: Instead, around: frozenset[str]) -> bool:
    """Say whether a short cell of a row ends in the head noun, or begins with it before "of"."""
    others = [t for t in asked.core[:-1] if instead(t).isdisjoint(around)]
    for text in _kinds_told(row):
        said = _WORD.findall(text)
        if not said or len(said) > MOST_CELL_WORDS:
            continue
        first = asked.is_called(said[0], instead) and " of " in text.lower()
        if (first or asked.is_called(said[-1], instead)) and all(
            not instead(t).isdisjoint(terms(text)) for t in others
        ):
            return True
    return False


def _kinds_told(row: Row) -> list[str]:
    """Return the words of a row about the thing that it names: its cells, or what stands behind the dash."""
    if row.cells:
        return [
            re.sub(r"\(.*?\)", "", part).strip()
            for _, value in row.cells
            for part in re.split(r"[,;/&]| and ", value)
        ]
    if not is_line(row.text):
        return []
    _, _, rest = row.text.partition(row.name)
    return [part.strip(" –—-:,.()") for part in re.split(r"[,;/&(]| and ", rest)]


def _words(row: Row) -> set[str]:
    values = " ".join(value for _, value in row.cells) if row.cells else row.text
    return set(terms(values))
