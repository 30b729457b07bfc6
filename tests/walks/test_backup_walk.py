"""A backup is one that a restore was tried of: the procedure of docs/operating.md."""

import asyncio
import json
import shlex
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from tests.bot.program import HANDBOOK, program, write
from tests.walks.office import QUESTION, office

PAGE = Path(__file__).parents[2] / "docs" / "operating.md"
WORDS_ALONE = {"MASIS_EMBEDDER": "none"}


def ask(data: Path) -> dict[str, Any]:
    said = program(data, **WORDS_ALONE)("ask", QUESTION, "-w", "handbook", "--json")
    found: dict[str, Any] = json.loads(said.stdout)
    return found


def test_copied_data_folder_answers_alike(tmp_path: Path) -> None:
    """A copied data folder answers as the first one did."""
    first, second = tmp_path / "first", tmp_path / "second"
    folder = write(tmp_path / "handbook", HANDBOOK)
    filled = program(first, **WORDS_ALONE)("ingest", folder, "-w", "handbook")
    assert filled.exit_code == 0
    before = ask(first)
    assert before["citations"]

    shutil.copytree(first, second)
    shutil.rmtree(first)

    after = ask(second)
    assert after["answer"] == before["answer"]
    assert after["citations"] == before["citations"]


def live_backup() -> list[str]:
    """The page's command that copies a database in use."""
    blocks = [token for token in MarkdownIt().parse(PAGE.read_text()) if token.type == "fence"]
    [line] = [
        line
        for block in blocks
        if block.info == "sh"
        for line in block.content.splitlines()
        if ".backup(" in line
    ]
    python, *words = shlex.split(line, comments=True)
    assert python == "python3"
    return [sys.executable, *words]


async def test_live_database_is_copied_whole(tmp_path: Path) -> None:
    """The database of a bot at work is copied whole."""
    async with office(tmp_path, model=False) as here:
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "extractive")
        data = tmp_path / "data"
        # The bot's last writes are still in the log beside the file.
        assert (data / "masis.db-wal").stat().st_size > 0
        copied = await asyncio.to_thread(
            subprocess.run, live_backup(), cwd=data, check=False, capture_output=True
        )
        assert copied.returncode == 0, copied.stderr
        copy = tmp_path / "restored" / "masis.db"
        copy.parent.mkdir()
        shutil.move(data / "masis-backup.db", copy)
        [run] = await here.bot.services.runs.recent(here.tenant, 9)

    connection = sqlite3.connect(copy)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        connection.close()
    shown = await asyncio.to_thread(program(copy.parent), "runs", "show", run.id, "--json")
    assert json.loads(shown.stdout)["question"] == QUESTION
