"""How many questions over whole tables are answered right, and what a query over a million rows costs.

Four files of a company that does not exist (12,431 tickets, two years of orders, suppliers with European
decimals, headcount with merged cells and subtotals) and questions by somebody who had seen no code. An
answer is right when it shows each of its items in one of the wordings; one that cannot be answered is
refused when it says so and names what is not there. Run it with `python -m tests.bench.tables_bench`;
`--show` prints each outcome, `--file` asks other questions, `--small` asks people's everyday questions over
five small files, `--scaled` questions over eight whose figures are in thousands or millions, `--long` over a
workbook of 10,000 rows and a CSV file of a million, `--million` compares with DuckDB alone.
"""

import argparse
import asyncio
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

import duckdb

from bot.compose import App
from masis.documents.ingestion import Source
from masis.domain import Answered, AnyOutcome, Workspace
from masis.values.tabular import Filter, Group, Measure, TableQuery
from storage.documents.tabular_rows import SqlTables
from tests.bench.eval_bench import opened
from tests.bench.outcomes import Row, asked_back, level, rows, shown
from tests.bench.tables.long_files import BOOKINGS, long_files
from tests.bench.tables.make_files import make_files, million_rows
from tests.bench.tables.scaled_files import scaled_files
from tests.bench.tables.small_files import small_files

HERE: Final = Path(__file__).parent / "tables"
REPEATS: Final = 15
SMALL: Final = ("everyday_seen", "everyday")
SCALED: Final = ("scaled_seen", "scaled")
READ: Final = frozenset({".csv", ".xlsx", ".docx", ".html"})


@dataclass(frozen=True, slots=True)
class Asked:
    """A question over a table, and what came back."""

    row: Row
    outcome: AnyOutcome

    @property
    def shown(self) -> str:
        """Return what stands in front of the asker: text, tables and charts."""
        match self.outcome:
            case Answered(answer=answer, tables=tables, gaps=gaps):
                cells = [" | ".join(row) for table in tables for row in table.rows]
                return "\n".join([answer, *cells, *gaps])
        return f"{shown(self.outcome)}\n{asked_back(self.outcome)}"

    @property
    def level(self) -> str:
        """Return the badge of an answer, or what else came."""
        return level(self.outcome)

    @property
    def missing(self) -> list[str]:
        """Return the items that are not shown, by their first wording."""
        return [item[0] for item in self.row["answer"] if not any(map(self._shows, item))]

    def _shows(self, wording: str) -> bool:
        before = r"(?<![\d.,])" if wording[:1].isdigit() else ""
        after = r"(?![\d]|[.,]\d)" if wording[-1:].isdigit() else ""
        return re.search(f"{before}{re.escape(wording)}{after}", self.shown) is not None

    @property
    def right(self) -> bool:
        """Return whether all of it is shown, and what nobody can be sure of is not said to be High."""
        return not self.missing and not (self.row.get("not_high") and self.level == "High")

    @property
    def says_rows(self) -> bool:
        """Return whether it says how many rows were looked at."""
        return f"{self.row['rows']:,} rows" in self.shown


def report(name: str, members: Sequence[Asked]) -> None:
    """Print by kind: right ones, those that say the rows, and wrong ones that are said to be High."""
    print(f"\n{name}: questions, right, says how many rows, wrong as High")
    groups: dict[str, list[Asked]] = defaultdict(list)
    for each in members:
        groups["all"].append(each)
        groups[each.row["kind"]].append(each)
    for kind, group in groups.items():
        shares = (
            sum(each.right for each in group),
            sum(each.says_rows for each in group),
            sum(not each.right and each.level == "High" for each in group),
        )
        print(f"  {kind:14}{len(group):4}  " + "  ".join(f"{each:4}" for each in shares))


def _told(each: Asked) -> str:
    row = each.row
    mark = "right" if each.right else f"MISSING {each.missing[:4]}"
    return f"\n{row['id']} {row['kind']} · {row['file']} · {each.level} · {mark} · {row['say']}\n{each.shown[:1500]}"


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in READ)


async def filled(app: App, folder: Path) -> Workspace:
    """Put the files of a folder into one workspace."""
    made = await app.repository.create_workspace(app.owner, "tables")
    sources = [Source(path.name, partial(bytes, path.read_bytes())) for path in _files(folder)]
    async for result in app.ingest.ingest_many(made, sources):
        assert result.status != "refused", result
    place = await app.repository.workspace_by_id(made.id)
    assert place is not None
    return place


# --- a million rows --------------------------------------------------------------------------


