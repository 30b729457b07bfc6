"""`masis runs`: the requests from Slack, and what an operator may do about one."""

from typing import Annotated, get_args

import typer
from rich.text import Text

from bot.cli.exit_codes import BadInput, ExitCode
from bot.cli.options import JSON, TEAM, command
from bot.cli.session import Session, opened
from bot.compose import App
from bot.operating import cancelled, retried
from bot.rendering import show, show_runs
from masis.conversation import OPEN, Acceptance, RunStatus
from storage.chat.outbox import Outbox
from storage.chat.overview import Seen, overview
from storage.chat.requests import ChatRuns
from storage.chat.trails import Trails

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
@command(TEAM, JSON)
def listed(
    session: Session,
    *,
    status: Annotated[
        str, typer.Option(metavar="S", help=f"Only these: {', '.join(_STATUSES)}.")
    ] = "",
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="The newest so many.")
    ] = 50,
) -> None:
    """List them, the newest first, where no command follows."""
    with opened(session) as masis:
        chosen = _status(status)
        found = masis.do(overview(masis.app.database, session.tenant, chosen, limit))
    if session.as_json:
        for seen in found:
            session.print_json(show_runs.run_json(seen))
    elif found:
        session.out.print(show_runs.table(found, teams=session.tenant is None))
    else:
        session.note("No such requests." if status or session.tenant else "No requests yet.")


@runs.command("show")
@command(JSON)
def shown(
    session: Session,
    run_id: IdArgument,
) -> None:
    """Show a request: where it stands, its messages, its steps, what it cost."""
    with opened(session) as masis:
        seen = masis.do(_seen(masis.app, run_id))
        posted = masis.do(Outbox(masis.app.database).of(run_id))
        trail = masis.do(Trails(masis.app.database).of(seen.run.tenant, run_id))
    if session.as_json:
        session.print_json(show_runs.whole_json(seen, posted, trail))
    else:
        session.out.print(show_runs.whole(seen, posted, trail))


@runs.command()
@command(JSON)
def cancel(
    session: Session,
    run_id: IdArgument,
) -> None:
    """Stop an open request, and say so in its thread.

    A request at work is stopped before its next step: a model call that is under way is waited
    for. One that waits ends without having run. Without a running bot both happen at its next
    start.
    """
    with opened(session) as masis:
        seen = masis.do(_seen(masis.app, run_id))
        if not masis.do(cancelled(masis.app, seen.run)):
            ended = f"{show.line(run_id)} has ended already: {show_runs.state(seen)}."
            raise BadInput(ended)
    if session.as_json:
        session.print_json({"status": "cancelling", "run_id": run_id})
    else:
        session.out.print(Text(f"{run_id} is being stopped; its thread will say so."))


@runs.command()
@command(JSON)
def retry(
    session: Session,
    run_id: IdArgument,
) -> None:
    """Ask again, in its thread, what failed, was stopped or was refused.

    It is a new request with an id of its own, within the quotas of the one who asked. A request is
    retried once; what comes of that can be retried in turn.
    """
    with opened(session) as masis:
        seen = masis.do(_seen(masis.app, run_id))
        _check_unanswered(seen)
        accepted = masis.do(retried(masis.app, seen.run))
    if session.as_json:
        values = {"status": accepted.state, "run_id": accepted.run_id, "reason": accepted.reason}
        session.print_json(values)
    else:
        _tell(session, accepted)
    if accepted.state == "over_quota":
        raise typer.Exit(ExitCode.REFUSED)


def _tell(session: Session, accepted: Acceptance) -> None:
    match accepted.state:
        case "accepted":
            session.out.print(Text(f"Queued again as {accepted.run_id}."))
        case "duplicate":
            session.out.print(Text(f"It was retried before, as {accepted.run_id}."))
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


async def _seen(app: App, run_id: str) -> Seen:
    """The request of that id, whoever's it is.

    Raises:
        BadInput: there is none.
    """
    run = await ChatRuns(app.database).get(None, run_id)
    if run is None:
        raise BadInput(f"There is no request {show.line(run_id)}: `masis runs` lists them.")
    kinds = await Outbox(app.database).kinds([run.id])
    return Seen(run=run, messages=kinds.get(run.id, set()))


def _check_unanswered(seen: Seen) -> None:
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
