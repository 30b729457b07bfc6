"""Decide who follows whom: a folder a graph."""

import pkgutil
from typing import Final

NAMES: Final = tuple(each.name for each in pkgutil.iter_modules(__path__) if each.ispkg)
"""The names of all graphs, each of which is a folder; to know them takes none of the graphs."""
