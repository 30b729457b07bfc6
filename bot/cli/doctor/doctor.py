"""`masis doctor`: is everything there that MASIS needs, and what to do where it is not."""

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import typer
from rich.text import Text

from bot.cli.doctor import slack_probes, teams_probes
from bot.cli.doctor.findings import Check
from bot.cli.doctor.probes import probe
from bot.cli.doctor.schemas import check_schemas
from bot.cli.exit_codes import ExitCode
from bot.cli.options import JSON, TEAM, command
from bot.cli.session import Session, reporting
from bot.compose import compose
from bot.owners import owner_of
from bot.rendering import show
from bot.roles import on_sqlite
from bot.settings import Settings
from masis.errors import InvalidSettings, MasisError

MIN_FREE_BYTES: Final = 500_000_000
"""Room for a few thousand documents with their vectors."""

OTHERS: Final = 0o077
"""The permission bits of everybody but the owner."""


@command(TEAM, JSON)
def doctor(session: Session) -> None:
    """Check what MASIS needs, and say what to do where it lacks.

    The workspaces of every team are looked at; with --team that team's alone. The schema of a
    PostgreSQL is not changed: that is what `masis migrate` does.
    """
    with reporting(session):
        checks = list(examine(session.load, owner_of(session.team) if session.team else None))
    for check in checks:
        if session.as_json:
            session.print_json(check.model_dump(mode="json"))
        else:
            session.out.print(shown(check))
    failed = any(check.state == "fail" for check in checks)
    raise typer.Exit(ExitCode.FAILED if failed else ExitCode.OK)


def shown(check: Check) -> Text:
    """A check in a line, with what to do under it where it failed."""
    style = {"ok": "green", "fail": "bold red", "skipped": "dim"}[check.state]
    text = Text.assemble((f"{check.state:<8}", style), f"{check.name}: {show.line(check.detail)}")
    if check.hint:
        text.append(f"\n        {show.line(check.hint)}", style="yellow")
    return text


def examine(load: Callable[[], Settings], owner: str | None = None) -> Iterator[Check]:
    """Every check, as far as it can be made: what later ones stand on comes first.

    `owner`: whose workspaces are looked at; everybody's where nobody is named.
    """
    try:
        settings = load()
    except InvalidSettings as error:
        for each in str(error).splitlines():
            yield Check(
                name="settings", state="fail", detail=each, hint="Mend the environment or `.env`."
            )
        return
    yield Check(name="settings", state="ok", detail=_chosen(settings))
    folder = [_ELSEWHERE] if _is_elsewhere(settings) else check_folder(settings.data_dir)
    yield from folder
    if not any(check.state == "fail" for check in folder):
        yield from _composed(settings, owner)
    yield from asyncio.run(slack_probes.probe(settings))
    yield from asyncio.run(teams_probes.probe(settings))


_ELSEWHERE: Final = Check(
    name="data folder",
    state="skipped",
    detail="nothing is kept in it: database and vectors are on servers",
)


def _is_elsewhere(settings: Settings) -> bool:
    return bool(settings.qdrant_address) and not on_sqlite(settings)


def _chosen(settings: Settings) -> str:
    return f"{settings.agents_in_use} agents, {settings.embedder_in_use} embedder"


def check_folder(folder: Path) -> list[Check]:
    """The data folder can be made and written, is private, and has room."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = folder / f".doctor-{os.getpid()}"
        probe.write_bytes(b"x")
        probe.unlink()
        free = shutil.disk_usage(folder).free
        open_to_others = os.name == "posix" and folder.stat().st_mode & OTHERS
    except OSError as error:
        return [
            Check(
                name="data folder",
                state="fail",
                detail=f"{folder} cannot be written: {error.strerror}",
                hint="Mend its permissions, or name another folder with MASIS_DATA_DIR.",
            )
        ]
    return [_privacy(folder, open_to_others=bool(open_to_others)), _room(folder, free)]


def _privacy(folder: Path, *, open_to_others: bool) -> Check:
    if open_to_others:
        said = f"{folder} is writable; other users of this machine may enter it"
        return Check(name="data folder", state="ok", detail=said, hint=f"chmod 700 '{folder}'")
    return Check(name="data folder", state="ok", detail=f"{folder} is writable and private")


def _room(folder: Path, free: int) -> Check:
    if free < MIN_FREE_BYTES:
        return Check(
            name="free space",
            state="fail",
            detail=f"{show.size(free)} left for {folder}",
            hint=f"Free some, or name a folder with {show.size(MIN_FREE_BYTES)} by MASIS_DATA_DIR.",
        )
    return Check(name="free space", state="ok", detail=f"{show.size(free)} left")


def _composed(settings: Settings, owner: str | None) -> list[Check]:
    """The checks that need the database, and the application itself."""

    async def looked_into() -> list[Check]:
        if not on_sqlite(settings):  # a file's schema is brought up to date by opening it
            ours, engines = await check_schemas(settings)
            if ours.state == "fail":
                return [ours, engines]
        async with compose(settings, patient=False) as app:
            return [*await check_schemas(settings), *await probe(app, owner)]

    try:
        return asyncio.run(looked_into())
    except MasisError as error:
        return [Check(name="database", state="fail", detail=str(error))]
