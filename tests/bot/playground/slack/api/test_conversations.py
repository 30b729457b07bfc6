from bot.playground.server import Playground
from tests.bot.playground.small_bot import client, refused


async def test_history_is_newest_first(slack: Playground) -> None:
    """History is newest first and without replies."""
    alice, web = slack.person("alice"), client(slack)
    general = slack.channel("general", alice)
    root = (await alice.says(general, "one")).message
    await alice.says(general, "reply", thread=root)
    await alice.says(general, "shown above too", thread=root, broadcast=True)
    await alice.says(general, "two")

    told = (await web.conversations_history(channel=general.id))["messages"]
    assert [message["text"] for message in told] == ["two", "shown above too", "one"]
    assert told[-1]["reply_count"] == 2


async def test_thread_pages_begin_with_root(slack: Playground) -> None:
    """A thread begins with its root and comes in pages."""
    alice, web = slack.person("alice"), client(slack)
    general = slack.channel("general", alice)
    root = (await alice.says(general, "root")).message
    assert root is not None
    for number in range(4):
        await alice.says(general, f"reply {number}", thread=root)

    texts: list[str] = []
    cursor = ""
    while True:
        page = await web.conversations_replies(
            channel=general.id, ts=root.ts, limit=2, cursor=cursor or None
        )
        texts += [message["text"] for message in page["messages"]]
        cursor = page["response_metadata"]["next_cursor"]
        if not cursor:
            break
    assert texts == ["root", "reply 0", "reply 1", "reply 2", "reply 3"]
    assert await refused(web.conversations_replies(channel=general.id, ts="1.0")) == (
        "thread_not_found"
    )
    broken = web.conversations_history(channel=general.id, cursor="!")
    assert await refused(broken) == "invalid_cursor"


async def test_metadata_is_included_on_request(slack: Playground) -> None:
    """Metadata is told when it is asked for."""
    web, general = client(slack), slack.channel("general")
    metadata = {"event_type": "masis_answer", "event_payload": {"run_id": "r1"}}
    await web.chat_postMessage(channel=general.id, text="a", metadata=metadata)

    (bare,) = (await web.conversations_history(channel=general.id))["messages"]
    page = await web.conversations_history(channel=general.id, include_all_metadata=True)
    assert "metadata" not in bare
    assert page["messages"][0]["metadata"] == metadata


async def test_a_time_can_be_asked_for(slack: Playground) -> None:
    alice, web = slack.person("alice"), client(slack)
    general = slack.channel("general", alice)
    first, second = [(await alice.says(general, text)).message for text in ("one", "two")]
    assert first is not None
    assert second is not None

    after = await web.conversations_history(channel=general.id, oldest=first.ts)
    both = await web.conversations_history(channel=general.id, oldest=first.ts, inclusive=True)
    assert [message["text"] for message in after["messages"]] == ["two"]
    assert len(both["messages"]) == 2


async def test_a_channel_tells_what_it_is(slack: Playground) -> None:
    alice, web = slack.person("alice"), client(slack)
    partner = slack.world.add_team("Vendel")
    shared = slack.channel("project", alice, connected=[partner])
    secret = slack.channel("secret", alice, kind="private")
    outside = slack.channel("outside", alice, with_app=False)

    told = (await web.conversations_info(channel=shared.id, include_num_members=True))["channel"]
    assert (told["is_ext_shared"], told["is_member"], told["num_members"]) == (True, True, 2)
    assert (await web.conversations_info(channel=secret.id))["channel"]["is_private"]
    assert not (await web.conversations_info(channel=outside.id))["channel"]["is_member"]
    direct = (await web.conversations_info(channel=alice.direct().id))["channel"]
    assert (direct["is_im"], direct["user"]) == (True, alice.id)


async def test_list_has_requested_visible_kinds(slack: Playground) -> None:
    """Listed are the kinds asked for and seen."""
    alice, web = slack.person("alice"), client(slack)
    slack.channel("general", alice)
    slack.channel("board", alice, kind="private", with_app=False)
    slack.channel("team", alice, kind="private")
    slack.world.add_channel(slack.world.add_team("Vendel"), "theirs")

    both = await web.conversations_list(types="public_channel,private_channel")
    assert [channel["name"] for channel in both["channels"]] == ["general", "team"]
    assert await refused(web.conversations_list(types="secret")) == "invalid_types"


async def test_members_are_ids(slack: Playground) -> None:
    alice = slack.person("alice")
    general = slack.channel("general", alice)

    told = await client(slack).conversations_members(channel=general.id)
    assert told["members"] == [alice.id, slack.installation.bot_user_id]


async def test_opening_without_scope_is_refused(slack: Playground) -> None:
    """Opening needs a scope that the app lacks."""
    alice, web = slack.person("alice"), client(slack)

    assert await refused(web.conversations_open(users=alice.id)) == "missing_scope"
    slack.installation.scopes += ("im:write",)
    told = await web.conversations_open(users=alice.id)
    assert told["channel"]["id"] == alice.direct().id


async def test_a_reaction_stands_once(slack: Playground) -> None:
    alice, web = slack.person("alice"), client(slack)
    general = slack.channel("general", alice)
    said = (await alice.says(general, "one")).message
    assert said is not None
    slack.installation.scopes += ("reactions:write",)
    on = {"channel": general.id, "timestamp": said.ts}
    await web.reactions_add(**on, name="eyes")

    assert alice.reads(general) == ["one\n:eyes: 1"]
    assert await refused(web.reactions_add(**on, name="eyes")) == "already_reacted"
    await web.reactions_remove(**on, name="eyes")
    assert await refused(web.reactions_remove(**on, name="eyes")) == "no_reaction"
    assert await refused(web.reactions_add(**on, name="no name")) == "invalid_name"
