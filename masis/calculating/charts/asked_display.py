"""Read from a question that a chart or a table is wanted, of which kind, and what is left to be asked."""

import re
from typing import Final

from masis.values.base import Value
from masis.values.shown import ChartKind

_KIND: Final = r"(?P<{0}>bar|column|line|area|pie|do(?:ugh)?nut|histogram)"
_NOUN: Final = r"(?:charts?|graphs?|plots?|diagrams?)"
_PLEASE: Final = (
    r"^(?:please |kindly |(?:can|could|would|will) (?:you|i|we) (?:please )?|i (?:want|need|would like)(?: to)? "
    r"|i'd like(?: to)? |let me |let's )*"
)
_MAKE: Final = r"(?:show|draw|make|give|create|display|produce|generate|build|get|have|see|send|do)"
_OF: Final = r"(?:of|for|with|showing|comparing|that shows|on)"
_CHART_OF: Final = rf"(?:{_KIND.format('{0}')} )?{_NOUN}"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_ACCOUNTS: Final = r"(?! of (?:accounts?|organi[sz]ation|contents)\b)"
_CHARTS: Final = (
    _pattern(
        rf"[,;:]? ?\b(?:as|in|on|with|using|into|via|by means of) (?:an? |the form of an? )"
        rf"(?:(?:simple|small|little|nice|quick) )?(?:{_KIND.format('kind')} ?{_NOUN}|{_NOUN}|(?P<alone>pie|do(?:ugh)?nut|histogram)\b)"
    ),
    _pattern(rf"[,;:]? ?\bas (?P<kind>bar|line|pie|area|column)(?:s| {_NOUN})?\b(?=[?.!]*$)"),
    _pattern(rf"{_PLEASE}{_MAKE}(?: (?:me|us))? (?:an? |the )?{_CHART_OF.format('kind')} {_OF}\b"),
    _pattern(rf"^(?:an? |the )?{_CHART_OF.format('kind')}{_ACCOUNTS}(?: {_OF}\b|:)"),
    _pattern(r"^(?:an? |the )?(?P<kind>pie|do(?:ugh)?nut|histogram) (?:of|for|with|showing)\b"),
    _pattern(rf"{_PLEASE}(?:plot|chart|graph|visuali[sz]e)(?: (?:me|us|out))?(?= [a-z])(?! of\b)"),
    _pattern(rf"[,;:–—-]? ?\b{_KIND.format('kind')} ?{_NOUN}(?: please| pls)?(?=[?.!]*$)"),
    _pattern(rf"\b(?:and|or|plus|&) (?:as )?an? (?:{_KIND.format('kind')} )?{_NOUN}(?: please| pls)?(?=[?.!]*$)"),
    _pattern(rf"[,;:–—] ?{_NOUN}(?: please| pls)?(?=[?.!]*$)"),
)  # fmt: skip
_TABLES: Final = (
    _pattern(r"[,;:]? ?\b(?:as|in|into) (?:an? )(?:(?:simple|small|short|little) )?table\b(?: form(?:at)?\b)?"),
    _pattern(r"[,;:]? ?\b(?:as|in) (?:rows|tabular form(?:at)?|table form(?:at)?)\b"),
    _pattern(rf"{_PLEASE}{_MAKE}(?: (?:me|us))? (?:an? )table {_OF}\b"),
    _pattern(rf"^(?:an? )?table (?!of contents\b){_OF}\b"),
    _pattern(rf"{_PLEASE}tabulate\b"),
    _pattern(r"\b(?:and|or|plus|&) (?:as )?an? table(?: please| pls)?(?=[?.!]*$)"),
    _pattern(r"[,;:–—] ?table(?: please| pls)?(?=[?.!]*$)"),
)  # fmt: skip
_KINDS: Final[dict[str, ChartKind]] = {
    "bar": "bar",
    "column": "bar",
    "histogram": "bar",
    "line": "line",
    "area": "area",
    "pie": "pie",
    "donut": "pie",
    "doughnut": "pie",
}
_LEFT: Final = re.compile(r"(?:\s*\b(?:and|or|please|pls|the|an?)\b)+(?=[?.!,;]*$)|^(?:the|an?|please)[?.!]*$", re.IGNORECASE)  # fmt: skip


class Display(Value):
    """What is to be drawn. `kind` is that of the chart where one is named; `rest` the question without it."""

    chart: bool = False
    table: bool = False
    kind: ChartKind | None = None
    rest: str

    @property
    def asked(self) -> bool:
        """Return whether anything was asked to be drawn."""
        return self.chart or self.table


def asked_display(question: str) -> Display:
    """Return what a question wants drawn; its rest is the question itself where that is nothing."""
    rest, kind, chart, table = question, None, False, False
    for pattern in _CHARTS:
        if match := pattern.search(rest):
            named = next((word for word in match.groupdict().values() if word), "").casefold()
            kind, chart = kind or _KINDS.get(named), True
            rest = _without(rest, match)
    for pattern in _TABLES:
        if match := pattern.search(rest):
            table = True
            rest = _without(rest, match)
    return Display(chart=chart, table=table, kind=kind, rest=rest if rest.strip(" ?.!") else "")


def _without(question: str, match: re.Match[str]) -> str:
    left = f"{question[: match.start()]} {question[match.end() :]}"
    tidy = re.sub(r"\s+(?=[?.!,;])", "", " ".join(left.split()))
    return _LEFT.sub("", tidy, count=1).strip(" ,;:–—-")
