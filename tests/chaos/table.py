"""What came of everything, as lines of a table."""

import statistics
from dataclasses import dataclass, field
from typing import Final

from tests.chaos.kills import Report
from tests.chaos.lives import Life
from tests.chaos.moments import Outcome
from tests.chaos.outages import Damage

HEAD: Final = "| what | tried | lost | doubled | | |\n|---|---|---|---|---|---|"
MOST_APOLOGIES: Final = 0.02


@dataclass
class Line:
    """One line of the table. What was not counted is not shown as nothing."""

    what: str
    tried: str = ""
    lost: int | None = None
    doubled: int | None = None
    rest: str = ""
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        mark = "ok" if not self.wrong else f"**{'; '.join(self.wrong)}**"
        counts = ("" if count is None else str(count) for count in (self.lost, self.doubled))
        cells = (self.what, self.tried, *counts, self.rest, mark)
        return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def killed(name: str, report: Report) -> Line:
    """A loop of kills."""
    found, wrong = report.account, report.wrong
    if found.apologies > MOST_APOLOGIES:
        wrong.append(f"{found.apologies:.1%} apologies")
    rest = (
        f"a kill each {report.plan.pauses[0]:g} to {report.plan.pauses[1]:g} s;"
        f" {found.ends['failed']} apologies ({found.apologies:.1%});"
        f" all done {report.settled_s:.1f} s after the last kill;"
        f" a new process listens after {statistics.median(report.restarts_s):.1f} s;"
        f" {found.repeated_calls} model calls paid twice; slowest ack {found.slowest_ack:.2f} s;"
        f" {report.asked - report.taken_on} asked in vain; {report.seconds:.0f} s in all"
    )
    tried = f"{report.taken_on} questions, {found.accepted} requests with the replies,"
    return Line(name, f"{tried} {report.kills} kills", found.lost, found.doubled, rest, wrong)


def died(came: Outcome) -> Line:
    """A death at a named moment."""
    tried = f"ended in: {came.ends}"
    return Line(came.name, tried, came.lost, came.doubled, f"{came.seconds:.1f} s", came.wrong)


def lived(name: str, life: Life) -> Line:
    """An end that is no accident."""
    found = life.account
    rest = f"all done after {life.seconds:.1f} s; {'; '.join(life.notes)}"
    return Line(name, f"{found.accepted} requests", found.lost, found.doubled, rest, life.wrong)


def damaged(name: str, damage: Damage) -> Line:
    """An outage."""
    found = damage.account
    ends = ", ".join(f"{times} {kind}" for kind, times in damage.ends.items()) or "no outcome"
    words = "; ".join(f"“{said}”" for said in sorted(damage.said | set(damage.refused)))
    tried = (
        f"{damage.asked} asked in {damage.seconds:.0f} s: {damage.acked} acknowledged,"
        f" {damage.refused.total()} refused; {found.accepted} requests with those before and after"
    )
    rest = (
        f"{ends}; slowest ack {found.slowest_ack:.2f} s, slowest refusal"
        f" {found.slowest_refusal:.2f} s; answers again after {damage.recovered_s:.1f} s; {words}"
    )
    return Line(name, tried, found.lost, found.doubled, rest, damage.wrong)
