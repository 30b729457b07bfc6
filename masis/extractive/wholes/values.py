"""What a whole is made of: its lines, each with its sources, and what was looked at for it."""

from typing import Final

from masis.domain import EvidenceChunk, Unit, Value
from masis.questions.whole_forms.asked_wholes import WholeKind

MOST_ROWS: Final = 30
"""Of a list that are shown; of the others it is told how many there are."""
MOST_CHARS: Final = 3_000
"""Of all lines together."""


class WholeLine(Value):
    """A line of a whole as it stands in its sources, and what stands above it."""

    text: str
    ids: list[str]
    under: str = ""


class Whole(Value):
    """A whole that was asked for: what it is and how much was looked at, then its lines in order.

    `said` and `more` are sentences on what was counted. `confidence` is in that it is what was asked
    for, and complete. `written` says that a model may word it: of a list it could lose rows. `may_lack`
    says that rows may stand where nobody looked.
    """

    kind: WholeKind
    said: str
    lines: list[WholeLine]
    more: list[str] = []
    confidence: Unit
    written: bool = False
    may_lack: bool = False

    @property
    def counted(self) -> list[str]:
        """What was counted for it, in words: no document says that."""
        return [self.said, *self.more]

    @property
    def cited(self) -> list[str]:
        """The ids of the chunks that its lines stand in, in order, none twice."""
        return list(dict.fromkeys(chunk_id for line in self.lines for chunk_id in line.ids))


class FoundWhole(Value):
    """A whole with its evidence, or the documents of which one has to be chosen before."""

    whole: Whole | None = None
    evidence: list[EvidenceChunk] = []
    options: list[str] = []
    asked_back: str = ""
