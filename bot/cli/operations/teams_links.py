"""`masis teams`: which channels of Microsoft Teams ask which workspace."""

import datetime as dt
import re
from typing import Annotated, Final
from urllib.parse import parse_qs, unquote, urlsplit

import typer

from bot.chat.words import admin_sentences
from bot.cli.exit_codes import BadInput
from bot.cli.options import JSON, WorkspaceOption, command
from bot.cli.session import Opened, Session, opened
from bot.rendering import show
from masis.conversation import BY_OPERATOR, TEAMS, AdminAction, Link, Sent, Tenant
from masis.domain import Value, Workspace
from storage.chat.links import Links
from storage.chat.logged_changes import LoggedChanges
from storage.chat.teams_places import place_id

teams = typer.Typer(
    help="Link channels of Microsoft Teams to workspaces.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_GUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CHANNEL: Final = re.compile(r"19:[A-Za-z0-9_.=-]{1,200}@thread\.(?:tacv2|skype)")

AT_ONCE: Final = Sent()
"""Names nothing: a command is done while somebody waits for it, and never taken up again."""

ChannelArgument = Annotated[
    str,
    typer.Argument(
        metavar="LINK", help="What Teams copies for a channel by “Get link to channel”."
    ),
]


class Channel(Value):
    """A channel of Teams: its team, its id there, and what stands for it here."""

    tenant: Tenant
    conversation: str

    @property
    def id(self) -> str:
        """Return what stands for it in links."""
        return place_id(self.tenant.enterprise, self.conversation)


def channel_of(link: str) -> Channel:
    """Read a channel's link: `https://teams.microsoft.com/l/channel/19%3A…?groupId=…&tenantId=…`.

    Raises:
        BadInput: it is none.
    """
    parts = urlsplit(link.strip())
    named = parse_qs(parts.query)
    group, tenant = (named.get(each, [""])[0].lower() for each in ("groupId", "tenantId"))
    way = [unquote(each) for each in parts.path.split("/")]
    found = next((each for each in way if _CHANNEL.fullmatch(each)), "")
    if not (found and _GUID.fullmatch(group) and _GUID.fullmatch(tenant)):
        raise BadInput(
            "This is no link of a channel. In Teams choose “Get link to channel” in the channel's"
            " menu and put it in quotes: it names the channel, its groupId and its tenantId."
        )
    return Channel(tenant=Tenant(chat=TEAMS, enterprise=tenant, team=group), conversation=found)


@teams.command()
@command(JSON)
def link(session: Session, channel: ChannelArgument, *, workspace: WorkspaceOption) -> None:
    """Let a channel ask a workspace of its team, or one that all teams of its organisation may ask.

    Make it with `masis ingest --team TENANT/GROUP`, or with `--team TENANT/`.
    """
    found = channel_of(channel)
    session.team = f"{found.tenant.enterprise}/{found.tenant.team}"
    with opened(session) as masis:
        place = _workspace(masis, found.tenant, workspace)
        made = Link(
            tenant=found.tenant,
            channel=found.id,
            workspace_id=place.id,
            linked_by=BY_OPERATOR,
            linked_at=dt.datetime.now(dt.UTC),
        )
        masis.do(_changes(masis).link(made, _line("link", made), AT_ONCE))
    _print_link(session, found, place.name, "is linked to")


@teams.command()
@command(JSON)
def unlink(session: Session, channel: ChannelArgument) -> None:
    """Let a channel ask no workspace any more."""
    found = channel_of(channel)
    with opened(session) as masis:
        before = masis.do(Links(masis.app.database).of(found.tenant, found.id))
        if before is None:
            raise BadInput(admin_sentences.NOTHING_TO_UNLINK)
        line = _line("unlink", before)
        if masis.do(_changes(masis).unlink(before, line, AT_ONCE)) != "done":
            raise BadInput(admin_sentences.DECIDED_SINCE)
    _print_link(session, found, "", "is not linked any more")


def _workspace(masis: Opened, tenant: Tenant, name: str) -> Workspace:
    """Find the team's own workspace of that name, else its organisation's.

    Raises:
        UnknownWorkspace: there is none; the message names the nearest.
    """
    for owner in (tenant.owner, tenant.organisation_owner):
        if found := masis.do(masis.app.repository.workspace(owner, name)):
            return found
    return masis.do(masis.app.workspace(name))


def _changes(masis: Opened) -> LoggedChanges:
    return LoggedChanges(masis.app.database)


def _line(action: str, link: Link) -> AdminAction:
    """Return the line of the log: a form that was sent before it, and is done late, finds it there."""
    return AdminAction(
        tenant=link.tenant,
        actor=BY_OPERATOR,
        action=action,
        target=link.channel,
        detail=link.workspace_id,
        at=dt.datetime.now(dt.UTC),
    )


def _print_link(session: Session, channel: Channel, workspace: str, what: str) -> None:
    if session.as_json:
        session.print_json({"channel": channel.conversation, "workspace": workspace})
    else:
        said = f"{channel.conversation} {what} {workspace}".rstrip()
        session.out.print(show.line(said))
