"""Writes a workbook of 10,000 rows under headers of two rows and a million bookings as Germans write them.

The questions come with their answers, counted of the same rows, always the same ones.
"""

import csv
import datetime as dt
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from openpyxl import Workbook

SEED: Final = 71
ORDERS_A_YEAR: Final = 5_000
BOOKINGS: Final = 1_000_000
_REGIONS: Final = ("North", "South", "East", "West")
_BUYERS: Final = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gorse", "Hazel")
_FORMS: Final = ("Ltd", "Group", "Stores", "Retail")
_CENTRES: Final = ("Vertrieb", "Einkauf", "Lager", "IT", "Personal")
_TEXTS: Final = ("Miete", "Fracht", "Lizenz", "Reise", "Gehalt", "Material")


class Order(NamedTuple):
    """A row of the workbook; `net` in pence."""

    number: str
    day: dt.date
    customer: str
    region: str
    units: int
    net: int
    status: str


class Booking(NamedTuple):
    """A row of the bookings; `amount` in cents."""

    number: str
    day: dt.date
    centre: str
    account: str
    text: str
    amount: int
    tax: int


def orders() -> Iterator[Order]:
    """Yield the orders of two years."""
    rolled = random.Random(SEED)
    for year in (2023, 2024):
        for at in range(ORDERS_A_YEAR):
            units = rolled.randint(1, 60)
            yield Order(
                f"S{year % 100}-{at:05d}",
                dt.date(year, 1, 1) + dt.timedelta(days=rolled.randrange(365)),
                f"{rolled.choice(_BUYERS)} {rolled.choice(_FORMS)}",
                rolled.choice(_REGIONS),
                units,
                units * rolled.randint(800, 4_000),
                rolled.choices(("paid", "open", "cancelled"), (80, 15, 5))[0],
            )


def bookings(count: int = BOOKINGS) -> Iterator[Booking]:
    """Yield bookings of three years, one in twenty of them a credit."""
    rolled = random.Random(SEED + 1)
    for at in range(count):
        amount = rolled.randint(100, 2_500_000) * (-1 if rolled.random() < 0.05 else 1)
        yield Booking(
            f"B{at:07d}",
            dt.date(2022, 1, 1) + dt.timedelta(days=rolled.randrange(1_096)),
            rolled.choice(_CENTRES),
            rolled.choice(("4400", "4800", "6000", "6300", "6800")),
            rolled.choice(_TEXTS),
            amount,
            round(amount * 0.19),
        )


def long_files(folder: Path, count: int = BOOKINGS) -> None:
    """Write sales.xlsx, so many bookings to buchungen.csv, and the questions over both."""
    folder.mkdir(parents=True, exist_ok=True)
    sold = list(orders())
    _write_orders(folder / "sales.xlsx", sold)
    asked = [*_of_orders(sold), *_write_bookings(folder / "buchungen.csv", count)]
    lines = (json.dumps({"id": f"l{at}", **each}) for at, each in enumerate(asked, 1))
    (folder / "questions.jsonl").write_text("\n".join(lines) + "\n")


def _write_orders(path: Path, sold: list[Order]) -> None:
    book = Workbook(write_only=False)
    del book["Sheet"]
    for year in (2023, 2024):
        sheet = book.create_sheet(f"Sales {year}")
        sheet.append(["Order", "", "Customer", "", "Amounts", "", "Status"])
        sheet.append(["No", "Date", "Name", "Region", "Units", "Net (£)", ""])
        for cells in ("A1:B1", "C1:D1", "E1:F1", "G1:G2"):
            sheet.merge_cells(cells)
        for each in sold:
            if each.day.year == year:
                sheet.append([*each[:5], each.net / 100, each.status])
    book.save(path)


