"""Decide which kind of caller somebody of Slack is."""

from bot.chat.authority import Kind
from masis.conversation import TeamSettings, Tenant
from masis.domain import Value


class Person(Value):
    """Hold what Slack says about a user, as far as authority depends on it."""

    id: str
    team: str = ""
    enterprise: str = ""
    admin: bool = False
    owner: bool = False
    restricted: bool = False
    ultra_restricted: bool = False
    stranger: bool = False
    bot: bool = False
    deleted: bool = False


def kind_of(person: Person, tenant: Tenant, settings: TeamSettings) -> Kind:
    """Decide which of the eight kinds somebody is. What restricts comes before what allows."""
    kinds: tuple[tuple[bool, Kind], ...] = (
        (person.bot or person.deleted, "bot"),
        (person.stranger or not _belongs(person, tenant), "stranger"),
        (person.ultra_restricted, "single_channel_guest"),
        (person.restricted, "multi_channel_guest"),
        # An admin of another team of the enterprise is one there, not here.
        (person.owner and person.team == tenant.team, "owner"),
        (person.admin and person.team == tenant.team, "admin"),
        (person.id in settings.managers, "manager"),
    )
    return next((kind for holds, kind in kinds if holds), "member")


def _belongs(person: Person, tenant: Tenant) -> bool:
    if person.team and person.team == tenant.team:
        return True
    return bool(tenant.enterprise) and person.enterprise == tenant.enterprise
