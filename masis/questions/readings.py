"""Tell passages apart that fit a question alike: "Which clinic: Leeds, York or Hull?".

Pure and lexical. Several passages fit where each holds what the question says and the kind of answer
that it wants, and nothing in the question chooses one of them.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from masis.domain import EvidenceChunk, Value
from masis.phrases import held_roles
from masis.phrases.left_out import leaves_out
from masis.questions.question_parts import ASKING
from masis.retrieval import extraction
from masis.retrieval.extraction import Passage
from masis.text.lexical import terms
from masis.text.quantities import is_limit

PAPERS: Final = frozenset({"document", "part"})
"""Things between which nobody needs to choose who can read what they say."""
MOST_PAPERS: Final = 4
"""Documents or parts of one: where more of them fit, a question is about none of them yet."""
ROW_FITS: Final = 0.5
FITS: Final = 0.8
"""The share of the question's terms that a passage with its headings must hold; of a row half, since
the rows of a table are told apart for certain."""
NEARLY: Final = 0.9
"""Of the best passage's share, for another to fit as well."""
MOST: Final = 8
"""Options; with more of them nobody reads a list, and the question was about all of them."""
BRIEF: Final = 4
"""Different words that a question may carry to be called brief."""
OPTION_CHARS: Final = 60

_SEVERAL: Final = re.compile(
    r"\b(?:which|what)(?: are(?: the)?)? (?!(?:is|was|does|has|its|this)\b)\w+s\b|\b(?:list|all|every|each)\b",
    re.IGNORECASE,
)
"""Who asks for several things wants them all."""
_CELL: Final = re.compile(r"(?:^|\| )([^:|]{1,60}): ([^|]+?)(?= \||\s*$)")
_TELLING: Final = re.compile(
    r"\b(?:clinic|site|office|branch|location|city|country|region|area|product|model|item|version|plan"
    r"|grade|level|class|year|period|quarter|month|term|department|team|role|type|category|group"
    r"|customer|destination|trip|event|service|treatment|name)s?\b",
    re.IGNORECASE,
)
"""How columns are named that tell rows apart."""
_POLITE: Final = frozenset(terms("please pls thanks hi hello hey number"))
CALCULATED: Final = frozenset(
    terms(
        "increase decrease change percentage percent absolute difference average mean total amount value sum rise fall growth"
    )
)
"""What is made of figures, and names none of them."""
_DATED: Final = re.compile(
    r"\b(?:19|20)\d\d\b|\bFY ?\d\d\b|\b[QH][1-4]\b|\d\dQ[1-4]", re.IGNORECASE
)
"""A column of a year, a date or a quarter."""
_BESIDE: Final = re.compile(r"\s*\([^)]*\)|\s+(?:in )?[£$€]\S*$")
"""What a column says of its figures beside their time: their unit."""
_TIMED: Final = re.compile(
    r"\d|\b(?:when|year|month|quarter|period|latest|last|this|current|today|now|each|per|which|trend)\b",
    re.IGNORECASE,
)
"""Who says one of these has told, or asks for, a time."""
_TIMES: Final = ("year", "period")
_SEVERAL_TIMES: Final = 3
_NUMBERING: Final = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.?\s+")
_FIGURE: Final = re.compile(r"\d[\d,.:]*")


class Readings(Value):
    """Hold what a question may mean: the options, and what kind of thing each of them is.

    `called_alike` where each is called what the question calls it, and more: "RSUs" may be
    "Service-Based RSUs" and "Performance-Based RSUs".
    """

    thing: str = ""
    options: list[str] = []
    called_alike: bool = False


class _Fitting(NamedTuple):
    passage: Passage
    held: float


