"""Word what the research graph says to people when it cannot answer."""

from collections.abc import Mapping, Sequence
from typing import Final

from masis.answering.citations import neutralise
from masis.domain import EvidenceChunk, Narrowed, SourceStatement, Unknown
from masis.questions.references import is_year_alone

SEARCH: Final = "Search"
SEARCH_AGAIN: Final = "Retry {number}: widened search"
DRAFT: Final = "Draft"
AUDIT: Final = "Audit"
EVALUATE: Final = "Evaluate"
DECIDE: Final = "Decide"

NO_EVIDENCE_ANSWER: Final = (
    "There is no answer: nothing in this workspace could be used as evidence."
)
"""Stands where a draft would, when nothing was found on the first pass."""

SOURCES_DISAGREE: Final = "the sources disagree"
SOURCES_DIFFER: Final = "the documents differ, and what both say is shown"
SOURCES_MAY_DISAGREE: Final = "another source may say otherwise"
NOTHING_CITED: Final = "no claim cites a source"
NOT_IN_ITS_SOURCE: Final = "a figure, date or name is not in its source"
NOT_BORNE_OUT: Final = "a claim is not what its source says"
UNCITED_CLAIM: Final = "a claim has no source"
NOTHING_TO_AUDIT: Final = "nothing to audit"

PART_UNANSWERED: Final = "a part of the question has no answer"
CASE_NOT_SPOKEN_OF: Final = "it says little of the case that was told"
NO_RULE: Final = "it does not say whether one may"
ONLY_TAKEN_ABOUT: Final = "what the message asks was taken from the thread as a whole"
NOT_CALCULATED: Final = "nothing was calculated"
OTHERS_MAY_BE_NAMED: Final = "others may be named where no list has them"
QUOTED_CHARS: Final = 240
"""Of a statement in a question back: the whole sentence, but not the debris of a page."""

NOT_MENTIONED: Final = "The evidence does not mention: "
"""What leads in the words of a question that stand nowhere in the evidence."""

OVER_COMPRESSION_GAP: Final = "The evidence was shortened so much that details may be missing: look at fewer, closer passages."


def open_claims(count: int) -> str:
    """Several claims are left that no source bears out."""
    return f"{count} claims have no source that says so"


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


def below_threshold(looked_at: int, best: float, threshold: float, *, is_near: bool = False) -> str:
    """Something was found, nothing close enough; `is_near` where a statement is shown all the same."""
    passages = "passage" if looked_at == 1 else "passages"
    if is_near:
        found = f"{looked_at} {passages} looked at, none close enough to be sure"
        return f"{IS_THIS_IT} {OR_SAY_IT_OTHERWISE} ({found}.)"
    return (
        "I found nothing close enough to your question. "
        "Please rephrase it with terms from the documents, or upload the document that covers it. "
        f"({looked_at} {passages} looked at, best relevance {best:.2f}, needed {threshold:.2f}.)"
    )


def conflict(statements: Sequence[SourceStatement]) -> str:
    """Sources disagree, and retries did not settle it."""
    if len(statements) > 1:
        return f"The sources disagree:\n{_numbered(statements)}\nWhich one counts?"
    if statements:
        said = f"{_dated(statements[0])} says {_excerpt(statements[0])}"
        return f"{said}. This does not fit together with the rest. Which statement counts?"
    return "The sources disagree on this. Which one counts?"


MORE_DIRECT: Final = "Better with a document that speaks of this more directly."
ONLY_IN_PART: Final = (
    "Better with a document that covers the rest: the passages found speak of this only in part."
)


def wants_source(claim: str) -> str:
    """A claim has no source."""
    return f"Better with a document that says so: “{claim}”"


def wants_support(fault: str, claim: str) -> str:
    """A claim is cited, and its source does not bear it out."""
    return f"Better with a document that bears this out: “{claim}” ({fault})"


def wants_document(words: str) -> str:
    """Words of the question stand in no evidence."""
    other = ", or asked with the documents' own word for it" if _are_words([words]) else ""
    return f"Better with a document that mentions “{words}”{other}."


def wants_settled(gap: str) -> str:
    """The audit names something that is missing."""
    return f"Better with a document that settles this: {gap}."


def which_counts(statements: Sequence[SourceStatement]) -> str:
    """The reply to `conflict` chose nothing."""
    numbers = _joined_by_or([str(n) for n in range(1, len(statements) + 1)])
    return (
        "I could not tell from your reply which statement counts:\n"
        f"{_numbered(statements)}\n"
        f"Please reply with {numbers}, or with “both” or “neither”. If you leave it open, I show"
        " you both."
    )


def nothing_else() -> str:
    """Tell that what was set aside was all that the documents say."""
    return (
        "Without the statements that do not count, the documents do not say. "
        "Please name or upload the document that does."
    )


def differing(source: EvidenceChunk, *, first: bool) -> str:
    """Leads in what one of two documents says that are both shown."""
    return f"The documents differ: {_dated(source)} says:" if first else f"{_dated(source)} says:"


def _numbered(statements: Sequence[SourceStatement]) -> str:
    return "\n".join(
        f"{n}. {_dated(said)}: {_excerpt(said)}" for n, said in enumerate(statements, start=1)
    )


def _excerpt(said: SourceStatement) -> str:
    """A statement on one line, cut at a word where it is long."""
    flat = " ".join(neutralise(said.text).split())
    if len(flat) > QUOTED_CHARS:
        flat = f"{flat[:QUOTED_CHARS].rsplit(' ', 1)[0]}…"
    return f"“{flat}”"


