import asyncio
import datetime as dt
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from masis.domain import (
    Answered,
    Badge,
    Chunk,
    Citation,
    CitationAudit,
    Critique,
    EvidenceChunk,
    ParsedDocument,
    Place,
    UnsupportedClaim,
    Workspace,
    WorkspaceId,
    opaque_id,
)
from masis.errors import ProfileMismatch, StoreUnavailable, UnknownWorkspace
from masis.ports import Repository
from masis.records import DeletedDocument, StoredRun, Version
from storage.documents import version_rows
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.beside import occurrences

CANARY = "the flamingo budget is 4711 crowns"
NOTHING = DeletedDocument(versions=[])
NO_SCOPES: list[Any] = [None, "", "*", "%", "w_", "w_' OR 1=1 --", ["w_"], 7]


def a_port(repository: SqlRepository) -> Repository:
    """The types are the test: the class fits the port."""
    return repository


def make_chunks(version: Version, texts: Sequence[str]) -> list[Chunk]:
    return [
        Chunk(
            id=opaque_id("c", version.workspace_id, version.id, str(position), piece),
            workspace_id=version.workspace_id,
            document_id=version.document_id,
            version_id=version.id,
            position=position,
            text=piece,
            context="Handbook › Leave",
            place=Place(page=position + 1, headings=["Leave"]),
        )
        for position, piece in enumerate(texts)
    ]


def _hash(texts: Sequence[str]) -> str:
    return hashlib.sha256("".join(texts).encode()).hexdigest()


async def write(
    repository: SqlRepository,
    workspace: Workspace,
    name: str,
    texts: Sequence[str],
    *,
    terms: dict[int, int] | None = None,
) -> tuple[Version, list[Chunk]]:
    """A version up to the moment before it is switched."""
    version = await repository.begin_version(workspace.id, name, _hash(texts), 100)
    pieces = make_chunks(version, texts)
    await repository.write_chunks(version, pieces, terms or {})
    return version, pieces


async def ingest(
    repository: SqlRepository,
    workspace: Workspace,
    name: str,
    texts: Sequence[str],
    *,
    terms: dict[int, int] | None = None,
) -> tuple[Version, list[Chunk]]:
    version, pieces = await write(repository, workspace, name, texts, terms=terms)
    parsed = ParsedDocument(
        format="pdf", title=f"Title of {name}", date=dt.date(2024, 3, 1), blocks=[]
    )
    replaced = await repository.activate(version, parsed, len(texts))
    if replaced:
        await repository.discard_version(workspace.id, replaced)
    return version, pieces


