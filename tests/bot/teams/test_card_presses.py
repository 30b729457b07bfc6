"""What a button does, and for whom: anybody may send any button's value from anywhere."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from bot.chat.tasks import Tasks
from bot.chat.words import shared_sentences
from bot.playground.teams.teams_payloads import (
    ANN,
    BEN,
    CHANNEL,
    GROUP,
    Json,
    person,
    personal,
    pressed,
    rated,
)
from bot.teams.card_presses import CardPresses
from bot.teams.cards import carried
from bot.teams.connector.connector import Spot
from bot.teams.connector.connector_errors import Ambiguous
from bot.teams.hearing import Hearing
from bot.teams.inbound.activities import Pressed, Rated, read
from bot.teams.question_intake import QuestionIntake
from bot.teams.run_lookup import RunLookup, place_of
from bot.teams.team_lookup import TeamLookup
from bot.teams.teams_access import TeamsAccess
from bot.teams.teams_greeting import Greeting
from bot.teams.text import sentences
from masis.conversation import Acceptance, ChatRun, TeamSettings
from masis.domain import Answered, WorkspaceId
from masis.graphs.chat.rules import RuleGreeter
from masis.graphs.chat.texts import GREETINGS
from masis.ports import RunEngine
from masis.records import StoredRun
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions, take
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.teams_places import TeamsPlaces
from storage.chat.trails import Trails
from storage.chat.votes import Votes
from storage.documents.repository import SqlRepository
from tests.bot.slack.view_samples import answered, asked_back
from tests.bot.teams.test_one_outcome import TEAM, Town, finished, made
from tests.storage.chat.samples import NOON, a_session, insert

ELSEWHERE: Final = {"conversationType": "channel", "id": "19:other@thread.tacv2;messageid=1"}


class Taking(RunEngine):
    """An engine that notes what it is told: the port, and nothing behind it."""

    def __init__(self) -> None:
        self.accepted: list[ChatRun] = []
        self.cancelled: list[tuple[str, str]] = []

    async def start(self, handler: Any) -> None: ...

    async def stop(self, grace_seconds: float = 20.0) -> None: ...

    async def accept(self, run: ChatRun, *, seconds: float | None = None) -> Acceptance:
        del seconds
        self.accepted.append(run)
        return Acceptance(state="accepted", run_id=run.id)

    async def cancel(self, run_id: str, by: str) -> bool:
        self.cancelled.append((run_id, by))
        return True


@dataclass
class Desk:
    town: Town
    presses: CardPresses
    engine: Taking
    sessions: Sessions
    tasks: Tasks
    told: list[str] = field(default_factory=list)

    async def press(self, verb: str, data: Json | None = None, **over: Any) -> str:
        heard = read(pressed(verb, {"v": 1, "run": "r1", **(data or {})}, **over))
        assert isinstance(heard, Pressed)
        said = await self.presses.pressed(
            heard, place_of(heard.where.model_copy(update={"group": GROUP}))
        )
        await self.tasks.drain(5.0)
        assert said["statusCode"] == 200
        return str(said["value"])

    async def ask_back(self) -> None:
        """The run's question back stands in the channel, and waits."""
        run = self.town.run
        workspace = await SqlRepository(self.town.database).workspace_by_id(run.workspace_id)
        assert workspace is not None
        values = {"tenant": TEAM, "run_id": "r1", "channel": run.channel, "thread": run.thread}
        session = a_session(
            "s_1", workspace, asker=ANN, kind="conflict", suggestions=["a.md counts"], **values
        )
        opened = await self.sessions.open(session)
        surface = self.town.surface()
        await surface.open(run)
        await surface.show(run, finished(asked_back()), opened, None)

    async def in_chat(self) -> ChatRun:
        """Return a run that was asked in Ann's own chat."""
        heard = read(personal())
        place = None if heard is None else place_of(heard.where)
        assert place is not None
        values = {"id": "r2", "channel": place.id, "direct": True, "thread": "t2"}
        run = self.town.run.model_copy(update=values)
        await insert(self.town.database, run)
        return run

    async def wait_for_reply(self, run: ChatRun) -> None:
        """Let the thread of a run wait for a reply, with what it asked back kept."""
        repository = SqlRepository(self.town.database)
        workspace = await repository.workspace_by_id(run.workspace_id)
        assert workspace is not None
        values = {"tenant": TEAM, "run_id": run.id, "channel": run.channel, "thread": run.thread}
        await self.sessions.open(a_session("s_2", workspace, asker=ANN, kind="conflict", **values))
        # Without citations: what quotes a document that is not there is kept without its texts.
        asked = asked_back(run_id=run.id, citations=[], answer="", critique=None)
        stored = StoredRun(
            run_id=run.id,
            workspace_id=run.workspace_id,
            graph="research",
            question=run.question,
            status="needs_clarification",
            outcome=asked.model_dump(mode="json"),
            evidence=[],
            trace=[],
            figures={},
        )
        await repository.save_run(stored)

    async def ask_on(self, typed: str, **over: Any) -> str:
        """Type below the answer of that run."""
        chat = {key: personal()[key] for key in ("conversation", "channelData")}
        return await self.press(
            carried.ASK_ON, {"run": "r2", carried.IN_QUESTION: typed}, **{**chat, **over}
        )


