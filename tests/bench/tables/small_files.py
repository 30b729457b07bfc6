"""Writes five small files of a made-up company, always the same: people, tickets, stock, invoices, projects."""

import csv
import datetime as dt
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from openpyxl import Workbook

Rows = list[list[Any]]


def small_files(folder: Path) -> None:
    """Write roster.csv, helpdesk.csv, stock.xlsx, invoices.csv and projects.xlsx."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(18_11)
    for name, head, rows in (
        ("roster.csv", ["emp_no", "name", "team", "office", "job", "hired", "contract", "fte", "salary_eur"], _people(draw)),
        ("helpdesk.csv", ["ticket", "opened", "closed", "team", "category", "priority", "agent", "hours_spent", "rating"], _tickets(draw)),
        ("invoices.csv", ["invoice_no", "issued", "due", "client", "project", "net_eur", "vat_eur", "paid_on"], _invoices(draw)),
    ):  # fmt: skip
        with (folder / name).open("w", newline="", encoding="utf-8") as out:
            csv.writer(out).writerows([head, *rows])
    _sheet(folder / "stock.xlsx", "Stock", ["SKU", "Description", "Warehouse", "On hand", "Reorder level", "Unit cost (€)", "Supplier", "Last counted"], _stock(draw))  # fmt: skip
    _sheet(folder / "projects.xlsx", "Projects", ["Project", "Lead", "Department", "Budget (€)", "Spent (€)", "Start", "End", "Status"], _projects(draw))  # fmt: skip


def _sheet(path: Path, name: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = name
    for row in [head, *rows]:
        sheet.append(list(row))
    book.save(path)


_FIRST = "Ana Bruno Carla Diego Elif Farid Greta Hugo Ines Jonas Katja Luis Mara Nuno Olga Pavel Rita Sven Tarik Ulla Vera Wim Yara Zeno".split()
_LAST = "Almeida Berg Costa Duarte Engel Ferro Gomes Haas Ivanov Jansen Klein Lopes Moreira Nilsen Otto Pinto".split()


def _people(draw: random.Random) -> Rows:
    made, names = [], set()
    for at in range(48):
        name = ""
        while not name or name in names:
            name = f"{draw.choice(_FIRST)} {draw.choice(_LAST)}"
        names.add(name)
        team = draw.choices(
            ["Engineering", "Support", "Sales", "Design", "Finance"], [16, 11, 9, 7, 5]
        )[0]
        job = {
            "Engineering": "Engineer",
            "Support": "Support agent",
            "Sales": "Account manager",
            "Design": "Designer",
            "Finance": "Accountant",
        }[team]
        office = draw.choices(["Lisbon", "Berlin", "Gothenburg"], [22, 17, 9])[0]
        hired = dt.date(2015, 1, 5) + dt.timedelta(days=draw.randrange(0, 4200))
        contract = draw.choices(["permanent", "fixed-term", "contractor"], [34, 8, 6])[0]
        fte = draw.choices([1, 0.8, 0.6, 0.5], [36, 6, 4, 2])[0]
        made.append(
            [
                f"E{200 + at}",
                name,
                team,
                office,
                job,
                hired.isoformat(),
                contract,
                fte,
                draw.randrange(31, 92) * 1000 + draw.choice([0, 250, 500]),
            ]
        )
    return made


def _tickets(draw: random.Random) -> Rows:
    made = []
    for at in range(120):
        opened = dt.date(2026, 4, 1) + dt.timedelta(days=draw.randrange(0, 180))
        closed = opened + dt.timedelta(days=draw.randrange(0, 25))
        is_open = draw.random() < 0.18 or closed > dt.date(2026, 9, 30)
        made.append([
            f"HD-{3000 + at}", opened.isoformat(), "" if is_open else closed.isoformat(), draw.choice(["Engineering", "Support", "Sales", "Design", "Finance"]),
            draw.choices(["VPN", "Printer", "Laptop", "Email", "Phone"], [30, 18, 28, 24, 12])[0], draw.choices(["urgent", "normal", "low"], [18, 70, 30])[0],
            draw.choices(["Jonas Haas", "Elif Costa", "Wim Otto", "Rita Nilsen"], [40, 35, 25, 20])[0], round(draw.uniform(0.25, 14), 2) if not is_open else "",
            draw.choice([1, 2, 3, 4, 4, 5, 5]) if not is_open else "",
        ])  # fmt: skip
    return made


def _stock(draw: random.Random) -> Rows:
    things = [
        ("wood screw", 0.04),
        ("machine screw", 0.07),
        ("hex bolt", 0.19),
        ("washer", 0.02),
        ("hinge", 2.4),
        ("drawer runner", 11.5),
        ("door handle", 8.9),
        ("oak panel", 64.0),
        ("glass pane", 118.0),
        ("table leg", 17.3),
        ("worktop", 185.0),
        ("lamp kit", 39.0),
    ]
    sizes, made = ["small", "medium", "large", "black", "steel"], []
    for thing, cost in things:
        for size in sizes:
            level = draw.choice([10, 20, 50, 200]) if cost > 1 else draw.choice([500, 1000])
            held = max(0, int(level * draw.uniform(0.2, 3.2)))
            counted = dt.date(2026, 1, 10) + dt.timedelta(days=draw.randrange(0, 260))
            made.append(
                [
                    f"SK-{len(made) + 101}",
                    f"{size} {thing}",
                    draw.choice(["Leeds", "Bristol", "Antwerp"]),
                    held,
                    level,
                    round(cost * draw.uniform(0.9, 1.6), 2),
                    draw.choice(["Norfast", "Holzwerk Peter", "Clearview", "Bright & Sons"]),
                    counted,
                ]
            )
    return made


def _invoices(draw: random.Random) -> Rows:
    clients = [
        "Harbour & Co",
        "Bellweather Foods",
        "Stadtwerke Moers",
        "Quill Press",
        "Tannhof Hotels",
        "Norden Rail",
    ]
    made = []
    for at in range(90):
        issued = dt.date(2025, 1, 8) + dt.timedelta(days=at * 7 + draw.randrange(0, 5))
        due = issued + dt.timedelta(days=30)
        net = draw.choice([450, 780, 1250, 2400, 3900, 5600, 8200, 11500, 14800]) + draw.randrange(
            0, 90
        )
        paid = issued + dt.timedelta(days=draw.randrange(5, 55))
        is_paid = paid <= dt.date(2026, 9, 30) and draw.random() > 0.1
        made.append(
            [
                f"INV-{501 + at}",
                issued.isoformat(),
                due.isoformat(),
                draw.choices(clients, [22, 18, 16, 13, 12, 9])[0],
                draw.choice(["website", "audit", "training", "support"]),
                net,
                round(net * 0.19, 2),
                paid.isoformat() if is_paid else "",
            ]
        )
    return made


def _projects(draw: random.Random) -> Rows:
    names = "Orion Pegasus Lyra Cygnus Vela Draco Hydra Corvus Aquila Perseus Carina Fornax Gemini Norma Pyxis Volans Tucana Sextans Serpens Scutum Pavo Musca Lupus Lepus".split()
    made = []
    for name in names:
        budget = draw.randrange(12, 160) * 1000
        start = dt.date(2025, 6, 2) + dt.timedelta(days=draw.randrange(0, 400))
        made.append(
            [
                name,
                draw.choice(["Ana Berg", "Hugo Klein", "Mara Pinto", "Sven Ferro"]),
                draw.choice(["Marketing", "IT", "Operations", "Facilities"]),
                budget,
                int(budget * draw.uniform(0.15, 1.25)),
                start,
                start + dt.timedelta(days=draw.randrange(60, 420)),
                draw.choice(["running", "running", "on hold", "finished"]),
            ]
        )
    return made
