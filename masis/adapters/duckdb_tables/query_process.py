"""The process that asks tables: in memory alone, with no network, nothing else to read and nothing to write.

It is started as `python -m masis.adapters.duckdb_tables.query_process`. The tables of one query are a database
of their own: SQL that escaped every check would find no other there.
"""

import datetime as dt
import json
import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO, Final

import duckdb

from masis.adapters.duckdb_tables import query_pipe as pipe
from masis.documents.parsing.sandbox import child as sandbox
from masis.errors import QueryRefused
from masis.tables import checked_sql, packing, written_sql
from masis.tables.sql import ROW, quoted
from masis.values.tabular import Column

MEMORY: Final = "640MB"
"""Of a database; what would take more is refused, since nothing is written to disk."""
ADDRESS_SPACE: Final = 3 * 1024**3
MOST_DATABASES: Final = 4
MOST_CELLS: Final = 40_000_000
"""Of all databases that are held for the next question."""
RESULT_CHARS: Final = 1_000_000
CONFIG: Final[dict[str, str | bool | int | float | list[str]]] = {
    "enable_external_access": "false",
    "allow_community_extensions": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": MEMORY,
    "max_temp_directory_size": "0B",
    "temp_directory": "",
    "threads": "2",
}
READ_TOO: Final = (Path("/sys/fs/cgroup"),)
"""How much memory and how many processors it may use, which the database asks when it opens."""


def main() -> None:
    """Answer queries until the parent closes the pipe."""
    inbox, outbox = sandbox.private_pipes()
    sandbox.limit_resources(ADDRESS_SPACE)
    sandbox.forbid_side_effects(READ_TOO)
    held = _Databases()
    while True:
        try:
            said, parts = pipe.read(inbox)
        except EOFError:
            return
        if not _answer(outbox, held, said, parts):
            return


def _answer(outbox: BinaryIO, held: "_Databases", said: dict[str, Any], parts: list[bytes]) -> bool:
    """Answer a request; False when there is no memory left to go on with."""
    try:
        match said["op"]:
            case "has":
                pipe.write(outbox, {"has": held.has(said["key"], said["columns"])})
            case "load":
                held.load(said["key"], said["tables"], parts)
                pipe.write(outbox, {"ok": True})
            case "ask":
                pipe.write(outbox, _asked(held.get(said["key"]), said))
    except QueryRefused as refusal:
        pipe.write(outbox, {"refused": str(refusal)})
    except duckdb.InterruptException:
        pipe.write(outbox, {"slow": True})
    except (duckdb.OutOfMemoryException, MemoryError):
        held.drop()
        pipe.write(outbox, {"memory": True})
        return False
    except duckdb.Error as error:
        pipe.write(outbox, {"failed": type(error).__name__})
    return True


