"""`masis sync`: keeps a workspace equal to a folder, once or as long as it runs."""

import asyncio
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from bot.cli.documents.ingest import STYLES, AgainOption, named_well
from bot.cli.documents.listing import listed, located, source_of
from bot.cli.documents.offered import offer_questions
from bot.cli.documents.steps import forget_workspace_steps
from bot.cli.documents.sync_lock import sole_sync
from bot.cli.documents.watching import Pace, follow, told_by_signals
from bot.cli.exit_codes import BadInput, ExitCode
from bot.cli.options import JSON, TEAM, WorkspaceOption, command
from bot.cli.session import Session, reporting
from bot.compose import App, compose
from bot.owners import owner_of
from bot.recovery import recover
from bot.rendering import show
from bot.settings import Settings
from masis.documents.folder_sync import (
    CAME_OTHERWISE,
    EMPTIED,
    INCOMPLETE,
    Change,
    Plan,
    Refusals,
    Sync,
)
from masis.domain import Workspace
from storage.queue.executors import Duties

_STYLES: Final = {
    "added": STYLES["added"],
    "updated": STYLES["updated"],
    "renamed": "green",
    "removed": "yellow",
    "unchanged": STYLES["unchanged"],
    "kept": "bold yellow",
    "refused": STYLES["refused"],
}
"""In the order of the summary."""
_CHANGES: Final = {"added", "updated", "renamed", "removed"}

MAX_SOURCE_CHARS: Final = 1024


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Hold what is to be kept equal to what, and how, as options say it."""

    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The folder, with subfolders.")]
    workspace: WorkspaceOption
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on, and follow changes until ended by Ctrl-C.")
    ] = False
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done, and do nothing.")
    ] = False
    allow_empty: Annotated[
        bool,
        typer.Option("--allow-empty", help="Remove also what stood in a folder that is empty now."),
    ] = False
    adopt: Annotated[
        bool,
        typer.Option("--adopt", help="Take over documents that came otherwise and are the same."),
    ] = False
    again: AgainOption = False
    source: Annotated[
        str, typer.Option(metavar="NAME", help="What the folder is called; else its path.")
    ] = ""
    poll: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.0,
            max=3600.0,
            help="With --watch: look for changes so often, on drives that tell of none.",
        ),
    ] = 0.0


@command(JSON, TEAM)
def sync(session: Session, wanted: Wanted) -> None:
    """Keep a workspace equal to a folder: add, update, rename and remove.

    It removes only documents that a sync of this folder brought, and only when the whole folder
    could be listed. A file that was renamed or moved within it is not read again; one that an older
    version of MASIS read in another way is.
    """
    with reporting(session):
        checked = _checked(wanted)
        settings = session.load()
        _check_apart(settings, located(wanted.folder))
        syncing = Syncing(session, settings, checked)
        asyncio.run(syncing.follow() if wanted.watch else syncing.once())
    is_partial = syncing.is_partial and not wanted.watch
    raise typer.Exit(ExitCode.REFUSED if is_partial else ExitCode.OK)


def _checked(wanted: Wanted) -> Wanted:
    """Check what is wanted, and give it the names that are kept.

    Raises:
        BadInput: an option cannot be right.
    """
    if wanted.again and wanted.watch:
        raise BadInput("--again and --watch exclude each other")
    if wanted.dry_run and wanted.watch:
        raise BadInput("--dry-run and --watch exclude each other")
    name, source = named_well(wanted.workspace), _source(wanted.folder, wanted.source)
    return replace(wanted, workspace=name, source=source)


def _source(folder: str, named: str) -> str:
    """Return the name of the folder: the one given, checked, else the folder's own."""
    if not named:
        return source_of(located(folder))
    if len(named) > MAX_SOURCE_CHARS or show.line(named) != named:
        raise BadInput(f"--source should be 1 to {MAX_SOURCE_CHARS} plain characters in one line")
    return named


def _check_apart(settings: Settings, folder: Path) -> None:
    if folder.is_relative_to(settings.data_dir.resolve()):
        raise BadInput(f"“{show.line(str(folder))}” is where MASIS keeps its own data")


