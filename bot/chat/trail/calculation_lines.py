"""Say the calculations of an answer: each with its formula, each figure with its cell."""

from collections.abc import Iterator, Mapping
from typing import Final

from bot.chat.trail import trail_sentences as sentences
from bot.chat.words.badge_words import cut
from bot.chat.words.visible_text import one_line
from masis.calculating.calculation import stated
from masis.domain import Answered, Calculation, Citation, Figure

MOST_CALCULATIONS: Final = 40
MOST_FIGURES: Final = 20
"""Figures of one calculation that are listed; more are counted."""


def calculation_lines(outcome: Answered) -> list[str]:
    """Return a line for each; none where the answer has none, or their texts are gone."""
    cited = {each.chunk_id: each for each in outcome.citations}
    shown = [each for each in outcome.calculations if each.formula][:MOST_CALCULATIONS]
    lines = [line for each in shown for line in _lines(each, cited)]
    left = len(outcome.calculations) - len(shown)
    return [*lines, sentences.more_calculations(left)] if lines and left > 0 else lines


def _lines(done: Calculation, cited: Mapping[str, Citation]) -> Iterator[str]:
    """Say a calculation and the figures it is of; what was only shown is said as it stands."""
    leaves = [leaf for figure in done.inputs for leaf in figure.leaves]
    is_figure = len(leaves) == 1
    if not is_figure:
        yield f"• {cut(stated(done))}"
    for figure in leaves[:MOST_FIGURES]:
        yield f"{'•' if is_figure else '   ◦'} {_of_figure(figure, cited)}"
    if len(leaves) > MOST_FIGURES:
        yield f"   ◦ {sentences.more_figures(len(leaves) - MOST_FIGURES)}"


def _of_figure(figure: Figure, cited: Mapping[str, Citation]) -> str:
    source = cited.get(figure.chunk_id)
    place = one_line(figure.place.label())
    parts = [
        cut(figure.said),
        place,
        f"[{source.n}] {one_line(source.document)}" if source else one_line(figure.chunk_id),
    ]
    return " · ".join(filter(None, parts))
