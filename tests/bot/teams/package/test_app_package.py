import hashlib
import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import jsonschema
import pytest

import masis as packages
from bot.playground.teams.issuer import APP, HOME, SECRET
from bot.teams.managing.team_commands import command_of
from bot.teams.package.app_package import REVISION, app_manifest, zipped
from masis.errors import InvalidSettings
from tests.bot.program import Masis
from tests.walks.teams_office import teams_office

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
        verbs = [each["title"] for each in listed["commands"][1:] if "prompt" not in each]
        assert verbs
        assert all(command_of(verb) is not None for verb in verbs)


SAID = "83104c07439d265a"
"""Of what the manifest says, but for its version."""


def test_changed_manifest_raises_its_version() -> None:
    """Teams takes another package only with a higher version: raise `REVISION`, then `SAID`."""
    made = {name: each for name, each in app_manifest(APP, URL).items() if name != "version"}
    said = hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()[:16]
    assert (said, REVISION) == (SAID, 1)


@pytest.mark.parametrize(
    ("earlier", "later"), [("0.1.0", "0.1.1"), ("0.1.9", "0.2.0"), ("0.9.12", "1.0.0")]
)
def test_version_rises_with_the_product(
    earlier: str, later: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = []
    for version in (earlier, later):
        monkeypatch.setattr("bot.teams.package.app_package.__version__", version)
        versions.append([int(part) for part in app_manifest(APP, URL)["version"].split(".")])
    assert versions == sorted(versions)
    assert versions[0] != versions[1]


async def test_named_pages_are_served(tmp_path: Path) -> None:
    """By the program itself, below the path that a proxy hands on."""
    async with teams_office(tmp_path) as office, aiohttp.ClientSession() as session:
        for name in ("websiteUrl", "privacyUrl", "termsOfUseUrl"):
            path = urlsplit(app_manifest(APP, URL)["developer"][name]).path
            assert path.startswith("/teams/")
            async with session.get(f"{office.address}{path}") as reply:
                assert (reply.status, reply.content_type) == (200, "text/html")
                assert "<p>" in await reply.text()


def test_prompts_go_on_where_they_stop() -> None:
    """They are questions to be typed to their end, and in no slash list."""
    lists = app_manifest(APP, URL)["bots"][0]["commandLists"]
    for listed in lists:
        prompts = [each for each in listed["commands"] if each.get("type") == "prompt"]
        assert bool(prompts) == ("mention" in listed["triggers"])
        assert all(command_of(each["prompt"] + "leave.md") is None for each in prompts)


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
