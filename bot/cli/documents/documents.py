"""`masis docs`, `delete` and `workspaces`: what there is, and getting rid of it."""

import difflib
from typing import Annotated

import typer
from rich.text import Text

from bot.cli.documents.offered import offer_questions
from bot.cli.documents.steps import forget_workspace_steps
from bot.cli.exit_codes import BadInput, ExitCode
from bot.cli.options import JSON, TEAM, WorkspaceOption, command
from bot.cli.session import Opened, Session, opened
from bot.rendering import show
from masis.domain import Workspace
from storage.documents.census import count_of_others


@command(JSON, TEAM)
def docs(
    session: Session,
    *,
    workspace: WorkspaceOption,
) -> None:
    """List a workspace's documents."""
    with opened(session) as masis:
        place = masis.do(masis.app.workspace(workspace))
        found = masis.do(masis.app.repository.documents(place.id))
    if session.as_json:
        for document in found:
            session.print_json(show.document_json(document))
    elif found:
        session.out.print(show.documents(found))
    else:
        session.note(f"“{place.name}” holds no documents: add some with `masis ingest`.")


@command(JSON, TEAM)
def workspaces(session: Session) -> None:
    """List your workspaces, or with --team those of a team."""
    with opened(session) as masis:
        app = masis.app
        found = masis.do(app.repository.workspaces(app.owner))
        elsewhere = 0 if session.team else masis.do(count_of_others(app.database, app.owner))
    if session.as_json:
        for workspace in found:
            session.print_json(workspace.model_dump(mode="json"))
    elif found:
        session.out.print(show.workspaces(found))
    elif session.team:
        session.note(f"The team {session.team} has no workspaces.")
    else:
        session.note("No workspaces yet: `masis ingest FOLDER --workspace NAME` makes one.")
    if elsewhere:
        belong = f"{show.counted(elsewhere, 'workspace')} belong{'s' if elsewhere == 1 else ''}"
        session.note(f"{belong} to chat teams: `masis workspaces --team T` lists one team's.")


@command(JSON, TEAM)
def delete(
    session: Session,
    documents: Annotated[
        list[str] | None,
        typer.Argument(metavar="DOCUMENT...", help="Names as `masis docs` shows them."),
    ] = None,
    *,
    workspace: WorkspaceOption,
    everything: Annotated[
        bool, typer.Option("--all", help="Delete the whole workspace with all its documents.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before --all.")] = False,
) -> None:
    """Delete documents, or a whole workspace, at once and for good."""
    with opened(session) as masis:
        if bool(documents) == everything:
            raise BadInput("name the documents to delete, or give --all for the whole workspace")
        place = masis.do(masis.app.workspace(workspace))
        if everything:
            _confirm(session, place, yes=yes)
            masis.do(masis.app.ingest.delete_workspace(place))
            masis.do(forget_workspace_steps(masis.app, place))
            _tell(session, place.name, None)
            return
        for name in _checked(masis, place, documents or []):
            result = masis.do(masis.app.ingest.delete(place, name))
            _tell(session, name, result.blanked)
        masis.do(forget_workspace_steps(masis.app, place))
        masis.do(offer_questions(masis.app, place.id))


def _tell(session: Session, name: str, blanked: int | None) -> None:
    """Say what is gone, and how many stored answers with it, where any can be left."""
    if session.as_json:
        counted = {} if blanked is None else {"blanked": blanked}
        session.print_json({"status": "deleted", "name": name, **counted})
        return
    said = f"deleted {show.line(name)}"
    if blanked:
        said += f" · {show.counted(blanked, 'stored answer')} that quoted it emptied"
    session.out.print(Text(said))


def _checked(masis: Opened, place: Workspace, names: list[str]) -> list[str]:
    """The names, once each, when all of them exist: otherwise nothing is deleted."""
    there = [document.name for document in masis.do(masis.app.repository.documents(place.id))]
    for name in names:
        if name not in there:
            near = difflib.get_close_matches(name, there, n=1)
            hint = f"did you mean “{near[0]}”?" if near else "`masis docs` lists them."
            raise BadInput(f"“{place.name}” has no document “{name}”: {hint} Nothing was deleted.")
    return list(dict.fromkeys(names))


def _confirm(session: Session, place: Workspace, *, yes: bool) -> None:
    if yes:
        return
    if not session.can_ask:
        raise BadInput("--all deletes the whole workspace: give --yes as well to mean it")
    said = f"Delete “{show.line(place.name)}” with {place.documents} documents for good?"
    if not typer.confirm(said):
        session.note("Nothing was deleted.")
        raise typer.Exit(ExitCode.OK)
