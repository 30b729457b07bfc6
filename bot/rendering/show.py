"""Values as people see them on a terminal, and as programs read them: pure functions.

Everything that came from a document, a model or a user passes `safe` or `line`: it is neither
markup nor a terminal command. Rich's own markup is switched off besides.
"""

import datetime as dt
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from bot.rendering import show_figures
from bot.rendering.counts import audited
from bot.rendering.counts import counted as counted  # noqa: PLC0414 - shown again: every view uses it
from bot.rendering.terminal_text import UNSAFE
from bot.rendering.terminal_text import line as line  # noqa: PLC0414 - shown again: every view uses it
from bot.rendering.terminal_text import safe as safe  # noqa: PLC0414 - shown again: every view uses it
from bot.results import Result
from masis.domain import (
    Answered,
    AnyOutcome,
    Citation,
    Document,
    Failed,
    NeedsClarification,
    NotLinked,
    Workspace,
)
from masis.graphs.chat.texts import WORD_FOR_WORD, understood_as
from masis.graphs.research.texts import (
    ASK_INSTEAD,
    DROPPED,
    NEAREST,
    NOTHING_STATED,
    searched_for,
)
from masis.policy import BADGE_HIGH, BADGE_MEDIUM
from masis.text.characters import LINE_END
from masis.text.sentences import words

if TYPE_CHECKING:
    from masis.assistant import Finished

BADGE_STYLE: Final = {
    "High": "bold green",
    "Medium": "bold yellow",
    "Low": "bold red",
    "Not audited": "bold magenta",
}

_STRONG: Final = re.compile(r"\*\*([^*\n]+)\*\*")
_BETTER_FROM: Final = {"Medium": BADGE_HIGH, "Low": BADGE_MEDIUM}
"""The confidence from which a better word would stand there, had the badge not been lowered."""

MAX_LISTED: Final = 5
"""Sentences of one kind that are listed under an answer; the rest is counted."""

_UNSAFE_IN_JSON: Final = re.compile(f"{UNSAFE.pattern}|{LINE_END.pattern}")


def as_json(value: object) -> str:
    """One line of JSON that is safe on a terminal too.

    Raises:
        ValueError: there is a number in it that is none.
    """
    written = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found.group()):04x}", written)


# --- answers -------------------------------------------------------------------------------


def outcome(value: Answered | NeedsClarification | NotLinked, *, numbered: bool = False) -> Group:
    """An end that is a result, for people; a refusal and a failure are errors, shown as such.

    `numbered` numbers what can be asked instead: `offered` has it in that order.
    """
    match value:
        case Answered():
            return answered(value, numbered=numbered)
        case NeedsClarification():
            return asked_back(value, numbered=numbered)
        case NotLinked():
            return Group(Text(safe(value.instructions)))


def offered(value: AnyOutcome) -> list[str]:
    """List the few words that can be asked or replied after an outcome, in the order that is shown."""
    match value:
        case NeedsClarification():
            return [*value.options, *value.questions]
        case Answered():
            return list(value.questions)
    return []


def answered(value: Answered, *, numbered: bool = False) -> Group:
    """The answer, its badge and its sources; small talk is a sentence, and what can be asked.

    An answer that is shown once more has had its badge.
    """
    if value.small_talk:
        return Group(Text(safe(value.answer)), *_listed(value.questions, numbered=numbered))
    if value.retold:
        shown = show_figures.drawn(value)
        return Group(Text(safe(value.answer)), shown, *sources(value.citations))
    return Group(
        *_understood(value),
        _said(value),
        show_figures.drawn(value),
        Text(),
        *_gaps(value.gaps),
        *_unread(value),
        badge_line(value),
        *not_held(value),
        *([Text(line(value.improvement))] if value.improvement else []),
        *sources(value.citations),
    )


_KILO: Final = 1000
WORTH_READING: Final = 0.30
"""The confidence of a draft from which on it is shown below a question back that says nothing was found."""


def _understood(value: Answered | NeedsClarification) -> list[Text]:
    """Say how a question was understood, where that says more than what was typed."""
    said = understood_as(value.question, value.understood)
    return [Text(line(said), style="dim"), Text()] if said else []


