"""Without a mouse, and for a screen reader: keys alone, and what axe-core finds."""

from playwright.sync_api import expect

from tests.browser.tab import ANSWER_MS, NARROW, Tab

TENDER = "When does Northmoor's framework tender for dosing equipment open?"
MOST_STOPS = 40
"""Presses of the Tab key within which everything of a thread can be reached."""


def focused(tab: Tab) -> str:
    """The name of what has the focus."""
    name = tab.page.evaluate(
        "() => document.activeElement.ariaLabel || document.activeElement.innerText || ''"
    )
    return str(name)


def walks_to(tab: Tab, name: str, key: str = "Tab") -> None:
    """Press the key until something of that name has the focus."""
    passed = []
    for _ in range(MOST_STOPS):
        tab.page.keyboard.press(key)
        passed.append(focused(tab))
        if name in passed[-1]:
            return
    raise AssertionError(f"no stop at {name!r}: {passed}")


def test_question_needs_only_the_keyboard(tab: Tab) -> None:
    """A question is asked and its audit opened with keys alone."""
    expect(tab.entry).to_be_focused()
    tab.page.keyboard.type(f"/masis {TENDER}")
    tab.page.keyboard.press("Enter")
    tab.channel.locator(".thread-link").first.wait_for(timeout=ANSWER_MS)

    walks_to(tab, "repl", "Shift+Tab")
    tab.page.keyboard.press("Enter")
    tab.answered()

    walks_to(tab, "How I got this", "Shift+Tab")
    tab.page.keyboard.press("Enter")
    tab.reads("Faithfulness", tab.form)

    tab.page.keyboard.press("Escape")
    expect(tab.page.get_by_role("dialog")).to_have_count(0)
    assert focused(tab) == "How I got this"


def test_axe_passes_for_channel_and_form(tab: Tab, axe: str) -> None:
    """Axe finds no flaw in channel thread and form."""
    assert tab.flaws(axe) == []

    tab.asks(TENDER)
    tab.answered()
    assert tab.flaws(axe) == []

    tab.presses("How I got this")
    tab.reads("Faithfulness", tab.form)
    assert tab.flaws(axe) == []


def test_axe_passes_with_single_pane(tab: Tab, axe: str) -> None:
    """Axe finds no flaw where one pane is shown at a time."""
    tab.asks(TENDER)
    tab.answered()
    tab.page.set_viewport_size(NARROW)
    for close, shown in (("Close the thread", "#handbook"), ("Channels", "Tarnbeck")):
        assert tab.flaws(axe) == []
        tab.page.get_by_role("button", name=close).click()
        expect(tab.page.get_by_role("main")).to_contain_text(shown.removeprefix("#"))
    assert tab.flaws(axe) == []
