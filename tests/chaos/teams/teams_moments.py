"""The named moments of what somebody does in Teams: at each the program is killed, and another goes on."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from tests.chaos.death import Moment
from tests.chaos.table import Line
from tests.chaos.teams.teams_account import TeamsAccount, account, newly
from tests.chaos.teams.teams_stories import Story, StoryName
from tests.chaos.teams.teams_town import TeamsTown

DEATH_SECONDS: Final = 30.0
_KILLED: Final = -9
_OUTBOX: Final = "storage.chat.outbox:Outbox"
_STEP: Final = "storage.durable.durable_steps:_Step"
_INTAKE: Final = "bot.teams.question_intake:QuestionIntake"
_PRESSES: Final = "bot.teams.card_presses:CardPresses"
_JOBS: Final = "storage.jobs.chat_jobs:ChatJobs"
_CHANGES: Final = "storage.chat.logged_changes"
_TELL: Final = "bot.teams.jobs.notice_delivery:Notices.tell"
_ADMIT: Final = "storage.admission.admissions:admit"
_SETTLE: Final = "storage.admission.admissions:_Request.settle"


@dataclass(frozen=True)
class TeamsCase:
    """A moment, and what somebody does to bring the program there."""

    name: str
    story: StoryName
    moment: Moment

    def __str__(self) -> str:
        return f"Teams, {self.name} ({self.story})"


def _around(name: str, story: StoryName, function: str) -> Iterator[TeamsCase]:
    """Before a function begins, and after it has given its result."""
    yield TeamsCase(f"before {name}", story, Moment(function, "before"))
    yield TeamsCase(f"after {name}", story, Moment(function, "after"))


def _posts(kind: str, story: StoryName) -> Iterator[TeamsCase]:
    """The three moments of one message, by its outbox row."""
    having = {"kind": kind, "part": 0}
    begun, sent = f"{_OUTBOX}.begin", f"{_OUTBOX}.sent"
    yield TeamsCase(f"{kind}: noted, not sent", story, Moment(begun, "after", 1, having))
    yield TeamsCase(f"{kind}: sent, not noted", story, Moment(sent, "before", 1, having))
    yield TeamsCase(f"{kind}: sent and noted", story, Moment(sent, "after", 1, having))


def _taken(what: str, story: StoryName, function: str) -> Iterator[TeamsCase]:
    """From the arrival of something that a run comes of until nothing is left to do of it."""
    yield TeamsCase(f"{what} arrived, not kept", story, Moment(f"{_JOBS}.take_in", "before"))
    yield TeamsCase(f"{what} kept, not acknowledged", story, Moment(f"{_JOBS}.take_in", "after"))
    yield TeamsCase(f"{what} not accepted", story, Moment(function, "before"))
    yield TeamsCase(f"{what} stored, not committed", story, Moment(_ADMIT, "after"))
    yield TeamsCase(f"{what} committed", story, Moment(_SETTLE, "before"))
    yield TeamsCase(f"{what} accepted, not done", story, Moment(function, "after"))


def _told(story: StoryName) -> Iterator[TeamsCase]:
    """Words that are no run's, from what they are about to their end."""
    yield from _around("it is kept", story, f"{_JOBS}.take_in")
    yield from _around("the words are kept", story, f"{_JOBS}.become")
    yield from _around("it is told", story, _TELL)
    yield from _around("it is done", story, f"{_JOBS}.done")


def _replied(story: StoryName) -> Iterator[TeamsCase]:
    """A reply, from its arrival until its question is shown closed."""
    yield from _taken("reply", story, f"{_INTAKE}.reply")
    yield from _around("the question is shown closed", story, f"{_PRESSES}._close")


def _step(name: str, when: str, node: str) -> TeamsCase:
    moment = Moment(
        f"{_STEP}._stored", "before" if when == "before" else "after", 1, {"name": node}
    )
    return TeamsCase(name, "mention", moment)


