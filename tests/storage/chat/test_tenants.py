"""What a tenant sees does not depend on what another one does."""

import datetime as dt
import itertools
from collections.abc import Awaitable, Callable
from typing import Any, Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from masis.conversation import AdminAction, TeamSettings, Tenant, Vote
from masis.domain import Workspace
from masis.errors import UnknownWorkspace
from storage.chat import sessions as session_steps
from storage.chat.admin_log import AdminLog
from storage.chat.deduplication import Claims
from storage.chat.links import Links
from storage.chat.outbox import Outbox
from storage.chat.requests import ChatRuns
from storage.chat.sessions import Sessions
from storage.chat.team_settings import TeamSettingsStore
from storage.chat.trails import Trails
from storage.chat.votes import Votes
from storage.documents.repository import SqlRepository
from storage.privacy.purge import Purge
from storage.sql.database import Database
from tests.examples import examples
from tests.storage.beside import sqlite_alone
from tests.storage.chat.samples import NOON, a_link, a_run, a_session, insert, keep

FRESH: Final = itertools.count()
"""Numbers for teams that no example had before: all examples share one database."""


class Team:
    """A team and what it can do. Channels, threads, people and messages are named alike in all.

    `n` says which of its things a deed is about, `whose` is the team whose id is named: its own, or
    one that it got hold of.
    """

    def __init__(self, database: Database, tenant: Tenant, workspace: Workspace) -> None:
        self.database = database
        self.tenant = tenant
        self.workspace = workspace

    @classmethod
    async def found(cls, database: Database) -> "Team":
        n = next(FRESH)
        # Two that are found one after the other have the same ids in different chats.
        tenant = Tenant(chat=("slack", "teams")[n % 2], enterprise="E1", team=f"T{n // 2}.")
        return cls(
            database, tenant, await SqlRepository(database).create_workspace(tenant.owner, "acme")
        )

    def id(self, n: int) -> str:
        return f"{self.tenant.chat}{self.tenant.team}{n}"

    async def link(self, n: int, whose: "Team") -> Any:
        link = a_link(whose.workspace, tenant=self.tenant, channel=f"C{n}")
        return await Links(self.database).link(link)

    async def unlink(self, n: int, _: "Team") -> Any:
        return await Links(self.database).unlink(self.tenant, f"C{n}")

    async def choose(self, n: int, whose: "Team") -> Any:
        await Links(self.database).choose_direct(self.tenant, f"U{n}", whose.workspace.id)

    async def claim(self, n: int, _: "Team") -> Any:
        return await Claims(self.database).take(self.tenant, f"message {n}")

    async def ask(self, n: int, whose: "Team") -> Any:
        run = a_run(self.id(n), whose.workspace, tenant=self.tenant, asker=f"U{n % 2}")
        if (await insert(self.database, run))[0]:
            await keep(self.database, run)
            await Outbox(self.database).begin(run.id, "answer", 0, "C1", "1.1")
            await Outbox(self.database).sent(run.id, "answer", 0, f"2.{n}")

    async def ask_back(self, n: int, whose: "Team") -> Any:
        session = a_session(
            f"s{self.id(n)}", whose.workspace, tenant=self.tenant, run_id=self.id(n)
        )
        return await Sessions(self.database).open(session)

    async def reply(self, n: int, whose: "Team") -> Any:
        return await self.database.transact(
            lambda connection: session_steps.take(
                connection,
                f"s{whose.id(n)}",
                self.tenant,
                user="U1",
                reply=f"reply {n}",
                next_run_id=self.id(2),
                now=NOON,
            )
        )

    async def cancel(self, n: int, whose: "Team") -> Any:
        return await Sessions(self.database).cancel(self.tenant, f"s{whose.id(n)}", "U1")

    async def vote(self, n: int, whose: "Team") -> Any:
        vote = Vote(tenant=self.tenant, run_id=whose.id(n), user="U1", good=n > 0, at=NOON)
        return await Votes(self.database).cast(vote, whose.workspace.id)

    async def decide(self, n: int, _: "Team") -> Any:
        store = TeamSettingsStore(self.database)
        await store.save(self.tenant, TeamSettings(user_per_minute=n + 1))

    async def act(self, n: int, _: "Team") -> Any:
        at = NOON + dt.timedelta(minutes=n)
        done = AdminAction(tenant=self.tenant, actor=f"U{n}", action="link", at=at)
        await AdminLog(self.database).add(done, once=self.id(n))

    async def forget(self, n: int, _: "Team") -> Any:
        return await Purge(self.database).purge_user(self.tenant, f"U{n}")

    async def forget_workspace(self, _: int, whose: "Team") -> Any:
        if whose is not self:
            purge = Purge(self.database)
            return await purge.purge_workspace(self.tenant.owner, whose.workspace.id)
        return None

    async def look(self, _: int, whose: "Team") -> Any:
        """Everything that the team can see, and all ids that it can name."""
        database, tenant = self.database, self.tenant
        seen: list[Any] = [
            await Links(database).all(tenant),
            await ChatRuns(database).recent(tenant, 9),
            await ChatRuns(database).latest_in_thread(tenant, "C1", "1.1"),
            await Sessions(database).open_in_thread(tenant, "C1", "1.1"),
            await Votes(database).list(tenant),
            await TeamSettingsStore(database).of(tenant),
            await AdminLog(database).list(tenant),
        ]
        for n in range(3):
            seen += [
                await Links(database).direct_choice(tenant, f"U{n}"),
                await Outbox(database).find_by_message(tenant, "C1", f"2.{n}") is None,
                await ChatRuns(database).get(tenant, whose.id(n)),
                await Sessions(database).by_id(tenant, f"s{whose.id(n)}"),
                await Votes(database).of(tenant, whose.id(n)),
                await Trails(database).of(tenant, whose.id(n)),
            ]
        return seen

    async def learn(self, verb: "Verb", n: int, whose: "Team") -> str:
        """Do it, and say what came of it without any name of the team's own."""
        try:
            learned = repr(await verb(self, n, whose))
        except UnknownWorkspace:
            learned = "refused"
        names = {self.tenant.team: "T.", self.tenant.chat: "chat", self.workspace.id: "w"}
        for name, instead in names.items():
            learned = learned.replace(name, instead)
        return learned


