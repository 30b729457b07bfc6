"""The code of a list that something was found to have."""

from masis.values.base import Value


class TitledCode(Value):
    """A code and what it is called."""

    code: str
    title: str


class Coded(Value):
    """A code with the codes above it, the topmost first. `below` are those of a group that fit alike.

    `needs_person` says that it stayed open whether it is this one.
    """

    code: str
    title: str
    path: list[TitledCode] = []
    below: list[TitledCode] = []
    needs_person: bool = False
