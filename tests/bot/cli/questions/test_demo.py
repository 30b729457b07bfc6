import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.cli.questions import demo
from bot.cli.session import Session
from bot.playground import samples
from bot.settings import load
from tests.bot.program import HANDBOOK, Masis, lines, write

QUESTIONS: list[dict[str, Any]] = [
    {
        "shows": "One document knows",
        "question": "How many days of annual leave does every employee have?",
        "then": [
            "and how many can be carried over?",
            "How soon must a lost laptop be reported?",
            "thanks, that helps!",
        ],
    },
    {"shows": "Nobody wrote it down", "question": "Who won the cup final in 1966?"},
]
CODES = [{"shows": "Which code", "question": "classify there is a leak", "reply": "Pump leaks"}]


@pytest.fixture
def _small_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = tmp_path / "sample"
    write(sample / "docs", HANDBOOK)
    (sample / "demo.json").write_text(json.dumps(QUESTIONS))
    (sample / "codes.json").write_text(json.dumps(CODES))
    shutil.copytree(Path(str(samples.SAMPLE)) / "codelists", sample / "codelists")
    monkeypatch.setattr(samples, "SAMPLE", sample)


def test_sample_ships_with_four_questions() -> None:
    """The four questions ship with the sample and its documents."""
    assert len(samples.questions()) == 4
    assert len({each.question for each in samples.questions()}) == 4
    formats = {path.suffix for path in Path(str(samples.SAMPLE)).joinpath("docs").rglob("*.*")}
    assert formats == {".md", ".txt", ".html", ".pdf", ".docx", ".pptx", ".xlsx", ".csv"}


@pytest.mark.usefixtures("_small_sample")
def test_demo_ingests_and_answers(masis: Masis, tmp_path: Path) -> None:
    """The demo puts the documents in and answers."""
    folder = tmp_path / "elsewhere"
    result = masis("demo", "--data-dir", folder, MASIS_EMBEDDER="none", OPENAI_API_KEY="sk-not")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    for part in (
        "3 working documents of Tarnbeck Dosing Ltd",
        "1. One document knows\n> How many days of annual leave does every employee have?\n",
        "26 days of annual leave",
        "extractive",
        "> and how many can be carried over?\n",
        "Up to 4 days",
        "> How soon must a lost laptop be reported?\n",
        "within 2 hours",
        "> thanks, that helps!\n\nYou are welcome.",
        "2. Nobody wrote it down",
        "\n? ",
        "3. Which code\n> classify there is a leak\n",
        "More than one code fits",
        "\n> Pump leaks\n",
        "PR21 Pump leaks",
        f"Everything lies in {folder}",
    ):
        assert part in result.stdout
    again = masis("demo", "--data-dir", folder, "--json", MASIS_EMBEDDER="none")
    assert [each["status"] for each in lines(again)] == [
        *["success"] * 4,
        *["needs_clarification"] * 2,
        "success",
    ]
    assert [each["small_talk"] for each in lines(again)[:4]] == [False, False, False, True]
    assert "leave" not in lines(again)[2]["answer"]
    assert lines(again)[0]["question"] == QUESTIONS[0]["question"]


def test_demo_ignores_key_by_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A key in the environment is not spent unless the service is chosen."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    assert demo.keyless(Session(load=load), None).agents_in_use == "offline"
    monkeypatch.setenv("MASIS_AGENTS", "model")
    assert demo.keyless(Session(load=load), None).agents_in_use == "model"
