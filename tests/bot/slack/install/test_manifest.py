"""The manifest says what the code hears, calls and answers to: no more and no less."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from slack_sdk.web.async_client import AsyncWebClient

import bot.slack.app
from bot.http import EVENTS_PATH
from bot.playground.slack.installed import AppConfig
from bot.playground.slack.methods import METHODS
from bot.slack import ids
from bot.slack.install.manifest import fitted, packaged

PACKAGE: Final = Path(bot.slack.app.__file__).parent
KINDS: Final = ("channels", "groups", "im")
"""The kinds of conversation that MASIS is in."""
EVENT_SCOPES: Final = {
    "agent_session_stopped": None,
    "app_home_opened": None,
    "app_mention": "app_mentions:read",
    "app_uninstalled": None,
    "channel_archive": "channels:read",
    "channel_shared": "channels:read",
    "group_archive": "groups:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "tokens_revoked": None,
}
"""What an app needs to be told of an event (docs.slack.dev/reference/events, 2026)."""


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return packaged()


def calls() -> Iterator[ast.Call]:
    """Every call in the Slack package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def registered(what: str) -> set[str]:
    """What stands in `app.what(...)` in the module that registers the listeners."""
    tree = ast.parse(inspect.getsource(bot.slack.app))
    return {
        ast.unparse(node.args[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == f"app.{what}"
    }


def methods_called() -> set[str]:
    """The Web API methods that the Slack package names, as attributes of Slack's client or by name."""
    attributes = {
        method.replace(".", "_"): method
        for method in METHODS
        if hasattr(AsyncWebClient, method.replace(".", "_"))
    }
    found: set[str] = set()
    for call in calls():
        for node in (call.func, *call.args):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value).endswith("client"):
                found.add(attributes.get(node.attr, ""))
            elif isinstance(node, ast.Constant) and node.value in METHODS:
                found.add(str(node.value))
    return found - {""}


def test_subscribed_events_are_those_handled(manifest: dict[str, Any]) -> None:
    """Every event that is heard is subscribed and no other."""
    heard = {ast.literal_eval(each) for each in registered("event")}
    subscribed = set(manifest["settings"]["event_subscriptions"]["bot_events"])

    assert {each.partition(".")[0] for each in subscribed} == heard
    assert {each for each in subscribed if "." in each} == {f"message.{kind}" for kind in KINDS}


def test_manifest_command_is_handled(manifest: dict[str, Any]) -> None:
    """The command is the one that is answered."""
    [command] = manifest["features"]["slash_commands"]

    assert registered("command") == {"ids.COMMAND"}
    assert command["command"] == ids.COMMAND
    # Without it a channel or a person in a question is a name, which anybody may bear.
    assert command["should_escape"] is True


def test_manifest_shortcuts_are_handled(manifest: dict[str, Any]) -> None:
    """The shortcuts are those that are answered."""
    named = {each.removeprefix("ids.") for each in registered("shortcut")}
    offered = manifest["features"]["shortcuts"]

    assert {getattr(ids, name) for name in named} == {each["callback_id"] for each in offered}
    assert {each["type"] for each in offered} == {"message"}


def test_scopes_match_calls_and_events(manifest: dict[str, Any]) -> None:
    """The scopes are those of what is called and heard."""
    needed = {"commands"}
    for method in methods_called():
        scopes = METHODS[method].scopes
        # Of several one is enough for each kind of conversation.
        needed |= {each for each in scopes if len(scopes) == 1 or each.split(":")[0] in KINDS}
    heard = manifest["settings"]["event_subscriptions"]["bot_events"]
    needed |= {scope for event in heard if (scope := EVENT_SCOPES[event])}

    assert set(manifest["oauth_config"]["scopes"]["bot"]) == needed


def test_what_is_called_was_found() -> None:
    assert {"chat.postMessage", "views.open", "files.info", "oauth.v2.access"} <= methods_called()
    assert len(methods_called()) > 15


def test_stand_in_matches_shipped_manifest(manifest: dict[str, Any]) -> None:
    """The stand in knows the app as it is shipped."""
    app = AppConfig()

    assert sorted(app.scopes) == sorted(manifest["oauth_config"]["scopes"]["bot"])
    assert sorted(app.events) == sorted(manifest["settings"]["event_subscriptions"]["bot_events"])
    assert app.commands == (ids.COMMAND,)


def test_app_uses_current_agent_features(manifest: dict[str, Any]) -> None:
    """The app is an agent of today."""
    assert "agent_view" in manifest["features"]
    assert "assistant_view" not in manifest["features"]
    assert manifest["features"]["app_home"]["messages_tab_read_only_enabled"] is False
    assert manifest["features"]["app_home"]["home_tab_enabled"] is True


def test_tokens_rotate_at_one_address(manifest: dict[str, Any]) -> None:
    """Tokens are rotated and everything comes to one address."""
    settings = manifest["settings"]
    [command] = manifest["features"]["slash_commands"]
    addresses = {
        command["url"],
        settings["event_subscriptions"]["request_url"],
        settings["interactivity"]["request_url"],
    }

    assert settings["token_rotation_enabled"] is True
    assert settings["interactivity"]["is_enabled"] is True
    assert addresses == {f"https://masis.example.com{EVENTS_PATH}"}


def test_socket_mode_changes_no_permissions(manifest: dict[str, Any]) -> None:
    """Socket mode changes no scope event or command."""
    made = fitted(manifest, socket=True)

    assert made["oauth_config"]["scopes"] == manifest["oauth_config"]["scopes"]
    events = made["settings"]["event_subscriptions"]["bot_events"]
    assert events == manifest["settings"]["event_subscriptions"]["bot_events"]
    assert made["features"]["shortcuts"] == manifest["features"]["shortcuts"]
