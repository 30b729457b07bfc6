"""Which sentences lean on the one before."""

import pytest

from masis.text.grammars.antecedents import leans


@pytest.mark.parametrize(
    "sentence",
    [
        "For anything longer we need a note.",
        "Anything above that goes to the board.",
        "Above that, the director signs.",
        "If you miss it, Ada goes through the wrong answers.",
        "If somebody has lost them, the desk has spare ones.",
    ],
)
def test_sentence_leans_on_the_one_before(sentence: str) -> None:
    """What is longer, or missed, was told of before."""
    assert leans(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Anything that touches the glaze takes longer.",
        "Anything over 500 needs two signatures.",
        "Anyone may stop the kiln.",
        "Anything arriving later is left at the gate.",
        "If you find it hard to sleep, see Ada.",
        "If you take it home, sign for it.",
        "If you leave within six months, give the kit back.",
        "When you leave, hand in the key.",
        "If somebody is hurt, call 112.",
        "Within the month the kiln is cleaned.",
        "Over the years the kiln grew.",
    ],
)
def test_sentence_stands_alone(sentence: str) -> None:
    assert not leans(sentence)
