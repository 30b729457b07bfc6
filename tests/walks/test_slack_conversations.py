"""Threads of six to ten turns, as people wrote who know the sample's documents and not the code."""

from pathlib import Path
from typing import Final

import pytest

from masis.words.chat_words import small_talk
from tests.walks.conversations import Talk, hold, rows, sample_office
from tests.walks.office import TRANSCRIPTS, Office, assert_golden

GOLDEN: Final = TRANSCRIPTS / "conversations"
SEEN: Final = ("conv-03", "conv-07", "conv-13", "conv-15", "conv-21", "conv-23")
"""Those of all documents whose transcripts are kept."""
BIDS: Final = "conv-23"
"""Asks about bids: a list, an ellipsis, two commands, what no document says, and thanks."""
AT_ONCE: Final = 6


async def test_a_thread_of_ten_turns(tmp_path: Path) -> None:
    """Ten turns in one thread over three documents read as they did."""
    async with sample_office(tmp_path, "sales/*.md") as here:
        talks = await hold(here, [row for row in rows("seen") if row["id"] == BIDS])
        assert_golden(here.read(talks[0].channel), GOLDEN / "bids_of_three_documents.txt")
        assert await _wrong(here, talks) == []


@pytest.mark.long
async def test_thirty_threads_end_as_they_should(tmp_path: Path) -> None:
    """Every turn has one outcome; six threads over the whole sample read as they did."""
    async with sample_office(tmp_path) as here:
        every = [*rows("seen"), *rows("hidden")]
        for at in range(0, len(every), AT_ONCE):
            talks = await hold(here, every[at : at + AT_ONCE])
            assert await _wrong(here, talks) == []
            for talk in talks:
                if talk.name in SEEN:
                    assert_golden(here.read(talk.channel), GOLDEN / f"{talk.name}.txt")


def test_golden_threads_are_those_named() -> None:
    kept = {path.stem for path in GOLDEN.glob("*.txt")}
    assert kept == {*SEEN, "bids_of_three_documents"}


async def _wrong(here: Office, talks: list[Talk]) -> list[str]:
    """Return turns that became no run, or none that ended well; small talk is to become none."""
    found = await here.bot.services.runs.recent(here.tenant, 1000)
    wrong = []
    for talk in talks:
        mine = [run for run in found if run.channel == talk.channel.id]
        wrong += [f"{run.status}: {run.question}" for run in mine if run.status != "finished"]
        said = [turn["say"] for turn in talk.row["turns"]]
        asked = [each for at, each in enumerate(said) if not small_talk(each, in_thread=at > 0)]
        taken = [run.reply or run.question for run in reversed(mine)]
        wrong += [f"{talk.name}: {taken} of {asked}"] if taken != asked else []
    return wrong
