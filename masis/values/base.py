"""The base of all values, and those that other values are made of."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict


class Value(BaseModel):
    """The base of all values: frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


PeriodKind = Literal["year", "half", "nine_months", "quarter", "month", "day"]


Exact = Annotated[Decimal, BeforeValidator(lambda value: Decimal(0) if value == "" else value)]
"""A decimal; what was blanked with its document reads as 0."""


class Period(Value):
    """A stretch of time: `part` counts the halves, quarters or months of a year, `day` is one of a month.

    The year is None where only a part is named ("Q3").
    """

    kind: PeriodKind
    year: int | None = None
    part: int = 0
    day: int = 0


class AskedBack(Value):
    """A question that came back on the way to an answer, with what could be chosen, and its reply."""

    question: str
    options: list[str] = []
    reply: str