@dataclass
class Syncing:
    """Syncs a folder, and tells each change."""

    session: Session
    settings: Settings
    wanted: Wanted
    counts: Counter[str] = field(default_factory=Counter)
    """Of the last sync, by status."""
    _refusals: Refusals = field(default_factory=dict)
    _refused: dict[str, str | None] = field(default_factory=dict)
    """What the last sync refused, by name: what stays so is not news to who follows."""
    _told: list[str] = field(default_factory=list)
    """What the last sync ended with."""

    @property
    def is_partial(self) -> bool:
        """Say whether something stayed undone: refused, or not removed."""
        return bool(self.counts["refused"] or self.counts["kept"])

    async def follow(self) -> None:
        """Sync again and again, until a signal."""
        folder = located(self.wanted.folder)
        with told_by_signals() as stop:
            self.session.note(f"Following {show.line(str(folder))}; Ctrl-C ends it.")
            await follow(
                folder,
                self.once,
                stop,
                self.session.note,
                pace=Pace(poll_seconds=self.wanted.poll),
                without=self.settings.data_dir.resolve(),
            )
        self.session.note("Not following any more.")

    async def once(self) -> None:
        """Sync once. Nothing is held open between two syncs, so that others can ask meanwhile.

        Raises:
            BadInput: the folder is not there or too large; nothing was removed.
            MasisError: something else than a file is wrong; what was told so far is done.
        """
        self.counts = Counter()
        notes: Counter[str] = Counter()
        seen: dict[str, str | None] = {}

        def tell(change: Change) -> None:
            self.counts[change.status] += 1
            notes.update([change.reason or ""] if change.status == "kept" else change.notes)
            if change.status == "refused":
                seen[change.name] = change.reason
            self._show(change)

        async with compose(self.settings, owner_of(self.session.team)) as app:
            place = await self._synced(app, tell)
            self._refused = seen
            self._tell_the_end(place, summary_lines(notes))
            if place is not None and not self.wanted.dry_run:
                await offer_questions(app, place.id)

    async def _synced(self, app: App, tell: Callable[[Change], None]) -> Workspace | None:
        """List, compare and change; gives the workspace as it is then, None where there is none."""
        if self.wanted.dry_run:
            place = await app.repository.workspace(app.owner, self.wanted.workspace)
            plan = await self._planned(app, place)
            async for change in self._sync(app).rehearse(plan):
                tell(change)
            return place
        place = await app.repository.create_workspace(app.owner, self.wanted.workspace)
        duties = Duties(app.database, f"sync-{uuid.uuid4().hex}")
        async with sole_sync(duties, place, self._waiting) as check:
            await recover(app, place)
            plan = await self._planned(app, place)
            async for change in self._sync(app).carry_out(place, plan, check=check):
                tell(change)
        if plan.removed:
            await forget_workspace_steps(app, place)
        return await app.repository.workspace_by_id(place.id)

    async def _planned(self, app: App, place: Workspace | None) -> Plan:
        folder = located(self.wanted.folder)
        listing = await asyncio.to_thread(
            listed,
            folder,
            self.wanted.source,
            app.max_file_bytes,
            without=self.settings.data_dir.resolve(),
        )
        return await self._sync(app).plan(place, listing)

    def _sync(self, app: App) -> Sync:
        return Sync(
            app.repository,
            app.ingest,
            allow_empty=self.wanted.allow_empty,
            adopt=self.wanted.adopt,
            again=self.wanted.again,
            refusals=self._refusals,
        )

    # --- what is told ----------------------------------------------------------------------

    def _waiting(self) -> None:
        self.session.note("Another sync of this workspace is at work; waiting for its end.")

    def _show(self, change: Change) -> None:
        if self.session.as_json:
            self.session.print_json(change_json(change, dry_run=self.wanted.dry_run))
        elif change.status not in {"unchanged", "kept"} and self._is_news(change):
            self.session.out.print(shown(change))

    def _is_news(self, change: Change) -> bool:
        return change.status != "refused" or self._refused.get(change.name, "") != change.reason

    def _tell_the_end(self, place: Workspace | None, notes: list[str]) -> None:
        """Say what it came to, unless that is what was said last."""
        came_to = summary(self.counts, place, dry_run=self.wanted.dry_run)
        said = [*notes, came_to.plain]
        if said == self._told and not self.counts.keys() & _CHANGES:
            return
        self._told = said
        for note in notes:
            self.session.note(note)
        if not self.session.as_json:
            self.session.out.print(came_to)


def change_json(change: Change, *, dry_run: bool) -> dict[str, Any]:
    """One document as programs read it."""
    plain = change.model_dump(mode="json", exclude={"name"})
    return {"document": change.name, **plain, "dry_run": dry_run}


def shown(change: Change) -> Text:
    """`renamed    leave.md · was old/leave.md`."""
    rest = [show.line(change.name)]
    if change.reason:
        rest.append(show.line(change.reason))
    elif change.was:
        rest.append(f"was {show.line(change.was)}")
    elif change.status == "removed":
        if change.blanked:
            emptied = show.counted(change.blanked, "stored answer")
            rest.append(f"{emptied} that quoted it emptied")
    elif change.chunks:
        rest.append(show.counted(change.chunks, "passage"))
    rest += [show.line(note) for note in change.notes]
    return Text.assemble((f"{change.status:<10} ", _STYLES[change.status]), " · ".join(rest))


def summary_lines(notes: Counter[str]) -> list[str]:
    """List what concerns many documents, once each, with what to do about it."""
    said = []
    if count := notes[INCOMPLETE]:
        said.append(f"{show.counted(count, 'document')} kept. {INCOMPLETE}")
    if count := notes[EMPTIED]:
        kept = f"{show.counted(count, 'document')} kept, whose folder is there and holds nothing"
        said.append(f"{kept}: is a drive missing? If not, --allow-empty removes them.")
    if count := notes[CAME_OTHERWISE]:
        others = f"{show.counted(count, 'document')} came otherwise than by this sync"
        said.append(f"{others}, and will stay when their files go: --adopt takes them over.")
    return said


def summary(counts: Counter[str], place: Workspace | None, *, dry_run: bool) -> Text:
    """`1 added, 2 removed. “demo” holds 4 documents, 41 passages.`."""
    parts = ", ".join(f"{counts[status]} {status}" for status in _STYLES if counts[status])
    parts = parts or "no files"
    if dry_run:
        return Text(f"{parts}, if this were done. Nothing was changed.")
    held = "" if place is None else show.holding(place)
    return Text(f"{parts}. {held}".rstrip())
