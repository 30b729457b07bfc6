"""The `masis` program: its commands, put together."""

from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

from bot.cli.doctor.doctor import doctor
from bot.cli.documents.documents import delete, docs, workspaces
from bot.cli.documents.ingest import ingest
from bot.cli.documents.sync import sync
from bot.cli.documents.synonyms import synonyms
from bot.cli.exit_codes import ExitCode
from bot.cli.operations.app_manifest import manifest
from bot.cli.operations.audit_log import audit
from bot.cli.operations.keys import keys
from bot.cli.operations.migrate import migrate
from bot.cli.operations.playground import playground
from bot.cli.operations.purge import purge
from bot.cli.operations.runs import runs
from bot.cli.operations.serve_command import serve
from bot.cli.operations.token import token
from bot.cli.operations.usage import usage
from bot.cli.operations.worker_command import worker
from bot.cli.questions.ask import ask
from bot.cli.questions.compare import compare
from bot.cli.questions.demo import demo
from bot.cli.questions.draw import graph
from bot.cli.questions.feedback import feedback
from bot.cli.questions.quality import calibrate, evaluate
from bot.cli.session import DebugOption
from masis import __version__

_CODES = "\n".join(f"{code:>3}  {code.meaning}" for code in ExitCode)

app = typer.Typer(
    name="masis",
    help="Answers questions from your documents: every claim cites its source, and the confidence"
    " is computed, not claimed.",
    # \b keeps the lines of the list apart.
    epilog=f"\b\nExit codes:\n{_CODES}",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Plain help and errors: a line each, the same on a terminal and in a pipe.
    rich_markup_mode=None,
)


def _installed() -> str:
    try:
        return version("masis")
    except PackageNotFoundError:
        return __version__  # run from a checkout


def _version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        typer.echo(_installed())
        raise typer.Exit


@app.callback()
def _options(
    *,
    debug: DebugOption = False,
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Runs before every command; both options have been noted by their callbacks."""


app.command()(ingest)
app.command()(sync)
app.command()(ask)
app.command()(docs)
app.command()(delete)
app.command()(workspaces)
app.command("eval")(evaluate)
app.command()(compare)
app.command()(calibrate)
app.command()(graph)
app.command()(doctor)
app.command()(demo)
app.command()(playground)
app.command()(manifest)
app.command()(serve)
app.command()(worker)
app.command()(migrate)
app.command()(feedback)
app.command()(audit)
app.command()(usage)
app.command()(purge)
app.add_typer(keys, name="keys")
app.add_typer(runs, name="runs")
app.add_typer(token, name="token")
app.add_typer(synonyms, name="synonyms")
