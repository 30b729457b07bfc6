"""Questions that are stopped: by a button, by a command, by Slack's own Stop; and by whom not."""

from pathlib import Path

from tests.openai_server import says
from tests.walks.office import QUESTION, Held, assert_told, decide, office


async def test_asker_and_managers_stop_question(
    tmp_path: Path,
) -> None:
    """The asker and managers may stop a question and nobody else."""
    async with office(tmp_path) as here:
        assert here.service is not None
        here.service.will("writer", Held(says("never")), Held(says("never")))
        await decide(here, managers=[here.bob.id])
        carol = here.slack.person("carol")

        await here.types(here.alice, QUESTION)
        working = await here.sees(carol, "▸ Draft")
        await here.clicks(carol, working, "Cancel")
        await here.sees(carol, "Only the person who asked")
        await here.clicks(here.alice, working, "Cancel")
        await here.sees(here.alice, "Stopped by @Alice")
        await here.settled()

        await here.says(here.alice, f"@MASIS {QUESTION}")
        working = await here.sees(here.bob, "▸ Draft")
        await here.clicks(here.bob, working, "Cancel")
        await here.sees(here.alice, "Stopped by @Bob")

        await assert_told(here, "stopped_by_button")


async def test_command_and_slack_button_stop_question(tmp_path: Path) -> None:
    """A question is stopped by command and by slacks own button."""
    async with office(tmp_path) as here:
        assert here.service is not None
        here.service.will("writer", Held(says("never")), Held(says("never")))
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "▸ Draft")
        await here.types(here.bob, "cancel")
        await here.sees(here.bob, "None of your questions")
        await here.types(here.alice, "cancel")
        await here.sees(here.alice, "Stopped by @Alice")
        await here.settled()

        asked = await here.says(here.alice, f"@MASIS {QUESTION}")
        assert asked.message is not None
        await here.sees(here.bob, "▸ Draft", thread=asked.message)
        here.deeds.append("Bob presses Slack's Stop, then Alice does")
        await here.bob.stops(here.channel, asked.message)
        await here.sees(here.bob, "Only the person who asked", thread=asked.message)
        assert await here.bot.services.runs.open_runs(None)
        await here.alice.stops(here.channel, asked.message)
        await here.sees(here.alice, "Stopped by @Alice", thread=asked.message)

        await assert_told(here, "stopped_by_command_and_by_slack")
        session = here.slack.world.agents[here.channel.id, asked.message.ts]
        assert session.status == "active"