MENTIONED: Final = (
    TeamsCase(
        "before the place is kept",
        "mention",
        Moment("storage.chat.teams_places:TeamsPlaces.keep", "before"),
    ),
    *_taken("mention", "mention", f"{_INTAKE}.ask"),
    TeamsCase(
        "begun by the engine", "mention", Moment("storage.queue.worker:Worker.work", "before")
    ),
    *_posts("progress", "mention"),
    _step("before the search", "before", "researcher"),
    _step("audited", "after", "critic"),
    *_posts("answer", "mention"),
    TeamsCase("before its end", "mention", Moment("storage.queue.attempts:Attempts.end", "before")),
    TeamsCase("after its end", "mention", Moment("storage.queue.attempts:Attempts.end", "after")),
)
"""A mention's life, from its arrival to the end of its run."""
BESIDE: Final = (
    *_posts("answer", "follow_up"),
    *_around("a session is open", "riddle", "storage.chat.sessions:Sessions.open"),
    *_posts("clarification", "riddle"),
    *_around("its message is known", "riddle", "storage.chat.sessions:Sessions.set_message"),
    *_replied("input"),
    TeamsCase(
        "reply taken, not committed",
        "input",
        Moment("storage.admission.acceptance:_take_session", "after"),
    ),
    *_posts("answer", "input"),
    *_replied("button"),
    *_posts("answer", "button"),
    *_replied("reply"),
    *_around("it is cancelled", "cancel", "storage.queue.engine:DbosEngine.cancel"),
    # Its id comes back to nobody, and the run ends in another message.
    *_posts("stopped", "cancel"),
    *_taken("press", "wider", f"{_INTAKE}.widen"),
    *_posts("progress", "wider"),
    *_posts("answer", "wider"),
    *_around("the vote is kept", "rated", "storage.chat.votes:Votes.cast"),
    *_around("the dialog is drawn", "audit", "bot.teams.run_dialogs:RunDialogs.shown"),
    *_around("the link is stored", "link", f"{_CHANGES}:LoggedChanges.link"),
    *_around("the form is done", "link", "bot.chat.admin:Admin.link"),
    TeamsCase(
        "link written down, not committed", "link", Moment(f"{_CHANGES}:write_down", "after")
    ),
    *_around("the settings are stored", "settings", f"{_CHANGES}:LoggedChanges.save"),
    TeamsCase(
        "settings written down, not committed",
        "settings",
        Moment(f"{_CHANGES}:write_down", "after"),
    ),
    *_around("the form is done", "settings", "bot.chat.admin:Admin.save"),
    *_around("what it says is kept", "settings", f"{_JOBS}.become"),
    *_around("the document is gone", "delete", "masis.documents.ingestion:Ingest.delete"),
    *_around("the form is done", "delete", "bot.chat.admin:Admin.delete"),
    *_taken("upload", "upload", f"{_INTAKE}.put_in"),
    *_around("it is logged", "upload", "bot.chat.admin:Admin.note_upload"),
    *_around("the file is read", "upload", "bot.teams.connector.file_downloads:SentFiles.read"),
    *_around("the document is in", "upload", "masis.documents.ingestion:Ingest.ingest"),
    *_posts("report", "upload"),
    *_around("the file is read", "attached", "bot.teams.connector.file_downloads:SentFiles.read"),
    *_around("the files are kept", "attached", "masis.documents.attaching:Attaching.read"),
    *_posts("answer", "attached"),
    *_taken("question", "personal", f"{_INTAKE}.ask"),
    *_posts("progress", "personal"),
    *_posts("answer", "personal"),
    *_taken("question", "alone", f"{_INTAKE}.ask"),
    *_posts("progress", "alone"),
    *_posts("answer", "alone"),
    *_posts("refused", "guest"),
    *_told("unlinked"),
    *_told("welcome"),
    *_around("it is begun", "welcome", f"{_JOBS}.rewrite"),
)
"""Whatever else somebody does."""
CASES: Final = (*MENTIONED, *BESIDE)
_ON_POSTGRES: Final = (
    *MENTIONED,
    *_posts("clarification", "riddle"),
    *_taken("reply", "input", f"{_INTAKE}.reply"),
    *_posts("stopped", "cancel"),
    *_posts("report", "upload"),
    *_posts("answer", "alone"),
    *_posts("refused", "guest"),
)
POSTGRES_CASES: Final = tuple(
    replace(case, name=f"{case.name}, PostgreSQL") for case in _ON_POSTGRES
)
"""What is gone through there too: taken in, and shown, with other locks and another failover."""


class TeamsMoments:
    """Goes through cases, one after the other, in one town."""

    def __init__(self, town: TeamsTown) -> None:
        self._town = town
        self._stories: list[Story] = []
        self._before = TeamsAccount()

    async def go_through(self, case: TeamsCase) -> Line:
        """Bring a program to the moment, let another one go on, and look."""
        town = self._town
        story = Story(town, next(town.numbers))
        self._stories.append(story)
        if (before := story.before(case.story)) is not None:
            plain = await town.serves()
            await before()
            await town.settled()
            await plain.killed()
        wrong, died = await self._killed(case, story)
        found = await account(town, self._stories)
        line = self._line(case, found, wrong, time.monotonic() - died)
        await town.programs[-1].killed()
        return line

    async def _killed(self, case: TeamsCase, story: Story) -> tuple[list[str], float]:
        """Let a program die and another one go on; gives what is wrong, and when it died."""
        town = self._town
        dying = await town.serves(moment=case.moment)
        telling = asyncio.ensure_future(story.of(case.story)())
        wrong = []
        try:
            code = await dying.ended(DEATH_SECONDS)
            wrong += [] if code == _KILLED else [f"ended with {code}"]
        except TimeoutError as error:
            await dying.killed()
            wrong.append(f"never came to the moment: {error}")
        died = time.monotonic()
        await town.serves()
        await asyncio.wait({telling})
        wrong += [str(telling.exception())] if telling.exception() else []
        await town.settled()
        town.connector.faults.clear()
        return wrong, died

    def _line(self, case: TeamsCase, found: TeamsAccount, wrong: list[str], seconds: float) -> Line:
        """What this case added to the town's account."""
        new, self._before = newly(found, self._before), found
        return Line(
            str(case),
            "1 story",
            len(new.lost),
            len(new.doubled),
            f"{new.rest}; {seconds:.1f} s",
            [*new.lost, *new.doubled, *new.wrong, *wrong],
        )
