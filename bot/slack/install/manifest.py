"""The Slack app's manifest: as it is shipped, and made to fit how this bot is reached."""

from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import yaml

import bot
from masis.errors import InvalidSettings

FILE: Final = "manifest.yml"
PLACEHOLDER: Final = "https://masis.example.com"


def packaged() -> dict[str, Any]:
    """The manifest as it is shipped: beside the packages in a checkout, within them in a wheel."""
    here = Path(bot.__file__).resolve().parent
    path = next(path for path in (here / "slack" / FILE, here.parent / FILE) if path.exists())
    loaded: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


def fitted(manifest: dict[str, Any], *, url: str = "", socket: bool = False) -> dict[str, Any]:
    """The manifest for that address, or for Socket Mode, which has none.

    Raises:
        InvalidSettings: both are asked for, or the address is none that Slack takes.
    """
    if socket and url:
        raise InvalidSettings("--url and --socket exclude each other: Socket Mode has no address")
    if socket:
        return _for_socket(manifest)
    if url and (urlsplit(url).scheme != "https" or not urlsplit(url).hostname):
        raise InvalidSettings("--url should be an https address such as https://masis.example.org")
    made: dict[str, Any] = _replaced(manifest, url.rstrip("/")) if url else manifest
    return made


def _for_socket(manifest: dict[str, Any]) -> dict[str, Any]:
    """Without addresses; tokens are not rotated, since one that stands in a setting cannot be."""
    made: dict[str, Any] = _without_addresses(manifest)
    del made["oauth_config"]["redirect_urls"]
    made["settings"] |= {
        "socket_mode_enabled": True,
        "token_rotation_enabled": False,
        "org_deploy_enabled": False,
    }
    return made


def _without_addresses(value: Any) -> Any:
    match value:
        case dict():
            kept = {k: v for k, v in value.items() if k not in {"url", "request_url"}}
            return {name: _without_addresses(item) for name, item in kept.items()}
        case list():
            return [_without_addresses(item) for item in value]
    return value


def _replaced(value: Any, url: str) -> Any:
    match value:
        case dict():
            return {name: _replaced(item, url) for name, item in value.items()}
        case list():
            return [_replaced(item, url) for item in value]
        case str():
            return value.replace(PLACEHOLDER, url)
    return value
