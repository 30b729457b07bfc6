"""Whatever two Slack teams and a Teams team do, in whatever order, and however the process dies: the promises hold.

`make properties` tries far more of it (MASIS_TEST_EXAMPLES and MASIS_TEST_STEPS say how much, and
MASIS_TEST_MINUTES when to stop).
"""

import asyncio
import copy
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeVar, get_args

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.properties.deeds import TOPICS, Deeds, Founded, Reaction, Way, found
from tests.properties.town import DOCUMENTS, WORKSPACES, town

T = TypeVar("T")

EXAMPLES: Final = int(os.environ.get("MASIS_TEST_EXAMPLES", "1"))
STEPS: Final = int(os.environ.get("MASIS_TEST_STEPS", "12"))
MINUTES: Final = float(os.environ.get("MASIS_TEST_MINUTES", "60"))
BATCH: Final = 10
"""Examples between two looks at the clock."""

HOUSES = st.integers(0, 2)
"""Two of Slack, and one of Teams."""
PLACES = st.tuples(HOUSES, st.integers(0, 1))
WHO = st.integers(0, 1)
WHICH = st.integers(0, 5)
"""Counted from the newest: what has ended long ago is of less interest."""
MOSTLY = st.sampled_from((True, True, True, False))
REACTIONS = st.builds(Reaction, which=WHICH, by_asker=MOSTLY, patient=MOSTLY)
QUESTIONS = st.tuples(PLACES, WHO, st.sampled_from(TOPICS), st.sampled_from(("command", "mention")))
UNSEEN_STEPS: Final = 8
"""What goes on at the same time is of more interest than what is looked at one by one."""
METHODS: Final = ("chat.postMessage", "chat.update", "users.info")
Place = tuple[int, int]
Question = tuple[Place, int, str, Way]
Turn = Literal[
    "unlinked", "relinked", "deleted", "rewritten", "gone", "killed", "stopped", "repeated"
]
TURNS: Final[tuple[Turn, ...]] = get_args(Turn)
FAULTS: Final = ("429", "500", "drop", "drop_after", "slow")
TEAMS_FAULTS: Final = (429, 412, 502, 504, "dropped", "taken, then dropped", "taken, then slow")


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._ended = asyncio.Event()
        self._began: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._going()), daemon=True)
        self._thread.start()
        self._loop = self._began.result()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do it there, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """End it."""
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()

    async def _going(self) -> None:
        self._began.set_result(asyncio.get_running_loop())
        await self._ended.wait()


