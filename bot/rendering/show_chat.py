"""Show what people did in a chat, as an operator and as programs read it: pure functions."""

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table

from bot.rendering.show import line
from masis.conversation import TEAMS, AdminAction, Tenant

if TYPE_CHECKING:
    from storage.chat.votes import VotedRun


def team(tenant: Tenant) -> str:
    """A team as `--team` takes it; an organisation in Teams, of which no team is named, has a `/`."""
    if tenant.chat == TEAMS:
        return line(f"{tenant.enterprise}/{tenant.team}")
    return line("/".join(filter(None, (tenant.enterprise, tenant.team))))


def votes(found: "Sequence[VotedRun]", *, teams: bool) -> Table:
    """A row a vote; `teams` says whose it is."""
    table = _table("When (UTC)", "Vote", "Status", "Question", "Reason", teams=teams)
    for voted in found:
        vote = voted.vote
        row = [_moment(vote.at), _vote(good=vote.good), voted.status or "-"]
        row += [line(voted.question) or _without(voted), line(vote.reason)]
        table.add_row(*row, *([team(vote.tenant)] if teams else []))
    return table


def _without(voted: "VotedRun") -> str:
    return f"(run {line(voted.vote.run_id)} is not kept any more)"


def vote_json(voted: "VotedRun") -> dict[str, Any]:
    """One vote as programs read it; what is not kept any more is empty."""
    return {
        "at": voted.vote.at.isoformat(),
        "vote": _vote(good=voted.vote.good),
        "reason": voted.vote.reason,
        "question": voted.question,
        "status": voted.status,
        "answer": voted.answer,
        "documents": voted.documents,
        "blanked": voted.blanked,
        "team": team(voted.vote.tenant),
        "workspace_id": voted.workspace_id,
        "user": voted.vote.user,
        "run_id": voted.vote.run_id,
    }


def actions(found: Sequence[AdminAction], *, teams: bool) -> Table:
    """A row an admin action; `teams` says in which team it was."""
    table = _table("When (UTC)", "Who", "Action", "", "Target", "Detail", teams=teams)
    for action in found:
        row = [_moment(action.at), line(action.actor), line(action.action)]
        row += ["" if action.allowed else "refused", line(action.target), line(action.detail)]
        table.add_row(*row, *([team(action.tenant)] if teams else []))
    return table


def action_json(action: AdminAction) -> dict[str, Any]:
    """One admin action as programs read it."""
    return action.model_dump(mode="json", exclude={"tenant"}) | {"team": team(action.tenant)}


def _vote(*, good: bool) -> str:
    return "good" if good else "not good"


def _moment(at: dt.datetime) -> str:
    return f"{at.astimezone(dt.UTC):%Y-%m-%d %H:%M}"


def _table(*columns: str, teams: bool) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in (*columns, *(["Team"] if teams else [])):
        table.add_column(column, overflow="fold")
    return table
