"""Small talk and what only looks like it, as people who had not seen the table wrote them."""

import json
from pathlib import Path

import pytest

from masis.words.chat_words import small_talk

SETS = Path(__file__).parents[2] / "bench" / "small_talk"
MISSED = {"Is this a robot or does somebody type the answers", "how am i supposed to use this bot"}
"""Of the half that nobody looked at: they are searched for as questions, which harms nobody."""


def lines(half: str) -> list[dict[str, object]]:
    text = (SETS / f"{half}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("half", ["seen", "hidden"])
def test_no_question_is_small_talk(half: str) -> None:
    taken = [each["say"] for each in lines(half) if not each["small_talk"]]
    assert [say for say in taken if small_talk(str(say))] == []
    # Behind an answer more is said in passing.
    assert [say for say in taken if small_talk(str(say), in_thread=True)] == []


@pytest.mark.parametrize("half", ["seen", "hidden"])
def test_small_talk_is_known(half: str) -> None:
    said = [str(each["say"]) for each in lines(half) if each["small_talk"]]
    assert {say for say in said if not small_talk(say)} <= MISSED