async def nothing_offered(workspace_id: WorkspaceId) -> list[str]:  # noqa: ARG001
    return []


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with made(tmp_path) as town:
        database, engine, tasks = town.database, Taking(), Tasks()
        places, runs, sessions = TeamsPlaces(database), ChatRuns(database), Sessions(database)
        access = TeamsAccess(
            connector=town.connector,
            links=town.links,
            places=places,
            rights=town.rights(),
            settings=TeamSettingsStore(database),
        )
        delivery = town.delivery()
        intake = QuestionIntake(
            access=access,
            engine=engine,
            links=town.links,
            repository=SqlRepository(database),
            runs=runs,
        )
        suggestions: Any = None
        greeting = Greeting(
            access=access,
            connector=town.connector,
            greeter=RuleGreeter(nothing_offered),
            intake=intake,
            repository=SqlRepository(database),
            suggestions=suggestions,
            tasks=tasks,
        )
        presses = CardPresses(
            access=access,
            delivery=delivery,
            engine=engine,
            greeting=greeting,
            intake=intake,
            lookup=RunLookup(
                links=town.links,
                outbox=town.outbox,
                repository=SqlRepository(database),
                runs=runs,
                sessions=sessions,
            ),
            sessions=sessions,
            surface=town.surface(),
            tasks=tasks,
            trails=Trails(database),
            votes=Votes(database),
        )
        yield Desk(town, presses, engine, sessions, tasks)
        await tasks.drain(5.0)


BY_BEN: Final = {"from": person(BEN)}


async def test_asker_cancels_their_question(desk: Desk) -> None:
    assert await desk.press(carried.CANCEL) == sentences.STOPPING
    assert desk.engine.cancelled == [("r1", ANN)]


async def test_unnamed_team_is_asked_for_once(desk: Desk) -> None:
    """Teams is asked before a press is answered, which waits for it: not again after it was done."""
    desk.town.standin.fail("GET", 404, 404)
    lookup = TeamLookup(desk.town.connector, TeamsPlaces(desk.town.database))
    parts: Any = SimpleNamespace(teams=lookup, places=TeamsPlaces(desk.town.database))
    dialogs: Any = None
    hearing = Hearing(parts, desk.presses, dialogs)
    body = pressed(carried.CANCEL, {"v": 1, "run": "r1"}, conversation=ELSEWHERE)
    heard = read(body | {"serviceUrl": desk.town.standin.url})
    assert isinstance(heard, Pressed)
    answer, place = await hearing.answered(heard)
    assert (answer["value"], place) == (sentences.OLD_BUTTON, None)
    assert hearing.late(heard, answer, place) is None
    assert desk.town.standin.verbs() == ["GET"]


