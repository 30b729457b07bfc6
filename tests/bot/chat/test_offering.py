"""Questions are made where documents have changed, in rounds."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat.offering import AGAIN_SECONDS, OF_A_ROUND, Offering
from bot.compose import App, compose
from bot.settings import Settings
from masis.domain import Workspace, WorkspaceId

NOTICE = b"# Leaving\n\nThe notice period is 1 month, on either side.\n"
FEES = b"# Fees\n\nThe joining fee is 40 pounds.\n"


class Duty:
    """A duty that this process has, or another one."""

    mine = True

    async def __call__(self, _: str) -> bool:
        return self.mine


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    settings = Settings(data_dir=tmp_path, agents="offline", _env_file=None)
    async with compose(settings) as opened:
        yield opened


def offering(app: App, duty: Duty, clock: list[float]) -> Offering:
    return Offering(
        app.suggestions,
        app.repository,
        app.kept_suggestions,
        has_duty=duty,
        clock=lambda: clock[0],
    )


async def made(app: App, workspace: Workspace) -> list[str] | None:
    known = await app.suggestions.ready(workspace)
    return None if known is None else [each.text for each in known]


async def test_questions_follow_the_documents(app: App) -> None:
    """They are made after an upload, anew after the next, and gone with what they quote."""
    goes_round = offering(app, Duty(), [0.0])
    place = await app.repository.create_workspace(app.owner, "papers")
    assert await goes_round.once() == 0
    await app.ingest.ingest(place, "leaving.md", NOTICE)
    assert await made(app, place) is None
    assert await goes_round.once() == 1
    assert await made(app, place) == ["What is the notice period?"]
    assert await goes_round.once() == 0

    await app.ingest.ingest(place, "fees.md", FEES)
    assert await made(app, place) is None
    assert await goes_round.once() == 1
    assert sorted(await made(app, place) or []) == [
        "What is the joining fee?",
        "What is the notice period?",
    ]

    await app.ingest.delete(place, "leaving.md")
    assert await app.kept_suggestions.read(place.id) is None
    assert await goes_round.once() == 1
    assert await made(app, place) == ["What is the joining fee?"]


async def test_another_process_makes_them(app: App) -> None:
    """Who has not the duty makes none."""
    duty = Duty()
    place = await app.repository.create_workspace(app.owner, "papers")
    await app.ingest.ingest(place, "leaving.md", NOTICE)
    duty.mine = False
    assert await offering(app, duty, [0.0]).once() == 0
    assert await made(app, place) is None


async def test_rounds_are_bounded(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """A round takes a few workspaces; one that fails waits, and the others have their turn."""
    asked: list[WorkspaceId] = []

    async def fails(workspace: Workspace) -> list[str]:
        asked.append(workspace.id)
        return []

    monkeypatch.setattr(app.suggestions, "of", fails)
    for number in range(OF_A_ROUND + 1):
        place = await app.repository.create_workspace(app.owner, f"papers {number}")
        await app.ingest.ingest(place, "leaving.md", NOTICE)
    clock = [0.0]
    goes_round = offering(app, Duty(), clock)
    assert await goes_round.once() == OF_A_ROUND
    assert await goes_round.once() == 1
    assert await goes_round.once() == 0
    assert len(set(asked)) == OF_A_ROUND + 1
    clock[0] += AGAIN_SECONDS + 1
    assert await goes_round.once() == OF_A_ROUND
