"""Hold the figures that were found to calculate with."""

from masis.domain import CalculationKind, Figure, Value


class Group(Value):
    """Figures that one calculation is made of, and what they are of; several series have names."""

    label: str
    figures: list[Figure]
    series: str = ""


class Operands(Value):
    """What was found to calculate with. `is_sure` says that nothing else could be meant.

    `is_whole` says that the figures have every word that is asked for. `among` says which rows they are
    of, `kind` what is calculated with them where that is another thing than what was asked for. `lacks`
    names the period that no figure was found of; `is_money` says that they are amounts of money. `listed`
    says that each group is one figure to be shown beside the others.
    """

    groups: list[Group]
    is_sure: bool
    is_whole: bool = True
    among: str = ""
    lacks: str = ""
    kind: CalculationKind | None = None
    is_money: bool = True
    listed: bool = False