@pytest.mark.parametrize(
    ("verb", "data", "said"),
    [
        (carried.WIDER, {}, shared_sentences.WIDER_STARTED),
        (carried.ASK, {"question": "How much leave is there?"}, shared_sentences.ON_IT),
    ],
)
async def test_press_done_again_starts_no_run(desk: Desk, verb: str, data: Json, said: str) -> None:
    """Whoever had it in hand died: what counts meanwhile for others does not count for it."""
    assert await desk.press(verb, data) == said
    (run,) = desk.engine.accepted
    await insert(desk.town.database, run)
    await desk.town.links.suspend(TEAM, run.channel, "the channel was deleted")
    assert await desk.press(verb, data) == said
    assert desk.engine.accepted == [run]


async def test_cancellation_done_again_says_the_same(desk: Desk) -> None:
    await ChatRuns(desk.town.database).mark("r1", "cancelled", cancelled_by=ANN)
    assert await desk.press(carried.CANCEL) == sentences.STOPPING
    assert await desk.press(carried.CANCEL, **BY_BEN) == sentences.NOTHING_RUNS
    assert desk.engine.cancelled == []


async def test_others_cancel_nothing(desk: Desk) -> None:
    assert await desk.press(carried.CANCEL, **BY_BEN) == sentences.NOT_YOURS
    await TeamSettingsStore(desk.town.database).save(TEAM, TeamSettings(managers=[BEN]))
    assert await desk.press(carried.CANCEL, **BY_BEN) == sentences.STOPPING


@pytest.mark.parametrize("verb", [carried.CANCEL, carried.WIDER, carried.REFRESH, carried.DISMISS])
async def test_button_from_elsewhere_does_nothing(desk: Desk, verb: str) -> None:
    """A run is reached from the conversation that it was asked in alone."""
    said = await desk.press(verb, {"session": "s_1"}, conversation=ELSEWHERE)
    assert said in {sentences.NOTHING_RUNS, shared_sentences.NOT_FOUND}
    assert (desk.engine.accepted, desk.engine.cancelled) == ([], [])


@pytest.mark.parametrize(
    ("verb", "data"),
    [
        ("masis_unknown", {}),
        (carried.CANCEL, {"v": 2}),
        (carried.CANCEL, {"run": 5}),
        (carried.CHOOSE, {"session": "s_1", "choice": "0"}),
        (carried.ASK, {"question": ""}),
    ],
)
async def test_older_buttons_say_so(desk: Desk, verb: str, data: Json) -> None:
    assert await desk.press(verb, data) == sentences.OLD_BUTTON


async def test_wider_search_is_a_run(desk: Desk) -> None:
    assert await desk.press(carried.WIDER) == shared_sentences.WIDER_STARTED
    (run,) = desk.engine.accepted
    assert (run.wider, run.kind, run.parent_run_id, run.thread) == (
        *(True, "wider", "r1"),
        desk.town.run.thread,
    )


async def test_question_below_an_answer_goes_on(desk: Desk) -> None:
    """In one's own chat alone, and only with a question."""
    asked_on = {carried.IN_QUESTION: "And when?"}
    assert await desk.press(carried.ASK_ON, asked_on) == shared_sentences.NOT_FOUND
    run = await desk.in_chat()
    assert await desk.ask_on(" ") == sentences.NO_QUESTION
    assert await desk.ask_on("And when?", **BY_BEN) == shared_sentences.NOT_FOUND
    assert desk.engine.accepted == []
    assert await desk.ask_on("And when?") == shared_sentences.ON_IT
    (made,) = desk.engine.accepted
    assert (made.question, made.thread, made.kind) == ("And when?", run.thread, "follow_up")


