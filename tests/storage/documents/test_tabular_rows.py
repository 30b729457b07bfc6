"""Whole tables beside the passages of a version: seen with it, gone with it, and of one workspace."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from masis.domain import ParsedDocument, Workspace
from storage.documents.repository import SqlRepository
from storage.documents.tabular_rows import SqlTables
from storage.sql.database import Database
from tests.masis.tables.samples import packed
from tests.postgres import fresh_database
from tests.storage.beside import kept, occurrences

PARSED = ParsedDocument(format="csv", title="Tickets", blocks=[], tables=[packed()])


@pytest.fixture(params=["sqlite", "postgres"])
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    if request.param == "sqlite":
        made = await Database.open(tmp_path / "masis.db")
        yield made
        await made.close()
        return
    with fresh_database() as url:
        made = await Database.open(url)
        yield made
        await made.close()


@pytest.fixture
def repository(database: Database) -> SqlRepository:
    return SqlRepository(database)


async def put(repository: SqlRepository, place: Workspace, content: str) -> None:
    """Write a version of tickets.csv with its table, and let go of the one before."""
    version = await repository.begin_version(place.id, "tickets.csv", content, 10)
    await repository.write_chunks(version, [], {}, None, PARSED.tables)
    replaced = await repository.activate(version, PARSED, 0)
    if replaced is not None:
        await repository.discard_version(place.id, replaced)


async def test_table_comes_back_with_its_columns(repository: SqlRepository, database: Database) -> None:  # fmt: skip
    place = await repository.create_workspace("cli", "acme")
    await put(repository, place, "one")
    (found,) = await SqlTables(database).tables(place.id)
    assert (found.source, found.name) == ("tickets.csv", "tickets.csv")
    assert found.shape == PARSED.tables[0].shape
    read = await SqlTables(database).cells(place.id, found.table_id, [0, 3])
    assert read is not None
    assert [bool(each) for each in read.cells] == [at in {0, 3} for at in range(8)]
    assert read.cells[3] == PARSED.tables[0].cells[3]
    assert read.numbers == PARSED.tables[0].numbers


async def test_unfinished_version_has_no_table(repository: SqlRepository, database: Database) -> None:  # fmt: skip
    place = await repository.create_workspace("cli", "acme")
    version = await repository.begin_version(place.id, "tickets.csv", "one", 10)
    await repository.write_chunks(version, [], {}, None, PARSED.tables)
    assert await SqlTables(database).tables(place.id) == []
    await repository.activate(version, PARSED, 0)
    assert len(await SqlTables(database).tables(place.id)) == 1


async def test_workspaces_never_see_each_other(repository: SqlRepository, database: Database) -> None:  # fmt: skip
    tables = SqlTables(database)
    mine = await repository.create_workspace("cli", "mine")
    theirs = await repository.create_workspace("cli", "theirs")
    await put(repository, mine, "one")
    (found,) = await tables.tables(mine.id)
    assert await tables.tables(theirs.id) == []
    assert await tables.cells(theirs.id, found.table_id, [0]) is None
    for nowhere in (None, "", "*", "%"):
        assert await tables.tables(nowhere) == []  # type: ignore[arg-type] # what no scope is
        assert await tables.cells(nowhere, found.table_id, [0]) is None  # type: ignore[arg-type] # the same


async def test_replaced_version_takes_its_table_along(repository: SqlRepository, database: Database) -> None:  # fmt: skip
    place = await repository.create_workspace("cli", "acme")
    await put(repository, place, "one")
    (before,) = await SqlTables(database).tables(place.id)
    await put(repository, place, "two")
    (after,) = await SqlTables(database).tables(place.id)
    assert before.table_id != after.table_id
    assert await SqlTables(database).cells(place.id, before.table_id, [0]) is None


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_deletion_erases_bytes(
    repository: SqlRepository, database: Database, tmp_path: Path
) -> None:
    place = await repository.create_workspace("cli", "acme")
    await put(repository, place, "one")
    (found,) = await SqlTables(database).tables(place.id)
    location = str(tmp_path / "masis.db")
    assert occurrences(location, "Hours to resolve")
    await repository.delete_document(place.id, found.document_id)
    assert await SqlTables(database).tables(place.id) == []
    assert not occurrences(location, "Hours to resolve")
    assert PARSED.tables[0].cells[0] not in kept(location)


async def test_workspace_takes_its_tables_along(repository: SqlRepository, database: Database) -> None:  # fmt: skip
    place = await repository.create_workspace("cli", "acme")
    await put(repository, place, "one")
    await repository.delete_workspace(place.id)
    assert await SqlTables(database).tables(place.id) == []
