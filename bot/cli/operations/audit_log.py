"""`masis audit`: who linked, changed or was refused what."""

from typing import Annotated

import typer

from bot.cli.options import JSON, TEAM, command
from bot.cli.session import Session, opened
from bot.compose import App
from bot.rendering import show_chat
from masis.conversation import AdminAction, Tenant
from storage.chat.admin_log import AdminLog
from storage.chat.teams import teams


@command(TEAM, JSON)
def audit(
    session: Session,
    *,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=100_000, help="The newest so many.")
    ] = 100,
) -> None:
    """List what admins did in Slack and what was refused, the newest first."""
    with opened(session) as masis:
        found = masis.do(_actions(masis.app, session.tenant, limit))
    if session.as_json:
        for action in found:
            session.print_json(show_chat.action_json(action))
    elif found:
        session.out.print(show_chat.actions(found, teams=session.tenant is None))
    else:
        session.note("No admin actions yet.")


async def _actions(app: App, tenant: Tenant | None, limit: int) -> list[AdminAction]:
    log = AdminLog(app.database)
    everyone = await teams(app.database) if tenant is None else [tenant]
    found = [action for each in everyone for action in await log.list(each, limit)]
    return sorted(found, key=lambda action: action.at, reverse=True)[:limit]
