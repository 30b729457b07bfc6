"""Those who run MASIS in a team, from inside Teams: links, settings, documents, and who may."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.playground.teams.room import button
from bot.playground.teams.teams_payloads import ANN, BEN, CHANNEL, mention, person, personal
from bot.teams.inbound.activities import FILE
from tests.bot.teams.card_checker import texts
from tests.walks.teams_office import TeamsOffice, assert_told, teams_office, words

QUESTION = "How many days of annual leave does every employee have?"
ELSEWHERE = {"conversation": {**mention()["conversation"], "id": "19:new@thread.tacv2;messageid=1"}}


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[TeamsOffice]:
    async with teams_office(tmp_path) as opened:
        yield opened


def choices(form: dict[str, Any], name: str) -> dict[str, str]:
    (menu,) = (each for each in form["body"] if each.get("id") == name)
    return {each["title"]: each["value"] for each in menu["choices"]}


async def test_owner_links_a_channel_and_asks(office: TeamsOffice) -> None:
    """From a refusal with a button to the first answer, without a command line."""
    await office.say(mention("unlink"))
    await office.shown("no longer linked to “handbook”")
    await office.say(mention(QUESTION))
    told = await office.shown("not linked to a workspace", messages=2)
    assert told.targeted

    form = await office.dialog(told, "Link this channel")
    wrong = await office.submit(form, masis_in_workspace="", masis_in_new_workspace="")
    assert isinstance(wrong, dict)
    assert any("Type a name" in text for text in texts(wrong))
    known = choices(form, "masis_in_workspace")
    said = await office.submit(form, masis_in_workspace=known["handbook"])
    assert said == "This channel now asks the workspace “handbook” (1 document)."
    await office.say(mention(QUESTION))
    await office.shown("26 days of annual leave", messages=3)
    await assert_told(office, "linking_a_channel")


async def test_member_manages_nothing(office: TeamsOffice) -> None:
    await office.say(mention("unlink") | {"from": person(BEN)})
    await office.shown("Only an owner of this team or a MASIS manager")
    await office.say(mention("settings"))
    shown = await office.shown("Who manages MASIS", messages=2)
    refused = await office.dialog(shown, "Settings", BEN)
    assert any("Only an owner of this team may change" in text for text in texts(refused))

    form = await office.dialog(shown, "Settings")
    sent = await office.submit(form, BEN)
    assert "Only an owner of this team may change" in str(sent), "who sends a form is asked again"
    assert office.issuer.asked[-1].endswith(f"'{BEN}')")
    await assert_told(office, "not_allowed")


async def test_manager_is_named_and_then_links(office: TeamsOffice) -> None:
    await office.say(mention("settings"))
    form = await office.dialog(await office.shown("Who manages MASIS"), "Settings")
    wrong = await office.submit(form, user_running="many")
    assert isinstance(wrong, dict)
    assert any("whole number" in text for text in texts(wrong))
    saved = await office.submit(form, masis_in_managers=BEN, user_running=3)
    assert saved == "The settings are saved and count from now on."

    await office.say(mention("unlink") | {"from": person(BEN)})
    await office.shown("no longer linked", messages=2)
    await office.say(mention("settings"))
    shown = await office.shown("Who manages MASIS", messages=3)
    again = await office.dialog(shown, "Settings")
    values = {each["id"]: each["value"] for each in again["body"] if "value" in each}
    assert (values["masis_in_managers"], values["user_running"]) == (BEN, 3)
    await assert_told(office, "settings")


async def test_documents_are_listed_and_deleted(office: TeamsOffice) -> None:
    await office.say(mention("docs"))
    status = await office.shown("“handbook”: 1 document")
    listed = await office.dialog(status, "Documents", BEN)
    assert any("leave.md" in text for text in texts(listed))

    await office.say(mention("delete live.md"))
    await office.shown("Did you mean “leave.md”?", messages=2)
    await office.say(mention("delete leave.md"))
    asked = await office.shown("Delete “leave.md” from the workspace", messages=3)
    form = await office.dialog(asked, "Delete a document")
    assert "“leave.md” is deleted." in str(await office.submit(form))
    await office.say(mention("status"))
    await office.shown("0 documents", messages=4)
    await assert_told(office, "deleting_a_document")


async def test_without_consent_nothing_is_managed(office: TeamsOffice) -> None:
    office.issuer.consented = False
    await office.say(mention("unlink"))
    await office.shown("does not tell me who owns this team")
    await office.say(mention(QUESTION))
    await office.shown("26 days of annual leave", messages=2)
    await assert_told(office, "without_consent")


async def test_own_chat_says_what_it_asks(office: TeamsOffice) -> None:
    await office.say(mention("status"))
    await office.shown("asks the workspace")
    await office.say(personal("status"))
    await office.shown("Here you can ask “handbook”", messages=2)
    await office.say(personal("link"))
    await office.shown("Do this in the channel", messages=3)
    await office.say(personal("help"))
    await office.shown("Mention me with one of these", messages=4)


async def test_own_chat_asks_what_was_chosen(office: TeamsOffice) -> None:
    """Who is in channels of several workspaces chooses one, and may choose another."""
    await office.say(mention("link") | ELSEWHERE)
    linking = await office.shown("Everybody in the channel")
    value = {"data": button(linking.card, "Link this channel")["data"]}
    sent = {"type": "invoke", "name": "task/submit"}
    value["data"] |= {"masis_in_new_workspace": "papers"}
    await office.send(mention() | ELSEWHERE | sent | {"value": value})
    await office.say(mention("status"))
    await office.shown("“handbook”", messages=2)

    await office.say(personal(QUESTION))
    asked = await office.shown("Which one do you want to ask here?", messages=3)
    for name in ("papers", "handbook"):
        action = button(asked.card, name)
        press = {"type": "invoke", "name": "adaptiveCard/action", "value": {"action": action}}
        # Two presses of one id are one press: a message has one, and so has each press.
        _, said = await office.send(personal() | press | {"id": office.connector.next_id()})
        assert said["value"] == f"Your chat asks the workspace “{name}” from now on."
        _, said = await office.send(mention() | press | {"id": office.connector.next_id()})
        assert "not here" in said["value"], "that is no matter of a channel"
    await office.say(personal(QUESTION))
    await office.shown("26 days of annual leave", messages=4)


async def test_form_from_another_channel_links_that(office: TeamsOffice) -> None:
    """A form acts on the conversation that it is sent from, whatever it carries."""
    await office.say(mention("link"))
    form = await office.dialog(await office.shown("Everybody in the channel"), "Link this channel")
    (action,) = form["actions"]
    value = {"data": action["data"] | {"masis_in_new_workspace": "secret", "channel": CHANNEL}}
    body = mention() | ELSEWHERE | {"type": "invoke", "name": "task/submit", "value": value}
    _, said = await office.send(body)
    assert "“secret”" in said["task"]["value"]
    await office.say(mention("status"))
    assert "“handbook”" in words(await office.shown("“handbook”", messages=2))
    assert button(office.connector.shown[-1].card, "Documents")
    assert office.issuer.asked[-1].endswith(f"'{ANN}')")


async def test_owner_puts_files_into_the_workspace(office: TeamsOffice) -> None:
    """By a word in their own chat; a member may not, and reads why."""
    await office.say(mention("hello"))  # the channel's place is known from now on
    await office.shown()
    url = office.connector.file("fair.md", b"# Fair\n\nThe spring fair opens on 4 May 2027.\n")
    content = {"downloadUrl": url, "uniqueId": "f1"}
    sent = [
        {"contentType": FILE, "name": "fair.md", "content": content},
        {"contentType": "image/png", "name": "plan.png"},
    ]
    await office.say(personal("upload", attachments=sent) | {"from": person(BEN)})
    await office.shown("Only an owner of this team", messages=2)
    await office.say(personal("upload to elsewhere", attachments=sent))
    await office.shown("Which workspace are they for", "“handbook”", messages=3)
    await office.say(personal("Upload to handbook", attachments=sent))
    await office.shown("1 of 2 files", "“fair.md” is added", "“plan.png” was not added", messages=4)
    await office.say(personal("When does the spring fair open?"))
    await office.shown("4 May 2027", messages=5)
    await assert_told(office, "upload_by_an_owner")