async def test_talk_below_an_answer_is_talk(desk: Desk) -> None:
    """So it is in a thread; a command needs a message of its own."""
    await desk.in_chat()
    assert await desk.ask_on("thanks") == GREETINGS["thanks"]
    for talk in ("that's wrong", "hello"):
        assert await desk.ask_on(talk) in GREETINGS.values()
    for command in ("help", "status", "history"):
        assert await desk.ask_on(command) == sentences.COMMAND_BELOW
    assert desk.engine.accepted == []


async def test_reply_below_an_answer_counts(desk: Desk) -> None:
    """Where its thread waits for one; small talk is none, and a question of its own goes on."""
    run = await desk.in_chat()
    await desk.wait_for_reply(run)
    assert await desk.ask_on("thanks") == GREETINGS["thanks"]
    assert await desk.ask_on("a.md counts") == shared_sentences.REPLY_TAKEN
    anew = "How many days of leave do interns get?"
    assert await desk.ask_on(anew) == shared_sentences.REPLY_TAKEN
    replied, own = desk.engine.accepted
    assert (replied.kind, replied.session_id, replied.reply) == ("reply", "s_2", "a.md counts")
    assert (own.kind, own.reply) == ("follow_up", "")


async def test_chosen_reply_closes_the_question(desk: Desk) -> None:
    await desk.ask_back()
    said = await desk.press(carried.CHOOSE, {"session": "s_1", "choice": 0})
    assert said == shared_sentences.REPLY_TAKEN
    (run,) = desk.engine.accepted
    assert (run.kind, run.reply, run.session_id) == ("reply", "a.md counts", "s_1")
    assert "Answered by Ann Example" in desk.town.outcomes[0]


async def test_reply_done_again_is_not_late(desk: Desk) -> None:
    """Whoever had it in hand died, and the same press is taken up once more."""
    await desk.ask_back()
    press, tenant = {"session": "s_1", "choice": 0}, desk.town.run.tenant
    await desk.press(carried.CHOOSE, press)
    (run,) = desk.engine.accepted
    await insert(desk.town.database, run)
    assert await desk.town.database.transact(
        lambda sync: take(
            sync, "s_1", tenant, user=ANN, reply=run.reply, next_run_id=run.id, now=NOON
        )
    )
    assert await desk.press(carried.CHOOSE, press) == shared_sentences.REPLY_TAKEN
    late = await desk.press(carried.CHOOSE, press, id="1700000000099")
    assert late == sentences.NOT_OPEN["answered"]
    assert len(desk.engine.accepted) == 1


async def test_choice_that_was_not_offered_is_none(desk: Desk) -> None:
    await desk.ask_back()
    said = await desk.press(carried.CHOOSE, {"session": "s_1", "choice": 9})
    assert said == shared_sentences.NOT_FOUND


async def test_only_the_asker_replies(desk: Desk) -> None:
    await desk.ask_back()
    typed = {"session": "s_1", carried.IN_REPLY: "b.md"}
    assert await desk.press(carried.REPLY, typed, **BY_BEN) == sentences.NOT_THE_ASKER
    assert desk.engine.accepted == []


async def test_dismissed_question_is_closed(desk: Desk) -> None:
    await desk.ask_back()
    assert await desk.press(carried.DISMISS, {"session": "s_1"}) == sentences.CANCELLED
    assert "cancelled" in desk.town.outcomes[0]
    again = await desk.press(carried.DISMISS, {"session": "s_1"})
    assert again == sentences.CANCELLED, "whoever had it in hand died"
    typed = {"session": "s_1", carried.IN_REPLY: "b.md"}
    assert await desk.press(carried.REPLY, typed) == sentences.NOT_OPEN["cancelled"]


