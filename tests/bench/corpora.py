"""The collections that search is measured on: documents, questions, and where the answers stand."""

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from masis.documents.parsing.recognition.read_document import read_document
from masis.domain import Block, Chunk, ParsedDocument

SAMPLE: Final = Path(__file__).parents[2] / "bot" / "playground" / "sample"
SHARED: Final = Path(__file__).parents[2].parent / "shared" / "data"
_MARK_CHARS: Final = 60
"""A marked passage is recognised by its beginning, since a chunk may end inside it."""
_LEAST_ROW_WORDS: Final = 4
"""A shorter row ("2019 | 2018") stands in prose as well and marks no table."""


@dataclass(frozen=True, slots=True)
class Gold:
    """A place of the answer: the chunks of `document` that hold one of `marks`.

    Without marks any of its chunks will do.
    """

    document: str
    marks: tuple[str, ...] = ()

    def within(self, text: str) -> bool:
        """Whether a chunk of the document is such a one; `text` as `plain` gives it."""
        return not self.marks or any(mark in text for mark in self.marks)

    def within_a_line(self, lines: Sequence[str]) -> bool:
        """Whether one line has all words of a mark: a row has its columns' names between them."""
        wanted = [set(mark.split()) for mark in self.marks]
        return any(words <= set(line.split()) for words in wanted for line in lines)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the places of its answer; none where it has no answer here."""

    id: str
    text: str
    gold: tuple[Gold, ...] = ()


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents by name, and what is asked of them.

    `by_document` says that whole documents are ranked, each by its best chunk. `strangers` are
    questions that look as if they belonged here and have no answer.
    """

    name: str
    documents: Mapping[str, ParsedDocument]
    questions: Sequence[Asked]
    strangers: Sequence[Asked] = ()
    by_document: bool = False


@dataclass(slots=True)
class Indexed:
    """What became of documents in a workspace: their chunks, and the name of each one's document."""

    chunks: dict[str, Chunk] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)
    _lines: dict[str, list[str]] = field(default_factory=dict)

    def add(self, document: str, chunks: Sequence[Chunk]) -> None:
        """Note a document's chunks."""
        for chunk in chunks:
            self.chunks[chunk.id] = chunk
            self.documents[chunk.id] = document
            self._lines[chunk.id] = [plain(line) for line in chunk.indexed_text.split("\n")]

    def units(self, collection: Collection, asked: Asked) -> list[set[str]]:
        """For each place of the answer that was found in the chunks, what of it may be found.

        Ids of chunks, or names of documents where these are ranked.
        """
        if collection.by_document:
            return [{gold.document} for gold in asked.gold]
        return [unit for unit in map(self._holding, asked.gold) if unit]

    def _holding(self, gold: Gold) -> set[str]:
        """The chunks with the marked words as they stand, or where none has them in one line."""
        own = [chunk for chunk, document in self.documents.items() if document == gold.document]
        found = {chunk for chunk in own if gold.within(" ".join(self._lines[chunk]))}
        return found or {chunk for chunk in own if gold.within_a_line(self._lines[chunk])}

    def ranked(self, collection: Collection, chunks: Sequence[str]) -> list[str]:
        """The chunks as they are, or the documents in the order of their best chunks."""
        if not collection.by_document:
            return list(chunks)
        return list(dict.fromkeys(self.documents[chunk] for chunk in chunks))


def plain(text: str) -> str:
    """Letters and digits alone: marking, quotes and wraps differ between question and chunk."""
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def collections() -> list[Collection]:
    """All of them, read anew; the sample alone where the development data is not there."""
    others = [handbook, clapnq, sec, tatqa] if SHARED.is_dir() else []
    return [sample(), *(read() for read in others)]


def sample() -> Collection:
    """The sample workspace, and its questions in words of their own."""
    folder = SAMPLE / "docs"
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    documents = {name: read_document(name, (folder / name).read_bytes()) for name in names}
    return _authored("sample", documents, SAMPLE / "questions.jsonl", "kind")


def handbook() -> Collection:
    """All files of a real handbook, and all its questions whose place is known."""
    folder = SHARED / "demo-workspace"
    documents = {
        row["path"]: read_document(row["path"], (folder / row["path"]).read_bytes())
        for row in _lines(SHARED / "demo-workspace" / "manifest.jsonl")
    }
    return _authored("demo-workspace", documents, folder / "questions.jsonl", "type")


