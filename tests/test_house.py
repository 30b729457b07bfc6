"""The rules of the house that no linter knows."""

import ast
import functools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import masis
from masis.graphs import NAMES, registry
from tests import generated_docs, left_to_long

ROOT = Path(masis.__file__).resolve().parents[1]
PRODUCT = ("bot", "masis", "storage")
MOST_LINES = 700
MOST_FILES = 15
MOST_FORMATS = 20
MOST_TWINS = 5
RELATIVE_DOCSTRINGS = 0.02
MOST_NAME_WORDS = 8
MEAN_NAME_WORDS = 6
MOST_NAMESAKES = 7
MOST_PRIVATE_NAMESAKES = 25

GRAPH_FILES = {"__init__.py", "state.py", "agents.py", "nodes.py", "graph.py", "texts.py"}
"""What every graph's folder has, under these names; what only one of them needs comes on top."""
MODEL_FILES = {"model.py", "prompts.py"}
"""What a graph with model-backed agents has, under these names."""

Tree = ast.Module


@functools.cache
def sources() -> Mapping[str, Tree]:
    """Every file of the product; read by the first test that asks, not by every process."""
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for folder in PRODUCT
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "node_modules"
        not in path.parts  # packages of the page's sources, where they are installed
    }


def imports(tree: Tree) -> Iterator[str]:
    """Every module that is imported, and every name that is imported from one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def names(tree: Tree) -> set[str]:
    """Names and attributes as they are written: `os.environ`."""
    return {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def who_imports(module: str, *, outside: tuple[str, ...]) -> set[str]:
    """The files that import a module or something in it."""
    return {
        path
        for path, tree in sources().items()
        if not path.startswith(outside)
        and any(name == module or name.startswith(f"{module}.") for name in imports(tree))
    }


def test_there_is_something_to_look_at() -> None:
    assert {path.split("/")[0] for path in sources()} == set(PRODUCT)
    assert "masis/assistant.py" in sources()
    assert set(GRAPHS) == set(registry.GRAPHS) == set(NAMES)


# --- who may do what -----------------------------------------------------------------------


def test_only_the_settings_read_the_environment() -> None:
    reading = {"os.environ", "os.environb", "os.getenv"}
    found = {path for path, tree in sources().items() if reading & {*names(tree), *imports(tree)}}

    # Two read no setting: the adapters tell a library to stay silent, and the pool hands its child
    # processes the few variables they may have.
    others = {"masis/adapters/__init__.py", "masis/documents/parsing/sandbox/pool.py"}
    assert found == {"bot/settings.py", *others}


def test_only_the_composition_knows_the_adapters() -> None:
    outside = ("masis/adapters/",)

    # Each loads the vendors of its subject when the application first needs one of them.
    composing = {
        *("bot/composition/bundled_models.py", "bot/composition/served_models.py"),
        *("bot/composition/model_services.py", "bot/composition/whole_tables.py"),
    }
    assert who_imports("masis.adapters", outside=outside) == composing


def test_only_the_composition_knows_the_parser() -> None:
    """The parser holds vendors' readers, as an adapter does; what asks tables is locked up as it is."""
    outside = ("masis/documents/parsing/", "masis/adapters/duckdb_tables/")

    composing = {"bot/compose.py", "bot/composition/document_reading.py"}
    assert who_imports("masis.documents.parsing", outside=outside) == composing


COMPOSING = {
    "bot/compose.py",
    "bot/composition/storing.py",
    "bot/composition/served_vectors.py",
    *(
        f"bot/composition/{subject}.py"
        for subject in ("agents", "document_reading", "question_answering", "searching")
    ),
    *(f"bot/composition/{subject}.py" for subject in ("served_models", "whole_tables")),
    "bot/at_work.py",
    "bot/serve.py",
    "bot/slack/compose.py",
    "bot/teams/compose.py",
    "bot/operating.py",
    "bot/observability/scrape.py",
}
"""What a surface remembers is its own; documents, vectors and runs are the composition's."""


@pytest.mark.parametrize(
    "store",
    [
        "documents.repository",
        "vectors.embedded_store",
        "vectors.qdrant_store",
        "sql.database",
        "queue.engine",
    ],
)
def test_only_the_composition_knows_the_stores(store: str) -> None:
    knowing = who_imports(f"storage.{store}", outside=("storage/",))

    assert knowing
    assert knowing <= COMPOSING


def test_only_the_entry_creates_settings() -> None:
    """Only the entry makes settings and nobody copies them."""
    made = {
        path
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Settings"
    }

    assert made <= {"bot/settings.py", "bot/__main__.py"}


GRAPHS = sorted(path.parent.name for path in (ROOT / "masis" / "graphs").glob("*/__init__.py"))