def older_version(source: EvidenceChunk) -> str:
    """Leads in what a document said that another one has replaced."""
    return f"An older version, {_dated(source)}, says:"


def says(source: EvidenceChunk) -> str:
    """Leads in what one of two documents says that are compared."""
    return f"{_dated(source)} says:"


def missing_side(name: str) -> str:
    """Says which of two things that are to be compared was not found."""
    return f"The documents found do not mention {name}."


CITES_NOTHING_REAL: Final = "it cites a source that does not exist"
CITES_NOTHING: Final = "it cites no source"
STATES_NOTHING: Final = "it states nothing"
GOES_BEYOND: Final = "it says something that the evidence does not bear out"
WANTS_MORE: Final = "the audit asks for more than these passages give"


def low_confidence(attempts: int, confidence: float, *, is_near: bool) -> str:
    """Retries are used up and the pass mark was not reached; `is_near` where a passage is shown."""
    confidence_said = f"{_after(attempts)}the confidence is {confidence * 100:.1f} %"
    asked = f"{IS_THIS_IT} {OR_SAY_IT_OTHERWISE}" if is_near else SAY_IT_OTHERWISE
    return f"{asked} ({confidence_said}.)"


IS_THIS_IT: Final = "Is this what you meant?"
OR_SAY_IT_OTHERWISE: Final = (
    "If not, say it in other words, or name the document that should say it."
)
SAY_IT_OTHERWISE: Final = (
    "I found nothing that clearly answers it. Please ask in other words, or name the document that "
    "should say it."
)
OPEN_POINT: Final = (
    "The document itself has this as an open question, and I found no answer elsewhere. "
    "Ask whoever looks after it, or upload the document that settles it."
)


def not_covered(nowhere: Sequence[str], unmentioned: Sequence[str]) -> str:
    """Things of the question that no document has, or else that no passage found has."""
    if nowhere:
        other = "If they call it something else, reply with that word. If not, upload"
        return (
            f"No document here mentions {_quoted(nowhere)}. "
            f"{other if _are_words(nowhere) else 'Upload'} the document that covers it."
        )
    other = "reply with the word that the documents have for it, or "
    return (
        f"Nothing that I found mentions {_quoted(unmentioned)}. "
        f"Please {other if _are_words(unmentioned) else ''}name the document that should say it."
    )


def did_you_mean(names: Mapping[str, str]) -> str:
    """Words that no document has, each a letter away from a name that they have."""
    return f"No document here mentions {_quoted([*names])}. Did you mean {_joined_by_or([*names.values()])}?"


OTHER_LANGUAGE: Final = (
    "This seems to be asked in another language than the documents here are written in. "
    "I search with the words of a question: please ask it in the language of the documents."
)


def with_absent(absent: Sequence[str], text: str) -> str:
    """A question back that begins with what no document mentions, where there is such a thing."""
    return f"No document here mentions {_quoted(absent)}. {text}" if absent else text


def _are_words(things: Sequence[str]) -> bool:
    """Say whether there may be other words for these things.

    For a year or a code there are none.
    """
    return not any(any(map(str.isdigit, thing)) for thing in things)


def ambiguous(kind: str, options: Sequence[str], *, is_near: bool = False) -> str:
    """Several things fit, and the question does not say which; `is_near` where a passage is shown."""
    which = f"which {kind or 'one'} do you mean: {_joined_by_or(options)}?"
    if is_near:
        return f"{IS_THIS_IT} If not, {which}"
    return f"Several things fit. {which[0].upper()}{which[1:]}"


def partly_answered(answered: Sequence[str], unanswered: Sequence[str]) -> str:
    """A part of the question has an answer, another one has none."""
    return (
        f"I found something on {_quoted(answered)}, and nothing on {_quoted(unanswered)}. "
        "Where should I look for that part, or is the first part enough?"
    )


# --- what an answer leaves open ------------------------------------------------------------


def no_mention_of(things: Sequence[str]) -> str:
    """The badge's word on names, years and codes that no passage has."""
    return f"no passage mentions {_joined_by_or(things)}"


def does_not_mention(nowhere: Sequence[str], unmentioned: Sequence[str]) -> list[str]:
    """Names, years and codes that no document mentions, and those that what was found does not."""
    elsewhere = [thing for thing in unmentioned if thing not in nowhere]
    return [
        *([f"The documents do not mention {_joined_by_or(nowhere)}."] if nowhere else []),
        *([f"What was found does not mention {_joined_by_or(elsewhere)}."] if elsewhere else []),
    ]


def nothing_on(parts: Sequence[str]) -> str:
    """Parts of the question that no passage answers."""
    return f"Nothing was found on this part of the question: {_quoted(parts)}."


FIGURES_AS_GIVEN: Final = (
    "Nothing was calculated: these are the figures as the documents give them."
)


def _quoted(words: Sequence[str]) -> str:
    return _joined_by_or([f"“{each}”" for each in words])


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


def _dated(source: EvidenceChunk | SourceStatement) -> str:
    if source.date is None:
        return f"{source.document} (undated)"
    if is_year_alone(source.date, source.date_source):
        return f"{source.document} ({source.date.year})"
    of_file = "file dated " if source.date_source == "file" else ""
    return f"{source.document} ({of_file}{source.date.day} {source.date:%b %Y})"


def _joined_by_or(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _joined(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
