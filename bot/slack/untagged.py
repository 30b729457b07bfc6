"""Decide whether a message that mentions nobody is said to MASIS, in a thread where it was asked.

Who has written there since is read from Slack and kept nowhere: that is right after a restart, in
every process and after a deletion, and only a message that could count costs the one call.
"""

import asyncio
from typing import Final

from bot.slack.access import Access
from bot.slack.client.web import SlackWeb
from bot.slack.intake import typed_text
from bot.slack.intake.payload_values import Said
from bot.slack.slack_errors import SlackError
from bot.slack.threads import at, by_person
from masis.conversation import ChatRun, Link
from masis.words.chat_words import small_talk
from storage.chat.links import Links
from storage.chat.requests import ChatRuns

KNOWN_SECONDS: Final = 2.0
"""For Slack to say who wrote. It wants its acknowledgement within 3, or repeats the message."""


class FollowUps:
    """Knows the rule of each channel; whatever is not clearly said to MASIS is left alone."""

    def __init__(self, *, access: Access, links: Links, runs: ChatRuns, web: SlackWeb) -> None:
        self._access = access
        self._links = links
        self._runs = runs
        self._web = web

    async def is_meant(self, said: Said, bot: str) -> bool:
        """Say whether the message is a question to MASIS, and one that it may answer.

        Raises:
            SlackError: Slack cannot say now; it repeats the message.
            TimeoutError: not in time; the same.
            StoreUnavailable: the database cannot be read now; the same.
        """
        if not said.thread or typed_text.names_others(said.text, said.user, bot):
            return False
        before = await self._runs.asked_before(said.tenant, said.channel, said.thread, said.ts)
        link = await self._links.of(said.tenant, said.channel) if before else None
        if before is None or link is None or not _could_be_meant(said, link, before):
            return False
        async with asyncio.timeout(KNOWN_SECONDS):
            return await self._is_theirs(said, link, before)

    async def _is_theirs(self, said: Said, link: Link, before: ChatRun) -> bool:
        try:
            if link.follow_ups == "mine" and await self._has_another_written(said, before):
                return False
            return await self._access.denial(_as_asked(said, link, before)) is None
        except SlackError as error:
            if error.permanent:
                return False  # nobody can say whose turn it is: silence
            raise

    async def _has_another_written(self, said: Said, before: ChatRun) -> bool:
        since = _since(before)
        found = await self._web.replies(
            said.tenant, said.channel, said.thread, oldest=f"{since:.6f}"
        )
        # The root is given whatever is asked for.
        between = [each for each in found if since < at(each) < float(said.ts)]
        return any(by_person(each) and each.get("user") != said.user for each in between)


def _could_be_meant(said: Said, link: Link, before: ChatRun) -> bool:
    if link.suspended or link.follow_ups == "tagged":
        return False
    if link.mode == "documents" and small_talk(said.text, in_thread=True):
        return False  # it asks nothing of a document, and nobody mentioned MASIS
    return link.follow_ups == "everybody" or said.user == before.asker


def _since(before: ChatRun) -> float:
    """Return when was asked last, by Slack's clock; a button or a command has no message."""
    if before.message:
        return float(before.message)
    return before.accepted_at.timestamp() if before.accepted_at else 0.0


def _as_asked(said: Said, link: Link, before: ChatRun) -> ChatRun:
    """Return the run that the message would begin, to be asked whether it may."""
    return before.model_copy(
        update={
            "asker": said.user,
            "kind": "follow_up",
            "workspace_id": link.workspace_id,
            "direct": said.direct,
        }
    )
