"""Name the currencies that figures are in, once for every grammar of figures."""

from typing import Final

CODES: Final = (
    "GBP", "USD", "EUR", "CHF", "JPY", "CAD", "AUD", "INR", "CNY", "RMB", "SEK", "NOK", "DKK", "PLN",
)  # fmt: skip
"""The codes of currencies that reports and tables have."""
CODE: Final = "|".join(CODES)
"""An alternation of them."""
