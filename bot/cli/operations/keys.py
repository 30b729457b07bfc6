"""`masis keys`: the keys that Slack tokens are encrypted with in the database."""

from typing import Final

import typer

from bot.cli.exit_codes import ExitCode
from bot.cli.options import JSON, command
from bot.cli.session import Opened, Session, opened, reporting
from bot.slack.install.key_ring import installations, key_ring, rotated

keys = typer.Typer(
    help="Make, change and look at the keys that Slack tokens are encrypted with.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_VARIABLE: Final = "MASIS_SECRET_KEYS"


@keys.command()
@command()
def generate(session: Session) -> None:
    """Make a new key and print it; nothing is stored."""
    with reporting(session):
        ring = key_ring(session.load())
        session.out.out(ring.new_key(), highlight=False)
        if ring.ids:
            session.note(
                f"Put it first in {_VARIABLE}, a comma between it and the keys that are there, in"
                " every process. Then run `masis keys rotate`, and take the old keys out after it."
            )
        else:
            session.note(f"Set it as {_VARIABLE}. Who has it and the database has every token.")


@keys.command()
@command()
def rotate(session: Session) -> None:
    """Encrypt every token anew with the first key. It may be broken off, and repeated."""
    with opened(session) as masis:
        first = key_ring(masis.app.settings).current
        done = masis.do(rotated(masis.app))
        session.out.print(f"{_counted(done)} encrypted anew with {first}")
        if _lost(session, masis):
            raise typer.Exit(ExitCode.FAILED)


@keys.command()
@command(JSON)
def status(session: Session) -> None:
    """Show which keys are in use, and whether they open what they should."""
    with opened(session) as masis:
        ids = key_ring(masis.app.settings).ids
        counts = masis.do(installations(masis.app).key_counts())
        for key_id in [*ids, *(key_id for key_id in counts if key_id not in ids)]:
            number, use = counts.get(key_id, 0), _use(key_id, ids, counts)
            if session.as_json:
                session.print_json({"key": key_id, "installations": number, "use": use})
            else:
                session.out.print(f"{key_id}  {_counted(number)}  {_MEANING[use]}")
        if not ids and not counts:
            session.note("There are no keys, and nothing that needs one.")
        # A right id may stand before a wrong key: one token of each is opened.
        masis.do(installations(masis.app).check_keys())


_MEANING: Final = {
    "encrypts": "encrypts and decrypts",
    "decrypts": "decrypts; `masis keys rotate` makes it superfluous",
    "superfluous": "nothing is encrypted with it; it can be taken out",
    "missing": f"missing in {_VARIABLE}: these tokens cannot be read",
}


def _use(key_id: str, ids: list[str], counts: dict[str, int]) -> str:
    if key_id not in ids:
        return "missing"
    if key_id == ids[0]:
        return "encrypts"
    return "decrypts" if counts.get(key_id) else "superfluous"


def _lost(session: Session, masis: Opened) -> bool:
    """Tell of tokens whose key is missing; whether there are any."""
    ids = key_ring(masis.app.settings).ids
    counts = masis.do(installations(masis.app).key_counts())
    missing = {key_id: number for key_id, number in counts.items() if key_id not in ids}
    for key_id, number in missing.items():
        session.fail(
            f"{_counted(number)} still under the key {key_id}, which {_VARIABLE} does not hold:"
            " put it back behind the others and repeat, or have these workspaces install again"
        )
    return bool(missing)


def _counted(number: int) -> str:
    return f"{number:,} installation" + ("" if number == 1 else "s")
