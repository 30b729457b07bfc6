"""Lets a process end itself by SIGKILL at a named moment of its work."""

import functools
import importlib
import inspect
import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

from masis.domain import Question


@dataclass(frozen=True)
class Moment:
    """Just before a function begins, or after it has given its result, the `nth` time.

    Args:
        function: `module:name` or `module:Class.name`, where its callers look it up.
        when: before or after it.
        nth: which of its calls; those that `having` does not fit are not counted.
        having: arguments that the call must have, by name.
    """

    function: str
    when: Literal["before", "after"]
    nth: int = 1
    having: Mapping[str, Any] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """As it is sent to the process that is to die."""
        return asdict(self)

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Self:
        """What `json` gave."""
        return cls(**told)


def arm(moment: Moment, die: Callable[[], None] | None = None) -> None:
    """Wrap the function, so that this process dies at the moment."""
    owner, name = resolved(moment.function)
    trap = _Trap(moment, getattr(owner, name), die or _die)
    plain = inspect.getattr_static(owner, name)
    wrapped = trap.waited() if inspect.iscoroutinefunction(trap.function) else trap.called()
    setattr(owner, name, staticmethod(wrapped) if isinstance(plain, staticmethod) else wrapped)


def resolved(function: str) -> tuple[Any, str]:
    """Where a function is, and its name there."""
    module, _, path = function.partition(":")
    owner: Any = importlib.import_module(module)
    *outer, name = path.split(".")
    for each in outer:
        owner = getattr(owner, each)
    return owner, name


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _told(value: Any) -> Any:
    """An argument as a moment names it: a question by its text."""
    return value.text if isinstance(value, Question) else value


class _Trap:
    """One function with its moment."""

    def __init__(
        self, moment: Moment, function: Callable[..., Any], die: Callable[[], None]
    ) -> None:
        self.function = function
        self._moment = moment
        self._die = die
        self._left = moment.nth
        self._signature = inspect.signature(function)

    def called(self) -> Callable[..., Any]:
        """The function, if it is a plain one."""

        @functools.wraps(self.function)
        def wrapped(*args: Any, **named: Any) -> Any:
            due = self._is_due(args, named)
            if due and self._moment.when == "before":
                self._die()
            result = self.function(*args, **named)
            if due and self._moment.when == "after":
                self._die()
            return result

        return wrapped

    def waited(self) -> Callable[..., Any]:
        """The function, if it is awaited."""

        @functools.wraps(self.function)
        async def wrapped(*args: Any, **named: Any) -> Any:
            due = self._is_due(args, named)
            if due and self._moment.when == "before":
                self._die()
            result = await self.function(*args, **named)
            if due and self._moment.when == "after":
                self._die()
            return result

        return wrapped

    def _is_due(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> bool:
        """Whether this call is the one; it is counted."""
        given = self._signature.bind(*args, **named)
        given.apply_defaults()
        arguments = given.arguments
        if any(_told(arguments.get(name)) != value for name, value in self._moment.having.items()):
            return False
        self._left -= 1
        return self._left == 0
