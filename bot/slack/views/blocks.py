"""Block Kit, a function a piece. Every string passes `defuse` here, as the last step."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.slack import limits
from bot.slack.ids import Carried, option
from bot.slack.text.defuse import Form, Said, defuse, fitted, words_of
from bot.slack.text.splitting import pieces
from masis.conversation import Payload

Blocks = list[Payload]

NOTHING: Final = "–"
"""Stands where a text is empty: Slack refuses an empty one."""

MOST_SECTIONS: Final = 40
"""Paragraphs of one text in a message or a modal, so that there is room for what is around it."""

FALLBACK: Final = 400
"""Characters of the sentence that stands for a message: a notification shows no more."""


# --- texts ---------------------------------------------------------------------------------


def plain(said: Said, most: int) -> Payload:
    """A label or a title of `most` characters. Emoji codes stay codes."""
    text = fitted("plain", most, *words_of(said)) or NOTHING
    return {"type": "plain_text", "text": text, "emoji": False}


def mrkdwn(said: Said, most: int = limits.SECTION_TEXT) -> Payload:
    """A text with our own markup. `verbatim` keeps Slack from making links of plain words."""
    text = _whole("mrkdwn", said, most)
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def fallback(said: Said) -> str:
    """The sentence that stands for a message."""
    return _whole("mrkdwn", said, FALLBACK)


def _whole(form: Form, said: Said, most: int) -> str:
    text = fitted(form, most, *words_of(said))
    return text if text.strip() else NOTHING


# --- blocks --------------------------------------------------------------------------------


def section(said: Said, accessory: Payload | None = None) -> Payload:
    """A paragraph with something to click beside it; over 3,000 characters it is cut."""
    block: Payload = {"type": "section", "text": mrkdwn(said)}
    return {**block, "accessory": accessory} if accessory else block


def sections(text: str) -> Blocks:
    """A text of any length as paragraphs, whole."""
    return [section(piece) for piece in pieces("mrkdwn", text, limits.SECTION_TEXT)]


def fields(texts: Sequence[Said]) -> Payload:
    """Up to ten short texts in two columns."""
    listed = [mrkdwn(text, limits.SECTION_FIELD) for text in texts[: limits.SECTION_FIELDS]]
    return {"type": "section", "fields": listed}


def context(said: Said) -> Payload:
    """A small, grey line."""
    return {"type": "context", "elements": [mrkdwn(said, limits.TEXT_OBJECT)]}


def header(text: Said) -> Payload:
    """A heading."""
    return {"type": "header", "text": plain(text, limits.HEADER_TEXT)}


def divider() -> Payload:
    """A line."""
    return {"type": "divider"}


def markdown(text: str) -> Payload:
    """Standard Markdown, for messages alone; split it before, so that it fits."""
    return {"type": "markdown", "text": _whole("markdown", text, limits.MARKDOWN_TEXT)}


def actions(*elements: Payload) -> Payload:
    """A row of things to click."""
    return {"type": "actions", "elements": list(elements)}


def rich(text: str) -> Payload:
    """Text that Slack does not parse at all, for the details of a task."""
    element = {"type": "text", "text": fitted("plain", limits.TEXT_OBJECT, text) or NOTHING}
    return {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": [element]}],
    }


def confirm(title: str, text: str, yes: str, no: str) -> Payload:
    """The question before something that cannot be undone."""
    return {
        "title": plain(title, limits.CONFIRM_TITLE),
        "text": plain(text, limits.CONFIRM_TEXT),
        "confirm": plain(yes, limits.CONFIRM_BUTTON),
        "deny": plain(no, limits.CONFIRM_BUTTON),
        "style": "danger",
    }


def button(
    label: Said,
    action: str,
    carried: Carried | None = None,
    *,
    style: str = "",
    asks: Payload | None = None,
) -> Payload:
    """A button; `style` is `primary`, `danger` or nothing, `asks` a `confirm`."""
    made: Payload = {
        "type": "button",
        "action_id": action,
        "text": plain(label, limits.BUTTON_TEXT),
    }
    if carried is not None:
        made["value"] = carried.dumped()
    if style:
        made["style"] = style
    return {**made, "confirm": asks} if asks else made


def feedback(action: str, good: tuple[str, Carried], bad: tuple[str, Carried]) -> Payload:
    """Thumbs up and down."""

    def side(label: str, carried: Carried) -> Payload:
        return {"text": plain(label, limits.BUTTON_TEXT), "value": carried.dumped()}

    element = {
        "type": "feedback_buttons",
        "action_id": action,
        "positive_button": side(*good),
        "negative_button": side(*bad),
    }
    return {"type": "context_actions", "elements": [element]}


# --- choosing and typing -------------------------------------------------------------------


def choice(label: str, value: str | Carried) -> Payload:
    """An option of a menu."""
    carried = value if isinstance(value, str) else option(value)
    return {"text": plain(label, limits.OPTION_TEXT), "value": carried}


def menu(
    action: str, placeholder: str, options: Sequence[Payload], chosen: Payload | None = None
) -> Payload:
    """A menu of at most 100 options, of which there is at least one."""
    made: Payload = {
        "type": "static_select",
        "action_id": action,
        "placeholder": plain(placeholder, limits.PLACEHOLDER),
        "options": list(options[: limits.OPTIONS]),
    }
    return {**made, "initial_option": chosen} if chosen in made["options"] else made


def box(action: str, label: str, *, ticked: bool = False) -> Payload:
    """One box to tick; its value is `yes`."""
    option_made = choice(label, "yes")
    made: Payload = {"type": "checkboxes", "action_id": action, "options": [option_made]}
    return {**made, "initial_options": [option_made]} if ticked else made


def line(
    action: str, *, lines: bool = False, initial: str = "", placeholder: str = "", most: int = 0
) -> Payload:
    """A text to type; of several lines with `lines`. `initial` is shown as it is, defused."""
    longest = most or limits.INPUT_VALUE
    made: Payload = {
        "type": "plain_text_input",
        "action_id": action,
        "multiline": lines,
        "max_length": longest,
    }
    if placeholder:
        made["placeholder"] = plain(placeholder, limits.PLACEHOLDER)
    if initial:
        made["initial_value"] = typed(initial, longest)
    return made


def typed(text: str, most: int) -> str:
    """Return the text that an input holds already.

    Slack parses nothing there, and lines stay lines.
    """
    parts = [defuse("plain", each) for each in text.split("\n")]
    whole = "\n".join(parts)
    return whole if len(whole) <= most else f"{whole[: most - 1]}…"


def whole_number(action: str, initial: int, least: int, most: int) -> Payload:
    """A number to type."""
    return {
        "type": "number_input",
        "action_id": action,
        "is_decimal_allowed": False,
        "initial_value": str(initial),
        "min_value": str(least),
        "max_value": str(most),
    }


def field(
    name: str, label: str, element: Mapping[str, Any], *, hint: str = "", optional: bool = False
) -> Payload:
    """An input of a form; its block and its element have the same id."""
    block: Payload = {
        "type": "input",
        "block_id": name,
        "label": plain(label, limits.INPUT_LABEL),
        "element": {**element, "action_id": name},
        "optional": optional,
    }
    return {**block, "hint": plain(hint, limits.INPUT_HINT)} if hint else block
