"""What holds of a town once all is quiet. Each check is one promise of the design."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from bot.observability.metrics import ENDINGS
from bot.playground import transcript
from bot.playground.slack.entities import Message
from bot.playground.slack.hub import Logged
from bot.playground.slack.interactions import pressable
from bot.slack.surface import PROGRESS
from masis.conversation import OPEN, Tenant
from storage.chat.teams_places import place_id
from tests.chaos.teams.teams_account import run_of
from tests.properties.commit_order import begun_outcomes
from tests.properties.ledger import Accepted, Ledger, canaries
from tests.properties.teams_team import OWNER, PEOPLE, TEAMS
from tests.properties.town import Town

Row = dict[str, Any]
UNSEEN: Final = ("replaced", "deleted")
ENGINES: Final = ("workflow_status", "operation_outputs", "workflow_inputs")
"""The engine's own tables that hold what its steps gave."""


@dataclass
class Quiet:
    """A town in which nothing is under way: what is stored, what was posted, what was called."""

    here: Town
    ledger: Ledger
    runs: dict[str, Row]
    outbox: list[Row]
    posted: dict[tuple[str, str, int], list[Message]]
    """By run, kind and part."""
    figures: dict[str, float]

    def endings(self, run_id: str) -> list[tuple[str, int]]:
        """The outcomes of a run that stand in its channel: which, and how many of it."""
        found = ((kind, self.posted.get((run_id, kind, 0), [])) for kind in ENDINGS)
        return [(kind, len(messages)) for kind, messages in found if messages]

    def active(self) -> set[str]:
        """The canaries that can be found now."""
        query = (
            "SELECT text FROM chunks JOIN versions v ON v.id = version_id WHERE state = 'active'"
        )
        with closing(sqlite3.connect(self.here.life.database)) as connection:
            return {word for (text,) in connection.execute(query) for word in canaries(text)}


async def quiet(here: Town, ledger: Ledger) -> Quiet:
    """Wait until all is quiet, and look."""
    await here.settled()
    with closing(sqlite3.connect(here.life.database)) as connection:
        connection.row_factory = sqlite3.Row
        runs = {row["id"]: row for row in _all(connection, "chat_runs")}
        outbox = list(_all(connection, "outbox"))
    posted: dict[tuple[str, str, int], list[Message]] = {}
    for message in _messages(here):
        if (key := identity(message.metadata)) is not None:
            posted.setdefault(key, []).append(message)
    return Quiet(here, ledger, runs, outbox, posted, await _figures(here))


def check(found: Quiet) -> None:
    """All of it."""
    every_accepted_request_is_there_and_no_other(found)
    every_request_has_one_outcome(found)
    nothing_is_posted_twice(found)
    no_progress_goes_on(found)
    replies_and_their_questions_belong_together(found)
    counters_are_rows(found)
    votes_are_those_that_were_cast(found)
    every_request_in_teams_has_one_outcome(found)
    nobody_sees_what_is_not_theirs(found)
    nobody_in_teams_sees_what_is_not_theirs(found)
    what_was_done_is_logged_where_it_was_done(found)
    no_ended_token_is_used(found)
    an_unlinked_channel_is_not_answered(found)
    what_is_deleted_is_gone(found)
    what_is_kept_as_evidence_is_the_workspaces_own(found)


# --- requests ------------------------------------------------------------------------------


def every_accepted_request_is_there_and_no_other(found: Quiet) -> None:
    """None is lost, none is made up, and each is where it was asked."""
    expected = {run.run_id: run for run in found.ledger.living()}
    assert set(found.runs) == set(expected), {
        "lost": set(expected) - set(found.runs),
        "made up": set(found.runs) - set(expected),
    }
    for run_id, run in expected.items():
        row = found.runs[run_id]
        assert (row["team"], row["channel"]) == (_tenant(found, run.house).team, run.channel), row


