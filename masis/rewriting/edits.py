"""Change places of a text, and write the result as a question."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from masis.rewriting.noun_phrases import parse
from masis.text.grammars.calendar import ANY_MONTH


class Edit(NamedTuple):
    """Put other words at a place of a text. `sure` where its words alone tell that they are left out."""

    start: int
    end: int
    text: str
    subject: str
    sure: bool = True


def edited(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with its places changed; of two at one place the first counts."""
    taken: list[Edit] = []
    for edit in edits:
        if all(edit.end <= other.start or edit.start >= other.end for other in taken):
            taken.append(edit)
    for edit in sorted(taken, key=lambda each: -each.start):
        text = f"{text[: edit.start]}{edit.text}{text[edit.end :]}"
    return text


_TIME_FIRST: Final = re.compile(
    rf"\A(?P<time>(?:19|20)\d\d|(?:Q[1-4]|{ANY_MONTH})(?: (?:19|20)\d\d)?),? (?=(?:how|what|who|when|where|which)\b"
    r"|(?:did|do|does) (?:we|you|they|it|there|the|our)\b|(?:is|are|was|were) (?:we|you|they|it|there)\b)"
    r"(?P<asked>.*?)[\s?.!]*\Z",
    re.IGNORECASE | re.DOTALL,
)


def as_question(text: str) -> str:
    """Return a text with one blank between words, a capital at its begin and its mark at its end.

    A time that stands before the question goes behind it: "how many did we make in 2024".
    """
    text = _TIME_FIRST.sub(r"\g<asked> in \g<time>", text)
    text = re.sub(r"\s+([?.!,;])", r"\1", " ".join(text.split())).rstrip(" ,;:")
    if not text:
        return text
    text = re.sub(r"\bi\b(?![.’'-]\w?[.\d])", "I", text)
    # A letter whose capital is two ("ß") stays: no word may change.
    first = text[0].upper()
    text = (first if len(first) == 1 else text[0]) + text[1:]
    tokens = parse(text).tokens
    asks = any(each.kind in {"W", "X"} for each in tokens[:2]) or not any(
        each.kind == "V" for each in tokens
    )
    return text if text[-1] in "?.!" else f"{text}{'?' if asks else '.'}"
