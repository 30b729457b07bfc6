from typing import Any

import pytest

from bot.playground.page import page_actions
from bot.playground.page.page_models import Readiness
from bot.playground.page.page_server import Page
from bot.playground.page.scene import Scene
from bot.playground.slack.world import Said
from tests.bot.playground.page.browser import Browser, tab
from tests.bot.playground.small_bot import SmallBot, button, plain


async def answered(browser: Browser, scene: Scene) -> Any:
    """The app's answer to a mention."""
    told = await browser.does("say", channel=scene.linked.id, text="@MASIS how many?")
    return await browser.until("message", thread_ts=told.ts)


async def test_command_is_answered_privately(page: Page, scene: Scene, bot: SmallBot) -> None:
    """A command is answered to who typed it."""
    async with tab(page) as browser, tab(page) as other:
        await browser.hello()
        await other.hello(person=scene.admin.id)
        told = await browser.does(
            "command", channel=scene.linked.id, command="/masis", text="how many?"
        )
        note = await browser.until("message", ts=told.ts)
        wrong = await browser.does("command", channel=scene.linked.id, command="/giphy", text="")
        await other.does("home")
    assert (note.text, note.private, note.from_app) == ("On it: how many?", True, True)
    assert wrong.error == "/giphy is not a valid command."
    assert all(change.kind != "message" for change in other.told)
    assert bot.bodies[0]["user_id"] == scene.asker.id


async def test_refused_form_is_corrected(page: Page, scene: Scene, bot: SmallBot) -> None:
    """A button opens a form that is refused mended and sent."""
    async with tab(page) as browser:
        await browser.hello()
        answer = await answered(browser, scene)
        (element,) = answer.blocks[1]["elements"]
        at = {"channel": answer.channel, "ts": answer.ts}
        ids = {"block_id": answer.blocks[1]["block_id"], "action_id": element["action_id"]}
        assert (await browser.does("press", at=at, **ids)).ok
        while not (opened := scene.asker.modal):
            await browser.hears()
        empty = await browser.does("submit", view=opened.id)
        assert empty.error == "“Question” must be filled in."
        typed = {"question": {"typed": "bad"}}
        bad = await browser.does("submit", view=opened.id, values=typed)
        assert (bad.ok, bad.fields) == (False, {"question": "Ask better"})
        typed = {"question": {"typed": "how many?"}}
        assert (await browser.does("submit", view=opened.id, values=typed)).ok
        gone = await browser.does("submit", view=opened.id, values=typed)
    assert gone.error == page_actions.NOT_ON_TOP
    assert scene.asker.reads(scene.linked)[-1] == "You asked: how many?"
    assert bot.bodies


async def test_invalid_input_value_is_refused(page: Page, scene: Scene, bot: SmallBot) -> None:
    """What does not fit an input is refused."""
    assert bot
    blocks = [
        {
            "type": "input",
            "block_id": "b",
            "label": plain("Files"),
            "element": {"type": "file_input", "action_id": "f"},
        }
    ]
    content = {"type": "modal", "callback_id": "form", "title": plain("T"), "blocks": blocks}
    view = scene.slack.world.new_view(scene.asker.user, scene.slack.installation, content)
    scene.slack.world.open_view(view)
    others = scene.admin.file("a.md", b"x")
    async with tab(page) as browser:
        await browser.hello()
        one = await browser.does("submit", view=view.id, values={"b": {"f": "F1"}})
        theirs = await browser.does("submit", view=view.id, values={"b": {"f": [others.id]}})
        closed = await browser.does("close", view=view.id)
    assert one.error == "That is no choice of this menu."
    assert theirs.error == page_actions.NO_FILE
    assert closed.ok
    assert scene.asker.modal is None


async def test_reactions_home_and_shortcuts_reach_app(
    page: Page, scene: Scene, bot: SmallBot
) -> None:
    """Reactions home and shortcuts go the way of slack."""
    message = next(iter(scene.linked.messages.values()))
    at = {"channel": scene.linked.id, "ts": message.ts}
    async with tab(page) as browser:
        await browser.hello()
        for _ in range(2):
            assert (await browser.does("react", **at, name="eyes")).ok
        assert message.reactions == {"eyes": [scene.asker.id]}
        assert (await browser.does("react", **at, name="eyes", take_back=True)).ok
        assert message.reactions == {}
        assert (await browser.does("home")).ok
        assert (await browser.until("home")).blocks[0]["text"]["text"] == "Nothing linked yet"
        assert (await browser.does("shortcut", **at, callback_id="ask_about")).ok
        unknown = await browser.does("shortcut", **at, callback_id="nothing")
    assert unknown.error == page_actions.WRONG
    assert bot.bodies[-1]["callback_id"] == "nothing"


async def test_working_agent_can_be_stopped(page: Page, scene: Scene, bot: SmallBot) -> None:
    """An agent that works is shown and stopped."""
    async with tab(page) as browser:
        await browser.hello()
        answer = await answered(browser, scene)
        place = {"channel_id": answer.channel, "thread_ts": answer.thread_ts}
        await bot.client.api_call(
            "agents.sessions.setStatus", json={**place, "status": "processing", "title": "T"}
        )
        session = await browser.until("session", status="processing")
        assert session.can_stop
        stopping = {"channel": answer.channel, "thread_ts": answer.thread_ts}
        assert (await browser.does("stop", **stopping)).ok
        assert bot.events[-1]["type"] == "agent_session_stopped"
        nothing = await browser.does("stop", channel=answer.channel, thread_ts="1.000001")
    assert nothing.ok is False


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("say", {"channel": "C9", "text": "Hi"}),
        ("react", {"channel": "C9", "ts": "1.1", "name": "eyes"}),
        ("press", {"at": {"view": "V9"}, "block_id": "b", "action_id": "a"}),
        ("options", {"at": {"channel": "C9", "ts": "1.1"}, "block_id": "b", "action_id": "a"}),
    ],
)
async def test_missing_thing_is_reported_gone(
    page: Page, bot: SmallBot, kind: str, said: dict[str, Any]
) -> None:
    """What is not there is said to be gone."""
    assert bot
    async with tab(page) as browser:
        await browser.hello()
        assert (await browser.does(kind, **said)).error == page_actions.NOT_SEEN


async def test_nobody_presses_on_what_others_see(page: Page, scene: Scene, bot: SmallBot) -> None:
    world = scene.slack.world
    block = {"type": "actions", "block_id": "b", "elements": [button("More", "more")]}
    told = Said(text="t", blocks=[block], bot_id=scene.slack.installation.bot_id)
    note = world.whisper(scene.linked, scene.admin.id, told)
    at = {"channel": scene.linked.id, "ts": note.ts}
    async with tab(page) as browser:
        await browser.hello()
        pressed = await browser.does("press", at=at, block_id="b", action_id="more")
    assert pressed.error == page_actions.NOT_SEEN
    assert bot.bodies == []


async def test_failed_bot_start_reaches_waiters(page: Page, scene: Scene) -> None:
    """A bot that does not start is said to whoever waits for it."""
    async with tab(page) as browser:
        await browser.hello()
        scene.becomes(Readiness(phase="failed", done=0, total=0, words="No"))
        assert (await browser.does("home")).error == page_actions.NOT_READY