@pytest.mark.parametrize("graph", GRAPHS)
class TestGraphs:
    def test_it_has_the_same_file_names(self, graph: str) -> None:
        here = {path.name for path in (ROOT / "masis" / "graphs" / graph).glob("*.py")}

        assert here >= GRAPH_FILES

    def test_only_model_agents_import_prompts(self, graph: str) -> None:
        """Its prompts are used by its model backed agents alone."""
        users = who_imports(f"masis.graphs.{graph}.prompts", outside=())

        assert users <= {f"masis/graphs/{graph}/model.py"}


OUTCOMES = {"Answered", "NeedsClarification", "StoredRun"}
"""What a view model is made of: a drawer hands it on, and reads nothing of it."""
DRAWERS = ("bot/slack/views/", "bot/teams/cards/")


def read_of_outcomes(tree: Tree) -> Iterator[str]:
    """Whatever a function reads of a parameter that is an outcome."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        given = {
            each.arg
            for each in (*function.args.args, *function.args.kwonlyargs)
            if each.annotation and set(re.findall(r"\w+", ast.unparse(each.annotation))) & OUTCOMES
        }
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) in given:
                yield ast.unparse(node)


def test_drawers_choose_no_content() -> None:
    """What is shown of an outcome is chosen once, in `bot/chat/shown`, for every chat alike."""
    found = {
        (path, read)
        for path, tree in sources().items()
        if path.startswith(DRAWERS)
        for read in read_of_outcomes(tree)
    }

    assert found == set()


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("def a(o: Answered): return o.gaps", ["o.gaps"]),
        ("def a(o: Answered | None, *, k: StoredRun): return k.trace", ["k.trace"]),
        ("def a(o: Answered): return shown(o)", []),
        ("def a(o: AnswerShown): return o.gaps", []),
    ],
)
def test_reading_of_outcomes_is_recognised(source: str, read: list[str]) -> None:
    assert list(read_of_outcomes(ast.parse(source))) == read


# --- errors --------------------------------------------------------------------------------


def swallows(handler: ast.ExceptHandler) -> bool:
    """Whether a broad handler keeps what it caught to itself: it does not end by raising."""
    caught = handler.type
    kinds = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    broad = any(
        kind is None or ast.unparse(kind) in {"Exception", "BaseException"} for kind in kinds
    )
    return broad and not isinstance(handler.body[-1], ast.Raise)


def suppresses(call: ast.Call) -> bool:
    caught = {ast.unparse(argument) for argument in call.args}
    return ast.unparse(call.func).endswith("suppress") and bool(
        caught & {"Exception", "BaseException"}
    )


def test_one_place_converts_errors_to_outcomes() -> None:
    """One place turns whatever went wrong into an outcome."""
    found = [
        path
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.ExceptHandler) and swallows(node))
        or (isinstance(node, ast.Call) and suppresses(node))
    ]

    # The engine is the other end of a run: whatever its handler raises, somebody is owed a word.
    assert set(found) == {"masis/assistant.py", "storage/queue/worker.py"}


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("except Exception:\n    pass", True),
        ("except:\n    pass", True),
        ("except (ValueError, BaseException):\n    log()", True),
        ("except Exception:\n    clean()\n    raise", False),
        ("except Exception as e:\n    raise Known() from e", False),
        ("except ValueError:\n    pass", False),
    ],
)
def test_swallowing_handlers_are_recognised(source: str, kept: bool) -> None:
    """What counts as keeping an error to oneself."""
    (handler,) = [
        node
        for node in ast.walk(ast.parse(f"try:\n    work()\n{source}\n"))
        if isinstance(node, ast.ExceptHandler)
    ]

    assert swallows(handler) is kept


# --- small grammars ------------------------------------------------------------------------

SPELLED: Mapping[str, tuple[str, set[str]]] = {
    "months": (
        (
            r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b"
            r"|\b(?:feb|sept?)\b|feb\(\?|feb\\w|\btues\|"
        ),
        {"masis/text/grammars/calendar.py"},
    ),
    "scales": (
        (
            r"[|(](?:thousand|million|billion)s?\??[|)]|[|(](?:mn|bn)[|)]"
            r"|^(?:thousand|million|billion|bn|mn)s?$"
        ),
        # "A hundred or a thousand" are numbers in words, and thanks a million are none.
        {
            "masis/text/grammars/scales.py",
            "masis/text/phrase_forms.py",
            "masis/extractive/given_values.py",
            "masis/phrases/small_talk_table.py",
        },
    ),
    "newest and oldest": (
        r"(?:newest|latest)\|(?:newest|latest|most recent)|oldest\|earliest",
        {"masis/text/grammars/recency.py"},
    ),
    "characters": (
        r"(?:\x00|\\x00)-(?!\\x7f)|(?:\ud800|\\ud800)-|(?:\u202a|\\u202a)-",
        {"masis/text/characters.py"},
    ),
}
"""How months, scales, ages and characters nobody sees are spelled, and where alone they may be."""


def strings(tree: Tree) -> Iterator[str]:
    """Every string of the code but for docstrings."""
    said = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


@pytest.mark.parametrize("grammar", SPELLED)
def test_small_grammars_stand_once(grammar: str) -> None:
    """A grammar that is spelled in two places comes to be two grammars."""
    pattern, allowed = SPELLED[grammar]
    found = {
        path
        for path, tree in sources().items()
        if not path.startswith("bot/playground/")
        and any(re.search(pattern, string) for string in strings(tree))
    }

    assert found == allowed


# --- form ----------------------------------------------------------------------------------


def test_source_files_are_short() -> None:
    """No source file is too long to read."""
    lengths = {
        path: len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in sources()
    }

    # A schema is read table by table, and written once.
    read = {path: count for path, count in lengths.items() if "/migrations/versions/" not in path}
    assert {path: count for path, count in read.items() if count > MOST_LINES} == {}


def test_docstrings_begin_with_a_verb() -> None:
    """A docstring that begins with What or Whether has to be read twice."""
    said = [
        (path, docstring)
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and (docstring := ast.get_docstring(node))
    ]
    relative = re.compile(r"(What|Who|Whose|Whether|How|Where|Which|When)\b")
    found = [(path, docstring) for path, docstring in said if relative.match(docstring)]

    assert len(found) <= RELATIVE_DOCSTRINGS * len(said), found


def test_no_room_is_too_wide() -> None:
    widths = Counter(Path(path).parent for path in sources() if Path(path).name != "__init__.py")
    wide = {"masis/documents/parsing/formats": MOST_FORMATS}

    found = {room.as_posix(): count for room, count in widths.items()}
    assert {r: n for r, n in found.items() if n > wide.get(r, MOST_FILES)} == {}


def test_few_names_are_borne_twice() -> None:
    once = {path for path in sources() if Path(path).stem not in {"__init__", "__main__"}}
    borne = Counter(
        Path(path).stem
        for path in once
        if not (path.startswith("masis/graphs/") and Path(path).name in GRAPH_FILES | MODEL_FILES)
    )

    assert len([stem for stem, count in borne.items() if count > 1]) <= MOST_TWINS


def test_no_two_rooms_import_each_other() -> None:
    """A room and the rooms within it may: there the outer one puts the inner ones together."""
    files = generated_docs.modules()
    arrows = {
        (Path(here).parent, Path(there).parent)
        for here, found in files.items()
        for there in found
        if there in files
    }
    both = {
        (here.as_posix(), there.as_posix())
        for here, there in arrows
        if (there, here) in arrows and here not in there.parents and there not in here.parents
    }

    assert {pair for pair in both if pair[0] != pair[1]} == set()


def test_no_files_import_each_other_in_a_circle() -> None:
    """Imports for types alone count as well: such files are read together."""
    assert _circles(generated_docs.modules()) == {}


def test_no_rooms_import_each_other_in_a_circle() -> None:
    """Of two rooms it would be a two-way arrow; one over several rooms has no drawing at all."""
    rooms: dict[str, set[str]] = {}
    for here, there in generated_docs.imports():
        rooms.setdefault(here, set()).add(there)

    assert _circles(rooms) == {}


def _circles(imports: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Whatever stands on a circle, or between two of them."""
    left = {here: found - {here} for here, found in imports.items()}
    while ends := _ends(left):
        left = {here: found for here, found in left.items() if here not in ends}
    return left


