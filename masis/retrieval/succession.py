"""Find which document of the evidence is an older version of which.

Lexical. Two documents are versions of one when one says that it replaces the other, or when
both are rules of the same name, or have their version in it; the later date or the higher version is
the one in force.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import permutations
from typing import Final, NamedTuple

from cachetools import LRUCache

from masis.domain import Document, EvidenceChunk, Place, WorkspaceId
from masis.ports import Repository
from masis.text import lexical

RULES: Final = frozenset(
    lexical.terms(
        "policy procedure handbook guide guideline manual rules regulation directive list"
    )
)
"""Of these the latest holds. Minutes, reports and forecasts stand beside each other."""
LEAST_NAME: Final = 2
"""Words of a name: "Policy" alone is no name."""
MAX_SENTENCE: Final = 300
"""Characters after "replaces" in which the older version is named."""
OPENING: Final = 3
"""Chunks of a document in which it says what it replaces."""
MOST_OLDER: Final = 3
"""Candidates of older versions before those in force: what was once the rule is seldom asked for."""
KEPT: Final = 2_000
"""Versions of documents whose words of that are kept."""
MOST_HEADS: Final = 300
"""Documents of a workspace whose heads are read for what they replace; of more their names tell alone."""
MOST_NAMES: Final = 2_000
"""Documents of a workspace whose names are compared with those of what was found."""
KEPT_WORKSPACES: Final = 50

_REPLACES = re.compile(
    rf"\b(?:replac(?:es|ing)|supersed(?:es|ing)|in place of)\b([^.\n]{{1,{MAX_SENTENCE}}})",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    rf"\b(?:(?:replaced|superseded) by)\b([^.\n]{{1,{MAX_SENTENCE}}})", re.IGNORECASE
)
_VERSION = re.compile(
    r"\b(?:v|version|issue|revision|rev|draft)[ .]?(\d{1,3})(?!\d)", re.IGNORECASE
)
_OF_PAST = re.compile(
    r"(?<!\d)(?:19|20)\d{2}(?!\d)|\b(?:v|version|old|older|previous|previously|earlier|former|formerly|used to|before|past|was|were"
    r"|did|had|chang\w+|replac\w+|differ\w*|compare\w*|so far)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_RULES_OF = (
    r"(?P<of>(?: [\w-]+){0,3}?) (?:polic(?:y|ies)|versions?|rules?|handbook|edition|procedure"
    r"|guid(?:e|ance|elines?))\b"
)
_OLDER = r"(?:old|older|previous|earlier|former|superseded|replaced|outdated)"
_OLDER_ONE = re.compile(
    rf"\b(?:in|under|by|according to|(?P<says>did|does))(?: the| our)? {_OLDER}{_RULES_OF}"
    r"(?(says) (?:say|allow|permit|give|grant|require)\b)",
    re.IGNORECASE,
)
_OF_YEAR = re.compile(
    rf"\b(?:(?:in|of|under|by|according to)(?: the| our)?|the|our) (?P<year>(?:19|20)\d{{2}}){_RULES_OF}",
    re.IGNORECASE,
)
_IN_YEAR = re.compile(
    r"\b(?:how|what|which)\b(?P<asked>[^?.,;]*?)\b(?:was|were|did)\b(?P<told>[^?.,;]*?)"
    r"\bin (?P<year>(?:19|20)\d{2})(?!\d)",
    re.IGNORECASE,
)
"""What once was is asked; of who "was hired in 2023" it is asked what holds."""
_YEAR_FIRST = re.compile(
    r"\A\W*(?P<year>in (?:19|20)\d{2}),? (?P<asked>(?:how|what|which)\b[^?.,;]*)", re.IGNORECASE
)
_NO_PAST = re.compile(r"\b(?:do|does|is|are|can|may|must|will|who|that|if|since)\b", re.IGNORECASE)
_ASKER = re.compile(r"\b(?:i|me|my|we|us|our)\b", re.IGNORECASE)
_BOTH_ONES = re.compile(
    r"\b(?:new|newer|newest|current|currently|now|still|both|chang\w+|differ\w*|compar\w+|versus|vs)\b",
    re.IGNORECASE,
)
_VERSION_WORDS: Final = frozenset(lexical.terms("v version issue revision rev draft"))


def older_versions(evidence: Sequence[EvidenceChunk]) -> dict[str, EvidenceChunk]:
    """The documents of the evidence that another one of it replaces, each with a chunk of that."""
    documents: dict[str, list[EvidenceChunk]] = {}
    for chunk in evidence:
        documents.setdefault(chunk.document_id, []).append(chunk)
    read = {name: _Read.of(chunks) for name, chunks in documents.items()}
    found = {
        (older, newer)
        for older, newer in permutations(documents, 2)
        if read[older].first.replaced_by == newer or _replaces(read[newer], read[older])
    }
    # Those that claim to replace each other, two or in a ring, say nothing.
    return {
        older: documents[newer][0]
        for older, newer in sorted(found)
        if older not in _replacing(newer, found)
    }


class Newer:
    """Tells of two chunks of the evidence whether the first one's document replaces the other's."""

    def __init__(self, evidence: Sequence[EvidenceChunk]) -> None:
        self._evidence = evidence
        self._older: dict[str, EvidenceChunk] | None = None

    def __call__(self, one: EvidenceChunk, other: EvidenceChunk) -> bool:
        """Read the versions once it is asked of two documents: most evidence repeats nothing."""
        if one.document_id == other.document_id:
            return False
        if self._older is None:
            self._older = older_versions(self._evidence)
        newer = self._older.get(other.document_id)
        return newer is not None and newer.document_id == one.document_id


class _Known(NamedTuple):
    """A document of a workspace: its name, and what its head says of what it replaces."""

    head: EvidenceChunk
    name: frozenset[str]
    said: frozenset[str]


class Openings:
    """Reads at the head of documents what they replace: a search may find none of those words.

    Versions never change, so what one says is read once.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._kept: LRUCache[tuple[WorkspaceId, str], str] = LRUCache(KEPT)
        self._known: LRUCache[WorkspaceId, tuple[frozenset[str], list[_Known]]] = LRUCache(
            KEPT_WORKSPACES
        )

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Drop what is kept of a workspace; to be called when something of it is deleted."""
        self._known.pop(workspace_id, None)
        for key in [key for key in self._kept if key[0] == workspace_id]:
            self._kept.pop(key, None)

    async def marked(self, candidates: Sequence[EvidenceChunk]) -> list[EvidenceChunk]:
        """Return the candidates, those of an older version with the document that replaces it.

        That may be one that was not found.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        first = {chunk.document_id: chunk for chunk in reversed(candidates)}
        if not first:
            return list(candidates)
        said = [
            chunk.model_copy(update={"text": text})
            for chunk in first.values()
            if (text := await self._said(chunk))
        ]
        others = await self._others(first)
        older = older_versions([*candidates, *said, *others])
        return [
            chunk.model_copy(update={"replaced_by": older[chunk.document_id].document_id})
            if chunk.document_id in older
            else chunk
            for chunk in candidates
        ]

    async def _others(self, found: Mapping[str, EvidenceChunk]) -> list[EvidenceChunk]:
        """The heads of other documents that may replace one of those found."""
        names = [
            name
            for chunk in found.values()
            if not chunk.attached and len(name := _name(chunk)) >= LEAST_NAME
        ]
        if not names:
            return []
        known = await self._documents(next(iter(found.values())).workspace_id)
        return [
            each.head
            for each in known
            if each.head.document_id not in found
            and any(name <= each.name or name <= each.said for name in names)
        ]

    async def _documents(self, workspace_id: WorkspaceId) -> list[_Known]:
        """The documents of a workspace, read again where one has come or gone."""
        active = frozenset(await self._repository.active_versions(workspace_id))
        kept = self._known.get(workspace_id)
        if kept is not None and kept[0] == active:
            return kept[1]
        found: list[_Known] = []
        if len(active) <= MOST_NAMES:
            for document in await self._repository.documents(workspace_id):
                head = _head(document)
                text = await self._said(head) if len(active) <= MOST_HEADS else ""
                head = head.model_copy(update={"text": text})
                found.append(_Known(head, _name(head), frozenset(lexical.terms(text))))
        self._known[workspace_id] = (active, found)
        return found

    async def _said(self, chunk: EvidenceChunk) -> str:
        """What the head of a chunk's document says of what it replaces, or is replaced by."""
        if chunk.attached:
            return ""
        key = (chunk.workspace_id, chunk.version_id)
        if key not in self._kept:
            found = await self._repository.neighbours(*key, range(OPENING))
            own = (c.text for c in found if (c.workspace_id, c.version_id) == key)
            self._kept[key] = "\n".join(map(_sentences, own)).strip()
        return self._kept[key]


