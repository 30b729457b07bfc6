"""Draws README's picture: one question of the demo as the terminal shows it.

Run it with `python -m tests.bench.picture` after `masis demo` has put the sample workspace in.
"""

import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 96
TARGET = Path(__file__).parents[2] / "docs" / "demo.svg"
QUESTION = "What is the approved service tooling budget for 2026?"


def main() -> None:
    """Ask for real, and save what was printed."""
    command = [sys.executable, "-m", "bot", "ask", QUESTION, "--workspace", "demo"]
    environment = os.environ | {"FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    shown = subprocess.run(  # noqa: S603 - our own command
        command, env=environment, capture_output=True, text=True, check=False
    )
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere)
        console.print(Text(f'$ masis ask "{QUESTION}" --workspace demo', style="bold"))
        console.print(Text.from_ansi(shown.stdout))
        console.save_svg(str(TARGET), title="masis")


if __name__ == "__main__":
    main()
