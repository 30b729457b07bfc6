"""An admin, a guest, and two people at once."""

from playwright.sync_api import FilePayload, expect

from tests.browser.conftest import Open
from tests.browser.tab import Tab

TENDER = "When does Northmoor's framework tender for dosing equipment open?"
COUNT = "What was the 4471 count in June 2026, and how many are used a week?"
CANTEEN = FilePayload(
    name="canteen.md",
    mimeType="text/markdown",
    buffer=b"# Canteen\n\nThe canteen in Kettering opens at 07:30 and closes at 14:00.\n",
)


def test_an_admin_links_a_channel_asks_in_it_and_takes_the_link_away(tab: Tab) -> None:
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


def test_a_channel_shared_with_another_organisation_is_not_linked(tab: Tab) -> None:
    tab.becomes("Denise")
    tab.goes_to("northmoor-water")

    tab.types("/masis link handbook")
    tab.presses("Link", tab.form)

    tab.reads("shared with another organisation", tab.form)


def test_a_file_in_the_channel_becomes_a_document_that_is_cited(tab: Tab) -> None:
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


def test_two_people_ask_at_once_and_each_sees_the_others_answer(opened: Open) -> None:
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
