from pathlib import Path

import pytest

from bot.evaluation.report import Report
from tests.bot.evaluation.samples import record, report
from tests.bot.program import Masis, lines


def saved(path: Path, made: Report) -> Path:
    path.write_text(made.model_dump_json(), encoding="utf-8")
    return path


@pytest.fixture
def before(tmp_path: Path) -> Path:
    return saved(tmp_path / "a.json", report(record("q1"), record("q2")))


@pytest.fixture
def after(tmp_path: Path) -> Path:
    return saved(tmp_path / "b.json", report(record("q1"), record("q2", holds=False)))


def test_differing_outcomes_are_written(
    masis: Masis, before: Path, after: Path, tmp_path: Path
) -> None:
    """What ended otherwise is listed and written."""
    page = tmp_path / "diff.html"
    result = masis("compare", before, after, "-o", page)
    assert result.exit_code == 0, result.output
    head, _, row, last = result.stdout.splitlines()
    assert head == "2 questions in both: 1 ended otherwise (1 worse)."
    assert row.split() == ["worse", "Right", "Words", "missing", "What", "about", "q2?"]
    assert last == f"Both sides: {page}"
    assert "What about q2?" in page.read_text(encoding="utf-8")
    assert masis("compare", before, after, "-o", page).exit_code == 0, "a report may be replaced"
    (found,) = lines(masis("compare", after, before, "--json"))
    assert found["both"] == 2
    assert found["changes"] == [
        {
            "question": "What about q2?",
            "before": "incomplete",
            "after": "right",
            "direction": "better",
        }
    ]


def test_identical_reports_list_nothing(masis: Masis, before: Path) -> None:
    """Two that are the same have nothing to list."""
    result = masis("compare", before, before)
    assert result.stdout == "2 questions in both: 0 ended otherwise.\n"


def test_invalid_report_or_target_is_refused(masis: Masis, before: Path, tmp_path: Path) -> None:
    """What is no report and what is in the way is refused."""
    mine = tmp_path / "mine.html"
    mine.write_text("<p>Mine.</p>")
    taken = masis("compare", before, before, "-o", mine)
    assert (taken.exit_code, mine.read_text()) == (2, "<p>Mine.</p>")
    assert "is there already, and no report: name a new file" in taken.stderr
    named = masis("compare", before, before, "-o", tmp_path / "diff.pdf")
    assert "is no name for a report: name it like report.html" in named.stderr
    page = masis("compare", before, mine)
    assert page.exit_code == 2
    assert "is no report of this version of `masis eval`" in page.stderr
    gone = masis("compare", before, tmp_path / "gone.json")
    assert "The file is gone." in gone.stderr
    away = masis("compare", before, before, "-o", tmp_path / "no" / "diff.html")
    assert "cannot be written (No such file or directory): name another place" in away.stderr
