"""One thing that `masis doctor` looked at."""

from typing import Literal

from masis.domain import Value


class Check(Value):
    """Hold what was looked at and found. `hint` says what to do about it."""

    name: str
    state: Literal["ok", "fail", "skipped"]
    detail: str
    hint: str = ""
