"""A real browser: Chromium of this machine, driven by Playwright, and the real playground."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from playwright.sync_api import Browser, sync_playwright

from tests.browser.played import ROOT, playground
from tests.browser.tab import Tab

VARIABLE: Final = "MASIS_TEST_CHROMIUM"
NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC: Final = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
AXE: Final = ROOT / "bot" / "playground" / "web" / "node_modules" / "axe-core" / "axe.min.js"
ARGUMENTS: Final = (
    "--no-sandbox",  # containers have no user namespaces for it; only our own page is opened
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)

Open = Callable[[], Tab]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever lies in this folder is for `make browser`."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's path."""
    found = os.environ.get(VARIABLE) or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None and MAC.exists():
        found = str(MAC)
    if found is None or not Path(found).exists():
        pytest.skip(f"no Chromium: install one, or name its program in {VARIABLE}")
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the first playground leaves the sample, read, to the others."""
    return tmp_path_factory.mktemp("browser") / "data"


@pytest.fixture
def url(data: Path, chromium: str) -> Iterator[str]:  # noqa: ARG001 - skips before anything starts
    """A playground of the test's own: the real bot, writing without a model."""
    with playground(data) as address:
        yield address


@pytest.fixture
def opened(browser: Browser, url: str) -> Iterator[Open]:
    """Opens tabs on the playground. A request to another machine, or an error in a page, fails the test."""
    tabs: list[Tab] = []

    def open_() -> Tab:
        tabs.append(Tab.on(browser, url))
        return tabs[-1]

    yield open_
    for tab in tabs:
        tab.close()
    assert [tab.trouble() for tab in tabs if tab.trouble()] == []


@pytest.fixture
def tab(opened: Open) -> Tab:
    """The asker's tab."""
    return opened()


@pytest.fixture
def portal() -> Iterator[BlockingPortal]:
    """An event loop beside the test, for servers that are ours."""
    with start_blocking_portal() as running:
        yield running


@pytest.fixture
def axe() -> str:
    """The source of axe-core, from the packages of the page's sources."""
    if not AXE.exists():
        pytest.skip("no axe-core: `make web-test` installs the packages of bot/playground/web/")
    return AXE.read_text(encoding="utf-8")
