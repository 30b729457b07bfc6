"""How much memory an ingestion of many pages takes, while `masis ingest` runs as people run it.

Run it with `python -m tests.bench.memory_bench` (a quarter of an hour of two cores). The corpus is
PDF files that the command writes itself. The processes' resident memory is looked at ten times a
second; `--set NAME=VALUE` gives the process a variable of environment to compare with.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import psutil

PAGES: Final = 2_000
FILE_PAGES: Final = 50
TOLD: Final = (100, 250, 500, 1_000, 1_500, 2_000)
"""Pages after which the memory is told."""
LINES: Final = 30
"""Of a page: 2,500 characters, some three chunks."""
LINE_WORDS: Final = 12
LOOK_SECONDS: Final = 0.1
LIMIT_MB: Final = 1_500
_MEGABYTE: Final = 2**20

_SYLLABLES: Final = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "la",
    "me",
    "ni",
    "po",
    "ru",
    "sa",
    "te",
    "vi",
    "xo",
    "un",
)
_PAGE: Final = (
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>"
    "/Contents {contents} 0 R>>"
)


# --- the corpus ----------------------------------------------------------------------------


def write_corpus(folder: Path, pages: int, file_pages: int, lines: int) -> int:
    """Write PDF files of so many pages in all, no two alike; gives back their characters."""
    drawn = random.Random(0)
    words = ["".join(drawn.choices(_SYLLABLES, k=drawn.randint(2, 4))) for _ in range(4_000)]
    characters = 0
    for number in range(pages // file_pages):
        texts = [_page(drawn, words, lines) for _ in range(file_pages)]
        characters += sum(len(line) for text in texts for line in text)
        (folder / f"report-{number:04}.pdf").write_bytes(pdf(texts))
    return characters


def _page(drawn: random.Random, words: Sequence[str], lines: int) -> list[str]:
    found = [" ".join(drawn.choices(words, k=LINE_WORDS)) for _ in range(lines)]
    return [line.capitalize() + "." if at % 3 == 2 else line for at, line in enumerate(found)]


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A PDF file with the lines of each page."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for at, lines in enumerate(pages):
        shown = "".join(f"({line})Tj T*\n" for line in lines)
        content = f"BT /F1 10 Tf 40 780 Td 14 TL\n{shown}ET"
        objects += [
            _PAGE.format(contents=5 + 2 * at),
            f"<</Length {len(content)}>>stream\n{content}\nendstream",
        ]
    out, offsets = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    out += (
        f"trailer\n<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{out.rindex('xref')}\n%%EOF"
    )
    return out.encode("latin-1")


# --- the memory ----------------------------------------------------------------------------


class Watch(threading.Thread):
    """Looks at a process and its children until it ends. Bytes; `peak` is of both together."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._process = psutil.Process(pid)
        self.now = (0, 0)
        self.highest = [0, 0]
        self.peak = 0

    def run(self) -> None:
        """Look, until there is nothing to look at."""
        while True:
            try:
                own = self._process.memory_info().rss
                children = [each.memory_info().rss for each in self._process.children()]
            except psutil.NoSuchProcess:
                if not self._process.is_running():
                    return
                continue  # a child ended while we looked
            self.now = own, sum(children)
            self.highest = [max(pair) for pair in zip(self.highest, self.now, strict=True)]
            self.peak = max(self.peak, sum(self.now))
            time.sleep(LOOK_SECONDS)


def told(pages: object, chunks: int, watch: Watch, seconds: float) -> None:
    """A row of the table."""
    megabytes = [f"{part / _MEGABYTE:.0f}" for part in (*watch.now, *watch.highest, watch.peak)]
    print(f"| {pages} | {chunks} | {' | '.join(megabytes)} | {seconds:.0f} |", flush=True)


def watched(docs: Path, data: Path, file_pages: int, settings: dict[str, str]) -> Watch:
    """Ingest the folder in a process of its own, and tell its memory on the way."""
    environment = {**os.environ, **settings, "MASIS_DATA_DIR": str(data), "MASIS_AGENTS": "offline"}
    command = [sys.executable, "-m", "bot", "ingest", str(docs), "--workspace", "many", "--json"]
    begun, pages, chunks = time.perf_counter(), 0, 0
    with subprocess.Popen(  # noqa: S603 - our own interpreter and module
        command, stdout=subprocess.PIPE, env=environment, text=True
    ) as process:
        watch = Watch(process.pid)
        watch.start()
        assert process.stdout is not None
        for line in process.stdout:
            result = json.loads(line)
            assert result["status"] == "added", result
            pages, chunks = pages + file_pages, chunks + result["chunks"]
            if pages in TOLD:
                told(f"{pages:,}", chunks, watch, time.perf_counter() - begun)
    watch.join()
    told("the end", chunks, watch, time.perf_counter() - begun)
    return watch


def main(pages: int, file_pages: int, lines: int, settings: dict[str, str]) -> None:
    """Write the corpus, ingest it, and tell the memory."""
    with tempfile.TemporaryDirectory() as temporary:
        docs, data = Path(temporary) / "docs", Path(temporary) / "data"
        docs.mkdir()
        characters = write_corpus(docs, pages, file_pages, lines)
        print(f"\n{pages:,} pages in files of {file_pages}, {characters:,} characters; {settings}")
        print("| pages | chunks | MB now: MASIS | its parser | highest: MASIS | its parser", end="")
        print(" | highest of both together | s |\n|---|---|---|---|---|---|---|---|")
        watch = watched(docs, data, file_pages, settings)
        reached = "" if watch.peak <= LIMIT_MB * _MEGABYTE else "   MISSED"
        print(f"highest of both together, target under {LIMIT_MB:,} MB{reached}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--file-pages", type=int, default=FILE_PAGES, help="pages of one file")
    parser.add_argument("--lines", type=int, default=LINES, help="lines of one page")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    main(given.pages, given.file_pages, given.lines, dict(each.split("=", 1) for each in given.set))
