"""Units of text: the pieces that can be read, scored, quoted and cited alone.

Headings, list items, table rows and code are units of their own; prose is joined over hard wraps
and parted into sentences by `nupunkt`, whose model knows abbreviations, initials and decimals.
Every pass reads the text once.
"""

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from nupunkt import PunktSentenceTokenizer, load

from masis.text.grammars.calendar import SHORT_MONTHS

UnitKind = Literal["heading", "sentence", "list_item", "table_row", "code"]

MAX_SENTENCE_CHARS: Final = 2000
"""A longer sentence is cut at a blank: text without any full stop must not become one unit."""
_REMEMBERED_CHARS: Final = 4_000
"""Of a text whose units are remembered; 256 of a usual chunk's 800 characters take some 2 MB."""

WRAPPED_LINE_CHARS: Final = 40
"""A line of prose at least this long may go on in the next one; a shorter one stands alone.

It lies below the width of a printed column and above the length of most titles.
"""

_TITLE_WORDS: Final = 10
_LONGEST_HEADING: Final = 200
_LONGEST_NUMBERED: Final = 60
"""Of a numbered heading that ends with a word such as "for": a clause that goes on is longer."""
_FENCES: Final = ("```", "~~~")
_HASHES = re.compile(r"#{1,6}(?=\s|$)")
_BOLD_TITLE = re.compile(r"\*\*[^*]{1,120}(?<![.!?])\*\*:?|__[^_]{1,120}(?<![.!?])__:?")
_MARKER = re.compile(
    r"(?:[-*+•‣◦–]|\(?[0-9]{1,3}[.)]|\(?[a-z][.)])(?:\s+\[[ xX]\](?=\s|$))?(?:\s+|$)"
)
_RULE = re.compile(r"[-*_=~]{3,}")
_NUMBERED_HEADING = re.compile(r"[1-9][0-9]?(?:\.[0-9]{1,2}){0,3}\.? [^\W\d_a-z]")
"""How a section begins: "1 What this is for" ends there, though its last word leaves it open."""
_TABLE_RULE = re.compile(r"\|?[ \t]*:?-[-|: \t]*")
_QUOTE = re.compile(r"(?:>[ \t]?)+")
_LINE_BREAK = re.compile(r"[ \t\r]*\n[\s>]*")
_WORD = re.compile(r"[^\W_](?:[\w'’-]|[.,](?=[0-9]))*")
_CJK_END = re.compile("(?<=[\u3002\uff01\uff1f])")

# What stands left of a boundary that was drawn wrongly: an abbreviation that never ends a
# sentence, one that does not before a figure, or (a date as in "1. March") a day before a month.
# The model knows the abbreviations of English: those of German and Polish papers are among these.
_TAIL: Final = 12
_NEVER_LAST = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|approx|ca|cf|vs|viz|incl|excl|resp|Mr|Mrs|Ms|Dr|Prof"
    r"|bzw|evtl|exkl|ggf|inkl|vgl|zzgl|np|tj|tzn)\.$"
)
_BEFORE_FIGURE = re.compile(
    r"(?:^|[\s(])(?:Nos?|Nr|Figs?|Secs?|Arts?|Ch|Vol|pp?|paras?|Eq|Tab|Ver|v|Ext|Cl)\.$",
    re.IGNORECASE,
)
_DAY = re.compile(r"(?:^|\s)[0-9]{1,2}\.$")
_MONTH = re.compile(
    rf"(?:{'|'.join(map(str.title, SHORT_MONTHS))}|(?:Jän|März|Mai|Okt|Dez)(?:ner|ober|ember)?\b)"
)

# An ordinary word, its stop, and a capital behind it: "…holidays. Pieter keeps…".
_FULL_STOP = re.compile(r"\b([a-z]{4,})[.!?] (?=[A-Z][a-z])")
_ABBREVIATIONS: Final = frozenset(
    [
        "approx",
        "calif",
        "corp",
        "dept",
        "esp",
        "evtl",
        "excl",
        "exkl",
        "fig",
        "figs",
        "incl",
        "inkl",
        "intl",
        "natl",
        "prof",
        "resp",
        "supt",
        "univ",
        "zzgl",
    ]
)

