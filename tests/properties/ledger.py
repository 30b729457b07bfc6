"""What must be true of a town: written down as it happens, by who did it and by nobody else."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from bot.playground.slack.bots import RequestKind
from bot.playground.slack.entities import Channel, Json
from tests.properties.teams_team import TeamsChannel, TeamsHouse
from tests.properties.town import House

CANARY: Final = re.compile(r"\bk\d{5}x\b")


@dataclass
class Version:
    """One text of a document, known by a word that stands in no other."""

    canary: str
    house: int
    workspace: str
    document: str
    state: Literal["pending", "active", "replaced", "deleted"] = "pending"
    gone_at: int | None = None
    """The step by which nobody could find it any more."""
    calls_when_deleted: int | None = None
    """How many calls of Slack's Web API there had been by then."""


@dataclass
class Asked:
    """Something a person did that asks for a run, and that its chat may deliver again."""

    house: int
    channel: Channel | TeamsChannel
    kind: RequestKind | Literal["teams"]
    payload: Json
    run_id: str = ""
    """The run that it stands for, where that can be told beforehand."""


@dataclass
class Accepted:
    """A request that was taken in."""

    run_id: str
    house: int
    channel: str
    asker: str
    workspace: str
    step: int
    life: int
    ended: bool = False
    """It had ended when all was quiet last."""
    silenced: bool = False
    """Its team left before it was known to have ended: it may have had no way to say anything."""
    forgotten: bool = False
    """Its team left, and wanted nothing kept."""


@dataclass
class Ledger:
    """The town's history. A step is one rule of the machine."""

    step: int = 0
    life: int = 1
    """Which of the process's it is."""
    versions: dict[str, Version] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    accepted: dict[str, Accepted] = field(default_factory=dict)
    links: dict[str, str | None] = field(default_factory=dict)
    """Which workspace a channel asks; None where nothing may be answered."""
    suspended: set[str] = field(default_factory=set)
    """Channels whose link an uninstallation put out of use."""
    removed: set[int] = field(default_factory=set)
    """Houses without the app."""
    dead_tokens: dict[str, int] = field(default_factory=dict)
    """Tokens of ended installations, and how many calls there had been when the bot knew of it."""
    votes: set[tuple[str, str]] = field(default_factory=set)
    taken_in_life: int = 0

    # --- documents -------------------------------------------------------------------------

    def new_version(self, house: int, workspace: str, document: str) -> Version:
        """A text that was never there before."""
        made = Version(f"k{len(self.versions):05d}x", house, workspace, document)
        self.versions[made.canary] = made
        return made

    def of_document(self, house: int, workspace: str, document: str) -> list[Version]:
        """All its texts."""
        place = (house, workspace, document)
        found = self.versions.values()
        return [each for each in found if (each.house, each.workspace, each.document) == place]

    def activated(self, version: Version) -> None:
        """It took the place of what stood there."""
        for other in self.of_document(version.house, version.workspace, version.document):
            if other.state == "active":
                other.state, other.gone_at = "replaced", self.step
        version.state = "active"

    def deleted(self, versions: Iterable[Version], calls: int) -> None:
        """A document is gone, with all its texts that were ever seen."""
        for version in versions:
            if version.state != "pending":
                version.state = "deleted"
                version.gone_at = self.step if version.gone_at is None else version.gone_at
                version.calls_when_deleted = calls

    def observed(self, active: set[str]) -> None:
        """All is quiet, and this stands in the database: of uploads nobody knows when they ended."""
        for run in self.accepted.values():
            run.ended = True
        for version in self.versions.values():
            if version.canary in active:
                version.state = "active"
            elif version.state in {"pending", "active"}:
                version.state, version.gone_at = "replaced", self.step

    # --- links -----------------------------------------------------------------------------

    def link_of(self, channel: str) -> str | None:
        """The workspace that a channel asks now."""
        return self.links.get(channel)

    def answers(self, house: int, channel: str) -> bool:
        """Whether a question in that channel is taken in."""
        works = house not in self.removed and channel not in self.suspended
        return works and self.link_of(channel) is not None

    # --- requests --------------------------------------------------------------------------

    def living(self) -> Iterator[Accepted]:
        """The requests that must be there."""
        return (each for each in self.accepted.values() if not each.forgotten)

    def left(self, number: int, house: House | TeamsHouse, calls: int) -> None:
        """The app was removed from a team."""
        self.removed.add(number)
        for channel in house.channels:
            if house.keeps:
                self.suspended.add(channel.id)
            if not house.keeps:
                self.links[channel.id] = None
        for run in self.accepted.values():
            if run.house == number:
                run.silenced = run.silenced or not run.ended
                run.forgotten = run.forgotten or not house.keeps
        if not house.keeps:
            self._forgot_documents(number, calls)

    def forgot(self, number: int, house: House | TeamsHouse, calls: int) -> None:
        """The operator had a team forgotten, in which nothing was under way."""
        for channel in house.channels:
            self.links[channel.id] = None
        for run in self.accepted.values():
            run.forgotten = run.forgotten or run.house == number
        self._forgot_documents(number, calls)

    def _forgot_documents(self, number: int, calls: int) -> None:
        mine = [each for each in self.versions.values() if each.house == number]
        self.deleted(mine, calls)


def canaries(text: str) -> set[str]:
    """The words in a text that give away which documents it comes from."""
    return set(CANARY.findall(text))
