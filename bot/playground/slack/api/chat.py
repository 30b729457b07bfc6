"""`chat.*`: messages, ephemeral messages, edits, streams."""

from typing import Any, Final

from bot.playground.slack import payloads
from bot.playground.slack.api.call import Call, Refused
from bot.playground.slack.checker.block_kit import violations
from bot.playground.slack.entities import Channel, Json, Message
from bot.playground.slack.installed import Installation
from bot.playground.slack.world import Said
from bot.slack import limits

CONTENT: Final = ("text", "blocks", "attachments", "metadata")


# --- what may be written -------------------------------------------------------------------


def content(call: Call) -> Json:
    """Return what a message shall say, checked.

    Raises:
        Refused: it is empty, too long, or holds blocks that Slack does not take.
    """
    given = {name: call.args[name] for name in CONTENT if name in call.args}
    markdown = call.text("markdown_text")
    if markdown:
        if "text" in given or "blocks" in given:
            raise Refused("markdown_text_conflict")
        if len(markdown) > limits.MARKDOWN_TEXT:
            raise Refused("msg_too_long")
        given = {**given, "text": markdown, "blocks": [{"type": "markdown", "text": markdown}]}
    check(given)
    return given


def check(given: Json) -> None:
    """Refuse what Slack would refuse of a message, with Slack's error for it."""
    if not any(given.get(name) for name in ("text", "blocks", "attachments")):
        raise Refused("no_text")
    for name in ("blocks", "attachments"):
        if not isinstance(given.get(name, []), list):
            raise Refused("invalid_blocks_format")
    if len(str(given.get("text") or "")) > limits.MESSAGE_TEXT:
        raise Refused("msg_too_long")
    found = violations("message", given)
    metadata = [problem for problem in found if "[json-pointer:/metadata" in problem]
    if metadata:
        long = any(
            "characters" in problem and problem.endswith("/metadata]") for problem in metadata
        )
        error = "metadata_too_large" if long else "invalid_metadata_format"
        raise Refused.saying(error, metadata)
    if found:
        raise Refused.saying("invalid_blocks", found)


def writable(call: Call) -> Channel:
    """The channel to write in; a user's id stands for the direct messages with that user."""
    name = call.text("channel")
    user = call.world.users.get(name)
    if user is not None and user.team_id == call.installation.team_id:
        return call.world.direct(user.team_id, user.id, call.bot.id)
    channel = call.channel()
    if channel.is_archived:
        raise Refused("is_archived")
    if not call.is_in(channel):
        raise Refused("not_in_channel")
    return channel


def said(call: Call, given: Json, **more: Any) -> Said:
    """Build what the bot says."""
    return Said(
        text=str(given.get("text") or ""),
        blocks=given.get("blocks") or (),
        attachments=given.get("attachments") or (),
        metadata=given.get("metadata"),
        user_id=call.bot.id,
        bot_id=call.installation.bot_id,
        app_id=call.world.app.id,
        thread_ts=call.text("thread_ts") or None,
        client_msg_id=call.text("client_msg_id") or None,
        **more,
    )


def check_thread(call: Call, channel: Channel) -> None:
    """A reply hangs from a message of the channel that is no reply itself."""
    root = channel.messages.get(call.text("thread_ts"))
    if call.text("thread_ts") and (root is None or root.is_reply):
        raise Refused("cannot_reply_to_message")


# --- telling the app -----------------------------------------------------------------------


def echo(call: Call, channel: Channel, message: Message) -> None:
    """Tell the app of its own message, as Slack does."""
    event = payloads.in_channel(channel, message.json() | {"event_ts": message.ts})
    tell(call, channel, event)


def echo_change(call: Call, channel: Channel, message: Message, before: Json) -> None:
    """Tell the app that a message says something else now."""
    tell(call, channel, payloads.changed(call.world, channel, message, before))


def tell(call: Call, channel: Channel, event: Json) -> None:
    """Announce an event to the app's installations in a channel, in the background."""
    members: list[Installation] = [
        one for one in call.world.installed_in(channel) if one.bot_user_id in channel.members
    ]
    call.hub.bots.background(call.hub.bots.announce(event, members, channel))


# --- the methods ---------------------------------------------------------------------------


def post_message(call: Call) -> Json:
    """`chat.postMessage`."""
    channel = writable(call)
    given = content(call)
    check_thread(call, channel)
    broadcast = call.flag("reply_broadcast")
    message = call.world.post(channel, said(call, given, broadcast=broadcast))
    agent = call.world.agents.get((channel.id, message.thread_ts))
    if agent is not None:
        agent.loading = ""
        call.world.feed.tell("session", channel=channel.id, ts=message.thread_ts)
    echo(call, channel, message)
    return {"channel": channel.id, "ts": message.ts, "message": message.json(metadata=True)}


def post_ephemeral(call: Call) -> Json:
    """`chat.postEphemeral`."""
    channel = writable(call)
    given = content(call)
    if call.text("user") not in channel.members:
        raise Refused("user_not_in_channel")
    check_thread(call, channel)
    message = call.world.whisper(channel, call.text("user"), said(call, given))
    return {"message_ts": message.ts}


