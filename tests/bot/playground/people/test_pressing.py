from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from bot.playground.server import Playground
from bot.playground.slack.interactions import CannotDo, Exactly, find, values
from tests.bot.playground.small_bot import FORM, answered, button, client, plain, section, served


async def test_signed_command_is_answered_privately(
    slack: Playground,
) -> None:
    """A command is signed acknowledged and answered to one person."""
    alice, bob = slack.person("alice"), slack.person("bob")
    general = slack.channel("general", alice, bob)
    async with served(slack) as bot:
        did = await alice.slash("/masis", "how <many> & @MASIS?", general)

    app = slack.installation.bot_user_id
    assert did.status == 200
    assert bot.bodies[0]["text"] == f"how &lt;many&gt; &amp; <@{app}>?"
    assert alice.reads(general) == ["On it: how <many> & @MASIS?"]
    assert bob.reads(general) == []


async def test_button_opens_a_form(slack: Playground) -> None:
    """A button opens a form that can be refused and sent."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    async with served(slack):
        did = await alice.says(general, "@MASIS how many?")
        assert did.message is not None
        answer = await answered(slack, general, did.message)
        await alice.clicks(answer, "More")
        await slack.until(lambda: alice.modal)
        assert alice.reads_modal() == (
            "== Ask ==\nQuestion: <plain_text_input>\nWhere: <conversations_select>\n[Send]"
        )
        did = await alice.submits({"Question": "bad"})
        assert (did.errors, alice.modal is None) == ({"question": "Ask better"}, False)
        await alice.submits({"typed": "good"})
        await slack.until(lambda: "You asked: good" in alice.reads(general))

    assert alice.modal is None


async def test_incomplete_form_cannot_be_sent(slack: Playground) -> None:
    """A form that lacks something cannot be sent."""
    alice = slack.person("alice")
    slack.world.open_view(slack.world.new_view(alice.user, slack.installation, FORM))

    with pytest.raises(CannotDo, match="“Question” must be filled in"):
        await alice.submits({})
    with pytest.raises(CannotDo, match="no input"):
        await alice.submits({"Question": "a", "channel": "C1", "colour": "red"})


async def test_form_files_go_only_to_app(slack: Playground) -> None:
    """A form gives its files to the app and nobody elses."""
    alice = slack.person("alice")
    given, kept = alice.file("a.md", b"# A"), alice.file("b.md", b"# B")
    field = {"type": "file_input", "action_id": "files"}
    block = {"type": "input", "label": {"type": "plain_text", "text": "Files"}, "element": field}
    form = {**FORM, "blocks": [block]}
    slack.world.open_view(slack.world.new_view(alice.user, slack.installation, form))
    async with served(slack):
        await alice.submits({"Files": [given.json()]})

    assert (await client(slack).files_info(file=given.id))["file"]["name"] == "a.md"
    with pytest.raises(SlackApiError, match="file_not_found"):
        await client(slack).files_info(file=kept.id)


async def test_closing_is_sent_when_requested(slack: Playground) -> None:
    """Closing is told to an app that asked for it."""
    alice = slack.person("alice")
    slack.world.open_view(slack.world.new_view(alice.user, slack.installation, FORM))
    async with served(slack) as bot:
        assert (await alice.closes()).status == 200

    assert bot.bodies[0]["type"] == "view_closed"
    with pytest.raises(CannotDo, match="no form open"):
        await alice.closes()


async def test_missing_element_cannot_be_pressed(slack: Playground) -> None:
    """What is not there cannot be pressed."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    blocks = [section("Hm"), {"type": "actions", "elements": [button("More", "more")]}]
    posted = await client(slack).chat_postMessage(channel=general.id, text="a", blocks=blocks)
    message = general.messages[str(posted["ts"])]

    with pytest.raises(CannotDo, match=r"“Less”; there is \['More'\]"):
        await alice.clicks(message, "Less")


async def test_vote_and_menu_match_slack(slack: Playground) -> None:
    """A vote and a menu are told as slack tells them."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    feedback = {
        "type": "feedback_buttons",
        "action_id": "vote",
        "positive_button": {"text": plain("Good"), "value": "up"},
        "negative_button": {"text": plain("Bad"), "value": "down"},
    }
    menu = {
        "type": "static_select",
        "action_id": "pick",
        "options": [{"text": plain("Pumps"), "value": "w1"}],
    }
    blocks = [
        {"type": "context_actions", "elements": [feedback]},
        section("Which?", accessory=menu),
    ]
    posted = await client(slack).chat_postMessage(channel=general.id, text="a", blocks=blocks)
    message = general.messages[str(posted["ts"])]
    async with served(slack) as bot:
        await alice.clicks(message, "Bad")
        await alice.clicks(message, "pick", "Pumps")

    voted, picked = (body["actions"][0] for body in bot.bodies if "actions" in body)
    assert (voted["type"], voted["value"]) == ("feedback_buttons", "down")
    assert picked["selected_option"]["value"] == "w1"


async def test_a_shortcut_carries_the_message(slack: Playground) -> None:
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    async with served(slack) as bot:
        said = await alice.says(general, "we sold 12 pumps")
        assert said.message is not None
        did = await alice.shortcut("ask_about", said.message)

    assert did.status == 200
    assert bot.bodies[-1]["message"]["text"] == "we sold 12 pumps"


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ({}, []),
        ({"response_action": "clear"}, []),
        ({"response_action": "update", "view": {**FORM, "title": plain("Second")}}, ["Second"]),
        ({"response_action": "push", "view": {**FORM, "title": plain("Above")}}, ["Ask", "Above"]),
        ({"response_action": "update", "view": {**FORM, "title": plain("a" * 25)}}, ["Ask"]),
    ],
    ids=["closed", "cleared", "updated", "pushed", "refused"],
)
async def test_form_goes_where_app_directs(
    slack: Playground, answer: dict[str, Any], left: list[str]
) -> None:
    """A form goes where the app says."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    slack.world.open_view(
        slack.world.new_view(alice.user, slack.installation, FORM, opened_in=general.id)
    )
    async with served(slack) as bot:
        bot.form_answer = answer
        did = await alice.submits({"Question": "anything"})

    stack = slack.world.modals[alice.id]
    assert [view.content["title"]["text"] for view in stack] == left
    assert bool(did.trouble) == (left == ["Ask"])


