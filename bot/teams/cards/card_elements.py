"""Build the elements of Adaptive Cards 1.5.

`TextBlock` runs Markdown and functions: it takes sentences of ours alone (`title`). Whatever may
come from anywhere goes through `rich`, whose runs know neither.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from bot.chat.words.visible_text import one_line
from bot.teams.text.inert_text import inert, label
from bot.teams.text.sentences import NOTHING

Json = dict[str, Any]
Elements = list[Json]
Spacing = Literal["None", "Small", "Default", "Medium", "Large"]

BUTTON_CHARS: Final = 80
CHOICE_CHARS: Final = 120
LINE_CHARS: Final = 2_000
"""Of a paragraph; a longer one is parted, so that pages can be."""
CARD_TYPE: Final = "application/vnd.microsoft.card.adaptive"


def length(part: object) -> int:
    """Return how many characters a part takes in a message, as UTF-16 counts them."""
    written = json.dumps(part, ensure_ascii=False)
    return len(written.encode("utf-16-le", "surrogatepass")) // 2


# --- text ----------------------------------------------------------------------------------


def run(text: str, **how: Any) -> Json:
    """Return a piece of text, from anywhere."""
    return {"type": "TextRun", "text": inert(text), **how}


def strong(text: str, **how: Any) -> Json:
    """Return the same in bold."""
    return run(text, weight="Bolder", **how)


def rich(*runs: Json | str, spacing: Spacing = "Small") -> Json:
    """Return a line or a paragraph of pieces."""
    inlines = [run(each) if isinstance(each, str) else each for each in runs]
    kept = [each for each in inlines if each["text"]] or [run(NOTHING)]
    return {"type": "RichTextBlock", "inlines": kept, "spacing": spacing}


def small(*texts: str) -> Json:
    """Return small print."""
    runs = [run(one_line(text), isSubtle=True, size="Small") for text in texts]
    return rich(*runs)


def paragraphs(text: str) -> Elements:
    """Return a text that is no Markdown, a line each; a long line goes on in further ones."""
    lines = [one_line(line) for line in text.split("\n")]
    return [rich(part) for line in lines for part in parts_of(line)]


def parts_of(line: str) -> list[str]:
    """Return a line in parts of `LINE_CHARS`, parted at blanks where there are some."""
    parts = []
    while len(line) > LINE_CHARS:
        at = line.rfind(" ", LINE_CHARS // 2, LINE_CHARS) + 1 or LINE_CHARS
        parts.append(line[:at])
        line = line[at:]
    return [*parts, line] if line else parts


def title(sentence: str) -> Json:
    """Return a heading, a sentence of ours."""
    return {
        "type": "TextBlock",
        "text": sentence,
        "weight": "Bolder",
        "size": "Medium",
        "wrap": True,
        "style": "heading",
    }


# --- tables --------------------------------------------------------------------------------


def table(rows: Sequence[Sequence[str]], numeric: Iterable[int] = ()) -> Json:
    """Return a table whose first row is its header."""
    right = set(numeric)
    drawn = [
        {
            "type": "TableRow",
            "cells": [
                _cell(text, is_head=number == 0, is_right=at in right)
                for at, text in enumerate(row)
            ],
        }
        for number, row in enumerate(rows)
    ]
    return {
        "type": "Table",
        "columns": [{"width": 1} for _ in rows[0]],
        "firstRowAsHeaders": True,
        "rows": drawn,
    }


def _cell(text: str, *, is_head: bool, is_right: bool) -> Json:
    words = strong(one_line(text)) if is_head else run(one_line(text))
    block = rich(words, spacing="None")
    if is_right:
        block["horizontalAlignment"] = "Right"
    return {"type": "TableCell", "items": [block]}


# --- what can be pressed -------------------------------------------------------------------


def execute(text: str, verb: str, data: Mapping[str, Any], **how: Any) -> Json:
    """Return a button that does something; it sends no input unless it is told to."""
    return {
        "type": "Action.Execute",
        "title": label(text, BUTTON_CHARS),
        "verb": verb,
        "data": dict(data),
        "associatedInputs": "none",
        **how,
    }


def dialog(text: str, data: Mapping[str, Any]) -> Json:
    """Return a button that opens a dialog."""
    return {
        "type": "Action.Submit",
        "title": label(text, BUTTON_CHARS),
        "data": {**data, "msteams": {"type": "task/fetch"}},
        "associatedInputs": "none",
    }


def turn(text: str, data: Mapping[str, Any], *, keeps: bool = False) -> Json:
    """Return a button of a dialog that shows something else in it; a form's `keeps` what is typed."""
    return {
        "type": "Action.Submit",
        "title": label(text, BUTTON_CHARS),
        "data": dict(data),
        "associatedInputs": "auto" if keeps else "none",
    }


