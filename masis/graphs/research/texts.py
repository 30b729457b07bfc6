"""What the research graph says to people when it cannot answer."""

from collections.abc import Sequence
from typing import Final

from masis.domain import EvidenceChunk, Narrowed, Unknown

NO_EVIDENCE_ANSWER: Final = (
    "There is no answer: nothing in this workspace could be used as evidence."
)
"""Stands where a draft would, when nothing was found on the first pass."""

SOURCES_DISAGREE: Final = "the sources disagree"
SOURCES_MAY_DISAGREE: Final = "another source may say otherwise"
NOTHING_CITED: Final = "no claim cites a source"
NOT_IN_ITS_SOURCE: Final = "a figure, date or name is not in its source"
NOTHING_TO_AUDIT: Final = "nothing to audit"

NOT_MENTIONED: Final = "The evidence does not mention: "
"""What leads in the words of a question that stand nowhere in the evidence."""

OVER_COMPRESSION_GAP: Final = "The evidence was shortened so much that details may be missing: look at fewer, closer passages."


def empty_workspace(workspace: str) -> str:
    """Nothing is indexed."""
    return (
        f"The workspace “{workspace}” holds no documents yet. "
        "Upload the documents that should answer this, then ask again."
    )


def nothing_within(narrowed: Narrowed) -> str:
    """There are documents, and the filters of the question left nothing of them."""
    if narrowed.unread:
        return f"Part of the question could not be read: {'; '.join(narrowed.unread)}."
    if narrowed.unknown:
        return " ".join(map(_not_there, narrowed.unknown))
    undated = ""
    if narrowed.undated:
        noun = "document has" if narrowed.undated == 1 else "documents have"
        undated = f" {narrowed.undated} {noun} no date that could be compared."
    if not narrowed.documents:
        return (
            f"No document of this workspace is within {narrowed.filters}.{undated} "
            "Please widen the filters, or ask again without them."
        )
    noun = "document is" if narrowed.documents == 1 else "documents are"
    return (
        f"{narrowed.documents} {noun} within {narrowed.filters}, and no passage there speaks of "
        f"this.{undated} Please widen the filters, or ask again without them."
    )


def _not_there(unknown: Unknown) -> str:
    said = f"This workspace has no “{unknown.written}”."
    if not unknown.near:
        return f"{said} Please check the name, or ask again without it."
    return f"{said} Did you mean {_joined_by_or([f'“{name}”' for name in unknown.near])}?"


def below_threshold(looked_at: int, best: float, threshold: float) -> str:
    """Something was found, nothing close enough."""
    passages = "passage" if looked_at == 1 else "passages"
    return (
        f"I looked at {looked_at} {passages} and none is close enough to your question "
        f"(best relevance {best:.2f}, needed {threshold:.2f}). "
        "Please rephrase it with terms from the documents, or upload the document that covers it."
    )


def conflict(sources: Sequence[EvidenceChunk]) -> str:
    """Sources disagree, and retries did not settle it."""
    names = list(dict.fromkeys(_dated(source) for source in sources))
    if len(names) > 1:
        return f"The sources disagree: {_joined(names)}. Which one counts?"
    if names:
        return f"What {names[0]} says does not fit together with the rest. Which statement counts?"
    return "The sources disagree on this. Which one counts?"


def older_version(source: EvidenceChunk) -> str:
    """Leads in what a document said that another one has replaced."""
    return f"An older version, {_dated(source)}, says:"


CITES_NOTHING_REAL: Final = "it cites a source that does not exist"
CITES_NOTHING: Final = "it cites no source"
GOES_BEYOND: Final = "it says something that the evidence does not bear out"
WANTS_MORE: Final = "the audit asks for more than these passages give"


def low_confidence(attempts: int, confidence: float) -> str:
    """Retries are used up and the pass mark was not reached."""
    return (
        f"{_after(attempts)}the confidence is {confidence * 100:.1f} %, "
        "too low to call this an answer. What exactly do you need to know: which product, "
        "period, place or document is meant?"
    )


def only_begins(source: EvidenceChunk) -> str:
    """A document was asked for as a whole, and the draft from its beginning did not pass."""
    return (
        f"The best draft comes from the beginning of “{source.document}”, and I cannot tell whether "
        "that sums it up. What in it do you want to know about?"
    )


def quality_remains(attempts: int, faults: Sequence[str]) -> str:
    """Retries are used up and something other than the confidence is wrong."""
    return (
        f"{_after(attempts)}the draft does not pass: {_joined(faults)}. "
        "Check it against its sources, or say more exactly what you need to know."
    )


def _after(attempts: int) -> str:
    if not attempts:
        return "Without a further attempt "
    return f"After {attempts} refinement attempt{'' if attempts == 1 else 's'} "


def not_audited() -> str:
    """The model's audit failed; the draft may be right, and nobody has checked it."""
    return (
        "The draft could not be audited: the auditing model gave no usable verdict. "
        "Check the sources yourself, or ask again in a moment."
    )


def _dated(source: EvidenceChunk) -> str:
    dated = f"{source.date.day} {source.date:%b %Y}" if source.date else "undated"
    return f"{source.document} ({dated})"


def _joined_by_or(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _joined(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
