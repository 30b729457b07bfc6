"""The sample workspace that ships with MASIS: a company's papers, and questions about them."""

from importlib import resources
from typing import Final

from pydantic import TypeAdapter

from masis.domain import Value

COMPANY: Final = "Tarnbeck Dosing Ltd"
"""Invented, and everybody in it."""
SAMPLE: Final = resources.files("bot.playground") / "sample"
DOCS: Final = "docs"


class Shown(Value):
    """A question of the demo, and what it is there to show; `reply` is for when it comes back.

    `then` is what the asker writes under the answer.
    """

    shows: str
    question: str
    reply: str = ""
    then: list[str] = []


def questions() -> list[Shown]:
    """The four questions that ship with the sample."""
    text = (SAMPLE / "demo.json").read_text(encoding="utf-8")
    return TypeAdapter(list[Shown]).validate_json(text)