class _Databases:
    """Holds the databases of the last questions, each with tables of one workspace."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, tuple[duckdb.DuckDBPyConnection, frozenset[str], int]] = (
            OrderedDict()
        )

    def has(self, key: str, columns: Sequence[str]) -> list[str] | None:
        """Return None where a database is there with these columns, else which it has."""
        found = self._held.get(key)
        if found is None:
            return []
        return None if found[1] >= set(columns) else sorted(found[1])

    def get(self, key: str) -> duckdb.DuckDBPyConnection:
        """Return a database that was loaded before."""
        self._held.move_to_end(key)
        return self._held[key][0]

    def load(self, key: str, tables: list[dict[str, Any]], parts: list[bytes]) -> None:
        """Make a database of these tables, and let go of the oldest where there are too many."""
        self._close(key)
        connection = duckdb.connect(":memory:", config=CONFIG)
        cells, left = 0, list(parts)
        columns: list[str] = []
        for table in tables:
            made = [Column.model_validate(each) for each in table["columns"]]
            packed = [left.pop(0) for _ in range(len(made) + 1)]
            cells += _load(connection, table["name"], made, packed)
            columns = [each.name for each in made]
        connection.execute("SET lock_configuration = true")
        self._held[key] = connection, frozenset(columns), cells
        while len(self._held) > MOST_DATABASES or self._cells() > MOST_CELLS:
            oldest = next(iter(self._held))
            if oldest == key:
                return
            self._close(oldest)

    def _cells(self) -> int:
        return sum(cells for _, _, cells in self._held.values())

    def drop(self) -> None:
        """Let go of all."""
        for key in list(self._held):
            self._close(key)

    def _close(self, key: str) -> None:
        found = self._held.pop(key, None)
        if found is not None:
            found[0].close()


def _load(
    connection: duckdb.DuckDBPyConnection, name: str, columns: Sequence[Column], packed: list[bytes]
) -> int:
    """Make a table of packed columns; gives back how many cells it has."""
    arrays: dict[str, Any] = {"r": packing.row_numbers(packed[0])}
    chosen = [f"r AS {ROW}"]
    for at, (column, cells) in enumerate(zip(columns, packed[1:], strict=True)):
        place = f"c{at}"
        if column.type == "text":
            arrays[place] = packing.texts(cells)
            value = place
        else:
            arrays[place], blank = packing.whole(cells)
            value = _value(column, place)
            if blank.any():
                arrays[f"b{at}"] = blank
                value = f"CASE WHEN b{at} THEN NULL ELSE {value} END"
        chosen.append(f"{value} AS {quoted(column.name)}")
    connection.register("arrays", arrays)
    connection.execute(f"CREATE TABLE {quoted(name)} AS SELECT {', '.join(chosen)} FROM arrays")  # noqa: S608 - quoted
    connection.unregister("arrays")
    return len(arrays["r"]) * (len(columns) + 1)


def _value(column: Column, place: str) -> str:
    """Return what a whole number stands for, in SQL."""
    match column.type:
        case "boolean":
            return f"({place} = 1)"
        case "date":
            moment = f"make_timestamp({place} * 1000000)"
            return moment if column.has_time else f"CAST({moment} AS DATE)"
    if not column.places:
        return place
    unit = f"CAST(0.{'0' * (column.places - 1)}1 AS DECIMAL({column.places + 1}, {column.places}))"
    return f"CAST({place} * {unit} AS DECIMAL(18, {column.places}))"


# --- asking ----------------------------------------------------------------------------------


def _asked(connection: duckdb.DuckDBPyConnection, said: dict[str, Any]) -> dict[str, Any]:
    """Run a query and the one for its facts, both within the time."""
    told: dict[str, Any] = {"facts": said["facts"], "of": []}
    if said["check"]:
        told = _checked(connection, said)
    timer = threading.Timer(said["seconds"], connection.interrupt)
    timer.start()
    try:
        found = connection.execute(said["sql"])
        names = [each[0] for each in found.description or []]
        types = [str(each[1]) for each in found.description or []]
        rows = found.fetchmany(said["rows"])
        facts = connection.execute(told["facts"]).fetchall() if told["facts"] else []
    finally:
        timer.cancel()
    shown = [[_cell(cell) for cell in row] for row in rows]
    if sum(len(cell or "") for row in shown for cell in row) > RESULT_CHARS:
        raise QueryRefused("The result is too large to be shown.")
    return {
        "names": names,
        "types": types,
        "rows": shown,
        "facts": [list(map(_fact, row)) for row in facts],
        "of": told["of"],
    }


def _checked(connection: duckdb.DuckDBPyConnection, said: dict[str, Any]) -> dict[str, Any]:
    """Check SQL that somebody else wrote; gives back the query for its rows, and what its columns are.

    Raises:
        QueryRefused: it is more than one harmless SELECT, or has a text or number from nowhere.
    """
    parsed = _parsed(connection, said["sql"])
    checked_sql.check(parsed, said["check"])
    written_sql.check_currencies(parsed, said["mixed"])
    if said["said"] is not None:
        written_sql.check_constants(parsed, said["said"])
    columns = written_sql.columns_of(parsed)
    (table, *others) = said["check"]
    facts = ""
    if not others:
        plain = written_sql.facts_template(table, columns, quoted(table))
        rows = written_sql.rows_of(parsed, _parsed(connection, plain))
        facts = _unparsed(connection, rows) if rows is not None else ""
    return {"facts": facts, "of": [each.model_dump() for each in columns]}


def _parsed(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[str, Any]:
    found = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    parsed: dict[str, Any] = json.loads(found[0]) if found else {}
    return parsed


def _unparsed(connection: duckdb.DuckDBPyConnection, parsed: dict[str, Any]) -> str:
    text = json.dumps(parsed)
    found = connection.execute("SELECT json_deserialize_sql(?::JSON)", [text]).fetchone()
    return str(found[0]) if found else ""


def _fact(value: Any) -> Any:
    return value if value is None or isinstance(value, str) else int(value)


def _cell(value: Any) -> str | None:
    """Return a cell as plain text: a point for decimals, dates in ISO form."""
    match value:
        case None:
            return None
        case bool():
            return "yes" if value else "no"
        case Decimal():
            return f"{value:f}"
        case float():
            return f"{Decimal(repr(value)):f}" if math.isfinite(value) else None
        case dt.datetime():
            return value.isoformat(" ", "minutes")
    return value.isoformat() if isinstance(value, dt.date) else str(value)


if __name__ == "__main__":
    main()
