"""`masis runs`: the requests from Slack, and what an operator may do about one."""
# ruff: noqa: PLC0415 - help and completion need nothing of what these commands import

from typing import TYPE_CHECKING, Annotated, get_args

import typer
from rich.text import Text

from bot.cli.exit_codes import BadInput, ExitCode
from bot.cli.session import (
    DebugOption,
    JsonOption,
    Opened,
    Session,
    TeamOption,
    error_json,
    opened,
)
from bot.rendering import show, show_runs
from masis.conversation import OPEN, RunStatus

if TYPE_CHECKING:
    from bot.compose import App
    from masis.conversation import Acceptance, ChatRun, Posted
    from storage.chat.overview import Seen

_STATUSES = get_args(RunStatus)
_NO_BOT = (
    "These commands read and write the database; they need no running bot. What is to be done"
    " about a request is done by the bot: at once when it runs on this data folder, else at its"
    " next start. Give them the settings that the bot has."
)

runs = typer.Typer(
    help=f"List the requests from Slack; show, cancel or retry one.\n\n{_NO_BOT}",
    invoke_without_command=True,
    rich_markup_mode=None,
)

IdArgument = Annotated[
    str, typer.Argument(metavar="ID", help="The request's id, as `masis runs` lists it.")
]


@runs.callback()
def listed(
    ctx: typer.Context,
    *,
    team: TeamOption = "",  # noqa: ARG001 - its callback has noted it
    status: Annotated[
        str, typer.Option(metavar="S", help=f"Only these: {', '.join(_STATUSES)}.")
    ] = "",
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="The newest so many.")
    ] = 50,
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """List them, the newest first, where no command follows."""
    if ctx.invoked_subcommand is not None:
        return
    session = Session.of(ctx)
    with opened(session, unasked=error_json if as_json else None) as masis:
        from storage.chat.overview import overview

        chosen = _status(status)
        found = masis.do(overview(masis.app.database, session.tenant, chosen, limit))
    if as_json:
        for seen in found:
            session.print_json(show_runs.run_json(seen))
    elif found:
        session.print(show_runs.table(found, teams=session.tenant is None))
    else:
        session.note("No such requests." if status or session.tenant else "No requests yet.")


@runs.command("show")
def shown(
    ctx: typer.Context,
    run_id: IdArgument,
    *,
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Show a request: where it stands, its messages, its steps, what it cost."""
    session = Session.of(ctx)
    with opened(session, unasked=error_json if as_json else None) as masis:
        from storage.chat.trails import Trails

        seen = masis.do(_seen(masis.app, run_id))
        posted = masis.do(_posted(masis.app, run_id))
        trail = masis.do(Trails(masis.app.database).of(seen.run.tenant, run_id))
    if as_json:
        session.print_json(show_runs.whole_json(seen, posted, trail))
    else:
        session.print(show_runs.whole(seen, posted, trail))


@runs.command()
def cancel(
    ctx: typer.Context,
    run_id: IdArgument,
    *,
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Stop an open request, and say so in its thread.

    A request at work is stopped before its next step: a model call that is under way is waited
    for. One that waits ends without having run. Without a running bot both happen at its next
    start.
    """
    session = Session.of(ctx)
    with opened(session, unasked=error_json if as_json else None) as masis:
        seen = masis.do(_seen(masis.app, run_id))
        if not _cancelled(masis, seen.run):
            ended = f"{show.line(run_id)} has ended already: {show_runs.state(seen)}."
            raise BadInput(ended)
    if as_json:
        session.print_json({"status": "cancelling", "run_id": run_id})
    else:
        session.print(Text(f"{run_id} is being stopped; its thread will say so."))


@runs.command()
def retry(
    ctx: typer.Context,
    run_id: IdArgument,
    *,
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Ask again, in its thread, what failed, was stopped or was refused.

    It is a new request with an id of its own, within the quotas of the one who asked. A request is
    retried once; what comes of that can be retried in turn.
    """
    session = Session.of(ctx)
    with opened(session, unasked=error_json if as_json else None) as masis:
        seen = masis.do(_seen(masis.app, run_id))
        _check_unanswered(seen)
        accepted = _retried(masis, seen.run)
    if as_json:
        values = {"status": accepted.state, "run_id": accepted.run_id, "reason": accepted.reason}
        session.print_json(values)
    else:
        _tell(session, accepted)
    if accepted.state == "over_quota":
        raise typer.Exit(ExitCode.REFUSED)


def _tell(session: Session, accepted: "Acceptance") -> None:
    match accepted.state:
        case "accepted":
            session.print(Text(f"Queued again as {accepted.run_id}."))
        case "duplicate":
            session.print(Text(f"It was retried before, as {accepted.run_id}."))
        case _:
            session.fail(accepted.reason)


# --- what is done --------------------------------------------------------------------------


def _status(word: str) -> RunStatus | None:
    """The status of that name.

    Raises:
        BadInput: there is none.
    """
    for status in _STATUSES:
        if word == status:
            found: RunStatus = status
            return found
    if word:
        raise BadInput(f"--status should be one of {', '.join(_STATUSES)}.")
    return None


async def _seen(app: "App", run_id: str) -> "Seen":
    """The request of that id, whoever's it is.

    Raises:
        BadInput: there is none.
    """
    from storage.chat.outbox import Outbox
    from storage.chat.overview import Seen
    from storage.chat.requests import ChatRuns

    run = await ChatRuns(app.database).get(None, run_id)
    if run is None:
        raise BadInput(f"There is no request {show.line(run_id)}: `masis runs` lists them.")
    kinds = await Outbox(app.database).kinds([run.id])
    return Seen(run=run, messages=kinds.get(run.id, set()))


async def _posted(app: "App", run_id: str) -> "list[Posted]":
    from storage.chat.outbox import Outbox

    return await Outbox(app.database).of(run_id)


def _check_unanswered(seen: "Seen") -> None:
    """Check that a retry would not answer twice.

    Raises:
        BadInput: it is open, or was answered.
    """
    if seen.run.status in OPEN:
        raise BadInput(f"It is {seen.run.status}: wait for its end, or cancel it first.")
    if answered := show_runs.ANSWERED & seen.messages:
        raise BadInput(
            f"It ended with {'/'.join(sorted(answered))}: who asked can ask again in its thread."
        )


def _cancelled(masis: Opened, run: "ChatRun") -> bool:
    from bot.operating import cancelled

    return masis.do(cancelled(masis.app, run))


def _retried(masis: Opened, run: "ChatRun") -> "Acceptance":
    from bot.operating import retried

    return masis.do(retried(masis.app, run))
