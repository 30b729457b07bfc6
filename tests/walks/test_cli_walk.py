"""The two commands of the README, as somebody on a fresh machine runs them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.settings import PREFIX, Settings, variable

ROOT = Path(__file__).parents[2]


def masis(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """The program in a process of its own, without any setting of ours."""
    ours = {variable(field) for field in Settings.model_fields}
    bare = {
        name: value
        for name, value in os.environ.items()
        if name not in ours and not name.startswith(PREFIX)
    }
    return subprocess.run(  # noqa: S603 - our own interpreter and words
        [sys.executable, "-m", "bot", *arguments],
        cwd=ROOT,
        env=bare | {"PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


@pytest.mark.long
def test_demo_shows_four_outcomes(tmp_path: Path) -> None:
    """The only test that puts the whole sample workspace in; it takes half a minute."""
    shown = masis("demo", "--data-dir", str(tmp_path / "data"))

    assert shown.returncode == 0, shown.stderr
    intro, high, two, nothing, disagree, code = re.split(
        r"\n\d\. (?=[A-Z][^\n]*\n> )", shown.stdout
    )
    assert "44 working documents" in intro

    assert high.startswith("One document knows")
    assert "11 January 2027 [1]" in high
    assert re.search(r"\nHigh \d\d % · \d of \d claims cited · 1 document · extractive\n", high)

    assert two.startswith("Two documents")
    assert re.search(r"\n(?:High|Medium) \d\d % · .* · 2 documents · extractive\n", two)
    assert "266" in two
    assert "38 a week" in two

    assert nothing.startswith("Nobody has written")
    assert re.search(
        r"\n\? I found nothing .* rephrase .* upload .* \(\d+ passages looked at", nothing
    )
    assert "Sources" not in nothing

    assert disagree.startswith("Two papers disagree")
    assert re.search(r"\n\? The sources disagree: .* \(.*\) and .* \(.*\)\. Which one", disagree)
    assert "£74,500" in disagree
    assert "£68,000" in disagree
    assert "\nLow · " in disagree

    assert code.startswith("Which of our codes is it")
    assert "More than one code fits this." in code
    assert "PR21 Pump leaks" in code
