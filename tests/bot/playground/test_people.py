import asyncio
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from bot.playground.interactions import CannotDo, Exactly, find, values
from bot.playground.server import Playground
from bot.playground.state import Channel, Message
from bot.playground.world import Said
from tests.bot.playground.small_bot import FORM, button, client, plain, refused, section, served


async def answered(slack: Playground, channel: Channel, root: Message) -> Message:
    return (await slack.until(lambda: channel.replies(root.ts)))[0]


async def test_a_command_is_signed_acknowledged_and_answered_to_one_person(
    slack: Playground,
) -> None:
    alice, bob = slack.person("alice"), slack.person("bob")
    general = slack.channel("general", alice, bob)
    async with served(slack) as bot:
        did = await alice.slash("/masis", "how <many> & @MASIS?", general)

    app = slack.installation.bot_user_id
    assert did.status == 200
    assert bot.bodies[0]["text"] == f"how &lt;many&gt; &amp; <@{app}>?"
    assert alice.reads(general) == ["On it: how <many> & @MASIS?"]
    assert bob.reads(general) == []


async def test_a_mention_reaches_the_app_as_two_events_and_its_answer_the_thread(
    slack: Playground,
) -> None:
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    async with served(slack) as bot:
        did = await alice.says(general, "@MASIS how many?")
        assert did.message is not None
        await answered(slack, general, did.message)
        await slack.settled()

    assert [ack.status for ack in did.acks] == [200, 200]
    assert [e["type"] for e in bot.events[:2]] == ["message", "app_mention"]
    assert slack.transcript(general) == (
        "#general\nAlice: @MASIS how many?\n    MASIS: An answer for @Alice\n        [More]"
    )


async def test_a_button_opens_a_form_that_can_be_refused_and_sent(slack: Playground) -> None:
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


async def test_a_form_that_lacks_something_cannot_be_sent(slack: Playground) -> None:
    alice = slack.person("alice")
    slack.world.open_view(slack.world.new_view(alice.user, slack.installation, FORM))

    with pytest.raises(CannotDo, match="“Question” must be filled in"):
        await alice.submits({})
    with pytest.raises(CannotDo, match="no input"):
        await alice.submits({"Question": "a", "channel": "C1", "colour": "red"})


async def test_a_form_gives_its_files_to_the_app_and_nobody_elses(slack: Playground) -> None:
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


async def test_closing_is_told_to_an_app_that_asked_for_it(slack: Playground) -> None:
    alice = slack.person("alice")
    slack.world.open_view(slack.world.new_view(alice.user, slack.installation, FORM))
    async with served(slack) as bot:
        assert (await alice.closes()).status == 200

    assert bot.bodies[0]["type"] == "view_closed"
    with pytest.raises(CannotDo, match="no form open"):
        await alice.closes()


async def test_what_is_not_there_cannot_be_pressed(slack: Playground) -> None:
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    blocks = [section("Hm"), {"type": "actions", "elements": [button("More", "more")]}]
    posted = await client(slack).chat_postMessage(channel=general.id, text="a", blocks=blocks)
    message = general.messages[str(posted["ts"])]

    with pytest.raises(CannotDo, match=r"“Less”; there is \['More'\]"):
        await alice.clicks(message, "Less")


async def test_a_vote_and_a_menu_are_told_as_slack_tells_them(slack: Playground) -> None:
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


async def test_the_home_tab_is_published(slack: Playground) -> None:
    alice = slack.person("alice")
    async with served(slack):
        await alice.opens_home()
        await slack.until(lambda: alice.home)

    assert alice.reads_home() == "== Home ==\nNothing linked yet"


async def test_edits_deletions_previews_and_other_bots_are_events_of_their_kind(
    slack: Playground,
) -> None:
    alice, robot = slack.person("alice"), slack.person("zapier", "bot")
    general = slack.channel("general", alice, robot)
    async with served(slack) as bot:
        said = (await alice.says(general, "see example.com")).message
        assert said is not None
        await alice.unfurls(said, "https://example.com")
        await alice.edits(said, "never mind")
        await alice.deletes(said)
        await robot.says(general, "deployed")

    subtypes = [event.get("subtype") for event in bot.events]
    assert subtypes == [
        None,
        "message_changed",
        "message_changed",
        "message_deleted",
        "bot_message",
    ]
    assert bot.events[1]["message"]["text"] == bot.events[1]["previous_message"]["text"]
    assert "bot_id" in bot.events[4]


async def test_a_person_sees_only_what_is_theirs(slack: Playground) -> None:
    alice, bob = slack.person("alice"), slack.person("bob")
    board = slack.channel("board", alice, kind="private")
    await alice.says(board, "secret")

    assert (alice.reads(board), bob.reads(board)) == (["secret"], [])
    with pytest.raises(CannotDo, match="Bob is not in #board"):
        await bob.says(board, "hello?")


