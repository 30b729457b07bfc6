import socket
import webbrowser

import pytest

from bot.cli.operations import playground
from tests.bot.program import Masis


def test_taken_port_is_reported_first(masis: Masis) -> None:
    """A port that is taken is said before anything is read."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = masis("playground", "--port", port, "--no-open")
    assert result.exit_code == 5
    assert f"The port {port} is taken. Name another one with --port, or none." in result.stderr


def test_browser_opens_on_desktop_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A browser is opened where there is one for a desktop."""
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
