"""Read a code list from the passages of its document."""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from masis.codelists import hierarchy
from masis.codelists.code_list import KIND, KIND_FIELD, Code, CodeList, CodeRow
from masis.codelists.columns import Columns, recognised
from masis.codelists.list_rows import Read, cells_of, rows_of
from masis.domain import Chunk, Document

MOST_CODES: Final = 10_000
MOST_SYNONYMS: Final = 200
MOST_CHARS: Final = 6_000
"""Of one description."""
GROUPS_ALIKE: Final = 0.8
"""Of rows, so that they look otherwise than others."""

_LISTED: Final = re.compile(r"\s*[;\n]\s*|\s\|\s")
_COMMAS: Final = re.compile(r"\s*,\s*")
_DASHES: Final = re.compile(r"(?:^|\s)[-–•]\s+")
_EXAMPLES: Final = re.compile(
    r"(?:some )?examples? (?:of|include)\b[^:]{0,80}:|\b(?:also called|such as|e\.g\.):",
    re.IGNORECASE,
)
_EXCLUSIONS: Final = re.compile(
    r"\b(?:exclud(?:ed|es|ing)\b|(?:is|are|does|do) not (?:included?|cover(?:ed)?)\b|not to be used for\b"
    r"|(?:some )?related [\w ]{1,40}classified elsewhere)",
    re.IGNORECASE,
)


def code_list(document: Document, chunks: Sequence[Chunk]) -> CodeList | None:
    """Read the code list of a document; None where its tables hold none."""
    rows = rows_of(chunks)
    is_said = document.fields.get(KIND_FIELD) == KIND
    columns = recognised(list(cells_of(rows)), is_said=is_said)
    if columns is None:
        return None
    kept: dict[str, Code] = {}
    held: list[Read] = []
    for row in rows:
        code = row.cells.get(columns.code, "")
        if not code or not row.cells.get(columns.title) or len(kept) == MOST_CODES:
            continue
        if code in kept:
            kept[code] = _joined(kept[code], _code(row, columns, document))
        else:
            kept[code] = _code(row, columns, document)
            held.append(row)
    codes = [*_above(held, columns, kept, document), *kept.values()]
    return CodeList(
        name=document.title,
        columns=[columns.code, columns.title],
        document_id=document.id,
        version_id=document.version_id,
        codes=_placed(codes, held, columns),
    )


def _code(row: Read, columns: Columns, document: Document) -> Code:
    cells = row.cells
    said = " ".join(cells[name] for name in columns.description if cells.get(name))
    described, excluded = _parted(said[:MOST_CHARS])
    described, examples = _with_examples(described)
    beside = ", ".join(cells[name] for name in columns.beside if cells.get(name))
    described = ". ".join(filter(None, [described.rstrip("."), beside])) if beside else described
    listed = [each for name in columns.synonyms for each in _listed(cells.get(name, ""))]
    barred = [cells[name] for name in columns.excluded if cells.get(name)]
    return Code(
        code=cells[columns.code],
        title=cells[columns.title],
        description=described,
        synonyms=list(dict.fromkeys([*listed, *examples]))[:MOST_SYNONYMS],
        excluded=" ".join([*barred, excluded]).strip(),
        rows=[_row(chunk, document) for chunk in row.chunks],
    )


def _row(chunk: Chunk, document: Document) -> CodeRow:
    return CodeRow(
        chunk_id=chunk.id,
        document_id=document.id,
        version_id=document.version_id,
        document=document.name,
        title=document.title,
        place=chunk.place,
    )


def _joined(first: Code, second: Code) -> Code:
    """Return one code of two rows that have the same: another title of it is a synonym."""
    names = [name for name in [second.title, *second.synonyms] if name != first.title]
    return first.model_copy(
        update={
            "description": first.description or second.description,
            "synonyms": list(dict.fromkeys([*first.synonyms, *names]))[:MOST_SYNONYMS],
            "rows": [*first.rows, *(row for row in second.rows if row not in first.rows)],
        }
    )