Verb = Callable[[Team, int, Team], Awaitable[Any]]

VERBS: Final[list[Verb]] = [
    Team.link,
    Team.unlink,
    Team.choose,
    Team.claim,
    Team.ask,
    Team.ask_back,
    Team.reply,
    Team.cancel,
    Team.vote,
    Team.decide,
    Team.act,
    Team.forget,
    Team.forget_workspace,
]
LOOKS: Final[list[tuple[int, Verb, int, bool]]] = [
    (who, Team.look, 0, stolen) for who in (0, 1) for stolen in (False, True)
]
DEEDS: Final = st.lists(
    st.tuples(st.sampled_from([0, 1]), st.sampled_from(VERBS), st.integers(0, 2), st.booleans()),
    min_size=10,
    max_size=40,
)


@sqlite_alone  # thousands of statements, each of which other tests run on PostgreSQL too
@settings(
    deadline=None,
    max_examples=examples(10),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(deeds=DEEDS)
async def test_other_team_actions_change_nothing_visible(
    database: Database, deeds: list[tuple[int, Verb, int, bool]]
) -> None:
    """A team learns the same whatever another one does."""
    deeds = [*deeds, *LOOKS]
    together = [await Team.found(database) for _ in range(2)]
    learned: list[list[str]] = [[], []]
    for who, verb, n, stolen in deeds:
        whose = together[1 - who if stolen else who]
        learned[who].append(await together[who].learn(verb, n, whose))

    for who in (0, 1):
        alone, idle = [await Team.found(database) for _ in range(2)]
        expected = [
            await alone.learn(verb, n, idle if stolen else alone)
            for actor, verb, n, stolen in deeds
            if actor == who
        ]
        assert learned[who] == expected