def readings(question: str, evidence: Sequence[EvidenceChunk]) -> Readings:
    """The options between which a question does not choose; none where one passage fits best."""
    asked = frozenset(terms(question)) - ASKING - _POLITE
    if _SEVERAL.search(question):
        return Readings()
    fitting = list(_fitting(question, asked, evidence))
    of_person = extraction.wanted(question) == "person"
    # Who does something is said by no document or part, and between names nobody can choose.
    specific = of_person or len(asked) > BRIEF or any(map(str.isdigit, question))
    for kind, labels in _ways(question, asked, fitting, specific=specific):
        if of_person and any(held_roles.names_somebody(each, asked) for each in labels):
            continue
        options = list(dict.fromkeys(filter(None, labels)))
        most = MOST_PAPERS if kind in PAPERS else MOST
        if 1 < len(options) <= most and not _is_chosen(asked, options):  # a choice
            alike = kind not in PAPERS and _called_alike(asked, options)
            return Readings(thing=kind, options=options, called_alike=alike)
    return Readings()


def periods(question: str, evidence: Sequence[EvidenceChunk]) -> Readings:
    """The columns of times in the row that fits best, where a question asks for no time."""
    asked = frozenset(terms(question)) - ASKING - _POLITE - CALCULATED
    if not asked or _TIMED.search(question):
        return Readings()
    fitting = [each for each in _fitting(question, asked, evidence) if each.held >= FITS]
    best = max((each.held for each in fitting), default=0.0)
    rows = [each.passage for each in fitting if each.held == best]
    if len(rows) != 1 or rows[0].unit.kind != "table_row":
        return Readings()
    named = [name for name, _ in _CELL.findall(rows[0].text.strip("| "))]
    times = _times([name for name in named if _DATED.search(name)])
    if not 1 < len(times) <= MOST:  # a choice
        return Readings()
    is_year = all(re.fullmatch(r"(?:FY ?)?\d{2,4}", each) for each in times)
    return Readings(thing=_TIMES[0] if is_year else _TIMES[1], options=times)


def _times(columns: Sequence[str]) -> list[str]:
    """The columns by their times alone, where these tell them apart: "2025" of "Price 2025 (£)"."""
    bare = [_label(_BESIDE.sub("", name)) for name in columns]
    years = [" ".join(_DATED.findall(name)) for name in bare]
    rests = {_DATED.sub("", name) for name in bare}
    is_plain = len(rests) == 1 and len(set(years)) == len(years)
    return list(dict.fromkeys(years if is_plain else bare))


def are_times(several: Readings) -> bool:
    """Say whether a question leaves open which of three times or more it means: a change is between two of them."""
    return several.thing in _TIMES and len(several.options) >= _SEVERAL_TIMES


def takes_one(several: Readings, draft: str) -> bool:
    """Say whether a draft speaks of one thing alone of those that are called alike."""
    if not several.called_alike:
        return False
    own = _own([set(terms(option)) for option in several.options])
    said = set(terms(draft))
    return sum(words <= said for words in own) == 1


def _fitting(
    question: str, asked: frozenset[str], evidence: Sequence[EvidenceChunk]
) -> Iterator[_Fitting]:
    wanted = extraction.wanted(question)
    in_force = [each for each in evidence if not each.replaced_by] or list(evidence)
    found = [
        _held(passage, asked)
        for passage in extraction.passages(in_force)
        if passage.unit.kind != "table_row" or not leaves_out(question, passage.text)
    ]
    right = [
        each
        for each in found
        if wanted in {"any", "yes_no", "person"} or extraction.fits(wanted, each.passage.text)
    ]
    best = max((each.held for each in right), default=0.0)
    return (each for each in right if best >= ROW_FITS and each.held >= NEARLY * best)


def _held(passage: Passage, asked: frozenset[str]) -> _Fitting:
    said = f"{passage.text} {passage.heading} {passage.lead} {passage.chunk.context}"
    return _Fitting(passage, len(asked.intersection(terms(said))) / max(1, len(asked)))


