import socket
import webbrowser

import pytest

from bot.cli.operations import playground
from tests.bot.program import Masis


def test_a_port_that_is_taken_is_said_before_anything_is_read(masis: Masis) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = masis("playground", "--port", port, "--no-open")
    assert result.exit_code == 5
    assert f"The port {port} is taken. Name another one with --port, or none." in result.stderr


def test_a_browser_is_opened_where_there_is_one_for_a_desktop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[str] = []

    class Desktop(webbrowser.BaseBrowser):
        def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:  # noqa: FBT002 - as it is
            assert (new, autoraise) == (0, True)
            opened.append(url)
            return True

    def nothing() -> webbrowser.BaseBrowser:
        raise webbrowser.Error

    for found in (Desktop, lambda: webbrowser.GenericBrowser("lynx"), nothing):
        monkeypatch.setattr(webbrowser, "get", found)
        playground._open("http://127.0.0.1:1/")

    assert opened == ["http://127.0.0.1:1/"]