async def test_many_rows_are_written_in_portions(
    repository: SqlRepository, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two portions others have their turn; all of them are there at the end."""
    sizes: list[int] = []
    portions = version_rows._portions

    def counted(whole: Sequence[object]) -> Iterator[Sequence[object]]:
        for portion in portions(whole):
            sizes.append(len(portion))
            yield portion

    monkeypatch.setattr(version_rows, "ROWS_AT_ONCE", 2)
    monkeypatch.setattr(version_rows, "_portions", counted)
    texts = [f"text {number}" for number in range(5)]
    _, pieces = await ingest(repository, workspace, "a.pdf", texts, terms={1: 1, 2: 1, 3: 5})

    assert sizes == [2, 2, 1, 2, 1]
    found = await repository.chunks(workspace.id, [piece.id for piece in pieces])
    assert {chunk.text for chunk, _ in found.values()} == set(texts)


# --- workspaces ----------------------------------------------------------------------------


async def test_workspace_creation_is_idempotent(repository: SqlRepository) -> None:
    """A workspace is made once and found again."""
    made = await repository.create_workspace("local", "acme")
    assert made.id == opaque_id("w", "local", "acme")
    assert await repository.create_workspace("local", "acme") == made
    assert await repository.workspace("local", "acme") == made
    assert await repository.workspace_by_id(made.id) == made


async def test_owner_sees_only_own_workspaces(repository: SqlRepository) -> None:
    """Owners do not see each others workspaces."""
    mine = await repository.create_workspace("team one", "acme")
    theirs = await repository.create_workspace("team two", "acme")
    assert mine.id != theirs.id
    assert await repository.workspaces("team one") == [mine]
    assert await repository.workspace("team one", "other") is None
    assert await repository.workspaces("") == []


async def test_workspace_requires_owner_and_name(repository: SqlRepository) -> None:
    """A workspace needs an owner and a name."""
    with pytest.raises(ValueError, match="owner and a name"):
        await repository.create_workspace("", "acme")


async def test_workspaces_are_listed_with_counts(repository: SqlRepository) -> None:
    """Workspaces are listed by name with their counts."""
    beta = await repository.create_workspace("local", "beta")
    await repository.create_workspace("local", "alpha")
    await ingest(repository, beta, "a.pdf", ["one", "two"])
    await ingest(repository, beta, "b.pdf", ["three"])
    await write(repository, beta, "c.pdf", ["invisible"])
    listed = await repository.workspaces("local")
    assert [(w.name, w.documents, w.chunks) for w in listed] == [("alpha", 0, 0), ("beta", 2, 3)]


async def test_profile_is_bound_while_documents_exist(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A profile is bound until the workspace is empty."""
    await repository.bind_profile(workspace.id, "minilm/384/1")
    await repository.bind_profile(workspace.id, "minilm/384/1")
    await repository.bind_profile(workspace.id, "e5/384/1")
    version, _ = await ingest(repository, workspace, "a.pdf", ["one"])
    await repository.bind_profile(workspace.id, "e5/384/1")
    with pytest.raises(ProfileMismatch, match=r"holds vectors of e5/384/1.*ingest them\s+again"):
        await repository.bind_profile(workspace.id, "minilm/384/1")
    await repository.delete_document(workspace.id, version.document_id)
    await repository.discard_version(workspace.id, version.id)
    await repository.bind_profile(workspace.id, "minilm/384/1")
    found = await repository.workspace_by_id(workspace.id)
    assert found is not None
    assert found.embedding_profile == "minilm/384/1"


async def test_a_deleted_workspace_leaves_no_row(
    repository: SqlRepository, workspace: Workspace, database: Database
) -> None:
    _, pieces = await ingest(repository, workspace, "a.pdf", ["one"], terms={5: 1})
    await repository.save_run(answered_run(workspace, pieces))
    await repository.delete_workspace(workspace.id)
    async with database.read() as connection:
        tables = ["workspaces", "documents", "versions", "chunks", "version_terms", "runs"]
        tables += ["version_words", "synonyms"]
        for table in [*tables, "run_evidence", "removed_versions"]:
            count = text(f"SELECT count(*) FROM {table}")  # noqa: S608 - names from above
            assert await connection.scalar(count) == 0, table


# --- versions ------------------------------------------------------------------------------


async def test_version_is_invisible_until_activated(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A version is invisible until it is switched."""
    version, pieces = await write(repository, workspace, "a.pdf", ["one", "two"], terms={5: 2})
    assert await repository.documents(workspace.id) == []
    assert await repository.document(workspace.id, "a.pdf") is None
    assert await repository.chunks(workspace.id, [piece.id for piece in pieces]) == {}
    assert await repository.neighbours(workspace.id, version.id, [0, 1]) == []
    assert await repository.term_frequencies(workspace.id, [5]) == (0, {})
    assert await repository.hidden_versions(workspace.id) == [version.id]


async def test_a_switched_version_is_seen_whole(
    repository: SqlRepository, workspace: Workspace
) -> None:
    version, pieces = await ingest(repository, workspace, "a.pdf", ["one", "two"])
    document = await repository.document(workspace.id, "a.pdf")
    assert document is not None
    assert document.id == version.document_id
    assert (document.version_id, document.version_number) == (version.id, 1)
    assert (document.title, document.format) == ("Title of a.pdf", "pdf")
    assert (document.date, document.chunks, document.size_bytes) == (dt.date(2024, 3, 1), 2, 100)
    assert document.ingested_at.tzinfo is not None
    assert await repository.documents(workspace.id) == [document]
    found = await repository.chunks(workspace.id, [pieces[1].id, "c_nothing"])
    assert found == {pieces[1].id: (pieces[1], document)}
    assert await repository.neighbours(workspace.id, version.id, {1, 0, 9}) == pieces
    assert await repository.hidden_versions(workspace.id) == []


async def test_new_version_replaces_old_one(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A new version replaces the old one."""
    old, old_pieces = await ingest(repository, workspace, "a.pdf", ["one"])
    new, _ = await write(repository, workspace, "a.pdf", ["uno", "due"])
    parsed = ParsedDocument(format="md", title="New", blocks=[])
    assert await repository.activate(new, parsed, 2) == old.id
    assert await repository.hidden_versions(workspace.id) == [old.id]
    assert await repository.chunks(workspace.id, [old_pieces[0].id]) == {}
    await repository.discard_version(workspace.id, old.id)
    assert await repository.hidden_versions(workspace.id) == []
    document = await repository.document(workspace.id, "a.pdf")
    assert document is not None
    assert (document.version_number, document.chunks, document.title) == (2, 2, "New")


async def test_ids_depend_only_on_ingested_data(folder: Path) -> None:
    """Ids depend on what was ingested alone."""
    seen = []
    for name in ("one.db", "two.db"):
        database = await Database.open(folder / name)
        repository = SqlRepository(database)
        workspace = await repository.create_workspace("local", "acme")
        version, pieces = await ingest(repository, workspace, "a.pdf", ["one", "two"])
        seen.append((workspace, version, pieces))
        await database.close()
    assert seen[0] == seen[1]


async def test_unstorable_characters_are_removed(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """PostgreSQL takes no NUL, and neither takes half of a surrogate pair."""
    odd, even = "a\0b\ud800", "ab?"
    version = await repository.begin_version(workspace.id, "a.pdf", "hash", 1)
    pieces = [made.model_copy(update={"text": odd}) for made in make_chunks(version, ["plain"])]
    await repository.write_chunks(version, pieces, {})
    await repository.activate(version, ParsedDocument(format="md", title="", blocks=[]), 1)
    found = await repository.chunks(workspace.id, [pieces[0].id])
    assert found[pieces[0].id][0].text == even
    plain = make_chunks(version, ["plain"])
    run = answered_run(workspace, plain).model_copy(update={"question": odd})
    run.outcome["answer"], run.figures["notes"] = odd, [odd]
    await repository.save_run(run)
    kept = await repository.run(workspace.id, run.run_id)
    assert kept is not None
    assert (kept.question, kept.outcome["answer"], kept.figures["notes"]) == (even, odd, [odd])
    assert await repository.document(workspace.id, odd) is None
    assert await repository.run(workspace.id, odd) is None


async def test_name_order_matches_across_databases(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """Names are in the same order on every database."""
    names = ["Z", "a", "a b", "a-b", "ab", "B", "\u00e9", "e", "_", "1", "10", "2"]
    for name in names:
        await ingest(repository, workspace, name, [name])
        await repository.create_workspace("somebody", name)
    assert [found.name for found in await repository.documents(workspace.id)] == sorted(names)
    assert [found.name for found in await repository.workspaces("somebody")] == sorted(names)


async def test_incomplete_version_is_not_activated(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A version with missing chunks is not switched."""
    await ingest(repository, workspace, "a.pdf", ["one"])
    before = await repository.documents(workspace.id)
    version, _ = await write(repository, workspace, "a.pdf", ["uno", "due"])
    with pytest.raises(StoreUnavailable, match="2 of 3 pieces"):
        await repository.activate(version, ParsedDocument(format="md", title="", blocks=[]), 3)
    assert await repository.documents(workspace.id) == before


async def test_simultaneous_versions_get_own_numbers(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """Versions begun together have numbers of their own."""
    begun = await asyncio.gather(
        *(repository.begin_version(workspace.id, "a.pdf", "same", 1) for _ in range(8))
    )
    assert sorted(version.number for version in begun) == list(range(1, 9))
    assert len({version.id for version in begun}) == 8


async def test_later_of_two_ingests_stays_whole(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """Of two ingests at once the one begun later stays whole."""
    early, _ = await write(repository, workspace, "a.pdf", ["early"], terms={1: 1})
    late, late_pieces = await write(repository, workspace, "a.pdf", ["late"], terms={2: 1})
    parsed = ParsedDocument(format="md", title="T", blocks=[])
    assert await repository.activate(late, parsed, 1) is None
    assert await repository.activate(early, parsed, 1) == early.id
    document = await repository.document(workspace.id, "a.pdf")
    assert document is not None
    assert document.version_id == late.id
    assert await repository.neighbours(workspace.id, late.id, [0]) == late_pieces
    assert await repository.term_frequencies(workspace.id, [1, 2]) == (1, {2: 1})
    assert await repository.hidden_versions(workspace.id) == [early.id]


async def test_racing_ingests_never_mix(repository: SqlRepository, workspace: Workspace) -> None:
    """Ingests racing on one document never mix."""

    async def one(i: int) -> None:
        await ingest(repository, workspace, "a.pdf", [f"{i} {n}" for n in range(i + 1)])

    await asyncio.gather(*(one(i) for i in range(8)))
    [document] = await repository.documents(workspace.id)
    pieces = await repository.neighbours(workspace.id, document.version_id, range(10))
    assert len(pieces) == document.chunks
    assert len({piece.text.split()[0] for piece in pieces}) == 1
    assert await repository.hidden_versions(workspace.id) == []


async def test_document_deleted_midway_stays_deleted(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A document deleted while it is written stays deleted."""
    await ingest(repository, workspace, "a.pdf", ["one"])
    version, pieces = await write(repository, workspace, "a.pdf", ["uno"])
    removed = (await repository.delete_document(workspace.id, version.document_id)).versions
    assert version.id in removed
    await repository.write_chunks(version, pieces, {1: 1})
    parsed = ParsedDocument(format="md", title="T", blocks=[])
    assert await repository.activate(version, parsed, 1) == version.id
    assert await repository.documents(workspace.id) == []


async def test_only_the_named_version_is_deleted(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """Whether another one answers, or none any more, is said."""
    old, _ = await ingest(repository, workspace, "a.pdf", ["one"])
    new, _ = await ingest(repository, workspace, "a.pdf", ["uno"])
    document = new.document_id
    kept = await repository.delete_document(workspace.id, document, old.id)
    assert kept == DeletedDocument(versions=[], replaced=True)
    assert [each.version_id for each in await repository.documents(workspace.id)] == [new.id]
    deleted = await repository.delete_document(workspace.id, document, new.id)
    assert new.id in deleted.versions
    again = await repository.delete_document(workspace.id, document, new.id)
    assert again == DeletedDocument(versions=[])


async def test_identical_document_is_named_within_workspace(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A document of the same bytes is named within the workspace alone."""
    other = await repository.create_workspace("local", "other")
    await ingest(repository, other, "elsewhere.pdf", ["one"])
    first, _ = await ingest(repository, workspace, "a.pdf", ["one"])
    assert await repository.twin(first) is None
    second, _ = await write(repository, workspace, "b.pdf", ["one"])
    assert await repository.twin(second) == "a.pdf"
    assert await repository.twin(first) == "b.pdf"
    await ingest(repository, workspace, "a.pdf", ["two"])
    assert await repository.twin(second) is None


async def test_abandoned_first_version_leaves_no_document(
    repository: SqlRepository, workspace: Workspace, database: Database
) -> None:
    """A first version that is given up leaves no document."""
    version, _ = await write(repository, workspace, "a.pdf", ["one"])
    await repository.discard_version(workspace.id, version.id)
    async with database.read() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM documents")) == 0


async def test_the_visible_version_cannot_be_discarded(
    repository: SqlRepository, workspace: Workspace
) -> None:
    version, _ = await ingest(repository, workspace, "a.pdf", ["one"])
    await repository.discard_version(workspace.id, version.id)
    assert len(await repository.documents(workspace.id)) == 1


async def test_deleted_version_ids_are_not_reused(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A deleted documents version ids are not given again while vectors may exist."""
    version, _ = await ingest(repository, workspace, "a.pdf", ["one"])
    deleted = await repository.delete_document(workspace.id, version.document_id)
    assert deleted == DeletedDocument(versions=[version.id])
    assert await repository.hidden_versions(workspace.id) == [version.id]
    again, _ = await ingest(repository, workspace, "a.pdf", ["one"])
    assert again.id != version.id
    await repository.discard_version(workspace.id, version.id)
    assert await repository.hidden_versions(workspace.id) == []


async def test_unknown_workspace_cannot_begin_version(repository: SqlRepository) -> None:
    """A version of an unknown workspace cannot begin."""
    with pytest.raises(UnknownWorkspace):
        await repository.begin_version(WorkspaceId("w_nothing"), "a.pdf", "h", 1)


async def test_term_frequencies_sum_visible_versions(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """Term frequencies are sums over visible versions."""
    largest = 2**32 - 1
    await ingest(repository, workspace, "a.pdf", ["one", "two"], terms={1: 2, 2: 1, largest: 1})
    await ingest(repository, workspace, "b.pdf", ["three"], terms={1: 1})
    await write(repository, workspace, "c.pdf", ["hidden"], terms={1: 1, 9: 1})
    other = await repository.create_workspace("local", "other")
    await ingest(repository, other, "a.pdf", ["elsewhere"], terms={1: 1})
    total, frequencies = await repository.term_frequencies(workspace.id, {1, 2, 9, largest})
    assert total == 3
    assert frequencies == {1: 3, 2: 1, largest: 1}


# --- tenants -------------------------------------------------------------------------------


@pytest.mark.parametrize("scope", NO_SCOPES, ids=repr)
async def test_unknown_scope_finds_nothing(
    repository: SqlRepository, workspace: Workspace, scope: Any
) -> None:
    """A scope that is no workspace finds nothing."""
    version, pieces = await ingest(repository, workspace, "a.pdf", ["one"], terms={1: 1})
    await repository.save_run(answered_run(workspace, pieces))
    assert await repository.workspace_by_id(scope) is None
    assert await repository.documents(scope) == []
    assert await repository.document(scope, "a.pdf") is None
    assert await repository.chunks(scope, [pieces[0].id]) == {}
    assert await repository.neighbours(scope, version.id, [0]) == []
    assert await repository.term_frequencies(scope, [1]) == (0, {})
    assert await repository.hidden_versions(scope) == []
    assert await repository.run(scope, "run-1") is None
    assert await repository.delete_document(scope, version.document_id) == NOTHING
    await repository.discard_version(scope, version.id)
    await repository.delete_workspace(scope)
    with pytest.raises(UnknownWorkspace):
        await repository.begin_version(scope, "b.pdf", "h", 1)
    with pytest.raises(UnknownWorkspace):
        await repository.bind_profile(scope, "minilm/384/1")
    assert len(await repository.documents(workspace.id)) == 1


async def test_another_workspaces_ids_find_nothing(
    repository: SqlRepository, workspace: Workspace
) -> None:
    other = await repository.create_workspace("someone else", "acme")
    version, pieces = await ingest(repository, workspace, "a.pdf", ["one"], terms={1: 1})
    await repository.save_run(answered_run(workspace, pieces))
    assert await repository.chunks(other.id, [pieces[0].id]) == {}
    assert await repository.neighbours(other.id, version.id, [0]) == []
    assert await repository.run(other.id, "run-1") is None
    assert await repository.delete_document(other.id, version.document_id) == NOTHING
    stolen = version.model_copy(update={"workspace_id": other.id})
    parsed = ParsedDocument(format="md", title="Mine now", blocks=[])
    assert await repository.activate(stolen, parsed, 1) == version.id
    await repository.write_chunks(stolen, make_chunks(stolen, ["planted"]), {})
    [document] = await repository.documents(workspace.id)
    assert (document.title, document.chunks) == ("Title of a.pdf", 1)
    assert await repository.documents(other.id) == []


# --- runs ----------------------------------------------------------------------------------


def evidence_of(piece: Chunk, name: str = "a.pdf") -> EvidenceChunk:
    return EvidenceChunk(
        chunk_id=piece.id,
        document_id=piece.document_id,
        version_id=piece.version_id,
        document=name,
        title=f"Title of {name}",
        date=dt.date(2024, 3, 1),
        place=piece.place,
        text=piece.text,
        context=piece.context,
        score=0.8,
    )


def answered_run(workspace: Workspace, pieces: Sequence[Chunk], run_id: str = "run-1") -> StoredRun:
    quote = pieces[0].text
    answered = Answered(
        run_id=run_id,
        question="What is it?",
        answer=f"They say that {quote} [1].",
        confidence=0.9,
        badge=Badge(level="High", confidence=0.9, note=f"about {quote}"),
        citations=[
            Citation(
                n=n,
                chunk_id=piece.id,
                document_id=piece.document_id,
                version_id=piece.version_id,
                document="a.pdf",
                title="Title",
                place=piece.place,
                date=dt.date(2024, 3, 1),
                text=piece.text,
            )
            for n, piece in enumerate(pieces, 1)
        ],
        critique=Critique(confidence=0.9, unsupported_claims=[quote], logical_gaps=[quote]),
        evaluation=None,
        audit=CitationAudit(
            citations=[piece.id for piece in pieces],
            uncited=[quote],
            unsupported=[UnsupportedClaim(sentence=quote, missing=["4711"])],
            claims=1,
            cited_claims=1,
        ),
    )
    return StoredRun(
        run_id=run_id,
        graph="research",
        workspace_id=workspace.id,
        parent_run_id="run-0",
        question="What is it?",
        status="answered",
        outcome=answered.model_dump(mode="json"),
        evidence=[evidence_of(piece) for piece in pieces],
        trace=[{"node": "researcher", "pass": 1, "chunks": 3, "augmented_query_used": quote}],
        figures={"retry_reasons": [{"iteration": 1, "reason": "quality_issue_detected"}]}
        | {"notes": {quote: 1}, "retrieval_scores": {pieces[0].id: 0.8}},
    )


async def test_run_is_stored_unchanged(repository: SqlRepository, workspace: Workspace) -> None:
    """A run is kept as it was."""
    _, pieces = await ingest(repository, workspace, "a.pdf", ["one", "two"])
    run = answered_run(workspace, pieces)
    await repository.save_run(run)
    assert await repository.run(workspace.id, "run-1") == run
    assert await repository.run(workspace.id, "run-2") is None


async def test_resaved_run_keeps_first_state(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A run that is saved again stays as it was first."""
    _, pieces = await ingest(repository, workspace, "a.pdf", ["one"])
    run = answered_run(workspace, pieces)
    await repository.save_run(run)
    await repository.save_run(run.model_copy(update={"status": "failed"}))
    assert await repository.run(workspace.id, "run-1") == run


async def test_replaced_version_keeps_quoting_runs(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A replaced version leaves the runs that quote it."""
    _, pieces = await ingest(repository, workspace, "a.pdf", ["one"])
    run = answered_run(workspace, pieces)
    await repository.save_run(run)
    await ingest(repository, workspace, "a.pdf", ["uno"])
    assert await repository.run(workspace.id, "run-1") == run


async def test_unknown_workspace_cannot_store_run(repository: SqlRepository) -> None:
    """A run of an unknown workspace is refused."""
    run = StoredRun(
        run_id="r",
        graph="research",
        workspace_id=WorkspaceId("w_nothing"),
        question="?",
        status="failed",
        outcome={},
        evidence=[],
        trace=[],
        figures={},
    )
    with pytest.raises(UnknownWorkspace):
        await repository.save_run(run)


async def test_deletion_blanks_quoting_answers(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A deletion blanks and marks the answers that quote the document."""
    gone, gone_pieces = await ingest(repository, workspace, "gone.pdf", [CANARY])
    _, kept_pieces = await ingest(repository, workspace, "kept.pdf", ["still here"])
    await repository.save_run(answered_run(workspace, [*gone_pieces, *kept_pieces], "both"))
    untouched = answered_run(workspace, kept_pieces, "other")
    await repository.save_run(untouched)

    deleted = await repository.delete_document(workspace.id, gone.document_id)

    assert deleted.blanked == 1
    run = await repository.run(workspace.id, "both")
    assert run is not None
    assert run.blanked
    assert CANARY not in run.model_dump_json()
    assert [chunk.text for chunk in run.evidence] == ["", "still here"]
    assert run.evidence[0].chunk_id == gone_pieces[0].id
    assert run.trace == [{"node": "researcher", "pass": 1, "chunks": 3, "augmented_query_used": ""}]
    assert run.figures["retry_reasons"] == [{"iteration": 1, "reason": "quality_issue_detected"}]
    assert run.figures["retrieval_scores"] == {gone_pieces[0].id: 0.8}
    outcome = Answered.model_validate(run.outcome)
    assert (outcome.answer, outcome.question, outcome.confidence) == ("", "What is it?", 0.9)
    assert outcome.badge == Badge(level="High", confidence=0.9)
    assert outcome.audit.claims == 1
    assert await repository.run(workspace.id, "other") == untouched


async def test_deletion_blanks_run_naming_document(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A run that names the document in its outcome alone is blanked too."""
    version, pieces = await ingest(repository, workspace, "a.pdf", [CANARY])
    run = answered_run(workspace, pieces).model_copy(update={"evidence": []})
    await repository.save_run(run)
    await repository.delete_document(workspace.id, version.document_id)
    kept = await repository.run(workspace.id, "run-1")
    assert kept is not None
    assert kept.blanked
    assert CANARY not in kept.model_dump_json()


async def test_run_ending_after_deletion_is_blanked(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A run that ends after the deletion is kept blanked."""
    version, pieces = await ingest(repository, workspace, "a.pdf", [CANARY])
    await repository.delete_document(workspace.id, version.document_id)
    await repository.save_run(answered_run(workspace, pieces))
    run = await repository.run(workspace.id, "run-1")
    assert run is not None
    assert run.blanked
    assert CANARY not in run.model_dump_json()


async def test_deletion_blanks_clarification_with_name(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """A run that asked back with its name is blanked too."""
    version, pieces = await ingest(repository, workspace, "a.pdf", [CANARY])
    told = {
        "evidence": [],
        "outcome": {"clarification_question": f"Did you mean “{CANARY}”?"},
        "trace": [{"node": "researcher", "named": [version.document_id]}],
    }
    run = answered_run(workspace, pieces).model_copy(update=told)
    await repository.save_run(run)
    await repository.delete_document(workspace.id, version.document_id)
    await repository.save_run(run.model_copy(update={"run_id": "ended later"}))
    for run_id in ("run-1", "ended later"):
        kept = await repository.run(workspace.id, run_id)
        assert kept is not None
        assert kept.blanked
        assert CANARY not in kept.model_dump_json()


async def test_deleted_text_leaves_no_byte(
    repository: SqlRepository, workspace: Workspace, location: str
) -> None:
    """Deleted text is gone from every byte of the folder."""
    texts = [f"{CANARY} {n} " + "and much more of it " * 40 for n in range(60)]
    version, pieces = await ingest(repository, workspace, "gone.pdf", texts)
    # Its replaced version, a half-written one and the rows of others lie on the same pages.
    again, _ = await write(repository, workspace, "gone.pdf", [*texts, CANARY])
    for n in range(20):
        await ingest(repository, workspace, f"kept {n}.pdf", [f"harmless {n}"])
    for n in range(5):
        await repository.save_run(answered_run(workspace, pieces[n:], f"run-{n}"))
    assert occurrences(location, CANARY) > 100

    removed = (await repository.delete_document(workspace.id, version.document_id)).versions

    assert set(removed) == {version.id, again.id}
    assert occurrences(location, CANARY) == 0
    assert occurrences(location, "gone.pdf") == 0
    assert len(await repository.documents(workspace.id)) == 20


async def test_deleted_workspace_leaves_no_byte(
    repository: SqlRepository, workspace: Workspace, location: str
) -> None:
    """A deleted workspaces text is gone from every byte of the folder."""
    _, pieces = await ingest(repository, workspace, "a.pdf", [CANARY] * 9)
    await repository.save_run(answered_run(workspace, pieces))
    await repository.delete_workspace(workspace.id)
    assert occurrences(location, CANARY) == 0


# --- words ---------------------------------------------------------------------------------


async def test_words_come_from_visible_versions(
    repository: SqlRepository, workspace: Workspace
) -> None:
    """Those of a version that was stored without any are counted from its passages, once."""
    version, pieces = await ingest(repository, workspace, "a.pdf", ["glaze and kiln", "kiln"])
    theirs = await repository.create_workspace("other", "acme")
    counted = {version.id: {"kiln": 2, "glaze": 1, "handbook": 2, "leave": 2}}

    assert await repository.active_versions(workspace.id) == [version.id]
    assert await repository.version_words(workspace.id, [version.id]) == counted
    assert await repository.version_words(workspace.id, [version.id]) == counted
    assert await repository.active_versions(theirs.id) == []
    assert await repository.version_words(theirs.id, [version.id]) == {}

    later = await repository.begin_version(workspace.id, "b.pdf", "h", 1)
    await repository.write_chunks(later, make_chunks(later, ["x"]), {}, {"clay": 1})
    assert await repository.version_words(workspace.id, [later.id]) == {}
    assert pieces


async def test_words_that_were_counted_are_kept(
    repository: SqlRepository, workspace: Workspace, database: Database
) -> None:
    version, _ = await ingest(repository, workspace, "a.pdf", ["glaze"])
    await repository.version_words(workspace.id, [version.id])
    async with database.read() as connection:
        kept = await connection.scalar(text("SELECT count(*) FROM version_words"))
    assert kept == 1


async def test_words_go_with_their_document(
    repository: SqlRepository, workspace: Workspace, database: Database
) -> None:
    version, _ = await write(repository, workspace, "a.pdf", [CANARY])
    await repository.write_chunks(version, [], {}, {"flamingo": 1})
    parsed = ParsedDocument(format="pdf", title="A", blocks=[])
    await repository.activate(version, parsed, 1)
    assert await repository.version_words(workspace.id, [version.id]) == {
        version.id: {"flamingo": 1}
    }
    await repository.delete_document(workspace.id, version.document_id)
    async with database.read() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM version_words")) == 0
