"""What a run's end makes of messages that a killed process left in doubt."""

import uuid
from pathlib import Path

import pytest

from bot.chat.surface import Denial
from bot.slack.client.delivery import Delivery
from bot.slack.client.uploaded import Uploaded
from bot.slack.client.web import SlackWeb
from bot.slack.surface import PROGRESS, SlackSurface
from storage.chat.outbox import Outbox
from storage.chat.requests import ChatRuns
from storage.documents.repository import SqlRepository
from storage.sql.database import Database
from tests.bot.slack.loopback import Slack
from tests.storage.chat.samples import OURS, a_run, insert

RUN = str(uuid.UUID(int=7))


@pytest.mark.parametrize("ending", ["refused alone", "refused in the thread", "stopped"])
async def test_end_shows_in_doubtful_progress(
    slack: Slack, slack_web: SlackWeb, tmp_path: Path, ending: str
) -> None:
    """A progress that was posted and not noted is found, and says that the run has ended."""
    database = await Database.open(tmp_path / "masis.db")
    try:
        workspace = await SqlRepository(database).create_workspace(OURS.owner, "acme")
        run = a_run(RUN, workspace)
        await insert(database, run)
        outbox = Outbox(database)
        await outbox.begin(RUN, PROGRESS, 0, "C1", "1.1")
        identity = {"run_id": RUN, "kind": PROGRESS, "part": 0}
        slack.post({"metadata": {"event_type": "masis_progress", "event_payload": identity}})
        ts = slack.posted[0]["ts"]
        surface = SlackSurface(
            access=None,  # type: ignore[arg-type] # admitted before
            admin_log=None,  # type: ignore[arg-type] # of uploads
            delivery=Delivery(slack_web, outbox),
            outbox=outbox,
            runs=ChatRuns(database),
            sessions=None,  # type: ignore[arg-type] # nothing is asked back
            uploaded=Uploaded(slack_web, None),  # type: ignore[arg-type] # no file is fetched
            web=slack_web,
        )
        if ending == "stopped":
            await surface.stopped(run.model_copy(update={"cancelled_by": run.asker}))
        else:
            await surface.refuse(run, Denial(reason="Not here.", private=ending == "refused alone"))
        assert [c.arguments["ts"] for c in slack.calls("chat.update")] == [ts]
    finally:
        await database.close()
