"""`masis purge`: forgetting a person, a team or a workspace, to the last byte."""

import re
from typing import Annotated, Final

import typer
from rich.text import Text

from bot.cli.exit_codes import BadInput, ExitCode
from bot.cli.operations import forgetting
from bot.cli.operations.forgetting import Removal, forget
from bot.cli.options import JSON, TEAM, WorkspaceOption, command
from bot.cli.questions.terminal_thread import TERMINAL
from bot.cli.session import Session, opened
from bot.compose import App
from bot.rendering import show
from masis.conversation import LOCAL_TENANT, Tenant
from storage.privacy.purge import PurgeReport

_USER: Final = re.compile(rf"[UW][A-Z0-9]{{2,63}}|{TERMINAL}:.{{1,55}}")


@command(TEAM, JSON)
def purge(
    session: Session,
    *,
    user: Annotated[
        str,
        typer.Option(
            metavar="U",
            help="The Slack user (`U0123`), of the team in --team; or `terminal:NAME`, the account"
            " that talked with `masis chat`.",
        ),
    ] = "",
    workspace: WorkspaceOption = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before.")] = False,
) -> None:
    """Forget a person, a team or a workspace for good.

    --user with --team: what a person asked, replied and voted; --user terminal:NAME alone: what
    that account asked with `masis chat` of the command line's workspaces. --team alone: all of a team, with
    its workspaces and its installation. --workspace: a workspace and all conversations about it.
    Messages that were posted in Slack stay there.
    """
    with opened(session) as masis:
        removal = masis.do(_meant(masis.app, session.tenant, user, workspace))
        _tell_before(session, removal)
        _confirm(session, yes=yes)
        report = masis.do(forget(masis.app, removal))
    if session.as_json:
        session.print_json({"status": "purged", **report.model_dump(mode="json")})
    else:
        session.out.print(_summary(report))


async def _meant(app: App, tenant: Tenant | None, user: str, workspace: str) -> Removal:
    if user and workspace:
        raise BadInput("--user and --workspace exclude each other: purge one, then the other")
    if workspace:
        return await forgetting.of_workspace(app, await app.workspace(workspace))
    if tenant is None and user.startswith(f"{TERMINAL}:"):
        tenant = LOCAL_TENANT
    if tenant is None:
        raise BadInput("say what to forget: --user with --team, --team alone, or --workspace")
    if not user:
        return await forgetting.of_team(app, tenant)
    if not _USER.fullmatch(user):
        raise BadInput(f"--user should be an id such as U0123ABCD, not “{show.line(user)}”.")
    return await forgetting.of_user(app, tenant, user)


def _tell_before(session: Session, removal: Removal) -> None:
    session.note(f"To be removed for good: {removal.said} Messages posted in Slack stay.")
    if removal.open_requests:
        count = show.counted(len(removal.open_requests), "request")
        session.note(
            f"Still open: {count}. A bot that is at work on one may still post, and write down anew"
            " what is removed here: stop it before, or let it end."
        )


def _confirm(session: Session, *, yes: bool) -> None:
    if yes:
        return
    if not session.can_ask:
        raise BadInput("this cannot be undone: give --yes as well to mean it")
    if not typer.confirm("Remove it for good?"):
        session.note("Nothing was removed.")
        raise typer.Exit(ExitCode.OK)


def _summary(report: PurgeReport) -> Text:
    """Say what is gone, in a line."""
    counts = {
        "workspace": len(report.workspaces),
        "request": report.requests,
        "clarification": report.sessions,
        "vote": report.votes,
    }
    parts = [show.counted(count, noun) for noun, count in counts.items() if count]
    said = ", ".join(parts) or "nothing was left to remove"
    emptied = f"; {show.counted(report.emptied, 'request')} of others emptied"
    return Text(f"removed: {said}{emptied if report.emptied else ''}" if parts else said)
