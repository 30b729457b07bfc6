import pytest

from bot.observability.observed import Call, Ended, Spanned, observed
from tests.spans import recorded


class Shop:
    """A port with two methods and a value."""

    name = "corner"

    def __init__(self) -> None:
        self.sold: list[str] = []

    async def sell(self, ware: str, *, many: int = 1) -> int:
        if many < 1:
            raise ValueError(ware)
        self.sold += [ware] * many
        return many

    def open(self) -> str:
        return "until six"


async def test_unlisted_method_is_forwarded() -> None:
    """What is in no table is the ports own."""
    behind = Shop()
    shop = observed(behind, {})
    assert (shop.name, shop.open(), await shop.sell("tea")) == ("corner", "until six", 1)
    assert isinstance(shop, Shop)
    with pytest.raises(AttributeError):
        _ = shop.closed  # type: ignore[attr-defined] # that is the test


async def test_call_becomes_span_with_result() -> None:
    """A call is a span with what was found."""
    call = Call(
        span=lambda ware, many=1: Spanned(f"sell {ware}", {"many": many}),
        found=lambda sold: {"sold": sold},
    )
    with recorded() as spans:
        assert await observed(Shop(), {"sell": call}).sell("tea", many=2) == 2
    [found] = spans.named("sell")
    assert dict(found.attributes or {}) == {"many": 2, "sold": 2}


async def test_a_call_counts_whichever_way_it_ends() -> None:
    counted: list[tuple[object, object, str]] = []

    def count(ended: Ended, ware: str, *, many: int = 1) -> None:
        assert ended.seconds >= 0
        counted.append((ended.result, type(ended.error), f"{many} {ware}"))

    shop = observed(Shop(), {"sell": Call(count=count)})
    await shop.sell("tea")
    with pytest.raises(ValueError, match="milk"):
        await shop.sell("milk", many=0)
    assert counted == [(1, type(None), "1 tea"), (None, ValueError, "0 milk")]


async def test_the_caller_gets_what_the_table_gives() -> None:
    shop = observed(Shop(), {"sell": Call(gives=lambda sold: -sold)})
    assert await shop.sell("tea") == -1
