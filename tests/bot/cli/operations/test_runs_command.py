import datetime as dt
from pathlib import Path

import pytest
from rich.console import Console

from bot.operating import anew
from bot.rendering import show_runs
from masis.conversation import ChatRun, Tenant
from masis.domain import Failed, workspace_id
from masis.records import StoredRun
from storage.chat.outbox import Outbox
from storage.chat.overview import Seen
from storage.chat.requests import ChatRuns
from storage.sql.database import Database
from tests.bot.cli.spoken import NAMED, OTHERS, STAYER, TEAM, Said, on
from tests.bot.program import Masis, lines, program
from tests.memory import copy_folder

NOON = dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC)


def after(seconds: float) -> dt.datetime:
    return NOON + dt.timedelta(seconds=seconds)


async def ended(database: Database, run: ChatRun, kind: str) -> None:
    outbox = Outbox(database)
    for each in ("progress", kind):
        await outbox.begin(run.id, each, 0, run.channel, run.thread)
        await outbox.sent(run.id, each, 0, "1.2")


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with four requests."""
    folder = tmp_path_factory.mktemp("asked") / "data"

    async def ask(database: Database) -> None:
        ours, theirs = Said(database), Said(database, OTHERS)
        good = await ours.ask("r1", "Who\x1b[2J?", accepted_at=after(0), finished_at=after(2.5))
        bad = await ours.ask(
            "r2", "When?", accepted_at=after(10), finished_at=after(12), thread="7.7", attempt=3
        )
        other = await theirs.ask("r3", "Where?", accepted_at=after(5), finished_at=after(6))
        await ended(database, good, "answer")
        await ended(database, bad, "failed")
        await ended(database, other, "stopped")
        await ours.ask("r4", "Why?", accepted_at=after(20), thread="9.9", status="waiting")

    on(folder, ask)
    return folder


@pytest.fixture
def masis(asked: Path, data_dir: Path) -> Masis:
    """The program on a copy of that folder."""
    copy_folder(asked, data_dir)
    return program(data_dir)


def runs_of(data_dir: Path, tenant: Tenant) -> list[ChatRun]:
    async def recent(database: Database) -> list[ChatRun]:
        return await ChatRuns(database).recent(tenant, 100)

    found: list[ChatRun] = on(data_dir, recent)
    return found


# --- looking -------------------------------------------------------------------------------


def test_requests_are_listed_newest_first(masis: Masis) -> None:
    """Requests are listed newest first with how they ended."""
    heading, *rows = masis("runs", "--team", NAMED).stdout.splitlines()
    assert heading.split()[:4] == ["Accepted", "(UTC)", "Id", "State"]
    assert [row.split()[2:] for row in rows] == [
        ["r4", "waiting", "0", "Why?"],
        ["r2", "failed", "3", "2.0", "s", "When?"],
        ["r1", "answer", "0", "2.5", "s", "Who[2J?"],
    ]


def test_operator_sees_requests_with_team(masis: Masis) -> None:
    """The operator sees every teams requests with the team."""
    rows = masis("runs").stdout.splitlines()[1:]
    assert [(row.split()[2], row.split()[-1]) for row in rows] == [
        ("r4", NAMED),
        ("r2", NAMED),
        ("r3", "T0TWO"),
        ("r1", NAMED),
    ]


def test_requests_are_filtered_by_status(masis: Masis) -> None:
    """They can be chosen by status and number and read by programs."""
    [waiting] = lines(masis("runs", "--status", "waiting", "--json"))
    assert (waiting["id"], waiting["outcome"], waiting["team"]) == ("r4", None, NAMED)
    found = lines(masis("runs", "--status", "finished", "--limit", "2", "--json"))
    assert [(run["id"], run["outcome"]) for run in found] == [("r2", "failed"), ("r3", "stopped")]


def test_empty_list_is_reported_as_such(masis: Masis) -> None:
    """Where there are none it says so and a wrong status is refused."""
    nothing = masis("runs", "--status", "cancelled")
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert "No such requests" in nothing.stderr
    wrong = masis("runs", "--status", "answered")
    assert wrong.exit_code == 2
    assert "waiting, queued, running" in wrong.stderr


def test_request_shows_messages_and_trail(masis: Masis) -> None:
    """One is shown with its messages and its trail."""
    told = masis("runs", "show", "r1").stdout
    assert "State         answer" in told
    assert "Message       progress: sent" in told
    assert "researcher" in told
    assert "\x1b" not in told
    [whole] = lines(masis("runs", "show", "r1", "--json"))
    assert [message["kind"] for message in whole["messages"]] == ["answer", "progress"]
    assert whole["trail"]["status"] == "answered"
    assert whole["question"] == "Who\x1b[2J?"


def test_failure_shows_both_descriptions() -> None:
    """A failure is shown in the askers words and in the operators."""
    failed = Failed(run_id="r", question="q", error="It is away.", detail="http://q:6333 is away.")
    trail = StoredRun(
        run_id="r",
        graph="research",
        workspace_id=workspace_id("w"),
        question="q",
        status="failed",
        outcome=failed.model_dump(mode="json"),
        evidence=[],
        trace=[],
        figures={},
    )
    run = ChatRun(
        id="r",
        tenant=Tenant(team="T1"),
        channel="C1",
        asker="U1",
        question="q",
        query="q",
        workspace_id=trail.workspace_id,
    )
    seen = Console(record=True, width=100)
    seen.print(show_runs.whole(Seen(run=run, messages={"failed"}), [], trail))
    told = seen.export_text()
    assert "error: It is away." in told
    assert "detail: http://q:6333 is away." in told


def test_unknown_request_is_refused_everywhere(masis: Masis) -> None:
    """One that there is not is refused by every command."""
    for command in ("show", "cancel", "retry"):
        result = masis("runs", command, "r9")
        assert result.exit_code == 2
        assert "There is no request r9" in result.stderr


# --- doing ---------------------------------------------------------------------------------


def test_open_request_is_marked_for_stopping(masis: Masis, data_dir: Path) -> None:
    """An open one is marked to be stopped and let through to its end."""
    assert "is being stopped" in masis("runs", "cancel", "r4").stdout
    run = next(run for run in runs_of(data_dir, TEAM) if run.id == "r4")
    assert (run.cancelled_by, run.status) == ("operator", "queued")
    ended = masis("runs", "cancel", "r2")
    assert ended.exit_code == 2
    assert "has ended already: failed" in ended.stderr


def test_failed_request_is_requeued_once(masis: Masis, data_dir: Path) -> None:
    """What failed is queued again once in its thread."""
    masis("runs", "cancel", "r4")  # whoever asked may have two open ones
    first = lines(masis("runs", "retry", "r2", "--json"))[0]
    assert first["status"] == "accepted"
    again = masis("runs", "retry", "r2")
    assert f"retried before, as {first['run_id']}" in again.stdout

    old, new = (
        next(run for run in runs_of(data_dir, TEAM) if run.id == each)
        for each in ("r2", first["run_id"])
    )
    assert old.status == "finished"
    assert (new.status, new.attempt, new.parent_run_id) == ("queued", 0, "r2")
    assert (new.thread, new.question, new.asker) == ("7.7", "When?", STAYER)


def test_only_failed_requests_are_retried(masis: Masis, data_dir: Path) -> None:
    """What is open or was answered is not asked again."""
    for run_id, said in (("r4", "It is waiting"), ("r1", "It ended with answer")):
        result = masis("runs", "retry", run_id)
        assert result.exit_code == 2
        assert said in result.stderr
    assert len(runs_of(data_dir, TEAM)) == 3


def test_retry_respects_the_quotas(masis: Masis, data_dir: Path) -> None:
    """A retry stays within the quotas and says so."""

    async def ask(database: Database) -> None:
        for number in range(2):
            await Said(database).ask(f"open {number}", "?", status="queued", thread=f"{number}.5")

    on(data_dir, ask)
    result = masis("runs", "retry", "r2")
    assert result.exit_code == 4
    assert "still being worked on" in result.stderr


def test_retried_reply_closes_nothing() -> None:
    """A retried reply has its words and closes nothing."""
    run = ChatRun(
        id="r1",
        tenant=TEAM,
        channel="C1",
        thread="1.1",
        asker="U1",
        kind="reply",
        question="The second",
        query="Which?\nThe second",
        workspace_id="w_1",
        session_id="s_1",
        parent_run_id="r0",
        status="failed",
        attempt=3,
        steps=2,
        cancelled_by="U1",
        finished_at=NOON,
    )
    new = anew(run)
    assert (new.session_id, new.query, new.parent_run_id) == (None, "Which?\nThe second", "r1")
    assert (new.attempt, new.steps, new.cancelled_by, new.finished_at) == (0, 0, "", None)
    assert anew(run).id == new.id != anew(new).id
