"""Check SQL that somebody else wrote: one SELECT over the named tables, of what is known to be harmless.

It is looked at as the database itself parsed it. Whatever is not on the lists is refused.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from masis.errors import QueryRefused

REFUSED: Final = "The query is not one SELECT over the table: {why}."
_NODES: Final = frozenset({"SELECT_NODE", "SET_OPERATION_NODE"})
_SOURCES: Final = frozenset({"BASE_TABLE", "SUBQUERY", "EMPTY", "EMPTY_FROM", "JOIN"})
_FUNCTIONS: Final = frozenset(
    """
    count count_star sum avg mean median mode min max abs round floor ceil ceiling lower upper trim ltrim rtrim length
    substring substr left right contains starts_with ends_with prefix suffix coalesce nullif ifnull greatest least
    year month day quarter week dayofweek dayname monthname date_trunc date_part datepart date_diff datediff
    strftime make_date last_day any_value first last arg_max arg_min max_by min_by quantile_cont stddev stddev_samp
    variance var_samp concat concat_ws replace + - * / // % || ~~ !~~ ~~* !~~* like_escape not_like_escape
    row_number rank dense_rank lag lead first_value last_value
    """.split()
)
MOST_CHARS: Final = 4_000
MOST_DEPTH: Final = 60


def check(parsed: Mapping[str, Any], tables: Collection[str]) -> None:
    """Check a query as `json_serialize_sql` gives it.

    Raises:
        QueryRefused: it is not one SELECT over these tables, or uses what is not on the lists.
    """
    if parsed.get("error"):
        raise QueryRefused(REFUSED.format(why="it cannot be parsed, or is no SELECT"))
    statements = parsed.get("statements") or []
    if len(statements) != 1:
        raise QueryRefused(REFUSED.format(why="it is more than one statement"))
    found = list(_objects(statements[0], 0))
    selected = [each for each in found if each.get("type") == "BASE_TABLE"]
    if not selected:
        raise QueryRefused(REFUSED.format(why="it reads no table"))
    for each in found:
        _check(each, tables)


def _check(node: Mapping[str, Any], tables: Collection[str]) -> None:
    kind, kind_of = str(node.get("type", "")), str(node.get("class", ""))
    if kind.endswith("_NODE") and kind not in _NODES:
        raise QueryRefused(REFUSED.format(why="it is of a kind that is not run"))
    if "table_name" in node or "from_table" in node or "join_type" in node:
        _check_source(node, kind, tables)
    if kind == "TABLE_FUNCTION" or kind_of == "TABLE_FUNCTION":
        raise QueryRefused(REFUSED.format(why="it reads from a function"))
    if (cte := node.get("cte_map")) and cte.get("map"):
        raise QueryRefused(REFUSED.format(why="it names queries of its own"))
    if "function_name" in node:
        name = str(node["function_name"]).casefold()
        if name not in _FUNCTIONS or node.get("schema") or node.get("catalog"):
            raise QueryRefused(REFUSED.format(why=f"it calls “{name[:40]}”"))


def _check_source(node: Mapping[str, Any], kind: str, tables: Collection[str]) -> None:
    source = node.get("from_table")
    if isinstance(source, Mapping) and str(source.get("type")) not in _SOURCES:
        raise QueryRefused(REFUSED.format(why="it reads from something else"))
    if kind != "BASE_TABLE":
        return
    elsewhere = node.get("schema_name") or node.get("catalog_name")
    path = (node.get("qualified_name") or {}).get("path") or [node.get("table_name")]
    if elsewhere or len(path) != 1 or node.get("table_name") not in tables or path[0] not in tables:
        raise QueryRefused(REFUSED.format(why="it reads another table"))


def _objects(value: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    if depth > MOST_DEPTH:
        raise QueryRefused(REFUSED.format(why="it is too deeply nested"))
    if isinstance(value, Mapping):
        yield value
        for each in value.values():
            yield from _objects(each, depth + 1)
    elif isinstance(value, list):
        for each in value:
            yield from _objects(each, depth + 1)