async def test_somebody_of_another_team_speaks_in_a_shared_channel(slack: Playground) -> None:
    alice = slack.person("alice")
    partner = slack.add_team("Vendel")
    victor = slack.person("victor", team=partner)
    shared = slack.channel("project", alice, victor, connected=[partner])
    async with served(slack) as bot:
        said = await victor.says(shared, f"@{slack.world.app.name} hello")

    assert said.message is not None
    assert said.message.text == f"<@{slack.installation.bot_user_id}> hello"
    body = bot.bodies[0]
    assert (body["team_id"], body["is_ext_shared_channel"]) == (slack.team.id, True)
    assert bot.events[0]["user_team"] == partner.id
    with pytest.raises(CannotDo, match="not installed"):
        await victor.slash("/masis", "help", shared)


async def test_uninstalling_is_told_and_ends_every_token(slack: Playground) -> None:
    async with served(slack) as bot:
        await slack.owner.uninstalls()
        await slack.settled()

    assert sorted(event["type"] for event in bot.events) == ["app_uninstalled", "tokens_revoked"]
    assert await refused(client(slack).auth_test()) == "account_inactive"


async def test_the_stop_button_is_there_while_the_agent_works(slack: Playground) -> None:
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    async with served(slack) as bot:
        said = (await alice.says(general, "how many?")).message
        assert said is not None
        with pytest.raises(CannotDo, match="no Stop button"):
            await alice.stops(general, said)
        await bot.client.agents_sessions_setStatus(
            channel_id=general.id, thread_ts=said.ts, status="processing", title="Pumps"
        )
        await alice.stops(general, said)

    assert bot.events[-1]["type"] == "agent_session_stopped"
    assert (bot.events[-1]["thread_ts"], bot.events[-1]["user"]) == (said.ts, alice.id)


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
async def test_a_form_goes_where_the_app_says(
    slack: Playground, answer: dict[str, Any], left: list[str]
) -> None:
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


async def test_what_is_chosen_in_a_form_stays_chosen(slack: Playground) -> None:
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


async def test_people_and_the_app_come_and_go(slack: Playground) -> None:
    alice, bob = slack.person("alice"), slack.person("bob")
    general = slack.channel("general", alice, with_app=False)
    async with served(slack) as bot:
        await alice.invites(general, bob, slack.installation)
        await bob.says(general, "hello")
        alice.removes(general, slack.installation)
        await bob.says(general, "anybody?")
        await alice.invites(general, slack.installation)
        await alice.shares(general, slack.add_team("Vendel"))

    assert [event["type"] for event in bot.events] == ["message", "channel_shared"]
    assert bot.bodies[-1]["is_ext_shared_channel"]


async def test_what_slack_itself_does_not_let_people_do(slack: Playground) -> None:
    alice, bob = slack.person("alice"), slack.person("bob")
    general = slack.channel("general", alice, bob)
    board = slack.channel("board", alice, kind="private")
    note = slack.world.whisper(
        general,
        alice.id,
        Said(bot_id=slack.installation.bot_id, blocks=[{"type": "actions", "elements": []}]),
    )

    with pytest.raises(CannotDo, match="/other is not a valid command"):
        await alice.slash("/other", "", general)
    with pytest.raises(CannotDo, match="Bob does not see #board"):
        await bob.slash("/masis", "help", board)
    with pytest.raises(CannotDo, match="somebody else sees that"):
        await bob.clicks(note, "anything")
    general.is_archived = True
    with pytest.raises(CannotDo, match="archived"):
        await alice.says(general, "hello")


def looked_up(**more: Any) -> dict[str, Any]:
    return {"type": "external_select", "placeholder": plain("Which?"), **more}


async def test_a_menu_asks_the_app_for_what_it_offers(slack: Playground) -> None:
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


def test_elements_are_found_by_both_their_ids() -> None:
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


async def test_a_reaction_is_added_and_taken_back(slack: Playground) -> None:
    alice = slack.person("alice")
    general = slack.channel("general", alice)
    message = slack.world.post(general, Said(text="Hello", user_id=alice.id))
    with slack.subscribe():
        await alice.reacts(message, "eyes")
        assert message.reactions == {"eyes": [alice.id]}
        await alice.takes_back(message, "eyes")
        await alice.takes_back(message, "eyes")
    assert message.reactions == {}


async def test_a_form_may_be_cleared_and_is_filled_in_by_both_ids(slack: Playground) -> None:
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


async def test_requests_wait_for_an_app_that_starts_late() -> None:
    async with Playground(patience_s=5.0) as slack:
        alice = slack.person("alice")
        general = slack.channel("general", alice)
        asking = asyncio.create_task(alice.slash("/masis", "how many?", general))
        await asyncio.sleep(0)
        async with served(slack):
            did = await asking

    assert did.status == 200
