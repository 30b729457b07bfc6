import os
from pathlib import Path

import pytest

from bot.cli.documents import paths
from bot.cli.exit_codes import BadInput


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (
        "b.md",
        "a.txt",
        "deep/er/c.pdf",
        ".hidden.md",
        ".git/config.md",
        "deep/~$lock.docx",
    ):
        path = tmp_path / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")
    return tmp_path / "docs"


def names(*arguments: str | Path) -> list[str]:
    return [found.name for found in paths.find([str(argument) for argument in arguments])]


def test_folder_walk_is_sorted(folder: Path) -> None:
    """A folder is walked sorted and without hidden files."""
    assert names(folder) == ["a.txt", "b.md", "deep/er/c.pdf"]


def test_single_file_uses_its_base_name(folder: Path) -> None:
    """A file is named by its last part and may be hidden."""
    assert names(folder / "deep/er/c.pdf") == ["c.pdf"]
    assert names(folder / ".hidden.md") == [".hidden.md"]


def test_pattern_names_omit_its_fixed_part(folder: Path) -> None:
    """A pattern is expanded and names stand below its fixed part."""
    assert names(f"{folder}/**/*") == ["a.txt", "b.md", "deep/er/c.pdf"]
    assert names(f"{folder}/*.md") == ["b.md"]
    assert names(f"{folder}/deep/*") == ["er/c.pdf"]


def test_file_named_twice_is_taken_once(folder: Path) -> None:
    """A file that is meant twice is taken once."""
    assert names(folder / "b.md", folder, f"{folder}/*.md") == ["a.txt", "b.md", "deep/er/c.pdf"]


def test_file_named_like_a_pattern_exists(tmp_path: Path) -> None:
    """A file whose name is a pattern is that file."""
    (tmp_path / "a[1].md").write_text("x")
    assert names(tmp_path / "a[1].md") == ["a[1].md"]


def test_missing_path_is_named(tmp_path: Path) -> None:
    """What is not there is refused with its name."""
    with pytest.raises(BadInput, match=r"no file or folder “.*nowhere”; check the path"):
        names(tmp_path / "nowhere")
    with pytest.raises(BadInput, match=r"“.*\*\.md” matches no files"):
        names(f"{tmp_path}/*.md")


def test_folder_of_hidden_files_is_empty(tmp_path: Path) -> None:
    """An empty folder is refused and hidden files do not fill it."""
    (tmp_path / ".secret").write_text("x")
    with pytest.raises(BadInput, match="holds no files; hidden ones are left out"):
        names(tmp_path)


def test_one_wrong_argument_refuses_all(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        names(folder, tmp_path / "nowhere")


def test_links_to_folders_are_not_followed(folder: Path) -> None:
    (folder / "loop").symlink_to(folder)
    assert names(folder) == ["a.txt", "b.md", "deep/er/c.pdf"]


def test_link_out_of_path_is_marked(folder: Path, tmp_path: Path) -> None:
    """A link out of what was named is told apart."""
    outside = tmp_path / "outside.md"
    outside.write_text("text")
    (folder / "out.md").symlink_to(outside)
    (folder / "z-in.md").symlink_to(folder / "b.md")
    for argument in (str(folder), f"{folder}/*"):
        found = paths.find([argument, str(outside)])
        assert [file.name for file in found if file.leads_out] == ["out.md"]
        assert [file.name for file in found if not file.leads_out] == [
            "a.txt",
            "b.md",
            "deep/er/c.pdf",
            "outside.md",
        ]
    (named,) = paths.find([str(folder / "out.md")])
    assert not named.leads_out


def test_folder_link_leaving_pattern_is_marked(folder: Path, tmp_path: Path) -> None:
    """A folders link that a pattern follows out is told apart."""
    (tmp_path / "private").mkdir()
    (tmp_path / "private/keys.md").write_text("text")
    (folder / "link").symlink_to(tmp_path / "private")
    for pattern in ("*", "**/*"):
        found = paths.find([f"{folder}/{pattern}"])
        assert [file.name for file in found if file.leads_out] == ["link/keys.md"]


def test_self_link_cannot_be_read(folder: Path) -> None:
    """A link to itself is found and cannot be read."""
    (folder / "circle.md").symlink_to(folder / "circle.md")
    assert "circle.md" in names(folder)
    assert isinstance(paths.read(folder / "circle.md", 4), str)


def test_too_many_files_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "MAX_FILES", 2)
    with pytest.raises(BadInput, match=r"is “.*docs” the right folder"):
        names(folder)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_hostile_name_becomes_plain_text(tmp_path: Path) -> None:
    """A name that is no text or a terminal command becomes text."""
    (tmp_path / os.fsdecode(b"caf\xe9\x1b[2J.md")).write_text("x")
    assert names(tmp_path) == ["caf\N{REPLACEMENT CHARACTER}[2J.md"]


def test_reading_gives_bytes_or_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_bytes(b"12345")
    assert paths.read(file, 5) == b"12345"
    assert paths.read(file, 4) == "It has 0.0 MB; the limit is 0 MB."
    assert paths.read(tmp_path, 4) == "It is no regular file."
    assert paths.read(tmp_path / "gone", 4) == "The file is gone."


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert paths.read(tmp_path / "pipe", 4) == "It is no regular file."
