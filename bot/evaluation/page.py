"""The report of one evaluation, as a page."""

from collections.abc import Mapping

from lxml.html import HtmlElement

from bot.evaluation import report_charts
from bot.evaluation.answer_page import card
from bot.evaluation.evaluation import Share, Verdict
from bot.evaluation.markup import el, page
from bot.evaluation.report import ALL, Report
from bot.evaluation.report_words import MEANINGS, VERDICTS, share
from bot.rendering.show import counted


def of_report(report: Report) -> str:
    """The whole page."""
    found = {name: at for at, name in enumerate(each for each in report.verdicts if each != ALL)}
    title = f"How well “{report.about.workspace}” is answered"
    return page(
        title,
        el("h1", title),
        el("p", about(report), class_="about"),
        _headline(report),
        report_charts.outcomes(report.verdicts, "How the questions ended, by kind"),
        report_charts.reliability(report.reliability),
        _meanings(report.verdicts[ALL]),
        filters(report.verdicts[ALL], found),
        *(card(record, found.get(record.question.kind, -1)) for record in report.records),
    )


def about(report: Report) -> str:
    """Say what was asked of what, when, and by whom it was answered."""
    known = report.about
    return (
        f"{counted(len(report.records), 'question')} of {known.file}, asked of"
        f" {counted(known.documents, 'document')} ({counted(known.passages, 'passage')});"
        f" answered by {known.answered_by}; {known.finished_at:%d %b %Y, %H:%M} UTC;"
        f" MASIS {known.version}"
    )


def _headline(report: Report) -> HtmlElement:
    whole = report.summary[ALL]
    return el(
        "ul",
        _figure("answerable questions answered with the expected words", whole.contained),
        _figure("answers that cite an expected document", whole.cites_gold),
        _figure("questions held back where the documents do not say", whole.held_back),
        _figure("answerable questions that got no answer", whole.false_refusals),
        class_="headline",
    )


def _figure(words: str, found: Share) -> HtmlElement:
    big, _, rest = share(found.hits, found.of).partition(" (")
    counts = f" ({rest}" if rest else " (none of that kind)"
    return el("li", el("b", big), el("span", words, counts))


def _meanings(counts: Mapping[Verdict, int]) -> HtmlElement:
    items = [
        part
        for verdict in VERDICTS
        if verdict in counts
        for part in (el("dt", VERDICTS[verdict]), el("dd", MEANINGS[verdict]))
    ]
    return el("section", el("h2", "What the words mean"), el("dl", *items))


def filters(counts: Mapping[Verdict, int], kinds: Mapping[str, int]) -> HtmlElement:
    """Hidden until the script is there that makes it work."""
    boxes = [
        el(
            "label",
            el("input", type="checkbox", name="verdict", value=verdict),
            f" {VERDICTS[verdict]} ({counts[verdict]})",
        )
        for verdict in VERDICTS
        if verdict in counts
    ]
    options = [el("option", name, value=at) for name, at in kinds.items()]
    every = el("option", "every kind", value="")
    row = [
        el("label", "Kind ", el("select", every, *options, id="kind")),
        el("label", "Words ", el("input", type="search", id="words")),
        el("button", "Show all", type="reset"),
        el("span", id="shown", role="status"),
    ]
    return el(
        "form",
        el("fieldset", el("legend", "Show by outcome"), *boxes),
        el("div", *row, class_="row"),
        id="filter",
        hidden="hidden",
    )