def _ends(left: Mapping[str, set[str]]) -> set[str]:
    """Files that import none of the others, or that none of them imports."""
    imported = set().union(*left.values())
    return {here for here, found in left.items() if here not in imported or not found & left.keys()}


def test_surfaces_know_graphs_as_values() -> None:
    """What a chat says of an outcome holds for every graph; small talk alone has its own words."""
    inner = tuple(f"masis.graphs.{graph}" for graph in GRAPHS)
    surfaces = ("bot/api/", "bot/chat/", "bot/slack/", "bot/teams/", "bot/rendering/")
    knowing = {
        (path, name.split(".")[2])
        for path, tree in sources().items()
        if path.startswith(surfaces)
        for name in imports(tree)
        if name.startswith(inner)
    }

    # Small talk is answered at once, before a run: by the chat graph's greeter, in its sentences.
    assert knowing == {
        ("bot/chat/trail/trail_sentences.py", "chat"),
        ("bot/slack/intake/greeting.py", "chat"),
        ("bot/slack/intake/notices.py", "chat"),
        ("bot/teams/teams_greeting.py", "chat"),
    }


def test_no_surface_imports_another() -> None:
    """What they share is the chat's; who serves them puts them together."""
    surfaces = {"bot/api", "bot/slack", "bot/teams"}
    crossed = {
        (here, there)
        for here, found in generated_docs.modules().items()
        for there in found
        if _room(here) != _room(there) and {_room(here), _room(there)} <= surfaces
    }

    assert crossed == set()


