"""Small whole tables, made of rows as a reader of files makes them."""

from collections.abc import Sequence

from masis.domain import WorkspaceId
from masis.tables.building import TableBuilder
from masis.values.tabular import PackedTable, TableInfo

TICKETS = (
    ["Ticket ID", "Opened", "Closed", "Priority", "Status", "Site", "Assignee", "Hours to resolve"],
    ["T-101", "2025-11-03 08:10", "2025-11-04 09:00", "P1", "Closed", "Leeds", "B. Okafor", "3.5"],
    ["T-102", "2025-12-01 10:00", "", "p2", "Open", "Leeds", "D. Marsh", ""],
    ["T-103", "2026-01-15 12:30", "2026-01-20 10:00", "P2", "closed", "Truro", "D. Marsh", "40"],
    ["T-104", "2026-02-02 09:00", "", "P1", "Open", "Truro", "", "n/a"],
    ["T-105", "2026-03-08 14:00", "2026-03-09 10:00", "P1", "Closed", "leeds", "B. Okafor", "8"],
    ["T-106", "2026-03-20 14:00", "", "P3", "Open", "Leeds", "D. Marsh", "-"],
)
PLACE = WorkspaceId("w_tables")


def packed(
    rows: Sequence[Sequence[str]] = TICKETS, *, sheet: str = "", is_grid: bool = False
) -> PackedTable:
    builder = TableBuilder(rows[0], sheet=sheet, is_grid=is_grid)
    for number, row in enumerate(rows[1:], 2):
        builder.add(number, row)
    made = builder.table()
    assert made is not None
    return made


def info(table: PackedTable, name: str = "tickets.csv", table_id: str = "t_1") -> TableInfo:
    return TableInfo(
        table_id=table_id,
        document_id=f"d_{name}",
        version_id="v_1",
        source=name,
        shape=table.shape,
    )


class Tables:
    """A store of tables of one workspace."""

    def __init__(self, **tables: PackedTable) -> None:
        self.held = {
            f"t_{at}": (name.replace("_", "."), each)
            for at, (name, each) in enumerate(tables.items())
        }

    async def tables(self, workspace_id: WorkspaceId) -> list[TableInfo]:
        if workspace_id != PLACE:
            return []
        return [info(each, name, table_id) for table_id, (name, each) in self.held.items()]

    async def cells(
        self, workspace_id: WorkspaceId, table_id: str, columns: Sequence[int]
    ) -> PackedTable | None:
        if workspace_id != PLACE or table_id not in self.held:
            return None
        table = self.held[table_id][1]
        cells = [each if at in columns else b"" for at, each in enumerate(table.cells)]
        return table.model_copy(update={"cells": cells})
