"""`conversations.*` and `reactions.*`: where people talk, and what was said there."""

from collections.abc import Sequence

from bot.playground.slack.api.call import SCOPE_OF, Call, Refused
from bot.playground.slack.entities import Channel, Json, Message

KINDS = {
    "public_channel": "public",
    "private_channel": "private",
    "im": "im",
    "mpim": "mpim",
}


def info(call: Call) -> Json:
    """`conversations.info`."""
    channel = call.channel(to="read")
    told = channel.json(call.bot.id)
    if call.flag("include_num_members"):
        told["num_members"] = len(channel.members)
    return {"channel": told}


def listed(call: Call) -> Json:
    """`conversations.list`."""
    wanted = set()
    for name in (call.text("types") or "public_channel").split(","):
        if name.strip() not in KINDS:
            raise Refused("invalid_types")
        wanted.add(KINDS[name.strip()])
    for kind in sorted(wanted - {"mpim"}):
        call.require(f"{SCOPE_OF[kind]}:read")
    found = [
        channel
        for channel in call.world.channels.values()
        if channel.kind in wanted
        and call.sees(channel)
        and not (call.flag("exclude_archived") and channel.is_archived)
    ]
    page, more = call.page(found)
    return {"channels": [channel.json(call.bot.id) for channel in page], **more}


def members(call: Call) -> Json:
    """`conversations.members`."""
    page, more = call.page(call.channel(to="read").members)
    return {"members": page, **more}


def opened(call: Call) -> Json:
    """`conversations.open`: the direct messages with one user."""
    if call.text("channel"):
        return {"channel": {"id": call.channel().id}}
    names = [name.strip() for name in call.text("users").split(",") if name.strip()]
    if not names:
        raise Refused("users_list_not_supplied")
    call.require("im:write")
    user = call.world.users.get(names[0])
    if user is None:
        raise Refused("user_not_found")
    return {"channel": {"id": call.world.direct(call.bot.team_id, user.id, call.bot.id).id}}


def history(call: Call) -> Json:
    """`conversations.history`: what does not stand in a thread, newest first."""
    channel = call.channel(to="history")
    if not call.is_in(channel):
        raise Refused("not_in_channel")
    roots = [m for m in reversed(channel.messages.values()) if not m.is_reply or m.broadcast]
    page, more = call.page(_between(call, roots))
    return _page_json(call, channel, page) | more


def replies(call: Call) -> Json:
    """`conversations.replies`: a thread, its root first."""
    channel = call.channel(to="history")
    root = channel.messages.get(call.text("ts"))
    if root is None or not call.is_in(channel):
        raise Refused("thread_not_found")
    thread = [channel.messages.get(root.root_ts, root), *channel.replies(root.root_ts)]
    page, more = call.page([thread[0], *_between(call, thread[1:])])
    return _page_json(call, channel, page) | more


def _page_json(call: Call, channel: Channel, page: Sequence[Message]) -> Json:
    told = []
    for message in page:
        said = message.json(metadata=call.flag("include_all_metadata"))
        answers = channel.replies(message.ts)
        if answers and not message.is_reply:
            said |= {
                "thread_ts": message.ts,
                "reply_count": len(answers),
                "reply_users": sorted({m.user_id or "" for m in answers}),
                "latest_reply": answers[-1].ts,
            }
        told.append(said)
    return {"messages": told}


def _between(call: Call, messages: Sequence[Message]) -> list[Message]:
    """Those after `oldest` and before `latest`, both left out unless `inclusive`."""
    oldest, latest = call.text("oldest") or "0", call.text("latest") or "9999999999.999999"
    ends = {oldest, latest} if call.flag("inclusive") else set()
    return [m for m in messages if float(oldest) < float(m.ts) < float(latest) or m.ts in ends]


def add_reaction(call: Call) -> Json:
    """`reactions.add`."""
    message, name = _reacted(call)
    users = message.reactions.setdefault(name, [])
    if call.bot.id in users:
        raise Refused("already_reacted")
    users.append(call.bot.id)
    call.world.feed.tell("reaction", channel=message.channel_id, ts=message.ts)
    return {}


def remove_reaction(call: Call) -> Json:
    """`reactions.remove`."""
    if not call.text("channel") or not call.text("timestamp"):
        raise Refused("no_item_specified")
    message, name = _reacted(call)
    users = message.reactions.get(name, [])
    if call.bot.id not in users:
        raise Refused("no_reaction")
    users.remove(call.bot.id)
    if not users:
        del message.reactions[name]
    call.world.feed.tell("reaction", channel=message.channel_id, ts=message.ts)
    return {}


def _reacted(call: Call) -> tuple[Message, str]:
    channel = call.channel()
    name = call.text("name").strip(":")
    if not name.replace("_", "").replace("-", "").replace("+", "").isalnum():
        raise Refused("invalid_name")
    return call.message(channel, "timestamp"), name
