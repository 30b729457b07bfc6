import logging
from collections.abc import Iterator

import pytest

from bot import logs


@pytest.fixture(autouse=True)
def _levels_restored() -> Iterator[None]:
    levels = {name: logging.getLogger(name).level for name in logs._FLOORS}
    yield
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.parametrize("name", logs._FLOORS)
def test_a_library_that_logs_texts_at_debug_is_held_back(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger(name).setLevel(logging.DEBUG)

    logs.keep_texts_out()
    logging.getLogger(f"{name}.part").debug("SELECT ... ['a question']")

    assert caplog.records == []


def test_who_wants_still_less_gets_it() -> None:
    logging.getLogger("openai").setLevel(logging.ERROR)

    logs.keep_texts_out()

    assert logging.getLogger("openai").level == logging.ERROR
