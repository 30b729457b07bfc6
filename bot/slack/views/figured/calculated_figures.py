"""Draw the calculations of an answer for “How I got this”."""

from bot.chat.trail.calculation_lines import calculation_lines
from bot.chat.trail.trail_sentences import CALCULATIONS
from bot.slack.text.defuse import strong
from bot.slack.views import blocks
from bot.slack.views.blocks import Blocks
from masis.domain import Answered


def calculated(outcome: Answered) -> Blocks:
    """Return the calculations of an answer; nothing where it has none, or their texts are gone."""
    lines = calculation_lines(outcome)
    title = blocks.section((strong(CALCULATIONS),))
    return [title, *blocks.sections("\n".join(lines))] if lines else []
