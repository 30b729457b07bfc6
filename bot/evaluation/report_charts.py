"""Charts as inline SVG, each with its title, its description, and its figures in a table beside.

Colours are classes of the style sheet: the page's policy allows no style within an element.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from lxml.html import HtmlElement

from bot.evaluation.evaluation import Band, Verdict
from bot.evaluation.markup import el, table
from bot.evaluation.report_words import VERDICTS, share

MAX_ROWS: Final = 16
"""Of a chart; the table beside has them all."""

_LABEL, _BAR, _ROW = 170, 400, 30
_NARROWEST = 18
"""Pixels of a part that still holds its figure."""

_PLOT, _EDGE = 260, 46


def outcomes(rows: Mapping[str, Mapping[Verdict, int]], name: str) -> HtmlElement:
    """Draw how the questions of each row ended, in shares of one whole."""
    shown = list(rows.items())
    # The last row is the whole; a chart that is cut keeps it.
    drawn = shown if len(shown) <= MAX_ROWS else [*shown[: MAX_ROWS - 1], shown[-1]]
    height = _ROW * len(drawn) + 4
    parts = [part for at, (label, row) in enumerate(drawn) for part in _stack(at, label, row)]
    said = "; ".join(f"{label}: {_said(row)}" for label, row in drawn[-1:])
    heads = [verdict for verdict in VERDICTS if any(verdict in row for row in rows.values())]
    cells = [[label, *(str(row.get(head, 0)) for head in heads)] for label, row in shown]
    return el(
        "figure",
        el("h2", name),
        _legend(heads),
        _svg(f"{_LABEL + _BAR + 50} {height}", name, f"Stacked bars. {said}.", parts, "outcomes"),
        table("The same in figures", ["Questions", *(VERDICTS[head] for head in heads)], cells),
    )


def _said(row: Mapping[Verdict, int]) -> str:
    return ", ".join(f"{VERDICTS[each]} {row[each]}" for each in VERDICTS if each in row)


def _legend(heads: Sequence[Verdict]) -> HtmlElement:
    items = [el("li", el("span", class_=f"swatch v-{each}"), VERDICTS[each]) for each in heads]
    return el("ul", *items, class_="legend")


def _stack(at: int, label: str, row: Mapping[Verdict, int]) -> list[HtmlElement]:
    total, top = sum(row.values()), at * _ROW + 2
    short = label if len(label) <= 22 else f"{label[:21]}…"  # noqa: PLR2004 - what fits there
    middle = top + _ROW / 2 + 2
    made = [el("text", short, x=_LABEL - 10, y=middle, text_anchor="end", class_="label")]
    left: float = _LABEL
    for verdict in VERDICTS:
        number = row.get(verdict, 0)
        width = _BAR * number / total if total else 0
        if not number:
            continue
        box = {"x": f"{left:.1f}", "y": f"{top}", "width": f"{width:.1f}", "height": f"{_ROW - 6}"}
        hint = el("title", f"{label}: {VERDICTS[verdict]} {number} of {total}")
        made.append(el("rect", hint, class_=f"v-{verdict}", **box))
        if width >= _NARROWEST:
            at_x = f"{left + width / 2:.1f}"
            made.append(el("text", str(number), x=at_x, y=middle, class_=f"on v-{verdict}"))
        left += width
    made.append(el("text", str(total), x=_LABEL + _BAR + 8, y=middle, class_="label"))
    return made


def reliability(bands: Sequence[Band]) -> HtmlElement:
    """Draw what was claimed against what came true. On the line, confidence means what it says."""
    most = max((band.right.of for band in bands), default=1)
    points = [_point(band, most) for band in bands]
    name = "Does the confidence mean what it says?"
    said = (
        "Each dot is a band of confidence; across is the mean confidence, upwards the share of"
        " drafts that were right. Dots on the line claim what they hold, dots below it too much."
    )
    rows = [
        [
            f"{band.low * 100:.0f} to {band.high * 100:.0f} %",
            f"{band.confidence * 100:.0f} %",
            share(band.right.hits, band.right.of),
        ]
        for band in bands
    ]
    side = f"{_PLOT + _EDGE + 24} {_PLOT + _EDGE + 24}"
    return el(
        "figure",
        el("h2", name),
        el("p", said, class_="hint"),
        el(
            "div",
            _svg(side, name, said, [*_axes(), *points], "reliability"),
            table("The same in figures", ["Confidence", "Mean", "Right"], rows),
            class_="side",
        ),
    )


def _at(x: float, y: float) -> tuple[str, str]:
    return f"{_EDGE + x * _PLOT:.1f}", f"{_EDGE / 2 + (1 - y) * _PLOT:.1f}"


def _line(start: tuple[float, float], end: tuple[float, float], class_: str) -> HtmlElement:
    (x1, y1), (x2, y2) = _at(*start), _at(*end)
    return el("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def _axes() -> list[HtmlElement]:
    made = []
    for tenths in (0, 25, 50, 75, 100):
        share_ = tenths / 100
        made += [_line((share_, 0), (share_, 1), "grid"), _line((0, share_), (1, share_), "grid")]
        x, bottom = _at(share_, 0)
        left, y = _at(0, share_)
        made.append(el("text", f"{tenths}", x=x, y=f"{float(bottom) + 18}", class_="label middle"))
        made.append(
            el("text", f"{tenths}", x=f"{float(left) - 8}", y=f"{float(y) + 4}", class_="label end")
        )
    x, y = _at(0.5, 0)
    made.append(el("text", "confidence, %", x=x, y=f"{float(y) + 38}", class_="label middle"))
    made.append(el("text", "right, %", x=_at(0, 1)[0], y="12", class_="label middle"))
    made.append(_line((0, 0), (1, 1), "ideal"))
    return made


def _point(band: Band, most: int) -> HtmlElement:
    x, y = _at(band.confidence, band.right.share)
    radius = 4 + 9 * (band.right.of / most) ** 0.5  # its area shows how many
    said = f"confidence {band.confidence:.0%}, right {share(band.right.hits, band.right.of)}"
    return el("circle", el("title", said), cx=x, cy=y, r=f"{radius:.1f}", class_="point")


def _svg(size: str, title: str, said: str, parts: Sequence[HtmlElement], name: str) -> HtmlElement:
    made = el(
        "svg",
        el("title", title, id=f"{name}-title"),
        el("desc", said, id=f"{name}-desc"),
        *parts,
        role="img",
        class_=name,
        aria_labelledby=f"{name}-title",
        aria_describedby=f"{name}-desc",
    )
    made.set("viewBox", f"0 0 {size}")  # the one attribute here with a capital letter
    return made
