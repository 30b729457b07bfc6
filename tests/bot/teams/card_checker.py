"""A strict checker of cards: the grammar of today's Teams, our own limits, and what must not be live."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, get_args

from microsoft_teams.cards import core
from pydantic import BaseModel, ValidationError

from bot.chat.words import shared_sentences
from bot.teams.connector.conversation_limits import CARD_CHARS
from bot.teams.text import sentences

MOST_UTF16: Final = 80_000
FREE: Final = frozenset({"data"})
"""Keys whose value is anybody's own."""
OURS: Final = {
    value
    for source in (*vars(shared_sentences).values(), *vars(sentences).values())
    for value in (source.values() if isinstance(source, dict) else [source])
    if isinstance(value, str)
}
"""What a `TextBlock` may say: it runs Markdown and functions."""


def _types() -> dict[str, type[BaseModel]]:
    found: dict[str, type[BaseModel]] = {}
    for each in vars(core).values():
        if isinstance(each, type) and issubclass(each, BaseModel) and "type" in each.model_fields:
            for name in get_args(each.model_fields["type"].annotation):
                found.setdefault(name, each)
    return found


TYPES: Final = _types()


def violations(message: dict[str, Any]) -> list[str]:
    """What is wrong with a message that shows a card; nothing where it is sound."""
    whole = json.dumps(message, ensure_ascii=False)
    found = [] if len(whole) <= CARD_CHARS else [f"{len(whole)} characters"]
    found += [] if len(whole.encode("utf-16-le")) <= MOST_UTF16 else ["too many bytes"]
    found += ["a text beside the card"] if "text" in message else []
    labels = [each for each in message.get("entities", []) if "schema.org" in each["type"]]
    found += ["entities that are no label"] if message.get("entities", []) != labels[:1] else []
    (attachment,) = message["attachments"]
    if attachment["contentType"] != "application/vnd.microsoft.card.adaptive":
        found.append("no card")
    return [*found, *card_violations(attachment["content"])]


def card_violations(card: dict[str, Any]) -> list[str]:
    whole = json.dumps(card, ensure_ascii=False)
    found = [] if len(whole) <= CARD_CHARS else [f"{len(whole)} characters"]
    if card.get("type") != "AdaptiveCard" or card.get("version") != "1.5" or not card.get("body"):
        found.append("no card of version 1.5 with a body")
    return [*found, *_walked(card, "card")]


def _walked(value: Any, where: str) -> Iterator[str]:
    if isinstance(value, list):
        for at, each in enumerate(value):
            yield from _walked(each, f"{where}[{at}]")
    if not isinstance(value, dict):
        return
    if "type" in value:
        yield from _checked(value, where)
    for key, below in value.items():
        if key not in FREE:
            yield from _walked(below, f"{where}.{key}")


def _checked(element: dict[str, Any], where: str) -> Iterator[str]:
    kind = TYPES.get(str(element["type"]))
    if kind is None:
        yield f"{where}: unknown type {element['type']}"
        return
    try:
        kind.model_validate(element)
    except ValidationError as error:
        yield f"{where}: {error.errors()[0]['loc']} {error.errors()[0]['msg']}"
    generator = core.SerializableObject.serialization_alias_generator
    known = {
        field.serialization_alias or field.alias or generator(name)
        for name, field in kind.model_fields.items()
    }
    yield from (f"{where}: unknown key {key}" for key in element.keys() - known)
    yield from _ours(element, where)


def _ours(element: dict[str, Any], where: str) -> Iterator[str]:
    """What the grammar allows and MASIS does not."""
    kind = element["type"]
    # A mention is live in Markdown alone: a name of letters is all that may stand there.
    said = re.sub(r"<at>[^\W_]+(?:[ '’-][^\W_]+)*</at>", "{who}", element.get("text", ""))
    if kind == "TextBlock" and said not in OURS:
        yield f"{where}: Markdown that is no sentence of ours"
    if kind in {"Image", "Media", "FactSet", "Action.OpenUrl", "BackgroundImage"}:
        yield f"{where}: {kind}"
    if kind == "Action.Execute" and not isinstance(element.get("verb"), str):
        yield f"{where}: a verb that is no text"
    if kind.startswith("Chart.") and "fallback" not in element:
        yield f"{where}: a chart without a fallback"
    if kind == "TextRun" and (alive := LIVE.search(element["text"])):
        yield f"{where}: {alive[0]!r} is alive"


LIVE: Final = re.compile(
    r"[a-z][a-z0-9+.-]*://|\bwww\.\S|\{\{|\$\{|mailto:\S|MASIS-SYSTEM-|[\u200b\u202e\x07]",
    re.IGNORECASE,
)


def texts(value: Any) -> list[str]:
    """Every text that a card shows."""
    if isinstance(value, list):
        return [text for each in value for text in texts(each)]
    if not isinstance(value, dict):
        return []
    own = [str(value[key]) for key in ("text", "title", "label", "legend", "x") if key in value]
    return [*own, *(text for key, each in value.items() if key != "data" for text in texts(each))]
