"""The `masis` program: its commands by name, each imported when it is called."""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any, Final, NamedTuple, cast

import typer
from typer.core import TyperCommand, TyperGroup

from bot.cli.exit_codes import ExitCode
from bot.cli.options import DebugOption
from bot.cli.session import Session
from masis import __version__

_CODES = "\n".join(f"{code:>3}  {code.meaning}" for code in ExitCode)


class Row(NamedTuple):
    """Name a command, the function or group that it is (`module:name`), and its line in the help."""

    name: str
    where: str
    help: str

    def load(self) -> TyperCommand | TyperGroup:
        """Import the command."""
        module, _, name = self.where.partition(":")
        found = getattr(import_module(module), name)
        if isinstance(found, typer.Typer):
            return typer.main.get_group(found)
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(self.name)(found)
        return cast("TyperCommand", typer.main.get_command(alone))


COMMANDS: Final = (
    Row(
        "ingest",
        "bot.cli.documents.ingest:ingest",
        "Put documents into a workspace, which is made when it is new.",
    ),
    Row(
        "sync",
        "bot.cli.documents.sync:sync",
        "Keep a workspace equal to a folder: add, update, rename and remove.",
    ),
    Row("ask", "bot.cli.questions.ask:ask", "Ask a workspace; the answer cites its sources."),
    Row(
        "chat",
        "bot.cli.questions.talk:chat",
        "Talk with a workspace: each line is a question, which may go on with those before it.",
    ),
    Row("docs", "bot.cli.documents.documents:docs", "List a workspace's documents."),
    Row(
        "delete",
        "bot.cli.documents.documents:delete",
        "Delete documents, or a whole workspace, at once and for good.",
    ),
    Row(
        "workspaces",
        "bot.cli.documents.documents:workspaces",
        "List your workspaces, or with --team those of a team.",
    ),
    Row(
        "eval",
        "bot.cli.questions.quality:evaluate",
        "Ask questions whose answers are known; count what comes out right, and write a report.",
    ),
    Row(
        "compare",
        "bot.cli.questions.compare:compare",
        "List the questions that end otherwise in the second of two reports of `masis eval`.",
    ),
    Row(
        "calibrate",
        "bot.cli.questions.quality:calibrate",
        "Measure on labelled questions what the embedder's cosine means.",
    ),
    Row("graph", "bot.cli.questions.draw:graph", "Print a graph as a Mermaid drawing."),
    Row(
        "doctor",
        "bot.cli.doctor.doctor:doctor",
        "Check what MASIS needs, and say what to do where it lacks.",
    ),
    Row(
        "demo",
        "bot.cli.questions.demo:demo",
        "Put a sample workspace in, answer four questions from it, and find a code in a list.",
    ),
    Row(
        "playground",
        "bot.cli.operations.playground:playground",
        "Try MASIS in a chat on this machine: no account, no key, no network.",
    ),
    Row(
        "manifest",
        "bot.cli.operations.app_manifest:manifest",
        "Print the manifest that Slack asks for, or write the app package of Microsoft Teams.",
    ),
    Row(
        "teams",
        "bot.cli.operations.teams_links:teams",
        "Link channels of Microsoft Teams to workspaces.",
    ),
    Row(
        "serve",
        "bot.cli.operations.serve_command:serve",
        "Answer in Slack and Microsoft Teams, until the process is ended.",
    ),
    Row(
        "worker",
        "bot.cli.operations.worker_command:worker",
        "Work on what `masis serve` takes in, beside it, until the process is ended.",
    ),
    Row(
        "migrate",
        "bot.cli.operations.migrate:migrate",
        "Bring the database up to this version of MASIS.",
    ),
    Row(
        "feedback",
        "bot.cli.questions.feedback:feedback",
        "List what people in Slack thought of answers, the newest vote first.",
    ),
    Row(
        "audit",
        "bot.cli.operations.audit_log:audit",
        "List what admins did in Slack and what was refused, the newest first.",
    ),
    Row(
        "usage",
        "bot.cli.operations.usage:usage",
        "Sum up calls, tokens and money of model and embedding services, the most tokens first.",
    ),
    Row(
        "purge",
        "bot.cli.operations.purge_command:purge",
        "Forget a person, a team or a workspace for good.",
    ),
    Row(
        "keys",
        "bot.cli.operations.keys:keys",
        "Make, change and look at the keys that Slack tokens are encrypted with.",
    ),
    Row(
        "runs",
        "bot.cli.operations.runs_command:runs",
        "List the requests from Slack; show, cancel or retry one.",
    ),
    Row(
        "token",
        "bot.cli.operations.token:token",
        "Make, list and revoke the tokens of the HTTP API.",
    ),
    Row(
        "synonyms",
        "bot.cli.documents.synonyms_command:synonyms",
        "List, add and remove words that mean the same in a workspace.",
    ),
)
_ROWS: Final = {row.name: row for row in COMMANDS}


class _Program(TyperGroup):
    """Hold the commands of the table; help and the completion of names need no more than that."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        for row in COMMANDS:
            self.add_command(TyperCommand(row.name, help=row.help))

    def resolve_command(
        self, *args: Any, **kwargs: Any
    ) -> tuple[str | None, TyperCommand | TyperGroup | None, list[str]]:
        name, _, rest = super().resolve_command(*args, **kwargs)
        return name, _ROWS[name].load() if name else None, rest


app = typer.Typer(
    name="masis",
    cls=_Program,
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


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        typer.echo(_installed())
        raise typer.Exit


@app.callback()
def _options(
    ctx: typer.Context,
    *,
    debug: DebugOption = False,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Run before every command."""
    Session.of(ctx).debug = debug
