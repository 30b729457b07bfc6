"""`masis token`: who may ask a workspace over HTTP."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import typer
from rich.table import Table

from bot.chat.words.phrases import dated
from bot.cli.exit_codes import BadInput
from bot.cli.options import JSON, TEAM, WorkspaceOption, command
from bot.cli.session import Opened, Session, opened
from bot.rendering import show
from masis.conversation import LOCAL_TENANT, Tenant
from masis.domain import Workspace, WorkspaceId
from storage.accounts.api_tokens import RIGHTS, ApiToken, ApiTokens, Right

token = typer.Typer(
    help="Make, list and revoke the tokens of the HTTP API.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

DAYS: Final = 90
MOST_DAYS: Final = 3650
MOST_NAME: Final = 200


@token.command()
@command(TEAM, JSON)
def create(
    session: Session,
    *,
    workspace: WorkspaceOption,
    days: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=MOST_DAYS, help="Days until it ends."),
    ] = DAYS,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What it is for, to tell it from others.")
    ] = "",
    rights: Annotated[
        str,
        typer.Option(
            metavar="WORDS",
            help="What its holder may do: ask, documents (put in, list, delete), or both with a comma.",
        ),
    ] = "ask",
) -> None:
    """Make a token for one workspace and print it. It is shown this once: only a hash is kept."""
    with opened(session) as masis:
        if len(name) > MOST_NAME:
            raise BadInput(f"--name has {len(name)} characters, the limit is {MOST_NAME}.")
        granted = _rights(rights)
        place = masis.do(masis.app.workspace(workspace))
        made, shown = masis.do(
            _tokens(masis).create(
                _tenant(session),
                place.id,
                lifetime=dt.timedelta(days=days),
                name=name,
                rights=granted,
            )
        )
    if session.as_json:
        session.print_json({**_json(made), "token": shown.get_secret_value()})
        return
    session.out.out(shown.get_secret_value(), highlight=False)
    session.note(_about(made, place))


@token.command("list")
@command(TEAM, JSON)
def list_tokens(session: Session) -> None:
    """List the tokens, the newest first; not what their holders show."""
    with opened(session) as masis:
        found = masis.do(_tokens(masis).list(_tenant(session)))
        known = masis.do(masis.app.repository.workspaces(masis.app.owner))
    if session.as_json:
        for each in found:
            session.print_json(_json(each))
    elif found:
        names = {workspace.id: workspace.name for workspace in known}
        session.out.print(_table(found, names))
    else:
        session.note("No tokens yet. Make one with `masis token create --workspace NAME`.")


@token.command()
@command(TEAM, JSON)
def revoke(
    session: Session,
    token_id: Annotated[str, typer.Argument(metavar="ID", help="As `masis token list` shows it.")],
) -> None:
    """End a token at once and for good; questions of it that wait are not answered any more."""
    with opened(session) as masis:
        found = masis.do(_tokens(masis).revoke(_tenant(session), token_id))
        if found is None:
            raise BadInput(
                f"There is no token “{show.line(token_id)}”; `masis token list` shows which are."
            )
    if session.as_json:
        session.print_json(_json(found))
    else:
        session.out.print(f"revoked: {found.id}")


def _about(made: ApiToken, workspace: Workspace) -> str:
    return (
        f"For {show.line(workspace.name)} (workspace id {workspace.id}), until"
        f" {dated(made.expires_at.date())}. Keep it like a password; end it with"
        f" `masis token revoke {made.id}`."
    )


def _rights(words: str) -> list[Right]:
    """The rights that an option names.

    Raises:
        BadInput: it names something else, or nothing.
    """
    named = {word.strip() for word in words.split(",")}
    if not named <= set(RIGHTS):
        raise BadInput(f"--rights takes {', '.join(RIGHTS)}, or several with commas.")
    return [right for right in RIGHTS if right in named]


def _tokens(masis: Opened) -> ApiTokens:
    return ApiTokens(masis.app.database)


def _tenant(session: Session) -> Tenant:
    return session.tenant or LOCAL_TENANT


def _table(found: Sequence[ApiToken], names: Mapping[WorkspaceId, str]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("Id", "Workspace", "Name", "Rights", "State", "Made", "Ends", "Last used (UTC)"):
        table.add_column(column, overflow="fold")
    for each in found:
        used = each.last_used_at
        table.add_row(
            each.id,
            show.line(names.get(each.workspace_id, each.workspace_id)),
            show.line(each.name),
            ", ".join(each.rights),
            _state(each),
            dated(each.created_at.date()),
            dated(each.expires_at.date()),
            f"{used:%Y-%m-%d %H:00}" if used else "never",
        )
    return table


def _state(each: ApiToken) -> str:
    if each.revoked_at is not None:
        return "revoked"
    return "works" if each.works(dt.datetime.now(dt.UTC)) else "expired"


def _json(each: ApiToken) -> dict[str, Any]:
    return {**each.model_dump(mode="json", exclude={"tenant"}), "state": _state(each)}
