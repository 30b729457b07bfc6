"""The dialogs about a run: whatever its card has no room for, page by page."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.playground.teams.teams_payloads import ANN, CHANNEL
from bot.teams.cards.carried import Dialog, DialogRef
from bot.teams.inbound.activities import DialogOpened, Person, Where
from bot.teams.run_dialogs import RunDialogs
from bot.teams.run_lookup import RunLookup
from masis.domain import Answered, NeedsClarification
from masis.records import StoredRun
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.teams_places import TeamsPlace
from storage.chat.trails import Trails
from storage.documents.repository import SqlRepository
from tests.bot.slack.view_samples import answered, asked_back, source
from tests.bot.teams.card_checker import card_violations, texts
from tests.bot.teams.test_one_outcome import TEAM, Town, made
from tests.storage.chat.samples import NOON

LONG = "Which of them counts? " * 4000


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    async with made(tmp_path) as found:
        yield found


async def opened(town: Town, dialog: Dialog, page: int = 0, n: int = 0) -> dict[str, Any]:
    """The card of a dialog about the town's run."""
    lookup = RunLookup(
        links=town.links,
        outbox=town.outbox,
        repository=SqlRepository(town.database),
        runs=ChatRuns(town.database),
        sessions=Sessions(town.database),
    )
    url = town.standin.url
    place = TeamsPlace(
        tenant=TEAM, kind="channel", conversation=CHANNEL, service_url=url, seen_at=NOON
    )
    where = Where(
        tenant=TEAM.enterprise, kind="channel", conversation=CHANNEL, service_url=url, bot="28:b"
    )
    asked = DialogOpened(
        id="1",
        where=where,
        person=Person(id=ANN, teams_id="29:a"),
        data=DialogRef(dialog=dialog, run=town.run.id, page=page, n=n).data(),
    )
    shown = await RunDialogs(lookup, Trails(town.database)).shown(asked, place)
    card: dict[str, Any] = shown["task"]["value"]["card"]["content"]
    assert card_violations(card) == []
    return card


async def keep(town: Town, outcome: Answered | NeedsClarification) -> None:
    """Keep an outcome whose sources came with the question: no document has to be there."""
    cited = [each.model_copy(update={"document_id": f"f_{each.n}"}) for each in outcome.citations]
    outcome = outcome.model_copy(update={"run_id": town.run.id, "citations": cited})
    kept = StoredRun(
        run_id=town.run.id,
        workspace_id=town.run.workspace_id,
        graph="research",
        question=town.run.question,
        status="success" if isinstance(outcome, Answered) else "needs_clarification",
        outcome=outcome.model_dump(mode="json"),
        evidence=[],
        trace=[],
        figures={},
    )
    await SqlRepository(town.database).save_run(kept)


async def whole(town: Town, dialog: Dialog) -> str:
    """What all pages of a dialog say."""
    said, page = "", 0
    while True:
        card = await opened(town, dialog, page)
        said += "".join(texts(card["body"]))
        if not any(each["title"] == "Next" for each in card.get("actions", [])):
            return said
        page += 1


async def test_long_question_is_read_on(town: Town) -> None:
    """All of a question back for which its card has no room, and of what comes nearest."""
    await keep(town, asked_back(clarification_question=LONG, nearest="It is 10 [1].", gaps=[]))
    said = await whole(town, "rest")
    assert said.count("counts?") == 4000
    assert "It is 10 [1]." in said


async def test_long_answer_is_read_on(town: Town) -> None:
    await keep(town, answered(answer="Leave is 26 days [1].\n\n" * 1500))
    said = await whole(town, "rest")
    assert 750 < said.count("Leave is 26 days [1].") < 1500


async def test_counted_notes_stand_in_the_trail(town: Town) -> None:
    gaps = [f"No word on place {number}." for number in range(9)]
    await keep(town, answered(gaps=gaps))
    said = await whole(town, "audit")
    assert all(gap in said for gap in gaps)


async def test_every_source_has_its_passage(town: Town) -> None:
    cited = [source(n, text=f"passage {n}") for n in range(1, 31)]
    await keep(town, answered(citations=cited))
    assert "[30]" in await whole(town, "sources")
    assert "passage 30" in texts(await opened(town, "passage", n=30))
    assert "This is not here" in "".join(texts(await opened(town, "passage", n=31)))


async def test_run_of_nobody_is_not_shown(town: Town) -> None:
    assert "This is not here" in "".join(texts(await opened(town, "audit")))
