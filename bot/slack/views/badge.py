"""Write the badge line under an answer: a word, a percentage, a colour, and what they rest on."""

from typing import Final

from bot.chat.words.badge_words import Result, rests_on, unbadged, verdict

COLOUR: Final = {"High": "🟢", "Medium": "🟡", "Low": "🔴", "Not audited": "⚪"}


def badge_line(value: Result) -> str:
    """`🟢 High 86 % · 5 of 5 claims cited · 2 documents · extractive`, or why there is none."""
    if value.badge is None:
        return unbadged(value)
    return " · ".join([f"{COLOUR[value.badge.level]} {verdict(value)}", *rests_on(value)])
