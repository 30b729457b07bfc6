import pytest

from masis.assistant import Finished
from masis.domain import Answered, Badge, Citation, CitationAudit, Critique, Place
from masis.errors import InvalidSettings
from masis.evaluation import Question, Result, Share, contains, judge, load, summarise


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
    ],
)
def test_a_phrase_counts_only_where_it_stands_alone(
    answer: str,
    must_include: list[str],
    holds: bool,
) -> None:
    assert contains(answer, must_include) is holds


def test_json_lines_of_other_sets_are_understood() -> None:
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
def test_what_is_no_question_is_named_with_its_line(text: str) -> None:
    with pytest.raises(InvalidSettings, match=r"q\.jsonl"):
        load(text, "q.jsonl")


def test_an_answer_is_held_against_phrases_and_gold_documents() -> None:
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


def test_shares_are_over_the_questions_that_they_speak_of() -> None:
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
