"""The stand-in for Teams at a terminal: typed lines are mentions, numbers are buttons."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from bot.playground.teams.playing_teams import oneshot
from bot.playground.teams.teams_conversation import TeamsConversation
from bot.settings import Settings, load
from tests.walks.teams_office import teams_office

QUESTION = "How many days of annual leave does every employee have?"


def typing(typed: Iterable[str]) -> Iterator[str]:
    """What somebody types, and then the end of the input."""
    yield from typed
    raise EOFError


async def played(folder: Path, *typed: str) -> str:
    """What is said in answer to these lines."""
    said: list[str] = []
    told = typing(typed)
    async with teams_office(folder) as office:
        await TeamsConversation(office, said.append).typed(lambda _: next(told))
    return "\n".join(said)


async def test_typed_lines_are_a_conversation(tmp_path: Path) -> None:
    said = await played(
        tmp_path,
        QUESTION,
        "2",  # How I got this
        "99",
        "When is the swimming pool heated?",
        "1",  # Reply
        QUESTION,
        "",
    )
    assert "26 days of annual leave" in said
    assert "2: How I got this" in said
    assert "What the audit found" in said
    assert "not here, or not any more" in said
    assert "On it, with your reply." in said
    assert "Answered by" in said


async def test_forms_are_filled_in_line_by_line(tmp_path: Path) -> None:
    said = await played(
        tmp_path, "unlink", "link", "1", "", "papers", "None: every message asks the documents", ""
    )
    assert "no longer linked" in said
    assert "This channel now asks the workspace “papers” (0 documents)" in said


@pytest.mark.long
async def test_whole_conversation_is_held(tmp_path: Path) -> None:
    said: list[str] = []

    def loaded(**over: object) -> Settings:
        return load(Path("no.env"), **({"data_dir": tmp_path, "embedder": "none"} | over))

    await oneshot(loaded, said.append, said.append)
    told = "\n".join(said)
    for part in ("now asks the workspace", "claim cited", "The sources disagree", "Guests cannot"):
        assert part in told
