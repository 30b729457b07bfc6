"""How true the text of documents comes out of files: each compared with what a second reader sees.

`python -m tests.bench.fidelity_bench` reads every file of the development data and of the sample
whose format has an oracle in `fidelity/`, and counts the tokens that are lost, doubled or changed
and the cells that came into another column. `--worst 50` shows the worst places, `--only pdf` one
format. Tables that are drawn by lot, whose cells are known, stand beside the files; `--tables` says
how many. The exit code is 1 where a goal is missed, or when the data is not beside the checkout.

What a format leaves out on purpose is counted apart, under `on purpose`: see its oracle.
"""

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import ParsedDocument
from masis.errors import DocumentRefused
from tests.bench.fidelity import drawn_tables, pdf_oracle, xml_oracles
from tests.bench.fidelity.differences import Comparison, Difference

Oracle = Callable[[Path, bytes, ParsedDocument], Comparison]

HERE: Final = Path(__file__)
SAMPLE: Final = HERE.parents[2] / "bot" / "playground" / "sample"
SHARED: Final = HERE.parents[2].parent / "shared" / "data"
ORACLES: Final[Mapping[str, Oracle]] = {
    ".pdf": pdf_oracle.compare,
    **dict.fromkeys(xml_oracles.SUFFIXES, xml_oracles.compare),
}
"""By a file's suffix in small letters."""
FIRST_SEED: Final = 10_000
"""Tables of smaller seeds were looked at while the reader was made."""
TOKENS_WHOLE: Final = 0.9995
CELLS_IN_PLACE: Final = 0.995


@dataclass(slots=True)
class Row:
    """What is known of all files of one format in one collection."""

    files: int = 0
    refused: int = 0
    tokens: int = 0
    cells: int = 0
    seconds: float = 0.0
    kinds: Counter[str] = field(default_factory=Counter)
    excused: Counter[str] = field(default_factory=Counter)

    def add(self, found: Comparison) -> None:
        """Count the figures of one file."""
        self.files += 1
        self.tokens += found.tokens
        self.cells += found.cells
        self.kinds.update(one.kind for one in found.differences if not one.excuse)
        self.excused.update(one.excuse for one in found.differences if one.excuse)


def files(only: str) -> Iterator[tuple[str, Path]]:
    """The files that have an oracle, each with the name of its collection."""
    for folder in [SAMPLE, *sorted(SHARED.iterdir())]:
        for path in sorted(folder.rglob("*")):
            suffix = path.suffix.lower()
            if suffix in ORACLES and path.is_file() and only in {"", suffix.lstrip(".")}:
                yield folder.name, path


def measured(path: Path, row: Row) -> list[Difference]:
    """Read a file and compare it; what differs."""
    content = path.read_bytes()
    begun = time.process_time()
    try:
        document = read_document(path.name, content)
    except DocumentRefused:
        row.refused += 1
        return []
    finally:
        row.seconds += time.process_time() - begun
    found = ORACLES[path.suffix.lower()](path, content, document)
    row.add(found)
    return found.differences


def drawn_row(count: int) -> Row:
    """Draw so many tables and compare them."""
    row = Row(files=count)
    begun = time.process_time()
    counts = drawn_tables.measured(count, FIRST_SEED)
    row.seconds = time.process_time() - begun
    row.kinds["moved"] = sum(n for kind, n in counts.items() if kind.startswith("moved: "))
    row.cells = counts.total() - row.kinds["moved"]
    return row


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--worst", type=int, default=0, help="so many places, the worst files first"
    )
    parser.add_argument("--only", default="", help="one format: pdf, docx, html ...")
    parser.add_argument("--tables", type=int, default=400, help="so many tables are drawn by lot")
    options = parser.parse_args(arguments)
    if not SHARED.is_dir():
        print("The data does not stand beside the checkout.")
        return 1
    rows: defaultdict[tuple[str, str], Row] = defaultdict(Row)
    places: list[tuple[str, list[Difference]]] = []
    for collection, path in files(options.only):
        row = rows[collection, path.suffix.lower().lstrip(".")]
        places.append((path.name, measured(path, row)))
    if options.only in {"", "pdf"}:
        rows["drawn by lot", "pdf"] = drawn_row(options.tables)
    whole = [_of_format(rows, form) for form in sorted({form for _, form in rows})]
    _print({**rows, **{("all", form): row for form, row in whole}})
    _print_worst(places, options.worst)
    return int(not all(_is_true(row) for _, row in whole))


def _of_format(rows: Mapping[tuple[str, str], Row], form: str) -> tuple[str, Row]:
    """The rows of one format together, for which the goals are set."""
    total = Row()
    for (_, other), row in rows.items():
        if other == form:
            total.files += row.files
            total.refused += row.refused
            total.tokens += row.tokens
            total.cells += row.cells
            total.seconds += row.seconds
            total.kinds += row.kinds
            total.excused += row.excused
    return form, total


def _whole(row: Row) -> float:
    wrong = row.kinds["lost"] + row.kinds["changed"]
    return 1 - wrong / row.tokens if row.tokens else 1.0


def _in_place(row: Row) -> float:
    return 1 - row.kinds["moved"] / row.cells if row.cells else 1.0


def _is_true(row: Row) -> bool:
    return _whole(row) >= TOKENS_WHOLE and _in_place(row) >= CELLS_IN_PLACE


def _print(rows: Mapping[tuple[str, str], Row]) -> None:
    print(
        "| collection | format | files | refused | tokens | lost | changed | doubled | whole | cells"
        " | moved | in place | s | on purpose |"
    )
    print("|---" * 14 + "|")
    for (collection, form), row in sorted(rows.items()):
        kinds = row.kinds
        excused = ", ".join(f"{name} {count}" for name, count in row.excused.most_common())
        print(
            f"| {collection} | {form} | {row.files} | {row.refused} | {row.tokens} | {kinds['lost']}"
            f" | {kinds['changed']} | {kinds['doubled']} | {_whole(row):.3%} | {row.cells}"
            f" | {kinds['moved']} | {_in_place(row):.2%} | {row.seconds:.2f} | {excused} |"
        )


def _print_worst(places: Sequence[tuple[str, Sequence[Difference]]], count: int) -> None:
    counted = [(name, [one for one in found if not one.excuse]) for name, found in places]
    for name, found in sorted(counted, key=lambda place: -len(place[1])):
        for one in found[:count]:
            print(f"{name} {one.place}: {one.kind}: {one.text}")
            count -= 1


if __name__ == "__main__":
    sys.exit(main())
