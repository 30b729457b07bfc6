"""Decide whose workspaces are meant: the command line's own, or a chat team's."""

import re
from typing import Final

from masis.conversation import LOCAL_TENANT, TEAMS, Tenant
from masis.errors import InvalidSettings

LOCAL_OWNER: Final = LOCAL_TENANT.owner
"""Whose the workspaces of the command line are."""

_GUID: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def owner_of(team: str) -> str:
    """Return the owner that a `--team` means.

    It is `T0123` or `E0123/T0123` of Slack, the ids of an Entra tenant and a team in it with a `/`
    between of Microsoft Teams, the former and a `/` alone for all teams of that tenant, or empty for
    the command line.

    Raises:
        InvalidSettings: it is no such id.
    """
    if not team:
        return LOCAL_OWNER
    if re.fullmatch(rf"{_GUID}/(?:{_GUID})?", team.lower()):
        return tenant_of(team).owner
    named = re.fullmatch(r"(?:(E[A-Z0-9]{2,63})/)?(T[A-Z0-9]{2,63})", team)
    if named is None:
        raise InvalidSettings(f"--team should be an id such as T0123ABCD, not “{team}”.")
    return Tenant(enterprise=named[1] or "", team=named[2]).owner


def tenant_of(team: str) -> Tenant:
    """Return the tenant that a `--team` means, whose form was checked before."""
    enterprise, _, own = team.rpartition("/")
    if re.fullmatch(_GUID, (own or enterprise).lower()):
        return Tenant(chat=TEAMS, enterprise=enterprise.lower(), team=own.lower())
    return Tenant(enterprise=enterprise, team=own)
