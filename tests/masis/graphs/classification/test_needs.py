"""What becomes of a description that names several things, each with a code of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from masis.domain import WorkspaceId
from masis.graphs.classification import texts
from masis.graphs.classification.agents import Found
from masis.graphs.classification.needs import joined
from masis.graphs.classification.state import Candidate, State
from tests.masis.graphs.classification.scripted import (
    MATCH,
    OFFICE,
    TWINS,
    Finder,
    Script,
    Talk,
    candidate,
)

LAPTOP = candidate("201", "Laptop", 12.0).model_copy(update={"cosine": 0.7, "words": ["laptop"]})
BADGE = candidate("101", "Badge", 6.0, [OFFICE]).model_copy(update={"cosine": 0.6, "words": ["badg"]})  # fmt: skip
CHAIR = candidate("102", "Chair", 3.0, [OFFICE]).model_copy(update={"cosine": 0.3})
ALL = [LAPTOP, BADGE, CHAIR]
BADGE_ALONE = [BADGE.model_copy(update={"score": 11.0}), CHAIR]


@dataclass
class ByWord:
    """A search that brings other codes for some words, and the same for all else."""

    alone: Mapping[str, Sequence[Candidate]]
    asked: list[list[str]] = field(default_factory=list)

    async def find(
        self, workspace_id: WorkspaceId, texts: Sequence[str], *, kind: str = "", limit: int
    ) -> Found:
        self.asked.append(list(texts))
        found = self.alone.get(texts[0], ALL) if texts else []
        return await Finder(found).find(workspace_id, texts, kind=kind, limit=limit)


async def ended(text: str, alone: Mapping[str, Sequence[Candidate]]) -> State:
    return await Talk(ByWord(alone), Script([MATCH])).say(text)


async def test_two_needs_are_asked_about() -> None:
    """Even where the best code leads by far, and the analyzer takes it."""
    talk = Talk(ByWord({"a badge": BADGE_ALONE}), Script([MATCH]))
    state = await talk.say("she needs a laptop and a badge")
    final = state["analyzer_response"]
    assert final is not None
    assert (final.status, final.options) == ("MORE_INFO", ["Laptop", "Badge"])
    assert final.question.startswith(texts.SEVERAL)
    last = (await talk.reply("the badge"))["analyzer_response"]
    assert last is not None
    assert (last.status, last.code) == ("MATCH_FOUND", "101")


FAR = [each.model_copy(update={"cosine": 0.3}) for each in BADGE_ALONE]
OPEN = [BADGE_ALONE[0], CHAIR.model_copy(update={"score": 10.9, "path": []})]
NEARER = [BADGE_ALONE[0], LAPTOP.model_copy(update={"cosine": 0.65, "score": 6.0})]


@pytest.mark.parametrize(
    "alone", [ALL, FAR, OPEN, NEARER, []], ids=["same", "far", "open", "nearer", "none"]
)
async def test_one_need_is_matched(alone: Sequence[Candidate]) -> None:
    """Where a part names the same code, is near to none or nearer to the other part's, or cannot be told apart itself."""
    final = (await ended("a laptop and a badge", {"a badge": alone}))["analyzer_response"]
    assert final is not None
    assert (final.status, final.code) == ("MATCH_FOUND", "201")


async def test_other_nearer_codes_change_no_need() -> None:
    """What no part names is no reason to take two needs for one."""
    alone = [BADGE_ALONE[0], CHAIR.model_copy(update={"cosine": 0.65})]
    final = (await ended("a laptop and a badge", {"a badge": alone}))["analyzer_response"]
    assert final is not None
    assert (final.status, final.question.startswith(texts.SEVERAL)) == ("MORE_INFO", True)


async def test_codes_of_both_sides_are_one_need() -> None:
    """A code whose row has the words beside the "and" is of both: health and safety."""
    both = LAPTOP.model_copy(update={"words": ["laptop", "badg"]})
    talk = Talk(ByWord({"laptop and badge": [both, BADGE, CHAIR], "badge": BADGE_ALONE}))
    final = (await talk.say("laptop and badge"))["analyzer_response"]
    assert final is not None
    assert final.code == "201"


async def test_replies_are_not_taken_apart() -> None:
    """Once something was asked back, what is said more is searched as it is."""
    finder = ByWord({"a badge": BADGE_ALONE})
    talk = Talk(finder, Script([MATCH]))
    await talk.say("she needs a laptop and a badge")
    finder.asked.clear()
    await talk.reply("it hangs and nothing on it moves any more since Monday")
    assert len(finder.asked) == 1


async def test_descriptions_are_taken_apart_once() -> None:
    """Also where nothing was near, so that nothing was offered: each reply would search the parts again."""
    finder = Finder(TWINS, 0.0)
    talk = Talk(finder, Script([MATCH]))
    final = (await talk.say("she needs a laptop and a badge"))["analyzer_response"]
    assert final is not None
    assert final.options == []
    assert ["a badge"] in finder.asked
    finder.asked.clear()
    await talk.reply("it is about customers")
    assert finder.asked
    assert ["a badge"] not in finder.asked


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("payslip and holiday days both wrong", ["payslip", "holiday days both wrong"]),
        ("a laptop, and a badge; also keys", ["a laptop,", "a badge", "also keys"]),
        ("lost my phone and my badge", ["lost my phone", "my badge"]),
    ],
)
def test_joined_parts_are_read(text: str, parts: list[str]) -> None:
    assert joined(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "VPN drops and I get an error message",
        "the screen flickers and it makes a noise",
        "the pump leaks and then stops",
        "the line went down and is back again",
        "call me and of course the others",
        "pens and paper and toner and ink",
        "plus size shoes",
        "Andover",
        "customer rang, pump humming",
        "and",
        "somebody who drives and who loads",
        "my laptop died and so did the charger",
    ],
)
def test_what_goes_on_is_one_part(text: str) -> None:
    assert joined(text) == []
