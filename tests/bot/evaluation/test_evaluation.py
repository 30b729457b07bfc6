import json

import pytest

from bot.evaluation.evaluation import (
    MAX_QUESTIONS,
    Question,
    Result,
    Share,
    Verdict,
    contains,
    judge,
    load,
    reliability,
    summarise,
    verdicts,
)
from masis.assistant import Finished
from masis.domain import Answered, Badge, Citation, CitationAudit, Critique, Place
from masis.errors import InvalidSettings


@pytest.mark.parametrize(
    ("answer", "must_include", "holds"),
    [
        ("You may carry over *240* hours [1].", ["240"], True),
        ("It lasts 16 weeks.", ["6"], False),
        ("It lasts 6 weeks.", ["6"], True),
        ("The rate is 1.6 %.", ["6"], False),
        ("Four hours\nper pay  period, no maximum.", ["four|4", "no maximum"], True),
        ("Four hours per pay period.", ["four|4", "no maximum"], False),
        ("The share is 50% of buildings.", ["50%|50 percent"], True),
        ("It costs 1,995 pounds.", ["1,995"], True),
        ("It costs 1,995,000 pounds.", ["1,995"], False),
        ("The channel ends in -public here.", ["-public"], True),
        ("Nothing at all.", [], True),
        ("It needs TLS v1.2.", ["1.2"], True),
        ("It needs TLS 1.2.", ["v1.2"], True),
        ("It needs TLS v11.2.", ["1.2"], False),
        ("It needs TLS v1.2.3.", ["1.2"], False),
        ("It is v2 of the form.", ["2 weeks"], False),
        ("It came in 2012.", ["12"], False),
        ("It ends on February 1st.", ["February 1"], True),
        ("It ends on the 1st of February, 2026.", ["February 1, 2026"], True),
        ("It ends on 2026-02-01.", ["1 Feb 2026"], True),
        ("It ends on February 12th.", ["February 1"], False),
        ("It ends on 1 February 2025.", ["February 1, 2026"], False),
        ("It is on the 6th floor.", ["6"], False),
        ("You have twenty-six days.", ["26"], True),
        ("You have 26 days.", ["twenty-six days"], True),
        ("You have two hundred days.", ["200 days"], True),
        ("No one has days.", ["1"], False),
        ("You have twenty-six days.", ["6"], False),
        ("It costs £1,200.", ["£1200"], True),
        ("It costs £1200.", ["1,200"], True),
        ("It costs £1,200,000.", ["1200"], False),
        ("It costs £12k.", ["£12,000"], True),
        ("It costs £12k.", ["12"], False),
        ("It costs $5m.", ["$5 million"], True),
        ("It is 5 m long.", ["5 million"], False),
        ("It is 5 per cent.", ["5%"], True),
        ("It is 5 %.", ["5 percent"], True),
        ("It is 15 per cent.", ["5%"], False),
        ("It opens at 3 p.m.", ["3pm"], True),
        ("It opens at 15:00.", ["3 pm"], True),
        ("It opens at 3 am.", ["3 pm"], False),
        ("It opens at 08:30.", ["8.30am"], True),
        ("It opens at 12 am.", ["12 pm"], False),
        ("A 28-day notice.", ["28 day"], True),
        ("A 28\u2011day notice.", ["28-day"], True),
        ("Keep it 2 – 3 days.", ["2-3 days"], True),
        ("It\u2019s “new”.", ['it\'s "new"'], True),
        ("It weighs 12kg.", ["12 kg"], True),
        ("At −18 °C.", ["-18°C"], True),
        ("Model WH060.", ["060"], False),
        ("Research & development.", ["research and development"], True),
    ],
)
def test_phrase_matches_only_whole_words(
    answer: str,
    must_include: list[str],
    holds: bool,
) -> None:
    """A phrase counts only where it stands alone."""
    assert contains(answer, must_include) is holds


