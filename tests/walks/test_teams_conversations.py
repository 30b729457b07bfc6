"""Conversations in Teams, over the real wire: signed activities in, connector calls out."""

import copy
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.playground.teams.issuer import HOME, OTHER
from bot.playground.teams.teams_payloads import (
    ANN,
    BEN,
    CHANNEL,
    Json,
    activity,
    mention,
    person,
    personal,
    rated,
)
from bot.teams.inbound.activities import FILE
from tests.bot.teams.card_checker import card_violations, texts
from tests.openai_server import OpenAIServer
from tests.walks.office import writes
from tests.walks.teams_office import TeamsOffice, assert_told, teams_office, words

QUESTION = "How many days of annual leave does every employee have?"
NOTICE = "# Notice\n\nThe notice period is 3 months to the end of a month.\n"
OFFERED = "What is the notice period?"


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[TeamsOffice]:
    async with teams_office(tmp_path) as opened:
        yield opened


async def test_mention_becomes_one_answer(office: TeamsOffice) -> None:
    """One post makes the placeholder, and the answer takes its place."""
    await office.say(mention(QUESTION))
    message = await office.shown("26 days of annual leave", "2 of 2 claims cited")
    assert "Working on it" in texts(message.versions[0]["attachments"][0]["content"])
    assert office.connector.verbs().count("POST") == 1
    assert any("Microsoft Teams" in line for line in office.said)

    trail = await office.dialog(message, "How I got this")
    assert card_violations(trail) == []
    assert "What the audit found" in texts(trail)
    passage = await office.dialog(message, "Passage")
    assert any("26 days" in text for text in texts(passage))

    status, _ = await office.send(rated("dislike", '{"feedbackText": "why"}'), replyToId=message.id)
    assert status == 200
    await assert_told(office, "question_by_mention")


async def test_long_answer_goes_on_in_a_dialog(tmp_path: Path) -> None:
    """Nothing of it is cut: what the card has no room for is there page by page."""
    claim = "Annual leave is 26 days"
    async with OpenAIServer() as service, teams_office(tmp_path, service=service) as office:
        service.will("writer", writes("\n\n".join([f"{claim} [1]."] * 440)))
        await office.say(mention(QUESTION))
        message = await office.shown(claim, "“Read on” shows the rest", "440 of 440 claims cited")

        pages = [await office.dialog(message, "Read on")]
        while any(each["title"] == "Next" for each in pages[-1].get("actions", [])):
            pages.append(await office.turn(pages[-1], "Next"))
        assert all(card_violations(each) == [] for each in pages)
        told = "\n".join([words(message), *("\n".join(texts(each)) for each in pages)])
        assert told.count(claim) == 440
        await assert_told(office, "long_answer")


async def test_redelivery_is_one_question(office: TeamsOffice) -> None:
    body = mention(QUESTION, id="1700000300000")
    for _ in range(4):
        assert (await office.send(body))[0] == 200
    await office.shown("26 days of annual leave")
    assert len(office.connector.shown) == 1
    await assert_told(office, "question_sent_four_times")


async def test_slash_question_is_answered_to_one_alone(office: TeamsOffice) -> None:
    """By a placeholder that nobody else sees, and whose run nobody else opens."""
    body = mention(f"ask {QUESTION}", entities=[])
    body["text"] = f"ask {QUESTION}"
    body["recipient"] |= {"isTargeted": True}
    await office.say(body)
    message = await office.shown("26 days of annual leave")
    assert message.targeted == f"8:orgid:{ANN}"
    assert message.thread == ""
    sent = [each for each in office.connector.calls if each.verb in {"POST", "PUT"}]
    assert all(each.query == {"isTargetedActivity": "true"} for each in sent)
    assert [each.verb for each in sent].count("POST") == 1

    assert "26 days" in str(await office.dialog(message, "Passage"))
    assert "not here, or not any more" in str(await office.dialog(message, "Passage", BEN))
    assert "not here, or not any more" in await office.press(message, "Search wider", BEN)
    await assert_told(office, "question_behind_a_slash")


async def test_refused_targeting_is_told_in_own_chat(office: TeamsOffice) -> None:
    office.connector.fail("POST", 400, 400)
    body = mention(QUESTION)
    body["recipient"] |= {"isTargeted": True}
    await office.say(body)
    message = await office.shown("could not show the answer")
    assert message.conversation == f"a:chat-8:orgid:{ANN}"


async def test_file_in_own_chat_is_evidence(office: TeamsOffice) -> None:
    """What cannot be read is said; without a question there is nothing to do."""
    await office.say(mention("hello"))  # the channel's place is known from now on
    await office.shown()
    plan = office.connector.file("plan.md", b"# Plan\n\nThe spring fair opens on 4 May 2027.\n")
    lost = "http://localhost:1/lost.md"
    sent = [
        {"contentType": FILE, "name": name, "content": {"downloadUrl": url, "uniqueId": name}}
        for name, url in (("plan.md", plan), ("lost.md", lost))
    ]
    await office.say(personal("When does the spring fair open?", attachments=sent))
    await office.shown("4 May 2027", "attached to the question", "lost.md", messages=2)

    await office.say(personal("", attachments=sent))
    await office.shown("Write with the file", messages=3)
    await assert_told(office, "attached_file")


