"""Use what an app shows, as a person can: commands, buttons, menus, forms, shortcuts."""

from collections.abc import Mapping
from typing import Any

from bot.playground.people.outcomes import Did
from bot.playground.people.viewpoint import Seat
from bot.playground.slack import interactions, payloads
from bot.playground.slack.checker.block_kit import violations
from bot.playground.slack.entities import Channel, Json, Message, View
from bot.playground.slack.hosting import answer
from bot.playground.slack.interactions import CannotDo, Exactly
from bot.playground.slack.world import Said


class Pressing(Seat):
    """A person who uses the app's commands and presses what it shows."""

    async def slash(self, command: str, text: str, channel: Channel) -> Did:
        """Send a slash command. It cannot be sent in a thread.

        Raises:
            CannotDo: the app has no such command in this person's team.
        """
        installation = self._own_installation()
        if command not in self._world.app.commands:
            raise CannotDo(f"{command} is not a valid command")
        self._must_see(channel)
        address = self._world.address(self.user, installation, channel)
        trigger = self._world.trigger(self.user, installation, channel.id)
        typed = (command, self._typed(text))
        payload = payloads.command(self._world, self.user, channel, typed, trigger)
        payload["response_url"] = payloads.response_url(self._hub.base_url, address)
        ack = await self._hub.bots.send("slash_commands", payload)
        if not ack.ok:
            reason = "operation_timeout" if ack.error == "timeout" else "dispatch_failed"
            failed = f"{command} failed with the error “{reason}”"
            return Did([ack], self._world.whisper(channel, self.id, Said(text=failed)))
        given = {"text": ack.body} if isinstance(ack.body, str) else ack.body
        return Did([ack], answer(self._hub, address, given) if given else None)

    async def clicks(self, where: Message | View, what: str | Exactly, chosen: Any = None) -> Did:
        """Press what says that, or has that action id or value; in a menu choose `chosen`.

        Raises:
            CannotDo: it is not there, or this person does not see it.
        """
        self._must_reach(where)
        pressed = interactions.find(where.blocks, what)
        told = interactions.action(pressed, chosen, self._world.new_ts())
        if isinstance(where, View):
            state = interactions.state_of(pressed.element, chosen) if "value" not in told else None
            if state is not None and pressed.element["type"] != "button":
                block = where.values.setdefault(pressed.block["block_id"], {})
                block[pressed.element["action_id"]] = state
        payload = self._pressed(where, told)
        return Did([await self._hub.bots.send("interactive", payload)])

    async def asks_options(self, where: Message | View, menu: Exactly, typed: str) -> Json:
        """Type into a menu whose options the app looks up; gives them as the app did.

        Raises:
            CannotDo: there is no such menu, or the app offers nothing.
        """
        self._must_reach(where)
        block, element, _ = interactions.find(where.blocks, menu)
        if not element["type"].endswith("external_select"):
            raise CannotDo("that menu has its options already")
        installation = self._author(where.bot_id)
        told = payloads.interaction(self._world, "block_suggestion", self.user, installation)
        told |= {"block_id": block["block_id"], "action_id": element["action_id"], "value": typed}
        if isinstance(where, View):
            told |= payloads.pressed_in_view(where)
        else:
            told |= payloads.pressed_in_message(self._world.channels[where.channel_id], where)
        ack = await self._hub.bots.send("interactive", told)
        if not ack.ok or not isinstance(ack.body, dict):
            raise CannotDo("the app offers nothing here")
        return ack.body

    def _must_reach(self, where: Message | View) -> None:
        if isinstance(where, View):
            return
        self._must_see(self._world.channels[where.channel_id])
        if where.only_for not in {None, self.id}:
            raise CannotDo("somebody else sees that message alone")

    def _pressed(self, where: Message | View, action: Json) -> Json:
        installation = self._author(where.bot_id)
        told = payloads.interaction(self._world, "block_actions", self.user, installation)
        if isinstance(where, View):
            told |= payloads.pressed_in_view(where)
            channel_id = where.opened_in
        else:
            channel = self._world.channels[where.channel_id]
            channel_id = channel.id
            address = self._world.address(self.user, installation, channel)
            address.message_ts, address.thread_ts = where.ts, where.thread_ts
            told |= payloads.pressed_in_message(channel, where)
            told["response_url"] = payloads.response_url(self._hub.base_url, address)
        trigger = self._world.trigger(self.user, installation, channel_id)
        return told | {"trigger_id": trigger.id, "actions": [action]}

    async def submits(
        self, given: Mapping[Any, Any] | None = None, view: View | None = None
    ) -> Did:
        """Fill a form in, the one on top when none is named, and send it off.

        Args:
            given: what is typed and chosen, by action id, block id or label, or by both ids.
            view: the form.

        Raises:
            CannotDo: none is open, or Slack's own form does not let it pass.
        """
        view = view or self.modal
        if view is None:
            raise CannotDo(f"{self.user.shown} has no form open")
        view.values = interactions.values(view, given or {})
        installation = self._author(view.bot_id)
        for file_id in interactions.files(view.values):
            self._world.files[file_id].given_to.append(installation.bot_user_id)
        trigger = self._world.trigger(self.user, installation, view.opened_in)
        payload = payloads.interaction(self._world, "view_submission", self.user, installation)
        payload |= {"trigger_id": trigger.id, "view": view.json(), "response_urls": []}
        ack = await self._hub.bots.send("interactive", payload)
        return self._shown_after(view, Did([ack]))

    def _shown_after(self, view: View, did: Did) -> Did:
        """Do with the form what the app answered."""
        if not did.ack.ok:
            did.trouble = ["We had some trouble connecting. Try again?"]
            return did
        body = did.body if isinstance(did.body, dict) else {}
        content = body.get("view") or {}
        match body.get("response_action"):
            case "errors":
                did.errors = dict(body.get("errors") or {})
                known = {block["block_id"] for block in view.blocks}
                did.trouble = [f"no block {name}" for name in did.errors if name not in known]
            case "update" | "push" as what:
                did.trouble = violations("modal", content)
                if not did.trouble:
                    self._put(view, content, what)
            case "clear":
                self._world.close_view(self.id, everything=True)
            case _:
                self._world.close_view(self.id)
        return did

    def _put(self, view: View, content: Json, what: str) -> None:
        if what == "update":
            self._world.change_view(view, content)
            return
        installation = self._author(view.bot_id)
        self._world.push_view(
            self._world.new_view(self.user, installation, content, view.opened_in)
        )

    async def closes(self) -> Did:
        """Close the form on top without sending it."""
        view = self.modal
        if view is None:
            raise CannotDo(f"{self.user.shown} has no form open")
        self._world.close_view(self.id)
        if not view.content.get("notify_on_close"):
            return Did()
        installation = self._author(view.bot_id)
        payload = payloads.interaction(self._world, "view_closed", self.user, installation)
        payload |= {"view": view.json(), "is_cleared": False}
        return Did([await self._hub.bots.send("interactive", payload)])

    async def shortcut(self, callback_id: str, message: Message) -> Did:
        """Choose one of the app's shortcuts in a message's menu."""
        installation = self._own_installation()
        channel = self._world.channels[message.channel_id]
        self._must_see(channel)
        address = self._world.address(self.user, installation, channel)
        payload = payloads.interaction(self._world, "message_action", self.user, installation)
        payload |= payloads.shortcut(channel, message, callback_id, self._world.new_ts())
        payload["trigger_id"] = self._world.trigger(self.user, installation, channel.id).id
        payload["response_url"] = payloads.response_url(self._hub.base_url, address)
        return Did([await self._hub.bots.send("interactive", payload)])
