"""What a finished classification says, and what a model may say in it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from langgraph.runtime import Runtime

from masis.attached import Attached
from masis.calculating.charts.figure_forms import csv_text
from masis.domain import Answered, AskedBack, NeedsClarification, Question, WorkspaceId
from masis.graphs.classification import texts
from masis.graphs.classification.agents import CodeFinder, Found
from masis.graphs.classification.graph import CLASSIFICATION
from masis.graphs.classification.prompts import ExpansionReply, LastAnalysisReply
from masis.graphs.classification.state import Above
from masis.graphs.common import Conclusion, Node, Request, Wrap
from masis.models import run_clock
from masis.runs import run
from tests.masis.codelists.test_row_texts import chunk
from tests.masis.graphs.classification.scripted import (
    CLEAR,
    HERE,
    OFFICE,
    TRAVEL,
    TWINS,
    Finder,
    Talk,
    candidate,
    passage,
)


async def ended(
    finder: Finder, text: str, asked: list[AskedBack] | None = None, wrap: Any = None
) -> Any:
    question = Question(text=text, standalone=text, reply=asked[-1].reply if asked else "", asked_back=asked or [])  # fmt: skip
    bound = CLASSIFICATION.bound(Talk(finder).context, wrap)
    state = await run(bound, CLASSIFICATION.start(Request(question=question, workspace_id=HERE)))
    found = CLASSIFICATION.conclude(state, "r_1", bound.context)
    return found.outcome if isinstance(found, Conclusion) else found


async def test_answers_have_code_path_and_sources() -> None:
    outcome = await ended(Finder(CLEAR), "which code have tickets for the tram in Bonn, Germany?")
    assert isinstance(outcome, Answered)
    assert outcome.answer.startswith("**201** Trains [1]\n\nPart of: 20 Travel [2]")
    assert outcome.gaps == ["Assumed: the place (Germany, Bonn) makes no difference."]
    assert [(source.chunk_id, source.place.label()) for source in outcome.citations] == [
        (CLEAR[0].chunk_ids[0], "row 201"),
        (TRAVEL.chunk_id, "row 20"),
    ]
    assert outcome.badge is not None
    assert outcome.badge.level == "High"


async def test_parents_name_what_is_below() -> None:
    found = [candidate("201", "Trains", 9.0), candidate("202", "Trams", 8.9)]
    outcome = await ended(Finder(found), "tickets for journeys on rails")
    said = "**20** Travel [1]\n\nThe description fits these codes below it alike:\n- 201 Trains [2]"
    assert outcome.answer.startswith(said)


async def test_groups_asked_for_are_explained() -> None:
    """A code that has others below it is no choice: it says what it is, and what it consists of."""
    below = [
        Above(code="201", title="Trains", chunk_id=CLEAR[0].chunk_ids[0]),
        Above(code="21", title="Flights", holds=3),
    ]
    group = candidate("20", "Travel", 9.0, []).model_copy(update={"below": below, "is_asked": True})
    outcome = await ended(Finder([group, *TWINS]), "what is 20?")
    assert isinstance(outcome, Answered)
    assert outcome.answer.startswith("**20** Travel [1]\n\n2 codes below it, and 3 more below these:\n- 201 Trains [2]\n- 21 Flights")  # fmt: skip
    assert not outcome.tables
    assert outcome.code is not None
    assert [each.code for each in outcome.code.below] == ["201", "21"]
    assert outcome.code.needs_person


async def test_unlikely_groups_are_called_so() -> None:
    """Who cannot say gets the nearest group, and hears that it is more likely not the right one."""
    many = [candidate(f"{n}01", f"Thing {n}", 9.0, [TRAVEL if n < 2 else OFFICE]) for n in range(9)]
    back = AskedBack(question="Which?", options=[each.title for each in many], reply="no idea")
    outcome = await ended(Finder(many), "somebody who drives", [back])
    assert outcome.badge.level == "Low"
    assert outcome.badge.note == texts.NEAREST_NOTE
    assert texts.NEAREST_BELOW in outcome.answer


async def test_next_codes_stand_in_a_table() -> None:
    found = [CLEAR[0], candidate("101", "Rent", 7.0, [OFFICE])]
    outcome = await ended(Finder(found), "tickets for the tram")
    assert [table.rows for table in outcome.tables] == [[["101", "Rent", "Office", "18"]]]
    assert outcome.tables[0].sources == [outcome.citations[2].chunk_id]
    assert "Rent" not in outcome.answer


async def test_answers_name_one_of_several_lists() -> None:
    finder = Finder(CLEAR, lists=["Trips", "Tools"])
    outcome = await ended(finder, "which trip code have tickets for the tram?")
    assert outcome.gaps == ["From the list “Trips”; there is also “Tools”."]
    assert finder.kinds == ["trip code"]


async def test_ambiguity_comes_back_with_titles() -> None:
    outcome = await ended(Finder(TWINS), "somebody who drives")
    assert isinstance(outcome, NeedsClarification)
    assert (outcome.kind, outcome.options) == ("choice", ["Drivers (Travel)", "Drivers (Office)"])


async def test_replies_in_fresh_runs_are_taken() -> None:
    """A reply is a run of its own, which is handed what was asked before."""
    first = await ended(Finder(TWINS), "somebody who drives")
    back = AskedBack(question=first.clarification_question, options=first.options, reply="2")
    outcome = await ended(Finder(TWINS), "somebody who drives", [back])
    assert outcome.answer.startswith("**101** Drivers")
    assert outcome.badge.note == "chosen by you"


async def test_codes_turned_down_are_given_no_more() -> None:
    """A code that was given and is said to be wrong is out, whatever leads."""
    back = AskedBack(question="This is it.", options=["Trains (201)"], reply="that's not it")
    outcome = await ended(Finder([*CLEAR, candidate("102", "Desks", 3.9, [OFFICE])]), "tickets for the tram", [back])  # fmt: skip
    told = outcome.answer or outcome.clarification_question
    assert "Trains" not in told
    assert isinstance(outcome, NeedsClarification)


async def test_codes_looked_up_can_be_turned_down() -> None:
    """The name of a code that is wrong describes no other one: what is meant is asked, and searched alone."""
    asked = CLEAR[0].model_copy(update={"is_asked": True})
    back = AskedBack(question="This is it.", options=["Trains (201)"], reply="wrong")
    finder = Finder([asked, *CLEAR[1:]])
    outcome = await ended(finder, "What is 201?", [back])
    assert isinstance(outcome, NeedsClarification)
    assert outcome.options == []
    more = AskedBack(question=outcome.clarification_question, reply="we pay for rooms")
    await ended(finder, "What is 201?", [back, more])
    assert finder.asked[-1] == ["we pay for rooms"]


async def test_lookups_by_words_lose_nothing() -> None:
    """Also where a code is a word like any other, and is not known from a group."""
    asked = candidate("Rail", "Trains", 9.0).model_copy(update={"is_asked": True})
    back = AskedBack(question="This is it.", options=["Trains (Rail)"], reply="wrong")
    outcome = await ended(Finder([asked, *CLEAR[1:]]), "What is Rail?", [back])
    assert isinstance(outcome, NeedsClarification)


async def test_without_lists_it_says_so() -> None:
    outcome = await ended(Finder([], 0.0, lists=[]), "which code have tickets?")
    assert (outcome.kind, outcome.options) == ("no_code", [])
    assert "There is no code list" in outcome.clarification_question


async def test_rows_of_a_file_have_codes() -> None:
    """A row that is open has the nearest code, and says that it needs a person."""
    said = "Id: 1 | Text: =drivers of trams\nId: 2 | Text: drivers"
    file = Attached(chunks=(chunk(said),))
    for found, needs in ((CLEAR, ""), (TWINS, "yes")):
        talk = Talk(Finder(found))
        context = replace(talk.context, agents=talk.context.agents.with_files(file))
        bound = CLASSIFICATION.bound(context)
        asked = Question(text="classify these rows", standalone="classify these rows", files=["rows.csv"])  # fmt: skip
        state = await run(bound, CLASSIFICATION.start(Request(question=asked, workspace_id=HERE)))
        outcome: Any = CLASSIFICATION.conclude(state, "r_1", context).outcome  # type: ignore[union-attr]
        [table] = outcome.tables
        assert table.as_file
        first = ["1", "=drivers of trams", found[0].code, found[0].title]
        assert (table.rows[0][:4], table.rows[0][5]) == (first, needs)
        assert "'=drivers of trams" in csv_text(table)


async def test_columns_of_the_sender_come_back() -> None:
    """What they sent stands as it was, defused, with columns called the same told apart; empty rows are open."""
    said = "Ref: 7 | Text: drivers | Code: old | =1+1: x\nRef: 8 | Code: new | =1+1: y"
    table = (await _coded(Finder(CLEAR), said)).tables[0]
    names = [column.name for column in table.columns]
    assert names == ["Ref", "Text", "Code", "=1+1", "Code found", "Title", "Confidence", "Needs a person"]  # fmt: skip
    assert table.rows[1] == ["8", "", "new", "y", "", "", "", "yes"]
    assert "'=1+1" in csv_text(table)


async def test_columns_that_stay_away_are_told() -> None:
    """More columns than come back are counted beside the codes; as many as come back are not."""
    for more, told in ((29, []), (32, [texts.columns_left(30, 33)])):
        said = " | ".join(("Text: drivers", *(f"C{n}: {n}" for n in range(more))))
        outcome = await _coded(Finder(CLEAR), said)
        assert outcome.gaps == told
        assert len(outcome.tables[0].columns) == 34


async def _coded(finder: CodeFinder, said: str, wrap: Wrap | None = None) -> Any:
    """Run the graph over the rows of a file."""
    talk = Talk(finder)
    file = Attached(chunks=(chunk(said),))
    context = replace(talk.context, agents=talk.context.agents.with_files(file))
    bound = CLASSIFICATION.bound(context, wrap)
    asked = Question(text="classify these rows", standalone="classify these rows", files=["a.csv"])
    state = await run(bound, CLASSIFICATION.start(Request(question=asked, workspace_id=HERE)))
    return CLASSIFICATION.conclude(state, "r_1", context).outcome  # type: ignore[union-attr]


class Killed(Exception):
    """Its process is no more."""


class _Dies(Finder):
    """A search that is killed at one row, once."""

    at = 60

    async def find(
        self, workspace_id: WorkspaceId, texts: Sequence[str], *, kind: str = "", limit: int
    ) -> Found:
        found = await super().find(workspace_id, texts, kind=kind, limit=limit)
        if len(self.asked) == self.at:
            raise Killed
        return found


async def test_finished_batches_are_not_repeated() -> None:
    """Each batch of rows is a step of its own: after a kill the rows of the broken one alone are done again."""
    kept: list[Any] = []

    def durable(name: str, node: Node) -> Node:
        assert name
        done = iter(list(kept))

        async def step(state: Any, runtime: Runtime[Any]) -> Any:
            stored = next(done, None)
            if stored is None:
                stored = json.loads(json.dumps(CLASSIFICATION.encode(await node(state, runtime))))
                kept.append(stored)
            return CLASSIFICATION.decode(stored, {})

        return step

    finder = _Dies(CLEAR)
    said = "\n".join(f"Ref: {number} | Text: drivers of tram {number}" for number in range(70))
    with pytest.raises(Killed):
        await _coded(finder, said, durable)
    assert len(kept) == 2
    outcome = await _coded(finder, said, durable)
    assert len(outcome.tables[0].rows) == 70
    assert len(finder.asked) == 60 + 20


async def test_progress_of_rows_is_told() -> None:
    """Who waits for many rows is told every few of them how far it is."""
    told: list[str] = []
    said = "\n".join(f"Ref: {number} | Text: drivers of tram {number}" for number in range(12))
    async with run_clock.run_clock(seconds=60, on_note=told.append):
        await _coded(Finder(CLEAR), said)
    assert told == ["row 1 of 12", "row 6 of 12", "row 11 of 12"]


async def test_files_without_rows_are_told() -> None:
    asked = Question(text="classify these rows", standalone="classify these rows", files=["a.png"])
    bound = CLASSIFICATION.bound(Talk(Finder(CLEAR)).context)
    state = await run(bound, CLASSIFICATION.start(Request(question=asked, workspace_id=HERE)))
    outcome: Any = CLASSIFICATION.conclude(state, "r_1", bound.context).outcome  # type: ignore[union-attr]
    assert "no rows in the file" in outcome.clarification_question


KEPT = TWINS


def _kept(name: str, node: Node) -> Node:
    """Write each update down and read it, as a durable step does."""
    held = {each.chunk_id: each for each in (*map(passage, KEPT), passage(TRAVEL), passage(OFFICE))}

    async def step(state: Any, runtime: Runtime[Any]) -> Any:
        assert name != "user_info"
        stored = json.loads(json.dumps(CLASSIFICATION.encode(await node(state, runtime))))
        return CLASSIFICATION.decode(stored, held)

    return step


@pytest.mark.parametrize("score", [1.0, 8.9])
async def test_steps_can_be_kept(score: float) -> None:
    found = [KEPT[0], KEPT[1].model_copy(update={"score": score})]
    plain, kept = [await ended(Finder(found), "somebody who drives", wrap=w) for w in (None, _kept)]
    assert plain == kept


def test_schemas_leave_no_room() -> None:
    """An expander cannot name a code, and a second analysis cannot ask for a third search."""
    assert "code" not in ExpansionReply.model_fields
    assert "IMPROVED_SEARCH" not in json.dumps(LastAnalysisReply.model_json_schema())