async def test_orphan_is_taken_away_by_its_refresh(desk: Desk) -> None:
    """A placeholder whose id never came back goes when its asker's client looks at it."""
    desk.town.standin.fail("POST", "taken, then dropped")
    await desk.town.live()
    orphan, answer = desk.town.standin.shown
    said = await desk.press(carried.REFRESH, replyToId=orphan.id)
    assert said == sentences.GONE_FURTHER
    assert desk.town.standin.shown == [answer]
    await desk.press(carried.REFRESH, replyToId=answer.id)
    assert desk.town.standin.shown == [answer]


async def test_orphans_of_an_unknown_placeholder_go(desk: Desk) -> None:
    """Whoever posted it died before its id came back, and the run ended in another message."""
    standin, surface, run = desk.town.standin, desk.town.surface(), desk.town.run
    standin.fail("POST", "taken, then dropped", "taken, then dropped")
    with pytest.raises(Ambiguous):
        await surface.open(run)
    orphans = standin.shown
    await desk.press(carried.REFRESH, replyToId=orphans[0].id)
    assert standin.shown == orphans, "the run goes on, and may yet name one of them"
    await surface.stopped(run)
    await ChatRuns(desk.town.database).mark("r1", "cancelled", cancelled_by=ANN)
    for orphan in orphans:
        await desk.press(carried.REFRESH, replyToId=orphan.id)
    assert len(standin.shown) == 1
    assert len(desk.town.outcomes) == 1


async def test_refresh_takes_no_answer_away(desk: Desk) -> None:
    """Anybody may say that any message is the card that they look at."""
    await desk.town.live()
    other = desk.town.run.model_copy(update={"id": "r2", "asker": BEN})
    await insert(desk.town.database, other)
    await desk.press(
        carried.REFRESH, {"run": "r2"}, replyToId=desk.town.standin.shown[0].id, **BY_BEN
    )
    await desk.town.surface().open(other)
    await desk.press(
        carried.REFRESH, {"run": "r2"}, replyToId=desk.town.standin.shown[0].id, **BY_BEN
    )
    assert len(desk.town.outcomes) == 1


@pytest.mark.parametrize("outcome", [answered(), asked_back()])
async def test_late_progress_is_taken_back_by_its_refresh(desk: Desk, outcome: Any) -> None:
    """An update whose sender gave up may arrive behind the outcome."""
    town, run = desk.town, desk.town.run
    await town.live(outcome)
    kept = {
        "run_id": "r1",
        "graph": "research",
        "workspace_id": run.workspace_id,
        "question": run.question,
    }
    status = "success" if isinstance(outcome, Answered) else "needs_clarification"
    values = {"status": status, "outcome": outcome.model_dump(mode="json")}
    stored = StoredRun(**kept, **values, evidence=[], trace=[], figures={})
    await SqlRepository(town.database).save_run(stored)
    await ChatRuns(town.database).mark("r1", "finished")
    (message,) = town.standin.shown
    late = message.versions[0]
    await town.connector.update(Spot(town.standin.url, CHANNEL), message.id, late)
    assert town.outcomes == []
    await desk.press(carried.REFRESH, replyToId=message.id)
    assert len(town.outcomes) == 1


async def test_others_refresh_nothing(desk: Desk) -> None:
    await desk.town.live()
    assert await desk.press(carried.REFRESH, replyToId="1", **BY_BEN) == shared_sentences.NOT_FOUND
    assert "DELETE" not in desk.town.standin.verbs()


async def test_vote_is_kept(desk: Desk) -> None:
    surface = desk.town.surface()
    await surface.open(desk.town.run)
    await surface.show(desk.town.run, finished(answered()), None, None)
    (message,) = desk.town.standin.shown
    heard = read(rated("dislike", '{"feedbackText": "old"}', replyToId=message.id))
    assert isinstance(heard, Rated)
    await desk.presses.rated(heard, place_of(heard.where.model_copy(update={"group": GROUP})))
    (vote,) = await Votes(desk.town.database).of(TEAM, "r1")
    assert (vote.good, vote.reason, vote.user) == (False, "old", ANN)
