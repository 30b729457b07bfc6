"""The plain questions: 888 over six workspaces, as people type them into a chat, and their documents."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from tests.bench.corpora import SAMPLE, SHARED

HERE: Final = Path(__file__).parent / "plain"
FOLDERS: Final = {
    "sample": SAMPLE / "docs",
    "handbook": SHARED / "demo-workspace" / "docs",
    "school": HERE / "docs" / "school",
    "clinic_office": HERE / "docs" / "clinic_office",
    "software": HERE / "docs" / "software",
    "theatre": HERE / "docs" / "theatre",
}
MANNERS: Final = ("casual", "fragment", "typo", "greeting", "synonym", "case", "can_i", "formal")
HALVES: Final = ("seen", "hidden", "fresh", "newcomer", "weak", "weak_kept", "stranger", "third")
Row = dict[str, Any]


def questions(half: str, places: Iterable[str]) -> list[Row]:
    """Return the questions of one half over these places."""
    lines = (HERE / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    read = [json.loads(line) for line in lines]
    return [row for row in read if row["place"] in places]
