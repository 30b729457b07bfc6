"""Telling somebody something in private, and opening forms, from wherever they clicked or typed."""

from typing import Protocol

from bot.slack.errors import SlackError
from bot.slack.services import Services
from bot.slack.views.message import notice
from bot.slack.web import Json, Message
from masis.conversation import Tenant


class Caller(Protocol):
    """Who did something, and where they can be told about it."""

    @property
    def tenant(self) -> Tenant:
        """Their team."""

    @property
    def user(self) -> str:
        """Who."""

    @property
    def channel(self) -> str:
        """Where; empty on the home tab."""

    @property
    def trigger(self) -> str:
        """What opens a form within 3 seconds."""

    @property
    def response_url(self) -> str:
        """Where Slack takes an answer; empty where there is none."""


class Answering:
    """Reaches the caller by the response address, else by a private message in the channel."""

    def __init__(self, services: Services) -> None:
        self._web = services.web

    async def tell(self, caller: Caller, message: Message | str, thread: str = "") -> None:
        """Tell the caller alone."""
        shown = notice(message) if isinstance(message, str) else message
        web = self._web
        if caller.response_url:
            try:
                await web.respond(caller.tenant, caller.response_url, shown)
            except SlackError:
                if not caller.channel:
                    raise
            else:
                return
        if caller.channel:
            await web.ephemeral(caller.tenant, caller.channel, caller.user, shown, thread=thread)

    async def open(self, caller: Caller, view: Json) -> str:
        """Open a form, and give its id."""
        return await self._web.open_view(caller.tenant, caller.trigger, view)

    async def change(self, caller: Caller, view_id: str, view: Json) -> None:
        """Show something else in an open form."""
        await self._web.update_view(caller.tenant, view_id, view)
