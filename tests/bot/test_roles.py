from pathlib import Path

import pytest

from bot.roles import Role, check_role
from bot.settings import Settings, load
from masis.errors import InvalidSettings

SERVER = "postgresql://masis@localhost/masis"
QDRANT = "http://localhost:6333"


def settings(**chosen: str) -> Settings:
    return load(Path("no.env"), **chosen)


@pytest.mark.parametrize("role", [Role.INGRESS, Role.WORKER])
@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"database_url": "sqlite:////tmp/masis.db", "qdrant_url": QDRANT},
        {"database_url": SERVER},
    ],
)
def test_separate_role_requires_shared_stores(role: Role, chosen: dict[str, str]) -> None:
    """A role alone needs stores that processes can share."""
    with pytest.raises(InvalidSettings, match=r"MASIS_DATABASE_URL.*MASIS_QDRANT_URL"):
        check_role(settings(**chosen), role)
    check_role(settings(**chosen), Role.BOTH)


@pytest.mark.parametrize("role", list(Role))
def test_both_servers_allow_every_role(role: Role) -> None:
    """With both servers every role may be had."""
    check_role(settings(database_url=SERVER, qdrant_url=QDRANT), role)


def test_who_listens_works_and_migrates() -> None:
    does = {role: (role.listens, role.works, role.migrates) for role in Role}
    assert does == {
        Role.BOTH: (True, True, True),
        Role.INGRESS: (True, False, False),
        Role.WORKER: (False, True, False),
    }
