import os
from pathlib import Path

import pytest

from bot.cli.documents.ingest import MAX_NAME_CHARS, named_well
from bot.cli.exit_codes import BadInput
from tests.bot.program import Masis, lines, program, write


@pytest.fixture
def plain(data_dir: Path) -> Masis:
    """Without an embedder: what is asked here has nothing to do with vectors."""
    return program(data_dir, MASIS_EMBEDDER="none")


def test_folder_ingest_summarises_its_files(masis: Masis, handbook: Path) -> None:
    """A folder goes in with a line a file and a summary."""
    result = masis("ingest", handbook, "--workspace", "hb")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "added      it/laptops.txt · 1 passage",
        "added      leave.md · 1 passage",
        "added      prices.csv · 1 passage",
        "3 added. “hb” holds 3 documents, 3 passages.",
    ]
    assert result.stderr == ""


def test_only_changed_bytes_are_ingested(plain: Masis, handbook: Path) -> None:
    """The same bytes again do nothing and changed bytes replace."""
    plain("ingest", handbook, "-w", "hb")
    (handbook / "leave.md").write_text("# Leave\n\nThere are 30 days of annual leave now.\n")
    result = plain("ingest", handbook, "-w", "hb")
    assert result.exit_code == 0
    assert [line.split()[:2] for line in result.stdout.splitlines()] == [
        ["unchanged", "it/laptops.txt"],
        ["updated", "leave.md"],
        ["unchanged", "prices.csv"],
        ["1", "updated,"],
    ]
    answer = plain("ask", "How many days of annual leave are there?", "-w", "hb", "--json")
    assert "30 days" in answer.stdout
    assert "26 days" not in answer.stdout


def test_unchanged_files_are_reread_on_request(plain: Masis, handbook: Path) -> None:
    """Unchanged files are read again on request."""
    plain("ingest", handbook, "-w", "hb")
    again = plain("ingest", handbook, "-w", "hb", "--again").stdout
    assert "updated    leave.md · 1 passage · read again\n" in again
    assert "3 updated." in again
    synced = plain("sync", handbook, "-w", "hb", "--again").stdout
    assert "3 updated." in synced


def test_json_is_a_line_a_file(plain: Masis, handbook: Path) -> None:
    found = lines(plain("ingest", handbook, "-w", "hb", "--json"))
    assert [each["document"] for each in found] == ["it/laptops.txt", "leave.md", "prices.csv"]
    assert set(found[0]) == {
        "file",
        "document",
        "document_id",
        "version",
        "status",
        "reason",
        "chunks",
        "notes",
    }
    assert found[0]["file"] == str(handbook / "it/laptops.txt")
    assert {each["status"] for each in found} == {"added"}


def test_refused_file_stops_no_others(plain: Masis, tmp_path: Path) -> None:
    """Each refused file says why and the others go in."""
    folder = write(tmp_path / "mixed", {"good.md": "# Good\n\nThis document can be read.\n"})
    (folder / "empty.md").write_bytes(b"")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    result = plain("ingest", folder, "-w", "mixed")
    assert result.exit_code == 4
    shown = result.stdout.splitlines()
    assert shown[-1] == "1 added, 3 refused. “mixed” holds 1 document, 1 passage."
    for name in ("broken.pdf", "empty.md", "picture.png"):
        (line,) = [line for line in shown if f" {name} · " in line]
        assert line.startswith("refused    ")
        assert len(line.split(" · ")[1]) > 10
    found = lines(plain("ingest", folder, "-w", "mixed", "--json"))
    assert {each["status"]: bool(each["reason"]) for each in found} == {
        "refused": True,
        "unchanged": False,
    }


def test_oversized_file_is_refused_unread(plain: Masis, tmp_path: Path) -> None:
    """A file over the limit is refused without being read."""
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(40_000_000)
    result = plain("ingest", huge, "-w", "w")
    assert result.exit_code == 4
    assert "refused    huge.txt · It has 40.0 MB; the limit is 25 MB.\n" in result.stdout


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file_is_refused(plain: Masis, handbook: Path) -> None:
    """A file that may not be read is refused."""
    (handbook / "leave.md").chmod(0)
    result = plain("ingest", handbook, "-w", "w")
    assert result.exit_code == 4
    assert "leave.md · It cannot be read: Permission denied" in result.stdout


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few people make links")
def test_outward_link_is_skipped(plain: Masis, handbook: Path, tmp_path: Path) -> None:
    """A link out of the folder is left alone and told."""
    (secret,) = write(tmp_path / "private", {"keys.md": "# Keys\n\nNot to be shown.\n"}).iterdir()
    (handbook / "link.md").symlink_to(secret)
    result = plain("ingest", handbook, "-w", "w")
    assert result.exit_code == 4
    assert "refused    link.md · It is a link out of the folder; name the file" in result.stdout
    assert "3 added, 1 refused" in result.stdout