async def test_personal_chat_asks_the_members_workspace(office: TeamsOffice) -> None:
    await office.say(mention("hello"))  # the channel's place is known from now on
    await office.shown()
    await office.say(personal(QUESTION))
    answered = await office.shown("26 days of annual leave", messages=2)
    assert "press “Ask on”" in await office.press(answered, "Ask on")
    await office.press(answered, "Ask on", masis_in_question="And how many can be carried over?")
    await office.shown("Asked: “And how many can be carried over?”", "4 days", messages=3)

    office.connector.members.clear()
    await office.say(personal(QUESTION) | {"from": person(BEN)})
    await office.shown("no workspace that you can ask", messages=4)
    await assert_told(office, "personal_chat")


async def test_welcome_offers_what_is_answered(tmp_path: Path) -> None:
    """To who may ask it: in the channel that is linked, and in their own chat."""
    async with teams_office(tmp_path, {"notice.md": NOTICE}) as office:
        office.connector.members[BEN] |= {"userRole": "guest"}
        added = activity("installationUpdate", action="add")
        in_chat = added | {key: personal()[key] for key in ("conversation", "channelData")}
        await office.say(in_chat)
        await office.shown("Write me a question")
        await office.say(added)
        await office.shown("questions that the documents answer", OFFERED, messages=2)
        await office.say(in_chat | {"from": person(BEN, "Ben Example")})
        await office.shown("Write me a question", messages=3)
        await office.say(in_chat)
        welcome = await office.shown(OFFERED, messages=4)

        assert await office.press(welcome, OFFERED) == "On it."
        await office.shown("3 months", "1 of 1 claim cited", messages=5)
        told = [OFFERED in words(each) for each in office.connector.shown[:4]]
        assert told == [False, True, False, True]
        await assert_told(office, "welcome")


async def test_question_is_answered_within_its_card(office: TeamsOffice) -> None:
    await office.say(mention("When is the swimming pool heated?"))
    asked = copy.copy(await office.shown("Your reply"))
    assert "Only the person" in await office.press(asked, "Reply", BEN, masis_in_reply="leave")
    assert "Type your reply" in await office.press(asked, "Reply")
    said = await office.press(asked, "Reply", masis_in_reply=QUESTION)
    assert said == "On it, with your reply."
    await office.shown(messages=2)
    assert "Answered by Ann Example" in words(office.connector.messages[asked.id])
    assert "too late" in await office.press(asked, "Reply", masis_in_reply="something else")
    await assert_told(office, "reply_within_the_card")


async def test_places_that_are_not_linked_are_told(office: TeamsOffice) -> None:
    elsewhere = mention(QUESTION)
    elsewhere["conversation"]["id"] = "19:other@thread.tacv2;messageid=1"
    await office.say(elsewhere)
    told = await office.shown("not linked to a workspace")
    assert told.targeted

    private = mention(QUESTION)
    private["channelData"]["channel"]["type"] = "private"
    await office.say(private)
    await office.shown("private or shared", messages=2)

    group = mention(QUESTION, channelData={"tenant": {"id": HOME}})
    group["conversation"] |= {"conversationType": "groupChat", "id": "19:few@unq.gbl.spaces"}
    await office.say(group)
    await office.shown("not in group chats", messages=3)
    await assert_told(office, "channel_not_linked")


async def test_foreign_tenant_is_not_heard(office: TeamsOffice) -> None:
    foreign = mention(QUESTION, channelData={"tenant": {"id": OTHER}})
    assert (await office.send(foreign))[0] == 401
    assert office.connector.shown == []


async def test_uninstall_silences_the_team(office: TeamsOffice) -> None:
    await office.say(activity("installationUpdate", action="add"))
    await office.shown("Hello, I answer questions")
    await office.say(activity("installationUpdate", action="remove"))
    await office.say(mention(QUESTION))
    await office.shown("link is suspended", messages=2)
    await assert_told(office, "taken_out_of_the_team")


def befallen(event: str, channel: str = CHANNEL) -> Json:
    """Return what Teams tells of a channel, or of its team."""
    data = activity("x")["channelData"] | {"eventType": event, "channel": {"id": channel}}
    return activity("conversationUpdate", channelData=data)


async def test_archived_and_deleted_are_silent(office: TeamsOffice) -> None:
    """Until they come back; what befalls another channel is none of this one's."""
    await office.send(befallen("channelDeleted", "19:other@thread.tacv2"))
    for told, (gone, why, back) in enumerate(
        [
            ("teamArchived", "the team is archived", "teamUnarchived"),
            ("teamDeleted", "the team was deleted", "teamRestored"),
            ("channelDeleted", "the channel was deleted", "channelRestored"),
        ]
    ):
        await office.send(befallen(gone))
        await office.say(mention(QUESTION))
        await office.shown(f"suspended: {why}", messages=2 * told + 1)
        await office.send(befallen(back))
        await office.say(mention("status"))
        await office.shown("asks the workspace", messages=2 * told + 2)
    await assert_told(office, "archived_and_deleted")
