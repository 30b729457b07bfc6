"""The bar of actions that appears where one points at a message."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from anyio.from_thread import BlockingPortal
from playwright.sync_api import Locator, expect

from tests.browser.played import page_with
from tests.browser.tab import Tab

LONG: Final = "Every statement cites the passage that it was taken from, word for word. " * 9
LETTERS_SHARE: Final = 0.15
"""Of a line's height that no letter reaches, above and below: room for accents and between lines."""
LINES: Final = """message => {
    const found = [];
    const texts = document.createTreeWalker(message.querySelector('.body'), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = document.createRange();
        text.selectNodeContents(texts.currentNode);
        for (const {x, y, width, height} of text.getClientRects())
            found.push({x, y, width, height});
    }
    return found;
}"""
"""The places of a message's lines."""


def section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "plain_text", "text": text}}


@pytest.fixture
def url(portal: BlockingPortal) -> Iterator[str]:
    """The page with four messages one below the other, of which only the first has a heading."""
    markdown = {"type": "markdown", "text": LONG}
    with portal.wrap_async_context_manager(
        page_with([section(LONG)], [section(LONG)], [markdown], [section("Short.")])
    ) as address:
        yield address


def overlap(bar: dict[str, float], line: dict[str, float]) -> bool:
    spare = line["height"] * LETTERS_SHARE
    above = bar["y"] + bar["height"] <= line["y"] + spare
    below = bar["y"] >= line["y"] + line["height"] - spare
    beside = bar["x"] >= line["x"] + line["width"] or bar["x"] + bar["width"] <= line["x"]
    return not (above or below or beside)


def covered(bar: Locator, messages: Locator) -> list[int]:
    """The messages of which the bar hides letters."""
    box = bar.bounding_box()
    assert box is not None
    place = {name: float(box[name]) for name in ("x", "y", "width", "height")}
    lines = [each.evaluate(LINES) for each in messages.all()]
    return [at for at, each in enumerate(lines) if any(overlap(place, line) for line in each)]


@pytest.mark.parametrize("width", [1280, 760, 400])
def test_toolbar_covers_no_message_text(tab: Tab, width: int) -> None:
    """The bar hides no letter of its message or of the one above."""
    tab.page.set_viewport_size({"width": width, "height": 900})
    messages = tab.channel.locator(".message")
    expect(tab.channel.locator(".message.compact")).to_have_count(3)
    for message in messages.all():
        message.hover()
        bar = message.locator(".toolbar")
        expect(bar).to_be_visible()

        assert covered(bar, messages) == []
