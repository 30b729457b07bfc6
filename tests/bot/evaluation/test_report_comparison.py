from bot.evaluation.report_comparison import compare, of_comparison, said
from tests.bot.evaluation.samples import record, report


def test_changed_outcomes_list_worse_first() -> None:
    """Questions that ended otherwise are found by their words worse ones first."""
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


def test_repeated_question_is_compared_twice() -> None:
    """A question that is asked twice is compared twice."""
    one = report(record("a", question="Same?"), record("b", question="Same?"))
    two = report(record("a", question="Same?"), record("b", question="Same?", holds=False))
    (change,) = compare(one, two).changes
    assert change.after.question.id == "b"
    assert said(compare(one, one)) == "2 questions in both: 0 ended otherwise."
