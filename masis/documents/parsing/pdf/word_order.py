"""Puts the words of a PDF's lines in the order in which they are read."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Final

import pypdfium2 as pdfium

from masis.documents.parsing.pdf.page_objects import page_objects
from masis.documents.parsing.placed_words import BACK, Line, Word, is_accent

_SPACE: Final = 0.7
"""Gaps of less than so many sizes are ordinary spaces."""
_TELLING: Final = 0.6
"""Where more ordinary spaces than this share part what is drawn, each word is drawn apart."""
_USUAL: Final = 0.2
_MOST: Final = 0.5
"""A gap that so many of a page's spaces have is one of them: of those within drawings, and of all."""
_SAME_SPACE: Final = 0.015


def put_in_order(page: pdfium.PdfPage, lines: Sequence[Line]) -> None:
    """Put the words of each line in reading order, and forget what tells nothing about runs."""
    crossed = [line for line in lines if _crossings(line.words, line.size)]
    if crossed:
        drawn = {address: at for at, (address, _) in enumerate(page_objects(page))}
        for line in crossed:
            _put_as_drawn(line, drawn)
    for line in lines:
        if any(word.right_to_left for word in line.words):
            line.words = list(_directed(line.words))
    each_apart = _is_each_apart(lines)
    _mark_spaced(lines, each_apart=each_apart)
    if each_apart:
        for line in lines:
            for word in line.words:
                word.first = word.last = 0


# --- words that are drawn over each other -------------------------------------------------------


def _put_as_drawn(line: Line, drawn: dict[int, int]) -> None:
    """Put words in the order in which they were drawn, where no more of them then go back.

    PDFium sorts a line from left to right, which mixes the words of cells that cover each other. An
    accent may be drawn before its letter or after it.
    """
    pieces = [piece for word in line.words for piece in _pieces(word)]
    ordered = sorted(pieces, key=lambda word: drawn.get(word.first, -1))
    gained = _crossings(pieces, line.size) - _crossings(ordered, line.size)
    if gained > 0 or (gained == 0 and not any(is_accent(char) for char in line.text)):
        line.words = _whole(ordered)


def _pieces(word: Word) -> Iterator[Word]:
    """A word in pieces, each drawn apart: a cell may end within what PDFium takes for a word."""
    cuts = [(0, word.left, word.first), *word.seams, (len(word.text), word.right, word.last)]
    for (start, left, first), (end, right, _) in pairwise(cuts):
        last = first if end < len(word.text) else word.last
        yield replace(
            word,
            text=word.text[start:end],
            left=left,
            right=right,
            first=first,
            last=last,
            seams=(),
        )


def _whole(pieces: Sequence[Word]) -> list[Word]:
    """The pieces, those together that touch and follow each other."""
    words: list[Word] = []
    for piece in pieces:
        if words and piece.left == words[-1].right:
            before = words[-1]
            words[-1] = replace(
                before,
                text=before.text + piece.text,
                right=piece.right,
                last=piece.last,
                seams=(*before.seams, (len(before.text), piece.left, piece.first)),
            )
        else:
            words.append(piece)
    return words


def _crossings(words: Sequence[Word], size: float) -> int:
    """Count the words that begin before the end of the one before them.

    An accent does so on purpose, and is not counted.
    """
    words = [word for word in words if not all(map(is_accent, word.text))]
    return sum(
        after.left < before.right - BACK * size and after.right > before.left + BACK * size
        for before, after in pairwise(words)
    )


def _is_each_apart(lines: Sequence[Line]) -> bool:
    """Say whether the page draws each word apart.

    The gaps between words say nothing about cells then.
    """
    pairs = [
        after.starts_after(before)
        for line in lines
        for before, after in pairwise(line.words)
        if 0 <= after.left - before.right < _SPACE * line.size
    ]
    return sum(pairs) > _TELLING * len(pairs)


def _mark_spaced(lines: Sequence[Line], *, each_apart: bool) -> None:
    """Mark the words that a drawing begins with, but just a space of the page behind the last one.

    Programs draw each word of some lines apart, or begin anew at a change of font.
    """
    pairs = [
        (before, after, (after.left - before.right) / line.size)
        for line in lines
        for before, after in pairwise(line.words)
        if 0 < after.left - before.right < _SPACE * line.size
    ]
    within = sorted(gap for before, after, gap in pairs if not after.starts_after(before))
    gaps = sorted(gap for _, _, gap in pairs)
    for before, after, gap in pairs:
        usual = _share(gap, within) > _USUAL or (each_apart and _share(gap, gaps) > _MOST)
        if usual and after.starts_after(before):
            before.last = after.first = 0
            after.spaced = True


def _share(gap: float, gaps: Sequence[float]) -> float:
    """How many of the gaps are as wide."""
    like = bisect_right(gaps, gap + _SAME_SPACE) - bisect_left(gaps, gap - _SAME_SPACE)
    return like / max(len(gaps), 1)


# --- words of two directions --------------------------------------------------------------------


def _directed(words: Sequence[Word]) -> Iterator[Word]:
    """The words, those of one direction that stand side by side in that direction.

    The sides themselves stand in the direction of most letters.
    """
    sides: list[list[Word]] = []
    for leftward, group in groupby(_with_direction(words), key=lambda pair: pair[1]):
        side = [word for word, _ in group]
        sides.append(side[::-1] if _runs(side, leftward=not leftward) else side)
    firsts = [side[0] for side in sides]
    if _runs(firsts, leftward=not _is_leftward(words)):
        sides.reverse()
    yield from (word for side in sides for word in side)


def _runs(words: Sequence[Word], *, leftward: bool) -> bool:
    """Say whether each of several words stands to the left, or right, of the one before it."""
    pairs = list(pairwise(words))
    return bool(pairs) and all((after.left < before.left) == leftward for before, after in pairs)


def _is_leftward(words: Sequence[Word]) -> bool:
    letters = [(sum(map(str.isalpha, word.text)), word.right_to_left) for word in words]
    return 2 * sum(n for n, leftward in letters if leftward) > sum(n for n, _ in letters)


def _with_direction(words: Sequence[Word]) -> Iterator[tuple[Word, bool]]:
    """Each word with whether it goes to the left; figures go as the letters on both sides do."""
    known = [
        word.right_to_left if any(char.isalpha() for char in word.text) else None for word in words
    ]
    before: list[bool | None] = []
    last: bool | None = None
    for direction in known:
        last = direction if direction is not None else last
        before.append(last)
    following: bool | None = None
    result: list[bool] = []
    for direction, ahead in zip(reversed(known), reversed(before), strict=True):
        following = direction if direction is not None else following
        result.append(bool(direction if direction is not None else ahead and following))
    yield from zip(words, reversed(result), strict=True)
