"""Do two passages give different figures for the same thing?

Pure and lexical: it compares quantities of one dimension in two sentences that both answer the
question. It sees a number against another number, not a yes against a no.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from masis import lexical
from masis.extraction import Scored, wanted

NEAR_BEST: Final = 0.80
"""Both sentences must reach this share of the best score: a weaker one answers something else."""
SAME_SUBJECT: Final = 0.55
"""Both must hold this share of the question's weighted terms (heading included)."""
SAME_TERMS: Final = 0.6
"""Of the question's terms that either holds, both must hold this share: else each answers
another part of it."""
LOOKED_AT: Final = 12

_UNITS: Final = (
    r"%|per ?cent|hours?|hrs?|h|days?|weeks?|months?|years?|minutes?|min|seconds?|km|miles?|mm|cm|m|"
    r"kg|litres?|l/h|l|mg/l|bar|°c|kw|w|k|m²"
)
_QUANTITY = re.compile(
    r"(?P<before>[A-Za-z][\w-]*[ -])?(?P<currency>[£$€] ?)?"
    r"(?<![\w.,-])(?P<value>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\w,]*\d)"
    r"(?: ?(?P<scale>thousand|million|billion|(?:k|m|mn|bn)(?=\W|$)))?"
    rf"(?: ?(?P<unit>{_UNITS})(?![\w]))?",
    re.IGNORECASE,
)
_SHORT_SCALE: Final = 2
_SCALES: Final = {
    "": 1.0,
    **dict.fromkeys(("thousand", "k"), 1e3),
    **dict.fromkeys(("million", "m", "mn"), 1e6),
    **dict.fromkeys(("billion", "bn"), 1e9),
}
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
_SAME: Final = {
    "hrs": "hour",
    "hr": "hour",
    "h": "hour",
    "min": "minute",
    "percent": "%",
    "per cent": "%",
}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure with its dimension: a currency sign, a unit, or "" for a plain count."""

    value: float
    dimension: str


def quantities(text: str) -> set[Quantity]:
    """The figures of a text; years, and numbers that name things (Priority 1), are none."""
    found = set()
    for match in _QUANTITY.finditer(text):
        dimension = (match["currency"] or "").strip() or _unit(match["unit"])
        before = (match["before"] or "").strip()
        if not dimension and (before[:1].isupper() or _YEAR.fullmatch(match["value"])):
            continue
        found.add(Quantity(_value(match), dimension))
    return found


def _value(match: re.Match[str]) -> float:
    """The figure with its scale; a lone k or m scales money alone (elsewhere m is metres)."""
    scale = (match["scale"] or "").casefold()
    known = len(scale) > _SHORT_SCALE or bool(match["currency"])
    return round(float(match["value"].replace(",", "")) * (_SCALES[scale] if known else 1.0), 6)


def _unit(unit: str | None) -> str:
    plain = (unit or "").casefold()
    plain = _SAME.get(plain, plain)
    return plain[:-1] if len(plain) > 2 and plain.endswith("s") else plain  # noqa: PLR2004 - plural


def conflicts(question: str, scored: Sequence[Scored]) -> list[tuple[Scored, Scored]]:
    """Pairs of passages of different documents that answer the question differently."""
    if wanted(question) not in {"number", "time", "money", "any"}:
        return []
    ranked = sorted(scored, key=lambda s: -s.score)[:LOOKED_AT]
    strong = [
        s for s in ranked if s.score >= NEAR_BEST * ranked[0].score and s.coverage >= SAME_SUBJECT
    ]
    return [
        (one, other)
        for n, one in enumerate(strong)
        for other in strong[n + 1 :]
        if one.passage.chunk.document_id != other.passage.chunk.document_id
        and _disagree(question, one, other)
    ]


def _disagree(question: str, one: Scored, other: Scored) -> bool:
    asked = quantities(question)
    left = quantities(one.passage.text) - asked
    right = quantities(other.passage.text) - asked
    shared = {q.dimension for q in left} & {q.dimension for q in right}
    if not any(_apart(left, right, dimension) for dimension in shared):
        return False
    return _same_years(question, one, other) and _same_subject(question, one, other)


def _apart(left: set[Quantity], right: set[Quantity], dimension: str) -> bool:
    ours = {q.value for q in left if q.dimension == dimension}
    theirs = {q.value for q in right if q.dimension == dimension}
    return not ours & theirs and len(ours) == 1 and len(theirs) == 1


def _same_years(question: str, one: Scored, other: Scored) -> bool:
    """Figures of different years do not contradict each other."""
    ours, theirs = (set(_YEAR.findall(s.passage.text)) for s in (one, other))
    asked = set(_YEAR.findall(question))
    return not (ours and theirs) or bool(ours & theirs) or bool(asked & ours & theirs)


def _same_subject(question: str, one: Scored, other: Scored) -> bool:
    """Both hold the same of the question's terms, the heading over them counted."""
    asked = set(lexical.terms(question))
    ours, theirs = (
        asked
        & set(lexical.terms(f"{s.passage.chunk.context} {s.passage.heading} {s.passage.text}"))
        for s in (one, other)
    )
    shared = ours & theirs
    return len(shared) >= min(2, len(asked)) and len(shared) >= SAME_TERMS * len(ours | theirs)
