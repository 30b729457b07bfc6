"""Write a card as lines of text: what it says, its tables, its fields and its buttons."""

from collections.abc import Iterator
from typing import Any, Final

Json = dict[str, Any]

_CHART: Final = "Chart."


def lines(shown: Json) -> list[str]:
    """Return what a card shows, its buttons last."""
    found = [line for each in shown.get("body", []) for line in _element(each)]
    row = _row(shown.get("actions", []))
    return [*found, *([row] if row else [])]


def buttons(shown: Any) -> list[Json]:
    """Return every button of a card, in the order in which they are read."""
    if isinstance(shown, list):
        return [found for each in shown for found in buttons(each)]
    if not isinstance(shown, dict):
        return []
    if str(shown.get("type", "")).startswith("Action."):
        return [shown] if "title" in shown else []
    return [found for key, each in shown.items() if key != "refresh" for found in buttons(each)]


def fields(shown: Json) -> list[Json]:
    """Return what of a card can be filled in."""
    return [each for each in shown.get("body", []) if str(each.get("type")).startswith("Input.")]


def _element(element: Json) -> Iterator[str]:
    kind = str(element.get("type"))
    match kind:
        case "TextBlock":
            yield str(element["text"])
        case "RichTextBlock":
            yield "".join(str(each["text"]) for each in element["inlines"])
        case "ColumnSet":
            columns = [
                " ".join(line for each in column["items"] for line in _element(each))
                for column in element["columns"]
            ]
            yield "  ".join(columns)
        case "ActionSet":
            yield _row(element["actions"])
        case "Table":
            yield from (_cells(row) for row in element["rows"])
        case "Container":
            for each in element["items"]:
                yield from _element(each)
        case _ if kind.startswith(_CHART):
            yield f"({kind.removeprefix(_CHART)}: {element.get('title', '')})"
        case _ if kind.startswith("Input."):
            yield _field(element)


def _cells(row: Json) -> str:
    cells = [" ".join(x for each in cell["items"] for x in _element(each)) for cell in row["cells"]]
    return " | ".join(cells)


def _field(field: Json) -> str:
    value = str(field.get("value", ""))
    named = {each["value"]: each["title"] for each in field.get("choices", [])}
    told = field.get("label") or field.get("title", "")
    if field["type"] == "Input.Toggle":
        return f"[{'x' if value == 'true' else ' '}] {told}"
    return f"{told}: ____ {named.get(value, value)}".rstrip()


def _row(actions: list[Json]) -> str:
    return " ".join(f"[{each['title']}]" for each in actions)
