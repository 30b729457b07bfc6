"""Draw the badge line under an answer: a word, a percentage, a colour, and what they rest on."""

from typing import Any, Final

from bot.chat.words.badge_words import Result, rests_on, unbadged, verdict
from bot.teams.cards.card_elements import Json, rich, run

COLOUR: Final = {
    "High": "Good",
    "Medium": "Warning",
    "Low": "Attention",
    "Not audited": "Default",
}


def badge_line(value: Result) -> Json:
    """`High 86 % · 5 of 5 claims cited · 2 documents`, the word in its colour; or why there is none."""
    if value.badge is None:
        return rich(run(unbadged(value), size="Small"))
    how: dict[str, Any] = {"color": COLOUR[value.badge.level], "weight": "Bolder"}
    rest = " · ".join(["", *rests_on(value)])
    return rich(run(verdict(value), **how), run(rest, size="Small"), spacing="Default")