def _said(value: Answered) -> Text:
    """The answer; a code stands out in it."""
    told = Text(safe(value.answer))
    for mark in reversed(list(_STRONG.finditer(told.plain)) if value.code else []):
        inner = Text(mark[1], style="bold")
        told = Text.assemble(told[: mark.start()], inner, told[mark.end() :])
    return told


def _listed(texts: Sequence[str], *, numbered: bool, first: int = 1) -> list[Text]:
    marks = [f"{number})" if numbered else "-" for number, _ in enumerate(texts, start=first)]
    return [Text(f"  {mark} {line(text)}") for mark, text in zip(marks, texts, strict=True)]


def _gaps(said: Sequence[str]) -> list[Text]:
    """List what of the question stays open, a line each."""
    return [Text(line(gap), style="yellow") for gap in said]


def _unread(value: Answered | NeedsClarification) -> list[Text]:
    """List the files of the question that could not be read, a line each."""
    return [Text(line(said), style="yellow") for said in value.unread]


def asked_back(value: NeedsClarification, *, numbered: bool = False) -> Group:
    """Show what is likely right and the question back, then the best draft.

    The draft comes with its badge and sources.
    """
    asked = Text.assemble(("? ", "bold yellow"), (safe(value.clarification_question), "yellow"))
    options = [] if _names_options(value) else _listed(value.options, numbered=numbered)
    options += _questions(value, numbered=numbered)
    told = _gaps(value.untold)
    nearest = [Text(NEAREST, style="bold"), Text(safe(value.nearest)), *told, Text()]
    question = Group(
        *_understood(value),
        *(nearest if value.nearest else told),
        asked,
        *options,
        *_unread(value),
    )
    is_far = value.kind == "not_covered" or (value.confidence or 0.0) < WORTH_READING
    if value.audit is None or (is_far and not value.nearest):
        # What nothing speaks of is not answered by the best that was found beside it.
        return Group(question, *(sources(value.citations) if value.nearest else []))
    return Group(
        question,
        Text(),
        *_draft(value),
        badge_line(value),
        *not_held(value),
        *sources(value.citations),
    )


def _names_options(value: NeedsClarification) -> bool:
    """Whether the question back counts up the options itself, with what each is."""
    said = value.clarification_question
    return bool(value.options) and all(
        f"\n{number}. {option}" in said for number, option in enumerate(value.options, start=1)
    )


def _draft(value: NeedsClarification) -> list[Text]:
    """The best draft, where it says more than what is shown above the question back."""
    told = [each for each in value.answer.splitlines() if not each.rstrip().endswith(":")]
    if words("\n".join(told)) == words(value.nearest):
        return []
    return [Text("Best draft so far", style="bold"), Text(safe(value.answer)), Text()]


def _questions(value: NeedsClarification, *, numbered: bool) -> list[Text]:
    """List what can be asked instead, a line each."""
    told = _listed(value.questions, numbered=numbered, first=len(value.options) + 1)
    return [Text(ASK_INSTEAD), *told] if told else []


def badge_line(value: Answered | NeedsClarification) -> Text:
    """`High 86 % · 5 of 5 claims cited · 2 documents · extractive`."""
    badge = value.badge
    if badge is None:
        is_quoted = isinstance(value, Answered) and value.retold
        return Text(WORD_FOR_WORD if is_quoted else NOTHING_STATED)
    # A number that would have earned a better word would only confuse beside this one.
    lowered = badge.confidence >= _BETTER_FROM.get(badge.level, math.inf)
    speaks = badge.level != "Not audited" and not lowered
    words = f"{badge.level} {percent(badge.confidence)}" if speaks else badge.level
    rest = audited(value.audit)
    documents = len({citation.document_id for citation in value.citations})
    if documents:
        rest.append(counted(documents, "document"))
    if value.extractive:
        rest.append("extractive")
    if value.lexical_only:
        rest.append("words only")
    if badge.note:
        rest.append(line(badge.note))
    if any(value.searched_for):  # empty where its document is gone
        rest.append(line(searched_for(value.searched_for)))
    return Text.assemble((words, BADGE_STYLE[badge.level]), *(f" · {part}" for part in rest))


