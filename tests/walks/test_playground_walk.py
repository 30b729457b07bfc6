"""The playground with the real bot: the conversation as text, and a browser's websocket."""

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.playground import running, samples
from bot.playground.library import Load
from bot.playground.page.page_models import Message, View
from bot.playground.page.page_server import Page
from bot.playground.page.scene import opening, stand_in
from bot.playground.playing import Playing
from bot.playground.running import bot_in
from bot.serve import slack_bot
from bot.settings import Settings, load
from masis.conversation import Tenant
from tests.bot.playground.page.browser import Browser, tab
from tests.bot.program import HANDBOOK, write

LEAVE = "How many days of annual leave does every employee have?"
SICK = "and when is a doctor's note needed?"
LAPTOP = "How soon must a lost laptop be reported?"
CUP = "Who won the cup final in 1966?"
QUESTIONS = [
    {"shows": "One document knows", "question": LEAVE, "then": [SICK, LAPTOP, "thanks!"]},
    {"shows": "Nobody wrote it down", "question": CUP, "reply": LEAVE},
]


@pytest.fixture(autouse=True)
def _small_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = tmp_path / "sample"
    write(sample / "docs", {name: HANDBOOK[name] for name in ("leave.md", "it/laptops.txt")})
    (sample / "demo.json").write_text(json.dumps(QUESTIONS), encoding="utf-8")
    monkeypatch.setattr(samples, "SAMPLE", sample)
    # Posts a second, and the time between two looks at the progress, are for who reads along.
    monkeypatch.setattr("bot.slack.client.pacing.POSTS_PER_CHANNEL_S", 100.0)
    monkeypatch.setattr(running, "slack_bot", partial(slack_bot, every=0.01))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder, in which the first walk leaves the sample to the second."""
    return tmp_path_factory.mktemp("playground")


@pytest.fixture
def at(data: Path) -> Load:
    """Loads settings for that folder."""

    def loaded(**overrides: object) -> Settings:
        given = {"data_dir": data, "embedding_threads": 1, "agents": "offline"}
        return load(Path("no.env"), **(given | overrides))

    return loaded


async def test_whole_conversation_runs_as_text(at: Load, data: Path) -> None:
    """One whole conversation is held as text."""
    said: list[str] = []
    noted: list[str] = []
    await Playing(at, noted.append).oneshot(said.append)

    told = "\n".join(said)
    for part in (
        "1. One document knows",
        f"> Owen in #handbook: /masis {LEAVE}",
        "▸ Search",
        "26 days of annual leave a year [1]",
        "🟢 High",
        f"> Owen in the thread: {SICK}",
        "eighth day on",
        f"> Owen in the thread: {LAPTOP}",
        "within 2 hours",
        "(only to Owen): You are welcome.",
        "2. Nobody wrote it down",
        "nothing close enough to your question",
        f"> Owen in the thread: {LEAVE}",
        "Guests cannot use MASIS here",
        "This channel is not linked to a workspace yet",
        "> Denise in #lunch: /masis link handbook",
        "#lunch now asks the workspace “handbook” (2 documents)",
        "(Done · 1 pass)",
    ):
        assert part in told
    assert told.count("🟢 High") == 5, "a question that a reply asks anew is judged by itself"
    assert told.count("🟡 Medium") == 0
    assert noted[-1] == "MASIS is ready."
    assert list((data / "playground" / "worlds").iterdir()) == []


async def test_browser_completes_a_whole_visit(
    at: Load,
) -> None:
    """A browser asks reads how it was made votes adds a file and is refused elsewhere."""
    async with stand_in() as slack:
        scene = opening(slack)
        async with Page(scene) as page, tab(page) as browser:
            await browser.hello()
            # What is said before the bot is there waits for it.
            asking = asyncio.create_task(
                browser.does("command", channel=scene.linked.id, command="/masis", text=LEAVE)
            )
            async with bot_in(scene, at) as bot:
                assert (await asking).ok
                quotas = await bot.services.settings.of(Tenant(team=slack.team.id))
                assert quotas.user_per_minute >= 30  # who tries it presses everything at once
                answer = await posted(browser, "🟢 High")
                await press(browser, answer, "masis_audit")
                audit = await shown(browser, "Looked at")
                assert (await browser.does("close", view=audit.id)).ok
                await press(browser, answer, "masis_feedback", half="positive_button")
                await posted(browser, "Thank")

                await browser.hello(person=scene.admin.id)
                _, made = await browser.uploads(
                    "parking.md", b"# Parking\n\nThe gate code is 4711."
                )
                told = await browser.does(
                    "say", channel=scene.linked.id, text="New", files=[made["id"]]
                )
                at_file = {"channel": scene.linked.id, "ts": told.ts}
                await browser.does("shortcut", **at_file, callback_id="masis_add_files")
                await posted(browser, "1 added")

                elsewhere = {"channel": scene.shared.id, "command": "/masis"}
                await browser.does("command", **elsewhere, text=LEAVE)
                await posted(browser, "shared with another organisation, so I do not answer")
            await browser.hello()


def texts(blocks: Any) -> str:
    return json.dumps(blocks, ensure_ascii=False)


async def posted(browser: Browser, words: str) -> Message:
    """Wait for a message that says that."""
    while True:
        for change in reversed(browser.told):
            if change.kind == "message" and words in change.message.text + texts(
                change.message.blocks
            ):
                return change.message
        await browser.hears()


async def shown(browser: Browser, words: str) -> View:
    """Wait for a form that says that."""
    while True:
        for change in browser.told:
            if change.kind == "modals" and words in texts([v.blocks for v in change.modals]):
                return change.modals[-1]
        await browser.hears()


async def press(browser: Browser, message: Message, action: str, half: str = "") -> None:
    """Press what has that action id."""
    for block in message.blocks:
        for element in block.get("elements") or []:
            if str(element.get("action_id")).startswith(action):
                value = element[half]["value"] if half else None
                at = {"channel": message.channel, "ts": message.ts}
                ids = {"block_id": block["block_id"], "action_id": element["action_id"]}
                reply = await browser.does("press", at=at, **ids, value=value)
                assert reply.ok, reply.error
                return
    raise AssertionError(f"no {action} in {texts(message.blocks)}")
