"""The pages say what is so: commands, settings, links, examples, and the lock files."""

import asyncio
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Protocol, cast

import aiohttp
import pytest
import yaml

from bot.compose import compose
from bot.evaluation.report_words import VERDICTS
from bot.playground.server import Playground
from bot.playground.slack.installed import AppConfig
from bot.settings import TEST_PREFIX, Settings, load, variable
from tests.bot.program import program, whole
from tests.pages import README, ROOT, fences, named, pages, tokens

LEAVE = b"""# Leave

Up to 4 days of annual leave can be carried over into the next year, until 31 March.
"""
"""What the README's examples are asked about."""


# --- files ---------------------------------------------------------------------------------


def tracked() -> list[Path]:
    """The files of the repository: a checkout has others beside them."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout, and only git knows which files belong to it")
    listed = subprocess.run([git, "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)  # noqa: S603 - fixed words
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


# --- commands ------------------------------------------------------------------------------


class Parameter(Protocol):
    opts: list[str]
    secondary_opts: list[str]


class Command(Protocol):
    """As much of a command as is looked at."""

    params: list[Parameter]


class Group(Command, Protocol):
    commands: dict[str, Command]


class Said(NamedTuple):
    """A command on a page, word by word."""

    page: str
    words: list[str]


def commands() -> list[Said]:
    """The `masis` and `make` commands of every page: in blocks for a shell, and within lines."""
    return [
        Said(named(page), [Path(words[0]).name, *words[1:]])
        for page in pages()
        for line in shell_lines(page)
        for words in simple_commands(line)
        if words[0] in {"masis", "make"} or words[0].endswith("bin/masis")
    ]


def shell_lines(page: Path) -> list[str]:
    blocks = "\n".join(fences(page, "sh", "console", "bash")).replace("\\\n", " ")
    spans = [token.content for token in tokens(page) if token.type == "code_inline"]
    within = [span for span in spans if span.startswith(("masis ", "make "))]
    return [line.removeprefix("$ ") for line in (*blocks.splitlines(), *within)]


def simple_commands(line: str) -> list[list[str]]:
    """The words of each command of a line, without comments and assignments before it."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    found: list[list[str]] = [[]]
    for word in lexer:
        if set(word) <= set("&|;"):
            found.append([])
        elif found[-1] or not re.match(r"[A-Z_]+=", word):
            found[-1].append(word)
    return [words for words in found if words]


def test_commands_are_parsed_like_a_shell() -> None:
    """Commands are read from lines as a shell reads them."""
    line = 'A=1 make demo && .venv/bin/masis ask "a; b" -w x  # it\'s all'
    assert simple_commands(line) == [
        ["make", "demo"],
        [".venv/bin/masis", "ask", "a; b", "-w", "x"],
    ]
    assert simple_commands("# nothing") == []


def options(command: Command) -> set[str]:
    return {name for param in command.params for name in (*param.opts, *param.secondary_opts)}


def wrong_words(words: list[str], program: Group) -> list[str]:
    """The subcommands and the options that there are not."""
    known, wrong = options(program) | {"--help"}, []
    commands = program.commands
    for before, word in pairwise(["", *words]):
        if not word.startswith("-"):
            found = commands.get(word)
            if found is not None:
                known = options(found) | {"--help"}
            elif commands and before.startswith("-"):
                continue  # an option's value
            elif commands:
                wrong.append(word)
            commands = getattr(found, "commands", {})
        elif word.partition("=")[0] not in known:
            wrong.append(word)
    return wrong


def test_every_documented_command_exists() -> None:
    """Every masis command on a page exists with its options."""
    program = cast(Group, whole())
    said = [each for each in commands() if each.words[0] == "masis"]
    assert {each.words[1] for each in said if len(each.words) > 1} >= {"ingest", "ask"}
    wrong = {(page, *words): wrong_words(words[1:], program) for page, words in said}
    assert {key: found for key, found in wrong.items() if found} == {}


def test_a_wrong_command_would_be_noticed() -> None:
    program = cast(Group, whole())
    assert wrong_words(["ask", "Why?", "--workspace", "w", "--trace"], program) == []
    assert wrong_words(["--install-completion"], program) == []
    assert wrong_words(["aks", "Why?"], program) == ["aks"]
    assert wrong_words(["ask", "Why?", "--tarce"], program) == ["--tarce"]
    assert wrong_words(["docs", "--max-retries=3"], program) == ["--max-retries=3"]
    assert wrong_words(["keys", "status", "--json"], program) == []
    assert wrong_words(["keys", "stauts"], program) == ["stauts"]
    assert wrong_words(["keys", "generate", "--json"], program) == ["--json"]