def not_held(value: Answered | NeedsClarification) -> list[Text]:
    """The sentences that are not in their source, with what is missing, and those without one."""
    if value.audit is None:
        return []
    unsupported = [
        f"Not in its source: “{line(claim.sentence)}” ({line(claim.fault)})"
        for claim in value.audit.unsupported
    ]
    uncited = [f"Without a source: “{line(claim)}”" for claim in value.audit.uncited]
    return [Text(each, style="yellow") for each in (*_first(unsupported), *_first(uncited))]


def _first(lines: Sequence[str]) -> list[str]:
    more = len(lines) - MAX_LISTED
    return [*lines[:MAX_LISTED], *([f"and {more} more"] if more > 0 else [])]


def percent(share: float) -> str:
    """A share in whole percent, cut and not rounded: 64.9 % must not look like the pass mark."""
    return f"{math.floor(share * 100 + 1e-9)} %"


def sources(citations: Sequence[Citation]) -> list[Text]:
    """The numbered list under an answer; nothing when nothing was cited."""
    if not citations:
        return []
    lines = [Text(), Text("Sources", style="bold")]
    for citation in citations:
        dated = day(citation.date)
        dated = f"file dated {dated}" if citation.date_source == "file" else dated
        sent = "came with the question" if citation.attached else ""
        parts = (line(citation.document), line(citation.place.label()), dated, sent)
        shown = " · ".join(part for part in parts if part)
        lines.append(Text.assemble((f"[{citation.n}] ", "cyan"), shown))
    return lines


def passages(citations: Sequence[Citation]) -> Group:
    """The sources under an answer, each with the passage as it was when cited."""
    rows = zip(sources(citations)[2:], citations, strict=True)
    return Group(*(Group(row, Text(safe(each.text)), Text()) for row, each in rows))


def day(date: dt.date | None) -> str:
    """`5 Jan 2026`, or nothing."""
    return f"{date.day} {date:%b %Y}" if date else ""


def trail(finished: "Finished") -> Group:
    """The audit trail: every step with its figures, what was looked at, what it cost."""
    lines = [Text(), Text("How I got this", style="bold")]
    lines += [_trace_line(entry) for entry in finished.trace]
    lines += _looked_at(finished.figures.get("retrieval_scores", []))
    lines += show_figures.calculations(finished.outcome)
    lines += _retries(finished.figures.get("retry_reasons", []))
    lines += _found(finished.outcome)
    lines += _scores(finished.outcome)
    figures: dict[str, Any] = {
        name: finished.figures[name]
        for name in ("model_calls", "prompt_tokens", "completion_tokens", "cost_usd", "searches")
        if name in finished.figures
    }
    lines.append(Text(f"  {_figures({**figures, 'seconds': round(finished.seconds, 2)})}"))
    lines.append(Text(f"  run {finished.outcome.run_id}", style="dim"))
    return Group(*lines)


def _trace_line(entry: Mapping[str, Any]) -> Text:
    rest = {key: value for key, value in entry.items() if key not in {"node", "pass", "named"}}
    head = f"  pass {entry.get('pass', '-')} {line(str(entry.get('node', ''))):<12}"
    return Text.assemble((head, "cyan"), _figures(rest))


def _figures(values: Mapping[str, Any]) -> str:
    return "  ".join(line(f"{key}={_written(value)}") for key, value in values.items())


