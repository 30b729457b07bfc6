"""The wheel and the sdist, and the program as somebody has it who has no checkout."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

import masis

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("bot/", "masis/", "storage/")
CONFIGURED: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT: Final = CONFIGURED["project"]

MUST_HOLD: Final = {
    "bot/playground/page/static/index.html",
    "bot/playground/page/static/assets/page.js",
    "bot/playground/page/static/licences.md",
    "bot/evaluation/report.css",
    "bot/evaluation/report.js",
    "bot/evaluation/templates/layout.html.jinja",
    "bot/evaluation/templates/report.html.jinja",
    "bot/playground/sample/demo.json",
    "bot/playground/sample/docs/handbook/onboarding-first-two-weeks.md",
    "bot/playground/sample/questions.jsonl",
    "bot/playground/sample/vectors.npz",
    "bot/slack/manifest.yml",
    "bot/teams/package/icons/color.png",
    "bot/teams/package/icons/outline.png",
    "masis/adapters/data/answer_reader.onnx",
    "masis/adapters/data/bert_vocab.txt",
    "masis/adapters/data/e5_common.json",
    "masis/words/data/english_words.txt",
    "masis/words/data/synonyms.txt",
    "masis/graphs/research/prompts.py",
    "masis/py.typed",
    "storage/sql/migrations/env.py",
    "storage/sql/migrations/script.py.mako",
}
"""What is read at run time and no import would miss."""

IN_USE: Final = {
    ".env": "MASIS_MODEL_API_KEY=sk-nobody-may-see-this",
    ".venv/lib/left.py": "",
    "bot/.env": "MASIS_MODEL_API_KEY=sk-nobody-may-see-this",
    "bot/__pycache__/left.cpython-311.pyc": "",
    "masis/.mypy_cache/left.json": "{}",
    "storage/.masis/masis.db": "",
    "bot/playground/web/node_modules/left/index.js": "",
}
"""What lies about in a checkout that somebody works in, and belongs to nobody else."""

FOUND: Final = """
import json, bot
from bot.playground.page.page_server import bundle
from bot.evaluation import markup
from bot.playground.samples import questions
from bot.slack.install.manifest import packaged
print(json.dumps({
    "home": bot.__file__,
    "page": sorted(bundle()),
    "questions": len(questions()),
    "manifest": packaged()["display_information"]["name"],
}))
"""


def belonging() -> list[str]:
    """The files of the repository, those that the next commit may take included."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout, and only git knows which files belong to it")
    command = [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)  # noqa: S603 - fixed words
    names = {name for name in listed.stdout.decode().split("\0") if name}
    return sorted(name for name in names if (ROOT / name).is_file())


@dataclass(frozen=True)
class Built:
    """A clean copy of the repository, the names in it, and what was built of it."""

    tree: Path
    names: list[str]
    wheel: Path
    sdist: Path


def build(tree: Path, into: Path) -> Path:
    """Build what `pip install` would, with the backend that is installed."""
    _run([sys.executable, "-m", "hatchling", "build", "-d", str(into)], tree)
    return into


