import pytest

from bot.chat.authority import ACTIONS, KINDS, MAY, Action, Kind, manages, may
from bot.slack.persons import Person, kind_of
from masis.conversation import TeamSettings, Tenant

TENANT = Tenant(team="T1")
CAREFUL = TeamSettings()
OPEN = TeamSettings(guests=True, external_channels=True)

# Who may do it by default / about another's question / where an admin opened MASIS to guests and
# externally shared channels.
EXPECTED: dict[Kind, dict[Action, str]] = {
    "owner": dict.fromkeys(ACTIONS, "yes yes yes"),
    "admin": dict.fromkeys(ACTIONS, "yes yes yes"),
    "manager": {**dict.fromkeys(ACTIONS, "yes yes yes"), "settings": "no no no"},
    "member": {
        **dict.fromkeys(ACTIONS, "no no no"),
        "ask": "yes yes yes",
        "clarify": "yes no yes",
    },
    "multi_channel_guest": {
        **dict.fromkeys(ACTIONS, "no no no"),
        "ask": "no no yes",
        "clarify": "no no yes",
    },
    "single_channel_guest": {
        **dict.fromkeys(ACTIONS, "no no no"),
        "ask": "no no yes",
        "clarify": "no no yes",
    },
    "stranger": {
        **dict.fromkeys(ACTIONS, "no no no"),
        "ask": "no no yes",
        "clarify": "no no yes",
    },
    "bot": dict.fromkeys(ACTIONS, "no no no"),
}
CELLS = [(kind, action) for kind in KINDS for action in ACTIONS]


def test_the_matrix_has_fifty_six_cells() -> None:
    assert len(CELLS) == 56
    assert {kind: set(row) for kind, row in MAY.items()} == {kind: set(ACTIONS) for kind in KINDS}


@pytest.mark.parametrize(("kind", "action"), CELLS)
def test_who_may_do_what(kind: Kind, action: Action) -> None:
    by_default, for_others, opened = (word == "yes" for word in EXPECTED[kind][action].split())

    assert may(kind, action, CAREFUL) is by_default
    assert may(kind, action, CAREFUL, own=False) is for_others
    assert may(kind, action, OPEN) is opened


@pytest.mark.parametrize("kind", KINDS)
def test_only_managers_answer_for_others(kind: Kind) -> None:
    """Only those who run it answer for others."""
    assert manages(kind) is (kind in {"owner", "admin", "manager"})


@pytest.mark.parametrize(
    ("person", "kind"),
    [
        (Person(id="U1", team="T1", owner=True, admin=True), "owner"),
        (Person(id="U1", team="T1", admin=True), "admin"),
        (Person(id="UM", team="T1"), "manager"),
        (Person(id="U1", team="T1"), "member"),
        (Person(id="U1", team="T1", restricted=True), "multi_channel_guest"),
        (
            Person(id="U1", team="T1", restricted=True, ultra_restricted=True),
            "single_channel_guest",
        ),
        (Person(id="U1", team="T2"), "stranger"),
        (Person(id="U1", team="T1", stranger=True), "stranger"),
        (Person(id="U1", team="T1", bot=True), "bot"),
        (Person(id="U1", team="T1", deleted=True), "bot"),
        # What restricts comes before what allows.
        (Person(id="UM", team="T1", restricted=True), "multi_channel_guest"),
        (Person(id="UM", team="T2"), "stranger"),
        (Person(id="U1", team="T2", admin=True, owner=True), "stranger"),
        (Person(id="U1", team="T1", admin=True, bot=True), "bot"),
        (Person(id="U1", team="", admin=True), "stranger"),
    ],
)
def test_who_somebody_is(person: Person, kind: Kind) -> None:
    assert kind_of(person, TENANT, TeamSettings(managers=["UM"])) == kind


def test_enterprise_teams_belong_together() -> None:
    """People of another team of the same enterprise belong."""
    grid = Tenant(enterprise="E1", team="T1")
    assert kind_of(Person(id="U1", team="T2", enterprise="E1"), grid, CAREFUL) == "member"
    chief = Person(id="U1", team="T2", enterprise="E1", admin=True, owner=True)
    assert kind_of(chief, grid, CAREFUL) == "member"
    assert kind_of(Person(id="U1", team="T2", enterprise="E2"), grid, CAREFUL) == "stranger"
    assert kind_of(Person(id="U1", team="T2", enterprise=""), TENANT, CAREFUL) == "stranger"


def test_team_manager_rights_are_per_team() -> None:
    """A manager of one team is none of another."""
    person = Person(id="UM", team="T1")
    assert kind_of(person, TENANT, TeamSettings(managers=["UM"])) == "manager"
    assert kind_of(person, TENANT, TeamSettings(managers=["UX"])) == "member"
