"""The sample workspace that ships with MASIS: a company's papers, and questions about them."""

from importlib import resources
from typing import Final

from pydantic import TypeAdapter

from masis.domain import Value

COMPANY: Final = "Tarnbeck Dosing Ltd"
"""Invented, and everybody in it."""
SAMPLE: Final = resources.files("bot.playground") / "sample"
DOCS: Final = "docs"
CODE_LISTS: Final = "codelists"
"""Lists of codes, which lie in a workspace of their own."""
TICKETS: Final = "tickets"
"""That workspace, and the channel that is linked to it."""


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
    return _shown("demo.json")


def codes() -> list[Shown]:
    """Return what is classified in the demo; nothing where the sample has no code list."""
    return _shown("codes.json") if (SAMPLE / "codes.json").is_file() else []


def folders(workspace: str) -> dict[str, str]:
    """Return the sample's folders, each with the workspace that its files go into."""
    there = {DOCS: workspace, CODE_LISTS: TICKETS}
    return {folder: name for folder, name in there.items() if (SAMPLE / folder).is_dir()}


def _shown(name: str) -> list[Shown]:
    return TypeAdapter(list[Shown]).validate_json((SAMPLE / name).read_text(encoding="utf-8"))
