"""`agents.*` and `assistant.*`: what the app tells of its work in a thread."""

from typing import Final

from bot.playground.slack.api.call import Call, Refused
from bot.playground.slack.entities import AgentThread, Json
from bot.playground.slack.world import keep
from bot.slack import limits

STATUSES: Final = frozenset({"processing", "active", "suspended", "closed"})


def set_session_status(call: Call) -> Json:
    """`agents.sessions.setStatus`: begins a session where there is none."""
    if not call.world.app.is_agent:
        raise Refused("not_authorized")
    status = call.text("status")
    if status not in STATUSES:
        raise Refused("invalid_status")
    known = _find(call)
    session = known or _begin(call)
    session.status = status
    call.world.feed.tell("session", channel=session.channel_id, ts=session.thread_ts)
    told = {"status": status, "agent_status": status, "title": session.title}
    if "agent_session_stopped" not in call.world.app.events:
        told["warning"] = "missing_agent_session_stopped_event_subscription"
    return told


def rename_session(call: Call) -> Json:
    """`agents.sessions.rename`."""
    if not call.world.app.is_agent:
        raise Refused("not_authorized")
    session = _find(call)
    if session is None or not session.status:
        raise Refused("session_not_found")
    session.title = _title(call)
    call.world.feed.tell("session", channel=session.channel_id, ts=session.thread_ts)
    return {"title": session.title}


def _begin(call: Call) -> AgentThread:
    channel, thread_ts = call.channel("channel_id"), call.text("thread_ts")
    if thread_ts not in channel.messages:
        raise Refused("thread_not_found")
    session = _thread(call)
    session.title = _title(call)
    session.initiator_id = call.text("initiator_user_id") or None
    return session


def _title(call: Call) -> str:
    if len(call.text("title")) > limits.SESSION_TITLE:
        raise Refused("title_too_long")
    return call.text("title")


def set_status(call: Call) -> Json:
    """`assistant.threads.setStatus`; an empty status takes it away."""
    loading = call.args.get("loading_messages") or []
    if len(loading) > limits.LOADING_MESSAGES:
        raise Refused.saying("invalid_arguments", ["no more than 10 loading_messages"])
    session = _known_thread(call)
    session.loading = call.text("status")
    call.world.feed.tell("session", channel=session.channel_id, ts=session.thread_ts)
    return {}


def set_title(call: Call) -> Json:
    """`assistant.threads.setTitle`."""
    session = _known_thread(call)
    session.title = call.text("title")
    call.world.feed.tell("session", channel=session.channel_id, ts=session.thread_ts)
    return {}


def set_prompts(call: Call) -> Json:
    """`assistant.threads.setSuggestedPrompts`: in direct messages, with or without a thread."""
    prompts = call.args["prompts"]
    fits = isinstance(prompts, list) and len(prompts) <= limits.SUGGESTED_PROMPTS
    if not fits or not all(set(prompt) == {"title", "message"} for prompt in prompts):
        raise Refused.saying("invalid_arguments", ["prompts: up to 4 of title and message"])
    call.channel("channel_id")
    session = _thread(call)
    session.prompts = prompts
    call.world.feed.tell("session", channel=session.channel_id, ts=session.thread_ts)
    return {}


def _known_thread(call: Call) -> AgentThread:
    channel = call.channel("channel_id")
    if call.text("thread_ts") not in channel.messages:
        raise Refused("invalid_thread_ts")
    return _thread(call)


def _find(call: Call) -> AgentThread | None:
    channel = call.channel("channel_id")
    return call.world.agents.get((channel.id, call.text("thread_ts") or None))


def _thread(call: Call) -> AgentThread:
    key = (call.text("channel_id"), call.text("thread_ts") or None)
    known = call.world.agents.get(key)
    return known or keep(call.world.agents, key, AgentThread(*key))
