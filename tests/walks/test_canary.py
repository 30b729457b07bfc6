"""What is deleted leaves no byte in the data folder, whatever was asked about it before."""

import asyncio
import json
from pathlib import Path
from typing import Final

from bot.chat.trail import trail_sentences
from bot.database_address import DATABASE_FILE
from bot.playground.slack.entities import Message
from bot.results import BLANKED, Result
from tests.bot.program import program
from tests.storage.beside import occurrences
from tests.walks.office import QUESTION, Office, office
from tests.walks.test_slack_clarification import quotes, sees_a_conflict

CANARY: Final = "flamingo4711"
"""In the names, headings and sentences of both documents, and in no question."""
OLD, NEW = f"{CANARY}-old.md", f"{CANARY}-new.md"
DOCUMENTS: Final = {
    OLD: (
        f"---\ndate: 2021-05-04\n---\n# Leave of {CANARY}\n\n"
        f"Every employee of {CANARY} has 26 days of annual leave.\n"
    ),
    NEW: (
        f"---\ndate: 2026-01-31\n---\n# Leave of {CANARY}\n\n"
        f"Every employee of {CANARY} has 28 days of annual leave.\n"
    ),
}
SECONDS: Final = 60.0
"""Within which it is gone."""


async def talked_about(here: Office) -> Message:
    """A question back names both documents, a button settles it; gives the answer after that."""
    assert here.service is not None
    here.service.will("auditor", *[sees_a_conflict()] * 3)
    await here.types(here.alice, QUESTION)
    asked = await here.sees(here.bob, "The sources disagree")
    here.service.will("writer", quotes(f"Every employee of {CANARY} has 28 days of annual leave"))
    await here.clicks(here.alice, asked, f"{NEW} counts")
    answer = await here.sees(here.bob, "High", thread=asked)
    await here.settled()
    return answer


async def gone(data_dir: Path) -> None:
    """Wait until no file of the folder holds a byte of it."""
    location = str(data_dir / DATABASE_FILE)
    async with asyncio.timeout(SECONDS):
        while await asyncio.to_thread(occurrences, location, CANARY):  # noqa: ASYNC110 - bytes tell nobody
            await asyncio.sleep(0.1)


async def says_so(here: Office, data_dir: Path, message: Message) -> None:
    """The form in Slack, the command line and the API say that a source was deleted."""
    await here.clicks(here.alice, message, "How I got this")
    await here.modal(here.alice, trail_sentences.BLANKED_RUN)
    await here.alice.closes()
    masis = program(data_dir)
    listed = await asyncio.to_thread(masis, "runs", "--json")
    run_ids = [json.loads(line)["id"] for line in listed.stdout.splitlines()]
    assert len(run_ids) == 2
    for run_id in run_ids:
        kept = await here.app.repository.run(here.workspace.id, run_id)
        assert kept is not None
        assert Result.of_stored(kept).error == BLANKED
        shown = await asyncio.to_thread(masis, "runs", "show", run_id)
        assert "a document that it quotes was deleted, and its texts with it" in shown.stdout
        assert CANARY not in shown.stdout


async def test_deleted_documents_leave_no_byte(tmp_path: Path) -> None:
    """Deleted documents and a deleted workspace leave no byte."""
    data_dir = tmp_path / "data"
    location = str(data_dir / DATABASE_FILE)
    async with office(tmp_path, documents=DOCUMENTS) as here:
        answer = await talked_about(here)
        assert occurrences(location, CANARY) > 100
        for name in DOCUMENTS:
            await here.types(here.admin, f"delete {name}")
            await here.modal(here.admin, "[Delete]")
            await here.submits(here.admin)
            await here.sees(here.admin, f"“{name}” is deleted")
        await gone(data_dir)
        await says_so(here, data_dir, answer)

        for name, text in DOCUMENTS.items():
            await here.app.ingest.ingest(here.workspace, name, text.encode())
        await here.types(here.alice, QUESTION)
        await here.settled()
        assert occurrences(location, CANARY) > 40
    masis = program(data_dir)
    of_team = ("-w", "handbook", "--team", here.tenant.team)
    assert (await asyncio.to_thread(masis, "delete", "--all", "--yes", *of_team)).exit_code == 0
    await gone(data_dir)
