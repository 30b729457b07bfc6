"""What a process can still open once it has left all but its program's files."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

import masis


def has_landlock() -> bool:
    """Whether the kernel knows Landlock: asked for its version, which begins at 1."""
    return sys.platform == "linux" and bool(ctypes.CDLL(None).syscall(444, None, 0, 1) > 0)


pytestmark = pytest.mark.skipif(not has_landlock(), reason="the kernel has no Landlock")

LEFT = "from masis.documents.parsing.sandbox.file_access import leave, program_files\nfrom pathlib import Path\n"


def run(program: str, *folders: Path) -> str:
    """What a process of its own prints, with these folders on its path."""
    source = Path(masis.__file__).parents[1]
    found = subprocess.run(  # noqa: S603 - our own interpreter and program
        [sys.executable, "-P", "-c", LEFT + program],
        env={"PYTHONPATH": os.pathsep.join(map(str, [*folders, source]))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


def test_packages_open_without_their_neighbours(
    tmp_path: Path,
) -> None:
    """As `pip install --target` leaves them."""
    (tmp_path / "found").mkdir()
    (tmp_path / "found" / "__init__.py").write_text("WORD = 'here'", encoding="utf-8")
    record = tmp_path / "found-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Name: found\nVersion: 1.0\n", encoding="utf-8")
    (record / "RECORD").write_text("found/__init__.py,,\n../../bin/found,,\n", encoding="utf-8")
    settings = tmp_path / ".env"
    settings.write_text("MASIS_MODEL_API_KEY=sk-invented", encoding="utf-8")
    program = (
        "assert leave(program_files())\nimport found\nprint(found.WORD)\n"
        f"try: open({str(settings)!r})\nexcept PermissionError: print('closed')"
    )
    assert run(program, tmp_path).split() == ["here", "closed"]


def test_unreachable_program_files_are_omitted(tmp_path: Path) -> None:
    """A folder that others may not enter, such as a web server's with its list of types."""
    too_long = tmp_path / ("x" * 300)
    program = f"print(leave([*program_files(), Path({str(tmp_path / 'gone')!r}), Path({str(too_long)!r})]))"
    assert run(program) == "True"
