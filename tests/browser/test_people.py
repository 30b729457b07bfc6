"""An admin, a guest, two people at once, and what is done beside asking."""

from pathlib import Path

from playwright.sync_api import FilePayload, expect

from tests.browser.conftest import Open
from tests.browser.tab import ANSWER_MS, Tab

TENDER = "When does Northmoor's framework tender for dosing equipment open?"
COUNT = "What was the 4471 count in June 2026, and how many are used a week?"
CANTEEN = FilePayload(
    name="canteen.md",
    mimeType="text/markdown",
    buffer=b"# Canteen\n\nThe canteen in Kettering opens at 07:30 and closes at 14:00.\n",
)


def test_admin_links_and_unlinks_channel(tab: Tab) -> None:
    """An admin links a channel asks in it and takes the link away."""
    tab.becomes("Denise")
    tab.goes_to("lunch")
    tab.types("/masis link handbook")
    tab.presses("Link", tab.form)
    tab.reads("now asks the workspace “handbook”", tab.channel)
    tab.asks(TENDER)
    tab.answered()

    tab.types("/masis unlink")
    tab.reads("no longer linked", tab.channel)

    tab.types(f"/masis {TENDER}")
    tab.reads("This channel is not linked to a workspace yet", tab.channel)


def test_a_guest_is_refused(tab: Tab) -> None:
    tab.becomes("Jonas")

    tab.types(f"/masis {TENDER}")

    tab.reads("Guests cannot use MASIS here", tab.channel)
    expect(tab.channel.locator(".thread-link")).to_have_count(0)


def test_externally_shared_channel_stays_unlinked(tab: Tab) -> None:
    """A channel shared with another organisation is not linked."""
    tab.becomes("Denise")
    tab.goes_to("northmoor-water")

    tab.types("/masis link handbook")
    tab.presses("Link", tab.form)

    tab.reads("A Slack admin can allow such channels in /masis settings", tab.form)


def test_channel_file_becomes_cited_document(tab: Tab) -> None:
    """A file in the channel becomes a document that is cited."""
    tab.becomes("Denise")
    with tab.page.expect_file_chooser() as chooser:
        tab.presses("Attach files", tab.channel)
    chooser.value.set_files(CANTEEN)
    tab.channel.locator(".given .icon-done").wait_for()
    tab.types("New hours of the canteen")

    sent = tab.channel.get_by_role("article").filter(has_text="canteen.md").last
    sent.hover()
    tab.presses("More actions", sent)
    tab.page.get_by_role("menuitem", name="Add files").click()
    sent.locator(".thread-link").click()
    tab.reads("1 added")

    tab.asks("When does the canteen in Kettering open?")
    tab.answered()
    tab.reads("07:30")
    tab.reads("canteen.md")


def test_two_people_see_both_answers(opened: Open) -> None:
    """Two people ask at once and each sees the others answer."""
    owen, denise = opened(), opened()
    denise.becomes("Denise")
    owen.asks(TENDER)
    denise.types(f"/masis {COUNT}")
    owen.answered()

    denise.channel.get_by_role("article").filter(has_text=TENDER).locator(".thread-link").click()
    denise.answered()
    owen.channel.get_by_role("article").filter(has_text=COUNT).locator(".thread-link").click()
    owen.answered()

    owen.reads("4471")
    denise.reads(TENDER)


def test_externally_shared_question_is_refused(tab: Tab) -> None:
    """A question in a channel shared with another organisation is refused."""
    tab.goes_to("northmoor-water")

    tab.types(f"/masis {TENDER}")

    tab.reads("shared with another organisation, so I do not answer here", tab.channel)
    expect(tab.channel.locator(".thread-link")).to_have_count(0)


def test_dropped_file_joins_next_message(tab: Tab, tmp_path: Path) -> None:
    """A file dropped anywhere on a channel is attached to the next message."""
    path = tmp_path / "canteen.md"
    path.write_bytes(CANTEEN["buffer"])
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    browser = tab.context.new_cdp_session(tab.page)
    for kind in ("dragEnter", "dragOver"):
        browser.send("Input.dispatchDragEvent", {"type": kind, "x": 700, "y": 200, "data": data})
    tab.reads("Drop to attach to #handbook", tab.channel)

    browser.send("Input.dispatchDragEvent", {"type": "drop", "x": 700, "y": 200, "data": data})

    tab.channel.locator(".given .icon-done").wait_for()
    expect(tab.channel.locator(".drop-here")).to_have_count(0)
    tab.types("New hours of the canteen")
    tab.reads("canteen.md", tab.channel.get_by_role("article").last)


def test_slow_upload_shows_progress(tab: Tab) -> None:
    """An upload that takes its time shows how far it is."""
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 40_000}
    browser = tab.context.new_cdp_session(tab.page)
    browser.send("Network.enable")
    browser.send("Network.emulateNetworkConditions", slow)
    with tab.page.expect_file_chooser() as chooser:
        tab.presses("Attach files", tab.channel)
    chooser.value.set_files(
        FilePayload(name="long.md", mimeType="text/plain", buffer=b"x" * 400_000)
    )
    progress = tab.channel.get_by_role("progressbar", name="Uploading long.md")

    tab.page.wait_for_function(
        "bar => bar.value > 0 && bar.value < 1", arg=progress.element_handle()
    )
    browser.send("Network.emulateNetworkConditions", {**slow, "uploadThroughput": -1})

    tab.channel.locator(".given .icon-done").wait_for(timeout=ANSWER_MS)


def test_message_menu_asks_about_message(tab: Tab) -> None:
    """A message is asked about from its menu."""
    said = tab.channel.get_by_role("article", name="Beatriz")
    said.hover()
    tab.presses("More actions", said)
    tab.page.get_by_role("menuitem", name="Ask MASIS").click()
    expect(tab.form.get_by_role("textbox")).to_have_value(TENDER)
    tab.presses("Ask", tab.form)

    said.locator(".thread-link").click(timeout=ANSWER_MS)
    tab.answered()
    tab.reads("[1]")


def test_only_admin_opens_home_settings(
    opened: Open,
) -> None:
    """The apps home names the channels and opens the settings to an admin alone."""
    asker, admin = opened(), opened()
    admin.becomes("Denise")
    for tab in (asker, admin):
        tab.goes_to("MASIS home")
        tab.reads("#handbook asks “handbook”", tab.channel)
    expect(asker.channel.get_by_role("button", name="Settings")).to_have_count(0)

    admin.presses("Settings", admin.channel)
    admin.form.get_by_role("checkbox", name="Guests may ask").check()
    admin.presses("Save", admin.form)
    expect(admin.form).to_have_count(0)

    asker.becomes("Jonas")
    asker.goes_to("handbook")
    asker.asks(TENDER)
    asker.answered()
