"""Check, for `masis doctor`, the two sets of tables in the database.

Both grow with each version.
"""

from typing import Final

from bot.cli.doctor.findings import Check
from bot.database_address import understood
from bot.roles import on_sqlite
from bot.settings import Settings
from storage.sql.migrations import HEAD
from storage.sql.upgrading import SchemaState, schema_states

OURS: Final = "schema"
ENGINES: Final = "run engine's tables"

_MIGRATE: Final = "Run `masis migrate`; with a pooler, on the server's own address."
_UPDATE: Final = "Update MASIS here: a newer one upgraded the database, and others work on it."


async def check_schemas(settings: Settings) -> tuple[Check, Check]:
    """A line for our tables and one for the run engine's; nothing is changed.

    Raises:
        StoreUnavailable: the database cannot be opened.
        InvalidSettings: its address names none.
    """
    with understood():
        ours, engines = await schema_states(settings.database_location)
    return _ours(ours), _engines(engines, on_file=on_sqlite(settings))


def _ours(found: SchemaState) -> Check:
    match found.state:
        case "current":
            return Check(name=OURS, state="ok", detail=f"{HEAD}, the one of this MASIS")
        case "newer":
            said = f"{found.version} is newer than this MASIS, which knows {HEAD}"
            return Check(name=OURS, state="fail", detail=said, hint=_UPDATE)
        case "old":
            found_is = f"{found.version} is older" if found.version else "there are no tables yet"
            said = f"{found_is}; this MASIS works with {HEAD}"
            return Check(name=OURS, state="fail", detail=said, hint=_MIGRATE)


def _engines(found: SchemaState, *, on_file: bool) -> Check:
    if found.state == "current":
        return Check(name=ENGINES, state="ok", detail=f"{found.version}, known to this MASIS")
    older = f"{found.version} is older than this MASIS knows"
    said, then = (older, "upgrades") if found.version else ("there are none yet", "makes")
    if on_file:
        return Check(name=ENGINES, state="skipped", detail=f"{said}; `masis serve` {then} them")
    return Check(name=ENGINES, state="fail", detail=said, hint=_MIGRATE)