def test_every_documented_make_target_exists() -> None:
    """Every make target on a page exists."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*)\s*:(?!=)", makefile, re.MULTILINE))
    said = [
        (page, word)
        for page, words in commands()
        if words[0] == "make"
        for word in words[1:]
        if "=" not in word
    ]
    assert {word for _, word in said} >= {"demo", "test"}
    assert [each for each in said if each[1] not in targets] == []


# --- settings ------------------------------------------------------------------------------


def test_documented_settings_match_the_readme() -> None:
    """Every setting on a page exists and every setting stands in the readme."""
    known = {variable(field) for field in Settings.model_fields}
    texts = {page: page.read_text(encoding="utf-8") for page in [*pages(), ROOT / ".env.example"]}
    said = {
        page: set(re.findall(r"\bMASIS_[A-Z0-9_]*[A-Z0-9]", text)) for page, text in texts.items()
    }
    unknown = {
        named(page): {name for name in names - known if not name.startswith(TEST_PREFIX)}
        for page, names in said.items()
    }
    assert {page: names for page, names in unknown.items() if names} == {}
    table = re.findall(r"^\| `(\w+)` \|", texts[README], re.MULTILINE)
    assert sorted(table) == sorted(known)
    example = re.findall(r"^#(\w+)=", texts[ROOT / ".env.example"], re.MULTILINE)
    assert sorted(example) == sorted(known)


# --- links ---------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """The headings as they are linked to: lower case, dashes for blanks, without punctuation."""
    found, heading = set(), False
    for token in tokens(page):
        if heading and token.type == "inline":
            found.add(re.sub(r"[^\w\- ]", "", token.content.lower()).replace(" ", "-"))
        heading = token.type == "heading_open"
    return found


def broken(page: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    there = page.parent / path if path else page
    if not there.exists():
        return True
    return bool(anchor) and there.suffix == ".md" and anchor not in anchors(there)


def test_every_relative_link_leads_somewhere() -> None:
    targets = [
        (page, str(token.attrs.get("href") or token.attrs.get("src")))
        for page in pages()
        for token in tokens(page)
        if token.type in {"link_open", "image"}
    ]
    within = [(page, target) for page, target in targets if not re.match(r"[a-z]+:", target)]
    assert [(named(page), target) for page, target in within if broken(page, target)] == []


# --- examples ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the README's examples run in: one document in the workspace `handbook`."""
    folder = tmp_path_factory.mktemp("docs") / "data"

    async def fill() -> None:
        async with compose(load(Path("no.env"), data_dir=folder, embedding_threads=1)) as composed:
            handbook = await composed.repository.create_workspace(composed.owner, "handbook")
            result = await composed.ingest.ingest(handbook, "leave.md", LEAVE)
            assert result.status == "added"

    ours = {variable(field) for field in Settings.model_fields}
    bare = {name: value for name, value in os.environ.items() if name not in ours}
    with pytest.MonkeyPatch.context() as patch:
        for name in ours:
            patch.delenv(name, raising=False)
        asyncio.run(fill())
    return {**bare, "MASIS_DATA_DIR": str(folder), "PYTHONPATH": str(ROOT)}


def test_the_readme_has_examples_in_python() -> None:
    assert any("run_sync" in block for block in fences(README, "python"))
    assert any("await run(" in block for block in fences(README, "python"))


@pytest.mark.parametrize("example", fences(README, "python"))
def test_an_example_of_the_readme_answers(
    example: str,
    environment: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, README, "exec"), {"__name__": "__main__"})  # noqa: S102 - our own page
    if "masis" in example:
        assert "4 days of annual leave" in capsys.readouterr().out


def test_readme_commands_answer_from_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The readmes first commands answer from the sample."""
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    monkeypatch.chdir(ROOT)
    lines = "\n".join(fences(README, "sh")).splitlines()
    said = [words for line in lines for words in simple_commands(line)]
    masis = program(tmp_path / "data", MASIS_EMBEDDER="none", MASIS_PARSER_PROCESSES="1")
    for words in [each for each in said if each[0:2] in (["masis", "ingest"], ["masis", "ask"])]:
        result = masis(*words[1:])
        assert result.exit_code == 0, (words, result.output)
    assert "You may carry over 4 days until 31 March of the next year [1]." in result.output
    assert "High" in result.output


@asynccontextmanager
async def running(words: Sequence[str], environment: dict[str, str]) -> AsyncIterator[Process]:
    """`masis` and these words, as a process that knows no settings but the given ones."""
    ours = {variable(field) for field in Settings.model_fields}
    bare = {name: value for name, value in os.environ.items() if name not in ours}
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *words[1:]),
        cwd=environment["MASIS_DATA_DIR"],
        env=bare | {"PYTHONPATH": str(ROOT)} | environment,
        stderr=PIPE,
    )
    try:
        yield child
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


async def test_readme_slack_steps_work_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The readmes way into slack works in its order."""
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    monkeypatch.chdir(tmp_path)
    masis = program(tmp_path, MASIS_EMBEDDING_THREADS="1")
    [manifest] = [line for line in shell_lines(README) if line.startswith("masis manifest --")]
    [block] = [each for each in fences(README, "sh") if "masis serve" in each]
    lines = [words for line in block.splitlines() for words in simple_commands(line)]
    [[_, *exported], doctor, serve] = lines

    printed = masis(*shlex.split(manifest)[1:])
    assert printed.exit_code == 0, printed.output
    async with Playground(app=AppConfig.of(yaml.safe_load(printed.stdout))) as slack:
        names = [each.partition("=")[0] for each in exported]
        given = dict(zip(names, (slack.bot_token, slack.app_token), strict=True))
        given["MASIS_SLACK_API_URL"] = slack.api_url

        checked = await asyncio.to_thread(masis, *doctor[1:], **given)
        assert checked.exit_code == 0, checked.output
        assert {line.split()[0] for line in checked.stdout.splitlines()} == {"ok", "skipped"}
        assert "slack app token: Socket Mode can be opened" in checked.stdout

        given |= {"MASIS_DATA_DIR": str(tmp_path), "MASIS_HTTP_PORT": "0"}
        async with asyncio.timeout(60), running(serve, given) as child:
            assert await health(child) == HTTPStatus.OK
            child.send_signal(signal.SIGTERM)
            assert await child.wait() == 0


