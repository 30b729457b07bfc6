"""What is written for people, as tests read it."""

import functools
from collections.abc import Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
SAMPLE = ROOT / "bot" / "playground" / "sample" / "docs"
BENCH = ROOT / "tests" / "bench"
DATA = (SAMPLE, BENCH / "plain" / "docs", BENCH / "workspaces")


def pages() -> list[Path]:
    """Every page; the documents that questions are asked of are data."""
    skipped = (".", "node_modules")
    found = [
        path
        for path in ROOT.rglob("*.md")
        if not any(part.startswith(skipped) for part in path.relative_to(ROOT).parts)
    ]
    return sorted(path for path in found if not any(map(path.is_relative_to, DATA)))


@functools.cache
def tokens(page: Path) -> Sequence[Token]:
    """Every token of a page, inline ones too."""
    blocks = MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8"))
    return [token for block in blocks for token in (block, *(block.children or []))]


def fences(page: Path, *languages: str) -> list[str]:
    return [
        token.content
        for token in tokens(page)
        if token.type == "fence" and token.info.split(" ")[0] in languages
    ]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