def _run(command: Sequence[str], folder: Path, **environment: str) -> str:
    """What a program says, where it ends well."""
    result = subprocess.run(  # noqa: S603 - our own program, and the interpreter's
        command,
        cwd=folder,
        env={**_bare(), **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def _bare() -> dict[str, str]:
    """An environment that knows nothing of the checkout."""
    # `CI` keeps some libraries from writing what they would write at a person's.
    ours = ("MASIS_", "PYTHONPATH", "COV_", "OPENAI_", "QDRANT_", "PIP_", "ORT_", "XDG_", "CI")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return kept | {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    tree, names = tmp_path_factory.mktemp("tree"), belonging()
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    for name, text in IN_USE.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")
    into = build(tree, tmp_path_factory.mktemp("dist"))
    (wheel,), (sdist,) = into.glob("*.whl"), into.glob("*.tar.gz")
    return Built(tree, names, wheel, sdist)


# --- the wheel -----------------------------------------------------------------------------


def test_wheel_holds_only_packages_and_data(built: Built) -> None:
    """The wheel holds the packages and what they read and nothing else."""
    expected = {
        name
        for name in built.names
        if name.startswith(PACKAGES) and not name.startswith("bot/playground/web/")
    }
    with zipfile.ZipFile(built.wheel) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
        assert held == expected | {"bot/slack/manifest.yml"}
        assert held >= MUST_HOLD
        for name in sorted(expected):
            assert wheel.read(name) == (built.tree / name).read_bytes(), name
        assert wheel.read("bot/slack/manifest.yml") == (ROOT / "manifest.yml").read_bytes()


def test_wheel_metadata_is_complete(built: Built) -> None:
    """The wheel says what it is and what it needs."""
    said = metadata(built.wheel)
    assert (said["Name"], said["Version"]) == ("masis", masis.__version__)
    assert SpecifierSet(said["Requires-Python"]) == SpecifierSet(PROJECT["requires-python"])
    assert said["License-Expression"] == "Apache-2.0"
    assert said.get_all("License-File") == ["LICENSE", "NOTICE"]
    assert said.get_all("Provides-Extra") == list(PROJECT["optional-dependencies"])
    extras = [each for group in PROJECT["optional-dependencies"].values() for each in group]
    assert needs(said, "") == {Requirement(each).name for each in PROJECT["dependencies"]}
    assert needs(said, "ocr") == {Requirement(each).name for each in extras}
    with zipfile.ZipFile(built.wheel) as wheel:
        (folder,) = {name.split("/")[0] for name in wheel.namelist() if ".dist-info/" in name}
        assert wheel.read(f"{folder}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
        entry = wheel.read(f"{folder}/entry_points.txt").decode()
    assert entry.split() == ["[console_scripts]", "masis", "=", "bot.__main__:main"]


def metadata(wheel: Path) -> Message:
    """What the installer reads."""
    with zipfile.ZipFile(wheel) as opened:
        (name,) = (each for each in opened.namelist() if each.endswith(".dist-info/METADATA"))
        return Parser().parsestr(opened.read(name).decode())


def needs(said: Message, extra: str) -> set[str]:
    """The packages that come with the wheel, or with an extra of it alone."""
    found = [Requirement(str(each)) for each in said.get_all("Requires-Dist", [])]
    return {each.name for each in found if bool(each.marker) is bool(extra)}


def test_every_supported_python_is_named(built: Built) -> None:
    """Every python that it may be installed on is named."""
    named = re.findall(
        r":: (3\.\d+)\n", "\n".join(metadata(built.wheel).get_all("Classifier", [])) + "\n"
    )
    allowed = SpecifierSet(PROJECT["requires-python"])
    assert named == [f"3.{minor}" for minor in range(30) if Version(f"3.{minor}") in allowed]


# --- the sdist -----------------------------------------------------------------------------


def test_sdist_rebuilds_the_same_wheel(built: Built, tmp_path: Path) -> None:
    """The sdist is the repository and builds the same wheel."""
    with tarfile.open(built.sdist) as sdist:
        sdist.extractall(tmp_path, filter="data")
    (top,) = tmp_path.iterdir()
    held = {path.relative_to(top).as_posix() for path in top.rglob("*") if path.is_file()}
    assert held == {*built.names, "PKG-INFO"}
    (again,) = build(top, tmp_path / "dist").glob("*.whl")
    assert again.read_bytes() == built.wheel.read_bytes()


# --- installed -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Installed:
    """The program in an environment of its own, and a person's empty home."""

    bin: Path
    home: Path
    here: Path
    """The empty folder that it is called in."""

    def __call__(self, *command: str) -> str:
        program = str(self.bin / command[0])
        return _run([program, *command[1:]], self.here, HOME=str(self.home))


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """What `pip install .` makes, with the dependencies of these tests in the place of a download."""
    where = tmp_path_factory.mktemp("stranger")
    venv.create(where / "env", symlinks=True)
    python = where / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    _run([*pip, "--no-index", "--no-deps", "--no-compile", str(built.wheel)], where)
    paths = {"base": str(where / "env"), "platbase": str(where / "env")}
    site = Path(sysconfig.get_path("purelib", "venv", paths))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    for name in ("home", "here"):
        (where / name).mkdir()
    return Installed(python.parent, where / "home", where / "here")


def test_installed_program_finds_its_data_files(
    installed: Installed,
) -> None:
    """The installed program finds what it reads and leaves nothing where it is called."""
    assert installed("masis", "--version") == f"{masis.__version__}\n"
    found = json.loads(installed("python", "-c", FOUND))
    assert found["home"].startswith(str(installed.bin.parent))
    assert {"index.html", "assets/page.js", "assets/page.css"} <= set(found["page"])
    assert (found["questions"], found["manifest"]) == (4, "MASIS")
    assert list(installed.here.iterdir()) == []
    assert list(installed.home.iterdir()) == []


@pytest.mark.long
def test_installed_program_writes_only_data_folder(
    installed: Installed,
) -> None:
    """The installed program works from anywhere and writes into its data folder alone."""
    assert installed("python", "-m", "bot", "--version") == f"{masis.__version__}\n"
    assert "fail" not in installed("masis", "doctor")
    played = installed("masis", "playground", "--oneshot")
    assert "*Sources*" in played
    assert "#lunch now asks the workspace" in played
    assert list(installed.here.iterdir()) == []
    written = [each for each in installed.home.rglob("*") if each.is_file()]
    assert written
    assert [each for each in written if "masis" not in each.relative_to(installed.home).parts] == []