async def health(child: Process) -> int:
    """What the bot answers at the address that it says its health is at."""
    assert child.stderr is not None
    while line := (await child.stderr.readline()).decode():
        if found := re.match(r"Health: (\S+)", line):
            async with aiohttp.ClientSession() as session, session.get(found[1]) as answer:
                return answer.status
    raise AssertionError("it ended before it said where its health is")


def test_documents_page_commands_work_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands of the page on documents work in their order."""
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "handbook").mkdir()
    (tmp_path / "handbook" / "leave.md").write_bytes(LEAVE)
    page = "\n".join(fences(ROOT / "docs" / "documents.md", "sh"))
    said = [words for line in page.splitlines() for words in simple_commands(line)]
    assert {words[1] for words in said} == {"ingest", "docs", "sync", "delete", "synonyms"}
    masis = program(tmp_path / "data", MASIS_EMBEDDER="none", MASIS_PARSER_PROCESSES="1")
    for words in said:
        if "--watch" not in words:
            result = masis(*words[1:])
            assert result.exit_code == 0, (words, result.output)


def test_evaluation_page_commands_work_in_order(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands of the page on evaluating work in their order."""
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs" / "evaluating.md"
    (questions,) = fences(page, "csv")
    Path("questions.csv").write_text(questions, encoding="utf-8")
    masis = program(Path(environment["MASIS_DATA_DIR"]), MASIS_EMBEDDING_THREADS="1")
    lines = "\n".join(fences(page, "sh")).splitlines()
    said = [words for line in lines for words in simple_commands(line)]
    assert [words[1] for words in said] == ["eval", "eval", "compare"]
    for words in said:
        result = masis(*words[1:])
        assert result.exit_code == 0, (words, result.output)
    for name in ("before.html", "after.json", "difference.html"):
        assert Path(name).stat().st_size > 0


def test_evaluation_page_lists_every_outcome() -> None:
    """The page on evaluating has every outcome."""
    page = (ROOT / "docs" / "evaluating.md").read_text(encoding="utf-8")
    said = re.findall(r"^\| ([A-Z][^|`]+?) \|", page, re.MULTILINE)
    assert said == list(VERDICTS.values())


# --- what the repository may not hold ------------------------------------------------------

REQUIREMENT = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*==[^\s;]+( ; [^\\]+?)?( --hash=sha256:[0-9a-f]{64})+"
)


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_lock_file_has_hashes_without_hosts(name: str) -> None:
    """A lock file has a hash for everything and names no host."""
    text = (ROOT / name).read_text(encoding="utf-8")
    joined = re.sub(r"\s*\\\n\s*", " ", text)
    required = [line for line in joined.splitlines() if line and not line.startswith("#")]
    assert len(required) > 50
    assert [line for line in required if not REQUIREMENT.fullmatch(line)] == []
    assert "://" not in text


# In pieces, so that this file does not hold what it looks for.
HOSTS = [
    "py" + "pi.org",
    "python" + "hosted",
    "ana" + "conda.org",
    "npm" + "js.org",
    "arti" + "factory",
]
HOMES = r"/(?:home|Users)/\w|/roo" + r"t/|[A-Z]:\\Users\\"
FORBIDDEN = re.compile("|".join([*map(re.escape, HOSTS), HOMES]))


def test_files_name_no_registry_or_home() -> None:
    """No file names a package registry or somebodys home."""
    found = []
    for path in tracked():
        content = path.read_bytes()
        if b"\0" not in content:
            text = content.decode("utf-8", errors="replace")
            found += [(named(path), match) for match in FORBIDDEN.findall(text)]
    assert found == []
