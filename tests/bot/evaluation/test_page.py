import base64
import hashlib
from importlib.resources import files

import lxml.html
import pytest
from lxml.html import HtmlElement

from bot.evaluation.page import of_report
from bot.evaluation.report import Report
from bot.evaluation.report_charts import MAX_ROWS
from bot.evaluation.report_comparison import compare, of_comparison
from bot.results import DrawnChart
from tests import drawn_samples
from tests.bot.evaluation.samples import record, report

HOSTILE = (
    "</style></script><script>alert(1)</script><img src=https://evil.example onerror=alert(1)>"
    "\"' onclick=alert(1) <a href='javascript:alert(1)'>x</a> ]]> &lt;b&gt; \x00\x1b[31m\u202eabc\ufffe"
)
SEEN = HOSTILE.replace("\x00", "").replace("\x1b", "").replace("\u202e", "").replace("\ufffe", "")


def parsed(page: str) -> HtmlElement:
    return lxml.html.document_fromstring(page)


def hostile() -> Report:
    records = [
        record(HOSTILE, text=HOSTILE, question=HOSTILE, kind=HOSTILE, status=status)
        for status in ("success", "needs_clarification", "failed")
    ]
    return report(*records, workspace=HOSTILE)


def of_two() -> str:
    before = hostile()
    after = report(
        record("x", text=HOSTILE, question=HOSTILE, holds=False, kind=HOSTILE), workspace=HOSTILE
    )
    return of_comparison(before, after, compare(before, after))


@pytest.fixture(params=["report", "comparison"])
def page(request: pytest.FixtureRequest) -> str:
    return of_report(hostile()) if request.param == "report" else of_two()


def test_text_is_never_markup(page: str) -> None:
    """A text is only ever a text."""
    tree = parsed(page)
    (script,), (style,) = tree.findall(".//script"), tree.findall(".//style")
    assert script.text == files("bot.evaluation").joinpath("report.js").read_text(encoding="utf-8")
    assert style.text == files("bot.evaluation").joinpath("report.css").read_text(encoding="utf-8")
    assert not {"img", "a", "link", "iframe", "object"} & {str(e.tag) for e in tree.iter()}
    names = {str(name) for element in tree.iter() for name in element.attrib}
    assert not names & {"href", "src", "srcset", "action", "style", "xlink:href"}
    assert not [name for name in names if name.startswith("on")]
    assert tree.text_content().count(SEEN) >= 3


def test_policy_allows_only_own_resources(page: str) -> None:
    """The policy allows this style and this script alone."""
    tree = parsed(page)
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules.pop("default-src") == "'none'"
    assert rules.pop("base-uri") == rules.pop("form-action") == "'none'"
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        content = (tree.find(f".//{tag}").text or "").encode()
        digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
        assert rules.pop(name) == f"'sha256-{digest}'"
    assert not rules
    head = [str(element.tag) for element in tree.find("head")]
    assert head.index("style") > 1, "the policy stands before what it is about"


def test_answer_shows_badge_and_passages() -> None:
    """An answer stands with its badge passages findings and trail."""
    tree = parsed(of_report(report(record("q1", text="It is 4 days [1]."))))
    (card,) = tree.findall(".//article")
    said = card.text_content()
    for part in [
        "What about q1?",
        "High · confidence 86 %",
        "✓ found: “4 days” or “four days”",
        "✓ found: leave.md",
        "[1] leave.md · p. 4",
        "Not in the sources",
        "Gaps",
        "overall score",
        "critic",
        "said It is 4 days [1].",
        "3 model calls · run r-1",
    ]:
        assert part in said
    assert [summary.text for summary in card.iter("summary")] == [
        "Expected: 2 things",
        "1 passage",
        "What the auditor found",
        "How it came about",
    ]


def test_withheld_answer_is_labelled() -> None:
    """What was not given as an answer is called so."""
    tree = parsed(of_report(report(record("q1", status="needs_clarification"))))
    assert "Best draft, not given as an answer" in tree.find(".//article").text_content()


def test_every_outcome_has_a_filter() -> None:
    """Every outcome there is can be filtered by."""
    records = [record("a"), record("b"), record("c", holds=False, kind="other")]
    tree = parsed(of_report(report(*records)))
    assert tree.xpath("//input[@name='verdict']/@value") == ["right", "incomplete"]
    assert tree.xpath("//article/@data-verdict") == ["right", "right", "incomplete"]
    assert tree.xpath("//select/option/@value") == ["", "0", "1"]
    assert tree.xpath("//article/@data-kind") == ["0", "0", "1"]
    assert tree.xpath("//label[contains(., 'Right (2)')]")


def test_chart_has_description_and_figures() -> None:
    """A chart has a name a description and its figures beside it."""
    records = [record("a"), record("b", holds=False), record("c", kind="other")]
    tree = parsed(of_report(report(*records)))
    for figure in tree.findall(".//figure"):
        (chart,) = figure.findall(".//svg")
        title, described = chart.get("aria-labelledby"), chart.get("aria-describedby")
        assert chart.get("role") == "img"
        assert tree.get_element_by_id(title).text == figure.findtext("h2")
        assert tree.get_element_by_id(described).text
        assert figure.findall(".//table/caption")
    rows = [
        [cell.text_content() for cell in row] for row in tree.findall(".//figure")[0].iter("tr")
    ]
    assert rows == [
        ["Questions", "Right", "Words missing"],
        ["single", "1", "1"],
        ["other", "1", "0"],
        ["all", "2", "1"],
    ]
    bands = [
        [cell.text_content() for cell in row] for row in tree.findall(".//figure")[1].iter("tr")
    ]
    assert bands[1:] == [["80 to 90 %", "86 %", "67 % (2 of 3)"]]


def test_only_the_chart_is_cut() -> None:
    """A chart of many kinds is cut and its table is not."""
    records = [record(f"q{n}", kind=f"kind {n}") for n in range(40)]
    figure = parsed(of_report(report(*records))).findall(".//figure")[0]
    labels = figure.xpath(".//*[local-name()='svg']/*[@class='label'][@text-anchor]")
    assert len(labels) == MAX_ROWS
    assert labels[-1].text == "all"
    assert len(figure.findall(".//tbody/tr")) == 41


def test_confidence_is_truncated_not_rounded() -> None:
    """A confidence is cut and not rounded as everywhere else."""
    page = parsed(of_report(report(record("x", confidence=0.799))))
    assert "High · confidence 79 %" in page.text_content()


def with_figures(text: str) -> Report:
    """A report of one answer that has charts and a table; `text` stands in all of them."""
    one = record("x")
    charts = [DrawnChart.of(drawn_samples.chart(kind, title=text)) for kind in drawn_samples.KINDS]
    tables = [drawn_samples.table(60, cell=text, title=text, total_rows=12_431)]
    run = one.run.model_copy(update={"charts": charts, "tables": tables})
    return report(one.model_copy(update={"run": run}))


def test_charts_are_bars_with_figures() -> None:
    tree = parsed(of_report(with_figures("Revenue")))
    drawn = tree.find_class("drawn")

    assert len(drawn) == len(drawn_samples.KINDS)
    for each in drawn:
        assert len(each.findall(".//rect")) == len(drawn_samples.QUARTERS)
        assert "5,987.5" in each.text_content()
    assert "The first 50 of 12,431 rows." in tree.text_content()


def test_figures_are_never_markup() -> None:
    tree = parsed(of_report(with_figures(HOSTILE)))
    assert not {"img", "a", "link"} & {str(e.tag) for e in tree.iter()}
    assert len(tree.findall(".//script")) == 1
