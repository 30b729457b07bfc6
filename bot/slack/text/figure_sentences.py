"""Every sentence about charts and tables that people see in Slack."""

from typing import Final

TABLE: Final = "Table"
CHART: Final = "Chart"
AS_WORDS: Final = (
    "Slack did not take the chart or table as such, so its figures stand here as a plain table."
)
NO_ROOM: Final = "The figures had no room here; they stand in the file, or in “How I got this”."


def in_file(name: str) -> str:
    """Name the file that holds all rows."""
    return f"All rows are in the file {name}."


def columns_left_out(number: int) -> str:
    """Say how many columns are in the file alone."""
    return f"{number} more columns are in the file."


def first_in_file(name: str, number: int) -> str:
    """Name the file that holds the rows that were kept."""
    return f"The first {number:,} rows are in the file {name}."
