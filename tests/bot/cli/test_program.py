import os
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from bot.cli import program
from bot.cli.program import COMMANDS, Row
from masis import __version__
from tests.bot.program import Masis

ROOT = Path(__file__).parents[3]


def test_the_version_is_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == __version__


def test_a_checkout_says_its_version_too(masis: Masis, monkeypatch: pytest.MonkeyPatch) -> None:
    def not_installed(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(program, "version", not_installed)
    assert masis("--version").stdout == f"{__version__}\n"


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_each_help_line_is_the_commands_own(row: Row) -> None:
    """The table says what the command's own docstring does, so that help imports none of them."""
    assert row.load().get_short_help_str(limit=1000) == row.help


def test_the_programs_help_imports_no_command(data_dir: Path) -> None:
    """Help and the completion of names are made of the table."""
    code = (
        "import sys, atexit\n"
        "from bot.cli.program import COMMANDS\n"
        "modules = {row.where.partition(':')[0] for row in COMMANDS}\n"
        "atexit.register(lambda: print('LOADED', sorted(modules & set(sys.modules))))\n"
        "from bot.__main__ import main\n"
        "main(['--help'])\n"
    )
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", code],
        env={**os.environ, "MASIS_DATA_DIR": str(data_dir), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "LOADED []" in result.stdout
