import pytest

from bot.chat.authority import ACTIONS, KINDS, MAY, Action, Kind, manages, may
from masis.conversation import TeamSettings

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
