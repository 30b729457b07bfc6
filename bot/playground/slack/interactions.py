"""Find what can be pressed, chosen and typed, by what it says, and write it as Slack sends it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from bot.playground.slack.entities import Json, View


class CannotDo(Exception):
    """A person tried what Slack does not let them do."""


class Exactly(NamedTuple):
    """An element by its ids; `value` tells the halves of a pair of feedback buttons apart."""

    block_id: str
    action_id: str
    value: str | None = None


class Pressable(NamedTuple):
    """An element, the block it stands in, and the button that it is part of it."""

    block: Json
    element: Json
    button: Json


CHOSEN: Final = {
    "users_select": "selected_user",
    "channels_select": "selected_channel",
    "conversations_select": "selected_conversation",
    "multi_users_select": "selected_users",
    "multi_channels_select": "selected_channels",
    "multi_conversations_select": "selected_conversations",
    "datepicker": "selected_date",
    "timepicker": "selected_time",
    "datetimepicker": "selected_date_time",
    "rich_text_input": "rich_text_value",
    "file_input": "files",
}
"""Elements whose choice is written as it is, and the field it is written to."""
ONE_OPTION: Final = frozenset({"static_select", "external_select", "radio_buttons", "overflow"})
OPTIONS: Final = frozenset({"multi_static_select", "multi_external_select", "checkboxes"})
FIRST: Final = {
    "selected_user": "initial_user",
    "selected_channel": "initial_channel",
    "selected_conversation": "initial_conversation",
    "selected_users": "initial_users",
    "selected_channels": "initial_channels",
    "selected_conversations": "initial_conversations",
    "selected_date": "initial_date",
    "selected_time": "initial_time",
    "selected_date_time": "initial_date_time",
    "rich_text_value": "initial_value",
}


def label(value: Any) -> str:
    """Return what a text object says."""
    return str(value.get("text") or "") if isinstance(value, dict) else ""


def elements(blocks: Iterable[Json]) -> Iterator[tuple[Json, Json]]:
    """Every element that acts, with its block."""
    for block in blocks:
        for element in [
            *(block.get("elements") or []),
            block.get("accessory"),
            block.get("element"),
        ]:
            if isinstance(element, dict) and "action_id" in element:
                yield block, element


def pressable(blocks: Iterable[Json]) -> Iterator[Pressable]:
    """Every button, each half of a pair of feedback buttons, and every menu."""
    for block, element in elements(blocks):
        if element["type"] == "feedback_buttons":
            yield Pressable(block, element, element["positive_button"])
            yield Pressable(block, element, element["negative_button"])
        else:
            yield Pressable(block, element, element)


def find(blocks: Iterable[Json], what: str | Exactly) -> Pressable:
    """The element that says that, or has that `action_id` or value.

    Raises:
        CannotDo: there is none, or there are several.
    """
    everything = list(pressable(blocks))
    if isinstance(what, Exactly):
        return _exactly(everything, what)
    tests = (
        lambda p: p.element["action_id"] == what,
        lambda p: label(p.button.get("text")) == what,
        lambda p: p.button.get("value") == what,
        lambda p: what in label(p.button.get("text")),
    )
    for test in tests:
        found = [one for one in everything if test(one)]
        if len(found) > 1:
            raise CannotDo(f"{len(found)} things here answer to “{what}”")
        if found:
            return found[0]
    there = [label(p.button.get("text")) or p.element["action_id"] for p in everything]
    raise CannotDo(f"nothing here answers to “{what}”; there is {there or 'nothing to press'}")


def _exactly(everything: Iterable[Pressable], what: Exactly) -> Pressable:
    for block, element, button in everything:
        ids = block.get("block_id"), element["action_id"]
        is_half = element["type"] == "feedback_buttons"
        if ids == what[:2] and (not is_half or button.get("value") == what.value):
            return Pressable(block, element, button)
    raise CannotDo("that button or menu is not there any more")


def action(pressed: Pressable, chosen: Any, ts: str) -> Json:
    """One action as `block_actions` tells it."""
    block, element, button = pressed
    told: Json = {
        "type": element["type"],
        "action_id": element["action_id"],
        "block_id": block["block_id"],
        "action_ts": ts,
    }
    if element["type"] in {"button", "icon_button", "feedback_buttons", "workflow_button"}:
        told |= {name: button[name] for name in ("text", "value", "style") if name in button}
        return told
    return told | state_of(element, chosen)


def state_of(element: Json, given: Any, default: str | None = None) -> Json:
    """Return what an input holds: what was given, or what it held at first."""
    kind = element["type"]
    if kind in ONE_OPTION:
        first = element.get("initial_option")
        picked_one = option(element, given) if given else None
        return {"type": kind, "selected_option": first if given is None else picked_one}
    if kind in OPTIONS:
        picked = [option(element, one) for one in given] if given is not None else None
        first = element.get("initial_options") or []
        return {"type": kind, "selected_options": first if picked is None else picked}
    if kind in CHOSEN:
        name = CHOSEN[kind]
        first = element.get(FIRST.get(name, ""))
        if first is None and element.get("default_to_current_conversation"):
            first = default
        return {"type": kind, name: first if given is None else given}
    value = element.get("initial_value") if given is None else str(given)
    return {"type": kind, "value": value or None}


def option(element: Json, wanted: str | Json) -> Json:
    """The option of that value or label; one that the app itself suggested is given whole.

    Raises:
        CannotDo: the menu has none such.
    """
    if isinstance(wanted, dict):
        if not element["type"].endswith("external_select"):
            raise CannotDo("only what an app suggests is given whole")
        return wanted
    groups = element.get("option_groups") or []
    options = [*(element.get("options") or []), *(o for g in groups for o in g["options"])]
    for one in options:
        if wanted in {one.get("value"), label(one.get("text"))}:
            return dict(one)
    if element["type"].endswith("external_select"):
        return {"text": {"type": "plain_text", "text": wanted}, "value": wanted}
    raise CannotDo(f"no option “{wanted}”; there is {[label(o.get('text')) for o in options]}")


def values(view: View, given: Mapping[Any, Any]) -> Json:
    """Everything that a view holds when it is submitted.

    Args:
        view: the view.
        given: what was typed and chosen, by action id, block id or label, or by both ids.

    Raises:
        CannotDo: it names an input that is not there, leaves out a required one, or is too long.
    """
    left = dict(given)
    told: Json = {}
    for block, element in elements(view.blocks):
        if element["type"] in {"button", "overflow", "icon_button", "workflow_button"}:
            continue
        action_id, block_id = element["action_id"], block["block_id"]
        names = ((block_id, action_id), action_id, block_id, label(block.get("label")))
        chosen = next((left.pop(name) for name in names if name in left), None)
        held = state_of(element, chosen, view.opened_in)
        earlier = view.values.get(block["block_id"], {}).get(element["action_id"])
        if chosen is None and earlier is not None:
            held = earlier
        _check(block, element, held)
        told.setdefault(block["block_id"], {})[element["action_id"]] = held
    if left:
        raise CannotDo(f"the view has no input {sorted(map(str, left))}")
    return told


def files(values: Json) -> list[str]:
    """The ids of the files that are given to an app with a form."""
    held = [element for block in values.values() for element in block.values()]
    return [file["id"] for each in held for file in each.get("files") or []]


def _check(block: Json, element: Json, held: Json) -> None:
    """Refuse what Slack's own form does not let pass."""
    name = label(block.get("label")) or element["action_id"]
    empty = all(not value for field, value in held.items() if field != "type")
    if block.get("type") == "input" and empty and not block.get("optional"):
        raise CannotDo(f"“{name}” must be filled in")
    text = held.get("value")
    if isinstance(text, str) and not element.get("min_length", 0) <= len(text):
        raise CannotDo(f"“{name}” is too short")
    if isinstance(text, str) and len(text) > element.get("max_length", 3_000):
        raise CannotDo(f"“{name}” is too long")
