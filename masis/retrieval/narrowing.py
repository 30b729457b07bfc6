"""Narrow a workspace's documents by filters, and find the names near to one that is not there."""

import difflib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from masis.domain import Document, Narrowed, Place, Unknown
from masis.filters import Filters, means_nothing
from masis.ports import Scope
from masis.text.lexical import term_id, terms

MOST_NEAR: Final = 3
"""Names that are said to be near."""
_LIKE: Final = 0.6
"""How alike names must be (`difflib`'s ratio and default): a slip or two in a word."""
_WORD: Final = re.compile(r"[^\W_]+")
_MOST_COMPARED: Final = 2_000
"""Names that are compared, each in some 50 µs."""

Matches = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The documents that are left, as people are told and as the vector store is.

    `named` is the one that is left where a file was named, and no section of it.
    """

    told: Narrowed
    scope: Scope
    named: Document | None = None

    @property
    def finds_nothing(self) -> bool:
        """Return whether there is nothing to search, or something to ask about first."""
        return bool(not self.told.documents or self.told.unknown or self.told.unread)


def narrow(filters: Filters, documents: Sequence[Document]) -> Narrowing:
    """Apply what filters say of whole documents; sections are left to the store.

    Names, kinds and dates are those that the database has now: a renamed document is found by its
    new name at once.
    """
    unknown = [
        *_unknown(filters.folders, documents, _is_in, _places(documents)),
        *_unknown(filters.files, documents, is_called, (each.name for each in documents)),
        *_unknown_fields(filters.fields, documents),
    ]
    placed = [document for document in documents if _is_meant(document, filters)]
    dated = [document for document in placed if _is_of_its_time(document, filters)]
    by_date = filters.after is not None or filters.before is not None
    told = Narrowed(
        filters=filters.written(),
        documents=len(dated),
        undated=sum(document.date is None for document in placed) if by_date else 0,
        unknown=unknown,
        unread=[means_nothing(written) for written in filters.unread],
    )
    return Narrowing(told, _scope(filters, dated, documents), _named(filters, dated))


def stands_under(place: Place, sections: Collection[str]) -> bool:
    """Say whether a place's headings or sheet have the words of a section.

    Where no section is named, they do.
    """
    said = set(terms(" ".join([*place.headings, place.sheet or ""])))
    return not sections or any(said.issuperset(terms(section)) for section in sections)


def is_called(name: str, file: str) -> bool:
    """Say whether the name ends in the file's parts, with or without its ending."""
    wanted, parts = _parts(file), _parts(name)
    if not wanted or len(wanted) > len(parts):
        return False
    end = parts[-len(wanted) :]
    return end == wanted or [*end[:-1], _stem(end[-1])] == wanted


def _named(filters: Filters, left: Sequence[Document]) -> Document | None:
    is_named = filters.files and not filters.sections and len(left) == 1
    return left[0] if is_named else None


def _scope(filters: Filters, left: Sequence[Document], all_: Sequence[Document]) -> Scope:
    sections = tuple(
        tuple(sorted({term_id(term) for term in terms(section)})) for section in filters.sections
    )
    return Scope(
        documents=None if len(left) == len(all_) else frozenset(document.id for document in left),
        sections=sections or None,
    )


def _is_meant(document: Document, filters: Filters) -> bool:
    """Say whether a document's name and kind are asked for."""
    return (
        (not filters.folders or any(_is_in(document.name, each) for each in filters.folders))
        and (not filters.files or any(is_called(document.name, each) for each in filters.files))
        and (not filters.formats or document.format in filters.formats)
        and _has_fields(document, filters.fields)
    )


def _has_fields(document: Document, fields: Iterable[tuple[str, str]]) -> bool:
    """Say whether each field that is asked for says one of the things that are asked of it."""
    wanted: dict[str, list[str]] = {}
    for key, value in fields:
        wanted.setdefault(key, []).append(value)
    return all(
        any(_says(document.fields.get(key, ""), value) for value in values)
        for key, values in wanted.items()
    )


def _says(held: str, wanted: str) -> bool:
    """Say whether the words of one are among those of the other, in any form.

    Signs count as they are.
    """
    asked = set(terms(wanted))
    return asked <= set(terms(held)) if asked else wanted.casefold() in held.casefold()


def _is_of_its_time(document: Document, filters: Filters) -> bool:
    if filters.after is None and filters.before is None:
        return True
    return (
        document.date is not None
        and (filters.after is None or document.date >= filters.after)
        and (filters.before is None or document.date < filters.before)
    )


