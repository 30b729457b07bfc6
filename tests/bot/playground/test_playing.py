import asyncio
import os
import signal
from pathlib import Path

import pytest

from bot.playground.playing import Playing
from bot.settings import Settings, load
from masis.errors import InvalidSettings


@pytest.mark.parametrize("by_signal", [True, False])
async def test_playground_tells_address_and_ends(tmp_path: Path, by_signal: bool) -> None:
    """It tells its address opens it and ends even while it starts."""
    said: list[str] = []
    opened: list[str] = []
    stop = asyncio.Event()

    def loaded(**overrides: object) -> Settings:
        return load(Path("no.env"), **({"data_dir": tmp_path} | overrides))

    def open_(url: str) -> None:
        opened.append(url)
        if by_signal:
            os.kill(os.getpid(), signal.SIGTERM)

    if not by_signal:
        stop.set()
    playing = Playing(loaded, said.append)
    await playing.served(0, open_, lambda: said.append("ends"), stop)

    assert said[0] == f"The playground is at {opened[0]}"
    assert opened[0].startswith("http://127.0.0.1:")
    assert said[-2:] == ["ends", "The playground ends."]


async def test_failed_bot_start_ends_playground() -> None:
    """A bot that cannot start ends it and says why."""

    def refuses(**_: object) -> Settings:
        raise InvalidSettings("MASIS_AGENTS should be one of three words")

    with pytest.raises(InvalidSettings, match="three words"):
        await Playing(refuses, lambda _: None).served(0, None, lambda: None)
