from pathlib import Path

import bot
from bot.playground.page import typescript


def test_the_typescript_of_the_contract_is_not_old() -> None:
    checkout = Path(bot.__file__).parents[1]

    written = (checkout / typescript.FILE).read_text(encoding="utf-8")

    assert written == typescript.source(), "python -m bot.playground.page.typescript writes it anew"


def test_every_type_is_one_that_the_page_can_check() -> None:
    source = typescript.source()

    assert "unknown[]" not in source
    assert "undefined" not in source
    assert 'kind: "public" | "private" | "im";' in source
    assert "export type ToBrowser = State | Changes | Reply;" in source
