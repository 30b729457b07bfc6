"""`masis feedback`: what people thought of answers, and evaluation cases made of it."""

import datetime as dt
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from bot.cli.exit_codes import BadInput
from bot.cli.options import JSON, TEAM, WorkspaceOption, command
from bot.cli.questions.cases import Cases, cases
from bot.cli.session import Session, opened
from bot.compose import App
from bot.rendering import show, show_chat
from masis.conversation import Tenant
from storage.chat.votes import VotedRun, Votes

MOST: Final = 10_000
"""Votes of one call."""


@command(TEAM, JSON)
def feedback(
    session: Session,
    *,
    workspace: WorkspaceOption = "",
    since: Annotated[
        int | None,
        typer.Option("--since", metavar="DAYS", min=1, max=36_500, help="The last days' alone."),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write them as cases for `masis eval`, in JSON lines."),
    ] = None,
) -> None:
    """List what people in Slack thought of answers, the newest vote first.

    With --export, a good vote makes a case whose gold documents are those that the answer cites; a
    bad one makes a case that a person has to complete, which its note says.
    """
    with opened(session) as masis:
        found = masis.do(_found(masis.app, session.tenant, workspace, since))
        if len(found) == MOST:
            session.note(f"Only the newest {MOST:,} votes were looked at.")
        if export is not None:
            _export(session, export, cases(found))
            return
    if session.as_json:
        for voted in found:
            session.print_json(show_chat.vote_json(voted))
    elif found:
        session.out.print(show_chat.votes(found, teams=session.tenant is None))
    else:
        session.note("No votes yet: every answer in Slack has buttons for them.")


async def _found(
    app: App, tenant: Tenant | None, workspace: str, since: int | None
) -> list[VotedRun]:
    if workspace and tenant is None:
        raise BadInput("--workspace needs --team: several teams may have one of that name")
    scope = (await app.workspace(workspace)).id if workspace else None
    found = await Votes(app.database).list(tenant, scope, MOST)
    if since is None:
        return found
    begin = dt.datetime.now(dt.UTC) - dt.timedelta(days=since)
    return [voted for voted in found if voted.vote.at >= begin]


def _export(session: Session, file: Path, made: Cases) -> None:
    if made.cases:
        _write(file, made.cases)
    if made.left_out:
        left_out = show.counted(made.left_out, "answer")
        session.note(f"Left out: {left_out} whose question or sources are not kept any more.")
    if session.as_json:
        figures = {"to_complete": made.to_complete, "left_out": made.left_out}
        session.print_json({"status": "exported", "cases": len(made.cases), **figures})
    elif made.cases:
        said = f"{show.counted(len(made.cases), 'case')} in {show.line(str(file))}"
        if made.to_complete:
            said += f", {made.to_complete} of them to be completed as their notes say"
        session.out.print(Text(said))
    else:
        session.note("There was nothing to export; no file was written.")


def _write(file: Path, made: list[dict[str, Any]]) -> None:
    """Write a new file, for its owner alone: it holds what people asked.

    Raises:
        BadInput: it cannot be written, or is there already.
    """
    if file.suffix.lower() == ".csv":
        raise BadInput("--export writes JSON lines: name a file such as cases.jsonl")
    lines = "".join(f"{show.as_json(case)}\n" for case in made)
    try:
        file.touch(mode=0o600, exist_ok=False)
        file.write_text(lines, encoding="utf-8")
    except FileExistsError:
        raise BadInput(f"“{show.line(str(file))}” is there already: name a new file") from None
    except OSError as error:
        raise BadInput(f"“{show.line(str(file))}” cannot be written: {error.strerror}") from None
