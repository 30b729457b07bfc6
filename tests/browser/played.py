"""What the browser is pointed at: the playground as a process, or its page with given messages."""

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, Any, Final

from bot.playground.page.page_models import Readiness
from bot.playground.page.page_server import Page
from bot.playground.page.scene import opening, stand_in
from bot.playground.slack.world import Said
from bot.settings import Settings, variable

ROOT: Final = Path(__file__).parents[2]
ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:\d+/\?key=\S+")
ENDS_S: Final = 30.0


@contextmanager
def playground(data_dir: Path, **environment: str) -> Iterator[str]:
    """Run `masis playground` in a folder; gives the address that it prints."""
    ours = {variable(field) for field in Settings.model_fields}
    bare = {name: value for name, value in os.environ.items() if name not in ours}
    given = {"PYTHONPATH": str(ROOT), "NO_COLOR": "1", "MASIS_EMBEDDING_THREADS": "1"}
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "bot", "playground", "--no-open", "--data-dir", str(data_dir)],
        cwd=data_dir.parent,
        env=bare | given | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stderr is not None
        try:
            yield _address(program.stderr)
        finally:
            program.terminate()
            said = program.communicate(timeout=ENDS_S)[1]
    assert "Traceback" not in said, said


def _address(said: IO[str]) -> str:
    """The address, as soon as a line holds it."""
    heard = []
    for line in said:
        heard.append(line)
        if found := ADDRESS.search(line):
            return found[0]
    raise AssertionError(f"the playground ended without an address:\n{''.join(heard)}")


@asynccontextmanager
async def page_with(*messages: Sequence[dict[str, Any]]) -> AsyncIterator[str]:
    """The page over a world without a bot, with a message of each's blocks; gives its address."""
    async with stand_in() as slack:
        scene = opening(slack)
        scene.becomes(Readiness(phase="ready", done=0, total=0, words="Ready"))
        app = slack.installation.bot_user_id
        for blocks in messages:
            slack.world.post(scene.linked, Said(text="Figures", user_id=app, blocks=blocks))
        async with Page(scene) as page:
            yield page.url
