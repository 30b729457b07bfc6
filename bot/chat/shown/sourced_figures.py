"""Give the charts and tables of an answer, each with the line that says where its figures are from."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from masis.calculating.charts import figure_forms
from masis.domain import Answered
from masis.values.shown import MOST_SHOWN, Chart, ShownTable

Drawable = TypeVar("Drawable", Chart, ShownTable)


@dataclass(frozen=True, slots=True)
class Sourced(Generic[Drawable]):
    """Hold a chart or a table; `source` is empty where nobody knows where its figures are from."""

    figure: Drawable
    source: str = ""


def charts_shown(outcome: Answered) -> tuple[Sourced[Chart], ...]:
    """Return the charts of an answer, in order."""
    return tuple(
        Sourced(each, figure_forms.source_line(each.sources, "", outcome.citations))
        for each in outcome.charts[:MOST_SHOWN]
    )


def tables_shown(outcome: Answered) -> tuple[Sourced[ShownTable], ...]:
    """Return the tables of an answer, in order."""
    return tuple(
        Sourced(each, figure_forms.source_line(each.sources, each.source, outcome.citations))
        for each in outcome.tables[:MOST_SHOWN]
    )