def every_request_has_one_outcome(found: Quiet) -> None:
    """Exactly one, in its thread; where the app left in the middle, at most one."""
    for run_id, row in found.runs.items():
        assert row["status"] not in OPEN, row
        if found.ledger.accepted[run_id].house == TEAMS:
            continue
        public = found.endings(run_id)
        rows = [each for each in found.outbox if _is_ending(each, run_id)]
        private = [each for each in rows if each["state"] == "sent" and not each["message"]]
        seen = sum(number for _, number in public) + len(private)
        if found.ledger.accepted[run_id].silenced:
            assert seen <= 1, (row, public, rows)
        else:
            assert (seen, len(rows)) == (1, 1), (row, public, rows)
        for kind, _ in public:
            [message] = found.posted[run_id, kind, 0]
            assert message.channel_id == row["channel"], (row, message)
            assert row["thread"] == message.root_ts, (row, message)


def every_request_in_teams_has_one_outcome(found: Quiet) -> None:
    """Exactly one, in its thread, seen by its asker alone where it was asked alone."""
    for run_id, row in found.runs.items():
        run = found.ledger.accepted[run_id]
        if run.house != TEAMS:
            continue
        shown = found.here.teams.outcomes_of(run_id)
        rows = [each for each in found.outbox if _is_ending(each, run_id)]
        private = [each for each in rows if each["state"] == "sent" and not each["message"]]
        if run.silenced:
            assert len(shown) <= 1, (row, shown, rows)
        else:
            assert len(shown) + len(private) == len(rows) == 1, (row, shown, rows)
        for message in shown:
            assert place_id(row["enterprise"], message.conversation) == row["channel"], message
            is_alone = bool(row["direct"]) and message.conversation.startswith("19:")
            assert message.targeted == (f"8:orgid:{row['asker']}" if is_alone else ""), message
            expected = "" if row["direct"] else row["thread"]
            assert message.thread == expected, message


def nothing_is_posted_twice(found: Quiet) -> None:
    """No part of anything, whatever dropped on the way."""
    twice = {key: len(messages) for key, messages in found.posted.items() if len(messages) > 1}
    assert not twice, twice
    for (run_id, kind, part), [message] in found.posted.items():
        if run_id in found.runs:
            notes = [
                each["message"]
                for each in found.outbox
                if (each["run_id"], each["kind"], each["part"]) == (run_id, kind, part)
            ]
            assert notes == [message.ts], (run_id, kind, part, notes)


def no_progress_goes_on(found: Quiet) -> None:
    """What has ended cannot be stopped any more, and does not look as if it could."""
    for (run_id, kind, _), [message] in found.posted.items():
        if kind == PROGRESS and not found.ledger.accepted[run_id].silenced:
            buttons = [each.element["action_id"] for each in pressable(message.blocks)]
            told = transcript.message_text(found.here.slack.world, message)
            assert not buttons, (run_id, found.runs[run_id], told)


def replies_and_their_questions_belong_together(found: Quiet) -> None:
    """A question that was asked back has one reply at most, and that reply one run."""
    with closing(sqlite3.connect(found.here.life.database)) as connection:
        connection.row_factory = sqlite3.Row
        sessions = list(_all(connection, "sessions"))
    for session in sessions:
        assert session["team"] == found.runs[session["run_id"]]["team"], session
    taken = Counter(row["session_id"] for row in found.runs.values() if row["session_id"])
    for session in sessions:
        replies = taken.pop(session["id"], 0)
        assert replies == (session["status"] == "answered"), session
        if session["status"] == "answered":
            row = found.runs[session["next_run_id"]]
            assert row["session_id"] == session["id"], (session, row)
            assert row["workspace_id"] == session["workspace_id"], (session, row)
    assert not taken, taken


