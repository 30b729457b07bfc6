"""Tables and charts as the page draws them, of every kind and at their limits."""

from collections.abc import Iterator
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from playwright.sync_api import Error, expect

from tests.browser.played import page_with
from tests.browser.tab import Tab

SITES = {"Kettering": 1200, "Falkirk": 90, "Deventer": 430}
QUARTERS = ("Q1", "Q2", "Q3", "Q4")


def raw(words: str) -> dict[str, Any]:
    return {"type": "raw_text", "text": words}


def number(value: int) -> dict[str, Any]:
    return {"type": "raw_number", "value": value, "text": f"{value:,}"}


def chart(kind: str) -> dict[str, Any]:
    points = [{"label": quarter, "value": 100 + 7 * at} for at, quarter in enumerate(QUARTERS)]
    return {
        "type": "data_visualization",
        "block_id": kind,
        "title": f"Pumps a quarter, {kind}",
        "chart": {
            "type": kind,
            "series": [{"name": "Kettering", "data": points}],
            "axis_config": {
                "categories": list(QUARTERS),
                "x_label": "Quarter",
                "y_label": "Pumps",
            },
        },
    }


PIE = {
    "type": "data_visualization",
    "block_id": "pie",
    "title": "Pumps a site",
    "chart": {
        "type": "pie",
        "segments": [{"label": site, "value": count} for site, count in SITES.items()],
    },
}
TABLE = {
    "type": "data_table",
    "block_id": "data",
    "caption": "Pumps by site",
    "page_size": 2,
    "row_header_column_index": 0,
    "rows": [
        [raw("Site"), raw("Pumps")],
        *([raw(site), number(count)] for site, count in SITES.items()),
    ],
}
CHARTS = ("bar", "line", "area")


@pytest.fixture
def url(portal: BlockingPortal) -> Iterator[str]:
    """The page without a bot, on which these blocks have been posted."""
    with portal.wrap_async_context_manager(
        page_with([TABLE, PIE, *(chart(kind) for kind in CHARTS)])
    ) as address:
        yield address


def test_table_is_paged_and_sorted(tab: Tab) -> None:
    """A table is read by pages and sorted by figures."""
    table = tab.channel.get_by_role("figure", name="Pumps by site")
    rows = table.get_by_role("rowheader")
    expect(rows).to_have_text(["Kettering", "Falkirk"])

    table.get_by_role("button", name="Next").click()
    expect(rows).to_have_text(["Deventer"])

    table.get_by_role("button", name="Back").click()
    table.get_by_role("columnheader", name="Pumps").get_by_role("button").click()
    expect(rows).to_have_text(["Falkirk", "Deventer"])


@pytest.mark.parametrize("title", ["Pumps a site", *(f"Pumps a quarter, {k}" for k in CHARTS)])
def test_chart_reads_as_a_table(tab: Tab, title: str) -> None:
    """A chart is drawn and can be read as a table."""
    figure = tab.channel.get_by_role("figure").filter(has_text=title)
    expect(figure.locator("svg").first).to_be_visible()

    figure.get_by_role("button", name="Show as table").click()

    expect(figure.get_by_role("table")).to_be_visible()
    expect(figure.get_by_role("table")).to_contain_text("Kettering")


def test_external_request_would_be_noticed(tab: Tab) -> None:
    """A request to another machine would be noticed."""
    with pytest.raises(Error, match="ERR_NAME_NOT_RESOLVED"):
        tab.page.goto("http://masis.example/")

    assert "http://masis.example/" in tab.trouble()
    tab.foreign.clear()


def test_axe_passes_for_tables_and_charts(tab: Tab, axe: str) -> None:
    """Axe finds no flaw in tables and charts."""
    expect(tab.channel.get_by_role("figure")).to_have_count(2 + len(CHARTS))
    assert tab.flaws(axe) == []
