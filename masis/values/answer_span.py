"""Define what a reading model says of a text: how likely it answers, and where.

It imports nothing, so that the training of that model needs nothing else of the product.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """Hold how likely a text holds the answer, in [0, 1], and where in the text it stands most likely.

    `begin` and `end` count characters; both are 0 where no place is known.
    """

    likelihood: float
    begin: int = 0
    end: int = 0
