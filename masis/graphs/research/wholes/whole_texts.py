"""Word what is said of a whole: what it is, and how much was looked at for it."""

from collections.abc import Sequence

from masis.answering.citations import neutralise
from masis.domain import Document, EvidenceChunk
from masis.extractive.wholes.listed import Match
from masis.extractive.wholes.several import Told
from masis.questions.references import is_year_alone


def all_documents(count: int, shown: int) -> str:
    """Leads in the documents of a workspace."""
    if shown < count:
        return f"{shown} of the {count} documents of this workspace, the latest first:"
    return f"The {_counted(count, 'document')} of this workspace:"


def documents_of_kind(kind: str, found: int, shown: int, count: int) -> str:
    """Leads in the documents of one kind."""
    told = f"{shown} of {found}" if shown < found else str(found)
    return f"{told} of the {_counted(count, 'document')} here, by title or kind ({kind}):"


def documents_about(of: str, found: int, shown: int, count: int) -> str:
    """Leads in the documents that speak of a matter, as far as a search tells."""
    told = f"{shown} of {found}" if shown < found else str(found)
    return f"{told} of the {_counted(count, 'document')} here, by title or by a passage that was found on “{neutralise(of)}”:"


def document_line(document: Document | EvidenceChunk, name: str) -> str:
    """A document by its title, name and date."""
    title = document.title.strip()
    named = f"{title} ({name})" if title and title.casefold() != name.casefold() else name
    date = _date(document)
    return f"{named}, {date}" if date else named


def rows_of(match: Match, shown: int, found: int) -> str:
    """Leads in the entries of one list: how many there are, of how many rows, and where they stand."""
    one = match.collection
    where = f"“{one.label}” in {one.chunk.document}" if one.label else one.chunk.document
    rows, thing = len(one.rows), _thing(match)
    if one.kind == "sentence":
        return neutralise(f"As {where} has it:")
    if len(match.rows) < rows:
        meant = f"{found} that fit of the {rows} {thing}s"
    elif found < rows:
        meant = f"all {found} entries of the {rows} {thing}s"
    else:
        meant = f"all {rows} {thing}s"
    told = f"{shown} of {meant}" if shown < found else meant
    return neutralise(f"{told[0].upper()}{told[1:]} of {where}:")


def named_as(of: str, read: int) -> str:
    """Leads in who is named so at the head of documents, where none lists them.

    It is one lead-in: a sentence of its own would be a claim without a source.
    """
    where = "document" if read == 1 else f"{read} documents"
    return neutralise(
        f"No list of {of} in the {where} looked at; named as such at the head of one:"
    )


def more_rows(left: int, match: Match) -> str:
    """Tells how many entries are left out."""
    return neutralise(f"And {left} more in {match.collection.chunk.document}.")


def _thing(match: Match) -> str:
    return "row" if match.collection.kind == "table" else "item"


def outline_of(source: EvidenceChunk, shown: int, parts: int) -> str:
    """Leads in the outline of one document."""
    name = document_line(source, source.document)
    told = "what leads and what has most figures" if parts > 1 else "its leading sentences"
    of = f"in {shown} of its {parts} parts" if shown < parts else f"in each of its {parts} parts"
    return neutralise(f"In outline, {name}: {told}{f' {of}' if parts > 1 else ''}:")


def changes_between(old: EvidenceChunk, new: EvidenceChunk, shown: int, found: int) -> str:
    """Leads in what differs between two versions."""
    before, after = (_short(each) for each in (old, new))
    told = (
        f"{shown} of {found} differences" if shown < found else f"{_counted(found, 'difference')}"
    )
    return neutralise(f"{told} from {before} to {after}, both read whole:")


def compared(one: str, other: str, name: str, respects: int) -> str:
    """Leads in two things in the same respects."""
    return neutralise(f"{one} and {other} in {_counted(respects, 'respect')}, from {name}:")


def compared_several(told: Told) -> str:
    """Leads in three things or more in the same respects."""
    *first, last = told.names
    name, respects = told.collection.chunk.document, _counted(len(told.lines), "respect")
    return neutralise(f"{', '.join(first)} and {last} in {respects}, from {name}:")


def lacks(told: Told) -> str:
    """Tells which of the things that were to be compared a table has not."""
    return neutralise(
        f"Nothing on {' or '.join(told.missing)} in {told.collection.chunk.document}."
    )


def told_apart(name: str) -> str:
    """Leads in what a document tells of each of two things."""
    return neutralise(f"What {name} tells of each of the two:")


def which_document(documents: Sequence[Document]) -> str:
    """Asks which of several documents is meant."""
    return neutralise(f"{len(documents)} documents fit that. Which one do you mean?")


def _short(source: EvidenceChunk) -> str:
    date = _date(source)
    return f"{source.document} ({date})" if date else source.document


def _date(source: Document | EvidenceChunk) -> str:
    if source.date is None:
        return ""
    if is_year_alone(source.date, source.date_source):
        return str(source.date.year)
    of_file = "file dated " if source.date_source == "file" else ""
    return f"{of_file}{source.date.day} {source.date:%b %Y}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
