from bot.playground.page.changes import KEPT, ChangeLog
from bot.playground.slack.feed import Change


def said(number: int) -> Change:
    return Change("message", {"channel": "C1", "ts": f"{number}.000001"})


def test_only_later_changes_are_sent() -> None:
    """What came after a number is told and nothing else."""
    log = ChangeLog()
    for number in range(3):
        log.tell(said(number))
        log.tell(Change("call", {"method": "chat.update"}))

    assert log.seq == 3
    assert log.since(3) == []
    assert log.since(1) == [said(1), said(2)]


def test_unavailable_numbers_are_unknown() -> None:
    """Numbers that are forgotten or were never given are not known."""
    log = ChangeLog()
    for number in range(KEPT + 5):
        log.tell(said(number))

    assert log.since(4) is None
    assert len(log.since(5) or []) == KEPT
    assert log.since(KEPT + 6) is None
    assert log.since(-1) is None
