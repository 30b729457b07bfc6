"""Words that some write as one and others as two."""

from masis.words.compounds import MOST_CHARS, MOST_PAIRS, pairs, partings, stand_together


def test_a_word_is_parted_anywhere() -> None:
    assert ("sick", "leave") in partings("sickleave")
    assert ("on", "call") in partings("oncall")


def test_long_compound_may_have_linking_sound() -> None:
    """A long compound may have a sound between."""
    assert ("urlaub", "antrag") in partings("Urlaubsantrag")
    assert ("vergadering", "ruimte") in partings("vergaderingsruimte")
    assert ("arbeit", "zeit") not in partings("arbeitszei")
    assert list(partings("x" * (MOST_CHARS + 1))) == []


def test_adjacent_words_may_form_one() -> None:
    """Words beside each other may be one."""
    assert [together for _, _, together in pairs("the call out rate, call-out")] == [
        "thecall",
        "callout",
        "outrate",
        "callout",
    ]
    assert len(list(pairs("kiln clay " * 100))) <= MOST_PAIRS


def test_parts_count_beside_each_other_alone() -> None:
    assert stand_together("sick leave", "Leaves: sick ones")
    assert not stand_together("car pet", "Cars are parked here, and no pets")
    assert stand_together("antrag urlaub", "Der Antrag auf Urlaub")
    assert not stand_together("", "anything")
