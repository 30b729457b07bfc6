import json
import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from bot.cli.questions.quality import calibrated
from bot.evaluation.calibration import calibrate
from bot.evaluation.report import read
from bot.settings import points
from tests.bot.program import Masis, lines

ROOT = Path(__file__).parents[4]
QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "q1",
        "kind": "single",
        "question": "How many days of annual leave does every employee have?",
        "must_include": ["26 days"],
        "gold": [{"doc": "leave.md"}],
    },
    {
        "id": "q2",
        "kind": "unanswerable",
        "question": "Who won the cup final in 1966?",
        "answerable": False,
    },
]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, QUESTIONS)))
    return file


def test_known_answers_are_counted_per_kind(filled: Masis, questions: Path) -> None:
    """Known answers are counted for each kind."""
    result = filled("eval", questions, "--workspace", "handbook")
    assert result.exit_code == 0, result.output
    rows = {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines()}
    assert rows["single"] == ["1", "1/1", "100%", "1/1", "100%", "0/1", "0%"]
    assert rows["unanswerable"] == ["1", "1/1", "100%"]
    assert rows["all"][0] == "2"


def test_json_has_results_and_summary(filled: Masis, questions: Path) -> None:
    """Json has each result and the summary."""
    *results, last = lines(filled("eval", questions, "-w", "handbook", "--json"))
    assert [each["id"] for each in results] == ["q1", "q2"]
    assert last["summary"]["single"]["contained"] == {"hits": 1, "of": 1}
    assert set(last["summary"]) == {"single", "unanswerable", "all"}


def test_report_has_html_and_json(filled: Masis, questions: Path, tmp_path: Path) -> None:
    """A report is written for people and for programs."""
    result = filled("eval", questions, "-w", "handbook")
    written = Path("questions-report.html"), Path("questions-report.json")
    assert result.stdout.splitlines()[-1] == f"Report: {written[0]} (figures: {written[1]})"
    assert sorted(Path().iterdir()) == sorted(written), "nothing else is left"
    assert {path.stat().st_mode & 0o777 for path in written} == {0o600}
    report = read(written[1].read_bytes(), "r")
    assert [record.verdict for record in report.records] == ["right", "held_back"]
    assert report.about.workspace == "handbook"
    assert report.about.documents == 3
    page = written[0].read_text(encoding="utf-8")
    assert "How many days of annual leave does every employee have?" in page
    named = tmp_path / "other.html"
    *_, last = lines(filled("eval", questions, "-w", "handbook", "-o", named, "--json"))
    assert last["report"] == str(named)
    assert named.exists()


@pytest.mark.parametrize("name", ["mine.html", "mine.json", "mine.part.jsonl"])
def test_report_never_overwrites_another_file(
    filled: Masis, questions: Path, tmp_path: Path, name: str
) -> None:
    """A report never takes the place of another file."""
    mine = tmp_path / name
    mine.write_text("mine")
    result = filled("eval", questions, "-w", "handbook", "-o", tmp_path / "mine.html")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert name in result.stderr
    assert mine.read_text() == "mine"


def test_failed_questions_are_kept(filled: Masis, questions: Path) -> None:
    """What failed is kept to be asked again."""
    words = ("eval", questions, "-w", "handbook", "-o", "r.html")
    result = filled(*words, MASIS_RUN_TIMEOUT="0.0001")
    assert result.exit_code == 0, result.output
    said = "2 questions failed: the same command asks them again, and no other."
    assert said in result.stderr
    assert Path("r.part.jsonl").exists()
    report = read(Path("r.json").read_bytes(), "r")
    assert [record.verdict for record in report.records] == ["failed", "failed"]
    again = filled(*words)
    assert again.exit_code == 0, again.output
    report = read(Path("r.json").read_bytes(), "r")
    assert [record.verdict for record in report.records] == ["right", "held_back"]
    assert not Path("r.part.jsonl").exists()


