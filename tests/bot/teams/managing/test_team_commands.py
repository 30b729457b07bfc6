"""Which messages are commands: a verb counts only in its own grammar."""

import pytest

from bot.chat import grammar
from bot.teams.cards.card_elements import CARD_TYPE
from bot.teams.managing.team_commands import command_of, help_message
from tests.bot.teams.card_checker import violations


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("status", grammar.Status()),
        (" Link ", grammar.Link()),
        ("delete leave.md", grammar.Delete("leave.md")),
        ("settings", grammar.Settings()),
        ("cancel", grammar.Cancel()),
        ("History", grammar.History()),
        ("STATUS?", grammar.Status()),
        ("/status", grammar.Status()),
        ("/help!", grammar.Help()),
        ("upload", grammar.Upload()),
        ("/link", grammar.Link()),
        ("/delete leave.md", grammar.Delete("leave.md")),
    ],
)
def test_verb_is_a_command(text: str, command: object) -> None:
    assert command_of(text) == command


@pytest.mark.parametrize(
    "text",
    [
        "",
        "link between churn and price?",
        "What is the status of the move?",
        "ask HR about leave",
        "stats",
        "delete what is too old?",
        "x" * 9000,
    ],
)
def test_everything_else_is_a_question(text: str) -> None:
    assert command_of(text) is None


def test_help_is_a_sound_card() -> None:
    made = help_message()
    assert violations(made) == []
    assert made["attachments"][0]["contentType"] == CARD_TYPE
