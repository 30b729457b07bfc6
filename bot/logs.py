"""What libraries may not log, at any level: they would write down what people ask and read."""

import logging
from typing import Final

_FLOORS: Final = {
    "aiosqlite": logging.INFO,
    "openai": logging.INFO,
    "psycopg": logging.INFO,
    "sqlalchemy": logging.WARNING,
}
"""The lowest level at which each logs neither statements with their values nor whole requests."""


def keep_texts_out() -> None:
    """Hold the libraries to these levels, even where everything else is logged at DEBUG."""
    for name, floor in _FLOORS.items():
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.level, floor))
