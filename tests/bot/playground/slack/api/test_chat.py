from typing import Any

import pytest

from bot.playground.server import Playground
from bot.playground.slack.entities import Channel
from tests.bot.playground.small_bot import client, refused, section


@pytest.fixture
def general(slack: Playground) -> Channel:
    return slack.channel("general")


class TestPosting:
    async def test_posted_message_is_stored_and_returned(
        self, slack: Playground, general: Channel
    ) -> None:
        """A message is in the channel and in the answer."""
        metadata = {"event_type": "masis_answer", "event_payload": {"run_id": "r1"}}
        answer = await client(slack).chat_postMessage(
            channel=general.id, text="hi", blocks=[section("hi")], metadata=metadata
        )

        message = general.messages[str(answer["ts"])]
        assert (answer["channel"], answer["message"]["text"]) == (general.id, "hi")
        assert answer["message"]["bot_id"] == slack.installation.bot_id
        assert (message.metadata, message.blocks[0]["text"]["text"]) == (metadata, "hi")

    async def test_user_id_means_direct_messages(self, slack: Playground) -> None:
        """A user stands for the direct messages."""
        alice = slack.person("alice")
        await client(slack).chat_postMessage(channel=alice.id, text="hi")

        assert alice.reads(alice.direct()) == ["hi"]

    @pytest.mark.parametrize(
        ("said", "error"),
        [
            ({}, "no_text"),
            ({"text": "a" * 40_001}, "msg_too_long"),
            ({"text": "a", "blocks": [{"type": "marquee"}]}, "invalid_blocks"),
            ({"text": "a", "blocks": [section("a" * 3001)]}, "invalid_blocks"),
            ({"text": "a", "blocks": {"type": "divider"}}, "invalid_blocks_format"),
            ({"text": "a", "metadata": {"event_type": "a"}}, "invalid_metadata_format"),
            (
                {"text": "a", "metadata": {"event_type": "a", "event_payload": {"a": "b" * 8000}}},
                "metadata_too_large",
            ),
            ({"text": "a", "markdown_text": "b"}, "markdown_text_conflict"),
            ({"text": "a", "thread_ts": "1.000001"}, "cannot_reply_to_message"),
        ],
    )
    async def test_invalid_message_is_refused(
        self, slack: Playground, general: Channel, said: dict[str, Any], error: str
    ) -> None:
        """What slack does not take is refused."""
        call = client(slack).api_call("chat.postMessage", json={"channel": general.id, **said})

        assert await refused(call) == error
        assert general.messages == {}

    async def test_a_refused_block_is_pointed_at(self, slack: Playground, general: Channel) -> None:
        call = client(slack).api_call(
            "chat.postMessage",
            json={"channel": general.id, "blocks": [section("a" * 3001)]},
        )
        await refused(call)

        assert slack.calls[-1].error == "invalid_blocks"

    async def test_unwritable_channels_are_told_apart(self, slack: Playground) -> None:
        """Where the app may not write is told apart."""
        post = client(slack).chat_postMessage
        outside = slack.channel("outside", with_app=False)
        secret = slack.channel("secret", kind="private", with_app=False)
        old = slack.channel("old")
        old.is_archived = True
        foreign = slack.world.add_channel(slack.world.add_team("Vendel"), "theirs")

        assert await refused(post(channel=outside.id, text="a")) == "not_in_channel"
        assert await refused(post(channel=secret.id, text="a")) == "channel_not_found"
        assert await refused(post(channel=old.id, text="a")) == "is_archived"
        assert await refused(post(channel=foreign.id, text="a")) == "channel_not_found"
        assert await refused(post(channel="C404", text="a")) == "channel_not_found"

    async def test_ephemeral_message_requires_channel_member(self, slack: Playground) -> None:
        """A private note is for somebody in the channel."""
        alice, bob = slack.person("alice"), slack.person("bob")
        general = slack.channel("general", alice)
        note = client(slack).chat_postEphemeral
        await note(channel=general.id, user=alice.id, text="psst")

        assert alice.reads(general) == ["psst"]
        assert general.messages == {}
        assert await refused(note(channel=general.id, user=bob.id, text="a")) == (
            "user_not_in_channel"
        )