_OPEN_ENDED: Final = frozenset(
    {
        "a",
        "an",
        "and",
        "as",
        "at",
        "between",
        "by",
        "for",
        "from",
        "if",
        "in",
        "into",
        "of",
        "on",
        "or",
        "our",
        "per",
        "than",
        "that",
        "the",
        "their",
        "to",
        "under",
        "until",
        "with",
        "which",
        "who",
        "whose",
    }
)
"""A line that ends with one of these goes on in the next, however short it is."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a text: `text == source[start:end]`, without list marker or outer blanks."""

    text: str
    start: int
    end: int
    kind: UnitKind

    @property
    def flat(self) -> str:
        """The text on one line: hard wraps and quote marks inside it become one blank."""
        return _LINE_BREAK.sub(" ", self.text)


_LineKind = Literal["blank", "fence", "heading", "rule", "table_rule", "item", "row", "prose"]

_UNIT_KIND: dict[_LineKind, UnitKind] = {
    "heading": "heading",
    "item": "list_item",
    "row": "table_row",
    "prose": "sentence",
}


class _Line(NamedTuple):
    """One line, from its first to its last character; `body` is where it starts behind a marker."""

    start: int
    body: int
    end: int
    indented: bool
    kind: _LineKind


@dataclass(slots=True)
class _Block:
    """Lines that belong together. `last` starts the last one; `open` says another may follow."""

    kind: UnitKind
    start: int
    end: int
    last: int
    open: bool
    lines: int = 1


def units(text: str, *, wrapped: bool = True) -> list[Unit]:
    """Part a text into its units, in order; they never overlap. Blank text has none.

    In a text that is not `wrapped`, such as a stored chunk, each paragraph is one line: a line
    right above another one is the heading of what follows.
    """
    # A run parts each of its passages for its search, its prompts and its audit.
    parted = _units_of if len(text) <= _REMEMBERED_CHARS else _units_in
    return list(parted(text, wrapped=wrapped))


def _units_in(text: str, *, wrapped: bool) -> tuple[Unit, ...]:
    found: list[Unit] = []
    for block in _blocks(text, wrapped=wrapped):
        if block.kind == "sentence":
            found.extend(_split(text, block.start, block.end, "sentence"))
        else:
            found.append(Unit(text[block.start : block.end], block.start, block.end, block.kind))
    return tuple(found)


_units_of = functools.lru_cache(maxsize=256)(_units_in)


def sentences(unit: Unit) -> list[Unit]:
    """Part a list item into its sentences, with places in the same source; others are whole."""
    if unit.kind != "list_item":
        return [unit]
    return [
        Unit(piece.text, unit.start + piece.start, unit.start + piece.end, unit.kind)
        for piece in _split(unit.text, 0, len(unit.text), unit.kind)
    ]


def words(text: str) -> list[str]:
    """The words and figures of a text as they are written, decimals whole."""
    return _WORD.findall(text)


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for raw in text.split("\n"):
        content = raw.strip()
        first = start + len(raw) - len(raw.lstrip())
        quote = _QUOTE.match(content)
        if quote:
            inner = content[quote.end() :].lstrip()
            first, content = first + len(content) - len(inner), inner
        kind = _line_kind(content)
        yield _Line(
            first,
            first + _marker_length(content, kind),
            first + len(content.rstrip("#").rstrip() if kind == "heading" else content),
            raw[:2].isspace(),
            kind,
        )
        start += len(raw) + 1


def _line_kind(content: str) -> _LineKind:
    """The first form that fits; what has none is prose."""
    return next(kind for kind, fits in _FORMS if fits(content))


def _is_heading(content: str) -> bool:
    return bool(_HASHES.match(content) or _BOLD_TITLE.fullmatch(content))


