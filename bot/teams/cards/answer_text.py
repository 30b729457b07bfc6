"""Draw the Markdown of an answer as rich text: headings, emphasis, lists, code and tables.

Nothing of it is handed to a client as Markdown: a link becomes its words and where it led, an
image its description, and what looks like HTML stays the text that it is.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.chat.words.visible_text import visible
from bot.teams.cards.card_elements import (
    LINE_CHARS,
    Elements,
    Json,
    length,
    paragraphs,
    parts_of,
    rich,
    run,
    table,
)
from bot.teams.text.sentences import NOTHING

_DEEPEST: Final = 8
_INDENT: Final = "\u2003"
MOST_COLUMNS: Final = 12
TABLE_CHARS: Final = 8_000
"""Of a table's JSON; a longer one goes on in a further one."""


@cache
def _parser() -> MarkdownIt:
    # A definition of a reference would turn `[1]` into a link, and vanish itself.
    return MarkdownIt("commonmark").enable("table").disable("reference")


def drawn(markdown: str) -> Elements:
    """Return the elements of a text in Markdown, at least one."""
    return list(_Drawing().of(_parser().parse(visible(markdown)))) or [rich(NOTHING)]


class _Drawing:
    """Walks through the tokens of one text."""

    def __init__(self) -> None:
        self._lists: list[int | None] = []
        """The number of the next item of each open list; None where it has no numbers."""
        self._mark = ""
        """What stands before the next line: the mark of its item."""
        self._heading = False
        self._rows: list[list[str]] | None = None

    def of(self, tokens: Sequence[Token]) -> Iterator[Json]:
        """The elements, in order."""
        for token in tokens:
            if self._rows is not None:
                yield from self._in_table(token)
            else:
                yield from self._drawn(token)

    def _drawn(self, token: Token) -> Iterator[Json]:
        match token.type:
            case "inline":
                yield from self._lines(token)
            case "fence" | "code_block" | "html_block":
                yield from _verbatim(token)
            case "table_open":
                self._rows = []
            case "heading_open" | "heading_close":
                self._heading = token.type == "heading_open"
            case "list_item_open":
                self._mark = self._marked()
            case kind if kind.endswith("_list_open"):
                start = token.attrGet("start")
                is_numbered = kind.startswith("ordered")
                self._lists.append(int(1 if start is None else start) if is_numbered else None)
            case kind if kind.endswith("_list_close"):
                self._lists.pop()
                self._mark = self._mark if self._lists else ""

    def _marked(self) -> str:
        number = self._lists[-1]
        if number is None:
            return "• "
        self._lists[-1] = number + 1
        return f"{number}. "

    def _lines(self, token: Token) -> Iterator[Json]:
        """A paragraph; a hard break begins a line of its own."""
        indent = _INDENT * min(len(self._lists) - 1, _DEEPEST)
        weight: Json = {"weight": "Bolder"} if self._heading else {}
        for runs in _lines_of(token.children or []):
            lead = f"{indent}{self._mark}"
            yield rich(*([run(lead)] if lead else []), *(each | weight for each in runs))
            self._mark = _INDENT if self._lists else ""

    def _in_table(self, token: Token) -> Iterator[Json]:
        assert self._rows is not None  # noqa: S101 - the caller has looked
        match token.type:
            case "tr_open":
                self._rows.append([])
            case "inline":
                self._rows[-1].append(_words(token.children or []))
            case "table_close":
                rows, self._rows = self._rows, None
                yield from _tables(rows)


def _verbatim(token: Token) -> Iterator[Json]:
    """Code, or what looks like HTML, line by line as it is written."""
    how = {} if token.type == "html_block" else {"fontType": "Monospace"}
    for line in token.content.rstrip("\n").split("\n"):
        for part in parts_of(line):
            yield rich(run(part, **how), spacing="None")


def _tables(rows: list[list[str]]) -> Iterator[Json]:
    """A table; one that is too long in several, each with the header."""
    if not rows:
        return
    head = rows[0][:MOST_COLUMNS]
    if max(map(len, rows)) > MOST_COLUMNS or length(table([head])) > TABLE_CHARS // 2:
        yield from _as_lines(rows)
        return
    group = [head]
    for row in rows[1:]:
        if length(table([*group, row])) > TABLE_CHARS:
            yield table(group)
            group = [head]
        if length(table([head, row])) > TABLE_CHARS:
            yield from _as_lines([row])
        else:
            group.append(row)
    if len(group) > 1 or len(rows) == 1:
        yield table(group)


def _as_lines(rows: list[list[str]]) -> Iterator[Json]:
    """Rows that make no table, a line each."""
    for row in rows:
        yield from paragraphs(" · ".join(row))


def _lines_of(children: Sequence[Token]) -> Iterator[list[Json]]:
    """The runs of each line; one that is too long goes on in a further one."""
    line: list[Json] = []
    taken = 0
    for text, how in _pieces(children):
        for part in [text] if text == "\n" else parts_of(text):
            if line and (part == "\n" or taken + len(part) > LINE_CHARS):
                yield line
                line, taken = [], 0
            if part != "\n":
                line.append(run(part, **how))
                taken += len(part)
    if line:
        yield line


def _words(children: Sequence[Token]) -> str:
    return "".join(text if text != "\n" else " " for text, _ in _pieces(children))


def _pieces(children: Sequence[Token]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The texts of a line, each with how it is shown; a line's end as itself."""
    how: dict[str, Any] = {}
    targets: list[str] = []
    for token in children:
        kind, _, end = token.type.rpartition("_")
        if kind in _EMPHASIS:
            how = {key: value for key, value in how.items() if key not in _EMPHASIS[kind]}
            how |= _EMPHASIS[kind] if end == "open" else {}
        elif token.type == "link_open":
            targets.append(str(token.attrGet("href") or ""))
        elif token.type == "link_close":
            target = targets.pop() if targets else ""
            yield (f" ({target})" if target else ""), how
        else:
            yield _text(token), how | ({"fontType": "Monospace"} if kind == "code" else {})


_EMPHASIS: Final[dict[str, dict[str, Any]]] = {
    "strong": {"weight": "Bolder"},
    "em": {"italic": True},
}


def _text(token: Token) -> str:
    match token.type:
        case "image":
            return f"{token.content} ({token.attrGet('src') or ''})"
        case "softbreak":
            return " "
        case "hardbreak":
            return "\n"
    return token.content
