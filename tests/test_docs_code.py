"""What the pages say of the code: drawings, tables, names, paths, and the tests that show a claim."""

import ast
import functools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from markdown_it.token import Token

from masis.domain import FILE_ENDINGS
from tests.bot.program import whole
from tests.generated_docs import ARCHITECTURE, PARTS, part
from tests.pages import README, ROOT, named, pages, tokens

SECURITY = ROOT / "docs" / "security.md"
UNSHOWN = {"What is not covered", "Reporting a vulnerability"}
"""The sections of the page on security that claim no defence."""
MADE = {"bot/playground/web/shots/"}
"""Folders that commands fill, and that no checkout has."""


# --- what is made from the code ------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "name"), [(page, name) for page, parts in PARTS.items() for name in parts]
)
def test_generated_parts_match_the_code(page: Path, name: str) -> None:
    """What is made from the code is as the code is."""
    there = part(name).findall(page.read_text(encoding="utf-8"))
    assert there == [PARTS[page][name]()], "`make docs` makes it anew"


# --- names and paths -----------------------------------------------------------------------


class Mention(NamedTuple):
    """A name on a page that leads to a file of the code."""

    name: str
    file: Path


def mentions(page: Path, within: Sequence[Token]) -> Iterator[Mention]:
    """The links whose whole text is code, and that lead to a Python file."""
    for opened, text, closed in zip(within, within[1:], within[2:], strict=False):
        kinds = (opened.type, text.type, closed.type)
        target = str(opened.attrs.get("href", ""))
        if kinds == ("link_open", "code_inline", "link_close") and target.endswith(".py"):
            yield Mention(text.content, (page.parent / target).resolve())


@functools.cache
def defined(file: Path) -> set[str]:
    """What stands in a file: classes, functions and constants, `Class.method`; of tests all alike."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found = set(_defined(tree.body, ""))
    return found | {name.split(".")[-1] for name in found if "test_" in name}


def _defined(body: list[ast.stmt], prefix: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield f"{prefix}{node.name}"
        if isinstance(node, ast.ClassDef):
            yield from _defined(node.body, f"{node.name}.")
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        yield from (f"{prefix}{each.id}" for each in targets if isinstance(each, ast.Name))


def test_names_beside_file_links_are_defined() -> None:
    """Every name that leads to a file stands in it."""
    said = [(page, each) for page in pages() for each in mentions(page, tokens(page))]
    assert {page for page, _ in said} >= {ARCHITECTURE, SECURITY}
    missing = [
        (named(page), each.name, named(each.file))
        for page, each in said
        if not each.file.is_file() or each.name not in defined(each.file)
    ]
    assert missing == []


def test_moved_name_is_detected() -> None:
    """A name that moved would be noticed."""
    here = defined(Path(__file__))
    assert {"Mention", "Mention.name", "SECURITY", "mentions"} <= here
    assert not {"name", "Mention.path", "kinds", "opened"} & here


def test_every_documented_path_exists() -> None:
    """Every path on a page is there."""
    spans = [
        (named(page), token.content)
        for page in pages()
        for token in tokens(page)
        if token.type == "code_inline"
    ]
    said = [(page, path) for page, path in spans if re.fullmatch(r"[\w.]+(/[\w.-]+)*/?", path)]
    ours = [
        (page, path)
        for page, path in said
        if path.split("/")[0] in {"bot", "masis", "storage", "tests", "docs", "web"} and "/" in path
    ]
    assert ("CONTRIBUTING.md", "bot/slack/") in ours
    missing = [(page, path) for page, path in ours if not (ROOT / path).exists()]
    assert [each for each in missing if each[1] not in MADE] == []


def test_every_walk_step_names_its_code() -> None:
    """Every step of a walk names what does it."""
    steps = [
        (heading, list(item)) for heading, item in items(ARCHITECTURE) if heading.startswith("A")
    ]
    assert len({heading for heading, _ in steps}) == 8
    unnamed = [
        (heading, " ".join(token.content for token in item if token.type == "inline"))
        for heading, item in steps
        if not list(mentions(ARCHITECTURE, item))
    ]
    assert unnamed == []


# --- claims --------------------------------------------------------------------------------


def items(page: Path) -> Iterator[tuple[str, list[Token]]]:
    """Each list item and table row of a page, with the heading that it stands under."""
    heading, item, opened = "", list[Token](), ""
    for token in tokens(page):
        if opened == "heading" and token.type == "inline":
            heading = token.content
        if token.type in {"heading_open", "list_item_open", "tr_open"}:
            opened, item = token.type.removesuffix("_open"), []
        item.append(token)
        if token.type in {"heading_close", "list_item_close", "tr_close"}:
            is_head = any(each.type == "th_open" for each in item)
            if opened in {"list_item", "tr"} and not is_head:
                yield heading, item
            opened = ""


def test_every_security_claim_names_its_test() -> None:
    """Every claim on security names a test that shows it."""
    claims = [each for each in items(SECURITY) if each[0] not in UNSHOWN]
    assert len(claims) > 30
    unshown = [
        (heading, " ".join(token.content for token in item if token.type == "inline"))
        for heading, item in claims
        if not any(
            each.name.startswith("test_") and each.file.is_relative_to(ROOT / "tests")
            for each in mentions(SECURITY, item)
        )
    ]
    assert unshown == []


def test_security_page_states_its_limits() -> None:
    """The page on security says what is not covered."""
    assert {heading for heading, _ in items(SECURITY)} >= {"What is not covered"}


# --- what there is -------------------------------------------------------------------------


def subcommands(command: Any, *words: str) -> Iterator[tuple[str, ...]]:
    """Every command by its words: `("keys", "rotate")`."""
    for name, each in getattr(command, "commands", {}).items():
        yield (*words, name)
        yield from subcommands(each, *words, name)


def test_every_command_is_documented() -> None:
    """Every command stands on a page and the first words in the readme."""
    spans = {page: f"{page.read_text(encoding='utf-8')}\n" for page in pages()}
    everywhere = "".join(spans.values())
    known = list(subcommands(whole()))
    assert ("keys", "rotate") in known
    missing = [
        words
        for words in known
        if not re.search(rf"masis {' '.join(words)}\b", everywhere if words[1:] else spans[README])
    ]
    assert missing == []


@pytest.mark.parametrize("page", [README, ROOT / "docs" / "documents.md"], ids=named)
def test_every_readable_format_is_named(page: Path) -> None:
    """Every format that is read is named."""
    text = page.read_text(encoding="utf-8")
    alike = {"htm": "html", "jpeg": "jpg", "tif": "tiff", "tsv": "csv", "jsonl": "json"}
    pictures = {"png", "jpg", "tiff", "webp"} if page == README else set()
    read = {alike.get(ending, ending) for ending in FILE_ENDINGS} - pictures
    assert {ending for ending in read if not re.search(rf"\b{ending}\b", text)} == set()
