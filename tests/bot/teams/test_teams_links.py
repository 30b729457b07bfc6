"""`masis teams`: the operator links a channel by what Teams copies for it."""

import datetime as dt
from pathlib import Path

import pytest

from bot.cli.exit_codes import BadInput
from bot.cli.operations.teams_links import channel_of
from bot.playground.teams.issuer import HOME
from bot.playground.teams.teams_payloads import CHANNEL, GROUP
from masis.conversation import AdminAction, Link, Sent
from storage.chat.logged_changes import LoggedChanges
from storage.sql.database import Database
from tests.bot.cli.spoken import on
from tests.bot.program import Masis, lines

LINK = (
    "https://teams.microsoft.com/l/channel/19%3Ageneral%40thread.tacv2/General"
    f"?groupId={GROUP}&tenantId={HOME}"
)


def test_link_names_channel_and_team() -> None:
    found = channel_of(LINK)
    assert found.conversation == CHANNEL
    assert found.tenant.owner == f"teams:{HOME}:{GROUP}"


@pytest.mark.parametrize(
    "link",
    ["", "general", LINK.replace(GROUP, "x"), LINK.replace("channel/19", "channel/18")],
)
def test_other_texts_are_no_link(link: str) -> None:
    with pytest.raises(BadInput, match="no link of a channel"):
        channel_of(link)


def test_channel_is_linked_and_unlinked(masis: Masis, data_dir: Path, handbook: object) -> None:
    """Each is a line of the log, and a form that was sent before does not overwrite it."""
    sent = Sent(once="form", at=dt.datetime.now(dt.UTC))
    team = f"{HOME}/{GROUP}"
    assert masis("ingest", handbook, "--workspace", "handbook", "--team", team).exit_code == 0
    linked = masis("teams", "link", LINK, "--workspace", "handbook")
    assert linked.exit_code == 0, linked.output
    assert "is linked to handbook" in linked.output
    assert masis("teams", "unlink", LINK).exit_code == 0
    assert "not linked" in masis("teams", "unlink", LINK).output

    newest, first = lines(masis("audit", "--team", team, "--json"))
    assert [newest["action"], first["action"]] == ["unlink", "link"]
    (workspace,) = {newest["detail"], first["detail"]}
    assert newest["actor"] == "operator"

    async def form(database: Database) -> str:
        tenant, channel = channel_of(LINK).tenant, channel_of(LINK).id
        asked = {"workspace_id": workspace, "linked_by": "U1", "linked_at": sent.at}
        link = Link.model_validate({"tenant": tenant, "channel": channel} | asked)
        line = {"actor": "U1", "action": "link", "target": channel, "at": sent.at}
        action = AdminAction.model_validate({"tenant": tenant} | line)
        return await LoggedChanges(database).link(link, action, sent)

    assert on(data_dir, form) == "decided since"


def test_workspace_of_others_is_not_linked(masis: Masis, handbook: object) -> None:
    """A channel asks a workspace of its own team alone."""
    assert masis("ingest", handbook, "--workspace", "handbook").exit_code == 0
    assert masis("teams", "link", LINK, "--workspace", "handbook").exit_code != 0