def submit(text: str, data: Mapping[str, Any]) -> Json:
    """Return the button of a form: what was typed and chosen comes with it."""
    return {
        "type": "Action.Submit",
        "title": label(text, BUTTON_CHARS),
        "data": dict(data),
        "associatedInputs": "auto",
        "style": "positive",
    }


def buttons(*actions: Json) -> Elements:
    """Return a row of buttons; nothing where there is none."""
    return [{"type": "ActionSet", "actions": list(actions)}] if actions else []


def beside(element: Json, action: Json) -> Json:
    """Return an element with a button at its right."""
    return {
        "type": "ColumnSet",
        "spacing": "Small",
        "columns": [
            {
                "type": "Column",
                "width": "stretch",
                "verticalContentAlignment": "Center",
                "items": [element],
            },
            {"type": "Column", "width": "auto", "items": buttons(action)},
        ],
    }


# --- what is filled in ----------------------------------------------------------------------


def choice(name: str, told: str, choices: Mapping[str, str], chosen: str = "", **how: Any) -> Json:
    """Return a menu. `choices`: what is shown, by the value that comes back."""
    listed = [
        {"title": label(text, CHOICE_CHARS), "value": value} for value, text in choices.items()
    ]
    made = {"type": "Input.ChoiceSet", "id": name, "label": told, "choices": listed, **how}
    return {**made, "value": chosen} if chosen else made


def line(name: str, told: str, most: int, typed: str = "") -> Json:
    """Return a field for a line of text."""
    made = {"type": "Input.Text", "id": name, "label": told, "maxLength": most}
    return {**made, "value": typed} if typed else made


def number(name: str, told: str, now: int, most: int) -> Json:
    """Return a field for a whole number from 1 on."""
    return {"type": "Input.Number", "id": name, "label": told, "value": now, "min": 1, "max": most}


def toggle(name: str, told: str, *, on: bool) -> Json:
    """Return a box to tick."""
    return {"type": "Input.Toggle", "id": name, "title": told, "value": "true" if on else "false"}


# --- cards and messages --------------------------------------------------------------------


def card(body: Elements, actions: Sequence[Json] = (), **how: Any) -> Json:
    """Return a card."""
    whole: Json = {"type": "AdaptiveCard", "version": "1.5", "body": body, **how}
    if actions:
        whole["actions"] = list(actions)
    return whole


SUMMARY_CHARS: Final = 200
_AI_LABEL: Final[Json] = {
    "type": "https://schema.org/Message",
    "@type": "Message",
    "@context": "https://schema.org",
    "additionalType": ["AIGeneratedContent"],
}


def message(shown: Json, summary: str, *, is_answer: bool = False) -> Json:
    """Return the message that shows a card. An answer is said to be made by a machine, and rated.

    A card and a text in one message cannot be updated, so that there is no text.
    """
    made: Json = {
        "type": "message",
        "summary": label(summary, SUMMARY_CHARS) or NOTHING,
        "attachments": [{"contentType": CARD_TYPE, "content": shown}],
    }
    if is_answer:
        made["entities"] = [dict(_AI_LABEL)]
        made["channelData"] = {"feedbackLoop": {"type": "default"}}
    return made