async def million(app: App, count: int) -> None:
    """Put a long file in, and set its queries against DuckDB's own, on a table in its memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "movements.csv"
        million_rows(path, count)
        made = await app.repository.create_workspace(app.owner, "million")
        begun = time.perf_counter()
        result = await app.ingest.ingest(made, path.name, path.read_bytes())
        print(f"\n{count:,} rows, {path.stat().st_size / 1e6:.0f} MB: {result.status} in {time.perf_counter() - begun:.0f} s, {result.chunks} passages, parsing {result.seconds.parse:.0f} s")  # fmt: skip
        alone = duckdb.connect(config={"threads": 2})
        begun = time.perf_counter()
        alone.execute("CREATE TABLE t AS SELECT * FROM read_csv(?)", [str(path)])
        read_alone = time.perf_counter() - begun
        (table,) = await SqlTables(app.database).tables(made.id)
        for name, query in _queries(table.table_id).items():
            begun = time.perf_counter()
            found = await app.asking.engine.ask(made.id, [table], query)
            first = time.perf_counter() - begun
            ours = await _median(lambda q=query: app.asking.engine.ask(made.id, [table], q))
            sql = found.sql.replace('"movements.csv"', "t")
            theirs = median(_timed(alone, sql) for _ in range(REPEATS))
            same = _plain(alone.execute(sql).fetchall())[: len(found.rows)] == [
                tuple(row) for row in found.rows
            ]
            print(f"  {name:28} ours {1000 * ours:7.1f} ms (first {1000 * first:6.0f}), alone {1000 * theirs:7.1f} ms, ratio {ours / theirs:.2f}, same {same}")  # fmt: skip
        print(f"  DuckDB alone reads the CSV in {1000 * read_alone:.0f} ms")


def _queries(table_id: str) -> dict[str, TableQuery]:
    ask = partial(TableQuery, tables=[table_id])
    day = Filter(column="Date", operator="from", values=["2025-01-01"])
    return {
        "sum by warehouse": ask(measures=[Measure(aggregate="sum", column="Qty")], groups=[Group(column="Warehouse")]),
        "count by kind since 2025": ask(measures=[Measure(aggregate="count")], filters=[day], groups=[Group(column="Kind")]),
        "average price": ask(measures=[Measure(aggregate="mean", column="Unit price (£)")]),
        "top 5 articles": ask(measures=[Measure(aggregate="sum", column="Qty")], groups=[Group(column="Article")], limit=5),
    }  # fmt: skip


async def _median(work: Any) -> float:
    spent = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        await work()
        spent.append(time.perf_counter() - begun)
    return median(spent)


def _timed(alone: duckdb.DuckDBPyConnection, sql: str) -> float:
    begun = time.perf_counter()
    alone.execute(sql).fetchall()
    return time.perf_counter() - begun


def _plain(found: Sequence[Sequence[Any]]) -> list[tuple[str | None, ...]]:
    return [tuple(_said(cell) for cell in row) for row in found]


def _said(cell: Any) -> str | None:
    return None if cell is None else f"{cell:.6f}" if isinstance(cell, float) else str(cell)


async def main(options: argparse.Namespace) -> None:
    """Ask the questions of each file and print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        files = options.files or Path(folder) / "files"
        if not options.files:
            _maker(options)(files)
        async with opened(options.keep or Path(folder) / "data") as app:
            if options.million:
                await million(app, options.million)
                return
            place = await filled(app, files)
            if options.long:
                options.file = [files / "questions.jsonl"]
            sets = SMALL if options.small else SCALED if options.scaled else ("seen",)
            asked = [HERE / f"{name}.jsonl" for name in sets]
            for path in options.file or asked:
                ended = [Asked(row, (await app.assistant.ask(place, row["say"])).outcome) for row in rows(path)]  # fmt: skip
                if options.show:
                    print("\n".join(map(_told, ended)))
                report(path.stem, ended)


def _maker(options: argparse.Namespace) -> Callable[[Path], None]:
    if options.long:
        return partial(long_files, count=options.long)
    return small_files if options.small else scaled_files if options.scaled else make_files


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, action="append", help="ask these questions instead")
    parser.add_argument("--files", type=Path, help="over the files of this folder")
    parser.add_argument("--small", action="store_true", help="ask the everyday questions over five small files")  # fmt: skip
    parser.add_argument("--scaled", action="store_true", help="ask over eight files in thousands and millions")  # fmt: skip
    parser.add_argument("--long", type=int, nargs="?", const=BOOKINGS, default=0, help="ask over long files, with so many bookings")  # fmt: skip
    parser.add_argument("--keep", type=Path, help="keep the indexed documents here")
    parser.add_argument("--show", action="store_true", help="print every outcome")
    parser.add_argument("--million", type=int, nargs="?", const=1_000_000, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_options()))
