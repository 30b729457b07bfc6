from pathlib import Path

import pytest

from bot.database_address import DATABASE_FILE
from bot.settings import Settings, variable
from tests.bot.program import HANDBOOK, Masis, program, write
from tests.current_schema import copy_to


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    # What stands in a shell must not change what is asserted about output.
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MASIS_EMBEDDING_THREADS", "1")
    monkeypatch.setenv("MASIS_PARSER_PROCESSES", "1")
    folder = tmp_path / "cwd"
    folder.mkdir()
    monkeypatch.chdir(folder)


@pytest.fixture(autouse=True)
def _children_are_kept(_parser_children_are_kept: None) -> None:
    """Nearly every test here opens an application, and most of them read documents."""


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def masis(data_dir: Path) -> Masis:
    """The program, in this process, on a data folder of the test's own, its tables made."""
    copy_to(data_dir / DATABASE_FILE)
    return program(data_dir)


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    """A folder with three documents."""
    return write(tmp_path / "handbook", HANDBOOK)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the handbook in workspace `handbook`; tests only read from it."""
    root = tmp_path_factory.mktemp("library")
    folder = write(root / "handbook", HANDBOOK)
    filled = program(root / "data", MASIS_EMBEDDING_THREADS="1", MASIS_PARSER_PROCESSES="1")
    result = filled("ingest", folder, "--workspace", "handbook")
    assert result.exit_code == 0, result.output
    return root / "data"


@pytest.fixture
def filled(library: Path) -> Masis:
    """The program on the filled data folder."""
    return program(library)
