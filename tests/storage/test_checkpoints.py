"""Where the graph that asks waits, on both databases: taken up by a reply, without a text, gone in time."""

import datetime as dt
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Interrupt
from pydantic import SecretStr
from sqlalchemy import Connection

from masis.assistant import Assistant, Finished
from masis.conversation import session_id
from masis.domain import Answered, NeedsClarification, ParsedDocument, Question, Workspace
from masis.errors import RunHeldUp
from masis.graphs.classification.agents import ClassificationAgents, Found
from masis.graphs.classification.by_rule import RuleAnalyzer, RuleExpander
from masis.graphs.classification.graph import CLASSIFICATION
from masis.graphs.common import Context
from masis.graphs.resuming import enter
from storage import checkpoint_rows
from storage.accounts.installations import SqlInstallations
from storage.chat import sessions as module
from storage.chat.sessions import Sessions
from storage.checkpoints import PlaceSerializer, SqlCheckpoints
from storage.documents.repository import SqlRepository
from storage.durable.execution import Execution
from storage.privacy.purge import Purge
from storage.privacy.retention import Retention
from storage.secrets import KeyRing, generate_key
from storage.sql import postgres
from storage.sql.database import Database
from storage.sql.unavailable import unavailable
from tests.masis.graphs.classification.scripted import TWINS, passage
from tests.storage.chat.samples import NOON, OURS, a_run, a_session, insert

DESCRIPTION = "steers heavy lorries"
REPLY = "Drivers (Office)"


@dataclass
class Finder:
    """A search that brings the twins each time, and can break off."""

    document_id: str
    asked: list[list[str]] = field(default_factory=list)
    breaks_off: bool = False

    async def find(self, _: str, texts: Sequence[str], *, kind: str = "", limit: int) -> Found:
        assert not kind
        self.asked.append(list(texts))
        if self.breaks_off:
            raise BrokenOffError
        here = {"document_id": self.document_id}
        held = [each.model_copy(update=here) for each in TWINS[:limit]]
        return Found(held, [passage(each).model_copy(update=here) for each in held], 0.9, ["Codes"])


class BrokenOffError(BaseException):
    """As if the process had died."""


@dataclass
class Desk:
    """Asks and replies, as the runs of a thread do."""

    database: Database
    workspace: Workspace
    finder: Finder

    def __post_init__(self) -> None:
        self.checkpoints = SqlCheckpoints(self.database)
        agents = ClassificationAgents(RuleExpander(), self.finder, RuleAnalyzer())
        bound = CLASSIFICATION.bound(Context(agents=agents), None, self.checkpoints)
        self.assistant = Assistant(
            repository=SqlRepository(self.database), graphs={CLASSIFICATION.name: bound}
        )

    async def ask(self, run_id: str = "r1") -> Finished:
        return await self.assistant.ask(self.workspace, DESCRIPTION, run_id=run_id)

    async def reply(self, text: str = REPLY, run_id: str = "r2", parent: str = "r1") -> Finished:
        question = Question(text=DESCRIPTION, standalone=DESCRIPTION, reply=text)
        return await self.assistant.ask(
            self.workspace, question, run_id=run_id, parent_run_id=parent
        )

    async def reached(self, run_id: str) -> str:
        return await self.checkpoints.reached(session_id(run_id))


@pytest.fixture
async def desk(database: Database) -> Desk:
    repository = SqlRepository(database)
    workspace = await repository.create_workspace(OURS.owner, "codes")
    version = await repository.begin_version(workspace.id, "codes.csv", "hash", 1)
    await repository.activate(version, ParsedDocument(format="csv", title="Codes", blocks=[]), 0)
    return Desk(database, workspace, Finder(version.document_id))


def nodes(finished: Finished) -> list[str]:
    return [entry["node"] for entry in finished.trace]


async def test_reply_resumes_where_it_asked(desk: Desk) -> None:
    """The question is kept before it is posted; the reply goes on behind it, and not from the start."""
    asked = await desk.ask()
    assert isinstance(asked.outcome, NeedsClarification)
    assert (asked.outcome.kind, await desk.reached("r1")) == ("choice", "asked")
    given = await desk.reply()
    assert isinstance(given.outcome, Answered)
    assert "101" in given.outcome.answer
    assert nodes(given) == ["user_info", "expander", "retrieval", "analyzer"]
    assert await desk.reached("r1") == "asked"  # until the run that has the reply has ended


async def test_each_reply_has_own_session(desk: Desk) -> None:
    """A reply that leaves it open asks anew, and waits under its own session."""
    await desk.ask()
    again = await desk.reply("it is about lorries")
    assert isinstance(again.outcome, NeedsClarification)
    assert await desk.reached("r2") == "asked"
    last = await desk.reply(run_id="r3", parent="r2")
    assert isinstance(last.outcome, Answered)
    assert nodes(last)[0] == "user_info"


