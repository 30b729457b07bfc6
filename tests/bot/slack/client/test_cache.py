from bot.slack.client.cache import Cache
from tests.bot.slack.loopback import OURS, THEIRS, Time


def test_a_value_is_kept_for_its_time_and_for_its_key() -> None:
    time = Time()
    cache: Cache[str] = Cache(10, 60, time.clock.now)
    cache.put((OURS, "U1"), "ours")
    assert cache.get((OURS, "U1")) == "ours"
    assert cache.get((THEIRS, "U1")) is None
    time.at += 59.9
    assert cache.get((OURS, "U1")) == "ours"
    time.at += 0.1
    assert cache.get((OURS, "U1")) is None


def test_the_longest_unused_goes_first() -> None:
    cache: Cache[int] = Cache(2, 60, Time().clock.now)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]
