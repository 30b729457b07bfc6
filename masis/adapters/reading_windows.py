"""Cut a text that is too long to be read at once into two windows, at the borders of sentences."""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

MOST_WINDOWS: Final = 2


def windows(text: str, room: int, length: Callable[[str], int]) -> list[str]:
    """The text, or its first and its last sentences that fit into `room`, measured by `length`.

    The two overlap unless the text is longer than both. A first sentence that is too long by itself
    stays: whoever reads the window cuts it.
    """
    from masis.text.sentences import units  # noqa: PLC0415 - its model is loaded for long texts alone

    if length(text) <= room:
        return [text]
    pieces = units(text, wrapped=False)
    lengths = [length(text[piece.start : piece.end]) for piece in pieces]
    first, last = _fitting(lengths, room), _fitting(lengths[::-1], room)
    if first >= len(pieces):
        return [text]
    return [text[: pieces[first - 1].end], text[pieces[-last].start :]]


def _fitting(lengths: Sequence[int], room: int) -> int:
    """How many of them fit from the first on; one at least."""
    return max(1, sum(total <= room for total in accumulate(lengths)))