def successors(candidates: Iterable[EvidenceChunk]) -> list[str]:
    """Return the documents that replace one of the candidates and that are not among them, by id."""
    there = {chunk.document_id for chunk in candidates}
    newer = dict.fromkeys(chunk.replaced_by for chunk in candidates if chunk.replaced_by)
    return [document for document in newer if document not in there]


def asks_of_the_past(question: str) -> bool:
    """Tell whether a question is about what once was, or names a year or a version."""
    return _OF_PAST.search(question) is not None


def is_asked_for(question: str, older: EvidenceChunk, newer: EvidenceChunk) -> bool:
    """Tell whether a question wants the older of two versions alone: by that word, or by its year.

    A year that somebody joined in, or a thing that is old, asks for no version.
    """
    if _BOTH_ONES.search(question):
        return False
    years = _years(older) - _years(newer)
    name = frozenset(lexical.terms(older.title))
    named = [*_OLDER_ONE.finditer(question)]
    named += [each for each in _OF_YEAR.finditer(question) if each["year"] in years]
    if any(name.issuperset(lexical.terms(each["of"])) for each in named):
        return True
    past = _IN_YEAR.search(_YEAR_FIRST.sub(r"\g<asked> \g<year>", question))
    if past is None or past["year"] not in years or _ASKER.search(question):
        return False
    return not _NO_PAST.search(f"{past['asked']} {past['told']}")