def counters_are_rows(found: Quiet) -> None:
    """What is counted since the start is what stands in the tables."""
    ledger, life, figures = found.ledger, found.here.life, found.figures
    assert figures['masis_accepts_total{state="accepted"}'] == ledger.taken_in_life
    assert figures["masis_queue_depth"] == figures["masis_runs_running"] == 0
    mine = [each for each in ledger.accepted.values() if each.life == ledger.life]
    told = [each for each in mine if not (each.silenced or each.forgotten)]
    shown = sum(figures[f'masis_runs_total{{status="{kind}"}}'] for kind in ENDINGS)
    # What a former life left may have been shown by it, and noted by this one.
    most = len(mine) + life.leftovers
    assert len(told) <= shown <= most, (len(told), shown, most)


def votes_are_those_that_were_cast(found: Quiet) -> None:
    """One of each person for each answer, however often it was clicked."""
    with closing(sqlite3.connect(found.here.life.database)) as connection:
        connection.row_factory = sqlite3.Row
        cast = [(row["run_id"], row["user"]) for row in _all(connection, "votes")]
    assert sorted(cast) == sorted(vote for vote in found.ledger.votes if vote[0] in found.runs)


# --- tenants -------------------------------------------------------------------------------


def nobody_sees_what_is_not_theirs(found: Quiet) -> None:
    """No word of a team's documents ever went anywhere else, nor a word that was gone by then."""
    ledger, here = found.ledger, found.here
    teams = {token.value: token.installation for token in here.slack.world.tokens.values()}
    for number, call in enumerate(here.slack.calls):
        told = canaries(json.dumps(dict(call.args), ensure_ascii=False))
        if not told:
            continue
        installation = teams[call.token or ""]
        assert installation is not None
        run = _run_of(found, call)
        for canary in told:
            version = ledger.versions[canary]
            assert _tenant(found, version.house).team == installation.team_id, (call, version)
            if run is not None:
                assert _could_see(run, canary, ledger), (call, version, run)
            else:
                assert call.method in {"views.open", "views.update"}, call
                gone = version.calls_when_deleted
                assert gone is None or number < gone, (call, version)
    for message in here.slack.world.private:
        assert not canaries(transcript.message_text(here.slack.world, message)), message


def _tenant(found: Quiet, number: int) -> Tenant:
    return found.here.all_houses[number].tenant


def _could_see(run: Accepted, canary: str, ledger: Ledger) -> bool:
    """Whether a document's text was the run's to see when it was asked."""
    version = ledger.versions[canary]
    own = (version.house, version.workspace) == (run.house, run.workspace)
    return own and (version.gone_at is None or version.gone_at >= run.step)


def nobody_in_teams_sees_what_is_not_theirs(found: Quiet) -> None:
    """The same of what was sent to Teams, and of what those read who pressed something there."""
    ledger, teams = found.ledger, found.here.teams
    for message in teams.connector.messages.values():
        run = ledger.accepted.get(run_of(message))
        for canary in canaries(json.dumps(message.versions, ensure_ascii=False)):
            assert ledger.versions[canary].house == TEAMS, (message, ledger.versions[canary])
            assert run is None or _could_see(run, canary, ledger), (message, run)
    for answer in teams.answers:
        for canary in canaries(json.dumps(answer, ensure_ascii=False)):
            assert ledger.versions[canary].house == TEAMS, (answer, ledger.versions[canary])


def what_was_done_is_logged_where_it_was_done(found: Quiet) -> None:
    """The log of a team names its own people, and channels of its own."""
    people = {
        each.tenant.team: {each.admin.id, *(p.id for p in each.people)}
        for each in found.here.houses
    }
    people[found.here.teams.tenant.team] = {OWNER, *PEOPLE}
    channels = {
        each.tenant.team: {one.id for one in each.channels} for each in found.here.all_houses
    }
    with closing(sqlite3.connect(found.here.life.database)) as connection:
        connection.row_factory = sqlite3.Row
        for row in _all(connection, "admin_log"):
            assert row["actor"] in people[row["team"]], row
            if row["action"] in {"link", "unlink", "upload"}:
                assert row["target"] in channels[row["team"]], row


