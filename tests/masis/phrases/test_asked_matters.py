"""What a question is about."""

import pytest

from masis.phrases.asked_matters import is_elsewhere, is_headed, matters, places


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what are the working hours", [{"work", "hour"}]),
        ("how do I claim a ticket", [{"claim", "ticket"}, {"claim"}]),
        ("2026", []),
    ],
)
def test_sections_that_answer_are_called_so(question: str, names: list[set[str]]) -> None:
    assert [set(each) for each in matters(question)] == names


def test_heading_is_asked_for_word_for_word() -> None:
    assert is_headed("what are the working hours", ["Handbook", "3 Working hours"])
    assert not is_headed("what are the working hours", ["Hours and travel"])
    assert not is_headed("what is it", [""])


def test_other_place_is_elsewhere() -> None:
    """What is done at another place than asked is told of something else."""
    asked = places("can i work from home")
    assert is_elsewhere(asked, "You may work from abroad.", {"work", "abroad"})
    assert not is_elsewhere(asked, "You may work from home or work from abroad.", {"home"})
    assert not is_elsewhere(asked, "You may work remotely.", {"work"})
    assert not is_elsewhere(places("can i work"), "You may work from abroad.", set())
