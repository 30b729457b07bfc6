"""Who may see what an answer stands on, and whose reply counts, when things change or fail."""

from pathlib import Path

from bot.slack.text import sentences
from tests.walks.office import QUESTION, link, office

OFF_TOPIC = "Who won the chess tournament in Reykjavik?"


async def test_guest_reads_no_passage_or_trail(tmp_path: Path) -> None:
    """A guest who may not ask reads no passage and no trail."""
    async with office(tmp_path) as here:
        gus = here.slack.person("gus", "single_channel_guest")
        channel = here.slack.channel("visitors", here.alice, gus, here.admin)
        await link(here, channel)
        await here.types(here.alice, QUESTION, channel)
        answer = await here.sees(here.alice, "High", channel=channel)

        for button in ("Passage", "How I got this"):
            await here.clicks(gus, answer, button)
            shown = await here.modal(gus, "Guests cannot use MASIS here")
            assert "26 days" not in shown
            await gus.closes()


async def test_removed_link_ends_all_reading(tmp_path: Path) -> None:
    """After the link is gone nobody reads on."""
    async with office(tmp_path) as here:
        await here.types(here.alice, QUESTION)
        answer = await here.sees(here.bob, "High")
        await here.settled()
        await here.types(here.admin, "unlink")
        await here.settled()

        for button in ("Passage", "How I got this"):
            await here.clicks(here.bob, answer, button)
            shown = await here.modal(here.bob, sentences.WITHHELD_UNLINKED)
            assert "26 days" not in shown
            await here.bob.closes()


async def test_manager_reply_counts_after_slack_error(tmp_path: Path) -> None:
    """A managers reply is taken when slack says again who it was."""
    async with office(tmp_path) as here:
        await here.types(here.alice, OFF_TOPIC)
        asked = await here.sees(here.bob, "nothing close enough")
        await here.settled()
        # Slack's word on who somebody is comes once wrongly; the message is delivered again.
        here.slack.faults.add(method="users.info", kind="error", error="internal_error", times=1)

        await here.says(here.admin, QUESTION, thread=asked)

        answer = await here.sees(here.bob, "High", thread=asked)
        assert answer.thread_ts == asked.root_ts
