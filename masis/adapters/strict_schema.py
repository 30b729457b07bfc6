"""Write the form of a reply as services that keep to it want it."""

import functools
from collections.abc import Mapping

from pydantic import BaseModel


@functools.cache
def strict_schema(form: type[BaseModel]) -> Mapping[str, object]:
    """Describe a form: every property required, none besides, and nothing that only costs tokens."""
    return _object(form.model_json_schema())


def _object(schema: Mapping[str, object]) -> dict[str, object]:
    """Leave out what repeats a name or describes an object, which is a docstring for us."""
    properties = schema.get("properties")
    idle = {"title", "default"} | ({"description"} if properties else set())
    lean = {name: _lean(value) for name, value in schema.items() if name not in idle}
    if isinstance(properties, dict):
        lean |= {
            # Here a `title` is a property of that name.
            "properties": {name: _lean(each) for name, each in properties.items()},
            "required": list(properties),
            "additionalProperties": False,
        }
    return lean


def _lean(value: object) -> object:
    if isinstance(value, list):
        return [_lean(item) for item in value]
    return _object(value) if isinstance(value, dict) else value
