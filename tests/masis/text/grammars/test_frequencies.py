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
        "You may work remotely up to 2 days a week.",
        "A maximum of 10 days a year.",
        "Samples are taken every 3 to 4 weeks.",
        "It is on the first Monday of the month.",
        "One visit in 5 is audited.",
        "Backups run nightly and are kept.",
        "Interval: Annual | Work: inspect",
    )
    unsaid = (
        "The desk is open seven days a week.",
        "A week runs from Monday 09:00.",
        "It is held in three places.",
        "Once your manager agrees, go.",
        "One engineer in 12 months left.",
        "Annual leave is 25 days.",
        "The monthly fee is £28.",
        "Twice the rate is paid.",
        "There were 12 claims in 2025.",
        "The last month of the lease is free.",
        "Every time you leave, lock it.",
        "At most 8 hours a day.",
    )

    assert [text for text in said if not gives_one(text)] == []
    assert [text for text in unsaid if gives_one(text)] == []


def test_how_often_is_asked() -> None:
    assert asks_for_one("how frequently is it cleaned")
    assert asks_for_one("And how often?")
    assert not asks_for_one("how long is it often")
