"""Threads in Teams: what is asked on, by whom, and what the documents say differently."""

import asyncio
import copy
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.playground.teams.issuer import OTHER
from bot.playground.teams.teams_payloads import ANN, BEN, Json, mention, person
from tests.bot.teams.card_checker import violations
from tests.walks.teams_office import LEAVE, TeamsOffice, assert_told, teams_office, words

QUESTION = "How many days of annual leave does every employee have?"
DOCUMENTS = {
    "leave.md": LEAVE,
    "lodge-rules.md": "# Lodge rules\n\nA guest may stay in the lodge for 14 nights.\n",
    "lodge-notice.md": "# Nights in the lodge\n\nA guest may stay in the lodge for 21 nights.\n",
    "sales.csv": "Quarter,Pumps sold\nQ1 2026,40\nQ2 2026,55\nQ3 2026,61\nQ4 2026,70\n",
}


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[TeamsOffice]:
    async with teams_office(tmp_path, DOCUMENTS) as opened:
        yield opened


def in_thread(body: Json, thread: str) -> Json:
    """The same in a thread of its own."""
    moved = copy.deepcopy(body)
    channel = moved["conversation"]["id"].partition(";")[0]
    moved["conversation"]["id"] = f"{channel};messageid={thread}"
    return moved


async def test_mention_in_a_thread_goes_on(office: TeamsOffice) -> None:
    await office.say(mention(QUESTION))
    await office.shown("26 days of annual leave")
    await office.say(mention("and how many of them may be carried over?"))
    message = await office.shown("Up to 4 days", messages=2)
    assert message.thread == office.connector.shown[0].thread
    await assert_told(office, "follow_up_by_mention")


async def test_conflict_is_settled_by_its_asker(office: TeamsOffice) -> None:
    await office.say(mention("How many nights may a guest stay in the lodge?"))
    asked = copy.copy(await office.shown("The sources disagree", "Your reply"))
    refused = await office.press(asked, "lodge-notice.md counts", BEN)
    assert "Only the person" in refused
    await office.press(asked, "lodge-notice.md counts")
    await office.shown("21 nights", messages=2)
    await assert_told(office, "conflict_settled_by_a_button")


async def test_conflict_is_settled_by_a_mention(office: TeamsOffice) -> None:
    """In the thread, by who asked: nobody else's choice counts."""
    await office.say(mention("How many nights may a guest stay in the lodge?"))
    await office.shown("The sources disagree", "Your reply")
    ben = {"from": person(BEN, "Ben Example")}
    await office.say(mention("lodge-rules.md counts") | ben)
    told = await office.shown("Only the person who asked may reply", messages=2)
    assert told.targeted == f"8:orgid:{BEN}"
    await office.say(mention("lodge-notice.md counts"))
    await office.shown("21 nights", "1 of 1 claim cited", messages=3)
    await assert_told(office, "conflict_settled_by_a_mention")


async def test_owner_settles_a_conflict_by_a_mention(office: TeamsOffice) -> None:
    """Who manages MASIS in the team may reply for the asker, as by the card's button."""
    await office.say(mention("How many nights may a guest stay in the lodge?"))
    await office.shown("The sources disagree", "Your reply")
    office.issuer.roles = {BEN: ["owner"]}
    await office.say(mention("lodge-notice.md counts") | {"from": person(BEN, "Ben Example")})
    await office.shown("21 nights", messages=2)


async def test_chart_stands_in_its_card(office: TeamsOffice) -> None:
    await office.say(mention("Show pumps sold by quarter as a bar chart"))
    message = await office.shown("Source")
    (chart,) = [each for each in message.card["body"] if each["type"].startswith("Chart.")]
    assert [each["y"] for each in chart["data"]] == [40, 55, 61, 70]
    assert chart["fallback"]["items"][1]["type"] == "Table"
    assert violations(message.activity) == []
    await assert_told(office, "chart")


async def test_two_at_once_keep_apart(office: TeamsOffice) -> None:
    """Each in its thread, whoever is done first."""
    asks = [
        in_thread(mention(QUESTION), "1700000000011"),
        in_thread(mention("When is the swimming pool heated?"), "1700000000012")
        | {"from": person(BEN, "Ben Example")},
    ]
    await asyncio.gather(*map(office.say, asks))
    await office.until(lambda: len(office.connector.shown) == len(asks) and not office.is_at_work())
    by_thread = {each.thread: words(each) for each in office.connector.shown}
    assert "26 days" in by_thread["1700000000011"]
    assert "26 days" not in by_thread["1700000000012"]
    await assert_told(office, "two_at_once", by_thread=True)


async def test_guest_is_refused_alone(office: TeamsOffice) -> None:
    await _refuse(office, {"userRole": "guest"}, "Guests cannot use MASIS here")
    await assert_told(office, "guest")


async def test_stranger_is_refused_alone(office: TeamsOffice) -> None:
    await _refuse(office, {"tenantId": OTHER}, "belong to another organisation")
    await assert_told(office, "stranger")


async def _refuse(office: TeamsOffice, member: Json, refusal: str) -> None:
    """Somebody from outside is refused where they alone see it, and a colleague is answered."""
    office.connector.members[BEN] |= member
    await office.say(mention(QUESTION) | {"from": person(BEN, "Ben Example")})
    told = await office.shown(refusal)
    assert told.targeted == f"8:orgid:{BEN}"
    await office.say(mention(QUESTION) | {"from": person(ANN)})
    await office.shown("26 days", messages=2)