def test_json_lines_of_other_sets_load() -> None:
    """Json lines of other sets are understood."""
    line = (
        '{"id": "d1", "type": "format", "question": "How many?", "answerable": true, '
        '"answer": "six", "must_include": ["six|6"], "gold": [{"doc": "docs/a.md", "quote": "six"}]}'
    )

    (question,) = load(line + "\n\n", "questions.jsonl")

    assert question.kind == "format"
    assert question.gold[0].doc == "docs/a.md"


def test_csv_lists_are_parted_by_semicolons() -> None:
    text = "question,must_include,gold\nHow many?,six|6; weeks,a.md;b.md\n"

    (question,) = load(text, "q.csv")

    assert question.must_include == ["six|6", "weeks"]
    assert [g.doc for g in question.gold] == ["a.md", "b.md"]
    assert question.id == "q2"


@pytest.mark.parametrize("text", ["", "\n", "[1]", "{", '{"id": "x"}'])
def test_invalid_question_names_its_line(text: str) -> None:
    """What is no question is named with its line."""
    with pytest.raises(InvalidSettings, match=r"q\.jsonl"):
        load(text, "q.jsonl")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("q.csv", "frage,gold\nWhy?,a.md\n", "line 1: no column is called question"),
        ("q.csv", "question;gold\nWhy?;a.md\n", "line 1: no column is called question"),
        ("q.csv", "question,gold\nWhy, then?,a.md\n", "line 2: 3 cells under 2 columns"),
        ("q.csv", 'question\n"Two\nlines"\n"open\n', "line 4: not CSV"),
        ("q.csv", "question,answerable\nWhy?,maybe\n", "line 2: not a question (answerable: "),
        (
            "q.csv",
            "question,id\nWhy?,a\nHow?,a\n",
            "line 3: not a question (line 2 has the same id)",
        ),
        ("q.csv", "question,kind\n  ,a\n", "line 2: not a question (question: Field required)"),
        ("q.jsonl", '{"question": " "}', "line 1: not a question (question: it is empty)"),
        ("q.jsonl", '[["question", "x"]]', "line 1: not a JSON object"),
        ("q.jsonl", "[" * 100_000, "line 1: not a JSON object"),
        ("q.jsonl", '{"question": "a"}\n\n{"question": 3}', "line 3: not a question (question: "),
        ("q.jsonl", json.dumps({"question": "a" * 4001}), "over 4,000 characters"),
        ("q.jsonl", json.dumps({"question": "a", "kind": "k" * 101}), "over 100 characters"),
        ("q.jsonl", '{"question": "a", "gold": [3]}', "line 1: not a question ("),
    ],
)
def test_bad_row_names_its_number(name: str, text: str, said: str) -> None:
    """A bad line is refused with its number and what the columns are."""
    with pytest.raises(InvalidSettings) as refused:
        load(text, name)
    assert said in str(refused.value)
    assert "Columns: question (needed), must_include, gold, " in str(refused.value)


def test_csv_cell_may_span_lines() -> None:
    """A cell of a csv may ask back and a cell may have lines."""
    text = 'question,answerable\r\n"One\nor two?",null\r\n\r\nWhy?,No\r\nHow?,\r\n'
    questions = load(text, "q.csv")
    assert [question.answerable for question in questions] == [None, False, True]
    assert [question.id for question in questions] == ["q2", "q5", "q6"]


def test_line_separator_in_json_splits_nothing() -> None:
    """A line end within a json text ends no line."""
    (question,) = load('{"question": "One\u2028or two?"}\r\n', "q.jsonl")
    assert question.question == "One\u2028or two?"


def test_too_many_questions_are_refused() -> None:
    """More questions than a report can hold are refused."""
    text = "question\n" + "Why?\n" * (MAX_QUESTIONS + 1)
    with pytest.raises(InvalidSettings, match="over 2,000 questions: split it"):
        load(text, "q.csv")