class TestChanging:
    async def test_what_is_not_given_stays(self, slack: Playground, general: Channel) -> None:
        web = client(slack)
        ts = str(
            (await web.chat_postMessage(channel=general.id, text="a", blocks=[section("a")]))["ts"]
        )
        await web.chat_update(channel=general.id, ts=ts, text="b")

        message = general.messages[ts]
        assert (message.text, message.blocks[0]["text"]["text"]) == ("b", "a")
        await web.chat_update(channel=general.id, ts=ts, text="b", blocks=[])
        assert message.blocks == []
        assert message.json()["edited"]["user"] == slack.installation.bot_user_id

    async def test_only_own_messages_can_change(self, slack: Playground) -> None:
        """Only ones own message can be changed."""
        alice = slack.person("alice")
        general = slack.channel("general", alice)
        said = (await alice.says(general, "mine")).message
        assert said is not None
        web = client(slack)

        assert await refused(web.chat_update(channel=general.id, ts=said.ts, text="b")) == (
            "cant_update_message"
        )
        assert await refused(web.chat_delete(channel=general.id, ts=said.ts)) == (
            "cant_delete_message"
        )
        assert await refused(web.chat_update(channel=general.id, ts="1.0", text="b")) == (
            "message_not_found"
        )

    async def test_a_deleted_message_is_gone(self, slack: Playground, general: Channel) -> None:
        web = client(slack)
        ts = str((await web.chat_postMessage(channel=general.id, text="a"))["ts"])
        await web.chat_delete(channel=general.id, ts=ts)

        assert general.messages == {}

    async def test_permalink_points_to_thread_reply(
        self, slack: Playground, general: Channel
    ) -> None:
        """A link leads to a reply in its thread."""
        web = client(slack)
        root = str((await web.chat_postMessage(channel=general.id, text="a"))["ts"])
        reply = await web.chat_postMessage(channel=general.id, text="b", thread_ts=root)
        link = await web.chat_getPermalink(channel=general.id, message_ts=str(reply["ts"]))

        assert str(link["permalink"]).endswith(f"?thread_ts={root}&cid={general.id}")


class TestStreams:
    async def test_stream_collects_text_before_blocks(self, slack: Playground) -> None:
        """Text and tasks are collected and the blocks come last."""
        alice = slack.person("alice")
        root = (await alice.says(alice.direct(), "how many?")).message
        assert root is not None
        stream = await client(slack).chat_stream(
            channel=alice.direct().id, thread_ts=root.ts, task_display_mode="plan"
        )
        await stream.append(
            chunks=[{"type": "task_update", "id": "t1", "title": "Search", "status": "complete"}]
        )
        await stream.append(markdown_text="Twelve ")
        await stream.stop(markdown_text="pumps", blocks=[section("done")])

        (reply,) = alice.direct().replies(root.ts)
        assert reply.text == "Twelve pumps"
        assert [block["type"] for block in reply.blocks] == ["plan", "section"]
        assert not reply.streaming

    async def test_channel_stream_requires_a_recipient(
        self, slack: Playground, general: Channel
    ) -> None:
        """A channel needs to know who watches."""
        web = client(slack)
        root = str((await web.chat_postMessage(channel=general.id, text="a"))["ts"])
        start = web.chat_startStream(channel=general.id, thread_ts=root)

        assert await refused(start) == "missing_recipient_team_id"

    async def test_stream_ends_after_five_minutes(self) -> None:
        """Slack ends a stream after five minutes."""
        now = [1_000.0]
        async with Playground(clock=lambda: now[0]) as slack:
            alice, web = slack.person("alice"), client(slack)
            root = (await alice.says(alice.direct(), "how many?")).message
            assert root is not None
            place: dict[str, Any] = {"channel": alice.direct().id}
            ts = str((await web.chat_startStream(**place, thread_ts=root.ts))["ts"])
            await web.chat_appendStream(**place, ts=ts, markdown_text="a")
            now[0] += 301

            ended = "message_not_in_streaming_state"
            assert await refused(web.chat_appendStream(**place, ts=ts, markdown_text="b")) == ended
            assert await refused(web.chat_stopStream(**place, ts=ts)) == ended
            await web.chat_update(**place, ts=ts, text="whole")
            assert alice.direct().messages[ts].text == "whole"

    async def test_stop_button_ends_the_stream(self, slack: Playground) -> None:
        """The stop button ends it for the app."""
        alice, web = slack.person("alice"), client(slack)
        root = (await alice.says(alice.direct(), "how many?")).message
        assert root is not None
        place = alice.direct().id
        ts = str((await web.chat_startStream(channel=place, thread_ts=root.ts))["ts"])
        await web.agents_sessions_setStatus(
            channel_id=place, thread_ts=root.ts, status="processing"
        )
        await alice.stops(alice.direct(), root)

        append = web.chat_appendStream(channel=place, ts=ts, markdown_text="b")
        assert await refused(append) == "stopped_by_user"
