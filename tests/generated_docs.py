"""Drawings and tables that pages have from the code: `python -m tests.generated_docs` makes them anew."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, get_type_hints

from masis.graphs.analysis.graph import ANALYSIS
from masis.graphs.chat.graph import CHAT
from masis.graphs.classification.graph import CLASSIFICATION
from masis.graphs.common import mermaid
from masis.graphs.research import nodes
from masis.graphs.research.graph import RESEARCH, build
from masis.graphs.research.state import MASISInput, State
from storage.sql.tables import metadata
from tests.pages import README, ROOT

ARCHITECTURE: Final = ROOT / "docs" / "architecture.md"
LAYERS: Final = ("bot", "storage", "masis")
NODES: Final = ("supervisor", "researcher", "synthesizer", "critic", "evaluator")

Made = Callable[[], str]


def graph() -> str:
    """The research graph, as `masis graph` prints it."""
    return f"```mermaid\n{mermaid(RESEARCH)}```\n"


def chat_graph() -> str:
    """The chat graph, as `masis graph chat` prints it."""
    return f"```mermaid\n{mermaid(CHAT)}```\n"


def analysis_graph() -> str:
    """The analysis graph, as `masis graph analysis` prints it."""
    return f"```mermaid\n{mermaid(ANALYSIS)}```\n"


def classification_graph() -> str:
    """The classification graph, as `masis graph classification` prints it."""
    return f"```mermaid\n{mermaid(CLASSIFICATION)}```\n"


# --- who imports whom ----------------------------------------------------------------------


def room_of(path: str) -> str:
    """Name the room that a module stands in, two folders deep: `bot/slack`.

    A layer's own files share one room, but for those that import from the layer's rooms: they
    stand above the rooms, each alone.
    """
    layer, _, inside = path.partition("/")
    if "/" in inside or (ROOT / layer / inside).is_dir():
        return f"{layer}/{inside.partition('/')[0]}" if inside else layer
    return path if path in _above_the_rooms() else layer


def imports() -> set[tuple[str, str]]:
    """List which room of the house imports from which other one."""
    pairs = {
        (room_of(here), room_of(there)) for here, found in modules().items() for there in found
    }
    return {(here, there) for here, there in pairs if here != there}


@cache
def modules() -> dict[str, set[str]]:
    """Map each file to the modules of the house that it imports, all as `bot/slack/app`."""
    files = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]
    return {
        path.relative_to(ROOT).with_suffix("").as_posix(): {
            _module(name) for name in _imported(ast.parse(path.read_text(encoding="utf-8")))
        }
        for path in files
    }


def _module(name: str) -> str:
    """Cut off the name that is imported from a module: `bot/slack/app` of `bot/slack/app/build`."""
    path = Path(name)
    while not (ROOT / path).is_dir() and not (ROOT / f"{path}.py").is_file():
        path = path.parent
    return path.as_posix()


@cache
def _above_the_rooms() -> set[str]:
    """List the files of the layers that import from a room of their layer, if by way of another."""
    own = {
        path: {there for there in found if _layer(there) == _layer(path)}
        for path, found in modules().items()
        if path.count("/") == 1
    }
    above: set[str] = set()
    for _ in own:
        above |= {
            path
            for path, found in own.items()
            if any(there in above or there.count("/") > 1 for there in found)
        }
    return above


def _imported(tree: ast.Module) -> Iterator[str]:
    """Every module of the house that is imported, as a path: `bot/slack/app`."""
    for node in _statements(tree.body):
        found: list[str] = []
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            # A package may be asked for a module of its own.
            found = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name.replace(".", "/") for name in found if name.split(".")[0] in LAYERS)


def _statements(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The statements at any depth. Expressions, which import nothing, are most of a tree."""
    for node in body:
        yield node
        for inner in ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from _statements(getattr(node, inner, ()))


def house() -> str:
    """Draw the rooms in their layers.

    Between layers an arrow stands for all of their rooms; an arrow that others imply is left out.
    """
    found = imports()
    folders = sorted({folder for pair in found for folder in pair})
    lines = ["```mermaid", "flowchart TD"]
    for layer in LAYERS:
        lines.append(f"    subgraph {layer}")
        inside = [each for each in folders if each.split("/")[0] == layer]
        lines += [f'        {_id(each)}["{_label(each)}"]' for each in inside]
        lines.append("    end")
    return "\n".join([*lines, *_arrows(found), "```", ""])