def _years(chunk: EvidenceChunk) -> set[str]:
    """Return the years that a document has in its names, and that of its date."""
    dated = [str(chunk.date.year)] if chunk.date else []
    return {*_YEAR.findall(f"{chunk.title} {chunk.document}"), *dated}


def in_force_first(question: str, candidates: Sequence[EvidenceChunk]) -> list[EvidenceChunk]:
    """Return the candidates, those of older versions behind but for the first, unless the past is asked for."""
    older = [chunk for chunk in candidates if chunk.replaced_by]
    if len(older) <= MOST_OLDER or asks_of_the_past(question):
        return list(candidates)
    behind = older[MOST_OLDER:]
    return [*(chunk for chunk in candidates if chunk not in behind), *behind]


def _head(document: Document) -> EvidenceChunk:
    """A document's name and date as evidence, without a passage."""
    return EvidenceChunk(
        workspace_id=document.workspace_id,
        chunk_id="",
        document_id=document.id,
        version_id=document.version_id,
        document=document.name,
        title=document.title,
        date=document.date,
        date_source=document.date_source,
        place=Place(),
        position=0,
        text="",
        context="",
        score=0.0,
    )


def _sentences(text: str) -> str:
    """The words of a text that say of its document what it replaces, or is replaced by."""
    found = (match[0] for each in (_REPLACES, _REPLACED) for match in each.finditer(text))
    return ". ".join(found)


def is_of_rules(title: str) -> bool:
    """Return whether a title is that of rules, of which one version holds at a time."""
    return not RULES.isdisjoint(lexical.terms(title))


def _replacing(document: str, found: Collection[tuple[str, str]]) -> set[str]:
    """Find what replaces a document, and what replaces that, and so on."""
    reached: set[str] = set()
    left = [document]
    while left:
        at = left.pop()
        following = {newer for older, newer in found if older == at} - reached
        reached |= following
        left.extend(following)
    return reached


class _Read(NamedTuple):
    """Hold what is read of a document, once for all that it is compared with.

    `name` are the terms of its title without what tells its version; `replaces` and `replaced` those
    of what it says it replaces, or is replaced by.
    """

    first: EvidenceChunk
    name: frozenset[str]
    replaces: list[frozenset[str]]
    replaced: list[frozenset[str]]
    versions: list[int]
    years: list[int]

    @classmethod
    def of(cls, chunks: Sequence[EvidenceChunk]) -> "_Read":
        """Read the chunks of one document."""
        first = chunks[0]
        called = f"{first.title} {first.document}".replace("_", " ").replace("-", " ")
        return cls(
            first,
            _name(first),
            _said_after(_REPLACES, chunks),
            _said_after(_REPLACED, chunks),
            [int(each) for each in _VERSION.findall(called)],
            [int(each) for each in _YEAR.findall(called)],
        )


def _said_after(pattern: re.Pattern[str], chunks: Iterable[EvidenceChunk]) -> list[frozenset[str]]:
    """Return the terms behind each of such words."""
    found = (after for chunk in chunks for after in pattern.findall(chunk.text))
    return [frozenset(lexical.terms(after)) for after in found]


def _replaces(newer: _Read, older: _Read) -> bool:
    """Say whether one document takes the place of another.

    One that is known to be older never does.
    """
    later = _is_later(newer, older)
    if later is False:
        return False
    if _says(newer.replaces, older.name) or _says(older.replaced, newer.name):
        return True
    return later is True and _one_name(newer, older)


def _says(said: Iterable[frozenset[str]], name: frozenset[str]) -> bool:
    """Say whether the whole name of a document is among what was said."""
    return len(name) >= LEAST_NAME and any(name <= each for each in said)


def _one_name(newer: _Read, older: _Read) -> bool:
    """Whether both are versions of one name, or rules of it to which the newer may have added words."""
    name = older.name
    if len(name) >= LEAST_NAME and name == newer.name and any(newer.versions):
        return any(older.versions)
    return len(name) >= LEAST_NAME and not name.isdisjoint(RULES) and name <= newer.name


def _name(chunk: EvidenceChunk) -> frozenset[str]:
    return frozenset(
        term
        for term in lexical.terms(chunk.title)
        if term not in _VERSION_WORDS and not any(map(str.isdigit, term))
    )


def _is_later(one: _Read, other: _Read) -> bool | None:
    """By date, else by version, else by the year in the name; None where nothing tells."""
    if one.first.date and other.first.date and one.first.date != other.first.date:
        return one.first.date > other.first.date
    for ours, theirs in ((one.versions, other.versions), (one.years, other.years)):
        if ours and theirs and max(ours) != max(theirs):
            return max(ours) > max(theirs)
    return None


def settled(one: EvidenceChunk, other: EvidenceChunk, older: Mapping[str, EvidenceChunk]) -> bool:
    """Say whether one of two chunks is of an older version of the other's document."""
    pair = ((one, other), (other, one))
    return any(
        old.document_id in older and older[old.document_id].document_id == new.document_id
        for old, new in pair
    )
