"""Cut a text that is too long to be read at once into two windows, at the borders of sentences."""

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import Final

MOST_WINDOWS: Final = 2


def windows(text: str, room: int, length: Callable[[str], int]) -> list[str]:
    """The text, or its first and its last sentences that fit into `room`, measured by `length`.

    The two overlap unless the text is longer than both. A first sentence that is too long by itself
    stays: whoever reads the window cuts it.
    """
    if length(text) <= room:
        return [text]
    borders = _borders(text)
    pieces = [text[start:end] for start, end in pairwise(borders)]
    lengths = [length(piece) for piece in pieces]
    first, last = _fitting(lengths, room), _fitting(lengths[::-1], room)
    if len(pieces) <= 1:
        return [text]
    return [text[: borders[first]].rstrip(), text[borders[-1 - last] :]]


def _borders(text: str) -> list[int]:
    """Where sentences and lines begin, and where the text ends."""
    from masis.text.sentences import units  # its model is loaded for long texts alone

    starts = (
        unit.start if unit.kind == "sentence" else text.rfind("\n", 0, unit.start) + 1
        for unit in units(text, wrapped=False)
    )
    return sorted({0, *starts, len(text)})


def _fitting(lengths: Sequence[int], room: int) -> int:
    """How many of them fit from the first on; one at least."""
    return max(1, sum(total <= room for total in accumulate(lengths)))
