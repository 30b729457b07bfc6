"""Whether everything acknowledged in Teams came to its one end: what stands there, and what is stored."""

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bot.playground.teams.connector_standin import Message
from bot.playground.teams.teams_payloads import person, pressed
from bot.teams.cards.carried import REFRESH, RunRef
from masis.conversation import OPEN
from tests.bot.teams.card_checker import texts
from tests.chaos.accounts import Ledger
from tests.chaos.teams.teams_stories import Story, is_at_work, is_reminder, place_of
from tests.chaos.teams.teams_town import TeamsTown, open_jobs

APOLOGY: Final = "broke off each time"
_RUN: Final = re.compile(r'"run": "([0-9a-f-]{36})"')


@dataclass
class TeamsAccount:
    """What came of all stories."""

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    apologies: int = 0
    """Outcomes of runs whose process died as often as one is tried."""
    orphans: int = 0
    """Cards at work that nobody knows: their asker's client takes them away by its refresh."""
    again: int = 0
    """Words to one alone that were told twice: it was doubtful whether they had arrived."""
    ends: list[str] = field(default_factory=list)
    """What the last story's outcomes begin with."""

    @property
    def rest(self) -> str:
        """Return what is told beside the figures."""
        parts = (
            f"{self.apologies} apologies",
            f"{self.orphans} orphans, gone by their refresh",
            f"{self.again} notices told again",
        )
        return "; ".join(parts)


async def account(town: TeamsTown, stories: Sequence[Story]) -> TeamsAccount:
    """Compare what was acknowledged, stored and shown, once all has come to rest.

    Askers look at what says that it is at work, as their clients do.
    """
    made, ledger = TeamsAccount(), Ledger(town)
    found = await asyncio.to_thread(_runs, ledger)
    made.orphans = await _looked_at(town, found)
    shown = _by_run(town.connector.shown)
    for story in stories:
        _check_story(made, story, found, shown)
    _check_foreign(made, stories, found, shown)
    left = await asyncio.to_thread(lambda: [*open_jobs(ledger), *ledger.open()])
    made.wrong += [f"open: {each}" for each in left]
    for story in stories[-1:]:
        made.wrong += await asyncio.to_thread(_missing, ledger, story)
    if (state := await asyncio.to_thread(ledger.integrity)) != "ok":
        made.wrong.append(f"the database is damaged: {state}")
    return made


def newly(now: TeamsAccount, before: TeamsAccount) -> TeamsAccount:
    """Return what an account has that an earlier one had not."""
    return TeamsAccount(
        lost=[each for each in now.lost if each not in before.lost],
        doubled=[each for each in now.doubled if each not in before.doubled],
        wrong=[each for each in now.wrong if each not in before.wrong],
        apologies=now.apologies - before.apologies,
        orphans=now.orphans,
        again=now.again - before.again,
        ends=now.ends,
    )


def _runs(ledger: Ledger) -> dict[str, Any]:
    query = "SELECT id, kind, status, thread, asker FROM chat_runs"
    return {row.id: row for row in ledger.rows(query)}


def _by_run(messages: Iterable[Message]) -> dict[str, list[Message]]:
    """Return the messages of each run; those that are no run's under the empty id."""
    found: dict[str, list[Message]] = defaultdict(list)
    for each in messages:
        found[run_of(each)].append(each)
    return found


def run_of(message: Message) -> str:
    """Return the run that a message was first about, and an empty id for one that is no run's."""
    for version in message.versions:
        if named := _RUN.search(json.dumps(version["attachments"])):
            return named[1]
    return ""


def words(message: Message) -> str:
    """Return what a message says."""
    return "\n".join(texts(message.card))


async def _looked_at(town: TeamsTown, runs: dict[str, Any]) -> int:
    """Let askers' clients refresh what is at work though its run has ended; gives how many there are."""
    left = [
        each
        for each in town.connector.shown
        if is_at_work(each) and (row := runs.get(run_of(each))) and row.status not in OPEN
    ]
    for each in left:
        run = run_of(each)
        body = pressed(REFRESH, RunRef(run=run).data(), replyToId=each.id, id=f"f:{each.id}")
        body |= place_of(each) | {"from": person(runs[run].asker)}
        await town.sends(body)
    return len(left)


def _check_story(
    made: TeamsAccount, story: Story, runs: dict[str, Any], shown: dict[str, list[Message]]
) -> None:
    """One story: each of its runs is stored and ended once, and each notice stands there once."""
    made.lost += [f"acknowledged and not stored: {run}" for run in story.runs - set(runs)]
    made.ends, due = [], story.notices
    for row in (row for row in runs.values() if row.thread == story.thread):
        mine = shown.get(row.id, [])
        ends = [words(each) for each in mine if not is_at_work(each)]
        made.wrong += [f"at work for ever: {row}" for each in mine if is_at_work(each)]
        made.doubled += [f"{len(ends)} outcomes: {row} {ends}"] if len(ends) > 1 else []
        if not ends:
            due = max(due, 1)  # it was told alone
        made.ends += ends
    here = [each for each in shown[""] if story.places & {each.thread, each.conversation}]
    told = [words(each) for each in here if not is_reminder(each)]
    if len(here) - len(told) > len(made.ends):
        made.doubled.append(f"reminded more often than answered in {story.thread}")
    if len(told) < due:
        made.lost.append(f"{len(told)} of {due} are told in {story.thread}: {told}")
    if len(told) > 2 * due:
        made.doubled.append(f"{len(told)} instead of {due} are told in {story.thread}: {told}")
    made.again += max(0, len(told) - due)
    made.ends += told
    for said in made.ends:
        made.apologies += APOLOGY in said
        if APOLOGY not in said and not any(end in said for end in story.ends):
            made.wrong.append(f"it says in {story.thread}: {said}")


def _check_foreign(
    made: TeamsAccount,
    stories: Sequence[Story],
    runs: dict[str, Any],
    shown: dict[str, list[Message]],
) -> None:
    """Nothing stands anywhere that is nobody's."""
    known = {story.thread for story in stories}
    made.wrong += [f"of no story: {row}" for row in runs.values() if row.thread not in known]
    made.wrong += [f"of no request: {run}" for run in shown if run and run not in runs]
    places = {place for story in stories for place in story.places}
    made.wrong += [
        f"told nowhere: {words(each)}"
        for each in shown.get("", [])
        if not places & {each.thread, each.conversation}
    ]


def _missing(ledger: Ledger, story: Story) -> list[str]:
    found = []
    for what, query, given, least, most in story.stored:
        count = int(ledger.rows(query, **given)[0][0])
        if not least <= count <= most:
            found.append(f"{count} {what} of {story.thread}")
    return found
