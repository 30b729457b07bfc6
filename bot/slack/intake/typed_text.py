"""Read what Slack sends back into what was typed: its markup (`<@U1|ann>`, `&lt;`) is gone."""

import re
from typing import Final

from bot.chat.grammar import Command, read
from bot.chat.words.visible_text import visible

MOST_READ: Final = 40_000
"""Characters of a message that are looked at; Slack sends no more."""

_TOKEN: Final = re.compile(r"<([^<>\n]{1,3000})>")
_MAIL: Final = "mailto:"
_MANY: Final = ("!subteam", "!here", "!channel", "!everyone")
"""How the mention of several people at once begins."""


def parse(text: str) -> Command:
    """Read what stands behind `/masis`, as Slack sends it."""
    return read(plain(text))


def mention_text(text: str, bot_user_id: str) -> str:
    """Return what a message says beside its mention of the bot, as plain text."""
    told = text[:MOST_READ]
    if bot_user_id:
        told = re.sub(rf"<@{re.escape(bot_user_id)}(?:\|[^<>\n]{{0,200}})?>[ \t]*[:,]?", " ", told)
    return plain(told)


def names_others(text: str, *known: str) -> bool:
    """Say whether a message mentions anybody but these: a person, a group, or all who are there."""
    told = {found[1].partition("|")[0] for found in _TOKEN.finditer(text[:MOST_READ])}
    people = {target[1:] for target in told if target.startswith("@")}
    return bool(people.difference(known)) or any(target.startswith(_MANY) for target in told)


def plain(text: str) -> str:
    """Slack's text as it was typed: names for mentions and channels, no entities, nothing hidden."""
    told = _TOKEN.sub(lambda found: _readable(found[1]), text[:MOST_READ])
    # Slack escapes these three alone; what a person wrote as an entity stays as they wrote it.
    told = told.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    lines = (" ".join(line.split()) for line in visible(told).split("\n"))
    return "\n".join(lines).strip()


def _readable(token: str) -> str:
    """One `<…>` of Slack's as people read it."""
    target, _, label = token.partition("|")
    if target.startswith("@"):
        return f"@{label.removeprefix('@') or 'someone'}"
    if target.startswith("#"):
        return f"#{label or 'channel'}"
    if target.startswith("!"):
        word = target[1:].partition("^")[0]
        return label or (f"@{word}" if word in {"here", "channel", "everyone"} else word)
    if target.startswith(_MAIL):
        return label or target.removeprefix(_MAIL)
    return target if not label or label in target else f"{label} ({target})"
