"""Write a whole down: what it is, its lines with their citations, and what was left out."""

from masis.extractive.render import cited
from masis.extractive.wholes.values import Whole


def as_text(whole: Whole) -> str:
    """Return the draft of a whole. Each line is a claim of its own, and so is what was counted."""
    if not any(line.under for line in whole.lines):
        lines = [f"- {cited(line.ids, line.text)}" for line in whole.lines]
        return "\n".join([whole.said, *lines, *_more(whole)])
    parts: list[str] = []
    for at, line in enumerate(whole.lines):
        if not at or line.under != whole.lines[at - 1].under:
            parts += [*([""] if at else []), line.under]
        parts.append(f"- {cited(line.ids, line.text)}")
    return "\n".join([*parts, *_more(whole)])


def _more(whole: Whole) -> list[str]:
    return ["", *(cited(whole.cited[-1:], text) for text in whole.more)] if whole.more else []
