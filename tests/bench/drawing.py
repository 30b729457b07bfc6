"""Draws what is stopped against what is let through, as a gate or a mark moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt

_COLOURS = ("#20639b", "#3caea3", "#ed553b")


@dataclass(frozen=True, slots=True)
class Curve:
    """One kind of questions: shares let through of the good ones, and stopped of the bad ones.

    `chosen` is the index of the point in use, `also` are those of others that are.
    """

    label: str
    passed: Sequence[float]
    stopped: Sequence[float]
    chosen: int
    also: tuple[int, ...] = ()


def trade_off(
    curves: Sequence[Curve], path: Path, *, title: str, axes: tuple[str, str], dot: str
) -> None:
    """Save the curves as a picture; `dot` says what the point in use is."""
    figure, plot = plt.subplots(figsize=(6, 4.5))
    for curve, colour in zip(curves, _COLOURS, strict=False):
        plot.plot(curve.passed, curve.stopped, color=colour, label=curve.label)
    plot.plot([0, 1], [1, 0], color="#999999", linestyle=":", label="chance")
    at = [
        (curve.passed[index], curve.stopped[index])
        for curve in curves
        for index in (curve.chosen, *curve.also)
    ]
    plot.plot(*zip(*at, strict=True), "o", color="#c0392b", label=dot)
    plot.set_xlabel(axes[0])
    plot.set_ylabel(axes[1])
    plot.set_title(title)
    plot.grid(alpha=0.3)
    plot.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)
