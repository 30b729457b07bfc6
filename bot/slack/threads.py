"""Read what was written in a thread before MASIS was asked in it."""

from collections.abc import Iterable
from typing import Any, Final

from bot.slack.client.web import SlackWeb
from bot.slack.intake import typed_text
from bot.slack.slack_errors import SlackError
from masis.conversation import MOST_HEARD, MOST_HEARD_CHARS, ChatRun

_WRITTEN: Final = frozenset({"", "file_share", "thread_broadcast", "me_message"})
"""The subtypes of messages that people write."""


class Threads:
    """Reads other people's threads."""

    def __init__(self, web: SlackWeb) -> None:
        self._web = web

    async def heard(self, run: ChatRun) -> list[str]:
        """Return what was last written before a run's message, oldest first.

        Nothing is read but where it is the first question of a thread that others began, and
        nothing where Slack does not let it be read: the question is answered without.
        """
        if run.kind != "ask" or not run.message or run.message == run.thread:
            return []
        try:
            found = await self._web.whole_thread(run.tenant, run.channel, run.thread)
        except SlackError:
            return []
        before = [each for each in found if at(each) < float(run.message)]
        # A thread may hang from what a program reported; its replies are not what is meant.
        said = [each for each in before if by_person(each) or _began(each, run)]
        return _last(typed_text.plain(text) for text in map(_text, said))


def by_person(message: dict[str, Any]) -> bool:
    """Say whether a person wrote a message."""
    is_bot = message.get("bot_id") or message.get("bot_profile")
    return (message.get("subtype") or "") in _WRITTEN and not is_bot and bool(message.get("user"))


def _began(message: dict[str, Any], run: ChatRun) -> bool:
    return message.get("ts") == run.thread and message.get("subtype") in {None, "bot_message"}


def at(message: dict[str, Any]) -> float:
    """Return when a message was written, by Slack's clock; 0 where that is not said."""
    try:
        return float(message.get("ts") or 0)
    except (TypeError, ValueError):
        return 0.0


def _text(message: dict[str, Any]) -> str:
    text = message.get("text")
    return text if isinstance(text, str) else ""


def _last(texts: Iterable[str]) -> list[str]:
    """Return the last texts, oldest first, each with its beginning and its end."""
    half = MOST_HEARD_CHARS // 2 - 1
    return [
        text if len(text) <= MOST_HEARD_CHARS else f"{text[:half]}… {text[-half:]}"
        for text in [text for text in texts if text][-MOST_HEARD:]
    ]
