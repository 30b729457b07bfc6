"""What admins and managers do in Slack, and what nobody else may."""

import asyncio
from pathlib import Path

import pytest

from bot.chat.words import admin_sentences
from masis.errors import VectorsUnavailable
from storage.chat.admin_log import AdminLog
from tests.walks.office import QUESTION, Office, assert_told, decide, office

CHANNEL = "Channel"
WORKSPACE = "Workspace"
NAME = admin_sentences.NEW_NAME
NEW = admin_sentences.NEW_WORKSPACE


# --- links ---------------------------------------------------------------------------------


async def test_channel_link_form_reports_errors(tmp_path: Path) -> None:
    """An admin links a channel and the form says what is wrong."""
    async with office(tmp_path, linked=False) as here:
        secret = here.slack.channel("secret", here.admin, with_app=False)
        await here.types(here.admin, "link")
        await here.modal(here.admin, "[Link]")
        await here.submits(here.admin)
        await here.submits(here.admin, {WORKSPACE: NEW})
        await here.submits(here.admin, {WORKSPACE: "handbook", NAME: "contracts"})
        await here.submits(here.admin, {WORKSPACE: NEW, NAME: "handbook"})
        await here.submits(here.admin, {CHANNEL: secret.id, WORKSPACE: NEW, NAME: "contracts"})
        done = await here.submits(here.admin, {CHANNEL: here.channel.id, NAME: "contracts"})
        assert not done.errors
        await here.sees(here.admin, "now asks the workspace “contracts”")
        await here.types(here.admin, "link handbook")
        await here.modal(here.admin, "<handbook>")
        await here.submits(here.admin)
        await here.sees(here.admin, "now asks the workspace “handbook”")
        await here.types(here.admin, "unlink")
        await here.sees(here.admin, "no longer linked")
        await here.types(here.admin, "unlink")
        await here.sees(here.admin, "This channel is not linked")

        await assert_told(here, "linking_a_channel")
        names = [
            workspace.name for workspace in await here.bot.services.admin.workspaces(here.tenant)
        ]
        assert sorted(names) == ["contracts", "handbook"]
        assert await logged(here) == [
            ("Olivia", "link", True),
            ("Olivia", "link", True),
            ("Olivia", "unlink", True),
            ("Olivia", "unlink", True),
        ]


async def test_unauthorised_form_is_refused(tmp_path: Path) -> None:
    """Who may not is refused at the form and at its submission."""
    async with office(tmp_path) as here:
        guest = here.slack.person("gus", "guest")
        here.channel.members.append(guest.id)
        for who in (here.alice, guest):
            for command in ("link", "upload", "delete leave.md", "settings"):
                await here.types(who, command)
                await here.modal(who, "Only a Slack")
                await who.closes()
        await here.types(here.alice, "unlink")
        await here.sees(here.alice, "Only a Slack admin")

        # Forms that were opened by somebody who may, and sent by somebody who may not.
        await here.types(here.admin, "link handbook")
        await here.modal(here.admin, "[Link]")
        assert (await here.submits(here.alice, view=here.admin.modal)).errors
        await here.types(here.admin, "delete leave.md")
        await here.modal(here.admin, "[Delete]")
        here.deeds.append("Olivia is no admin any more")
        here.admin.user.role = "member"
        await here.submits(here.admin)
        await here.modal(here.admin, "Only a Slack")

        await assert_told(here, "not_allowed")
        assert await here.bot.services.links.of(here.tenant, here.channel.id)
        assert len(await here.app.repository.documents(here.workspace.id)) == 2
        found = await logged(here)
        assert len(found) == 11
        assert not any(allowed for _, _, allowed in found)


# --- settings ------------------------------------------------------------------------------


async def test_settings_appoint_managers_and_admit_guests(tmp_path: Path) -> None:
    """Settings make managers and let guests ask."""
    async with office(tmp_path) as here:
        guest = here.slack.person("gus", "guest")
        here.channel.members.append(guest.id)
        await here.types(guest, QUESTION)
        await here.sees(guest, "Guests cannot use MASIS here")
        await here.types(here.admin, "settings")
        await here.modal(here.admin, "[Save]")
        await here.submits(here.admin, {"Questions of one person a minute": "0"})
        await here.submits(
            here.admin,
            {
                "MASIS managers": [here.bob.id],
                "Guests": ["Guests may ask"],
                "Questions of one person a minute": "9",
            },
        )
        await here.sees(here.admin, "The settings are saved")
        await here.types(guest, QUESTION)
        await here.sees(here.alice, "High")
        await here.types(here.bob, "delete laptops.txt")
        await here.modal(here.bob, "[Delete]")
        await here.bob.closes()
        await here.types(here.bob, "settings")
        await here.modal(here.bob, "Only a Slack admin or owner")

        await assert_told(here, "settings")
        assert await logged(here) == [
            ("Olivia", "settings", True),
            ("Bob", "settings", False),
        ]


# --- documents -----------------------------------------------------------------------------


async def test_deletion_removes_document_and_quotes(tmp_path: Path) -> None:
    """A document is deleted with what quotes it."""
    async with office(tmp_path) as here:
        await here.types(here.alice, QUESTION)
        answer = await here.sees(here.alice, "High")
        await here.settled()
        await here.types(here.admin, "delete leaves.md")
        await here.modal(here.admin, "Did you mean “leave.md”?")
        await here.admin.closes()
        await here.types(here.admin, "delete")
        await here.modal(here.admin, "[Delete]")
        await here.submits(here.admin, {"Document": "leave.md"})
        await here.sees(here.admin, "“leave.md” is deleted")
        await here.clicks(here.alice, answer, "How I got this")
        await here.modal(here.alice, "its texts were removed")
        await here.types(here.alice, QUESTION)
        await here.sees(here.alice, "nothing close enough to your question")

        await assert_told(here, "deleting_a_document")
        assert await logged(here) == [("Olivia", "delete", True)]


async def test_slow_form_action_reports_privately(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes longer than a form is done and told in private."""
    monkeypatch.setattr("bot.slack.listeners.submissions.SHOWN_SECONDS", 0.01)
    async with office(tmp_path) as here:
        go = held(monkeypatch, here.app.ingest, "delete")
        await here.types(here.admin, "delete leave.md")
        await here.modal(here.admin, "[Delete]")
        assert not (await here.submits(here.admin)).errors
        here.deeds.append("The form is closed; then the document is deleted")
        go.set()
        await here.sees(here.admin, "“leave.md” is deleted")

        await here.types(here.admin, "link")
        await here.modal(here.admin, "[Link]")
        form = {CHANNEL: here.channel.id, WORKSPACE: NEW, NAME: "handbook"}
        monkeypatch.setattr("bot.slack.listeners.submissions.SHOWN_SECONDS", 0.0)
        assert not (await here.submits(here.admin, form)).errors
        await here.sees(here.admin, "There is a workspace")

        await assert_told(here, "longer_than_a_form")
        assert await logged(here) == [("Olivia", "delete", True)]


async def test_half_failed_deletion_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deletion that fails half way is logged and forgotten."""
    async with office(tmp_path) as here:

        async def fails(*_: object) -> None:
            raise VectorsUnavailable("The Qdrant server http://10.0.0.7 cannot be reached.")

        forgotten: list[str] = []

        async def forgets(workspace_id: str) -> None:
            forgotten.append(workspace_id)

        monkeypatch.setattr("masis.documents.removal.Removal._remove_from", fails)
        monkeypatch.setattr(here.bot.services.admin, "_forget", forgets)
        await here.types(here.admin, "delete leave.md")
        await here.modal(here.admin, "[Delete]")
        await here.submits(here.admin)
        shown = await here.modal(here.admin, "The document search does not answer")
        assert "10.0.0.7" not in shown
        assert await logged(here) == [("Olivia", "delete", True)]
        assert forgotten == [here.workspace.id]


# --- channels with others ------------------------------------------------------------------


async def test_shared_channel_link_needs_explicit_consent(
    tmp_path: Path,
) -> None:
    """A shared channel is linked only where settings and a box allow it."""
    async with office(tmp_path, linked=False) as here:
        await here.admin.shares(here.channel, here.slack.world.add_team("Southmoor"))
        here.deeds.append("#handbook is shared with Southmoor")
        await here.types(here.admin, "link handbook")
        await here.modal(here.admin, "[Link]")
        await here.submits(here.admin)
        await here.admin.closes()
        await decide(here, external_channels=True)
        here.deeds.append("Olivia allows such channels in the settings")
        await here.types(here.admin, "link handbook")
        await here.modal(here.admin, "Link it even if others are in it")
        await here.submits(here.admin)
        await here.submits(
            here.admin, {"Shared with another organisation": ["Link it even if others are in it"]}
        )
        await here.sees(here.admin, "now asks the workspace")
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "High")

        await assert_told(here, "linking_a_shared_channel")


async def test_later_sharing_suspends_the_link(tmp_path: Path) -> None:
    """A link is suspended when its channel is shared later."""
    async with office(tmp_path) as here:
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "High")
        await here.settled()
        here.deeds.append("#handbook is shared with Southmoor")
        await here.admin.shares(here.channel, here.slack.world.add_team("Southmoor"))
        await here.settled()
        await here.types(here.alice, QUESTION)
        await here.sees(here.alice, "suspended")

        await assert_told(here, "shared_later")


def held(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> asyncio.Event:
    """Keep a call from going on until the event is set."""
    go, call = asyncio.Event(), getattr(owner, name)

    async def later(*given: object, **named: object) -> object:
        await go.wait()
        return await call(*given, **named)

    monkeypatch.setattr(owner, name, later)
    return go


async def logged(here: Office) -> list[tuple[str, str, bool]]:
    """The admin log from its first line on: who, what, and whether it was allowed."""
    lines = await AdminLog(here.app.database).list(here.tenant)
    users = here.slack.world.users
    return [(users[line.actor].shown, line.action, line.allowed) for line in reversed(lines)]
