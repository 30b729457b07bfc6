"""The report of one evaluation, as a page."""

from bot.evaluation import report_charts
from bot.evaluation.markup import page
from bot.evaluation.report import ALL, Report
from bot.evaluation.report_words import VERDICTS


def of_report(report: Report) -> str:
    """Write the whole page."""
    whole = report.verdicts[ALL]
    return page(
        "report.html.jinja",
        title=f"How well “{report.about.workspace}” is answered",
        report=report,
        summary=report.summary[ALL],
        ended=report_charts.outcomes(report.verdicts, "How the questions ended, by kind"),
        confidence=report_charts.reliability(report.reliability),
        counts=[(verdict, whole[verdict]) for verdict in VERDICTS if verdict in whole],
        kinds={name: at for at, name in enumerate(each for each in report.verdicts if each != ALL)},
    )
