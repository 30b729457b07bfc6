"""Conversations as plain text that reads like a chat: who said what, with buttons and badges."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from bot.playground.slack.entities import Channel, Json, Message, View
from bot.playground.slack.world import World

STATUS: Final = {"pending": "○", "in_progress": "▸", "complete": "✓", "error": "✗"}
_REFERENCE: Final = re.compile(r"<([@#!]?)([^<>|\s]+)(?:\|([^<>]*))?>")
_INDENT: Final = "    "


def conversation(world: World, channel: Channel, viewer_id: str | None = None) -> str:
    """A channel with its threads beneath their roots.

    Args:
        world: where it took place.
        channel: the channel.
        viewer_id: whose private messages are shown; everybody's when it is None.
    """
    private = [m for m in world.private if m.channel_id == channel.id]
    shown = [m for m in private if viewer_id in {None, m.only_for}]
    everything = sorted([*channel.messages.values(), *shown], key=lambda m: m.ts)
    lines = [_place(world, channel)]
    for root in everything:
        if root.is_reply and root.thread_ts in channel.messages:
            continue
        lines.append(_said(world, root))
        replies = [m for m in everything if m.is_reply and m.thread_ts == root.ts]
        lines += [_indented(_said(world, reply)) for reply in replies]
    return "\n".join(lines)


def modal(world: World, view: View) -> str:
    """A modal or a home tab."""
    content = view.content
    title = text_of(world, content.get("title") or {}) or "Home"
    buttons = [text_of(world, content.get(name) or {}) for name in ("close", "submit")]
    lines = [f"== {title} ==", *shown(world, view.blocks)]
    lines += [" ".join(f"[{label}]" for label in buttons if label)]
    return "\n".join(line for line in lines if line)


def message_text(world: World, message: Message) -> str:
    """Return what one message shows: its blocks where it has some, else its text."""
    lines = (
        list(shown(world, message.blocks)) if message.blocks else [referred(world, message.text)]
    )
    lines += [f"(file) {file.title or file.name}" for file in message.files]
    lines += [
        referred(world, str(a.get("text") or a.get("fallback") or "")) for a in message.attachments
    ]
    if message.reactions:
        lines.append(" ".join(f":{name}: {len(u)}" for name, u in message.reactions.items()))
    return "\n".join(line for line in lines if line)


def referred(world: World, text: str) -> str:
    """Text with people and channels by their names, and what was escaped as it is read."""

    def name(found: re.Match[str]) -> str:
        mark, target, label = found.groups()
        match mark:
            case "@":
                user = world.users.get(target)
                return f"@{user.shown}" if user else f"@{label or target}"
            case "#":
                channel = world.channels.get(target)
                return f"#{channel.name}" if channel else f"#{label or target}"
            case "!":
                return f"@{target}"
            case _:
                return f"{label} ({target})" if label else target

    read = _REFERENCE.sub(name, text)
    return read.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def text_of(world: World, value: Any) -> str:
    """Return what a text object shows."""
    if isinstance(value, str):
        return referred(world, value)
    return referred(world, str(value.get("text") or "")) if isinstance(value, dict) else ""


def shown(world: World, blocks: Iterable[Json]) -> Iterator[str]:
    """A line or several for each block."""
    for block in blocks:
        yield from _BLOCKS.get(str(block.get("type")), _other)(world, block)


def _other(world: World, block: Json) -> Iterable[str]:
    return [text_of(world, block.get("text") or "")]


def _header(world: World, block: Json) -> Iterable[str]:
    return [f"# {text_of(world, block['text'])}"]


def _context(world: World, block: Json) -> Iterable[str]:
    told = [e.get("alt_text") or text_of(world, e) for e in block["elements"]]
    return [f"~ {' · '.join(told)}"]


def _actions(world: World, block: Json) -> Iterable[str]:
    return [" ".join(label for e in block["elements"] for label in _labels(world, e))]


def _input(world: World, block: Json) -> Iterable[str]:
    return [f"{text_of(world, block['label'])}: {_field(world, block['element'])}"]


def _section(world: World, block: Json) -> Iterator[str]:
    lines = [text_of(world, block["text"])] if block.get("text") else []
    lines += [text_of(world, one) for one in block.get("fields") or []]
    if lines and block.get("accessory"):
        lines[-1] += " " + " ".join(_labels(world, block["accessory"]))
    yield from lines


def _labels(world: World, element: Json) -> list[str]:
    """List what can be pressed."""
    if element["type"] == "feedback_buttons":
        both = (element["positive_button"], element["negative_button"])
        return [f"[{text_of(world, button['text'])}]" for button in both]
    if element["type"] in {"button", "icon_button", "workflow_button"}:
        return [f"[{text_of(world, element['text'])}]"]
    return [_field(world, element)]


def _field(world: World, element: Json) -> str:
    """Describe what can be chosen or typed, with what stands there at first."""
    options = [text_of(world, option["text"]) for option in element.get("options") or []]
    if element["type"] == "checkboxes":
        ticked = [text_of(world, option["text"]) for option in element.get("initial_options") or []]
        return " ".join(f"{'☑' if option in ticked else '☐'} {option}" for option in options)
    first = element.get("initial_value") or ", ".join(_chosen(world, element))
    named = first or " | ".join(options) or text_of(world, element.get("placeholder") or {})
    return f"<{named or element['type']}>"


def _chosen(world: World, element: Json) -> Iterator[str]:
    """List what a menu shows as chosen before anybody touches it."""
    for option in [element.get("initial_option"), *(element.get("initial_options") or [])]:
        if option:
            yield text_of(world, option["text"])
    for user in element.get("initial_users") or []:
        yield referred(world, f"<@{user}>")
    if channel := element.get("initial_conversation"):
        yield referred(world, f"<#{channel}>")


def _plan(world: World, block: Json) -> Iterator[str]:
    yield f"({text_of(world, block['title'])})" if block.get("title") else "(plan)"
    for task in block.get("tasks") or []:
        yield from _task(world, task)


def _task(world: World, task: Json) -> Iterator[str]:
    mark = STATUS.get(task.get("status", "pending"), "○")
    told = [f"{mark} {text_of(world, task.get('title') or '')}"]
    told += [_rich(task[name]) for name in ("details", "output") if task.get(name)]
    told += [source.get("text", "") for source in task.get("sources") or []]
    yield " – ".join(referred(world, part) for part in told if part)


def _rich(block: Any) -> str:
    """The words of rich text."""
    if not isinstance(block, dict):
        return str(block or "")
    kind = block.get("type")
    if kind in _INLINE:
        return _INLINE[kind].format_map({"text": "", **block})
    between = "\n" if kind in {"rich_text", "rich_text_list"} else ""
    return between.join(_rich(element) for element in block.get("elements") or [])


_INLINE: Final = {
    "text": "{text}",
    "user": "<@{user_id}>",
    "channel": "<#{channel_id}>",
    "link": "{text} ({url})",
    "emoji": ":{name}:",
    "broadcast": "@{range}",
}


def _table(_world: World, block: Json) -> Iterator[str]:
    if block.get("caption"):
        yield f"(table) {block['caption']}"
    for row in block.get("rows") or []:
        cells = [_rich(c) if c["type"] == "rich_text" else str(c.get("text", "")) for c in row]
        yield f"| {' | '.join(cells)} |"


_BLOCKS: Final[Mapping[str, Callable[[World, Json], Iterable[str]]]] = {
    "actions": _actions,
    "context": _context,
    "context_actions": _actions,
    "data_table": _table,
    "data_visualization": lambda _, block: [f"(chart) {block['title']}"],
    "divider": lambda _, __: ["---"],
    "header": _header,
    "image": lambda _, block: [f"(image) {block.get('alt_text', '')}"],
    "input": _input,
    "plan": _plan,
    "rich_text": lambda world, block: [referred(world, _rich(block))],
    "section": _section,
    "table": _table,
    "task_card": _task,
}


def _place(world: World, channel: Channel) -> str:
    if channel.kind != "im":
        return f"#{channel.name}"
    people = sorted(
        (world.users[member] for member in channel.members), key=lambda u: u.role == "bot"
    )
    return " and ".join(user.shown for user in people)


def _said(world: World, message: Message) -> str:
    """One message with who said it, to whom, and whether it was edited by a person."""
    author = world.users.get(message.user_id or "")
    name = author.shown if author else "Slackbot"
    if message.only_for:
        name += f" (only to {world.users[message.only_for].shown})"
    lines = message_text(world, message).splitlines() or [""]
    return "\n".join([f"{name}: {lines[0]}", *(_INDENT + line for line in lines[1:])])


def _indented(text: str) -> str:
    return "\n".join(_INDENT + line for line in text.splitlines())
