"""`masis migrate`: brings the database up to this version."""

import asyncio
from typing import TYPE_CHECKING

import typer

from bot.cli.session import DebugOption, JsonOption, Session, error_json, reporting

if TYPE_CHECKING:
    from storage.sql.upgrading import Upgraded


def migrate(
    ctx: typer.Context,
    *,
    as_json: JsonOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - its callback has noted it
) -> None:
    """Bring the database up to this version of MASIS. Nothing happens where it is.

    Run it once before the new version's processes start: `serve --role ingress` and `worker` check
    the database and change nothing.
    """
    session = Session.of(ctx)
    with reporting(session, error_json if as_json else None):
        settings = session.load()
        # Help is quick without.
        from bot.database_address import understood  # noqa: PLC0415
        from storage.sql.upgrading import upgrade  # noqa: PLC0415 - the same

        with understood():
            done = asyncio.run(upgrade(settings.database_location))
        for each in done:
            if as_json:
                session.print_json(_as_json(each))
            else:
                session.print(_line(each))


def _line(done: "Upgraded") -> str:
    if not done.is_changed:
        return f"{_first_upper(done.what)} are current ({done.after})."
    before = "nothing" if done.before is None else done.before
    return f"{_first_upper(done.what)} were upgraded from {before} to {done.after}."


def _as_json(done: "Upgraded") -> dict[str, str | None]:
    return {"what": done.what, "before": done.before, "after": done.after}


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]