def _is_row(content: str) -> bool:
    return " | " in content or "\t" in content or (content[0] == "|" and content.count("|") > 1)


_FORMS: tuple[tuple[_LineKind, Callable[[str], object]], ...] = (
    ("blank", lambda content: not content),
    ("fence", lambda content: content.startswith(_FENCES)),
    ("heading", _is_heading),
    ("table_rule", lambda content: "|" in content and _TABLE_RULE.fullmatch(content)),
    ("rule", _RULE.fullmatch),
    ("item", _MARKER.match),
    ("row", _is_row),
    ("prose", lambda _: True),
)


def _marker_length(content: str, kind: _LineKind) -> int:
    pattern = {"heading": _HASHES, "item": _MARKER}.get(kind)
    match = pattern.match(content) if pattern else None
    if not match:
        return 0
    rest = content[match.end() :]
    return match.end() + len(rest) - len(rest.lstrip())


def _blocks(text: str, *, wrapped: bool) -> list[_Block]:
    """Join lines to blocks; what looks like a title is a heading when something follows it."""
    blocks: list[_Block] = []
    fence = ""
    for line in _lines(text):
        if fence:
            blocks[-1].end = max(blocks[-1].end, line.end)
            fence = "" if text.startswith(fence, line.start, line.end) else fence
        elif line.kind == "fence":
            fence = text[line.start : line.start + 3]
            blocks.append(_Block("code", line.start, line.end, line.start, open=False))
        elif line.kind in _UNIT_KIND:
            if blocks and not wrapped and _parts(text, blocks[-1], line):
                _end(text, blocks[-1])
            _add(text, blocks, line)
        elif blocks:
            _close(text, blocks[-1], line)
    for block, _ in pairwise(blocks):
        if (
            block.kind == "sentence"
            and block.lines == 1
            and _is_title(text[block.start : block.end])
        ):
            block.kind = "heading"
    return [block for block in blocks if block.end > block.start]


def _close(text: str, last: _Block, line: _Line) -> None:
    """End a block at a blank line, or at a rule, which makes what stands right above a heading."""
    lone = last.kind == "sentence" and last.lines == 1
    titled = line.kind == "rule" and text[line.start] in "=-" and lone
    header = line.kind == "table_rule" and last.kind == "table_row"
    if last.open and (titled or header):
        last.kind = "heading"
    last.open = False


def _parts(text: str, above: _Block, line: _Line) -> bool:
    """Say whether a line of text that is not wrapped begins something else than the line above."""
    if not _is_torn_line(text, above, line):
        return True
    numbered = _NUMBERED_HEADING.match(text, above.last, above.end)
    is_short = above.end - above.last <= _LONGEST_NUMBERED
    return numbered is not None and is_short and text[line.start].isupper()


def _end(text: str, above: _Block) -> None:
    """End a block at the next line; prose right above it, without a full stop, is its heading."""
    if above.open and above.kind == "sentence" and _is_heading_line(text[above.start : above.end]):
        above.kind = "heading"
    if above.kind == "sentence" or _NUMBERED_HEADING.match(text, above.last, above.end):
        above.open = False


def _is_heading_line(line: str) -> bool:
    return len(line) <= _LONGEST_HEADING and line[-1] not in ".!?:;,\u3002"


def _add(text: str, blocks: list[_Block], line: _Line) -> None:
    last = blocks[-1] if blocks else None
    if last and line.kind == "prose" and _continues(text, last, line):
        last.end, last.last, last.lines = line.end, line.start, last.lines + 1
        return
    kind = _UNIT_KIND[line.kind]
    blocks.append(_Block(kind, min(line.body, line.end), line.end, line.start, open=True))


