"""What comes out of files: for each collection and format the text that is kept, and the time.

Run it with `python -m tests.bench.parsing_bench` (a minute of processor time). The exit code is 1
when the data is not beside the checkout, or when an expected phrase is lost.

Expected phrases are those that a collection's own README promises: the phrases of the samples, the
gold quotes of the demo workspace, and for the quarterly reports every amount of a reviewed answer
that a plain reader finds in one of the question's documents. Words are those that a plain reader
sees (pypdf for PDF, all text nodes of Office files, the decoded text of others); lines that repeat on
each page, navigation and front matter are among them, and are left out on purpose.
"""

import asyncio
import io
import json
import re
import sys
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

import pypdf
from lxml import etree

from masis.documents.chunking import chunk_document
from masis.documents.parsing.decoding import decoded
from masis.documents.parsing.sandbox.pool import ParserPool
from masis.domain import ParsedDocument, workspace_id
from masis.errors import DocumentRefused

SHARED: Final = Path(__file__).parents[2].parent / "shared" / "data"
_AMOUNT: Final = re.compile(r"\d{1,3}(?:,\d{3})+|\d+\.\d+")
_WORD: Final = re.compile(r"\w+")
_MARKUP: Final = re.compile(r"<[^>]{0,1000}>|[*_`#|]")


@dataclass(slots=True)
class File:
    """A file, and the phrases that its text should hold."""

    collection: str
    path: Path
    phrases: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Row:
    """What is known of all files of one format in one collection."""

    files: int = 0
    refused: int = 0
    blocks: int = 0
    chunks: int = 0
    chars: int = 0
    seconds: float = 0.0
    expected: int = 0
    found: int = 0
    words: int = 0
    kept: int = 0


# --- what is expected ----------------------------------------------------------------------


def files() -> Iterator[File]:
    """All files with what their text should hold."""
    yield from _samples()
    yield from _demo()
    yield from _reports()


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _samples() -> Iterator[File]:
    folder = SHARED / "ingest-samples"
    for line in _lines(folder / "expected.jsonl"):
        phrases = line["phrases"] if isinstance(line["phrases"], list) else []
        yield File("ingest-samples", folder / str(line["file"]), phrases)


def _demo() -> Iterator[File]:
    folder = SHARED / "demo-workspace"
    quotes: defaultdict[str, list[str]] = defaultdict(list)
    for line in _lines(folder / "questions.jsonl"):
        gold = line["gold"] if isinstance(line["gold"], list) else []
        for one in gold:
            quotes[one["doc"]].append(one["quote"])
    for path in sorted(path for path in (folder / "docs").rglob("*") if path.is_file()):
        yield File("demo-workspace", path, quotes[str(path.relative_to(folder))])


def _reports() -> Iterator[File]:
    folder = SHARED / "sec-10q"
    amounts: defaultdict[str, set[str]] = defaultdict(set)
    for line in _lines(folder / "questions.jsonl"):
        documents = line["candidate_docs"] if isinstance(line["candidate_docs"], list) else []
        for document in documents:
            amounts[document] |= set(_AMOUNT.findall(str(line["answer"])))
    for path in sorted((folder / "docs").iterdir()):
        plain = set(_AMOUNT.findall(plain_text(path)))
        yield File("sec-10q", path, sorted(amounts[path.name] & plain))


@cache
def plain_text(path: Path) -> str:
    """All text that a plain reader sees; empty where it sees none."""
    content = path.read_bytes()
    if content.startswith(b"%PDF"):
        return _pdf_text(content)
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            parts = [
                etree.fromstring(package.read(name))
                for name in package.namelist()
                if re.fullmatch(
                    r"word/document\.xml|ppt/(?:slides|notesSlides)/\w+\.xml|content\.xml"
                    r"|xl/sharedStrings\.xml",
                    name,
                )
            ]
        return "\n".join(" ".join(map(str, part.itertext())) for part in parts)
    try:
        return _MARKUP.sub(" ", decoded(content)) if content else ""
    except DocumentRefused:
        return ""


def _pdf_text(content: bytes) -> str:
    reader = pypdf.PdfReader(io.BytesIO(content))
    if reader.is_encrypted and not reader.decrypt(""):
        return ""
    return "\n".join(page.extract_text() for page in reader.pages)


# --- what comes out ------------------------------------------------------------------------


def folded(text: str) -> str:
    """Text without the marks of Markdown, in small letters with single spaces."""
    return " ".join(re.sub(r"[*_\[\]]", "", text).casefold().split())


def found(phrase: str, parsed: ParsedDocument) -> bool:
    """Whether a phrase is kept: in the text, or its words in a row, which names its columns."""
    text = folded("\n".join([parsed.title, *(block.text for block in parsed.blocks)]))
    words = set(_WORD.findall(phrase.casefold()))
    rows = (block.text for block in parsed.blocks if block.kind == "table_row")
    whole = folded(phrase).removeprefix("- ")
    return whole in text or any(words <= set(_WORD.findall(row.casefold())) for row in rows)


async def measured(pool: ParserPool, file: File, row: Row) -> list[str]:
    """Read a file into its row; what it lost, or why it was refused."""
    row.files += 1
    row.expected += len(file.phrases)
    begun = time.perf_counter()
    try:
        parsed = await pool.parse(file.path.name, file.path.read_bytes())
    except DocumentRefused as refusal:
        row.refused += 1
        return [str(refusal)]
    finally:
        row.seconds += time.perf_counter() - begun
    row.blocks += len(parsed.blocks)
    row.chars += sum(len(block.text) for block in parsed.blocks)
    row.chunks += len(
        chunk_document(parsed, workspace_id=workspace_id("w"), document_id="d", version_id="v")
    )
    lost = [phrase for phrase in file.phrases if not found(phrase, parsed)]
    row.found += len(file.phrases) - len(lost)
    plain = Counter(_WORD.findall(plain_text(file.path).casefold()))
    ours = Counter(
        _WORD.findall(" ".join([parsed.title, *(b.text for b in parsed.blocks)]).casefold())
    )
    row.words += plain.total()
    row.kept += (plain & ours).total()
    return [f"lost: {phrase}" for phrase in lost]


async def main() -> int:
    """Print the table and what was lost; 1 if anything was."""
    if not SHARED.is_dir():
        print("The data does not stand beside the checkout.")
        return 1
    rows: defaultdict[tuple[str, str], Row] = defaultdict(Row)
    remarks: list[str] = []
    async with ParserPool() as pool:
        for file in files():
            row = rows[file.collection, file.path.suffix.lstrip(".")]
            remarks += [f"{file.path.name}: {remark}" for remark in await measured(pool, file, row)]
    _print(rows)
    print("\n" + "\n".join(remarks))
    return int(any("lost: " in remark for remark in remarks))


def _print(rows: dict[tuple[str, str], Row]) -> None:
    print(
        "| collection | format | files | refused | blocks | chunks | chars | s | phrases | words |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for (collection, form), row in sorted(rows.items()):
        words = f"{row.kept / row.words:.3f}" if row.words else ""
        print(
            f"| {collection} | {form} | {row.files} | {row.refused} | {row.blocks} | {row.chunks} "
            f"| {row.chars} | {row.seconds:.2f} | {row.found} of {row.expected} | {words} |"
        )


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