async def test_questions_are_counted_over_runs(desk: Desk) -> None:
    """Each run knows what was asked before it: after the third question there is an answer."""
    await desk.ask()
    for number in (2, 3, 4):
        last = await desk.reply(f"still lorries {number}", f"r{number}", f"r{number - 1}")
    assert isinstance(last.outcome, Answered), last.outcome
    assert nodes(last)[0] == "user_info"
    assert last.trace[-1]["asked"] == 3


async def test_database_away_holds_run_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of the engine waits for a database that is away, and tells nobody that it failed."""

    async def nobody() -> None:
        return None

    async def ours() -> bool:
        return True

    async def away(*_: object) -> None:
        raise unavailable("The database is too busy. Try again.", retryable=True)

    execution = Execution(a_run("r1", desk.workspace), objection=nobody, is_ours=ours)
    monkeypatch.setattr(AsyncSqliteSaver, "aput", away)
    monkeypatch.setattr(AsyncPostgresSaver, "aput", away)

    async def asks() -> None:
        await desk.ask()

    with pytest.raises(RunHeldUp):
        await execution.run(asks())


async def test_broken_off_run_takes_reply_again(desk: Desk) -> None:
    """A run that broke off behind the question goes on the same way in when it is tried again."""
    await desk.ask()
    desk.finder.breaks_off = True
    with pytest.raises(BrokenOffError):
        await desk.reply()
    assert await desk.reached("r2") == "pending"
    desk.finder.breaks_off = False
    given = await desk.reply()
    assert isinstance(given.outcome, Answered)
    assert nodes(given)[0] == "user_info"


async def test_nothing_kept_starts_with_conversation(desk: Desk) -> None:
    """Where the place is gone, the reply begins anew with what was said before."""
    await desk.ask()
    await desk.checkpoints.remove([session_id("r1")])
    given = await desk.reply()
    assert isinstance(given.outcome, Answered)
    assert nodes(given)[0] == "expander"


async def test_one_rule_decides_how_run_enters(desk: Desk) -> None:
    """Nothing: start; a question without its reply: resume; nodes pending: go on."""
    own, asked = session_id("r2"), session_id("r1")
    assert await enter(desk.checkpoints, own, asked) == ("start", False)
    await desk.ask()
    assert await enter(desk.checkpoints, own, asked) == ("resume", True)
    assert await enter(desk.checkpoints, own, asked) == ("go_on", True)
    assert await enter(desk.checkpoints, asked, "") == ("go_on", False)


async def test_checkpoints_hold_no_text(desk: Desk) -> None:
    """No word of the asker, of a code or of a passage stands in any byte of the checkpoints' tables."""
    await desk.ask()
    await desk.reply("it is about lorries")
    kept = await desk.database.inspect(_bytes)
    said = [DESCRIPTION, "lorries", "Drivers", "Travel", "Office", "Which is it", "Code:"]
    assert len(kept) > 500
    assert [text for text in said if text.encode().lower() in kept.lower()] == []


def test_serializer_refuses_what_is_no_place() -> None:
    """Whatever is no plain value, and a question with its words, cannot be written down."""
    serializer = PlaceSerializer()
    assert serializer.loads_typed(serializer.dumps_typed([Interrupt(value=None, id="i")])) == [
        Interrupt(value=None, id="i")
    ]
    for text in (Interrupt(value="which?", id="i"), Question.plain("which?")):
        with pytest.raises(TypeError):
            serializer.dumps_typed(text)


# --- how they go -----------------------------------------------------------------------------


@pytest.fixture
async def waiting(desk: Desk) -> Desk:
    """A question that waits, with its run and its session."""
    await insert(desk.database, a_run("r1", desk.workspace, status="finished"))
    await desk.ask()
    opened = a_session(session_id("r1"), desk.workspace, run_id="r1", kind="choice")
    await Sessions(desk.database).open(opened)
    return desk


async def _expire(database: Database, _: Workspace) -> None:
    await Sessions(database).expire(NOON + dt.timedelta(days=2))


async def _cancel(database: Database, _: Workspace) -> None:
    assert await Sessions(database).cancel(OURS, session_id("r1"), "U2")


async def _supersede(database: Database, workspace: Workspace) -> None:
    await Sessions(database).open(a_session("another", workspace))


async def _purge_asker(database: Database, _: Workspace) -> None:
    await Purge(database).purge_user(OURS, "U1")


async def _purge_team(database: Database, _: Workspace) -> None:
    await Purge(database).purge_team(OURS)


async def _delete_workspace(database: Database, workspace: Workspace) -> None:
    await SqlRepository(database).delete_workspace(workspace.id)


async def _purge_workspace(database: Database, workspace: Workspace) -> None:
    await Purge(database).purge_workspace(OURS.owner, workspace.id)


async def _delete_document(database: Database, workspace: Workspace) -> None:
    repository = SqlRepository(database)
    [document] = await repository.documents(workspace.id)
    await repository.delete_document(workspace.id, document.id)


async def _uninstall(database: Database, _: Workspace) -> None:
    await SqlInstallations(database, KeyRing.parse(SecretStr(f"k1:{generate_key()}"))).remove(OURS)


