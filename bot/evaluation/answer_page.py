"""One question with what became of it: badge, answer, passages, findings, trail."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from lxml.html import HtmlElement

from bot.evaluation.evaluation import Question, contains, same_document
from bot.evaluation.markup import details, el, scrolling, table
from bot.evaluation.report import Record
from bot.evaluation.report_words import MEANINGS, VERDICTS
from bot.rendering.show import counted, percent
from bot.results import Result, Source
from masis.domain import Critique

_FINDINGS: Final = {
    "unsupported_claims": "Not in the sources",
    "logical_gaps": "Gaps",
    "conflicting_evidence": "Sources that contradict each other",
}
_SCORES: Final = ("faithfulness", "relevance", "completeness", "reasoning_quality", "overall_score")
_APART: Final = frozenset({"node", "pass", "duration_ms"})
"""Of a step: they have columns of their own."""


def card(record: Record, kind: int) -> HtmlElement:
    """A question's article; `kind` is the number by which the page filters."""
    return el(
        "article",
        el("p", pill(record), record.question.kind, f" · {record.question.id}", class_="meta"),
        el("h3", record.question.question),
        *body(record),
        data_verdict=record.verdict,
        data_kind=kind,
    )


def pill(record: Record) -> HtmlElement:
    """The verdict in its colour; what it means is its title."""
    verdict = record.verdict
    return el("span", VERDICTS[verdict], class_=f"pill v-{verdict}", title=MEANINGS[verdict])


def body(record: Record) -> Iterable[HtmlElement]:
    """Everything below the question."""
    run = record.run
    if run.error:
        yield el("p", run.error, class_="answer")
    if run.clarification_question:
        yield el("p", run.clarification_question, class_="asks")
    if run.answer:
        if run.clarification_question:
            yield el("h4", "Best draft, not given as an answer")
        yield el("div", run.answer, class_="answer")
    if run.badge and run.answer:
        yield el("p", f"{run.badge} · confidence {percent(run.confidence or 0)}", class_="badge")
    if run.improvement:
        yield el("p", run.improvement, class_="meta")
    yield from _expected(record.question, run)
    if run.citations:
        quoted = (part for source in run.citations for part in _source(source))
        yield details(counted(len(run.citations), "passage"), *quoted)
    if run.critique or run.evaluation:
        yield details("What the auditor found", *_findings(run.critique), *_scores(run))
    if run.trace:
        yield details("How it came about", _trace(run.trace), _run_line(record))


def _expected(question: Question, run: Result) -> Iterable[HtmlElement]:
    """List what a good answer holds, each with whether this one does."""
    if not question.answerable:
        said = "asking back" if question.answerable is None else "no answer: the documents say none"
        yield el("ul", el("li", f"Expected: {said}"), class_="checks")
        return
    answer = run.answer or ""
    items = [
        _check(contains(answer, [entry]), " or ".join(f"“{each}”" for each in entry.split("|")))
        for entry in question.must_include
    ]
    documents = dict.fromkeys(gold.doc for gold in question.gold)
    cited = [source.document for source in run.citations]
    items += [_check(any(same_document(each, doc) for each in cited), doc) for doc in documents]
    if items:
        yield details(
            f"Expected: {counted(len(items), 'thing')}", el("ul", *items, class_="checks")
        )


def _check(found: bool, what: str) -> HtmlElement:  # noqa: FBT001 - reads as a sentence
    return el("li", "✓ found: " if found else "✗ missing: ", what)


def _source(source: Source) -> Iterable[HtmlElement]:
    place = f" · {source.place}" if source.place else ""
    yield el("h4", f"[{source.n}] {source.document}{place}")
    yield el("blockquote", source.text)


def _findings(critique: Critique | None) -> Iterable[HtmlElement]:
    if critique is None:
        return
    found = {words: getattr(critique, name) for name, words in _FINDINGS.items()}
    for words, claims in found.items():
        if claims:
            yield el("h4", words)
            yield el("ul", *(el("li", claim) for claim in claims))
    if critique.hallucination_detected:
        yield el("p", "The draft says what no source says.")
    elif not any(found.values()):
        yield el("p", "Nothing: every claim stands in its source.")


def _scores(run: Result) -> Iterable[HtmlElement]:
    if run.evaluation is None:
        return
    rows = [[name.replace("_", " "), f"{getattr(run.evaluation, name):.2f}"] for name in _SCORES]
    yield table("Scores, 0 to 1", ["Score", "Value"], rows)
    if run.evaluation.clamps:
        yield el("p", f"Lowered by the audit: {', '.join(run.evaluation.clamps)}")


def _trace(trace: Iterable[Mapping[str, Any]]) -> HtmlElement:
    rows = [
        el(
            "tr",
            el("th", str(step.get("node", "")), scope="row"),
            el("td", str(step.get("pass", ""))),
            el("td", _figures(step)),
            el("td", f"{step.get('duration_ms', '')}"),
        )
        for step in trace
    ]
    heading = [el("th", each, scope="col") for each in ("Step", "Pass", "Figures", "ms")]
    caption = el("caption", "The steps, in their order")
    whole = el(
        "table", caption, el("thead", el("tr", *heading)), el("tbody", *rows), class_="trail"
    )
    return scrolling("The steps, in their order", whole)


def _figures(step: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in step.items() if key not in _APART}
    return ", ".join(f"{key.replace('_', ' ')} {_written(value)}" for key, value in rest.items())


def _written(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    return str(value)


def _run_line(record: Record) -> HtmlElement:
    calls = record.run.metrics.get("model_calls", 0)
    seconds = f"{record.judged.seconds:.1f} s"
    said = f"{seconds} · {counted(calls, 'model call')} · run {record.run.run_id or '–'}"
    return el("p", said, class_="meta")
