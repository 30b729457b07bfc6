"""Questions over whole tables through the graph, with real queries."""

import datetime as dt
import re
from collections.abc import Collection, Iterator

import pytest

from masis.adapters.duckdb_tables.table_engine import DuckTables
from masis.calculating import calculation
from masis.domain import Answered, Question, Usage, WorkspaceId
from masis.errors import QueryRefused
from masis.graphs.analysis.graph import ANALYSIS
from masis.graphs.analysis.rule_agents import by_rule
from masis.graphs.analysis.table_steps import source_of
from masis.graphs.common import Context, Onward, Request
from masis.runs import run
from masis.tables import asking as tables_asking
from masis.tables.asking import TableAnswer, TableAsking, WrittenQuery
from masis.tables.grammar import family, questions
from tests.masis.graphs.analysis.test_analysis import Stored
from tests.masis.tables.kept_engine import kept_engine
from tests.masis.tables.samples import PLACE, TICKETS, Tables, packed

QUESTIONS = (
    "how many open tickets by priority",
    "how many tickets are there",
    "avg hours to resolve for P1 tickets",
    "which site has most P1s",
    "who is assigned to T-103",
    "top 2 assignees by tickets",
    "tickets opened in 2026 vs 2025",
    "longest hours to resolve of all tickets",
    "list open P1 tickets in truro",
    "median hours to resolve by site",
    "what % of open tickets are P1",
    "share of tickets by site",
    "how many more tickets were opened in 2026 than in 2025",
    "growth of tickets opened from 2025 to 2026 in percent",
    "how many tickets were opened per month on average",
    "share of open tickets",
    "tickets by site in percent",
    "how many tickets per assignee on average",
)


