"""Show what model calls cost, as an operator and as programs read it: pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.table import Table

from bot.rendering.show import line
from bot.rendering.show_chat import team
from masis.spending import MILLION

if TYPE_CHECKING:
    from storage.models.ledger import Usage


@dataclass(frozen=True)
class UsageLine:
    """One sum, and the share of today's budget that its workspace used, where there is one."""

    usage: "Usage"
    share: float | None = None


def table(found: Sequence[UsageLine], by: str, *, teams: bool) -> Table:
    """A row a sum, and one of all; `teams` says whose each is."""
    shown = Table(box=None, pad_edge=False, header_style="bold")
    shown.add_column(by.capitalize(), overflow="fold")
    budgeted = any(each.share is not None for each in found)
    numbers = ["Calls", "Tokens in", "Tokens out", "Cost", *(["Budget today"] if budgeted else [])]
    for column in numbers:
        shown.add_column(column, justify="right")
    if teams:
        shown.add_column("Team", overflow="fold")
    for each in found:
        share = [_percent(each.share)] if budgeted else []
        whose = [team(each.usage.tenant)] if teams else []
        shown.add_row(_name(each.usage), *_figures([each.usage]), *share, *whose)
    if len(found) > 1:
        shown.add_row("In all", *_figures([each.usage for each in found]))
    return shown


def line_json(each: UsageLine) -> dict[str, Any]:
    """One sum as programs read it; `cost` leaves out the `unpriced_calls`."""
    usage = each.usage
    return {
        "key": usage.key,
        "name": usage.name,
        "team": team(usage.tenant),
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost": usage.cost / MILLION,
        "unpriced_calls": usage.unpriced,
        "budget_share": each.share,
    }


def _name(usage: "Usage") -> str:
    return line(usage.name or usage.key) or "-"


def _figures(usages: "Sequence[Usage]") -> list[str]:
    cost = sum(each.cost for each in usages) / MILLION
    is_partial = any(each.unpriced for each in usages)
    counts = (
        sum(each.calls for each in usages),
        sum(each.prompt_tokens for each in usages),
        sum(each.completion_tokens for each in usages),
    )
    return [*(f"{count:,}" for count in counts), f"{cost:,.4f}{'+' if is_partial else ''}"]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"
