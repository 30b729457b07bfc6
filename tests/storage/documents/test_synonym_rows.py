"""The synonyms that admins add, each for a workspace."""

import pytest

from masis.domain import Workspace, WorkspaceId
from masis.errors import InvalidSettings, UnknownWorkspace
from masis.words.synonyms import MOST_GROUPS
from storage.documents.repository import SqlRepository
from storage.documents.synonym_rows import SqlSynonyms
from storage.sql.database import Database


@pytest.fixture
def synonyms(database: Database) -> SqlSynonyms:
    return SqlSynonyms(database)


async def test_group_belongs_to_one_workspace(
    synonyms: SqlSynonyms, repository: SqlRepository, workspace: Workspace
) -> None:
    """A group is kept for its workspace alone."""
    theirs = await repository.create_workspace("other", "acme")
    assert await synonyms.add(workspace.id, ["Kiln", "the  Oven"]) == ("kiln", "the oven")
    assert await synonyms.of(workspace.id) == [("kiln", "the oven")]
    assert await synonyms.of(theirs.id) == []
    assert await synonyms.remove(theirs.id, "kiln") is None
    assert await synonyms.of(workspace.id) == [("kiln", "the oven")]


async def test_groups_sharing_a_phrase_merge(synonyms: SqlSynonyms, workspace: Workspace) -> None:
    """Groups with a phrase in common are one."""
    await synonyms.add(workspace.id, ["kiln", "oven"])
    await synonyms.add(workspace.id, ["furnace", "stove"])
    joined = await synonyms.add(workspace.id, ["oven", "stove"])
    assert set(joined) == {"kiln", "oven", "furnace", "stove"}
    assert await synonyms.of(workspace.id) == [joined]


async def test_removing_second_last_removes_group(
    synonyms: SqlSynonyms, workspace: Workspace
) -> None:
    """The last but one takes its group along."""
    await synonyms.add(workspace.id, ["kiln", "oven", "stove"])
    assert await synonyms.remove(workspace.id, " Oven ") == ("kiln", "stove")
    assert await synonyms.remove(workspace.id, "kiln") == ("stove",)
    assert await synonyms.of(workspace.id) == []
    assert await synonyms.remove(workspace.id, "kiln") is None


async def test_groups_per_workspace_are_bounded(
    synonyms: SqlSynonyms, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A workspace has so many groups at most."""
    assert MOST_GROUPS == 200
    monkeypatch.setattr("storage.documents.synonym_rows.MOST_GROUPS", 1)
    await synonyms.add(workspace.id, ["kiln", "oven"])
    with pytest.raises(InvalidSettings, match="which is the most"):
        await synonyms.add(workspace.id, ["clay", "mud"])
    await synonyms.add(workspace.id, ["kiln", "stove"])


async def test_missing_workspace_has_no_groups(synonyms: SqlSynonyms) -> None:
    """A workspace that is not there has none."""
    with pytest.raises(UnknownWorkspace):
        await synonyms.add(WorkspaceId("w_" + "a" * 12), ["kiln", "oven"])


async def test_a_deleted_workspace_takes_them_along(
    synonyms: SqlSynonyms, repository: SqlRepository, workspace: Workspace
) -> None:
    await synonyms.add(workspace.id, ["kiln", "oven"])
    await repository.delete_workspace(workspace.id)
    assert await synonyms.of(workspace.id) == []
