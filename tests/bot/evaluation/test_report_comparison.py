from bot.evaluation.report_comparison import compare, of_comparison, said
from tests.bot.evaluation.samples import record, report


def test_questions_that_ended_otherwise_are_found_by_their_words_worse_ones_first() -> None:
    before = report(
        record("q1", question="One?", holds=False),
        record("q2", question="Two?"),
        record("q3", question="Three?"),
        record("q4", question="Four?", holds=False),
        record("q5", question="Gone?"),
    )
    after = report(
        record("q9", question="one?"),
        record("q2", question="Two?", status="needs_clarification"),
        record("q3", question="Three?"),
        record("q4", question="Four?", status="failed"),
        record("q6", question="New?"),
    )
    found = compare(before, after)
    assert [(each.after.question.id, each.direction) for each in found.changes] == [
        ("q2", "worse"),
        ("q9", "better"),
        ("q4", "other"),
    ]
    assert said(found) == "4 questions in both: 3 ended otherwise (1 worse, 1 better, 1 other)."
    assert [each.question.question for each in found.only_before] == ["Gone?"]
    assert [each.question.question for each in found.only_after] == ["New?"]
    page = of_comparison(before, after, found)
    for words in ("“handbook” before and after", "Only before", "Words missing", "Not answered"):
        assert words in page


def test_a_question_that_is_asked_twice_is_compared_twice() -> None:
    one = report(record("a", question="Same?"), record("b", question="Same?"))
    two = report(record("a", question="Same?"), record("b", question="Same?", holds=False))
    (change,) = compare(one, two).changes
    assert change.after.question.id == "b"
    assert said(compare(one, one)) == "2 questions in both: 0 ended otherwise."
