"""`masis usage`: what model calls cost, and how much of the day's budget is used."""

import datetime as dt
from typing import Annotated, get_args

import typer

from bot.cli.exit_codes import BadInput
from bot.cli.options import JSON, TEAM, command
from bot.cli.session import Session, opened
from bot.compose import App
from bot.rendering import show_usage
from bot.rendering.show_usage import UsageLine
from masis.conversation import Tenant
from storage.models.ledger import Grouping, SqlLedger


@command(TEAM, JSON)
def usage(
    session: Session,
    *,
    by: Annotated[
        str, typer.Option(metavar="WHAT", help="workspace, user, channel, run or model.")
    ] = "workspace",
    days: Annotated[
        int, typer.Option(metavar="N", min=1, max=3650, help="Of the last so many days.")
    ] = 30,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=100_000, help="The costliest so many.")
    ] = 100,
) -> None:
    """Sum up calls, tokens and money of model and embedding services, the most tokens first.

    By workspace it also says how much of the budget of today (UTC) is used.
    """
    with opened(session) as masis:
        found = masis.do(_lines(masis.app, session.tenant, _grouping(by), days, limit))
    if session.as_json:
        for line in found:
            session.print_json(show_usage.line_json(line))
    elif found:
        session.out.print(show_usage.table(found, by, teams=session.tenant is None))
        if any(line.usage.unpriced for line in found):
            session.note("+ marks sums without calls that have no price (MASIS_MODEL_PRICES).")
    else:
        session.note(f"No calls of a model service in the last {days} days.")


def _grouping(word: str) -> Grouping:
    """Check the word for what is summed up by.

    Raises:
        BadInput: there is nothing of that name.
    """
    for known in get_args(Grouping):
        if word == known:
            found: Grouping = known
            return found
    raise BadInput(f"--by should be one of {', '.join(get_args(Grouping))}.")


async def _lines(
    app: App, tenant: Tenant | None, by: Grouping, days: int, limit: int
) -> list[UsageLine]:
    ledger, budget = SqlLedger(app.database), app.settings.budget
    since = dt.datetime.now(dt.UTC) - dt.timedelta(days=days)
    found = await ledger.usage(tenant, by, since, limit)
    if by != "workspace":
        return [UsageLine(usage=each) for each in found]
    today = await ledger.spent_today(each.key for each in found if each.key)
    shares = {key: budget.share(spent) for key, spent in today.items()}
    nothing = 0.0 if budget.is_limited else None
    return [UsageLine(usage=each, share=shares.get(each.key, nothing)) for each in found]