def _run_of(found: Quiet, call: Logged) -> Accepted | None:
    """Whose message a call posts or changes; None for what is no run's."""
    if call.method == "chat.postMessage":
        given = call.args.get("metadata")
        key = identity(json.loads(given) if isinstance(given, str) else given)
    elif call.method == "chat.update":
        channel = found.here.slack.world.channels[str(call.args["channel"])]
        message = channel.messages.get(str(call.args["ts"]))
        key = identity(message.metadata) if message is not None else None
    else:
        key = None
    return None if key is None else found.ledger.accepted[key[0]]


def no_ended_token_is_used(found: Quiet) -> None:
    """After an uninstallation was heard of there is no call in its name."""
    for number, call in enumerate(found.here.slack.calls):
        ended = found.ledger.dead_tokens.get(call.token or "")
        assert ended is None or number < ended, call


def an_unlinked_channel_is_not_answered(found: Quiet) -> None:
    """A channel gets answers from the workspace that it is linked to when they begin, and from no other."""
    begun = list(begun_outcomes(found.here.life.database))
    for each in begun:
        run = found.ledger.accepted[each.run_id]
        assert each.workspace_id in each.asked_there, (each, run)
    noted = {each.run_id for each in begun}
    shown = {run_id for run_id, kind, _ in found.posted if kind in {"answer", "clarification"}}
    assert shown <= noted, shown - noted


def what_is_deleted_is_gone(found: Quiet) -> None:
    """No table holds a word of a deleted document, the engine's own included."""
    deleted = {v.canary for v in found.ledger.versions.values() if v.state == "deleted"}
    if not deleted:
        return
    with closing(sqlite3.connect(found.here.life.database)) as connection:
        connection.row_factory = sqlite3.Row
        for name in _tables(connection):
            for row in _all(connection, name):
                left = canaries(json.dumps(row, default=str, ensure_ascii=False)) & deleted
                assert not left, (name, left, row)


def what_is_kept_as_evidence_is_the_workspaces_own(found: Quiet) -> None:
    """Evidence and answers of a run come from its workspace, as it was then."""
    ledger = found.ledger
    with closing(sqlite3.connect(found.here.life.database)) as connection:
        connection.row_factory = sqlite3.Row
        for table in ("runs", "run_evidence"):
            for row in _all(connection, table):
                assert row["workspace_id"] == found.runs[row["run_id"]]["workspace_id"], row
                run = ledger.accepted[row["run_id"]]
                for canary in canaries(json.dumps(row, default=str, ensure_ascii=False)):
                    assert _could_see(run, canary, ledger), (row, ledger.versions[canary], run)


# --- looking -------------------------------------------------------------------------------


def identity(metadata: object) -> tuple[str, str, int] | None:
    """The run, the kind and the part that a message names as its own."""
    match metadata:
        case {"event_payload": {"run_id": str(run_id), "kind": str(kind), "part": int(part)}}:
            return run_id, kind, part
    return None


def _is_ending(row: Row, run_id: str) -> bool:
    return row["run_id"] == run_id and row["kind"] in ENDINGS and row["part"] == 0


def _messages(here: Town) -> Iterator[Message]:
    for channel in here.slack.world.channels.values():
        yield from channel.messages.values()


def _all(connection: sqlite3.Connection, table: str) -> Iterator[Row]:
    for row in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - a name of the schema's
        yield dict(row)


def _tables(connection: sqlite3.Connection) -> list[str]:
    named = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return [row["name"] for row in named if not row["name"].startswith("sqlite_")]


async def _figures(here: Town) -> dict[str, float]:
    """What `/metrics` shows, by name and labels."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{here.life.address}/metrics") as answered,
    ):
        page = await answered.text()
    found = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sample.labels.items())
            found[sample.name + (f"{{{labels}}}" if labels else "")] = sample.value
    return found