FORGETS = [
    _purge_asker,
    _purge_team,
    _purge_workspace,
    _delete_workspace,
    _delete_document,
    _uninstall,
]
ENDS = [_expire, _cancel, _supersede, *FORGETS]


@pytest.mark.parametrize("end", ENDS)
async def test_checkpoints_go_with_session(
    waiting: Desk, end: Callable[[Database, Workspace], Awaitable[None]]
) -> None:
    """Whatever ends the session takes along where its graph waited."""
    assert await waiting.reached("r1") == "asked"
    await end(waiting.database, waiting.workspace)
    assert await waiting.database.inspect(_rows) == 0


@pytest.mark.parametrize("forget", FORGETS)
async def test_forgotten_checkpoints_leave_no_byte(
    waiting: Desk, forget: Callable[[Database, Workspace], Awaitable[None]]
) -> None:
    """Of a checkpoint that goes with a document, a person or the app no byte is left in the store."""
    kept = [each.encode() for each in await waiting.database.inspect(_checkpoint_ids)]
    assert kept
    before = await _store(waiting.database)
    assert [each for each in kept if each not in before] == []
    await forget(waiting.database, waiting.workspace)
    after = await _store(waiting.database)
    assert [each for each in kept if each in after] == []


async def _store(database: Database) -> bytes:
    """Every byte of a file and its log; of a server what its checkpoints' tables show."""
    if "sqlite" not in database.url.drivername:
        return await database.inspect(_bytes)
    place = Path(str(database.url.database))
    return b"".join(each.read_bytes() for each in place.parent.glob(f"{place.name}*"))


def _checkpoint_ids(connection: Connection) -> list[str]:
    kept = sa.Table("checkpoints", sa.MetaData(), autoload_with=connection)
    return list(connection.scalars(sa.select(kept.c.checkpoint_id)))


async def test_sweep_keeps_only_what_counts(waiting: Desk) -> None:
    """The sweep leaves what waits or is at work, and removes what nobody can reply to."""
    await insert(waiting.database, a_run("r2", waiting.workspace, status="running"))
    await waiting.ask("r2")
    await waiting.ask("r9")
    swept = await Retention(waiting.database).sweep(NOON)
    assert swept.places == 1
    assert [await waiting.reached(run) for run in ("r1", "r2", "r9")] == [
        "asked",
        "asked",
        "nothing",
    ]


async def test_answered_question_goes_with_run(waiting: Desk) -> None:
    """The question stays until the run that has its reply has ended, and goes with it."""
    replied = a_run("r2", waiting.workspace, status="running", session_id=session_id("r1"))
    await insert(waiting.database, replied)
    await waiting.database.transact(_take)
    await waiting.reply()
    ended = waiting.database.transact
    await ended(lambda within: checkpoint_rows.remove_ended(within, "r1", None))
    assert await waiting.reached("r1") == "asked"
    await ended(lambda within: checkpoint_rows.remove_ended(within, "r2", session_id("r1")))
    assert await waiting.database.inspect(_rows) == 0


def _take(connection: Connection) -> bool:
    return module.take(
        connection,
        session_id("r1"),
        OURS,
        user="U1",
        reply=REPLY,
        next_run_id="r2",
        now=NOON,
    )


async def test_library_changes_nothing_of_tables(database: Database) -> None:
    """The tables of our migrations are those that the library would make: its own setup adds nothing."""
    before = await database.inspect(_columns)
    engine = sa.create_engine(_blocking(database))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        raw: Any = connection.connection.driver_connection
        is_file = engine.dialect.name == "sqlite"
        library = SqliteSaver(raw) if is_file else PostgresSaver(raw)
        library.setup()
    engine.dispose()
    assert await database.inspect(_columns) == before


def _blocking(database: Database) -> sa.URL:
    kind = "sqlite" if "sqlite" in database.url.drivername else postgres.DRIVER
    return database.url.set(drivername=kind)


def _columns(connection: Connection) -> dict[str, list[tuple[str, str, bool]]]:
    there = sa.inspect(connection)
    return {
        name: [(each["name"], str(each["type"]), each["nullable"]) for each in columns]
        + [
            (str(each["name"]), str(each["column_names"]), False)
            for each in there.get_indexes(name)
        ]
        for name in sorted(there.get_table_names())
        for columns in [there.get_columns(name)]
    }


def _tables(connection: Connection) -> Iterator[sa.Table]:
    for name in checkpoint_rows.TABLES[connection.dialect.name]:
        yield sa.Table(name, sa.MetaData(), autoload_with=connection)


def _rows(connection: Connection) -> int:
    counts = (sa.select(sa.func.count()).select_from(table) for table in _tables(connection))
    return sum(connection.scalar(count) or 0 for count in counts)


def _bytes(connection: Connection) -> bytes:
    """Every value of every row, as it is kept."""
    found = (row for table in _tables(connection) for row in connection.execute(sa.select(table)))
    values = (value for row in found for value in row)
    return b"\n".join(
        bytes(each) if isinstance(each, bytes | memoryview) else str(each).encode()
        for each in values
    )