def _room(path: str) -> str:
    return "/".join(path.split("/")[:2])


def test_no_file_is_named_for_nothing() -> None:
    nothing = {"utils", "util", "helpers", "helper", "manager", "misc", "common"}

    # What is common to all graphs has a meaning of its own.
    found = {path for path in sources() if Path(path).stem in nothing}
    assert found == {"masis/graphs/common.py"}


# --- words ---------------------------------------------------------------------------------

INVENTED = {
    *("carrier", "pulse", "patience", "resting", "standing"),
    *("kinship", "departure", "deed", "deeds", "doubled"),
}
"""Words that stood where the field has a term: CONTRIBUTING lists which."""
TWO_MEANINGS = {"Watch", "Watched", "Turns", "Ticket", "NotAsked", "CallSlots"}
"""Names of types, each of a word that means something else as well."""


def identifiers(tree: ast.AST) -> set[str]:
    """Every name of the code itself: of types, functions, parameters, variables and attributes."""
    fields = ("name", "id", "attr", "arg", "asname")
    found = {getattr(node, field, None) for node in ast.walk(tree) for field in fields}
    return {name for name in found if isinstance(name, str)}


def words(identifier: str) -> set[str]:
    """The words of a name: of `RunClock` and `run_clock` the same two."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", identifier)}


def test_no_identifier_has_an_invented_word() -> None:
    found = {
        (path, word)
        for path, tree in sources().items()
        for identifier in identifiers(tree)
        for word in words(identifier) & INVENTED
    }

    assert found == set()


def test_no_type_has_a_name_of_two_meanings() -> None:
    found = {
        (path, node.name)
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name in TWO_MEANINGS
    }

    assert found == set()


SAME_EVERYWHERE = {"read", "upgrade", "downgrade"}
"""A file's format is read by the `read` of its reader; each migration goes up and down."""


def test_one_name_is_defined_few_times() -> None:
    """A name that many files define comes to mean something else in each: `told`, `asked`, `line`."""
    defined = Counter(
        node.name
        for tree in sources().values()
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    )
    most = {True: MOST_PRIVATE_NAMESAKES, False: MOST_NAMESAKES}
    found = {name: count for name, count in defined.items() if count > most[name[0] == "_"]}

    assert found.keys() - SAME_EVERYWHERE == set()
    assert defined["told"] <= 2
    assert "_told" not in {name for name, count in defined.items() if count > 1}


def test_no_lock_is_named_a_turn() -> None:
    """A turn is one side's part in a conversation, and of a card's pages."""
    locks = {
        (path, name)
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.withitem)
        for name in identifiers(node.context_expr)
        if words(name) & {"turn", "turns"}
    }

    assert locks == set()


def test_the_words_of_the_house_are_listed() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    _, _, after = page.partition("\n## Words\n")
    listed = words(after.partition("\n## ")[0])

    assert listed >= INVENTED - {"deeds"}


@pytest.mark.parametrize(
    ("identifier", "found"),
    [
        ("RunClock", {"run", "clock"}),
        ("_STOP_GRACE_SECONDS", {"stop", "grace", "seconds"}),
        ("HTTPStatus", {"http", "status"}),
    ],
)
def test_the_words_of_a_name(identifier: str, found: set[str]) -> None:
    assert words(identifier) == found


def test_test_names_are_short() -> None:
    """A test's name has at most eight words, six in the mean; its sentence is the docstring."""
    trees = [
        ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "tests").rglob("test_*.py")
    ]
    found = [
        node.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    ]
    words = [name.count("_") for name in found]

    assert [name for name in found if name.count("_") > MOST_NAME_WORDS] == []
    assert sum(words) / len(words) < MEAN_NAME_WORDS


def test_no_file_is_left_whole() -> None:
    """Whatever is left to `make long` is a test, beside one of its file that `make test` runs."""
    left = defaultdict[str, set[str]](set)
    for each in left_to_long.named():
        file, _, name = each.partition("::")
        left[file].add(name)
    for file, names in left.items():
        found = set(re.findall(r"def (test_\w+)\(", (ROOT / file).read_text(encoding="utf-8")))
        assert {name.partition("[")[0] for name in names} <= found, file
        assert found - names, file


def test_no_defence_is_left() -> None:
    """The test of a defence runs with every change; a further case of it may be left."""
    told = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    whole = [each.partition("::")[2] for each in left_to_long.named() if "[" not in each]

    assert [name for name in whole if name in told] == []


def test_test_folders_are_no_packages() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []
