"""What comes and goes while questions are open: the process, links, people, the app itself."""

import contextlib
import sqlite3
import time
from pathlib import Path

import pytest

from tests.openai_server import critique
from tests.walks.office import (
    QUESTION,
    SECONDS,
    Held,
    Office,
    assert_told,
    install,
    link,
    office,
    slack_of_ours,
    writes,
)

OFF_TOPIC = "Who won the chess tournament in Reykjavik?"
CLAIM = "Every employee has 26 days of annual leave a year [1]."


# --- the process ---------------------------------------------------------------------------


async def test_restart_keeps_question_and_reply(tmp_path: Path) -> None:
    """A restart between a question and its reply loses neither."""
    async with slack_of_ours() as slack:
        async with office(tmp_path, slack=slack) as here:
            await here.types(here.alice, OFF_TOPIC)
            asked = await here.sees(here.bob, "nothing close enough to your question")
            await here.settled()
        deeds = [*here.deeds, "MASIS is stopped and started again"]
        async with office(tmp_path, slack=slack) as here:
            here.deeds[:0] = deeds
            await here.says(here.alice, QUESTION, thread=asked)
            await here.sees(here.bob, "High")

            await assert_told(here, "restart_before_the_reply")


async def test_restart_repeats_no_paid_call(tmp_path: Path) -> None:
    """A restart in the middle pays for nothing twice."""
    async with slack_of_ours() as slack:
        async with office(tmp_path, slack=slack) as here:
            assert here.service is not None
            here.service.will("writer", writes(CLAIM))
            here.service.will("auditor", Held(critique()))
            await here.types(here.alice, QUESTION)
            await here.sees(here.bob, "▸ Audit")
            await here.bot.engine.stop(grace_seconds=0.0)
        deeds = [*here.deeds, "MASIS is stopped and started again"]
        async with office(tmp_path, slack=slack) as here:
            here.deeds[:0] = deeds
            await here.sees(here.bob, "High")

            assert here.service is not None
            assert [asked.role for asked in here.service.asked] == ["auditor", "judge"]
            await assert_told(here, "restart_in_the_middle")


# --- links ---------------------------------------------------------------------------------


async def test_relink_during_run_withholds_answer(tmp_path: Path) -> None:
    """A relink during a run withholds the answer."""
    async with office(tmp_path) as here:
        assert here.service is not None
        held = Held(critique())
        here.service.will("auditor", held)
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "▸ Audit")
        other = await here.app.repository.create_workspace(here.tenant.owner, "contracts")
        await relinks(here, "contracts")
        held.go.set()
        await here.sees(here.bob, "Ask again")

        await assert_told(here, "relinked_during_a_run")
        found = await here.bot.services.links.of(here.tenant, here.channel.id)
        assert found is not None
        assert found.workspace_id == other.id


async def test_relink_before_post_withholds_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relink that comes while Slack is asked about the channel, after the link was looked at."""
    monkeypatch.setattr("bot.slack.client.web.REMEMBERED_SECONDS", 0.0)
    async with office(tmp_path) as here:
        assert here.service is not None
        held = Held(critique())
        here.service.will("auditor", held)
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "▸ Audit")
        other = await here.app.repository.create_workspace(here.tenant.owner, "contracts")

        def relinked(_: object) -> bool:
            with contextlib.closing(sqlite3.connect(here.app.database.place)) as connection:
                connection.execute("UPDATE links SET workspace_id = ?", [other.id])
                connection.commit()
            return True

        asked = here.slack.faults.add(
            kind="slow", method="conversations.info", matches=relinked, times=1
        )
        held.go.set()
        await here.sees(here.bob, "Ask again")
        assert asked.times == 0, "the link was changed in between"
        assert "26 days" not in here.transcript()


async def test_unlink_during_run_withholds_answer(tmp_path: Path) -> None:
    """An unlink during a run withholds the answer."""
    async with office(tmp_path) as here:
        assert here.service is not None
        held = Held(critique())
        here.service.will("auditor", held)
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "▸ Audit")
        await here.types(here.admin, "unlink")
        await here.sees(here.admin, "no longer linked")
        held.go.set()
        await here.sees(here.bob, "the answer is withheld")
        await here.types(here.alice, QUESTION)
        await here.sees(here.alice, "not linked to a workspace yet")

        await assert_told(here, "unlinked_during_a_run")


async def test_other_team_workspace_stays_invisible(tmp_path: Path) -> None:
    """A workspace of another team can neither be linked nor seen."""
    async with office(tmp_path) as here:
        await here.app.repository.create_workspace("slack::T0SOMEBODY", "their secrets")
        await here.types(here.admin, 'link "their secrets"')
        await here.modal(here.admin, "There is no workspace")
        await here.admin.closes()
        await here.types(here.admin, "link")
        shown = await here.modal(here.admin, "[Link]")
        assert "their secrets" not in shown

        await assert_told(here, "workspace_of_another_team")


# --- direct messages -----------------------------------------------------------------------


async def test_direct_message_remembers_chosen_workspace(tmp_path: Path) -> None:
    """A direct message asks which workspace and remembers it."""
    async with office(tmp_path) as here:
        contracts = await here.app.repository.create_workspace(here.tenant.owner, "contracts")
        legal = here.slack.channel("legal", here.alice)
        await link(here, legal, contracts)
        direct = here.alice.direct()
        await here.says(here.alice, QUESTION, channel=direct)
        picker = await here.sees(here.alice, "Which workspace do you want to ask?", channel=direct)
        here.saw("Alice sees", here.text(picker))
        await here.alice.clicks(picker, "masis_workspace", "handbook (2 documents)")
        here.deeds.append("Alice chooses handbook (2 documents)")
        await here.sees(here.alice, "High", channel=direct)
        await here.says(here.alice, "How often are laptops replaced?", channel=direct)
        await here.sees(here.alice, "every 4 years", channel=direct)

        here.admin.removes(here.channel, here.alice)
        here.deeds.append("Olivia takes Alice out of #handbook")
        await here.says(here.alice, "How soon is a lost laptop reported?", channel=direct)
        await here.sees(here.alice, "You are in no channel", channel=direct)

        await assert_told(here, "direct_message_with_two_workspaces")


# --- the app itself ------------------------------------------------------------------------


async def test_uninstallation_ends_run_silently(tmp_path: Path) -> None:
    """An uninstallation during a run ends it without a word."""
    async with office(tmp_path, oauth=True) as here:
        assert here.service is not None
        held = Held(critique())
        here.service.will("auditor", held)
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "▸ Audit")
        here.deeds.append("Olivia uninstalls MASIS")
        await here.admin.uninstalls()
        await here.slack.settled()
        said = len(here.slack.calls)
        held.go.set()
        await here.settled()
        assert here.slack.calls[said:] == []
        runs = await here.bot.services.runs.recent(here.tenant, 10)
        assert [run.status for run in runs] == ["cancelled"]

        here.deeds.append("Olivia installs MASIS anew")
        assert "MASIS is now in Northmoor" in await install(here.address, here.admin)
        await here.types(here.alice, QUESTION)
        await here.sees(here.alice, "This channel's link is suspended")
        await relinks(here)
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "High")

        await assert_told(here, "uninstalled_during_a_run")


async def test_late_uninstallation_event_spares_reinstallation(
    tmp_path: Path,
) -> None:
    """A late word of an uninstallation leaves the next installation alone."""
    ago = 60.0
    async with (
        slack_of_ours(clock=lambda: time.time() - ago) as slack,
        office(tmp_path, oauth=True, slack=slack) as here,
    ):
        for event in ("tokens_revoked", "app_uninstalled"):
            slack.faults.add(kind="hold", event=event)
        here.deeds.append("Olivia uninstalls MASIS, which Slack does not tell at once")
        await here.admin.uninstalls()
        await slack.settled()
        ago = 0.0
        here.deeds.append("Olivia installs MASIS anew")
        await install(here.address, here.admin)
        here.deeds.append("Slack tells now, the last thing first")
        assert [ack.status for ack in await slack.bots.release(backwards=True)] == [200, 200]
        await here.settled()
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "High")

        await assert_told(here, "uninstallation_told_late")


async def test_uninstallation_events_may_be_reordered(tmp_path: Path) -> None:
    """Events of an uninstallation may come the other way round."""
    async with office(tmp_path, oauth=True) as here:
        for event in ("tokens_revoked", "app_uninstalled"):
            here.slack.faults.add(kind="hold", event=event)
        await here.admin.uninstalls()
        await here.slack.settled()
        await here.slack.bots.release(backwards=True)
        await here.settled()

        found = await here.bot.services.links.of(here.tenant, here.channel.id)
        assert found is not None
        assert found.suspended


# --- the socket ----------------------------------------------------------------------------


async def test_lost_socket_is_reconnected(tmp_path: Path) -> None:
    """Over a socket it is the same and a lost one comes back."""
    async with office(tmp_path, socket=True) as here:
        assert here.service is not None
        here.service.will("auditor", *[critique(confidence=0.41)] * 3)
        await here.types(here.alice, QUESTION)
        asked = await here.sees(here.bob, "41.0 %")
        await here.clicks(here.alice, asked, "Go by leave.md")
        await here.sees(here.bob, "High")
        await here.settled()

        lost = {*here.slack.bots.sockets}
        await here.slack.drop_sockets()
        here.deeds.append("The connection is lost")
        await here.slack.until(lambda: {*here.slack.bots.sockets} - lost, SECONDS)
        await here.says(here.bob, "@MASIS How often are laptops replaced?")
        await here.sees(here.bob, "every 4 years")

        await assert_told(here, "over_a_socket")


async def relinks(here: Office, workspace: str = "handbook") -> None:
    """The admin links the channel as the form offers it."""
    await here.types(here.admin, f"link {workspace}")
    await here.modal(here.admin, "[Link]")
    await here.submits(here.admin)
    await here.sees(here.admin, "now asks the workspace")
