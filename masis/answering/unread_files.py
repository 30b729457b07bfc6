"""Tell what of the files that came with a question could not be read, and hold its badge down."""

from collections.abc import Sequence
from typing import Final

from masis.attached import AttachedFile
from masis.domain import Answered, AnyOutcome, NeedsClarification

NOT_READ: Final = "a file that came with the question was not read"
"""Why a badge is not High: what the asker wanted looked at was not."""
MOST_NAMED: Final = 3
"""Files of one reason that are named; the others are counted."""
MOST_TOLD: Final = 5


def annotated(outcome: AnyOutcome, files: Sequence[AttachedFile]) -> AnyOutcome:
    """Return the outcome with a sentence for each reason for which a file was not read whole."""
    said = sentences(files)
    if not said or not isinstance(outcome, Answered | NeedsClarification):
        return outcome
    change: dict[str, object] = {"unread": said}
    if outcome.badge is not None and outcome.badge.level == "High":
        change["badge"] = outcome.badge.model_copy(update={"level": "Medium", "note": NOT_READ})
    return outcome.model_copy(update=change)


def sentences(files: Sequence[AttachedFile]) -> list[str]:
    """Word what could not be read, files of one reason together."""
    by_reason: dict[str, list[str]] = {}
    for file in files:
        if file.document is None:
            by_reason.setdefault(file.reason, []).append(file.name)
    refused = [f"{_named(names)} not read. {reason}" for reason, names in by_reason.items()]
    cut = [
        f"Of “{file.name}” only the beginning was read: {file.left_out:,} passages were left out."
        for file in files
        if file.left_out
    ]
    return [*refused, *cut][:MOST_TOLD]


def _named(names: Sequence[str]) -> str:
    """Name files as the beginning of a sentence: “a.pdf” and 2 others were."""
    shown = [f"“{name}”" for name in names[:MOST_NAMED]]
    if others := len(names) - len(shown):
        shown.append("1 other" if others == 1 else f"{others} others")
    *first, last = shown
    return f"{', '.join(first)} and {last} were" if first else f"{last} was"
