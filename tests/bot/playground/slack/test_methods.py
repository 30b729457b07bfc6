import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import masis
from bot.playground.slack.api.dispatch import HANDLERS
from bot.playground.slack.methods import GENERAL_ERRORS, METHODS
from bot.slack.limits import RATES

SLACK = Path(masis.__file__).resolve().parents[2] / "shared" / "slack"

NEWER_METHODS = {"agents.sessions.rename", "agents.sessions.setStatus", "blocks.validate"}
NEWER_ARGUMENTS = {
    ("chat.postMessage", "client_msg_id"),
    ("chat.stopStream", "session_status"),
}
"""What the published list lacks, and Slack's own client sends."""
NO_LONGER_REQUIRED = {
    ("assistant.threads.setSuggestedPrompts", "thread_ts"),
    ("chat.appendStream", "markdown_text"),
}
"""What Slack's own client may leave out."""
UNLISTED_ERRORS = {("chat.postMessage", "msg_too_long")}
"""What Slack answers though its list does not say so."""


def test_every_method_is_implemented() -> None:
    """Every method is implemented and has a rate."""
    assert set(METHODS) == set(HANDLERS) == set(RATES)


def test_what_is_required_is_an_argument() -> None:
    for name, method in METHODS.items():
        assert set(method.required) <= set(method.args), name


@pytest.fixture(scope="session")
def published() -> Mapping[str, Any]:
    """Slack's methods by name."""
    file = SLACK / "methods.jsonl"
    if not file.is_file():
        pytest.skip("Slack's methods are not beside the checkout (../shared/slack)")
    lines = file.read_text(encoding="utf-8").splitlines()
    return {method["method"]: method for method in map(json.loads, lines)}


@pytest.mark.shared
class TestAgainstThePublishedMethods:
    def test_every_method_exists(self, published: Mapping[str, Any]) -> None:
        assert set(METHODS) - set(published) == NEWER_METHODS

    def test_the_arguments_are_the_published_ones(self, published: Mapping[str, Any]) -> None:
        more = {
            (name, argument)
            for name in set(METHODS) & set(published)
            for argument in set(METHODS[name].args) - set(published[name]["args"])
        }
        fewer = {
            (name, argument)
            for name in set(METHODS) & set(published)
            for argument in set(published[name]["args"]) - set(METHODS[name].args)
        }

        assert more == NEWER_ARGUMENTS
        assert fewer == {(name, "team_id") for name in WITH_TEAM}

    def test_as_many_are_required(self, published: Mapping[str, Any]) -> None:
        differing = {
            (name, argument)
            for name in set(METHODS) & set(published)
            for argument, told in published[name]["args"].items()
            if bool(told["required"]) != (argument in METHODS[name].required)
        }

        assert differing == NO_LONGER_REQUIRED

    def test_the_scopes_are_the_published_ones(self, published: Mapping[str, Any]) -> None:
        differing = {
            name: sorted(scope["name"] for scope in published[name]["scopes"].get("bot", []))
            for name in set(METHODS) & set(published)
            if {scope["name"] for scope in published[name]["scopes"].get("bot", [])}
            != set(METHODS[name].scopes)
        }

        assert differing == {}

    def test_the_errors_are_published_ones(self, published: Mapping[str, Any]) -> None:
        unknown = {
            (name, error)
            for name in set(METHODS) & set(published)
            for error in set(METHODS[name].errors) - set(published[name]["errors"])
            if error not in GENERAL_ERRORS
        }

        assert unknown == UNLISTED_ERRORS


WITH_TEAM = {"bots.info", "conversations.list", "users.list"}
"""Methods whose own arguments hold `team_id`; here every method takes it."""
