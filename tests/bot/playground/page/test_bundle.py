"""The page that is shipped is what its sources give, and reaches nothing outside itself."""

import gzip
import json
import re
from hashlib import sha256
from pathlib import Path

import bot.playground.page

PLAYGROUND = Path(bot.playground.page.__file__).parents[1]
WEB = PLAYGROUND / "web"
STATIC = PLAYGROUND / "page" / "static"
SINGLE = (
    "index.html",
    "package-lock.json",
    "package.json",
    "scripts/stamp.mjs",
    "tsconfig.json",
    "vite.config.ts",
)
MOST = 350_000
"""Bytes of the bundle as they travel, compressed."""


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()


def _sources() -> str:
    """As `web/scripts/stamp.mjs` makes it."""
    listed = [path for path in (WEB / "src").rglob("*") if path.is_file()]
    names = [path.relative_to(WEB).as_posix() for path in listed if path.name != "contract.ts"]
    lines = [f"{_hash((WEB / name).read_bytes())}  {name}\n" for name in sorted([*SINGLE, *names])]
    return _hash("".join(lines).encode())


def _stamp() -> dict[str, object]:
    stamp: dict[str, object] = json.loads((STATIC / "built.json").read_text())
    return stamp


def test_bundle_matches_its_sources() -> None:
    """The bundle was built from these sources."""
    assert _stamp()["sources"] == _sources(), "web/ has changed: run `make web`"


def test_bundle_files_are_unaltered() -> None:
    """No file of the bundle was changed by hand or is missing."""
    there = {
        path.relative_to(STATIC).as_posix(): _hash(path.read_bytes())
        for path in STATIC.rglob("*")
        if path.is_file() and path.name != "built.json"
    }
    assert there == _stamp()["bundle"]


def test_bundle_is_self_contained() -> None:
    """The bundle is small and names only itself."""
    page = (STATIC / "index.html").read_text()
    named = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert set(named) == {"data:,", "./assets/page.js", "./assets/page.css"}
    built = (path for path in STATIC.rglob("*") if path.is_file())
    assert sum(len(gzip.compress(path.read_bytes())) for path in built) < MOST


def test_the_lock_file_names_no_registry() -> None:
    packages = json.loads((WEB / "package-lock.json").read_text())["packages"]
    assert packages
    assert [name for name, package in packages.items() if "resolved" in package] == []
