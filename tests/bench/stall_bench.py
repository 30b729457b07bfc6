"""How long the event loop stands still beside one upload made to hold it, for whom others wait.

Run it with `python -m tests.bench.stall_bench` (two minutes). Each file is ingested by the real bot's
parts, without an embedder, while a task of the same loop looks at the clock every five milliseconds:
the longest time between two looks is what an acknowledgement would have waited for. The exit code
is 1 where that is over a second.
"""

import asyncio
import io
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import openpyxl

from bot.compose import compose
from bot.settings import load
from masis.documents.parsing import document_limits

LONGEST_SECONDS: Final = 1.0
_BETWEEN_LOOKS: Final = 0.005
_ENDLESS: Final = 480_000
_BLOCKS: Final = document_limits.BLOCKS
_CHARS: Final = document_limits.TEXT_CHARS - 100_000


def files() -> Iterator[tuple[str, str, bytes]]:
    """Files of many small pieces: beyond what is accepted, and as many as just are."""
    yield "480,000 headings", "headings.md", b"# h\n" * _ENDLESS
    yield "300,000 paragraphs", "paragraphs.md", b"p\n\n" * 300_000
    yield f"{_BLOCKS:,} headings", "most-headings.md", b"# h\n" * _BLOCKS
    yield f"{_BLOCKS:,} paragraphs", "most-paragraphs.md", b"p\n\n" * _BLOCKS
    words = " ".join(f"word{number}" for number in range(_CHARS // _BLOCKS // 9 + 1))
    lines = (f"{number} {words}"[: _CHARS // _BLOCKS] for number in range(_BLOCKS - 1))
    yield f"{_BLOCKS:,} lines, 5 MB", "most-text.md", "\n\n".join(lines).encode()
    sections = (
        f"# Section {number}\n\n{'sentence of words. ' * 10}\n" for number in range(_CHARS // 220)
    )
    yield f"{_CHARS // 220:,} sections, 5 MB", "sections.md", "\n".join(sections).encode()
    rows = "\n".join(f"{number},x{number}" for number in range(document_limits.CELLS // 2 - 2))
    yield "100,000 rows", "rows.csv", f"number,name\n{rows}".encode()
    yield "99,000 rows of a workbook", "rows.xlsx", _workbook(99_000)
    yield "one line of 5 MB", "line.txt", b"abcdefgh " * (_CHARS // 9)


def _workbook(rows: int) -> bytes:
    """Rows each of which has a place of its own."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Items")
    for number in range(rows):
        sheet.append([f"item {number}", number])
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


class Watch:
    """Looks at the clock again and again, and keeps the longest time between two looks."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def look(self) -> None:
        """Go on until cancelled."""
        before = time.perf_counter()
        while True:
            await asyncio.sleep(_BETWEEN_LOOKS)
            now = time.perf_counter()
            self.longest = max(self.longest, now - before - _BETWEEN_LOOKS)
            before = now


async def _idle() -> float:
    """The longest standstill in ten seconds without work: that of the machine."""
    watch = Watch()
    looking = asyncio.create_task(watch.look())
    await asyncio.sleep(10)
    looking.cancel()
    return watch.longest


async def main(only: str) -> int:
    """Print a row a file; 1 where the loop stood still for too long."""
    worst = 0.0
    print("| file | MB | outcome | seconds | longest standstill of the loop, ms |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        settings = load(folder / "no.env", data_dir=folder, agents="offline", embedder="none")
        async with compose(settings) as app:
            workspace = await app.repository.create_workspace(app.owner, "stall")
            await app.ingest.ingest(workspace, "first.md", b"# First\n\nStarts the reader.\n")
            print(f"| nothing, for comparison | | | 10 | {await _idle() * 1000:.0f} |", flush=True)
            for what, name, content in files():
                if only not in what:
                    continue
                watch, begun = Watch(), time.perf_counter()
                looking = asyncio.create_task(watch.look())
                result = await app.ingest.ingest(workspace, name, content)
                looking.cancel()
                seconds = time.perf_counter() - begun
                outcome = result.reason or f"{result.chunks:,} chunks"
                print(
                    f"| {what} | {len(content) / 1e6:.1f} | {outcome} | {seconds:.1f}"
                    f" | {watch.longest * 1000:.0f} |",
                    flush=True,
                )
                worst = max(worst, watch.longest)
    return int(worst > LONGEST_SECONDS)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "")))
