from typing import Any

import pytest

from bot.slack.client.lookups import channel_of, objects, part, person_of, word
from bot.slack.persons import Person


def test_person_has_rights_and_home_team() -> None:
    """A person is read with their rights and their home."""
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
def test_missing_fields_give_no_rights(body: dict[str, Any]) -> None:
    """What slack did not say gives no rights."""
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
def test_channel_kinds_are_told_apart(
    said: dict[str, Any], *, private: bool, direct: bool, member: bool
) -> None:
    """Each kind of channel is told apart."""
    channel = channel_of("C1", {"channel": said})
    assert (channel.private, channel.direct, channel.member) == (private, direct, member)


@pytest.mark.parametrize("flag", ["is_ext_shared", "is_pending_ext_shared"])
def test_pending_invitation_makes_channel_external(flag: str) -> None:
    """A channel counts as external from the invitation on."""
    assert channel_of("C1", {"channel": {flag: True}}).external
    assert not channel_of("C1", {"channel": {"is_shared": True, "is_org_shared": True}}).external


def test_malformed_reply_parts_default_empty() -> None:
    """Parts of a reply are read whatever they are."""
    body: dict[str, Any] = {"a": {"b": 1}, "list": [{"x": 1}, 2, None], "word": "w", "number": 7}
    assert part(body, "a") == {"b": 1}
    assert part(body, "word") == part(body, "nothing") == {}
    assert objects(body, "list") == [{"x": 1}]
    assert objects(body, "word") == []
    assert (word(body, "word"), word(body, "number"), word(body, "nothing")) == ("w", "", "")