async def test_form_choice_is_kept(slack: Playground) -> None:
    """What is chosen in a form stays chosen."""
    alice = slack.person("alice")
    menu = {
        "type": "static_select",
        "action_id": "pick",
        "options": [{"text": plain("Pumps"), "value": "w1"}],
    }
    boxes = {
        "type": "checkboxes",
        "action_id": "box",
        "options": [{"text": plain("Guests"), "value": "g"}, {"text": plain("Bots"), "value": "b"}],
    }
    blocks = [section("Which?", accessory=menu), {"type": "actions", "elements": [boxes]}]
    form = {**FORM, "blocks": [*FORM["blocks"], *blocks]}
    view = slack.world.new_view(alice.user, slack.installation, form)
    slack.world.open_view(view)
    async with served(slack) as bot:
        bot.form_answer = {}
        await alice.clicks(view, "pick", "Pumps")
        with pytest.raises(CannotDo, match="no option “Valves”"):
            await alice.clicks(view, "pick", "Valves")
        await alice.submits({"Question": "a", "channel": "C1", "box": ["Guests", "b"]})

    held = bot.bodies[-1]["view"]["state"]["values"]
    found = {name: state for block in held.values() for name, state in block.items()}
    assert found["pick"]["selected_option"]["value"] == "w1"
    assert [one["value"] for one in found["box"]["selected_options"]] == ["g", "b"]


def looked_up(**more: Any) -> dict[str, Any]:
    return {"type": "external_select", "placeholder": plain("Which?"), **more}


async def test_menu_loads_options_from_app(slack: Playground) -> None:
    """A menu asks the app for what it offers."""
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    async with served(slack) as bot:

        @bot.app.options("which")
        async def _offered(ack: Any, body: dict[str, Any]) -> None:
            await ack(options=[{"text": plain(body["value"].upper()), "value": "v1"}])

        bot.app.action("which")(bot._acknowledge)
        posted = await client(slack).chat_postMessage(
            channel=general.id,
            text="Pick",
            blocks=[section("Pick", block_id="b", accessory=looked_up(action_id="which"))],
        )
        message = general.messages[posted["ts"]]
        menu = Exactly("b", "which")
        offered = await alice.asks_options(message, menu, "leave")
        await alice.clicks(message, menu, offered["options"][0])

    assert offered["options"] == [{"text": plain("LEAVE"), "value": "v1"}]
    asked, chosen = bot.bodies[-2:]
    assert (asked["type"], asked["value"]) == ("block_suggestion", "leave")
    assert chosen["actions"][0]["selected_option"] == offered["options"][0]


def test_elements_are_found_by_both_ids() -> None:
    """Elements are found by both their ids."""
    votes = {
        "type": "feedback_buttons",
        "action_id": "vote",
        "positive_button": {"text": plain("Good"), "value": "good"},
        "negative_button": {"text": plain("Bad"), "value": "bad"},
    }
    blocks = [
        {"type": "actions", "block_id": "a", "elements": [button("One", "same")]},
        {"type": "actions", "block_id": "b", "elements": [button("Two", "same")]},
        {"type": "context_actions", "block_id": "c", "elements": [votes]},
    ]

    assert find(blocks, Exactly("b", "same", "1")).button["text"]["text"] == "Two"
    assert find(blocks, Exactly("c", "vote", "bad")).button["value"] == "bad"
    with pytest.raises(CannotDo, match="not there any more"):
        find(blocks, Exactly("c", "vote"))


async def test_form_fields_use_both_ids(slack: Playground) -> None:
    """A form may be cleared and is filled in by both ids."""
    option = {"text": plain("One"), "value": "1"}
    menu = {"type": "static_select", "action_id": "x", "options": [option]}
    blocks = [
        {
            "type": "input",
            "block_id": name,
            "label": plain("L"),
            "optional": True,
            "element": {**menu, "initial_option": option},
        }
        for name in ("b1", "b2")
    ]
    alice = slack.person("alice")
    view = slack.world.new_view(alice.user, slack.installation, {"type": "modal", "blocks": blocks})

    held = values(view, {("b2", "x"): ""})

    assert held["b1"]["x"]["selected_option"] == option
    assert held["b2"]["x"]["selected_option"] is None