def _write_bookings(path: Path, rows: int) -> list[dict[str, object]]:
    """Write the bookings with their totals below, and return the questions over them."""
    centre, text, count = Counter[str](), Counter[str](), Counter[str]()
    year_of_it, total, tax = Counter[int](), 0, 0
    with path.open("w", newline="", encoding="utf-8") as file:
        sheet = csv.writer(file, delimiter=";")
        sheet.writerow(["Buchung", "Datum", "Kostenstelle", "Konto", "Text", "Betrag (EUR)", "Steuer (EUR)"])  # fmt: skip
        for each in bookings(rows):
            sheet.writerow([each.number, f"{each.day:%d.%m.%Y}", *each[2:5], german(each.amount), german(each.tax)])  # fmt: skip
            centre[each.centre] += each.amount
            text[each.text] += each.amount
            count[each.text] += 1
            count["negative"] += each.amount < 0
            year_of_it[each.day.year] += each.amount if each.centre == "IT" else 0
            total, tax = total + each.amount, tax + each.tax
        sheet.writerow(["Summe", "", "", "", "", german(total), german(tax)])
    asked = partial_of("buchungen.csv", rows)
    share = f"{100 * text['Fracht'] / total:.1f} %"
    return [
        asked("total", "total betrag", [money(total)]),
        asked("total", "sum of steuer", [money(tax)]),
        asked("group", "betrag by kostenstelle", [money(centre[each]) for each in _CENTRES]),
        asked("count", "how many bookings for Reise", [f"{count['Reise']:,}"]),
        asked("share", "share of Fracht of the total betrag", [share]),
        asked("count", "how many bookings with betrag below 0", [f"{count['negative']:,}"]),
        asked(
            "change",
            "total betrag of IT in 2023 vs 2024",
            [money(year_of_it[year]) for year in (2023, 2024)],
        ),
        asked("top", "top 3 kostenstelle by betrag", [name for name, _ in centre.most_common(3)]),
        asked("no column", "total gewinn by kostenstelle", ["gewinn"]),
    ]


def _of_orders(sold: list[Order]) -> list[dict[str, object]]:
    """Return the questions over the workbook, typed as people do."""

    def net(of: Callable[[Order], bool]) -> int:
        return sum(each.net for each in sold if of(each))

    by_buyer = Counter[str]()
    for each in sold:
        by_buyer[each.customer] += each.net
    later = [each for each in sold if each.day.year == 2024]
    asked, in_one = partial_of("sales.xlsx", len(sold)), partial_of("sales.xlsx", len(later))
    regions = {name: net(lambda each, name=name: each.region == name) for name in _REGIONS}  # type: ignore[misc]
    march = net(lambda each: each.day.year == 2024 and 3 <= each.day.month <= 5)
    year_net = sum(each.net for each in later)
    east = 100 * net(lambda each: each.day.year == 2024 and each.region == "East") / year_net
    return [
        in_one("count", "how many orders did we have in 2024", [f"{len(later):,}"]),
        asked("top", "top 5 customers by net", [name for name, _ in by_buyer.most_common(5)]),
        in_one("series", "net by month in 2024 as a chart", [money(net(lambda each: (each.day.year, each.day.month) == (2024, 12)))]),
        in_one("share", "share of each region of the net sales 2024", [f"{east:.1f} %"]),
        asked("count", "how many cancelled orders in the north", [f"{sum(each.status == 'cancelled' and each.region == 'North' for each in sold):,}"]),
        asked("group", "net sales per region", [money(each) for each in regions.values()]),
        asked("dates", "total net from march to may 2024", [money(march)]),
        asked("name", "total net for Alder", [money(net(lambda each: each.customer.startswith("Alder ")))]),
        in_one("count", "how many orders over £1000 in 2024", [f"{sum(each.net > 100_000 for each in later):,}"]),
        asked("mean", "avg units per order", [f"{sum(each.units for each in sold) / len(sold):.2f}"]),
        asked("change", "net sales 2024 vs 2023", [money(year_net), money(sum(by_buyer.values()) - year_net)]),
    ]  # fmt: skip


def partial_of(file: str, rows: int) -> Callable[[str, str, list[str]], dict[str, object]]:
    """Return what makes a question over a file of its kind, its words and the texts to be shown."""

    def asked(kind: str, say: str, shown: list[str]) -> dict[str, object]:
        answer = [[each] for each in shown]
        return {"kind": kind, "file": file, "rows": rows, "say": say, "answer": answer}

    return asked


def money(cents: int) -> str:
    """Return an amount as answers show it, without its currency."""
    return f"{cents / 100:,.2f}"


def german(cents: int) -> str:
    """Return an amount with a comma for decimals."""
    return money(cents).translate(str.maketrans(",.", ".,"))
