import pytest

from bot.chat.authority import Kind
from bot.slack.persons import Person, kind_of
from masis.conversation import TeamSettings, Tenant

TENANT = Tenant(team="T1")
CAREFUL = TeamSettings()


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
