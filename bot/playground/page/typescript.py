"""Writes the contract as TypeScript: `python -m bot.playground.page.typescript [FILE]`.

It knows the JSON schema that pydantic makes of `contract.py`, and nothing beyond.
"""

import sys
from pathlib import Path
from typing import Any, Final

from bot.playground.page.contract import FROM_BROWSER, TO_BROWSER, UPLOAD

Json = dict[str, Any]

FILE: Final = Path("bot/playground/web/src/contract.ts")
HEAD: Final = (
    "// Made by `python -m bot.playground.page.typescript` from contract.py. Do not edit.\n"
)
_SIMPLE: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def source() -> str:
    """The whole file."""
    sides = {
        "ToBrowser": TO_BROWSER.json_schema(mode="serialization"),
        "FromBrowser": FROM_BROWSER.json_schema(mode="validation"),
        "UploadReply": UPLOAD.json_schema(mode="serialization"),
    }
    named: dict[str, str] = {}
    for name, schema in sides.items():
        for each, model in schema.pop("$defs", {}).items():
            named[each] = _interface(each, model)
        named[name] = f"export type {name} = {_type(schema)};\n"
    return "\n".join([HEAD, *(named[name] for name in sorted(named))])


def _interface(name: str, model: Json) -> str:
    required = set(model.get("required", ()))
    lines = []
    for field, schema in model["properties"].items():
        if about := schema.get("description"):
            lines.append(f"  /** {_oneline(about)} */")
        # What a browser may leave out has a default; its discriminator has one, too.
        optional = field not in required and "const" not in schema
        lines.append(f"  {field}{'?' if optional else ''}: {_type(schema)};")
    about = _oneline(model.get("description", ""))
    return "\n".join([f"/** {about} */", f"export interface {name} {{", *lines, "}\n"])


def _type(schema: Json) -> str:
    """One schema as a type."""
    match schema:
        case {"anyOf": choices} | {"oneOf": choices}:
            return " | ".join(dict.fromkeys(_type(choice) for choice in choices))
        case {"type": "array", "items": items}:
            inner = _type(items)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case {"type": "object"}:
            values = schema.get("additionalProperties")
            return f"Record<string, {_type(values) if isinstance(values, dict) else 'unknown'}>"
    return _plain(schema)


def _plain(schema: Json) -> str:
    """The same for what holds nothing else."""
    match schema:
        case {"$ref": reference}:
            return str(reference).rpartition("/")[2]
        case {"const": value}:
            return f'"{value}"'
        case {"enum": values}:
            return " | ".join(f'"{value}"' for value in values)
    return _SIMPLE.get(schema.get("type", ""), "unknown")


def _oneline(text: str) -> str:
    return " ".join(text.split()).replace("*/", "* /")


def main() -> None:
    """Write the file, here or where the first argument says."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source(), encoding="utf-8")


if __name__ == "__main__":
    main()