def _continues(text: str, last: _Block, line: _Line) -> bool:
    """Say whether a line of prose goes on with the block above it."""
    if not last.open or last.kind not in {"sentence", "list_item"}:
        return False
    above = text[last.last : last.end]
    if last.kind == "list_item" and line.indented:
        return True
    if above.endswith((":", "!", "?")) or (last.kind == "list_item" and above.endswith(".")):
        return False
    if _is_torn_line(text, last, line):
        return True
    return len(above) >= WRAPPED_LINE_CHARS and not (last.lines == 1 and _is_title(above))


def _is_torn_line(text: str, last: _Block, line: _Line) -> bool:
    """Say whether a line of prose goes on with the one above it, whatever that one's length."""
    above = text[last.last : last.end]
    if line.kind != "prose" or not above:
        return False
    if text[line.start].islower() or above.endswith(","):
        return True
    last_word = above.rsplit(maxsplit=1)[-1].lower()
    return last_word in _OPEN_ENDED or bool(_NEVER_LAST.search(above[-_TAIL:]))


def _is_title(line: str) -> bool:
    """Say whether a lone line reads as a title: short, no full stop, few words or in title case."""
    if not line[0].isupper() or line[-1] in ".!?:;,\u3002" or len(line) > 20 * _TITLE_WORDS:
        return False
    found = words(line)
    titled = all(not word[0].islower() for word in found if len(word) > 3)
    return len(found) <= 3 or (len(found) <= _TITLE_WORDS and titled)


@functools.cache
def _tokenizer() -> PunktSentenceTokenizer:
    return load("default")


def _split(text: str, start: int, end: int, kind: UnitKind) -> list[Unit]:
    """Part `text[start:end]` into sentences without outer blanks."""
    # A wrapped line must not look like a break, and every place must stay where it is.
    segment = text[start:end].replace("\n", " ").replace("\r", " ")
    found = []
    for first, last in _cut(segment, _mend(segment, _tokenizer().span_tokenize(segment))):
        piece = segment[first:last]
        first += len(piece) - len(piece.lstrip())  # noqa: PLW2901 (both move to the text inside)
        last -= len(piece) - len(piece.rstrip())  # noqa: PLW2901 (as above)
        if first < last:
            place = start + first, start + last
            found.append(Unit(text[place[0] : place[1]], *place, kind))
    return found


def _mend(segment: str, spans: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join spans that were torn at an abbreviation, a date or closing punctuation."""
    mended: list[tuple[int, int]] = []
    for first, last in spans:
        if mended and _is_torn(segment, mended[-1], (first, last)):
            mended[-1] = (mended[-1][0], last)
        else:
            mended.append((first, last))
    return [part for span in mended for part in _parted(segment, *span)]


def _parted(segment: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Part a span at a full stop that the model took for an abbreviation's."""
    for match in _FULL_STOP.finditer(segment, first, last):
        if match[1].casefold() not in _ABBREVIATIONS:
            yield first, match.end()
            first = match.end()
    yield first, last


def _is_torn(segment: str, left: tuple[int, int], right: tuple[int, int]) -> bool:
    tail = segment[max(left[0], left[1] - _TAIL) : left[1]].rstrip()
    head = segment[right[0] : min(right[1], right[0] + _TAIL)].lstrip()
    if not any(map(str.isalnum, head)):
        return right[1] - right[0] <= _TAIL
    return bool(
        _NEVER_LAST.search(tail)
        or (head[0].isdigit() and _BEFORE_FIGURE.search(tail))
        or (_DAY.search(tail) and _MONTH.match(head))
    )


def _cut(segment: str, spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Part at full-width full stops, which nupunkt does not know, and what is far too long."""
    for first, last in spans:
        ends = [m.start() for m in _CJK_END.finditer(segment, first, last) if m.start() > first]
        for begin, end in pairwise([first, *ends, last]):
            yield from _shorten(segment, begin, end)


def _shorten(segment: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    while last - first > MAX_SENTENCE_CHARS:
        blank = segment.rfind(" ", first + 1, first + MAX_SENTENCE_CHARS)
        end = blank if blank > first else first + MAX_SENTENCE_CHARS
        yield first, end
        first = end
    yield first, last
