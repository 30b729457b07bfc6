"""Values that every oracle gives, and the comparison of tokens that they share."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from masis.documents.parsing.cleaning import visible
from masis.domain import Block

_SIGNS: Final = re.compile("([$€£¥%])")
Kind = Literal["lost", "doubled", "changed", "moved"]


class Difference(NamedTuple):
    """A token, or the text of a cell, that is not what the second reader sees.

    `lost`, `doubled` and `changed` are of tokens, `moved` of cells. `place` says where, for whoever
    looks it up. One with an `excuse` is counted apart: it is on purpose and loses nothing.
    """

    kind: Kind
    text: str
    place: str
    excuse: str = ""


@dataclass(slots=True)
class Comparison:
    """What a document has in tokens and cells by the second reader, and what differs."""

    tokens: int = 0
    cells: int = 0
    differences: list[Difference] = field(default_factory=list)


def tokens(text: str) -> list[str]:
    """The words of a text as readers see them, and in them signs apart.

    Signs of currencies and `%`, which stand near their figures or apart, are words of their own.
    """
    return [token for word in words(text) for token in _SIGNS.sub(r" \1 ", word).split()]


def words(text: str) -> list[str]:
    """What blanks part in a text, compatibility forms folded and nothing invisible."""
    return unicodedata.normalize("NFKC", visible(text)).split()


def block_tokens(blocks: Iterable[Block]) -> Iterator[str]:
    """The tokens of blocks without the bars between cells, which are ours."""
    for block in blocks:
        text = block.text.replace(" | ", " ") if block.kind == "table_row" else block.text
        yield from tokens(text)
