from typing import Any

import pytest

from masis.conversation import Vote
from masis.domain import Workspace
from storage.chat.votes import VotedRun, Votes
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.storage.chat.samples import (
    NO_IDS,
    NO_TENANTS,
    NOON,
    OURS,
    THEIRS,
    a_run,
    insert,
    keep,
    seconds,
)


@pytest.fixture
async def votes(database: Database, workspace: Workspace, their_workspace: Workspace) -> Votes:
    """Votes, with the requests that are voted on."""
    await insert(
        database,
        a_run("run-1", workspace),
        a_run("run-2", workspace),
        a_run("theirs", their_workspace, tenant=THEIRS),
    )
    return Votes(database)


def a_vote(run_id: str = "run-1", **other: Any) -> Vote:
    values = {"tenant": OURS, "run_id": run_id, "user": "U1", "good": True, "at": NOON}
    return Vote(**values | other)


async def test_last_vote_per_person_counts(votes: Votes, workspace: Workspace) -> None:
    """The last vote of a person counts."""
    last = a_vote(good=False, reason="It misses the exception.", at=seconds(2))
    other = a_vote(user="U2", at=seconds(1))
    for vote in (a_vote(), other, last):
        assert await votes.cast(vote, workspace.id)
    assert await votes.of(OURS, "run-1") == [last, other]


async def test_vote_requires_run_of_own_team(
    votes: Votes, workspace: Workspace, their_workspace: Workspace, repository: SqlRepository
) -> None:
    """Nobody votes on a run of another team or of none."""
    second = await repository.create_workspace(OURS.owner, "second")
    assert not await votes.cast(a_vote("theirs"), workspace.id)
    assert not await votes.cast(a_vote("theirs"), their_workspace.id)
    assert not await votes.cast(a_vote("run-1", tenant=THEIRS), workspace.id)
    assert not await votes.cast(a_vote("run-1"), second.id)
    assert not await votes.cast(a_vote("run-9"), workspace.id)
    assert await votes.list(None) == []


async def test_votes_are_listed_with_their_subject(
    votes: Votes, workspace: Workspace, database: Database
) -> None:
    """Votes are listed with what they were about."""
    await keep(database, a_run("run-1", workspace), "42")
    about, plain = a_vote(good=False, reason="why"), a_vote("run-2", at=seconds(1))
    await votes.cast(about, workspace.id)
    await votes.cast(plain, workspace.id)
    assert await votes.list(OURS) == [
        VotedRun(vote=plain, workspace_id=workspace.id),
        VotedRun(
            vote=about,
            workspace_id=workspace.id,
            question="What is it?",
            status="answered",
            answer="It is 42 [1].",
            documents=["a.pdf"],
        ),
    ]


async def test_vote_list_filters_and_limits(
    votes: Votes, workspace: Workspace, their_workspace: Workspace
) -> None:
    """Votes are listed by tenant by workspace and as many as wanted."""
    await votes.cast(a_vote("run-1"), workspace.id)
    await votes.cast(a_vote("run-2", at=seconds(1)), workspace.id)
    await votes.cast(a_vote("theirs", tenant=THEIRS, at=seconds(2)), their_workspace.id)

    async def listed(*of: Any, **how: Any) -> list[str]:
        return [voted.vote.run_id for voted in await votes.list(*of, **how)]

    assert await listed(None) == ["theirs", "run-2", "run-1"]
    assert await listed(OURS) == ["run-2", "run-1"]
    assert await listed(OURS, workspace.id, 1) == ["run-2"]
    assert await listed(OURS, their_workspace.id) == []
    assert await listed(OURS, limit=-1) == []
    assert await listed(OURS, "") == []


async def test_what_is_no_tenant_finds_nothing(votes: Votes, workspace: Workspace) -> None:
    await votes.cast(a_vote(), workspace.id)
    for tenant in [tenant for tenant in NO_TENANTS if tenant is not None]:
        assert await votes.of(tenant, "run-1") == []
        assert await votes.list(tenant) == []


async def test_what_is_no_id_finds_nothing(votes: Votes, workspace: Workspace) -> None:
    await votes.cast(a_vote(), workspace.id)
    for value in NO_IDS:
        assert await votes.of(OURS, value) == []
