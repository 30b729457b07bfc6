import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from typer.testing import CliRunner

from bot import settings
from bot.cli.program import app
from bot.cli.session import Session
from bot.slack.install.manifest import fitted, packaged
from masis.errors import InvalidSettings

SCHEMA = Path(__file__).parents[5] / "shared" / "slack" / "manifest.schema.2.0.0.json"


@pytest.mark.shared
@pytest.mark.skipif(not SCHEMA.exists(), reason="the manifest's schema is not beside the checkout")
@pytest.mark.parametrize(
    "made",
    [
        pytest.param(packaged(), id="as it is shipped"),
        pytest.param(fitted(packaged(), url="https://masis.tarnbeck.example/"), id="at an address"),
        pytest.param(fitted(packaged(), socket=True), id="for Socket Mode"),
    ],
)
def test_manifest_matches_slacks_schema(made: dict[str, Any]) -> None:
    """The manifest is one by slacks schema."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    errors = jsonschema.Draft7Validator(schema).iter_errors(made)

    assert [error.message for error in errors] == []


def test_every_manifest_address_is_replaced() -> None:
    """Every address of the manifest becomes the given one."""
    written = yaml.safe_dump(fitted(packaged(), url="https://masis.tarnbeck.example/"))
    assert "masis.example.com" not in written
    assert "https://masis.tarnbeck.example/slack/events" in written
    assert "https://masis.tarnbeck.example/slack/oauth_redirect" in written


def test_socket_mode_needs_no_address() -> None:
    """Socket mode needs no address and keeps its token."""
    made = fitted(packaged(), socket=True)
    assert "https://" not in yaml.safe_dump(made)
    assert made["settings"]["socket_mode_enabled"] is True
    assert made["settings"]["token_rotation_enabled"] is False


def test_fitting_leaves_shipped_manifest_unchanged() -> None:
    """The shipped manifest is not changed by fitting it."""
    before = packaged()
    fitted(before, socket=True)
    assert before == packaged()


@pytest.mark.parametrize(
    ("url", "socket"), [("http://masis.example.org", False), ("https://x.example", True)]
)
def test_address_slack_rejects_is_refused(url: str, *, socket: bool) -> None:
    """An address that slack does not take is refused."""
    with pytest.raises(InvalidSettings):
        fitted(packaged(), url=url, socket=socket)


def test_command_prints_pasteable_yaml() -> None:
    """The command prints yaml that can be pasted."""
    result = CliRunner().invoke(app, ["manifest", "--socket"], obj=Session(load=settings.load))
    assert result.exit_code == 0
    assert yaml.safe_load(result.stdout) == fitted(packaged(), socket=True)
