import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from bot.cli.documents import listing
from bot.cli.documents.listing import listed, located, source_of
from bot.cli.exit_codes import BadInput
from masis.documents.folder_sync import File, Listing
from masis.errors import DocumentRefused
from tests.bot.program import HANDBOOK, write

LIMIT = 1_000_000
links = pytest.mark.skipif(os.name == "nt", reason="Windows lets few people make links")


def look(folder: Path, without: Path | None = None) -> Listing:
    return listed(folder, "home", LIMIT, without=without)


def files(folder: Path) -> dict[str, File]:
    return {file.name: file for file in look(folder).files}


def age(path: Path, seconds: float = 60.0) -> None:
    """Have a file written so long ago."""
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_visible_files_are_listed_by_path(handbook: Path) -> None:
    """Every file is listed by its path and hidden ones are not."""
    write(handbook, {".git/config": "x", "~$leave.docx": "x", "it/.cache/x.md": "x"})
    found = look(handbook)
    assert [file.name for file in found.files] == sorted(HANDBOOK)
    assert (found.source, found.problems, found.empty) == ("home", [], [])
    leave = files(handbook)["leave.md"]
    assert leave.read() == (handbook / "leave.md").read_bytes()
    assert leave.size == len(leave.read())


def test_stamp_changes_on_write(handbook: Path) -> None:
    """A stamp is the same until a file is written to."""
    leave = handbook / "leave.md"
    age(leave)
    before = files(handbook)["leave.md"].stamp
    assert before
    assert files(handbook)["leave.md"].stamp == before
    leave.write_text("changed", encoding="utf-8")
    age(leave)
    assert files(handbook)["leave.md"].stamp not in {"", before}


def test_fresh_file_has_no_stamp(handbook: Path) -> None:
    """A file that was written just now has no stamp yet."""
    assert files(handbook)["leave.md"].stamp == ""


def test_empty_folders_are_reported(tmp_path: Path) -> None:
    """Folders that hold nothing at all are told."""
    folder = write(tmp_path / "full", {"a/one.md": "x", "b/.DS_Store": "x"})
    (folder / "c" / "d").mkdir(parents=True)
    assert look(folder).empty == ["c/d/"]
    (folder / "a" / "one.md").unlink()
    assert look(folder).empty == ["", "a/", "c/d/"], "without any file the whole is empty"


def test_unreadable_folder_is_a_problem(handbook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be read is a problem and the rest is listed."""
    scan = os.scandir

    def denied(path: str) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        if str(path).endswith("it"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", denied)
    found = look(handbook)
    assert found.problems == [("it/", "It cannot be read: Permission denied.")]
    assert [file.name for file in found.files] == ["leave.md", "prices.csv"]
    assert found.empty == []


def test_excessive_depth_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies too deep is a problem."""
    monkeypatch.setattr(listing, "MAX_DEPTH", 2)
    folder = write(tmp_path / "deep", {"a/b/two.md": "x", "a/b/c/three.md": "x"})
    found = look(folder)
    assert [file.name for file in found.files] == ["a/b/two.md"]
    assert found.problems == [("a/b/c/", "It is more than 2 folders deep.")]


@pytest.mark.parametrize(
    ("bound", "said"), [("MAX_FILES", "more than 2 files"), ("MAX_ENTRIES", "hidden ones too")]
)
def test_too_many_files_are_refused(
    handbook: Path, monkeypatch: pytest.MonkeyPatch, bound: str, said: str
) -> None:
    """Too many files or names are the wrong folder."""
    monkeypatch.setattr(listing, bound, 2)
    with pytest.raises(BadInput, match=said):
        look(handbook)


@links
def test_only_inner_links_are_followed(handbook: Path, tmp_path: Path) -> None:
    """A link is followed within the folder alone."""
    (secret,) = write(tmp_path / "private", {"keys.md": "secret"}).iterdir()
    (handbook / "out.md").symlink_to(secret)
    (handbook / "in.md").symlink_to(handbook / "leave.md")
    (handbook / "gone.md").symlink_to(handbook / "nowhere.md")
    (handbook / "elsewhere").symlink_to(tmp_path / "private")
    (handbook / "round").symlink_to(handbook)
    found = files(handbook)
    assert set(found) == {*HANDBOOK, "out.md", "in.md", "gone.md"}
    assert found["in.md"].read() == (handbook / "leave.md").read_bytes()
    for name in ("out.md", "gone.md"):
        with pytest.raises(DocumentRefused):
            found[name].read()


@links
def test_link_swapped_after_listing_is_ignored(handbook: Path, tmp_path: Path) -> None:
    """A file that becomes a link out after it was listed is not followed."""
    (secret,) = write(tmp_path / "private", {"keys.md": "secret"}).iterdir()
    leave = files(handbook)["leave.md"]
    (handbook / "leave.md").unlink()
    (handbook / "leave.md").symlink_to(secret)
    with pytest.raises(DocumentRefused, match="link out of the folder"):
        leave.read()


def test_oversized_file_is_listed_then_refused(handbook: Path) -> None:
    """A file over the limit is listed and refused when it is read."""
    (large,) = [file for file in listed(handbook, "", 10).files if file.name == "leave.md"]
    with pytest.raises(DocumentRefused, match="the limit is"):
        large.read()


def test_look_alike_names_are_a_problem(tmp_path: Path) -> None:
    """Two names that look the same are a problem."""
    folder = write(tmp_path / "twins", {"a b.md": "one", "a  b.md": "two"})
    found = look(folder)
    assert [file.name for file in found.files] == ["a b.md"]
    assert found.problems == [("a b.md", "Two files have this name as people see it.")]


def test_own_data_folder_is_omitted(handbook: Path) -> None:
    """A folder of masis own is left out."""
    found = look(handbook, without=handbook / "it")
    assert [file.name for file in found.files] == ["leave.md", "prices.csv"]


def test_missing_folder_is_reported(tmp_path: Path) -> None:
    """A folder that is not there is told."""
    with pytest.raises(BadInput, match=r"its drive is connected. Nothing was removed"):
        located(str(tmp_path / "nowhere"))
    assert source_of(located(str(tmp_path))) == str(tmp_path.resolve())
