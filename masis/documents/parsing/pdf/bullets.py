"""Tells lines that begin with a bullet from lines that begin with a dash or the letter o."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from masis.documents.parsing.placed_words import Line

_ALWAYS: Final = re.compile(r"[•●○◦▪■□‣➢➤\u2043∙·\uf020-\uf0ff]")
_MAYBE: Final = re.compile(r"[o–—-]")
_KEPT: Final = re.compile("[✓✔✗✘☐☑☒]")
"""They begin an item, and say something about it."""
_NUMBERING: Final = re.compile(r"\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)]|\(\w{1,3}\)")
_DIGIT: Final = re.compile(r"[\d.,$€£]")
_ENDED: Final = re.compile(r"[.!?:;][\"'”’)]*$")
_LONGEST_MARK: Final = 6
_SAME_LEFT: Final = 3.0
"""Points between the left edges of two items of one list, at most."""
_WIDE: Final = 0.7
_WIDER: Final = 1.5
"""A gap behind a bullet is so many sizes, or so many times the next gap."""
_LOOSE: Final = 0.7
_INDENTED: Final = 0.8
"""A paragraph's gap, and the indentation of a list, in sizes."""

Mark = tuple[str, int, int]


def bulleted(pages: Sequence[Sequence[Line]]) -> dict[int, str]:
    """The lines that begin an item with a bullet, by `id`, each with what of it is to be left out.

    A dash and an `o` may also be a minus or a word of a sentence that goes on from the line above.
    They are bullets where they are drawn apart, stand away from their text, or begin several lines
    under each other; and where the line above has come to its end, unless a figure follows.
    """
    marks = [line for lines in pages for line in lines if _has_mark(line)]
    lists = Counter(mark for line in marks for mark in _marks(line))
    above = {id(line): before for lines in pages for before, line in pairwise(lines)}
    found: dict[int, str] = {}
    for line in marks:
        mark = line.words[0].text
        if _KEPT.fullmatch(mark):
            found[id(line)] = ""
        elif _ALWAYS.fullmatch(mark) or _is_bullet(line, above.get(id(line)), lists):
            found[id(line)] = mark
    return found


def is_mark(word: str) -> bool:
    """Say whether a word may begin an item of a list: a bullet, a dash, `1.`, `(a)`."""
    kinds = (_ALWAYS, _MAYBE, _KEPT, _NUMBERING)
    return len(word) <= _LONGEST_MARK and any(kind.fullmatch(word) for kind in kinds)


def _has_mark(line: Line) -> bool:
    mark = line.words[0].text
    known = len(mark) == 1 and any(kind.fullmatch(mark) for kind in (_ALWAYS, _MAYBE, _KEPT))
    return known and len(line.words) > 1


def _marks(line: Line) -> tuple[Mark, Mark]:
    """Return where a mark stands, as two neighbouring cells of a raster.

    So near marks share one.
    """
    at = int(line.words[0].left / _SAME_LEFT)
    return (line.words[0].text, line.page, at), (line.words[0].text, line.page, at + 1)


def _is_bullet(line: Line, above: Line | None, lists: Counter[Mark]) -> bool:
    mark, text = line.words[0], line.words[1]
    if text.starts_after(mark) or _stands_away(line):
        return True
    if max(lists[one] for one in _marks(line)) > 1:
        return True
    return not _DIGIT.match(text.text) and (above is None or _begins(line, above))


def _stands_away(line: Line) -> bool:
    gap = line.words[1].left - line.words[0].right
    others = [after.left - before.right for before, after in pairwise(line.words[1:])]
    usual = min(others, default=gap)
    return gap > _WIDE * line.size or gap > max(_WIDER * usual, 0.3 * line.size)


def _begins(line: Line, above: Line) -> bool:
    """Say whether a line begins a block by what stands above it."""
    return (
        bool(_ENDED.search(above.text))
        or above.bottom - line.top > _LOOSE * line.size
        or above.size > line.size + 1
        or line.left > above.left + _INDENTED * line.size
    )
