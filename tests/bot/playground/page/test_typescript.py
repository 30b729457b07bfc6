from pathlib import Path

import bot
from bot.playground.page import typescript


def test_contract_typescript_is_current() -> None:
    """The typescript of the contract is not old."""
    checkout = Path(bot.__file__).parents[1]

    written = (checkout / typescript.FILE).read_text(encoding="utf-8")

    assert written == typescript.source(), "python -m bot.playground.page.typescript writes it anew"


def test_page_can_check_every_type() -> None:
    """Every type is one that the page can check."""
    source = typescript.source()

    assert "unknown[]" not in source
    assert "undefined" not in source
    assert 'kind: "public" | "private" | "im";' in source
    assert "export type ToBrowser = State | Changes | Reply;" in source