@pytest.fixture(autouse=True)
def _ask_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of these tests have a few rows."""
    monkeypatch.setattr(questions, "FEWEST_ASKED", 0)
    monkeypatch.setattr(family, "FEWEST_REFUSED", 0)


STORE = Tables(tickets_csv=packed())


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckTables]:
    with kept_engine(STORE) as made:
        yield made


@pytest.fixture
def asking(engine: DuckTables) -> TableAsking:
    return TableAsking(STORE, engine, today=lambda: dt.date(2026, 4, 1))


async def ended(asking: object, asked: str, place: WorkspaceId = PLACE) -> Answered | Onward:
    agents = by_rule(Stored([]), Stored([]), asking=asking)  # type: ignore[arg-type] # a stand-in
    context = Context(agents=agents)
    request = Request(question=Question.plain(asked), workspace_id=place)
    state = await run(ANALYSIS.bound(context), ANALYSIS.start(request))
    stored = ANALYSIS.decode(ANALYSIS.encode({"asked": state["asked"]}), {})
    assert stored["asked"] == state["asked"]
    found = ANALYSIS.conclude(state, "r_1", context)
    if isinstance(found, Onward):
        return found
    assert isinstance(found.outcome, Answered)
    return found.outcome


async def test_answer_says_rows_and_cites_them(asking: TableAsking) -> None:
    found = await ended(asking, "how many open tickets by priority")
    assert isinstance(found, Answered)
    assert "- p2: 1 [1]" in found.answer
    assert "I looked at 6 rows of tickets.csv (rows 2–7)" in found.answer
    assert found.badge is not None
    assert found.badge.level == "High"
    (cited,) = found.citations
    assert (cited.document, cited.place.cells) == ("tickets.csv", "rows 3–7")
    assert "Query: SELECT" in cited.text
    (table,) = found.tables
    assert [column.name for column in table.columns] == ["Priority", "rows"]


@pytest.mark.parametrize("question", QUESTIONS)
async def test_every_number_is_of_the_result(asking: TableAsking, question: str) -> None:
    """Each number that is shown stands in the result whose query is logged, or counts its rows."""
    answer = await asking.ask(PLACE, question)
    assert answer is not None
    assert answer.result is not None
    assert answer.read is not None
    found = await ended(asking, question)
    assert isinstance(found, Answered)
    (cited,) = found.citations
    evidence = source_of(answer)
    assert cited.text == evidence.text
    assert all(calculation.holds(each, [evidence]) for each in found.calculations)
    worked = " ".join(f"{each.shown} {each.formula}" for each in found.calculations)
    cells = [cell for row in answer.result.rows for cell in row if cell is not None]
    facts = [answer.result.looked_at, answer.result.matched, answer.result.matched - answer.result.valued]  # fmt: skip
    said = " ".join([*cells, *map(str, facts), answer.result.sql, worked.replace(",", "")])
    rows = [str(number) for each in answer.result.places for number in (each.first, each.last)]
    held = {float(each) for each in re.findall(r"\d+(?:\.\d+)?", f"{said} {' '.join(rows)} 2 7")}
    shown = re.sub(r"\[\d+\]", "", found.answer.replace(",", ""))
    for number in re.findall(r"\d+(?:\.\d+)?", shown):
        assert any(abs(float(number) - each) < 0.01 for each in held), number


async def test_share_shows_both_its_figures(asking: TableAsking) -> None:
    found = await ended(asking, "what % of open tickets are P1")
    assert isinstance(found, Answered)
    assert found.answer.startswith("Share: 33.3 % = 1 / 3 [1]")
    (done,) = found.calculations
    assert [each.said for each in done.inputs] == ["P1: 1", "Open tickets: 3"]


async def test_mean_that_is_whole_has_no_decimals(asking: TableAsking) -> None:
    found = await ended(asking, "median hours to resolve of P1 and P2 tickets")
    assert isinstance(found, Answered)
    assert "Median Hours to resolve: 8" in found.answer.replace("8.0", "wrong")


async def test_level_rows_are_all_given(asking: TableAsking) -> None:
    found = await ended(asking, "which priority has the fewest open tickets")
    assert isinstance(found, Answered)
    assert "3 are level with the lowest of all: 1 row." in found.answer


async def test_chart_is_drawn_when_asked(asking: TableAsking) -> None:
    found = await ended(asking, "open tickets by site as a bar chart")
    assert isinstance(found, Answered)
    (chart,) = found.charts
    assert chart.categories == ["Leeds", "Truro"]
    assert [float(value or 0) for value in chart.series[0].values] == [2, 1]


async def test_unread_words_are_said(asking: TableAsking) -> None:
    found = await ended(asking, "which customer raised the most tickets?")
    assert isinstance(found, Answered)
    assert "no column and no value for “customer”" in found.answer
    assert found.badge is not None
    assert found.badge.level == "Medium"


async def test_no_row_is_said(asking: TableAsking) -> None:
    found = await ended(asking, "who is assigned to T-999")
    assert isinstance(found, Answered)
    assert "None of the 6 rows fits" in found.answer


async def test_other_questions_go_on(asking: TableAsking) -> None:
    for question in ("how many days of annual leave do I get", "why are tickets slow?"):
        assert isinstance(await ended(asking, question), Onward)
    assert isinstance(await ended(asking, "how many tickets", WorkspaceId("w_other")), Onward)


async def test_refused_query_is_said(asking: TableAsking) -> None:
    class Refusing:
        async def ask(
            self, workspace_id: WorkspaceId, question: str, files: Collection[str] = ()
        ) -> TableAnswer | None:
            found = await asking.ask(workspace_id, question, files)
            assert found is not None
            return found.model_copy(update={"result": None, "refused": "it took too long."})

    found = await ended(Refusing(), "how many open tickets by priority")
    assert isinstance(found, Answered)
    assert "I could not ask tickets.csv: it took too long." in found.answer


async def test_engine_that_refuses_is_told() -> None:
    class Engine:
        async def ask(self, *_: object) -> None:
            raise QueryRefused("It is too much.")

    asking = TableAsking(Tables(tickets_csv=packed()), Engine())  # type: ignore[arg-type] # a stand-in
    found = await asking.ask(PLACE, "how many tickets")
    assert found is not None
    assert found.refused == "It is too much."


async def test_named_file_is_asked_alone(asking: TableAsking) -> None:
    assert await asking.ask(PLACE, "how many tickets", ["tickets.csv"]) is not None
    assert await asking.ask(PLACE, "how many tickets", ["other.csv"]) is None


async def test_source_has_an_id_of_its_own(asking: TableAsking) -> None:
    one = await asking.ask(PLACE, "how many open tickets")
    other = await asking.ask(PLACE, "how many closed tickets")
    assert one is not None
    assert other is not None
    assert source_of(one).chunk_id != source_of(other).chunk_id
    assert source_of(one) == source_of(one)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("total hours to resolve of tickets opened in march 2024", "None of the 6 rows fits"),
        ("how many tickets opened in march 2024", "0 rows, where"),
        ("avg hours to resolve by site opened in 2024", "None of the 6 rows fits"),
    ],
)
async def test_no_row_of_a_year_is_said(asking: TableAsking, question: str, said: str) -> None:
    found = await ended(asking, question)
    assert isinstance(found, Answered)
    assert said in found.answer
    assert "“Opened” goes from 2025-11-03 to 2026-03-20." in found.answer
    assert "no value" not in found.answer
    assert found.badge is not None
    assert found.badge.level == "Medium"


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("tickets opened by month as a bar chart", "Nov 2025", "Mar 2026"),
        ("tickets opened per quarter as a bar chart", "Q4 2025", "Q1 2026"),
    ],
)
async def test_months_are_written_as_people_do(asking: TableAsking, question: str, first: str, last: str) -> None:  # fmt: skip
    found = await ended(asking, question)
    assert isinstance(found, Answered)
    assert f"- {first}: " in found.answer
    assert found.tables[0].rows[0][0] == first
    (chart,) = found.charts
    assert (chart.categories[0], chart.categories[-1]) == (first, last)
    assert found.badge is not None
    assert found.badge.level == "High"


BLANK_HOURS = (
    *TICKETS,
    ["T-107", "2026-03-21 14:00", "", "P4", "Open", "Leeds", "D. Marsh", ""],
    ["T-108", "2026-03-22 14:00", "", "P4", "Open", "Truro", "D. Marsh", ""],
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("total hours to resolve of P4 tickets", "None of the 2 rows where Priority is “P4” has"),
        ("average hours to resolve of P4 tickets", "None of the 2 rows where Priority is “P4” has"),
        ("total hours to resolve of P4 tickets by site", "None of the 2 rows where Priority is “P4” has"),
        ("total hours to resolve of P4 tickets in Truro", "The one row where "),
    ],
)  # fmt: skip
async def test_blank_rows_have_no_total(question: str, said: str) -> None:
    """Rows that fit and have no value: nothing is added up, and nobody is sure of it."""
    store = Tables(tickets_csv=packed(BLANK_HOURS))
    async with DuckTables(store) as engine:
        found = await ended(TableAsking(store, engine, today=lambda: dt.date(2026, 4, 1)), question)
    assert isinstance(found, Answered)
    assert said in found.answer
    assert "value in “Hours to resolve”: there is nothing to calculate." in found.answer
    assert found.badge is not None
    assert (found.badge.level, found.charts, found.tables) == ("Low", [], [])
    assert found.audit.unsupported == []


class Writing:
    """A querier that writes one query."""

    def __init__(self, sql: str) -> None:
        self._sql = sql

    async def write(self, *_: object) -> WrittenQuery:
        return WrittenQuery(table="t_0", sql=self._sql, usage=Usage(calls=1))


async def written(sql: str, monkeypatch: pytest.MonkeyPatch, asked: str) -> Answered | Onward:
    monkeypatch.setattr(tables_asking, "FEWEST_ASKED", 0)
    store = Tables(tickets_csv=packed())
    async with DuckTables(store) as engine:
        asking = TableAsking(store, engine, today=lambda: dt.date(2026, 4, 1), querier=Writing(sql))
        return await ended(asking, asked)


BY_SITE = """SELECT "Site", count(*) AS tickets FROM "tickets.csv" WHERE lower("Status") = 'closed'
GROUP BY "Site" HAVING count(*) > 0 ORDER BY 2 DESC, 1"""


async def test_written_query_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rows are cited by their place, its words stand with the source, and it is never High."""
    asked = "sites with closed tickets, most closed tickets first as a bar chart"
    found = await written(BY_SITE, monkeypatch, asked)
    assert isinstance(found, Answered)
    assert "- Site Leeds: tickets: 1" in found.answer
    assert "I looked at 6 rows of tickets.csv (rows 2–7); 3 of them fit." in found.answer
    assert "A language model wrote the query" in found.answer
    (cited,) = found.citations
    assert (cited.place.cells, BY_SITE in cited.text) == ("rows 2–6", True)
    assert found.badge is not None
    assert (found.badge.level, found.extractive) == ("Medium", False)
    assert found.audit.unsupported == []
    (chart,) = found.charts
    assert len(chart.categories) == len(found.tables[0].rows) == 3


