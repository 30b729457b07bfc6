"""Values as people see them on a terminal, and as programs read them: pure functions.

Everything that came from a document, a model or a user passes `safe` or `line`: it is neither
markup nor a terminal command. Rich's own markup is switched off besides.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from bot.chat.shown.answer_shown import AnswerShown, answer_shown
from bot.chat.shown.badge_shown import BadgeShown
from bot.chat.shown.clarification_shown import ClarificationShown, DraftShown, clarification_shown
from bot.chat.shown.noted_lines import NotedLines
from bot.chat.shown.source_shown import SourceShown, sources_shown
from bot.chat.words.badge_words import MAX_LISTED
from bot.chat.words.counts import counted as counted  # noqa: PLC0414 - shown again: every view uses it
from bot.chat.words.phrases import dated
from bot.chat.words.shared_sentences import more
from bot.rendering import show_figures
from bot.rendering.terminal_text import UNSAFE
from bot.rendering.terminal_text import line as line  # noqa: PLC0414 - shown again: every view uses it
from bot.rendering.terminal_text import safe as safe  # noqa: PLC0414 - shown again: every view uses it
from bot.results import Result
from masis.answering.outcome_texts import ASK_INSTEAD, DROPPED, NEAREST
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

_KILO: Final = 1000
_STRONG: Final = re.compile(r"\*\*([^*\n]+)\*\*")
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
            return answered(answer_shown(value, value.question), numbered=numbered)
        case NeedsClarification():
            return asked_back(clarification_shown(value, value.question), numbered=numbered)
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


def answered(content: AnswerShown, *, numbered: bool = False) -> Group:
    """The answer, its badge and its sources; small talk is a sentence, and what can be asked.

    An answer that is shown once more has had its badge.
    """
    if content.is_small_talk:
        return Group(Text(safe(content.text)), *_listed(content.questions, numbered=numbered))
    drawn = show_figures.drawn(content.charts, content.tables)
    if content.is_retold:
        return Group(Text(safe(content.text)), drawn, *sources(content.sources))
    return Group(
        *_understood(content.understood),
        _said(content),
        drawn,
        Text(),
        *_noted(content.gaps),
        *_noted(content.unread),
        badge_line(content.badge),
        *_noted_claims(content.not_held),
        *([Text(line(content.improvement))] if content.improvement else []),
        *sources(content.sources),
    )


def _understood(said: str) -> list[Text]:
    """Say how a question was understood, where that says more than what was typed."""
    return [Text(line(said), style="dim"), Text()] if said else []


def _said(content: AnswerShown) -> Text:
    """The answer; a code stands out in it."""
    told = Text(safe(content.text))
    for mark in reversed(list(_STRONG.finditer(told.plain)) if content.has_code else []):
        inner = Text(mark[1], style="bold")
        told = Text.assemble(told[: mark.start()], inner, told[mark.end() :])
    return told


def _listed(texts: Sequence[str], *, numbered: bool, first: int = 1) -> list[Text]:
    marks = [f"{number})" if numbered else "-" for number, _ in enumerate(texts, start=first)]
    return [Text(f"  {mark} {line(text)}") for mark, text in zip(marks, texts, strict=True)]


def _noted(said: NotedLines) -> list[Text]:
    """List what is noted under an answer, all of it: a terminal has room."""
    return [Text(line(each), style="yellow") for each in said.lines]


def asked_back(content: ClarificationShown, *, numbered: bool = False) -> Group:
    """Show what is likely right and the question back, then the best draft.

    The draft comes with its badge and sources.
    """
    told = _noted(content.gaps)
    nearest = [Text(NEAREST, style="bold"), Text(safe(content.nearest)), *told, Text()]
    question = Group(
        *_understood(content.understood),
        *(nearest if content.nearest else told),
        Text.assemble(("? ", "bold yellow"), (safe(content.question), "yellow")),
        *_instead(content, numbered=numbered),
        *_noted(content.unread),
    )
    draft = content.draft
    if draft is None or not draft.is_near:
        return Group(question, *(sources(content.sources) if content.nearest else []))
    return Group(
        question,
        Text(),
        *_draft(draft, content.nearest),
        badge_line(draft.badge),
        *_noted_claims(draft.not_held),
        *sources(draft.sources),
    )


def _draft(draft: DraftShown, nearest: str) -> list[Text]:
    """The best draft, where it says more than what is shown above the question back."""
    told = [each for each in draft.text.splitlines() if not each.rstrip().endswith(":")]
    if words("\n".join(told)) == words(nearest):
        return []
    return [Text("Best draft so far", style="bold"), Text(safe(draft.text)), Text()]


def _instead(content: ClarificationShown, *, numbered: bool) -> list[Text]:
    """List what may be replied, and what can be asked instead, a line each."""
    options = [] if content.names_options else _listed(content.options, numbered=numbered)
    first = len(content.options) + 1
    told = _listed(content.questions, numbered=numbered, first=first)
    return [*options, *([Text(ASK_INSTEAD), *told] if told else [])]


def badge_line(badge: BadgeShown) -> Text:
    """`High 86 % · 5 of 5 claims cited · 2 documents · extractive`."""
    if not badge.level:
        return Text(badge.verdict)
    rest = (f" · {line(part)}" for part in badge.rests_on)
    return Text.assemble((badge.verdict, BADGE_STYLE[badge.level]), *rest)


def _noted_claims(said: Sequence[str]) -> list[Text]:
    """The sentences that are not in their source, with what is missing, and those without one."""
    return [Text(line(each), style="yellow") for each in said]


def sources(listed: Sequence[SourceShown]) -> list[Text]:
    """The numbered list under an answer; nothing when nothing was cited."""
    if not listed:
        return []
    lines = [Text(), Text("Sources", style="bold")]
    for source in listed:
        sent = "came with the question" if source.attached else ""
        parts = map(line, (source.name, source.place, source.dated, sent))
        shown = " · ".join(part for part in parts if part)
        lines.append(Text.assemble((f"[{source.n}] ", "cyan"), shown))
    return lines


def passages(citations: Sequence[Citation]) -> Group:
    """The sources under an answer, each with the passage as it was when cited."""
    listed = sources_shown(citations)
    rows = zip(sources(listed)[2:], listed, strict=True)
    return Group(*(Group(row, Text(safe(each.text)), Text()) for row, each in rows))


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


def _first(lines: Sequence[str]) -> list[str]:
    left = len(lines) - MAX_LISTED
    return [*lines[:MAX_LISTED], *([more(left)] if left > 0 else [])]


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
            f"{dated(document.date)} (file)"
            if document.date_source == "file"
            else dated(document.date),
            dated(document.ingested_at.date()),
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
