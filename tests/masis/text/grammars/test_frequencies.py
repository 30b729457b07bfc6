"""What says how often."""

from masis.text.grammars.frequencies import asks_for_one, gives_one


def test_frequencies_are_told_from_times() -> None:
    said = (
        "Nobody does more than 1 week in 3.",
        "The probe is calibrated every 90 days.",
        "Filters are changed once a year.",
        "The board meets quarterly.",
        "At most two weeks a year.",
        "They meet every other Tuesday.",
    )
    unsaid = (
        "The desk is open seven days a week.",
        "A week runs from Monday 09:00.",
        "It is held in three places.",
        "Once your manager agrees, go.",
        "One engineer in 12 months left.",
    )

    assert [text for text in said if not gives_one(text)] == []
    assert [text for text in unsaid if gives_one(text)] == []


def test_how_often_is_asked() -> None:
    assert asks_for_one("how frequently is it cleaned")
    assert asks_for_one("And how often?")
    assert not asks_for_one("how long is it often")