def _written(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "-" if value is None else str(value)


def _looked_at(passes: Iterable[Mapping[str, Any]]) -> list[Text]:
    """The candidates of each pass with their scores; dropped ones are dimmed."""
    lines = []
    for number, search in enumerate(passes, start=1):
        lines.append(Text(f"  pass {number} looked at, threshold {search['threshold']:.2f}:"))
        for seen in search["candidates"]:
            mark = "kept   " if seen["kept"] else "dropped"
            scores = f"{seen['score']:.2f}  coverage {seen['coverage']:.2f}"
            said = DROPPED.get(seen.get("because", ""), "")
            shown = f"    {mark} {scores}  {seen['chunk_id']}  {line(seen['document'])}  {said}"
            shown = shown.rstrip()
            lines.append(Text(shown, style="" if seen["kept"] else "dim"))
    return lines


def _retries(reasons: Iterable[Mapping[str, Any]]) -> list[Text]:
    return [Text(f"  retry {_figures(reason)}") for reason in reasons]


def _found(value: AnyOutcome) -> list[Text]:
    """List what the critic found in the draft that is shown."""
    if not isinstance(value, Answered | NeedsClarification) or value.critique is None:
        return []
    kinds = {
        "unsupported": value.critique.unsupported_claims,
        "gap": value.critique.logical_gaps,
        "conflict": value.critique.conflicting_evidence,
    }
    return [
        Text(f"  {kind}: {line(each)}") for kind, found in kinds.items() for each in _first(found)
    ]


def _scores(value: AnyOutcome) -> list[Text]:
    if not isinstance(value, Answered | NeedsClarification) or value.evaluation is None:
        return []
    scores = value.evaluation.model_dump(exclude={"raw", "clamps"})
    clamps = ", ".join(map(line, value.evaluation.clamps)) or "none"
    return [Text(f"  scores {_figures(scores)}"), Text(f"  clamps {clamps}")]


def finished_json(finished: "Finished") -> dict[str, Any]:
    """Return what `ask --json` prints. A key that has no value in this outcome is null or empty."""
    result = Result.of_finished(finished)
    if isinstance(finished.outcome, Failed):
        result = result.model_copy(update={"error": operators(finished.outcome)})
    return result.model_dump(mode="json")


def operators(failed: Failed) -> str:
    """Say what failed, for whoever runs MASIS: with the address and the setting."""
    return failed.detail or failed.error


def unasked_json(error: str) -> dict[str, Any]:
    """Return what `ask --json` prints when no run began: the same keys."""
    return Result.nothing("failed", error).model_dump(mode="json")


# --- documents and workspaces --------------------------------------------------------------


def documents(found: Sequence[Document]) -> Table:
    """The documents of a workspace."""
    columns = ["Document", "Format", "Version", "Passages", "Size", "Dated", "Ingested"]
    has_fields = any(document.fields for document in found)
    table = _table(*columns, *(["Fields"] if has_fields else []))
    for document in found:
        table.add_row(
            line(document.name),
            document.format,
            str(document.version_number),
            str(document.chunks),
            size(document.size_bytes),
            f"{day(document.date)} (file)"
            if document.date_source == "file"
            else day(document.date),
            day(document.ingested_at.date()),
            *([fields(document)] if has_fields else []),
        )
    return table


FIELDS_CHARS: Final = 80


def fields(document: Document) -> str:
    """`owner=finance · status=final`, cut where they are many."""
    said = line(" · ".join(f"{key}={value}" for key, value in document.fields.items()))
    return said if len(said) <= FIELDS_CHARS else f"{said[: FIELDS_CHARS - 1]}…"


def holding(workspace: Workspace) -> str:
    """`“demo” holds 4 documents, 41 passages.`."""
    parts = counted(workspace.documents, "document"), counted(workspace.chunks, "passage")
    return f"“{line(workspace.name)}” holds {', '.join(parts)}."


def document_json(document: Document) -> dict[str, Any]:
    """One document as programs read it."""
    plain = document.model_dump(mode="json", exclude={"workspace_id", "origin", "given"})
    return {**plain, "source": document.origin.source or None}


def workspaces(found: Sequence[Workspace]) -> Table:
    """The workspaces of an owner."""
    table = _table("Workspace", "Documents", "Passages", "Vectors")
    for workspace in found:
        table.add_row(
            line(workspace.name),
            str(workspace.documents),
            str(workspace.chunks),
            _vectors(workspace),
        )
    return table


def _vectors(workspace: Workspace) -> str:
    """Name the vectors that a workspace holds. One without passages is bound to none yet."""
    return workspace.embedding_profile or ("words only" if workspace.chunks else "-")


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=number > 0)
    return table


def size(number: int) -> str:
    """A size in bytes for people: `4.1 kB`, `2.0 MB`."""
    if number < _KILO:
        return f"{number} B"
    amount, units = float(number), iter(("kB", "MB", "GB", "TB"))
    unit = ""
    while amount >= _KILO and unit != "TB":
        amount, unit = amount / _KILO, next(units)
    return f"{amount:.1f} {unit}"
