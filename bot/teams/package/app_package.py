"""Make the package that an admin of Teams uploads: the manifest and two icons, zipped."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from bot.chat.words import shared_sentences
from bot.teams.managing.team_owners import PERMISSION
from bot.teams.package.app_pages import ABOUT_PATH, PRIVACY_PATH, TERMS_PATH
from bot.teams.text import sentences
from masis import __version__
from masis.errors import InvalidSettings

SCHEMA: Final = (
    "https://developer.microsoft.com/en-us/json-schemas/teams/v1.30/MicrosoftTeams.schema.json"
)
MANIFEST: Final = "manifest.json"
ICONS: Final = ("color.png", "outline.png")
SCOPES: Final = ("team", "personal")
MOST_PERSONAL: Final = 4
"""Of the commands, that mean something in somebody's own chat."""
_FOLDER: Final = Path(__file__).parent / "icons"
_STAMP: Final = (2026, 1, 1, 0, 0, 0)
"""The time of every file in the package: the same settings make the same bytes."""
_ACCENT: Final = "#264676"


REVISION: Final = 1
"""Of the manifest under one version of MASIS: Teams takes a package that says something else only
with a higher version."""
_REVISIONS: Final = 100


def package_version() -> str:
    """Return the package's version, which rises with MASIS's and with what the manifest says."""
    major, minor, patch = (int(part) for part in __version__.split(".")[:3])
    return f"{major}.{minor}.{patch * _REVISIONS + REVISION}"


def app_manifest(app_id: str, url: str) -> dict[str, Any]:
    """Return the manifest of the app at that address. It asks to read who owns a team.

    Raises:
        InvalidSettings: the address is none that Teams calls, or there is no app.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        raise InvalidSettings("--url should be an https address such as https://masis.example.org")
    if not app_id:
        raise InvalidSettings("MASIS_TEAMS_APP_ID: the package names the app that Teams talks to")
    home = url.rstrip("/")
    return {
        "$schema": SCHEMA,
        "manifestVersion": "1.30",
        "version": package_version(),
        "id": app_id,
        "developer": {
            "name": shared_sentences.APP,
            "websiteUrl": f"{home}{ABOUT_PATH}",
            "privacyUrl": f"{home}{PRIVACY_PATH}",
            "termsOfUseUrl": f"{home}{TERMS_PATH}",
        },
        "name": {"short": shared_sentences.APP, "full": sentences.FULL_NAME},
        "description": {"short": sentences.IN_SHORT, "full": sentences.IN_FULL},
        "icons": {"color": ICONS[0], "outline": ICONS[1]},
        "accentColor": _ACCENT,
        "defaultInstallScope": "team",
        "bots": [_bot(app_id)],
        "webApplicationInfo": {"id": app_id, "resource": home},
        "authorization": {
            "permissions": {"resourceSpecific": [{"type": "Application", "name": PERMISSION}]}
        },
        "validDomains": [parts.hostname],
    }


def _bot(app_id: str) -> dict[str, Any]:
    lists = (
        ("team", "mention", (*sentences.COMMANDS, *sentences.PROMPTS)),
        # What is said behind a slash is seen by one person alone, and so is its answer.
        ("team", "slash", (*sentences.COMMANDS, sentences.ASK_ALONE)),
        ("personal", "mention", (*sentences.COMMANDS[:MOST_PERSONAL], *sentences.PROMPTS)),
    )
    return {
        "botId": app_id,
        "scopes": list(SCOPES),
        "supportsFiles": True,
        "supportsTargetedMessages": True,
        "isNotificationOnly": False,
        "commandLists": [
            {
                "scopes": [scope],
                "triggers": [trigger],
                "commands": [_command(*each) for each in listed],
            }
            for scope, trigger, listed in lists
        ],
    }


def _command(title: str, said: str, prompt: str = "") -> dict[str, str]:
    """Return a command, or a prompt: text that Teams puts into the box to be gone on with."""
    listed = {"title": title, "description": said}
    return {**listed, "type": "prompt", "prompt": prompt} if prompt else listed


def zipped(manifest: dict[str, Any]) -> bytes:
    """Return the package: everything stands at its root."""
    files = {MANIFEST: json.dumps(manifest, indent=2, ensure_ascii=False).encode()}
    files |= {name: (_FOLDER / name).read_bytes() for name in ICONS}
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in files.items():
            package.writestr(zipfile.ZipInfo(name, _STAMP), content)
    return whole.getvalue()
