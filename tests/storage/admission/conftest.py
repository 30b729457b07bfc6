import pytest

from masis.domain import Workspace


@pytest.fixture
async def workspace(our_workspace: Workspace) -> Workspace:
    """Give the tests of admission a workspace of a team, not of the command line."""
    return our_workspace
