"""The calculations of an answer for “How I got this”: each with its formula, each figure with its cell."""

from collections.abc import Iterator, Mapping
from typing import Final

from bot.chat.words.visible_text import one_line
from bot.slack.text import figure_sentences as sentences
from bot.slack.text.defuse import strong
from bot.slack.views import blocks
from bot.slack.views.blocks import Blocks
from masis.calculating.calculation import stated
from masis.domain import Answered, Calculation, Citation, Figure

MOST_CALCULATIONS: Final = 40
MOST_FIGURES: Final = 20
"""Figures of one calculation that are listed; more are counted."""
SAID_CHARS: Final = 300


def calculated(outcome: Answered) -> Blocks:
    """Return the calculations of an answer; nothing where it has none, or their texts are gone."""
    cited = {each.chunk_id: each for each in outcome.citations}
    shown = [each for each in outcome.calculations if each.formula][:MOST_CALCULATIONS]
    lines = [line for each in shown for line in _lines(each, cited)]
    if not lines:
        return []
    left = len(outcome.calculations) - len(shown)
    lines += [sentences.more_calculations(left)] if left > 0 else []
    title = blocks.section((strong(sentences.CALCULATIONS),))
    return [title, *blocks.sections("\n".join(lines))]


def _lines(done: Calculation, cited: Mapping[str, Citation]) -> Iterator[str]:
    """Say a calculation and the figures it is of; what was only shown is said as it stands."""
    leaves = [leaf for figure in done.inputs for leaf in figure.leaves]
    is_figure = len(leaves) == 1
    if not is_figure:
        yield f"• {_short(stated(done))}"
    for figure in leaves[:MOST_FIGURES]:
        yield f"{'•' if is_figure else '   ◦'} {_of_figure(figure, cited)}"
    if len(leaves) > MOST_FIGURES:
        yield f"   ◦ {sentences.more_figures(len(leaves) - MOST_FIGURES)}"


def _of_figure(figure: Figure, cited: Mapping[str, Citation]) -> str:
    source = cited.get(figure.chunk_id)
    place = one_line(figure.place.label())
    parts = [
        _short(figure.said),
        place,
        f"[{source.n}] {one_line(source.document)}" if source else one_line(figure.chunk_id),
    ]
    return " · ".join(filter(None, parts))


def _short(text: str) -> str:
    words = one_line(text)
    return words if len(words) <= SAID_CHARS else f"{words[: SAID_CHARS - 1].rstrip()}…"
