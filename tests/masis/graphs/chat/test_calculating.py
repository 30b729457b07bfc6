"""Which questions go to the graph that calculates."""

import pytest

from masis.domain import Question
from masis.graphs.common import Onward
from tests.masis.graphs.chat.talking import Talk


@pytest.mark.parametrize(
    "asked",
    [
        "how much did the kiln costs grow from 2024 to 2025?",
        "what share of the mugs was glazed?",
        "median price of a shelf",
        "top 3 members by shelves",
        "shelves per member in 2025",
    ],
)
async def test_calculations_go_to_analysis(asked: str) -> None:
    handed = await Talk().say(asked)
    assert isinstance(handed, Onward)
    assert handed.graph == "analysis"


@pytest.mark.parametrize(
    "asked",
    [
        "when is the kiln fired?",
        "why did the kiln costs fall in 2025, and what were they?",
        "how many kilns are there?",
        "how much is a shelf per week?",
        "what is the difference between glazing and firing?",
        "who do I ask on top of the rota?",
        "is the kiln fired at least once a week?",
    ],
)
async def test_other_questions_go_to_research(asked: str) -> None:
    handed = await Talk().say(asked)
    assert isinstance(handed, Onward)
    assert handed.graph == "research"


async def test_replies_and_wider_searches_go_to_research() -> None:
    asked = "median price of a shelf"
    question = Question(text=asked, standalone=asked, reply="the second one")
    handed = await Talk().say(asked, question=question)
    assert isinstance(handed, Onward)
    assert handed.graph == "research"


async def test_reply_with_a_period_goes_to_analysis() -> None:
    """What was left open of a calculation is told by it."""
    asked = "what was the change in kiln costs?"
    narrowed = Question(text=asked, standalone=f"{asked}\n2024 to 2025", reply="2024 to 2025")
    handed = await Talk().say(asked, question=narrowed)
    assert isinstance(handed, Onward)
    assert handed.graph == "analysis"
    assert handed.request.question.standalone == f"{asked} 2024 to 2025"
