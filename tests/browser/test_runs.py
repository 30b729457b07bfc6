"""Runs with a model service that tests hold up: reload, Slack's own Stop, and long answers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal
from playwright.sync_api import expect

from tests.browser.played import playground
from tests.browser.tab import Tab
from tests.openai_server import KEY, MODELS, OpenAIServer
from tests.walks.office import Held, writes

TENDER = "When does Northmoor's framework tender for dosing equipment open?"
CLAIM = "The framework tender for dosing equipment opens in the autumn"
LONG = "\n\n".join([f"{CLAIM} [1]."] * 220)
"""More than one message takes."""


@pytest.fixture
def service(portal: BlockingPortal) -> Iterator[OpenAIServer]:
    """A model service on this machine."""
    with portal.wrap_async_context_manager(OpenAIServer()) as server:
        yield server


@pytest.fixture
def url(data: Path, service: OpenAIServer) -> Iterator[str]:
    """A playground whose bot writes with that service."""
    models = {f"MASIS_{role.upper()}_MODEL": model for role, model in MODELS.items()}
    reached = {"MASIS_MODEL_BASE_URL": service.url, "MASIS_MODEL_API_KEY": KEY}
    with playground(
        data, MASIS_AGENTS="model", MASIS_MODEL_CALLS_PER_MINUTE="1000", **models, **reached
    ) as address:
        yield address


@pytest.fixture
def held(portal: BlockingPortal, service: OpenAIServer) -> Iterator[Held]:
    """The writer's next draft, which waits until it is let go."""
    draft = portal.call(Held, writes(f"{CLAIM} [1]."))
    service.will("writer", draft)
    yield draft
    portal.call(draft.go.set)


def test_reload_during_run_keeps_thread(tab: Tab, portal: BlockingPortal, held: Held) -> None:
    """A page that is loaded anew in the middle of a run finds its thread and its answer."""
    tab.asks(TENDER)
    portal.call(held.asked.wait)

    tab.page.reload()
    tab.thread.locator(".plan").wait_for()
    expect(tab.votes).to_have_count(0)
    portal.call(held.go.set)

    tab.answered()
    tab.reads(CLAIM)


def test_chat_stop_button_ends_run(tab: Tab, portal: BlockingPortal, held: Held) -> None:
    """The stop of the chat itself ends a run."""
    tab.asks(TENDER)
    portal.call(held.asked.wait)

    tab.presses("Stop", tab.thread.get_by_role("status"))

    tab.reads("Stopped by @Owen")
    expect(tab.thread.get_by_role("textbox").last).to_be_focused()
    expect(tab.votes).to_have_count(0)


def test_long_answer_parts_keep_every_claim(tab: Tab, service: OpenAIServer) -> None:
    """A long answer stands in parts with every claim."""
    service.will("writer", writes(LONG))

    tab.asks(TENDER)
    tab.answered()

    tab.reads("Part 1 of 2")
    tab.reads("Part 2 of 2")
    assert tab.thread.inner_text().count(CLAIM) == LONG.count(CLAIM)