def _parted(said: str) -> tuple[str, str]:
    """Part what a code is from what it is not."""
    found = _EXCLUSIONS.search(said)
    if found is None:
        return said.strip(), ""
    start = found.start()
    if found[0][0].islower():  # in the middle of a sentence
        start = max(said.rfind(end, 0, start) + 1 for end in (". ", "; ", "\n")) or start
    return said[:start].strip(), said[start:].strip()


def _with_examples(said: str) -> tuple[str, list[str]]:
    """Part a description from the names that it gives as examples."""
    found = _EXAMPLES.search(said)
    if found is None:
        return said, []
    names = [name.strip(" .;") for name in _DASHES.split(said[found.end() :])]
    if len(names) <= 1:  # a list
        names = _listed(said[found.end() :])
    return said[: found.start()].strip(), [name for name in names if name]


def _listed(said: str) -> list[str]:
    parts = [part for part in _LISTED.split(said) if part]
    if len(parts) == 1:
        parts = _COMMAS.split(said)
    return [part.strip(" .") for part in parts if part.strip(" .")]


# --- the hierarchy -----------------------------------------------------------------------------


def _above(
    rows: Sequence[Read], columns: Columns, known: dict[str, Code], document: Document
) -> Iterator[Code]:
    """Yield the codes of levels that stand in columns beside the rows, from the topmost level."""
    seen = set(known)
    for level in reversed(columns.above):
        for row in rows:
            code, title = row.cells.get(level.code, ""), row.cells.get(level.title, "")
            if code and code not in seen:
                seen.add(code)
                yield Code(code=code, title=title or code, rows=[_row(row.chunks[0], document)])


def _placed(codes: Sequence[Code], rows: Sequence[Read], columns: Columns) -> list[Code]:
    names = [each.code for each in codes]
    parents = _parents(names, rows, columns)
    depth = hierarchy.levels(names, parents)
    return [
        each.model_copy(update={"parent": parents.get(each.code, ""), "level": depth[each.code]})
        for each in codes
    ]


def _parents(names: Sequence[str], rows: Sequence[Read], columns: Columns) -> dict[str, str]:
    own = [row.cells[columns.code] for row in rows]
    if columns.parent:
        return hierarchy.by_column(own, [row.cells.get(columns.parent, "") for row in rows])
    if columns.above:
        return _nested(rows, columns)
    if columns.level:
        found = hierarchy.by_level(own, [row.cells.get(columns.level, "") for row in rows])
        if found:
            return found
    found = hierarchy.by_prefix(names)
    is_sure = not hierarchy.are_of_one_length(names) or _stand_out(
        set(found.values()), rows, columns
    )
    return found if is_sure else {}


def _stand_out(parents: set[str], rows: Sequence[Read], columns: Columns) -> bool:
    """Tell whether rows of groups look otherwise than those of codes.

    They have no cell where the others have one, or are in capitals. Numbers alone say nothing: in a list that
    counts in tens each hundredth code is like any other.
    """
    groups = [row.cells for row in rows if row.cells[columns.code] in parents]
    others = [row.cells for row in rows if row.cells[columns.code] not in parents]
    names = {name for row in (*groups, *others) for name in row}
    tests = [partial(_has_cell, name=name) for name in names]
    tests.append(partial(_is_plain, name=columns.title))
    return any(
        _share(groups, test) <= 1 - GROUPS_ALIKE and _share(others, test) >= GROUPS_ALIKE
        for test in tests
    )


def _has_cell(row: Mapping[str, str], name: str) -> bool:
    return bool(row.get(name))


def _is_plain(row: Mapping[str, str], name: str) -> bool:
    return not row.get(name, "").isupper()


def _share(rows: Sequence[Mapping[str, str]], test: Callable[[Mapping[str, str]], bool]) -> float:
    return sum(map(test, rows)) / len(rows) if rows else 0.0


def _nested(rows: Sequence[Read], columns: Columns) -> dict[str, str]:
    """Return the parents by the columns of the levels above, from a row's own code upwards."""
    found: dict[str, str] = {}
    for row in rows:
        path = [
            row.cells.get(name, "") for name in (columns.code, *(a.code for a in columns.above))
        ]
        path = [code for code in path if code]
        for code, above in itertools.pairwise(path):
            if code != above:
                found.setdefault(code, above)
    return found
