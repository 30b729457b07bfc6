"""What tells passages apart that fit a question alike: "Which clinic: Leeds, York or Hull?".

Pure and lexical. Several passages fit where each holds what the question says and the kind of answer
that it wants, and nothing in the question chooses one of them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from masis import extraction
from masis.domain import EvidenceChunk, Value
from masis.extraction import Passage
from masis.lexical import terms

FITS: Final = 0.6
"""The share of the question's terms that a passage with its headings must hold."""
NEARLY: Final = 0.9
"""Of the best passage's share, for another to fit as well."""
MOST: Final = 4
"""Options; with more of them nobody reads a list, and the question was about all of them."""
BRIEF: Final = 4
"""Different words that a question may carry to be called brief."""
OPTION_CHARS: Final = 60

_HEADER: Final = re.compile(r"^([^:|]{1,40}): ([^|]+?)(?= \||\s*$)")
_NUMBERING: Final = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.?\s+")
_FIGURE: Final = re.compile(r"\d[\d,.:]*")


class Readings(Value):
    """What a question may mean: the options, and what kind of thing each of them is."""

    kind: str = ""
    options: list[str] = []


class _Fitting(NamedTuple):
    passage: Passage
    held: float


def readings(question: str, evidence: Sequence[EvidenceChunk]) -> Readings:
    """The options between which a question does not choose; none where one passage fits best."""
    asked = frozenset(terms(question))
    fitting = list(_fitting(question, asked, evidence))
    specific = len(asked) > BRIEF or any(map(str.isdigit, question))
    for kind, labels in _ways(fitting, specific=specific):
        options = list(dict.fromkeys(filter(None, labels)))
        if 2 <= len(options) <= MOST and not _is_chosen(asked, options):  # noqa: PLR2004 - a choice
            return Readings(kind=kind, options=options)
    return Readings()


def _fitting(
    question: str, asked: frozenset[str], evidence: Sequence[EvidenceChunk]
) -> Iterator[_Fitting]:
    wanted = extraction.wanted(question)
    found = [_held(passage, asked) for passage in extraction.passages(evidence)]
    right = [
        each
        for each in found
        if wanted in {"any", "yes_no", "person"} or extraction.fits(wanted, each.passage.text)
    ]
    best = max((each.held for each in right), default=0.0)
    return (each for each in right if best >= FITS and each.held >= NEARLY * best)


def _held(passage: Passage, asked: frozenset[str]) -> _Fitting:
    said = f"{passage.text} {passage.heading} {passage.lead} {passage.chunk.context}"
    return _Fitting(passage, len(asked.intersection(terms(said))) / max(1, len(asked)))


def _ways(fitting: Sequence[_Fitting], *, specific: bool) -> Iterator[tuple[str, list[str]]]:
    """The ways to tell the passages apart, the finest first.

    Who asks something `specific` is not asked for a document or a part of one: they all speak of it.
    """
    passages = [each.passage for each in fitting]
    if len({_given(passage) for passage in passages}) < 2:  # noqa: PLR2004 - all say the same
        return
    rows = [p for p in passages if p.unit.kind == "table_row"]
    if rows and len(rows) == len(passages):
        headers = {header for header, _ in map(_first_cell, rows)}
        kind = headers.pop() if len(headers) == 1 else ""
        yield kind.lower(), [value for _, value in map(_first_cell, rows)]
    if specific:
        return
    if len({p.chunk.document_id for p in passages}) == 1:
        yield "part", [_label(p.heading) for p in passages]
    else:
        yield "document", [_label(p.chunk.title or p.chunk.document) for p in passages]


def _given(passage: Passage) -> str:
    """What a passage gives: its figures, or all of it where it has none."""
    return " ".join(_FIGURE.findall(passage.text)) or passage.text


def _first_cell(row: Passage) -> tuple[str, str]:
    found = _HEADER.match(row.text.strip("| "))
    return (found[1].strip(), _label(found[2])) if found else ("", "")


def _label(text: str) -> str:
    flat = " ".join(_NUMBERING.sub("", text.lstrip("# ")).split())
    return flat if len(flat) <= OPTION_CHARS else ""


def _is_chosen(asked: frozenset[str], options: Sequence[str]) -> bool:
    """Whether the question names one of the options by what the others have not."""
    own = [set(terms(option)) for option in options]
    shared = set.intersection(*own)
    return any(not (words - shared).isdisjoint(asked) for words in own)
