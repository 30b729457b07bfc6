"""Load modules when something of them is first used."""

from importlib import import_module
from types import ModuleType
from typing import Any


class Lazily(ModuleType):
    """A module, by its name, that is imported at the first use of a name in it.

    So its own imports can stand at its head, and a command that needs none of them is quick.
    """

    def __getattr__(self, name: str) -> Any:
        """Return what the module has under a name."""
        return getattr(import_module(self.__name__), name)
