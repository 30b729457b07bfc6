"""One person's browser tab on the playground's page: what is done in it, and what is waited for."""

import json
from dataclasses import dataclass, field
from typing import Any, Final, Self
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    ViewportSize,
    expect,
)

WIDE: Final[ViewportSize] = {"width": 1280, "height": 800}
STEP_MS: Final = 20_000
ANSWER_MS: Final = 60_000
"""For a run with retries, beside other work on the machine."""
HERE: Final = {"127.0.0.1", "localhost"}
INNER: Final = {"data", "blob", "about"}
"""Schemes that reach nobody."""
NARROW: Final[ViewportSize] = {"width": 400, "height": 800}
MINOR: Final = "minor"
"""What axe-core itself calls of little weight; all else counts."""


@dataclass
class Tab:
    """A page in a context of its own, as another person on another machine has it."""

    context: BrowserContext
    page: Page
    foreign: list[str] = field(default_factory=list)
    """Addresses outside this machine that were asked for."""
    errors: list[str] = field(default_factory=list)
    """What the page logged as an error, or did not catch."""

    @classmethod
    def on(cls, browser: Browser, url: str) -> Self:
        """Open the page, and wait until one can write in it."""
        context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
        tab = cls(context, context.new_page())
        tab._listen()
        tab.page.set_default_timeout(STEP_MS)
        tab.page.goto(url)
        tab.entry.wait_for()
        return tab

    def _listen(self) -> None:
        self.context.on("request", lambda request: self._note(request.url))
        self.page.on("websocket", lambda socket: self._note(socket.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on(
            "console",
            lambda line: self.errors.append(line.text) if line.type == "error" else None,
        )

    def _note(self, url: str) -> None:
        at = urlsplit(url)
        if at.scheme not in INNER and at.hostname not in HERE:
            self.foreign.append(url)

    # --- places ----------------------------------------------------------------------------

    @property
    def channel(self) -> Locator:
        return self.page.get_by_role("main")

    @property
    def thread(self) -> Locator:
        return self.page.get_by_role("complementary", name="Thread")

    @property
    def form(self) -> Locator:
        """The uppermost form."""
        return self.page.get_by_role("dialog").last

    @property
    def entry(self) -> Locator:
        """Where one writes into the channel."""
        return self.channel.get_by_role("textbox").first

    @property
    def votes(self) -> Locator:
        """What stands under every finished answer."""
        return self.thread.get_by_role("group", name="Was this helpful?")

    # --- deeds -----------------------------------------------------------------------------

    def becomes(self, name: str) -> None:
        self.page.locator(".self-button").click()
        self.page.get_by_role("menuitemradio", name=name).click()
        expect(self.page.locator(".self-name")).to_contain_text(name)

    def goes_to(self, name: str) -> None:
        self.page.get_by_role("navigation").get_by_role("button", name=name).first.click()

    def types(self, text: str) -> None:
        self.entry.fill(text)
        self.entry.press("Enter")

    def replies(self, text: str) -> None:
        entry = self.thread.get_by_role("textbox").last
        entry.fill(text)
        entry.press("Enter")

    def asks(self, question: str) -> None:
        """Ask in the channel, and open the thread that the answer comes in."""
        links = self.channel.locator(".thread-link")
        before = links.count()
        self.types(f"/masis {question}")
        links.nth(before).click(timeout=ANSWER_MS)
        self.thread.wait_for()

    def presses(self, name: str, where: Locator | None = None) -> None:
        (where or self.thread).get_by_role("button", name=name).last.click()

    def closes_the_form(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    # --- what is waited for ----------------------------------------------------------------

    def answered(self, count: int = 1) -> None:
        """Wait until that many answers of the thread are whole."""
        self.votes.nth(count - 1).wait_for(timeout=ANSWER_MS)

    def reads(self, words: str, where: Locator | None = None) -> None:
        expect(where or self.thread).to_contain_text(words, timeout=ANSWER_MS)

    def flaws(self, axe: str) -> list[tuple[str, list[Any]]]:
        """What axe-core finds in the page as it is now that is moderate or worse."""
        # Evaluated by the driver: as a script of the page its policy would refuse it.
        self.page.evaluate(axe)
        found = self.page.evaluate("() => axe.run(document)")
        return [
            (each["id"], [node["target"] for node in each["nodes"]])
            for each in found["violations"]
            if each["impact"] != MINOR
        ]

    def trouble(self) -> str:
        """What went wrong beside what a test looks at; empty where nothing did."""
        wrong = {"asked elsewhere": self.foreign, "errors": self.errors}
        return json.dumps(wrong) if self.foreign or self.errors else ""

    def close(self) -> None:
        try:
            self.context.close()
        except Error as error:
            self.errors.append(str(error))
