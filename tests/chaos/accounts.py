"""Whether every accepted request has come to its one end: the chat and the database, compared."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import sqlalchemy as sa

from bot.playground.slack.entities import Message
from masis.conversation import OPEN
from tests.chaos.service import Called
from tests.chaos.town import ENDS, SETTLED_SECONDS, Town

_STEP_OF: Final = {"writer": "synthesizer", "auditor": "critic", "judge": "evaluator"}
_TALK_OF: Final = {"RouteReply": "router", "StandaloneReply": "rewriter"}
"""The steps that ask a model before anything is searched, by the form that they want."""
_LOOK_SECONDS: Final = 0.25
_UNDER_WAY: Final = ("PENDING", "ENQUEUED", "DELAYED")
_LATE_SECONDS: Final = 0.5
"""The service notes its answer before the caller has it, and both on a busy machine."""


class Row(NamedTuple):
    """A request as the database knows it."""

    id: str
    kind: str
    status: str
    attempt: int
    question: str
    thread: str


@dataclass
class Account:
    """What came of everything."""

    accepted: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """What must not be, a line each."""
    lost: int = 0
    doubled: int = 0
    repeated_calls: int = 0
    """Model calls that were answered, and asked again since their step was not written down yet."""
    looked_for: int = 0
    """How often the program looked whether a doubtful message had arrived."""
    slowest_ack: float = 0.0
    slowest_refusal: float = 0.0
    refused: int = 0
    """Requests that were not taken on, as their askers were told."""
    refusals: list[str] = field(default_factory=list)
    """What they were told who had sent a message."""

    @property
    def apologies(self) -> float:
        """The share of outcomes that are apologies."""
        return self.ends["failed"] / self.accepted if self.accepted else 0.0


class Stored(Protocol):
    """Names the database of a town. `database_url` is empty for the SQLite file in the folder."""

    folder: Path
    database_url: str


class Ledger:
    """Reads the database of a town, beside the programs that work on it."""

    def __init__(self, town: Stored) -> None:
        url = town.database_url or f"sqlite:///{town.folder / 'data' / 'masis.db'}"
        parsed = sa.make_url(url)
        self._is_file = parsed.get_backend_name() == "sqlite"
        driver = "sqlite" if self._is_file else "postgresql+psycopg"
        # No pool: a connection would keep the log of a file, or be lost with a server.
        self._engine = sa.create_engine(parsed.set(drivername=driver), poolclass=sa.NullPool)
        self._schema = "" if self._is_file else "dbos."

    def rows(self, query: str, **given: object) -> list[Any]:
        """What a query finds."""
        with self._engine.connect() as connection:
            return list(connection.execute(sa.text(query), given))

    def requests(self) -> list[Row]:
        """Every accepted request."""
        found = self.rows("SELECT id, kind, status, attempt, question, thread FROM chat_runs")
        return [Row(*row) for row in found]

    def open(self) -> list[str]:
        """Requests that have not ended, and workflows that have not."""
        return self.open_requests() + [
            f"workflow {run}: {status}" for run, status in self.workflows()
        ]

    def open_requests(self) -> list[str]:
        """Requests that have not ended."""
        return [row.id for row in self.requests() if row.status in OPEN]

    def workflows(self) -> list[tuple[str, str]]:
        """Those of the engine that have not ended, of the last week."""
        found = self.rows(f"SELECT workflow_uuid, status FROM {self._schema}workflow_status")  # noqa: S608 - our own words
        return [(run, status) for run, status in found if status in _UNDER_WAY]

    def steps(self) -> dict[tuple[str, str], float]:
        """When the steps of runs were written down, in seconds, by run and node."""
        query = (
            "SELECT workflow_uuid, function_name, max(completed_at_epoch_ms) FROM"  # noqa: S608 - our own words
            f" {self._schema}operation_outputs GROUP BY workflow_uuid, function_name"
        )
        return {(run, name): at / 1000 for run, name, at in self.rows(query) if at}

    def sending(self) -> list[tuple[str, str, int]]:
        """Messages that are still noted as on their way, of requests that have ended."""
        query = (
            "SELECT o.run_id, o.kind, o.part, r.status FROM outbox o JOIN chat_runs r"
            " ON r.id = o.run_id WHERE o.state = 'sending'"
        )
        found = self.rows(query)
        return [(run, kind, part) for run, kind, part, status in found if status not in OPEN]

    def integrity(self) -> str:
        """What the database says of its own state; `ok` where it is whole."""
        if not self._is_file:
            return "ok"
        return str(self.rows("PRAGMA integrity_check")[0][0])


async def settled(town: Town, seconds: float = SETTLED_SECONDS) -> float:
    """Wait until every request and workflow has ended; gives after how many seconds it was so.

    What is still open by then is found by `account`.
    """
    ledger, began = Ledger(town), time.monotonic()
    while time.monotonic() - began < seconds:
        if not await asyncio.to_thread(ledger.open):
            break
        await asyncio.sleep(_LOOK_SECONDS)
    return time.monotonic() - began


def account(town: Town) -> Account:
    """Compare what was acknowledged, what is stored and what stands in the chat."""
    ledger = Ledger(town)
    requests = ledger.requests()
    made = Account(accepted=len(requests), refused=len(town.unacked))
    made.slowest_ack = max(town.acked.values(), default=0.0)
    made.slowest_refusal = max((one.seconds for one in town.unacked.values()), default=0.0)
    stored = {row.question for row in requests}
    for asked in set(town.acked) - stored:
        if (said := town.told_privately(asked)) is None:
            made.lost += 1
            made.wrong.append(f"acknowledged and not stored: {asked}")
        else:
            made.refused += 1
            made.refusals.append(said)
    _check_refused(made, town, stored)
    posted = town.posted()
    private = _private(town)
    for row in requests:
        _check(made, row, posted.get(row.id, []), private)
    made.wrong += [f"open: {each}" for each in ledger.open()]
    for run, kind, part in ledger.sending():
        # An apology leaves in doubt what never arrived; it shows nothing to anybody.
        arrived = any((k, p) == (kind, part) for k, p, _ in posted.get(run, []))
        if arrived:
            made.wrong.append(f"noted as on its way: {run} {kind} {part}")
    made.wrong += [f"of nobody's request: {run}" for run in set(posted) - {r.id for r in requests}]
    if (state := ledger.integrity()) != "ok":
        made.wrong.append(f"the database is damaged: {state}")
    _check_calls(made, town, ledger, {row.question: row.id for row in requests})
    made.looked_for = sum(
        call.method in {"conversations.replies", "conversations.history"}
        for call in town.slack.calls
    )
    return made


def _check_refused(made: Account, town: Town, stored: set[str]) -> None:
    """Who was refused was told so once, and nothing of the question was kept.

    An event that was not acknowledged is repeated by Slack, and nobody is told.
    """
    for asked, refused in town.unacked.items():
        if asked in stored:
            if not refused.by_slack:
                made.wrong.append(f"refused and stored all the same: {asked}")
        elif refused.way == "slash" and len(notes := town.notes(refused)) != 1:
            made.wrong.append(f"told {len(notes)} times that it is refused: {asked}")


def _check(
    made: Account, row: Row, posted: list[tuple[str, int, Message]], private: set[str]
) -> None:
    """One request: one outcome, in one thread, none of its messages twice."""
    kinds = {kind for kind, _, _ in posted if kind in ENDS}
    if not kinds:
        if row.status == "failed" and row.thread in private:
            kinds = {"refused"}
        else:
            made.lost += 1
            made.wrong.append(f"no outcome: {row}")
    for (kind, part), times in Counter((kind, part) for kind, part, _ in posted).items():
        if times > 1:
            made.doubled += 1
            made.wrong.append(f"{times} times {kind} {part}: {row}")
    if len(kinds) > 1:
        made.doubled += 1
        made.wrong.append(f"several outcomes {sorted(kinds)}: {row}")
    if len({message.root_ts for _, _, message in posted}) > 1:
        made.wrong.append(f"in several threads: {row}")
    made.ends.update(kinds)


def _private(town: Town) -> set[str]:
    """Threads in which somebody was told something in private."""
    return {note.thread_ts for note in town.slack.world.private if note.thread_ts}


def _step_of(call: Called) -> str:
    return _TALK_OF.get(call.form or "") or _STEP_OF[call.role]


def _check_calls(made: Account, town: Town, ledger: Ledger, runs: dict[str, str]) -> None:
    """No model call is made again once its step was written down.

    Questions with an earlier one in them are left out: their rows hold the newer part alone.
    """
    steps = ledger.steps()
    answered: set[tuple[str, str, str | None]] = set()
    for call in town.service.answered:
        if call.question not in runs:
            continue
        run, node = runs[call.question], _step_of(call)
        made.repeated_calls += (run, node, call.form) in answered
        answered.add((run, node, call.form))
        recorded = steps.get((run, node))
        if recorded is not None and call.at > recorded + _LATE_SECONDS:
            made.wrong.append(f"{node} was asked again after it was written down: {run}")
