"""What is told of files that could not be read, and what that does to a badge."""

from typing import Literal

import pytest

from masis.answering.unread_files import NOT_READ, annotated, sentences
from masis.attached import AttachedFile
from masis.domain import Answered, Badge, CitationAudit, Critique, Failed

BROKEN = "The file is damaged and could not be read."


def answered(level: Literal["High", "Low"]) -> Answered:
    return Answered(
        run_id="r",
        question="What?",
        answer="That [1].",
        confidence=0.9,
        badge=Badge(level=level, confidence=0.9),
        citations=[],
        critique=Critique(confidence=0.9),
        evaluation=None,
        audit=CitationAudit(),
    )


def test_files_of_one_reason_share_sentence() -> None:
    files = [AttachedFile(name=f"{n}.bin", reason=BROKEN) for n in range(5)]

    assert sentences(files) == [f"“0.bin”, “1.bin”, “2.bin” and 2 others were not read. {BROKEN}"]
    assert sentences(files[:1]) == [f"“0.bin” was not read. {BROKEN}"]
    assert sentences([]) == []


@pytest.mark.parametrize(("before", "after"), [("High", "Medium"), ("Low", "Low")])
def test_unread_file_lowers_high_badge(before: Literal["High", "Low"], after: str) -> None:
    """An answer that looked at less than was sent is never High."""
    shown = annotated(answered(before), [AttachedFile(name="a.bin", reason=BROKEN)])

    assert isinstance(shown, Answered)
    assert shown.badge is not None
    assert (shown.badge.level, len(shown.unread)) == (after, 1)
    assert (shown.badge.note == NOT_READ) is (before == "High")


def test_nothing_unread_changes_nothing() -> None:
    answer, failed = answered("High"), Failed(run_id="r", question="What?", error="It broke.")

    assert annotated(answer, []) is answer
    assert annotated(failed, [AttachedFile(name="a.bin", reason=BROKEN)]) is failed