def _arrows(found: set[tuple[str, str]]) -> list[str]:
    within = {pair for pair in found if _layer(pair[0]) == _layer(pair[1])}
    both = {pair for pair in within if pair[::-1] in within}
    across = {(_layer(here), _layer(there)) for here, there in found - within}
    # The adapters are the one folder that a layer above may not know but in one place.
    to_adapters = {pair for pair in found - within if pair[1] == "masis/adapters"}
    arrows = [f"{_id(here)} --> {_id(there)}" for here, there in sorted(_reduced(within - both))]
    arrows += [f"{_id(here)} <--> {_id(there)}" for here, there in sorted(both) if here < there]
    arrows += [f"{_id(here)} --> {_id(there)}" for here, there in sorted(to_adapters)]
    arrows += [f"{here} ==> {there}" for here, there in sorted(across)]
    return [f"    {arrow}" for arrow in arrows]


def _reduced(arrows: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Leave out each arrow that a way over others says already."""
    nearest: dict[str, set[str]] = {}
    for here, there in arrows:
        nearest.setdefault(here, set()).add(there)

    @cache
    def reach(room: str) -> set[str]:
        """Every room that one leads to; the order in which they are met changes nothing."""
        found, left = set[str](), [room]
        while left:
            new = nearest.get(left.pop(), set()) - found
            found |= new
            left += new
        return found

    return {
        (here, there)
        for here, there in arrows
        if not any(there in reach(by) for start, by in arrows if start == here and by != there)
    }


def _layer(folder: str) -> str:
    return folder.partition("/")[0]


def _id(room: str) -> str:
    return f"{room.replace('/', '_')}_" if "/" in room else f"{room}_itself"


def _label(room: str) -> str:
    if "/" not in room:
        return f"{room}/*.py"
    return f"{room}/" if (ROOT / room).is_dir() else f"{room}.py"


# --- the state of a run --------------------------------------------------------------------


def state() -> str:
    """Every key of the graph's state: what it is at first, which nodes read and write it."""
    assert set(NODES) == set(build().nodes) - {"__start__"}
    first = MASISInput(user_query="?", workspace_id="w_aaaaaaaaaaaa").to_state()
    hints = {name: get_type_hints(getattr(nodes, name)) for name in NODES}
    rows = ["| key | at first | read by | written by |", "| --- | --- | --- | --- |"]
    for key, value in dict(first).items():
        begins = "from the request" if key in MASISInput.model_fields else f"`{value!r}`"
        reading = [name for name in NODES if key in hints[name]["state"].__annotations__]
        writing = [name for name in NODES if key in hints[name]["return"].__annotations__]
        rows.append(f"| `{key}` | {begins} | {', '.join(reading)} | {', '.join(writing)} |")
    assert len(rows) == len(State.__annotations__) + 2
    return "\n".join(rows) + "\n"


# --- the database --------------------------------------------------------------------------


def tables() -> str:
    """Every table with the first sentence or two of what the code says of it."""
    said = dict(_documented(ROOT / "storage" / "sql" / "tables.py"))
    rows = ["| table | holds |", "| --- | --- |"]
    rows += [f"| `{name}` | {said[name]} |" for name in metadata.tables]
    return "\n".join(rows) + "\n"


def _documented(path: Path) -> Iterator[tuple[str, str]]:
    """Each name that a docstring follows, with the docstring's first paragraph on one line."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    for node, after in pairwise(body):
        match node, after:
            case ast.Assign(targets=[ast.Name(id=name)]), ast.Expr(ast.Constant(str(said))):
                yield name, " ".join(said.split("\n\n")[0].split())


# --- the pages -----------------------------------------------------------------------------

PARTS: Final[Mapping[Path, Mapping[str, Made]]] = {
    README: {"chat-graph": chat_graph, "graph": graph},
    ARCHITECTURE: {
        "house": house,
        "graph": graph,
        "state": state,
        "analysis-graph": analysis_graph,
        "classification-graph": classification_graph,
        "tables": tables,
    },
}
"""What each page has between `<!-- name -->` and `<!-- /name -->`."""


def part(name: str) -> re.Pattern[str]:
    """Where a page has it."""
    return re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)", re.DOTALL)


def write() -> None:
    """Bring the pages up to date."""
    for page, parts in PARTS.items():
        text = page.read_text(encoding="utf-8")
        for name, make in parts.items():
            text = part(name).sub(make().replace("\\", r"\\"), text)
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