def clapnq() -> Collection:
    """Encyclopedic passages, each asked one question; and as many questions that none answers."""
    passages = {row["doc_id"]: row for row in _lines(SHARED / "clapnq-dev" / "passages.jsonl")}
    documents = {
        key: ParsedDocument(
            format="txt", title=row["title"], blocks=[Block(kind="paragraph", text=row["text"])]
        )
        for key, row in passages.items()
    }
    questions, strangers = [], []
    for row in _lines(SHARED / "clapnq-dev" / "questions.jsonl"):
        if not row["answerable"]:
            strangers.append(Asked(row["id"], row["question"]))
            continue
        sentences = passages[row["gold_doc_id"]]["sentences"]
        marks = _marks([sentences[at] for at in row["gold_sentences"]])
        gold = Gold(row["gold_doc_id"], marks)
        questions.append(Asked(row["id"], row["question"], (gold,)))
    return Collection("clapnq", documents, questions, strangers)


def sec() -> Collection:
    """Quarterly reports as PDF; the documents that the annotators cited are to be found."""
    documents = {
        path.name: read_document(path.name, path.read_bytes())
        for path in sorted((SHARED / "sec-10q" / "docs").glob("*.pdf"))
    }
    questions = [
        Asked(
            row["id"],
            row["question"],
            tuple(map(Gold, row["docs_cited_by_annotator"] or row["candidate_docs"])),
        )
        for row in _lines(SHARED / "sec-10q" / "questions.jsonl")
    ]
    return Collection("sec-10q", documents, questions, by_document=True)


def tatqa() -> Collection:
    """Notes of financial reports: a table and its paragraphs as a page, read like any other.

    The answer stands in the table, in paragraphs, or in both.
    """
    contexts = {
        row["context_id"]: row for row in _lines(SHARED / "tatqa-finance" / "contexts.jsonl")
    }
    documents = {key: _page(key, row) for key, row in contexts.items()}
    questions = []
    for row in _lines(SHARED / "tatqa-finance" / "questions.jsonl"):
        key = row["context_id"]
        gold = tuple(_told(row, contexts[key]["paragraphs"], documents[key]))
        questions.append(Asked(row["id"], row["question"], gold))
    return Collection("tatqa-finance", documents, questions)


def _authored(
    name: str, documents: Mapping[str, ParsedDocument], questions: Path, kind: str
) -> Collection:
    """A collection whose questions name the documents and words that answer them."""
    rows = list(_lines(questions))
    asked = [Asked(row["id"], row.get("standalone", row["question"]), _quoted(row)) for row in rows]
    return Collection(
        name,
        documents,
        [item for item in asked if item.gold],
        [item for item, row in zip(asked, rows, strict=True) if row[kind] == "unanswerable"],
    )


def _quoted(row: Mapping[str, Any]) -> tuple[Gold, ...]:
    return tuple(Gold(gold["doc"], _marks([gold["quote"]])) for gold in row.get("gold", []))


def _told(
    row: Mapping[str, Any], paragraphs: Sequence[str], page: ParsedDocument
) -> Iterator[Gold]:
    """Where a question of TAT-QA is answered from: the whole table, single paragraphs, or both."""
    if "table" in row["answer_from"]:
        rows = _marks([block.text for block in page.blocks if block.kind == "table_row"])
        marks = tuple(mark for mark in rows if len(mark.split()) >= _LEAST_ROW_WORDS)
        yield Gold(row["context_id"], marks)
    for at in row["rel_paragraphs"]:
        yield Gold(row["context_id"], _marks([paragraphs[int(at) - 1]]))


def _page(name: str, row: Mapping[str, Any]) -> ParsedDocument:
    cells = ["".join(f"<td>{html.escape(cell)}</td>" for cell in cells) for cells in row["table"]]
    table = "".join(f"<tr>{line}</tr>" for line in cells)
    prose = "".join(f"<p>{html.escape(text)}</p>" for text in row["paragraphs"])
    page = f"<html><body><table>{table}</table>{prose}</body></html>"
    # The note has no title of its own; an id in its place would only be noise.
    return read_document(f"{name}.html", page.encode()).model_copy(update={"title": ""})


def _marks(passages: Sequence[str]) -> tuple[str, ...]:
    """The whole words that each passage begins with."""
    texts = [plain(text) for text in passages]
    cut = [text[: text.rfind(" ", 0, _MARK_CHARS + 1)] for text in texts]
    whole = [
        text if len(text) <= _MARK_CHARS else head for text, head in zip(texts, cut, strict=True)
    ]
    return tuple(mark for mark in whole if mark)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