def test_duplicate_bytes_are_reported(plain: Masis, handbook: Path) -> None:
    """The same bytes under another name are told."""
    plain("ingest", handbook, "-w", "w")
    (handbook / "copy.md").write_bytes((handbook / "leave.md").read_bytes())
    result = plain("ingest", handbook, "-w", "w")
    assert result.exit_code == 0
    assert "copy.md · 1 passage · same as leave.md\n" in result.stdout


def test_same_named_files_stay_separate(plain: Masis, tmp_path: Path) -> None:
    """Two files of one name are not taken for one document."""
    one = write(tmp_path / "one", {"a.md": "# One\n\nThe first of two documents.\n"})
    two = write(tmp_path / "two", {"a.md": "# Two\n\nThe second of two documents.\n"})
    result = plain("ingest", one, two, "-w", "w")
    assert result.exit_code == 4
    assert "Another file of this call has the same name; ingest the folder above" in result.stdout
    assert plain("ingest", tmp_path / "one", "-w", "w").stdout.startswith("unchanged")


def test_missing_path_is_reported_first(plain: Masis, handbook: Path, tmp_path: Path) -> None:
    """What is not there is told before anything is made."""
    empty = tmp_path / "empty"
    empty.mkdir()
    for wrong in (tmp_path / "nowhere", empty, f"{empty}/*.md"):
        result = plain("ingest", handbook, wrong, "-w", "w")
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1
        assert str(wrong) in result.stderr
    assert plain("workspaces", "--json").stdout == ""


def test_unexpanded_pattern_is_expanded(plain: Masis, handbook: Path) -> None:
    """A pattern that the shell left alone is expanded."""
    found = lines(plain("ingest", f"{handbook}/**/*.txt", "-w", "w", "--json"))
    assert [each["document"] for each in found] == ["it/laptops.txt"]


def test_file_names_control_no_terminal(plain: Masis, tmp_path: Path) -> None:
    """Names and reasons of files obey no terminal."""
    folder = write(tmp_path / "evil", {"[red]x\x1b[2J.md": "# X\n\nSome text to be read here.\n"})
    result = plain("ingest", folder, "-w", "w")
    assert "added      [red]x[2J.md · 1 passage" in result.stdout
    assert "\x1b" not in result.output


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\x1b[2J", "x" * (MAX_NAME_CHARS + 1)])
def test_a_workspaces_name_is_plain(name: str) -> None:
    with pytest.raises(BadInput, match="plain characters"):
        named_well(name)


def test_other_embedder_changes_nothing(masis: Masis, handbook: Path) -> None:
    """Another embedder in an existing workspace is refused and changes nothing."""
    masis("ingest", handbook, "-w", "hb", MASIS_EMBEDDER="none")
    (handbook / "leave.md").write_text("# Leave\n\nThere are 30 days of annual leave now.\n")
    for _ in range(2):
        result = masis("ingest", handbook, "-w", "hb")
        assert result.exit_code == 1
        assert len(result.stderr.splitlines()) == 1
        assert "Use the embedder it was ingested with" in result.stderr
    (found,) = lines(masis("workspaces", "--json"))
    assert found["embedding_profile"] is None
    assert len(lines(masis("docs", "-w", "hb", "--json"))) == 3


def test_vector_workspace_requires_an_embedder(filled: Masis, handbook: Path) -> None:
    """A workspace with vectors takes no documents without them."""
    (handbook / "leave.md").write_text("# Leave\n\nThere are 30 days of annual leave now.\n")
    result = filled("ingest", handbook, "-w", "handbook", MASIS_EMBEDDER="none")
    assert result.exit_code == 1
    assert "“handbook” is one with vectors" in result.stderr
    assert "ingest into another workspace" in result.stderr
