"""`masis demo`: a company's folder put in, four conversations about it, and a code found, in the terminal."""

from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from bot.cli import exit_codes
from bot.cli.documents.ingest import put
from bot.cli.documents.paths import find
from bot.cli.exit_codes import ExitCode
from bot.cli.options import JSON, command
from bot.cli.questions.ask import show_finished, steps
from bot.cli.questions.terminal_thread import TerminalThread
from bot.cli.session import Opened, Session, opened, reporting
from bot.playground import samples
from bot.rendering import show
from bot.settings import Settings
from masis.domain import Workspace

WORKSPACE: Final = "demo"

ENDED_WELL: Final = {ExitCode.OK, ExitCode.NEEDS_CLARIFICATION}


@command(JSON)
def demo(
    session: Session,
    *,
    data_dir: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Another data folder than MASIS_DATA_DIR."),
    ] = None,
) -> None:
    """Put a sample workspace in, answer four questions from it, and find a code in a list."""
    with reporting(session):
        settings = keyless(session, data_dir)
    with opened(session, settings=settings) as masis:
        workspace = _prepared(session, masis)
        codes = [
            _answered(session, masis, workspace, number, each)
            for number, each in enumerate(samples.questions(), start=1)
        ]
        codes += _coded(session, masis, len(codes) + 1)
        if not session.as_json:
            session.out.print(_goodbye(settings))
    raise typer.Exit(next((code for code in codes if code not in ENDED_WELL), ExitCode.OK))


def keyless(session: Session, data_dir: Path | None) -> Settings:
    """The settings, with `auto` read as offline: a demo spends nobody's money by surprise."""
    settings = session.load()
    changes: dict[str, Any] = {"data_dir": data_dir} if data_dir else {}
    if settings.agents == "auto":
        changes["agents"] = "offline"
    return session.load(**changes) if changes else settings


def _prepared(session: Session, masis: Opened) -> Workspace:
    """The sample workspace, with every document in it."""
    app = masis.app
    with resources.as_file(samples.SAMPLE / samples.DOCS) as folder:
        files = find([str(folder)])
        if not session.as_json:
            session.out.print(
                Text(f"{len(files)} working documents of {samples.COMPANY}, an invented company.")
            )
        workspace = masis.do(app.repository.create_workspace(app.owner, WORKSPACE))
        put(session, masis, workspace, files, quiet=True)
    workspace = masis.do(app.workspace(WORKSPACE))
    if not session.as_json:
        passages = show.counted(workspace.chunks, "passage")
        said = f"They are in the workspace “{WORKSPACE}” now, as {passages}. Four questions:"
        session.out.print(Text(said))
    return workspace


def _answered(
    session: Session,
    masis: Opened,
    workspace: Workspace,
    number: int,
    each: samples.Shown,
    *,
    replies: bool = False,
) -> ExitCode:
    """Hold one of the conversations; give how the first bad one ended.

    Where it `replies`, a question back is answered.
    """
    if not session.as_json:
        session.out.print(Text(f"\n{number}. {each.shows}", style="bold"))
    thread = TerminalThread(masis.app, workspace)
    codes = [_said(session, masis, thread, text) for text in (each.question, *each.then)]
    if replies and each.reply and codes[-1] is ExitCode.NEEDS_CLARIFICATION:
        codes = [_said(session, masis, thread, each.reply)]
    return next((code for code in codes if code not in ENDED_WELL), codes[0])


def _said(session: Session, masis: Opened, thread: TerminalThread, text: str) -> ExitCode:
    """Say something in a thread, and show what comes of it."""
    if not session.as_json:
        session.out.print(Text(f"> {text}\n", style="cyan"))
    # Off a terminal the steps would only stand between the answers.
    with steps(session, quiet=session.live is None) as on_step:
        finished = masis.do(thread.say(text, on_step))
    if session.as_json:
        session.print_json({"question": text, **show.finished_json(finished)})
    else:
        show_finished(session, finished)
        session.out.print(Text())
    return exit_codes.of_outcome(finished.outcome)


def _coded(session: Session, masis: Opened, number: int) -> list[ExitCode]:
    """Find codes in the sample's code list, which lies in a workspace of its own."""
    shown = samples.codes()
    if not shown:
        return []
    app = masis.app
    made = masis.do(app.repository.create_workspace(app.owner, samples.TICKETS))
    with resources.as_file(samples.SAMPLE / samples.CODE_LISTS) as folder:
        put(session, masis, made, find([str(folder)]), quiet=True)
    workspace = masis.do(app.workspace(samples.TICKETS))
    if not session.as_json:
        session.out.print(Text(f"\nA list of codes is in the workspace “{samples.TICKETS}”:"))
    return [
        _answered(session, masis, workspace, at, each, replies=True)
        for at, each in enumerate(shown, start=number)
    ]


def _goodbye(settings: Settings) -> Text:
    return Text(
        f'\nAsk your own: masis ask "..." --workspace {WORKSPACE}\n'
        "Your documents: masis ingest FOLDER --workspace NAME\n"
        f"Everything lies in {show.line(str(settings.data_dir))}",
        style="dim",
    )
