"""Write the badge line under an answer: a word, a percentage, a colour, and what they rest on."""

from typing import Final

from bot.chat.shown.badge_shown import BadgeShown

COLOUR: Final = {"High": "🟢", "Medium": "🟡", "Low": "🔴", "Not audited": "⚪"}


def badge_line(badge: BadgeShown) -> str:
    """`🟢 High 86 % · 5 of 5 claims cited · 2 documents · extractive`, or why there is none."""
    return f"{COLOUR[badge.level]} {badge.line}" if badge.level else badge.line
