"""A worker that is a process of its own: asks, and posts each answer as a line of a file.

As a program it is told by its third argument what becomes of the one run that it works on.
"""

import asyncio
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from masis.conversation import ChatRun
from masis.domain import EvidenceChunk, Question, Workspace
from masis.errors import RunTakenOver
from masis.graphs.research.agents import Audit
from storage.chat.outbox import Outbox
from storage.documents.repository import SqlRepository
from storage.durable import execution
from storage.queue.engine import DbosEngine
from storage.sql.database import Database
from tests.scripted_agents import ScriptedCritic
from tests.storage.durable_run import TENANT, Asking

ATTEMPTS: Final = 3


@dataclass
class Hanging(ScriptedCritic):
    """Waits for somebody to end the process."""

    async def audit(
        self,
        question: Question,
        draft: str,
        evidence: Sequence[EvidenceChunk],
        passed_over: Sequence[EvidenceChunk],
    ) -> Audit:
        """Say that it was reached, and go no further."""
        say("reached")
        await asyncio.sleep(60)
        return await super().audit(question, draft, evidence, passed_over)


class Posting:
    """Asks a run's question and posts one line about it, as often as the outbox lets it.

    `fate`: the process `hangs` in the audit, or `freezes` right before it posts.
    """

    def __init__(
        self, database: Database, workspace: Workspace, posts: Path, fate: str = ""
    ) -> None:
        critic = Hanging() if fate == "hangs" else ScriptedCritic()
        self.asking = Asking(SqlRepository(database), workspace, critic)
        self.fate = fate
        self._outbox = Outbox(database)
        self._posts = posts

    async def __call__(self, run: ChatRun) -> None:
        """Post `sorry` where the attempts are used up, else `answer`."""
        words = "sorry"
        if run.attempt <= ATTEMPTS:
            await self.asking(run)
            words = "answer"
        row = await self._outbox.begin(run.id, "answer", 0, run.channel, run.thread)
        if row.state == "sent":
            return
        if self.fate == "freezes":
            say("reached")
            sys.stdin.readline()  # on the loop: all of the process stands still
        try:
            await execution.check()
        except (RunTakenOver, asyncio.CancelledError):  # by the check, or by a beat before it
            say("taken over")
            raise
        line = f"{run.id} {words}"
        if row.fresh or line not in await asyncio.to_thread(lines, self._posts):
            await asyncio.to_thread(_append, self._posts, line)
        await self._outbox.sent(run.id, "answer", 0, "1.0")


def lines(posts: Path) -> list[str]:
    """What was posted."""
    return posts.read_text(encoding="utf-8").splitlines() if posts.exists() else []


def say(word: str) -> None:
    """Tell the parent."""
    print(word, flush=True)  # noqa: T201 - this is how it is told


def _append(posts: Path, line: str) -> None:
    with posts.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


async def _work(location: str, posts: Path, fate: str) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    database = await Database.open(location, migrate=False)
    try:
        [workspace] = await SqlRepository(database).workspaces(TENANT.owner)
        engine = await DbosEngine.open(
            database, migrate=False, poll_seconds=0.02, heartbeat_seconds=0.1, ttl_seconds=2.0
        )
        await engine.start(Posting(database, workspace, posts, fate))
        await stop.wait()
        await engine.stop(0.1)
    finally:
        await database.close()


if __name__ == "__main__":
    asyncio.run(_work(sys.argv[1], Path(sys.argv[2]), sys.argv[3]))