def test_answer_is_checked_against_gold() -> None:
    """An answer is held against phrases and gold documents."""
    citation = Citation(
        n=1,
        chunk_id="c_aaaaaaaaaaaa",
        document_id="d",
        version_id="v",
        document="travel/leave.md",
        title="Leave",
        place=Place(),
        date=None,
        text="240 hours",
    )
    outcome = Answered(
        run_id="r",
        question="How many?",
        answer="At most 240 hours [1].",
        confidence=0.9,
        badge=Badge(level="High", confidence=0.9),
        citations=[citation],
        critique=Critique(confidence=0.9),
        evaluation=None,
        audit=CitationAudit(),
    )
    question = Question.model_validate(
        {
            "id": "q",
            "question": "How many?",
            "must_include": ["240"],
            "gold": [{"doc": "docs/travel/leave.md"}],
        }
    )

    result = judge(question, Finished(outcome, [], {}, [], 0.1))

    assert result.contained
    assert result.cites_gold
    assert result.answered


def result(*, answerable: bool | None, status: str, contained: bool | None = None) -> Result:
    return Result(
        id="q",
        kind="single",
        answerable=answerable,
        status=status,
        level="High" if status == "success" else "Low",
        confidence=0.5,
        contained=contained,
        cites_gold=contained,
        answer="",
        documents=[],
        seconds=0.0,
    )


def test_shares_use_only_relevant_questions() -> None:
    """Shares are over the questions that they speak of."""
    summary = summarise(
        [
            result(answerable=True, status="success", contained=True),
            result(answerable=True, status="success", contained=False),
            result(answerable=True, status="needs_clarification", contained=True),
            result(answerable=False, status="needs_clarification"),
            result(answerable=None, status="success"),
        ]
    )

    assert summary.contained == Share(hits=1, of=3)
    assert summary.cites_gold == Share(hits=1, of=2)
    assert summary.false_refusals == Share(hits=1, of=3)
    assert summary.held_back == Share(hits=1, of=2)


def drafted(
    confidence: float,
    *,
    holds: bool | None,
    status: str = "success",
    answerable: bool | None = True,
) -> Result:
    """A result with words; whether they hold is told by their phrases and their source alike."""
    found = result(answerable=answerable, status=status, contained=holds)
    return found.model_copy(update={"answer": "Six.", "confidence": confidence})


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (drafted(0.9, holds=True), "right"),
        (drafted(0.9, holds=True).model_copy(update={"contained": False}), "incomplete"),
        (drafted(0.9, holds=True).model_copy(update={"cites_gold": False}), "other_source"),
        (drafted(0.9, holds=None), "unchecked"),
        (drafted(0.9, holds=True, status="needs_clarification"), "not_answered"),
        (drafted(0.9, holds=None, answerable=None), "answered_anyway"),
        (result(answerable=False, status="needs_clarification"), "held_back"),
        (result(answerable=False, status="failed"), "failed"),
    ],
)
def test_every_end_has_its_verdict(found: Result, verdict: Verdict) -> None:
    assert found.verdict == verdict
    assert verdicts([found, found]) == {verdict: 2}


def test_failed_run_held_nothing_back() -> None:
    """A run that failed has held nothing back."""
    assert summarise([result(answerable=False, status="failed")]).held_back == Share(hits=0, of=1)


def test_confidence_is_calibrated_in_bands() -> None:
    """Confidence is held against what came true in bands."""
    found = reliability(
        [
            drafted(0.82, holds=True),
            drafted(0.88, holds=False),
            drafted(1.0, holds=True),
            drafted(0.31, holds=False, status="needs_clarification"),
            drafted(0.35, holds=None, answerable=False),
            drafted(0.95, holds=None),
            drafted(0.95, holds=True, answerable=None),
            result(answerable=True, status="failed", contained=False),
        ]
    )
    assert [(band.low, band.right) for band in found] == [
        (0.3, Share(hits=0, of=2)),
        (0.8, Share(hits=1, of=2)),
        (0.9, Share(hits=1, of=1)),
    ]
    assert found[1].confidence == pytest.approx(0.85)