def test_killed_evaluation_resumes(library: Path, filled: Masis, tmp_path: Path) -> None:
    """A killed evaluation goes on where it was."""
    rows = [{**QUESTIONS[0], "id": f"q{n}"} for n in range(25)]
    file = tmp_path / "many.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    words = ["eval", str(file), "-w", "handbook", "-o", str(tmp_path / "r.html")]
    journal = tmp_path / "r.part.jsonl"
    running = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", "from bot.__main__ import main; main()", *words],
        # Tests stand in a folder of their own: without MASIS installed its source is not found there.
        env={**os.environ, "MASIS_DATA_DIR": str(library), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for turn in count():
            assert turn < 12_000, "it never began"
            assert running.poll() is None, "it ended by itself"
            if journal.exists() and journal.read_bytes().count(b"\n") > 2:
                break
            sleep(0.01)
    finally:
        running.kill()
        running.wait()
    kept = [json.loads(line)["run"]["run_id"] for line in journal.read_bytes().split(b"\n")[1:-1]]
    assert 2 <= len(kept) < 25

    result = filled(*words)

    assert result.exit_code == 0, result.output
    assert f"Going on: {len(kept)} of 25 have been asked already." in result.stderr
    report = read((tmp_path / "r.json").read_bytes(), "r")
    assert [record.question.id for record in report.records] == [row["id"] for row in rows]
    assert [record.run.run_id for record in report.records[: len(kept)]] == kept
    assert not journal.exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{}\n", "line 1: not a question"),
        (b"not json\n", "line 1: not a JSON object"),
        (b"", "holds no questions"),
        (
            b'{"question": "\\ud800"}',
            "bad.jsonl” cannot be used: q1 holds characters that are none.",
        ),
        (b'{"question": "a", "gold": [{"doc": "\\u0000"}]}', "q1 holds characters that are none."),
        (b"\xff\xfe\x00", "bad.jsonl” cannot be used: it is not UTF-8 text."),
    ],
)
def test_file_without_questions_is_refused(
    filled: Masis, tmp_path: Path, content: bytes, said: str
) -> None:
    """A file that holds no questions is refused in a line."""
    file = tmp_path / "bad.jsonl"
    file.write_bytes(content)
    result = filled("eval", file, "-w", "handbook")
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_missing_file_is_refused(filled: Masis, tmp_path: Path) -> None:
    """A file that is not there is refused."""
    result = filled("eval", tmp_path / "gone.jsonl", "-w", "handbook")
    assert result.exit_code == 2
    assert result.stderr == f"Error: There is no file “{tmp_path / 'gone.jsonl'}”.\n"


def test_impossible_file_name_is_refused(filled: Masis, tmp_path: Path) -> None:
    """A file name that no disk takes is refused."""
    result = filled("eval", tmp_path / ("x" * 300), "-w", "handbook")
    assert result.exit_code == 2
    assert "cannot be used: It cannot be read: " in result.stderr


def test_calibration_requires_questions_and_embedder(filled: Masis, questions: Path) -> None:
    """Calibration wants enough questions and an embedder."""
    few = filled("calibrate", questions, "-w", "handbook")
    assert few.exit_code == 2
    assert f"“{questions}” cannot be used: " in few.stderr
    assert "at least 20 are needed" in few.stderr
    none = filled("calibrate", questions, "-w", "handbook", MASIS_EMBEDDER="none")
    assert none.exit_code == 2
    assert "There is no embedder to calibrate" in none.stderr


def test_calibration_prints_its_setting(filled: Masis, tmp_path: Path) -> None:
    """Calibration prints the setting that puts it in force."""
    rows = [{**QUESTIONS[0], "id": f"g{n}"} for n in range(20)]
    rows += [{**QUESTIONS[1], "id": f"b{n}"} for n in range(20)]
    file = tmp_path / "many.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    result = filled("calibrate", file, "-w", "handbook")
    assert result.exit_code == 0, result.output
    assert "separation 1.00" in result.stdout
    setting = result.stdout.splitlines()[-1]
    assert setting.startswith('MASIS_EMBEDDING_CALIBRATION="')
    value = setting.split('"')[1]
    asked = filled(
        "ask", QUESTIONS[0]["question"], "-w", "handbook", MASIS_EMBEDDING_CALIBRATION=value
    )
    assert "26 days" in asked.stdout
    (found,) = lines(filled("calibrate", file, "-w", "handbook", "--json"))
    assert found["separation"] == 1.0


def test_printed_calibration_setting_loads() -> None:
    """The printed setting is one that settings take."""
    found = calibrate([0.5 + n / 100 for n in range(30)], [0.1 + n / 100 for n in range(30)])
    value = calibrated(found).plain.split('"')[1]
    assert points(value) == found.points
