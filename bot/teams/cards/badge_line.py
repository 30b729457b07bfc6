"""Draw the badge line under an answer: a word, a percentage, a colour, and what they rest on."""

from typing import Any, Final

from bot.chat.shown.badge_shown import BadgeShown
from bot.teams.cards.card_elements import Json, rich, run

COLOUR: Final = {
    "High": "Good",
    "Medium": "Warning",
    "Low": "Attention",
    "Not audited": "Default",
}


def badge_line(badge: BadgeShown) -> Json:
    """`High 86 % · 5 of 5 claims cited · 2 documents`, the word in its colour; or why there is none."""
    if not badge.level:
        return rich(run(badge.verdict, size="Small"))
    how: dict[str, Any] = {"color": COLOUR[badge.level], "weight": "Bolder"}
    rest = " · ".join(["", *badge.rests_on])
    return rich(run(badge.verdict, **how), run(rest, size="Small"), spacing="Default")
