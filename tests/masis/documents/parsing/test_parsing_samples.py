import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from masis.documents.chunking import MAX_CHARS, chunk_document
from masis.documents.parsing import refusals
from masis.documents.parsing.recognition.read_document import read_document
from masis.documents.parsing.sandbox.pool import ParserPool
from masis.domain import ParsedDocument, workspace_id
from masis.errors import DocumentRefused

ROOT = Path(__file__).parents[4]
SHARED = ROOT.parent / "shared" / "data"
SAMPLE = ROOT / "bot" / "playground" / "sample" / "docs"
shared = [
    pytest.mark.shared,
    pytest.mark.skipif(
        not SHARED.is_dir(), reason="the shared data does not stand beside the checkout"
    ),
]


def folded(text: str) -> str:
    return " ".join(re.sub(r"[*_\[\]]", "", text).casefold().split())


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def found(phrase: str, parsed: ParsedDocument) -> bool:
    """Whether the phrase stands in the text, or its words in one row, which names its columns."""
    text = folded("\n".join([parsed.title, *(block.text for block in parsed.blocks)]))
    rows = (words(block.text) for block in parsed.blocks if block.kind == "table_row")
    # A list item is one by its kind: its mark is no text.
    return folded(phrase).removeprefix("- ") in text or any(words(phrase) <= row for row in rows)


@cache
def expectations() -> list[dict[str, Any]]:
    with (SHARED / "ingest-samples" / "expected.jsonl").open() as lines:
        return [json.loads(line) for line in lines]


async def outcome(pool: ParserPool, path: Path) -> ParsedDocument | str:
    """The document, or the reason why it was refused."""
    try:
        return await pool.parse(path.name, path.read_bytes())  # noqa: ASYNC240 - nothing else runs
    except DocumentRefused as refusal:
        return str(refusal)


class TestOfficeSamples:
    pytestmark = shared

    @pytest.mark.long
    async def test_every_file_is_read_or_refused(self) -> None:
        """Every file is read or refused with a reason."""
        reasons = {value for name, value in vars(refusals).items() if name.isupper()}
        unclear = {refusals.CRASHED, refusals.TOO_SLOW, refusals.DAMAGED}
        phrases = hits = 0
        async with ParserPool() as pool:
            for expected in expectations():
                path = SHARED / "ingest-samples" / str(expected["file"])
                parsed = await outcome(pool, path)
                if isinstance(parsed, str):
                    assert parsed in reasons - unclear
                    assert expected["outcome"] != "text"
                else:
                    assert expected["outcome"] != "refuse_or_empty"
                    phrases += len(expected["phrases"])
                    hits += sum(found(phrase, parsed) for phrase in expected["phrases"])
        assert {str(one["file"]) for one in expectations()} == {
            f"files/{path.name}" for path in (SHARED / "ingest-samples" / "files").iterdir()
        }
        print(f"phrases found in what is read: {hits} of {phrases}")  # noqa: T201 - a figure to report
        assert hits == phrases

    def test_protected_empty_and_scanned_are_reported(self) -> None:
        """Protected empty and scanned files say so."""
        files = SHARED / "ingest-samples" / "files"
        for name, reason in {
            "password.pdf": refusals.PDF_LOCKED,
            "password_protected.xlsx": refusals.OFFICE_LOCKED,
            "empty.txt": refusals.EMPTY,
            "empty.xlsx": refusals.NO_TEXT,
        }.items():
            with pytest.raises(DocumentRefused) as caught:
                read_document(name, (files / name).read_bytes())
            assert str(caught.value) == reason


class TestDemoWorkspace:
    pytestmark = shared

    @staticmethod
    def documents() -> Iterator[tuple[str, ParsedDocument]]:
        folder = SHARED / "demo-workspace"
        for path in sorted((folder / "docs").rglob("*")):
            if path.is_file():
                yield str(path.relative_to(folder)), read_document(path.name, path.read_bytes())

    @pytest.mark.long
    def test_gold_quotes_survive_parsing(self) -> None:
        """All files are read and the gold quotes survive."""
        documents = dict(self.documents())
        assert len(documents) == 228
        with (SHARED / "demo-workspace" / "questions.jsonl").open() as lines:
            gold = [quote for line in lines for quote in json.loads(line)["gold"]]
        hits = [found(one["quote"], documents[one["doc"]]) for one in gold]
        print(f"gold quotes found: {sum(hits)} of {len(hits)}")  # noqa: T201 - a figure to report
        assert sum(hits) / len(hits) >= 0.98
        for parsed in documents.values():
            chunks = chunk_document(
                parsed, workspace_id=workspace_id("w"), document_id="d", version_id="v"
            )
            assert all(len(chunk.text) <= MAX_CHARS for chunk in chunks)


@pytest.mark.skipif(
    not SAMPLE.is_dir(), reason="the sample workspace is not part of this installation"
)
def test_sample_workspace_is_read_with_dates() -> None:
    """The sample workspace is read whole with its own dates."""
    parsed = {
        path.name: read_document(path.name, path.read_bytes())
        for path in SAMPLE.rglob("*")
        if path.is_file()
    }
    assert len({document.format for document in parsed.values()}) == 8
    assert all(len(document.blocks) > 10 for document in parsed.values())
    dated = sum(1 for document in parsed.values() if document.date)
    assert dated >= 0.9 * len(parsed)
