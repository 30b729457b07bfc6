import json

import pytest

from bot.playground.page import live
from bot.playground.page.contract import Reply, State
from bot.playground.page.page_models import Readiness
from bot.playground.page.page_server import Page
from bot.playground.page.scene import Scene
from bot.playground.slack.world import Said
from tests.bot.playground.page.browser import tab
from tests.bot.playground.small_bot import SmallBot


async def test_tab_receives_state_then_changes(page: Page, scene: Scene) -> None:
    """A tab is told everything then what changes."""
    async with tab(page) as browser:
        await browser.hello()
        assert browser.state is not None
        assert browser.state.you == scene.asker.id
        message = scene.slack.world.post(scene.linked, Said(text="Hi", user_id=scene.admin.id))
        seen = await browser.until("message", ts=message.ts)
        assert (seen.text, seen.user) == ("Hi", scene.admin.id)
        scene.becomes(Readiness(phase="reading", done=1, total=3, words="Reading"))
        assert (await browser.until("ready", phase="reading")).done == 1


async def test_returning_tab_resumes_its_changes(page: Page, scene: Scene) -> None:
    """A tab that comes back goes on where it was."""
    async with tab(page) as browser:
        await browser.hello()
    state = browser.state
    assert state is not None
    message = scene.slack.world.post(scene.linked, Said(text="Missed", user_id=scene.admin.id))

    async with tab(page) as browser:
        await browser.hello(person=state.you, epoch=state.epoch, seq=state.seq)
        assert browser.state is None
        assert (await browser.until("message", ts=message.ts)).text == "Missed"
        assert browser.seq > state.seq


@pytest.mark.parametrize("changed", [{"epoch": "another"}, {"seq": 10**6}, {"person": "U1"}])
async def test_unresumable_tab_receives_everything(
    page: Page, changed: dict[str, str | int]
) -> None:
    """A tab that cannot go on is told everything."""
    async with tab(page) as browser:
        await browser.hello()
    state = browser.state
    assert state is not None
    told = {"person": state.you, "epoch": state.epoch, "seq": state.seq} | changed

    async with tab(page) as browser:
        await browser.hello(**told)
        assert browser.state is not None


async def test_tab_fallen_behind_receives_everything(
    page: Page, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tab that fell behind is told everything."""
    monkeypatch.setattr(live, "GATHER_S", 0.1)
    async with tab(page) as browser:
        await browser.hello()
        for number in range(2_100):
            scene.slack.world.post(scene.linked, Said(text=str(number), user_id=scene.admin.id))
        frame = await browser.hears()
        assert isinstance(frame, State)
        assert len([m for m in frame.messages if m.channel == scene.linked.id]) == 500
        assert next(c for c in frame.channels if c.id == scene.linked.id).earlier


async def test_a_tab_becomes_somebody_else(page: Page, scene: Scene) -> None:
    async with tab(page) as browser:
        await browser.hello()
        await browser.hello(person=scene.guest.id)
        assert browser.state is not None
        assert browser.state.you == scene.guest.id
        lunch = next(c for c in scene.slack.world.channels.values() if c.name == "lunch")
        assert (await browser.does("say", channel=lunch.id, text="Hi")).ok is False


@pytest.mark.parametrize(
    "said",
    [
        "",
        "[]",
        "{",
        json.dumps({"type": "read", "id": 1, "channel": "C1", "ts": "1.1"}),
        json.dumps({"type": "hello", "more": 1}),
        "[" * 100_000,
    ],
)
async def test_tab_without_hello_is_closed(page: Page, said: str) -> None:
    """Who does not say hello is sent away."""
    async with tab(page) as browser:
        await browser.socket.send_str(said)
        assert await browser.closed() == 1008


async def test_oversized_frame_closes_the_tab(page: Page) -> None:
    """A frame that is too long ends the tab."""
    async with tab(page) as browser:
        await browser.hello()
        await browser.socket.send_str(" " * 256_001)
        assert await browser.closed() == 1009


async def test_binary_frames_are_no_words(page: Page) -> None:
    async with tab(page) as browser:
        await browser.hello()
        await browser.socket.send_bytes(b"{}")
        assert await browser.closed() == 1008


async def test_unknown_action_keeps_tab_open(page: Page) -> None:
    """A deed that is not understood is answered and the tab goes on."""
    async with tab(page) as browser:
        await browser.hello()
        assert (await browser.does("dance")).error == live.NOT_UNDERSTOOD
        assert (await browser.does("say", channel="C1", html="<b>")).error == live.NOT_UNDERSTOOD


async def test_excess_tabs_and_actions_are_refused(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many tabs and too many deeds are refused."""
    monkeypatch.setattr(live, "MOST_TABS", 1)
    monkeypatch.setattr(live, "AT_ONCE", 2)
    async with tab(page) as browser:
        await browser.hello()
        async with tab(page) as another:
            assert await another.closed() == 1013
        # The bot has not started, so both wait.
        for number in (101, 102):
            home = {"type": "home", "id": number, "tab": "home"}
            await browser.socket.send_json(home)
        told = await browser.does("home", tab="home")
        assert told.error == live.TOO_FAST


async def test_action_finishes_after_tab_closes(page: Page, scene: Scene, bot: SmallBot) -> None:
    """What was begun goes on when its tab is closed."""
    async with tab(page) as browser:
        await browser.hello()
        said = {"type": "say", "id": 1, "channel": scene.linked.id, "text": "@MASIS and then?"}
        await browser.socket.send_json(said)
    await scene.slack.until(lambda: "app_mention" in [e["type"] for e in bot.events])


async def test_people_see_each_other_live(page: Page, scene: Scene, bot: SmallBot) -> None:
    """Two people see each other at once."""
    async with tab(page) as one, tab(page) as other:
        await one.hello()
        await other.hello(person=scene.admin.id)
        told = await one.does("say", channel=scene.linked.id, text="Hello <b>&")
        assert told.ok
        seen = await other.until("message", ts=told.ts)
        assert seen.text == "Hello &lt;b&gt;&amp;"
        assert await other.does("read", channel=scene.linked.id, ts=told.ts) == Reply(id=1, ok=True)
        assert (await other.until("channel", id=scene.linked.id)).read_ts == told.ts
    assert bot.events