def update(call: Call) -> Json:
    """`chat.update`. What is not given stays; an empty list of blocks takes them away."""
    channel = call.channel()
    message = call.message(channel)
    if message.bot_id != call.installation.bot_id or channel.is_archived:
        raise Refused("cant_update_message")
    if message.streaming:
        raise Refused("streaming_state_conflict")
    given = update_content(call, message)
    before = message.json()
    call.world.edit(message, editor_id=call.bot.id, **given)
    echo_change(call, channel, message, before)
    return {
        "channel": channel.id,
        "ts": message.ts,
        "text": message.text,
        "message": message.json(metadata=True),
    }


def update_content(call: Call, message: Message) -> Json:
    """Return what an edit changes, checked together with what stays."""
    given = {name: call.args[name] for name in CONTENT if name in call.args}
    if call.text("markdown_text"):
        return content(call)
    if not given:
        raise Refused("no_text")
    kept = {"text": message.text, "blocks": message.blocks, "attachments": message.attachments}
    check(kept | given)
    return given


def delete(call: Call) -> Json:
    """`chat.delete`."""
    channel = call.channel()
    message = call.message(channel)
    if message.bot_id != call.installation.bot_id:
        raise Refused("cant_delete_message")
    call.world.delete(message)
    tell(call, channel, payloads.deleted(call.world, channel, message))
    return {"channel": channel.id, "ts": message.ts}


def get_permalink(call: Call) -> Json:
    """`chat.getPermalink`."""
    channel = call.channel()
    message = call.message(channel, "message_ts")
    place = f"/archives/{channel.id}/p{message.ts.replace('.', '')}"
    if message.is_reply:
        place += f"?thread_ts={message.thread_ts}&cid={channel.id}"
    return {"channel": channel.id, "permalink": call.hub.base_url + place}


# --- streams -------------------------------------------------------------------------------


def start_stream(call: Call) -> Json:
    """`chat.startStream`."""
    channel = writable(call)
    check_thread(call, channel)
    if channel.kind != "im":
        for name in ("recipient_team_id", "recipient_user_id"):
            if not call.text(name):
                raise Refused(f"missing_{name}")
    message = call.world.post(channel, said(call, {}, streaming=True))
    _append(call, message)
    return {"channel": channel.id, "ts": message.ts}


def append_stream(call: Call) -> Json:
    """`chat.appendStream`."""
    channel, message = _stream(call)
    if message.stopped:
        raise Refused("stopped_by_user")
    _append(call, message)
    return {"channel": channel.id, "ts": message.ts}


def stop_stream(call: Call) -> Json:
    """`chat.stopStream`."""
    channel, message = _stream(call)
    _append(call, message)
    blocks = call.args.get("blocks") or []
    if blocks:
        check({"text": message.text, "blocks": blocks})
    message.streaming = False
    call.world.edit(
        message,
        editor_id=call.bot.id,
        blocks=[*message.blocks, *blocks],
        metadata=call.args.get("metadata") or message.metadata,
    )
    agent = call.world.agents.get((channel.id, message.thread_ts))
    if agent is not None and call.text("session_status"):
        agent.status = call.text("session_status")
        call.world.feed.tell("session", channel=channel.id, ts=message.thread_ts)
    echo(call, channel, message)
    return {"channel": channel.id, "ts": message.ts, "message": message.json(metadata=True)}


def _stream(call: Call) -> tuple[Channel, Message]:
    """The stream that goes on; Slack ends one by itself after a while."""
    channel = call.channel()
    message = call.message(channel)
    if message.bot_id != call.installation.bot_id:
        raise Refused("message_not_owned_by_app")
    if call.world.clock() - float(message.ts) > limits.STREAM_LIFE_S:
        message.streaming = False
    if not message.streaming:
        raise Refused("message_not_in_streaming_state")
    return channel, message


def _append(call: Call, message: Message) -> None:
    """Add what was sent: text as text, tasks as tasks of one plan."""
    chunks = call.args.get("chunks") or []
    if not isinstance(chunks, list):
        raise Refused("invalid_chunks")
    text = call.text("markdown_text")
    plan = next((b for b in message.blocks if b["type"] == "plan"), None)
    for chunk in chunks:
        match chunk.get("type") if isinstance(chunk, dict) else None:
            case "markdown_text":
                text += str(chunk.get("text") or "")
            case "plan_update" | "task_update":
                plan = plan or {"type": "plan", "title": "", "tasks": []}
                _plan(plan, chunk)
            case "blocks":
                message.blocks.extend(chunk.get("blocks") or [])
            case _:
                raise Refused("invalid_chunks")
    if len(text) > limits.STREAM_TEXT:
        raise Refused("msg_blocks_too_long")
    message.text += text
    if plan is not None and plan not in message.blocks:
        message.blocks.insert(0, plan)
    call.world.feed.tell("changed", channel=message.channel_id, ts=message.ts)


def _plan(plan: Json, chunk: Json) -> None:
    if chunk["type"] == "plan_update":
        plan["title"] = str(chunk.get("title") or "")
        return
    task = {name: value for name, value in chunk.items() if name not in {"type", "id"}}
    task = {"type": "task_card", "task_id": chunk.get("id"), **task}
    others = [known for known in plan["tasks"] if known["task_id"] != task["task_id"]]
    at = next(
        (n for n, known in enumerate(plan["tasks"]) if known["task_id"] == task["task_id"]),
        len(others),
    )
    plan["tasks"] = [*others[:at], task, *others[at:]]
