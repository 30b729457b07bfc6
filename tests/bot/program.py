"""The `masis` program as tests run it, and three small documents to run it on."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import typer
from typer.core import TyperGroup
from typer.testing import CliRunner, Result

from bot.cli.program import COMMANDS, app
from bot.cli.session import Session
from bot.settings import load

Masis = Callable[..., Result]

HANDBOOK = {
    "leave.md": (
        "# Leave\n\n## Annual leave\n\nEvery employee has 26 days of annual leave a year. "
        "Up to 4 days may be carried over until 31 March of the next year.\n\n"
        "## Sick leave\n\nCall your manager before 08:30 on the first day of sickness. "
        "A doctor's note is needed from the eighth day on.\n"
    ),
    "it/laptops.txt": (
        "Laptops\n\nLaptops are replaced every 4 years. Report a lost laptop to the IT desk "
        "within 2 hours. The IT desk is open from 07:30 to 17:30 on working days.\n"
    ),
    "prices.csv": "Product,Price\nWharfe 60,1995\nWharfe 200,3540\nCalder probe,720\n",
}
"""Three small documents that answer a few questions and no more."""


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def lines(result: Result) -> list[dict[str, Any]]:
    """What `--json` printed."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def whole() -> TyperGroup:
    """The program with every command imported, to look at their options."""
    group = cast("TyperGroup", typer.main.get_command(app))
    for row in COMMANDS:
        group.add_command(row.load(), row.name)
    return group


def program(data_dir: Path, **always: str) -> Masis:
    def run(*arguments: object, **environment: str) -> Result:
        return CliRunner().invoke(
            app,
            [str(argument) for argument in arguments],
            env={"MASIS_DATA_DIR": str(data_dir), **always, **environment},
            obj=Session(load=load),
            prog_name="masis",
            catch_exceptions=False,
        )

    return run


def searched(trace: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return what the first search left in the trail."""
    return next(entry for entry in trace if entry["node"] == "researcher")
