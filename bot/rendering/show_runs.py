"""Requests from Slack, as an operator and as programs read them: pure functions."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from bot.rendering.show import line
from bot.rendering.show_chat import team
from masis.conversation import ChatRun, Posted
from masis.domain import DEFAULT_GRAPH

if TYPE_CHECKING:
    from masis.records import StoredRun
    from storage.chat.overview import Seen

ANSWERED: Final = frozenset({"answer", "clarification", "report"})
"""The messages that end a request well."""
_ENDINGS: Final = ("answer", "clarification", "report", "refused", "stopped", "failed")
_FIGURES: Final = ("model_calls", "prompt_tokens", "completion_tokens", "cost_usd", "searches")
_SHORT: Final = 60


def state(seen: "Seen") -> str:
    """Say how the run ended, as its thread shows it, or where an open run is."""
    ended = (kind for kind in _ENDINGS if kind in seen.messages)
    return next(ended, seen.run.status)


def table(found: "Sequence[Seen]", *, teams: bool) -> Table:
    """A row a request; `teams` says whose it is."""
    shown = Table(box=None, pad_edge=False, header_style="bold")
    columns = ("Accepted (UTC)", "Id", "State", "Attempt", "Took", "Question")
    for column in (*columns, *(["Team"] if teams else [])):
        shown.add_column(column, overflow="fold")
    for seen in found:
        run = seen.run
        row = [_moment(run.accepted_at), run.id, state(seen), str(run.attempt), took(run)]
        row.append(_shortened(run.question))
        shown.add_row(*row, *([team(run.tenant)] if teams else []))
    return shown


def run_json(seen: "Seen") -> dict[str, Any]:
    """One request as programs read it. `outcome` is null until something ends it in its thread."""
    plain = seen.run.model_dump(mode="json", exclude={"tenant"})
    ended = next((kind for kind in _ENDINGS if kind in seen.messages), None)
    return {**plain, "team": team(seen.run.tenant), "outcome": ended}


def whole(seen: "Seen", posted: Sequence[Posted], trail: "StoredRun | None") -> Group:
    """All that is known of one."""
    run = seen.run
    facts = {
        "Request": run.id,
        "State": state(seen),
        "Team": team(run.tenant),
        "Place": " ".join(filter(None, (run.channel, run.thread))),
        "Asked by": run.asker,
        "Kind": run.kind,
        "Accepted": _moment(run.accepted_at),
        "Took": took(run),
        "Attempt": str(run.attempt),
        "Cancelled by": run.cancelled_by,
        "Goes on from": run.parent_run_id or "",
        "Graph": run.graph if run.graph != DEFAULT_GRAPH else "",
        "Asked before": run.earlier,
        "Question": run.question,
        "Reply": run.reply,
        "Searched": run.query if run.query != run.question else "",
    }
    lines = [_fact(name, said) for name, said in facts.items() if said]
    lines += [_message(row) for row in posted]
    return Group(*lines, *_trail(trail))


def whole_json(seen: "Seen", posted: Sequence[Posted], trail: "StoredRun | None") -> dict[str, Any]:
    """The same for programs; `trail` is null where none is kept."""
    messages = [row.model_dump(mode="json", exclude={"run_id"}) for row in posted]
    kept = None if trail is None else trail.model_dump(mode="json", exclude={"run_id"})
    return {**run_json(seen), "messages": messages, "trail": kept}


def took(run: ChatRun) -> str:
    """From its acceptance to its end; nothing while it is open."""
    if run.accepted_at is None or run.finished_at is None:
        return ""
    return f"{max(0.0, (run.finished_at - run.accepted_at).total_seconds()):.1f} s"


def _trail(trail: "StoredRun | None") -> list[Text]:
    if trail is None:
        return [Text("No trail is kept: it did not come to an end, or is too old.", style="dim")]
    lines = [Text(), Text("How it was answered", style="bold")]
    lines += [_step(entry) for entry in trail.trace]
    figures = {name: trail.figures[name] for name in _FIGURES if name in trail.figures}
    if figures:
        lines.append(Text("  " + "  ".join(f"{name}={value}" for name, value in figures.items())))
    for name in ("error", "detail"):
        if said := trail.outcome.get(name):
            lines.append(Text(f"  {name}: {line(str(said))}"))
    if trail.blanked:
        lines.append(Text("  a document that it quotes was deleted, and its texts with it"))
    return lines


def _step(entry: Mapping[str, Any]) -> Text:
    node, decision = line(str(entry.get("node", ""))), line(str(entry.get("decision", "")))
    ms = entry.get("duration_ms")
    taken = f"{ms:.0f} ms" if isinstance(ms, int | float) else ""
    return Text(f"  pass {entry.get('pass', '-')}  {node:<12} {taken:>9}  {decision}".rstrip())


def _message(row: Posted) -> Text:
    part = f" {row.part + 1}" if row.part else ""
    return _fact("Message", f"{row.kind}{part}: {row.state} {_moment(row.at)} {row.message}")


def _fact(name: str, said: str) -> Text:
    return Text.assemble((f"{name:<13} ", "bold"), line(said))


def _shortened(text: str) -> str:
    short = line(text)
    return short if len(short) <= _SHORT else f"{short[: _SHORT - 1]}…"


def _moment(at: dt.datetime | None) -> str:
    return "" if at is None else f"{at.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S}"