async def test_unrun_queries_leave_it_to_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    sql = "SELECT * FROM read_csv('/etc/passwd')"
    asked = "sites with closed tickets, most closed tickets first"
    assert isinstance(await written(sql, monkeypatch, asked), Onward)
    said = await written(sql, monkeypatch, "which customer raised the most tickets?")
    assert isinstance(said, Answered)
    assert "no column and no value for “customer”" in said.answer


async def test_quotients_of_models_are_rounded(monkeypatch: pytest.MonkeyPatch) -> None:
    sql = 'SELECT "Site", count("Closed") / 7.0 AS closed FROM "tickets.csv" GROUP BY 1 ORDER BY 1'
    found = await written(sql, monkeypatch, "sevenths: closed tickets / 7 by site and status")
    assert isinstance(found, Answered)
    assert "closed: 0.1429" in found.answer
    assert found.audit.unsupported == []


async def test_shares_are_drawn_in_percent(asking: TableAsking) -> None:
    found = await ended(asking, "tickets by site in percent, as a pie chart")
    assert isinstance(found, Answered)
    (chart,) = found.charts
    assert [str(value) for each in chart.series for value in each.values] == ["66.7", "33.3"]
    assert [column.unit for column in found.tables[0].columns] == ["", "%"]


async def test_word_that_is_not_used_is_no_high(asking: TableAsking) -> None:
    found = await ended(asking, "how many tickets did we escalate")
    assert isinstance(found, Answered)
    assert found.badge is not None
    assert found.badge.level == "Medium"
    assert "I did not use “escalate” of your question." in found.answer
