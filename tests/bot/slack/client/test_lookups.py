from typing import Any

import pytest

from bot.slack.authority import Person
from bot.slack.client.lookups import channel_of, objects, part, person_of, word


def test_a_person_is_read_with_their_rights_and_their_home() -> None:
    said = {
        "id": "U1",
        "team_id": "T1",
        "is_admin": True,
        "is_primary_owner": True,
        "is_restricted": True,
        "is_ultra_restricted": True,
        "is_stranger": True,
        "enterprise_user": {"enterprise_id": "E1"},
    }
    person = person_of("U1", {"user": said})
    assert (person.id, person.team, person.enterprise) == ("U1", "T1", "E1")
    assert person.admin
    assert person.owner
    assert person.restricted
    assert person.ultra_restricted
    assert person.stranger
    assert not person.bot


@pytest.mark.parametrize("flag", ["is_bot", "is_workflow_bot", "is_connector_bot"])
def test_every_kind_of_bot_is_one(flag: str) -> None:
    assert person_of("U1", {"user": {flag: True}}).bot
    assert person_of("USLACKBOT", {}).bot


@pytest.mark.parametrize("body", [{}, {"user": None}, {"user": [1]}, {"user": {"is_admin": "yes"}}])
def test_what_slack_did_not_say_gives_no_rights(body: dict[str, Any]) -> None:
    person = person_of("U1", body)
    assert person == Person(id="U1")


@pytest.mark.parametrize(
    ("said", "private", "direct", "member"),
    [
        ({"is_channel": True, "is_member": True}, False, False, True),
        ({"is_private": True}, True, False, False),
        ({"is_group": True, "is_member": True}, True, False, True),
        ({"is_im": True}, True, True, True),
        ({"is_mpim": True}, True, True, True),
    ],
)
def test_each_kind_of_channel_is_told_apart(
    said: dict[str, Any], *, private: bool, direct: bool, member: bool
) -> None:
    channel = channel_of("C1", {"channel": said})
    assert (channel.private, channel.direct, channel.member) == (private, direct, member)


@pytest.mark.parametrize("flag", ["is_ext_shared", "is_pending_ext_shared"])
def test_a_channel_counts_as_external_from_the_invitation_on(flag: str) -> None:
    assert channel_of("C1", {"channel": {flag: True}}).external
    assert not channel_of("C1", {"channel": {"is_shared": True, "is_org_shared": True}}).external


def test_parts_of_a_reply_are_read_whatever_they_are() -> None:
    body: dict[str, Any] = {"a": {"b": 1}, "list": [{"x": 1}, 2, None], "word": "w", "number": 7}
    assert part(body, "a") == {"b": 1}
    assert part(body, "word") == part(body, "nothing") == {}
    assert objects(body, "list") == [{"x": 1}]
    assert objects(body, "word") == []
    assert (word(body, "word"), word(body, "number"), word(body, "nothing")) == ("w", "", "")
