"""What people and mishaps do in the Teams team, each written into the town's ledger."""

import asyncio
import contextlib
import sqlite3
from typing import TYPE_CHECKING, Any, Final

from bot.cli.operations.forgetting import forget, of_team
from bot.playground.teams import card_text
from bot.playground.teams.connector_standin import Fault, Message
from bot.playground.teams.room import invoke
from bot.playground.teams.teams_payloads import activity, mention, person, personal, rated
from bot.teams.cards import carried
from bot.teams.cards.carried import IN_REPLY, DialogRef, Form, FormRef, RunRef, TypedReply
from bot.teams.inbound.activities import FILE
from bot.teams.managing.form_cards import IN_DOCUMENT, IN_NEW, IN_WORKSPACE, NEW
from masis.conversation import run_id, session_id
from tests.properties.ledger import Accepted, Asked, canaries
from tests.properties.teams_team import OWNER, PEOPLE, TEAMS, TeamsChannel, TeamsHouse
from tests.properties.town import SECONDS, decide, workspace_id

if TYPE_CHECKING:
    from tests.properties.deeds import Deeds

Json = dict[str, Any]
FORMS: Final = ("audit", "passage", "rest", "draft", "sources")
"""The dialogs of a run."""


class TeamsDeeds:
    """Does in the Teams team what the machine's rules say; `town` does it in the Slack teams."""

    def __init__(self, town: "Deeds") -> None:
        self._town = town
        self._ledger = town.ledger

    @property
    def _house(self) -> TeamsHouse:
        return self._town.here.teams

    # --- asking ----------------------------------------------------------------------------

    async def ask(self, channel: int, who: int, text: str, *, alone: bool) -> None:
        """Ask in a channel: before all by a mention, or `alone` by a slash command."""
        place, name = self._house.channels[channel], str(next(self._house.numbers))
        body = self._mention(place, name, text, PEOPLE[who])
        if alone:
            body |= {"text": f"ask {text}", "entities": []}
            body["recipient"] |= {"isTargeted": True}
        expected = self._ledger.answers(TEAMS, place.id)
        row = await self._says(place, body)
        assert (row is not None) == expected, body
        if row is not None:
            assert row["workspace"] == self._ledger.link_of(place.id), row

    async def say_in_thread(self, run: Accepted, thread: str, who: str, text: str) -> None:
        """Mention MASIS in the thread of an earlier question."""
        place = self._place_of(run.channel)
        name = str(next(self._house.numbers))
        await self._says(place, self._mention(place, thread, text, who, name))

    async def click(self, run: Accepted, nth: int, who: str, reply: str) -> None:
        """Press something under an earlier question, open a dialog of it, or vote on it."""
        messages = self._house.messages_of(run.run_id)
        offered = [(each, what) for each in messages for what in card_text.buttons(each.card)]
        votes = [each for each in messages if self._is_known(run, each)]
        if votes and nth >= len(offered):
            await self._votes(run, votes[0], who)
        elif offered:
            message, what = offered[nth % len(offered)]
            await self._presses(run, message, what, who, reply)

    async def _presses(
        self, run: Accepted, message: Message, what: Json, who: str, reply: str
    ) -> None:
        place = self._place_of(run.channel)
        if what["type"] == "Action.Submit":
            await self._invoked(place, "task/fetch", {"data": what["data"]}, who, message)
            return
        typed = {IN_REPLY: reply} if what.get("associatedInputs") == "auto" else {}
        value = {"action": what | {"data": what["data"] | typed}}
        await self._invoked(place, "adaptiveCard/action", value, who, message)

    async def _votes(self, run: Accepted, message: Message, who: str) -> None:
        place = self._place_of(run.channel)
        body = rated("like", id=self._next()) | self._at(place, message.thread, who)
        await self._sends(body | {"replyToId": message.id})
        if who == run.asker or not message.targeted:
            self._ledger.votes.add((run.run_id, who))

    def _is_known(self, run: Accepted, message: Message) -> bool:
        query = "SELECT 1 FROM outbox WHERE run_id = ? AND message = ?"
        return bool(self._town.select(query, run.run_id, message.id))

    async def redeliver(self, asked: Asked, times: int) -> None:
        """Teams delivers something once more, or several times at once."""
        await asyncio.gather(*(self._house.sends(asked.payload) for _ in range(times)))
        await self._done()
        await self._town.took(asked)

    # --- documents, links ------------------------------------------------------------------

    async def upload(self, channel: int, document: str, workspace: str, text: bytes) -> None:
        """Put a file into the channel's workspace, in the owner's own chat."""
        url = self._house.connector.file(f"{document}.md", text)
        content = {"downloadUrl": url, "uniqueId": url[-40:].replace("/", "")}
        sent = {"contentType": FILE, "name": f"{document}.md", "content": content}
        body = personal(f"Upload to {workspace}", id=self._next(), attachments=[sent])
        row = await self._says(self._house.chat, body | {"from": person(OWNER)})
        assert row is not None, (channel, workspace)

    async def delete(self, channel: int, document: str) -> bool:
        """Delete a document of the channel's workspace; gives whether one of that name went."""
        place = self._house.channels[channel]
        form = await self._form(place, "delete")
        chosen = [
            each["value"]
            for field in card_text.fields(form)
            for each in field.get("choices", [])
            if each["title"] == f"{document}.md"
        ]
        if not chosen:
            return False
        await self._submits(place, form, **{IN_DOCUMENT: chosen[0]})
        return not self._town.select("SELECT id FROM documents WHERE id = ?", chosen[0])

    async def link(self, channel: int, workspace: str | None) -> bool:
        """Link a channel, or take its link away; gives whether it is so now."""
        place, here = self._house.channels[channel], self._town.here
        if workspace is None:
            await self._sends(self._mention(place, self._next(), "unlink", OWNER))
            return not self._town.select("SELECT * FROM links WHERE channel = ?", place.id)
        known = await workspace_id(here, self._house, workspace)
        form = await self._form(place, "link")
        new = {IN_WORKSPACE: NEW, IN_NEW: workspace}
        await self._submits(place, form, **({IN_WORKSPACE: known} if known else new))
        query = (
            "SELECT w.name FROM links l JOIN workspaces w ON w.id = l.workspace_id"
            " WHERE l.channel = ? AND l.suspended = ''"
        )
        return self._town.select(query, place.id) == [{"name": workspace}]

    async def uninstall(self) -> None:
        """Take MASIS out of the team: its links answer nobody, and what is open ends."""
        await self._sends(self._installation("remove"))

    async def install(self) -> None:
        """Put it in again: what was suspended by that answers again."""
        await self._sends(self._installation("add"))

    async def purge(self) -> None:
        """Forget the team, as the operator does; of no other anything goes."""
        here = self._town.here
        await here.settled()
        app, before = here.life.app, self._of_others()
        await forget(app, await of_team(app, self._house.tenant))
        assert self._of_others() == before
        for table, columns in self._tables().items():
            if "team" in columns:
                query = f'SELECT * FROM "{table}" WHERE team = ?'  # noqa: S608 - a name of the schema's
                left = self._town.select(query, self._house.tenant.team)
                assert not left, (table, left)
        await decide(here, self._house)

    def _of_others(self) -> dict[str, int]:
        """Count the rows of the Slack teams."""
        found = {}
        for table, columns in self._tables().items():
            if "team" in columns:
                query = f'SELECT count(*) AS n FROM "{table}" WHERE enterprise <> ?'  # noqa: S608 - a name of the schema's
                found[table] = self._town.select(query, self._house.tenant.enterprise)[0]["n"]
        return found

    def _tables(self) -> dict[str, set[str]]:
        found = {}
        with contextlib.closing(sqlite3.connect(self._town.here.life.database)) as connection:
            named = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            for (name,) in named.fetchall():
                columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
                found[name] = {each[1] for each in columns}
        return found

    # --- what is not theirs ----------------------------------------------------------------

    async def pry(self, run: Accepted, row: Json, nth: int) -> None:
        """Send from this team what names another team's run, session, workspace or document."""
        await self._town.here.settled()
        place, before = self._house.channels[nth % 2], len(self._house.answers)
        rows, runs = (self._of_others(), self._links()), len(self._ledger.accepted)
        run_of, session = {"run": run.run_id}, session_id(run.run_id)
        ref = RunRef(run=run.run_id).data()
        for dialog in FORMS:
            data = DialogRef.model_validate({"dialog": dialog, "n": 1, **run_of}).data()
            await self._invoked(place, "task/fetch", {"data": data}, OWNER)
        typed = TypedReply(run=run.run_id, session=session).data() | {IN_REPLY: "yes"}
        chosen = ref | {"session": session, "choice": 0}
        for verb, data in (
            (carried.CANCEL, ref),
            (carried.WIDER, ref),
            (carried.REFRESH, ref),
            (carried.REPLY, typed),
            (carried.CHOOSE, chosen),
            (carried.DISMISS, ref | {"session": session}),
            (carried.WORKSPACE, {"v": 1, "workspace": row["workspace_id"]}),
        ):
            value = {"action": {"type": "Action.Execute", "verb": verb, "data": data}}
            await self._invoked(place, "adaptiveCard/action", value, OWNER)
        if TEAMS not in self._ledger.removed:
            await self._forge(place, row["workspace_id"])
        assert (self._of_others(), self._links()) == rows
        assert len(self._ledger.accepted) == runs
        told = canaries(str(self._house.answers[before:]))
        assert {self._ledger.versions[each].house for each in told} <= {TEAMS}, told

    async def _forge(self, place: TeamsChannel, workspace: str) -> None:
        """Fill forms in with what they do not offer."""
        form = FormRef(form="link").data() | {IN_WORKSPACE: workspace}
        await self._invoked(place, "task/submit", {"data": form}, OWNER)
        query = "SELECT id FROM documents WHERE workspace_id = ?"
        for each in self._town.select(query, workspace):
            data = FormRef(form="delete", chosen=each["id"]).data() | {IN_DOCUMENT: each["id"]}
            await self._invoked(place, "task/submit", {"data": data}, OWNER)

    def _links(self) -> list[Json]:
        query = "SELECT channel, workspace_id FROM links WHERE team = ? ORDER BY channel"
        return self._town.select(query, self._house.tenant.team)

    # --- mishaps ---------------------------------------------------------------------------

    def fault(self, verb: str, fault: Fault, times: int) -> None:
        """Something goes wrong with the next calls of the connector's."""
        self._house.connector.fail(verb, *[fault] * times)

    # --- activities ------------------------------------------------------------------------

    def _next(self) -> str:
        return str(next(self._house.numbers))

    def _place_of(self, channel: str) -> TeamsChannel:
        places = (*self._house.channels, self._house.chat)
        return next(each for each in places if each.id == channel)

    def _mention(
        self, place: TeamsChannel, thread: str, text: str, who: str, name: str = ""
    ) -> Json:
        return mention(text, id=name or thread) | self._at(place, thread, who)

    def _at(self, place: TeamsChannel, thread: str, who: str) -> Json:
        """Return where something is sent from, and by whom."""
        body = personal() if place == self._house.chat else mention()
        if place != self._house.chat:
            body["channelData"]["channel"]["id"] = place.conversation
            body["conversation"]["id"] = f"{place.conversation};messageid={thread or 1}"
        kept = {name: body[name] for name in ("conversation", "channelData")}
        return kept | {"from": person(who)}

    def _installation(self, action: str) -> Json:
        body = activity("installationUpdate", action=action, id=self._next())
        body["conversation"]["id"] = self._house.channels[0].conversation
        body["channelData"]["channel"]["id"] = self._house.channels[0].conversation
        return body | {"from": person(OWNER)}

    async def _says(self, place: TeamsChannel, body: Json) -> Json | None:
        await self._sends(body)
        name = run_id(self._house.tenant, "message", f"{place.id}:{body['id']}")
        return await self._noted(Asked(TEAMS, place, "teams", body, name))

    async def _invoked(
        self,
        place: TeamsChannel,
        name: str,
        value: Json,
        who: str,
        message: Message | None = None,
    ) -> Json:
        """Press something, or open a dialog; a run may come of it."""
        body = invoke(name, value, self._next())
        body |= self._at(place, "" if message is None else message.thread, who)
        answer = await self._sends(body | ({"replyToId": message.id} if message else {}))
        key = run_id(self._house.tenant, "action", f"{place.id}:{body['id']}")
        await self._noted(Asked(TEAMS, place, "teams", body, key))
        return answer

    async def _noted(self, asked: Asked) -> Json | None:
        self._ledger.asked.append(asked)
        return await self._town.took(asked)

    async def _sends(self, body: Json) -> Json:
        answer = await self._house.sends(body)
        await self._done()
        return answer

    async def _done(self) -> None:
        """Wait until what was sent is done; runs go on."""
        async with asyncio.timeout(SECONDS):
            while self._town.select("SELECT id FROM chat_jobs"):  # noqa: ASYNC110 - a table tells nobody
                await asyncio.sleep(0.01)

    async def _form(self, place: TeamsChannel, form: Form) -> Json:
        data = {"data": FormRef(form=form).data()}
        answer = await self._invoked(place, "task/fetch", data, OWNER)
        value = answer["task"]["value"]
        return value["card"]["content"] if isinstance(value, dict) else {}

    async def _submits(self, place: TeamsChannel, form: Json, **typed: str) -> None:
        """Send a form off."""
        [action] = form.get("actions") or [{"data": {}}]
        held = {each["id"]: each["value"] for each in card_text.fields(form) if "value" in each}
        value = {"data": action["data"] | held | typed}
        await self._invoked(place, "task/submit", value, OWNER)
