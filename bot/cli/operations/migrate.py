"""`masis migrate`: brings the database up to this version."""

import asyncio

from bot.cli.options import JSON, command
from bot.cli.session import Session, reporting
from bot.database_address import understood
from storage.sql.upgrading import Upgraded, upgrade


@command(JSON)
def migrate(session: Session) -> None:
    """Bring the database up to this version of MASIS. Nothing happens where it is.

    Run it once before the new version's processes start: `serve --role ingress` and `worker` check
    the database and change nothing.
    """
    with reporting(session):
        settings = session.load()
        with understood():
            done = asyncio.run(upgrade(settings.database_location))
        for each in done:
            if session.as_json:
                session.print_json(_as_json(each))
            else:
                session.out.print(_line(each))


def _line(done: Upgraded) -> str:
    if not done.is_changed:
        return f"{_first_upper(done.what)} are current ({done.after})."
    before = "nothing" if done.before is None else done.before
    return f"{_first_upper(done.what)} were upgraded from {before} to {done.after}."


def _as_json(done: Upgraded) -> dict[str, str | None]:
    return {"what": done.what, "before": done.before, "after": done.after}


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]