class TownMachine(RuleBasedStateMachine):
    """Its rules are what happens in a town, which goes on in between: its event loop has a thread."""

    founded: ClassVar[Founded]
    steps: ClassVar[int] = 0
    examples: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="masis-town-"))
        self.loop = Loop()
        self.closing = AsyncExitStack()
        self.failed = False
        self.since = 0
        """Steps since all was quiet."""
        here = self.loop.run(self.closing.enter_async_context(town(self.folder, self.founded.data)))
        self.deeds = Deeds(here, copy.deepcopy(self.founded.ledger))
        TownMachine.examples += 1

    def does(self, deed: str, *given: object) -> None:
        """One step."""
        TownMachine.steps += 1
        self.since += 1
        self.deeds.ledger.step += 1
        self.deeds.told.append(f"{self.deeds.ledger.step}. {deed}{given}")
        try:
            self.loop.run(getattr(self.deeds, deed)(*given))
        except BaseException as error:
            self.failed = True
            error.add_note("\n".join(self.deeds.told))
            raise

    def teardown(self) -> None:
        """Check once more, and leave nothing behind."""
        try:
            if not self.failed:
                self.does("look")
        finally:
            self.loop.run(self.closing.aclose())
            self.loop.close()
            shutil.rmtree(self.folder)

    # --- how it begins ---------------------------------------------------------------------

    @initialize(keeps=st.booleans())
    def begin(self, keeps: bool) -> None:
        """The second team may want nothing kept once it leaves."""
        self.does("begin", keeps)

    # --- what happens ----------------------------------------------------------------------

    @rule(questions=st.lists(QUESTIONS, min_size=1, max_size=3))
    def ask(self, questions: list[Question]) -> None:
        """Questions one after the other, in which ever channels."""
        for question in questions:
            self.does("ask", *question)

    @rule(asked=QUESTIONS, late=st.sampled_from((0.0, 0.1, 0.25, 0.4)), then=st.sampled_from(TURNS))
    def ask_and_meanwhile(self, asked: Question, late: float, then: Turn) -> None:
        """Something that matters to a question while it is being answered."""
        place, *_ = asked
        self.does("ask", *asked)
        if then != "killed":
            self.does("pause", late)
        match then:
            case "unlinked":
                self.does("link", place, None)
            case "relinked":
                self.does("link", place, WORKSPACES[1 - place[1]])
            case "deleted":
                self.does("delete", place, DOCUMENTS[0])
            case "rewritten":
                self.does("ingest", place, DOCUMENTS[0])
            case "gone":
                self.does("uninstall", place[0])
            case "killed":
                self.does("crash_in_post", 1 + round(late * 5))
            case "stopped":
                self.does("click", Reaction(which=0, by_asker=True, patient=False), 0)
            case "repeated":
                self.does("redeliver", 0, 2)

    @rule(to=REACTIONS, topic=st.sampled_from(TOPICS), named=st.booleans())
    def say_in_thread(self, to: Reaction, topic: str, named: bool) -> None:
        """A reply, or one more question."""
        self.does("say_in_thread", to, topic, named)

    @rule(to=REACTIONS, nth=st.integers(0, 9))
    def click(self, to: Reaction, nth: int) -> None:
        """A button of an earlier question."""
        self.does("click", to, nth)

    @rule(which=WHICH, times=st.integers(1, 3))
    def redeliver(self, which: int, times: int) -> None:
        """A duplicate."""
        self.does("redeliver", which, times)

    @rule(place=PLACES, document=st.sampled_from(DOCUMENTS), by_slack=st.booleans())
    def write(self, place: Place, document: str, by_slack: bool) -> None:
        """A document, or a new text of it."""
        self.does("upload" if by_slack else "ingest", place, document)

    @rule(place=PLACES, document=st.sampled_from(DOCUMENTS))
    def delete(self, place: Place, document: str) -> None:
        """A document goes."""
        self.does("delete", place, document)

    @rule(place=PLACES, workspace=st.none() | st.sampled_from(WORKSPACES))
    def link(self, place: Place, workspace: str | None) -> None:
        """A channel gets a workspace, another one, or none."""
        self.does("link", place, workspace)

    @rule(number=HOUSES)
    def come_or_go(self, number: int) -> None:
        """The app leaves a team, or comes back."""
        gone = number in self.deeds.ledger.removed
        self.does("install" if gone else "uninstall", number)

    @rule(kind=st.sampled_from(FAULTS), method=st.sampled_from(METHODS), times=st.integers(1, 2))
    def fault(self, kind: str, method: str, times: int) -> None:
        """Slack is in trouble."""
        self.does("fault", kind, method, times)

    @rule(
        verb=st.sampled_from(("POST", "PUT")),
        fault=st.sampled_from(TEAMS_FAULTS),
        times=st.integers(1, 2),
    )
    def teams_fault(self, verb: str, fault: int | str, times: int) -> None:
        """Teams is in trouble."""
        self.does("teams_fault", verb, fault, times)

    @rule(which=WHICH, nth=st.integers(0, 1))
    def pry(self, which: int, nth: int) -> None:
        """Somebody of the Teams team names what a Slack team has."""
        self.does("pry", which, nth)

    @precondition(lambda self: self.since >= UNSEEN_STEPS)
    @rule()
    def purge(self) -> None:
        """The Teams team is forgotten."""
        self.does("look")
        self.does("purge")

    @rule(late=st.none() | st.sampled_from((0.0, 0.02, 0.1)))
    def start_anew(self, late: float | None) -> None:
        """An upgrade, or a kill."""
        self.does("restart" if late is None else "crash", *([] if late is None else [late]))

    @precondition(lambda self: self.since >= UNSEEN_STEPS)
    @rule()
    def look(self) -> None:
        """All is quiet."""
        self.does("look")
        self.since = 0


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Founded:
    """A town in which nothing has happened yet."""
    return asyncio.run(found(tmp_path_factory.mktemp("town")))


def test_random_actions_keep_every_invariant(
    founded: Founded, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever happens in a town its promises hold."""
    TownMachine.founded = founded
    began, left = time.monotonic(), EXAMPLES
    while left > 0 and time.monotonic() - began < MINUTES * 60:
        batch = type("Batch", (TownMachine,), {})
        hypothesis.seed(left)(batch)
        run_state_machine_as_test(batch, settings=_settings(min(left, BATCH)))
        left -= BATCH
    took = time.monotonic() - began
    with capsys.disabled():
        told = f"{TownMachine.examples} examples, {TownMachine.steps} steps, {took:.0f} s"
        sys.stdout.write(f"\n{told}\n")


def _settings(examples: int) -> hypothesis.settings:
    return hypothesis.settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        # What runs at the same time is not the same twice: a shorter tale may not fail again.
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
