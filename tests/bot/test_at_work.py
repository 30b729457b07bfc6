"""A second chat, as small as one can be: a list of what was shown. Nothing else had to change."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest

from bot.at_work import at_work, sweeper
from bot.chat.surface import Denial, Ending, ServedSurface
from bot.compose import App, compose
from bot.settings import load
from masis.assistant import Finished
from masis.conversation import ChatRun, Link, Session, Tenant, run_id, session_id
from masis.documents.ingestion import IngestResult
from masis.domain import Answered, NeedsClarification, Workspace
from masis.errors import LinkChanged, StoreUnavailable
from masis.questions.replies import answering
from masis.runs import OnStep, Step
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.queue.engine import DbosEngine

QUESTION = "How many days of annual leave does every employee have?"
ACME = Tenant(chat="notes", team="acme")
SECONDS = 30
DOCUMENTS = {
    "leave.md": "# Leave\n\nEvery employee has 26 days of annual leave a year.\n",
    "older.md": "# Leave\n\nEvery employee has 24 days of annual leave a year.\n",
}


@dataclass
class Notes:
    """A chat whose people read one list."""

    shown: list[str] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    """Of the link, each between an admission and its post: who is admitted from then on."""
    blocked: str = "mallory"
    is_broken: bool = False
    """Whether the next attempt is broken off after its post, and its place cannot be reached then."""
    begun: Ending | None = None

    async def ending(self, run: ChatRun) -> Ending | None:  # noqa: ARG002 - the surface's signature
        return self.begun

    async def admit(self, run: ChatRun) -> Denial | None:
        return Denial(reason="not you") if run.asker == self.blocked else None

    async def open(self, run: ChatRun) -> ChatRun | Denial:
        return Denial(reason="archived") if self.begun else run

    @asynccontextmanager
    async def progress(self, run: ChatRun) -> AsyncIterator[OnStep]:  # noqa: ARG002 - the same
        def noted(step: Step) -> None:
            self.steps.append(step.name)

        yield noted

    async def show(
        self,
        run: ChatRun,
        finished: Finished,
        session: Session | None,
        link: Link | None,  # noqa: ARG002 - the same
    ) -> None:
        if self.changes:
            self.blocked = self.changes.pop(0)
            raise LinkChanged
        match finished.outcome:
            case Answered() as outcome:
                said = f"answer: {outcome.answer}"
            case NeedsClarification() as outcome:
                said = f"asks back: {outcome.kind}"
            case outcome:
                said = type(outcome).__name__
        self.shown.append(f"{run.id}: {said}")
        if session is not None:
            self.sessions.append(session)
        if self.is_broken:
            self.begun = Ending(kind="clarification", posted=True)
            raise StoreUnavailable("It is not noted.")

    async def files(self, run: ChatRun) -> NoReturn:
        raise NotImplementedError(run.id)

    async def uploading(
        self, run: ChatRun, workspace: Workspace, names: list[str], results: list[IngestResult]
    ) -> None:
        raise NotImplementedError(run.id)

    def share(self, run: ChatRun) -> NoReturn:
        raise NotImplementedError(run.id)

    async def ingested(
        self, run: ChatRun, workspace: Workspace, results: list[IngestResult]
    ) -> None:
        raise NotImplementedError(run.id)

    async def refuse(self, run: ChatRun, denial: Denial) -> None:
        self.shown.append(f"{run.id}: {denial.reason}")

    async def stopped(self, run: ChatRun) -> None:
        self.shown.append(f"{run.id}: stopped")

    async def fail(self, run: ChatRun, error: str) -> None:
        self.shown.append(f"{run.id}: {error}")

    async def expired(self, run: ChatRun, session: Session) -> None:
        self.shown.append(f"{run.id}: {session.kind} expired")


@dataclass
class Place:
    """A team that keeps notes, with MASIS at work for it."""

    app: App
    engine: DbosEngine
    workspace: Workspace
    notes: Notes
    surface: ServedSurface

    def run(self, key: str, text: str = QUESTION, **more: Any) -> ChatRun:
        given = {"channel": "list", "thread": key, "asker": "ann", "question": text, "query": text}
        given |= {"workspace_id": self.workspace.id}
        return ChatRun(id=run_id(ACME, "note", key), tenant=ACME, **given | more)

    async def ask(self, run: ChatRun) -> list[str]:
        """Have it accepted; what is shown of it in the end."""
        accepted = await self.engine.accept(run)
        assert accepted.state == "accepted"
        await self.ended(run)
        return [line.removeprefix(f"{run.id}: ") for line in self.notes.shown if run.id in line]

    async def ended(self, run: ChatRun) -> ChatRun:
        async with asyncio.timeout(SECONDS):
            while (found := await self.runs.get(ACME, run.id)) is None or not found.finished_at:  # noqa: ASYNC110 - a table tells nobody
                await asyncio.sleep(0.02)
        return found

    @property
    def runs(self) -> ChatRuns:
        return ChatRuns(self.app.database)


@asynccontextmanager
async def notes(folder: Path, documents: dict[str, str]) -> AsyncIterator[Place]:
    """MASIS at work for the team, with these documents put in."""
    chosen = load(Path("no.env"), data_dir=folder, embedder="none", agents="offline")
    async with compose(chosen, owner=ACME.owner) as app:
        made = await app.repository.workspace(ACME.owner, "docs")
        place = made or await app.repository.create_workspace(ACME.owner, "docs")
        for name, text in documents.items():
            await app.ingest.ingest(place, name, text.encode())
        shown, engines = Notes(), []

        def join(engine: DbosEngine) -> tuple[ServedSurface]:
            engines.append(engine)
            return (ServedSurface(name="notes", shows=shown, sessions=Sessions(app.database)),)

        async with at_work(app, join) as (surface,):
            yield Place(app, engines[0], place, shown, surface)


@pytest.fixture
async def place(data_dir: Path) -> AsyncIterator[Place]:
    async with notes(data_dir, {"leave.md": DOCUMENTS["leave.md"]}) as here:
        yield here


async def test_a_question_is_answered_there_once(place: Place) -> None:
    run = place.run("1")
    shown = await place.ask(run)

    assert [line for line in shown if "26 days" in line] == shown
    assert len(shown) == 1
    assert set(place.notes.steps) == {"understand", "search", "draft", "audit", "evaluate"}
    assert (await place.engine.accept(run)).state == "duplicate"
    assert (await place.ended(run)).surface == "notes"


async def test_who_may_not_is_refused_there(place: Place) -> None:
    assert await place.ask(place.run("1", asker="mallory")) == ["not you"]


async def test_changed_link_is_looked_at_again(place: Place) -> None:
    """An outcome is shown once, by the link as it is then, however often that changed before."""
    place.notes.changes = ["mallory"] * 4
    (shown,) = await place.ask(place.run("1"))
    assert "26 days" in shown


async def test_withheld_question_takes_no_reply(data_dir: Path) -> None:
    """Its session was opened before the link changed, which stopped its post."""
    async with notes(data_dir, DOCUMENTS) as place:
        place.notes.changes = ["ann"]
        run = place.run("1")
        assert await place.ask(run) == ["not you"]
        session = await Sessions(place.app.database).by_id(ACME, session_id(run.id))
        assert session is not None
        assert session.status == "cancelled"


async def test_posted_question_keeps_its_reply(data_dir: Path) -> None:
    """It is there by then, whatever cannot be shown after it."""
    async with notes(data_dir, DOCUMENTS) as place:
        place.notes.is_broken = True
        assert await place.ask(place.run("1")) == ["asks back: conflict", "archived"]
        (opened,) = place.notes.sessions
        session = await Sessions(place.app.database).by_id(ACME, opened.id)
        assert session is not None
        assert session.status == "open"


async def test_what_it_asks_back_is_replied_to(data_dir: Path) -> None:
    async with notes(data_dir, DOCUMENTS) as place:
        first = place.run("1")
        assert await place.ask(first) == ["asks back: conflict"]
        (session,) = place.notes.sessions
        assert session.tenant == ACME
        reply = "Go by leave.md"
        asked = answering(first.asked.text, session.question, session.kind, reply)
        second = place.run(
            "2",
            kind="reply",
            question=asked.text,
            query=asked.standalone,
            reply=asked.reply,
            session_id=session.id,
            parent_run_id=first.id,
        )
        (shown,) = await place.ask(second)

        assert "26 days" in shown
        assert (
            await place.engine.accept(place.run("3", session_id=session.id))
        ).state == "too_late"


async def test_a_question_past_its_time_is_closed_there(data_dir: Path) -> None:
    async with notes(data_dir, DOCUMENTS) as place:
        run = place.run("1")
        await place.ask(run)
        later = dt.datetime.now(dt.UTC) + dt.timedelta(hours=25)
        await sweeper(place.app, [place.surface], place.engine).once(later)

        assert place.notes.shown[-1] == f"{run.id}: conflict expired"


async def test_a_run_of_another_chat_waits(place: Place) -> None:
    """It stays for a process that can show it."""
    other = place.run("1", surface="elsewhere")
    assert (await place.engine.accept(other)).state == "accepted"
    await place.ask(place.run("2", thread="2"))

    assert [each.id for each in await place.runs.open_runs(None)] == [other.id]
    assert all(other.id not in line for line in place.notes.shown)


async def test_what_was_taken_in_is_shown_later(data_dir: Path) -> None:
    """The process that took it in ends before anybody worked on it."""
    async with notes(data_dir, {"leave.md": DOCUMENTS["leave.md"]}) as place:
        await place.engine.stop(0)
        run = place.run("1")
        assert (await place.engine.accept(run)).state == "accepted"
        assert place.notes.shown == []
    async with notes(data_dir, {}) as place:
        await place.ended(run)

        assert len(place.notes.shown) == 1
