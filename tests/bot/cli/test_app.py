import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from bot.cli import app
from masis import __version__
from tests.bot.program import Masis

ROOT = Path(__file__).parents[3]


def test_the_version_is_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == __version__


def test_a_checkout_says_its_version_too(masis: Masis, monkeypatch: pytest.MonkeyPatch) -> None:
    def not_installed(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(app, "version", not_installed)
    assert masis("--version").stdout == f"{__version__}\n"