def _is_in(name: str, folder: str) -> bool:
    """Say whether the folder's parts stand in the name one behind the other.

    The last may be the file.
    """
    wanted, parts = _parts(folder), _parts(name)
    if folder.endswith(("/", "\\")):
        parts = parts[:-1]
    else:
        parts = [*parts[:-1], _stem(parts[-1])] if parts[-1:] != wanted[-1:] else parts
    return any(parts[at : at + len(wanted)] == wanted for at in range(len(parts) - len(wanted) + 1))


def _parts(path: str) -> list[str]:
    """A path's parts, upper and lower case alike."""
    return [part for part in path.replace("\\", "/").casefold().split("/") if part.strip()]


def _stem(part: str) -> str:
    return part.rpartition(".")[0] or part


def _places(documents: Iterable[Document]) -> list[str]:
    """Every folder that a document is in, and the documents themselves."""
    found: dict[str, None] = {}
    for document in documents:
        parts = document.name.replace("\\", "/").split("/")
        found |= dict.fromkeys("/".join(parts[: at + 1]) + "/" for at in range(len(parts) - 1))
        found[document.name] = None
    return list(found)


def _unknown(
    wanted: Iterable[str], documents: Sequence[Document], matches: Matches, names: Iterable[str]
) -> list[Unknown]:
    """Those that match no document at all, each with the names most like it."""
    missing = [
        each for each in wanted if not any(matches(document.name, each) for document in documents)
    ]
    there = list(dict.fromkeys(names)) if missing else []
    return [_unknown_name(each, _near(each, there), documents) for each in missing]


def _unknown_name(written: str, near: list[str], documents: Sequence[Document]) -> Unknown:
    held = (next((each.id for each in documents if _holds(each, name)), "") for name in near)
    return Unknown(written=written, near=near, documents=list(filter(None, held)))


def _holds(document: Document, name: str) -> bool:
    """Say whether it is the document of that name, or one in the folder of that name."""
    plain = document.name.replace("\\", "/")
    return document.name == name or (name.endswith("/") and plain.startswith(name))


def _unknown_fields(
    wanted: Iterable[tuple[str, str]], documents: Sequence[Document]
) -> list[Unknown]:
    """Those that no document has, each with what is said in that field, or with the other keys."""
    missing = [pair for pair in wanted if not any(_has_fields(each, [pair]) for each in documents)]
    return [_unknown_field(key, f"{key}={value}", documents) for key, value in missing]


def _unknown_field(key: str, written: str, documents: Sequence[Document]) -> Unknown:
    """With what the field says elsewhere, most often first, or the keys most like it."""
    holders = {f"{key}={each.fields[key]}": each.id for each in documents if key in each.fields}
    said = Counter(f"{key}={each.fields[key]}" for each in documents if key in each.fields)
    near = [value for value, _ in said.most_common(MOST_NEAR)]
    if not near:
        holders = {name: each.id for each in documents for name in each.fields}
        near = difflib.get_close_matches(key, sorted(holders), n=MOST_NEAR, cutoff=_LIKE)
    return Unknown(written=written, near=near, documents=[holders[each] for each in near])


def _near(wanted: str, names: Collection[str]) -> list[str]:
    """The names that hold the wanted one, have most of its words, or are spelt much like it."""
    stem = _last_stem(wanted)
    by_stem: dict[str, list[str]] = {}
    for name in list(names)[:_MOST_COMPARED]:
        by_stem.setdefault(_last_stem(name), []).append(name)
    holding = [each for each in by_stem if stem in each]
    alike = difflib.get_close_matches(stem, by_stem, n=MOST_NEAR, cutoff=_LIKE)
    sharing = _sharing(stem, by_stem)
    ordered = dict.fromkeys([*holding, *sharing, *alike])
    found = [name for each in ordered for name in by_stem[each]]
    return found[:MOST_NEAR]


def _sharing(stem: str, stems: Iterable[str]) -> list[str]:
    """Those with at least half of the words, the most first."""
    wanted = set(_WORD.findall(stem))
    shared = {each: len(wanted.intersection(_WORD.findall(each))) for each in stems}
    enough = [each for each, count in shared.items() if count and 2 * count >= len(wanted)]
    return sorted(enough, key=lambda each: -shared[each])


def _last_stem(path: str) -> str:
    return _stem("".join(_parts(path)[-1:]))
