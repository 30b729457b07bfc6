from pathlib import Path

import pytest

from bot.evaluation.evaluation import Question
from bot.evaluation.journal import Journal
from bot.evaluation.report import key, read
from masis.domain import Workspace, workspace_id
from masis.errors import InvalidSettings
from tests.bot.evaluation.samples import record, report


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "r.part.jsonl"


def write(path: Path, *names: str, key: str = "k") -> None:
    with Journal(path, key) as journal:
        for name in names:
            journal.add(record(name))


def test_truncated_last_line_is_dropped(path: Path) -> None:
    """What was cut off is dropped and the rest goes on."""
    write(path, "a", "b")
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with Journal(path, "k") as journal:
        assert list(journal.kept) == ["a"]
        journal.add(record("b"))
    assert path.read_bytes() == whole
    assert path.stat().st_mode & 0o777 == 0o600


def test_invalid_line_ends_the_journal(path: Path) -> None:
    """A line that is none ends what is kept."""
    write(path, "a", "b", "c")
    lines = path.read_bytes().split(b"\n")
    lines[2] = b"\0" * len(lines[2])
    path.write_bytes(b"\n".join(lines))
    with Journal(path, "k") as journal:
        assert list(journal.kept) == ["a"]


def test_what_failed_is_asked_again(path: Path) -> None:
    with Journal(path, "k") as journal:
        journal.add(record("a", status="failed"))
        journal.add(record("b"))
    with Journal(path, "k") as journal:
        assert list(journal.kept) == ["b"]
        journal.add(record("a"))
    with Journal(path, "k") as journal:
        assert set(journal.kept) == {"a", "b"}


def test_results_of_other_states_are_ignored(path: Path) -> None:
    """Results of another state are not mixed in."""
    write(path, "a")
    with Journal(path, "other") as journal:
        assert journal.is_other
        assert journal.kept == {}
    with Journal(path, "other") as journal:
        assert not journal.is_other


def test_fresh_forgets_what_there_is(path: Path) -> None:
    write(path, "a")
    with Journal(path, "k", fresh=True) as journal:
        assert (journal.kept, journal.is_other) == ({}, False)
        journal.remove()
    assert not path.exists()


@pytest.mark.parametrize("content", [b"mine\n", b"mine, without an end", b'{"a": 1}\n'])
def test_somebody_elses_file_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(InvalidSettings, match="was not written by `masis eval`"):
        Journal(path, "k")
    assert path.read_bytes() == content


def test_unwritable_path_is_named(tmp_path: Path) -> None:
    """A place that cannot be written is named."""
    with pytest.raises(InvalidSettings, match=r"No such file or directory.*--report"):
        Journal(tmp_path / "no" / "r.part.jsonl", "k")


def test_key_covers_questions_and_settings() -> None:
    """The key is of questions workspace documents and settings."""
    place = Workspace(id=workspace_id("ws"), owner="local", name="w")
    other = place.model_copy(update={"embedding_profile": "p"})
    one, two = Question(id="a", question="A?"), Question(id="a", question="B?")
    keys = {
        key([one], place, [], {}),
        key([two], place, [], {}),
        key([one], other, [], {}),
        key([one], place, [], {"max_retries": 1}),
    }
    assert len(keys) == 4
    assert key([one], place, [], {}) in keys


def test_written_report_reads_back_equal() -> None:
    """A report is read as it was written."""
    made = report(record("a"), record("b", answerable=None, status="needs_clarification"))
    assert read(made.model_dump_json().encode(), "r.json") == made


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b'{"format": "masis-evaluation/9"}'])
def test_what_is_no_report_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidSettings, match=r"“r\.json” is no report of this version"):
        read(content, "r.json")
