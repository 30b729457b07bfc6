import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import masis as packages
from bot.playground.teams.issuer import APP, HOME, SECRET
from bot.teams.managing.team_commands import command_of
from bot.teams.package.app_package import app_manifest, zipped
from masis.errors import InvalidSettings
from tests.bot.program import Masis

URL = "https://masis.example.org"
SCHEMA = (
    Path(packages.__file__).resolve().parents[2] / "shared" / "teams" / "manifest-1.30.schema.json"
)
PERMISSIONS = {"TeamMember.Read.Group"}
"""What the app may ever ask for; the schema checks no names."""
SETTINGS = {
    "MASIS_TEAMS_APP_ID": APP,
    "MASIS_TEAMS_APP_SECRET": SECRET,
    "MASIS_TEAMS_HOME_TENANT": HOME,
}


@pytest.mark.shared
@pytest.mark.skipif(not SCHEMA.is_file(), reason="the schema is not beside the checkout")
def test_manifest_fits_its_schema() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    made = app_manifest(APP, URL)
    assert [each.message for each in jsonschema.Draft4Validator(schema).iter_errors(made)] == []
    broken = made | {"name": {"short": "x" * 31}}
    assert list(jsonschema.Draft4Validator(schema).iter_errors(broken))


def test_manifest_names_the_app() -> None:
    made = app_manifest(APP, f"{URL}/")
    assert made["id"] == made["bots"][0]["botId"] == APP
    assert made["bots"][0]["scopes"] == ["team", "personal"]
    assert made["validDomains"] == ["masis.example.org"]


def test_listed_commands_are_understood() -> None:
    for listed in app_manifest(APP, URL)["bots"][0]["commandLists"]:
        verbs = [each["title"] for each in listed["commands"][1:]]
        assert verbs
        assert all(command_of(verb) is not None for verb in verbs)


def test_manifest_asks_for_no_other_permission() -> None:
    asked: dict[str, Any] = app_manifest(APP, URL).get("authorization", {})
    listed = asked.get("permissions", {}).get("resourceSpecific", [])
    assert {each["name"] for each in listed} == PERMISSIONS
    assert app_manifest(APP, URL)["webApplicationInfo"]["id"] == APP


@pytest.mark.parametrize("url", ["", "http://masis.example.org", "masis.example.org", "https://"])
def test_address_is_https(url: str) -> None:
    with pytest.raises(InvalidSettings, match="--url"):
        app_manifest(APP, url)


def test_package_has_all_at_its_root() -> None:
    package = zipfile.ZipFile(io.BytesIO(zipped(app_manifest(APP, URL))))
    assert sorted(package.namelist()) == ["color.png", "manifest.json", "outline.png"]
    for name, side in (("color.png", 192), ("outline.png", 32)):
        head = package.read(name)[:24]
        assert head[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", head[16:24]) == (side, side)
    assert zipped(app_manifest(APP, URL)) == zipped(app_manifest(APP, URL))


def test_command_writes_the_package(masis: Masis, tmp_path: Path) -> None:
    out = tmp_path / "app.zip"
    result = masis("manifest", "--teams", "--url", URL, "--out", out, **SETTINGS)
    assert result.exit_code == 0, result.output
    assert json.loads(zipfile.ZipFile(out).read("manifest.json"))["id"] == APP


def test_command_needs_an_app(masis: Masis) -> None:
    result = masis("manifest", "--teams", "--url", URL)
    assert result.exit_code != 0
    assert "MASIS_TEAMS_APP_ID" in result.output


def test_socket_mode_is_slacks(masis: Masis) -> None:
    result = masis("manifest", "--teams", "--socket")
    assert "--socket is Slack's" in result.output


def test_slash_commands_are_for_teams_alone() -> None:
    bot = app_manifest(APP, URL)["bots"][0]
    slash = [each["scopes"] for each in bot["commandLists"] if "slash" in each["triggers"]]
    assert slash == [["team"]]
    assert bot["supportsTargetedMessages"]
    assert bot["supportsFiles"]
