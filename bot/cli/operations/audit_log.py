"""`masis audit`: who linked, changed or was refused what."""

from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.session import (
    DebugOption,
    JsonOption,
    Session,
    TeamOption,
    error_json,
    opened,
)
from bot.rendering import show_chat

if TYPE_CHECKING:
    from bot.compose import App
    from masis.conversation import AdminAction, Tenant


def audit(
    ctx: typer.Context,
    *,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=100_000, help="The newest so many.")
    ] = 100,
    team: TeamOption = "",  # noqa: ARG001 - its callback has noted it
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """List what admins did in Slack and what was refused, the newest first."""
    session = Session.of(ctx)
    with opened(session, unasked=error_json if as_json else None) as masis:
        found = masis.do(_actions(masis.app, session.tenant, limit))
    if as_json:
        for action in found:
            session.print_json(show_chat.action_json(action))
    elif found:
        session.print(show_chat.actions(found, teams=session.tenant is None))
    else:
        session.note("No admin actions yet.")


async def _actions(app: "App", tenant: "Tenant | None", limit: int) -> "list[AdminAction]":
    from storage.chat.admin_log import AdminLog  # noqa: PLC0415 - help is quick without
    from storage.chat.teams import teams  # noqa: PLC0415 - help is quick without

    log = AdminLog(app.database)
    everyone = await teams(app.database) if tenant is None else [tenant]
    found = [action for each in everyone for action in await log.list(each, limit)]
    return sorted(found, key=lambda action: action.at, reverse=True)[:limit]