def _ways(
    asked_text: str, asked: frozenset[str], fitting: Sequence[_Fitting], *, specific: bool
) -> Iterator[tuple[str, list[str]]]:
    """The ways to tell the passages apart, the finest first.

    Who asks something `specific` is not asked for a document or a part of one: they all speak of it.
    """
    passages = [each.passage for each in fitting]
    if len({_given(passage) for passage in passages}) <= 1:  # all say the same
        return
    rows = [each for each in fitting if each.passage.unit.kind == "table_row"]
    yield from _columns(asked_text, asked, [e.passage for e in rows if _shares(e, asked)])
    if specific or min(each.held for each in fitting) < FITS:
        return
    if len({p.chunk.document_id for p in passages}) == 1:
        yield "part", [_label(p.heading) for p in passages]
    else:
        yield "document", [_label(p.chunk.title or p.chunk.document) for p in passages]


def _columns(
    asked_text: str, asked: frozenset[str], rows: Sequence[Passage]
) -> Iterator[tuple[str, list[str]]]:
    """The columns of rows whose every cell is another one, those that are named for it first."""
    cells = _naming(asked, [dict(_CELL.findall(row.text.strip("| "))) for row in rows])
    headers = _headers(cells)
    for header in headers:
        values = [row[header] for row in cells]
        if _FIGURE.search(asked_text) and all(map(is_limit, values)):
            continue  # the figure says itself within which of the limits it lies
        is_named = _TELLING.search(header) or header == headers[0]
        if is_named and len(set(values)) == len(values) and not any(map(_FIGURE.match, values)):
            yield _thing(header, values), list(map(_label, values))


def _thing(header: str, values: Sequence[str]) -> str:
    """How values of a column are called: by its name, else by the words that all of them end with.

    A name with a figure in it is that of the whole table.
    """
    is_of_table = any(map(str.isdigit, header))
    if _TELLING.search(header) and not is_of_table:
        return header.lower()
    ends = zip(*(reversed(value.split()) for value in values), strict=False)
    shared = list(itertools.takewhile(lambda words: len(set(words)) == 1, ends))
    if shared:
        return " ".join(words[0] for words in reversed(shared))
    return "" if is_of_table else header.lower()


def _headers(cells: Sequence[Mapping[str, str]]) -> list[str]:
    """The columns that every row has, those that are named for telling rows apart first."""
    shared = [name for name in cells[0] if all(name in row for row in cells)] if cells else []
    return sorted(shared, key=lambda name: not _TELLING.search(name))


def _naming(
    asked: frozenset[str], cells: Sequence[Mapping[str, str]]
) -> Sequence[Mapping[str, str]]:
    """The rows that are of what the question names, where some are; else all of them.

    The others only mention it: who reports to Patel is not who is called Patel.
    """
    for header in filter(_TELLING.search, _headers(cells)):
        named = [row for row in cells if not asked.isdisjoint(terms(row[header]))]
        if named:
            return named
    return cells


def _shares(row: _Fitting, asked: frozenset[str]) -> bool:
    """Say whether a row is of what is asked: by most words, or by one in its name or in what stands over it.

    That "we pay" for carriage makes carriage no choice for who asks about pay.
    """
    name = next((value for _, value in _CELL.findall(row.passage.text.strip("| "))), "")
    said = f"{name} {row.passage.heading} {row.passage.lead} {row.passage.chunk.context}"
    return row.held >= FITS or not asked.isdisjoint(terms(said))


def _given(passage: Passage) -> str:
    """Return what a passage gives: its figures, or all of it where it has none."""
    return " ".join(_FIGURE.findall(passage.text)) or passage.text


def _label(text: str) -> str:
    flat = " ".join(_NUMBERING.sub("", text.lstrip("# ")).split())
    return flat if len(flat) <= OPTION_CHARS else ""


def _is_chosen(asked: frozenset[str], options: Sequence[str]) -> bool:
    """Say whether the question names one of the options by what the others have not."""
    own = _own([set(terms(option)) for option in options])
    return any(not words.isdisjoint(asked) for words in own)


def _called_alike(asked: frozenset[str], options: Sequence[str]) -> bool:
    called = [set(terms(option)) for option in options]
    return not set.intersection(*called).isdisjoint(asked) and all(_own(called))


def _own(called: Sequence[set[str]]) -> list[set[str]]:
    """The words of each that not all of them have."""
    shared = set.intersection(*called)
    return [words - shared for words in called]
