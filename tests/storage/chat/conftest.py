import pytest

from masis.domain import Workspace
from storage.documents.repository import SqlRepository
from tests.storage.chat.samples import OURS, THEIRS


@pytest.fixture
async def workspace(repository: SqlRepository) -> Workspace:
    """A workspace of our team's."""
    return await repository.create_workspace(OURS.owner, "acme")


@pytest.fixture
async def their_workspace(repository: SqlRepository) -> Workspace:
    """One of the same name of another team's."""
    return await repository.create_workspace(THEIRS.owner, "acme")
