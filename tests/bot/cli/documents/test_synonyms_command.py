import asyncio
from pathlib import Path

from masis.conversation import Tenant
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.bot.program import Masis, lines

TEAM = Tenant(team="T0123ABC")


def make(data_dir: Path, *owners: str) -> None:
    """A workspace `notes` of each owner."""

    async def put() -> None:
        database = await Database.open(data_dir / "masis.db")
        try:
            for owner in owners:
                await SqlRepository(database).create_workspace(owner, "notes")
        finally:
            await database.close()

    asyncio.run(put())


def test_words_are_added_listed_and_removed(masis: Masis, data_dir: Path) -> None:
    make(data_dir, "local")
    notes = ("--workspace", "notes")
    assert (
        masis("synonyms", "add", "kiln", "the oven", *notes).stdout == "the same: kiln, the oven\n"
    )
    assert masis("synonyms", "list", *notes).stdout == "kiln, the oven\n"
    assert "annual leave, holiday" in masis("synonyms", "list", "--bundled", *notes).stdout
    [listed] = lines(masis("synonyms", "list", "--json", *notes))
    assert listed == {"phrases": ["kiln", "the oven"]}
    assert masis("synonyms", "remove", "kiln", *notes).stdout == "removed: kiln\n"
    assert "None were added" in masis("synonyms", "list", *notes).stderr


def test_a_team_has_its_own_words(masis: Masis, data_dir: Path) -> None:
    make(data_dir, "local", TEAM.owner)
    masis("synonyms", "add", "kiln", "oven", "--workspace", "notes", "--team", TEAM.team)
    assert masis("synonyms", "list", "--workspace", "notes").stdout == ""
    listed = masis("synonyms", "list", "--workspace", "notes", "--team", TEAM.team)
    assert listed.stdout == "kiln, oven\n"


def test_what_is_no_group_is_refused(masis: Masis, data_dir: Path) -> None:
    make(data_dir, "local")
    alone = masis("synonyms", "add", "kiln", "--workspace", "notes")
    assert alone.exit_code != 0
    assert "Give two words or phrases" in alone.stderr
    gone = masis("synonyms", "remove", "kiln", "--workspace", "notes")
    assert gone.exit_code != 0
    assert "was not added" in gone.stderr
