# mypy: ignore-errors
"""Writes the four files that the questions are about, always the same, and a file of a million rows.

As their writer left it: the right answers hang on the order of its random numbers.
"""

import csv
import datetime as dt
import random
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Font


def make_files(folder: Path) -> None:
    """Write tickets.csv, orders.xlsx, suppliers.csv and headcount.xlsx."""
    folder.mkdir(parents=True, exist_ok=True)
    D = str(folder)
    R = random.Random(20261123)

    def case(s: str, p: float = 0.06) -> str:
        x = R.random()
        if x < p * 0.45:
            return s.lower()
        if x < p * 0.8:
            return s.upper()
        if x < p:
            return s + " "
        return s

    # ---------------------------------------------------------------- tickets.csv
    SITES = ["Leeds", "Norwich", "Glasgow", "Deventer", "Cardiff", "Truro"]
    SW = [31, 14, 21, 17, 11, 6]
    CATS = ["Network", "Hardware", "Software", "Access", "Email", "Printing", "Telephony"]
    CW = [17, 20, 24, 18, 11, 6, 4]
    PRI = ["P1", "P2", "P3", "P4"]
    PW = [6, 19, 47, 28]
    WHO = [
        "A. Brandt",
        "B. Okafor",
        "C. Lindgren",
        "D. Marsh",
        "E. Petrov",
        "F. Haddad",
        "G. Silva",
        "H. Novak",
        "I. Rahman",
        "J. Whitlock",
        "K. Jansen",
        "L. Moreau",
        "M. Doyle",
        "N. Tanaka",
        "O. Kessler",
        "P. Adeyemi",
    ]
    WW = [9, 8, 7.4, 12, 5, 6.5, 4.4, 10.3, 3.6, 7, 8.7, 2.9, 11, 6, 4, 5.5]
    MEAN = {"P1": 7, "P2": 19, "P3": 46, "P4": 88}
    CF = {
        "Network": 1.3,
        "Hardware": 1.5,
        "Software": 1.0,
        "Access": 0.5,
        "Email": 0.7,
        "Printing": 0.9,
        "Telephony": 1.7,
    }
    N = 12431
    start, end = dt.datetime(2024, 7, 1, 7), dt.datetime(2026, 11, 20, 17)
    span = (end - start).total_seconds()
    opened = sorted(start + dt.timedelta(seconds=span * R.random() ** 0.92) for _ in range(N))
    with open(f"{D}/tickets.csv", "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f)
        w.writerow(
            [
                "Ticket ID",
                "Opened",
                "Closed",
                "Priority",
                "Status",
                "Category",
                "Site",
                "Assignee",
                "Hours to resolve",
            ]
        )
        for i, o in enumerate(opened):
            o = o.replace(second=0, microsecond=0)
            site = R.choices(SITES, SW)[0]
            cat = R.choices(CATS, CW)[0]
            pw = [PW[0] * (2.4 if site == "Glasgow" else 0.8), *PW[1:]]
            pri = R.choices(PRI, pw)[0]
            who = R.choices(WHO, WW)[0]
            h = round(max(0.2, R.lognormvariate(0, 0.85) * MEAN[pri] * CF[cat] * 0.7), 1)
            c = o + dt.timedelta(hours=h * R.uniform(1.0, 3.5))
            c = c.replace(second=0, microsecond=0)
            age = (dt.datetime(2026, 11, 20, 18) - o).days
            isopen = c > dt.datetime(2026, 11, 20, 18) or R.random() < (
                0.32 if age < 30 else 0.10 if age < 120 else 0.022
            )
            if isopen:
                st, cs, hs = "Open", "", ""
            elif R.random() < 0.035:
                st, cs, hs = "Cancelled", c.strftime("%Y-%m-%d %H:%M"), R.choice(["", "n/a"])
            else:
                st, cs, hs = (
                    "Closed",
                    c.strftime("%Y-%m-%d %H:%M"),
                    "" if R.random() < 0.018 else str(h),
                )
            tid = 10001 + i
            blank = lambda v, p: "" if R.random() < p and tid not in (10432, 15007) else v
            w.writerow(
                [
                    f"T-{tid}",
                    o.strftime("%Y-%m-%d %H:%M"),
                    cs,
                    blank(case(pri, 0.05).strip(), 0.011),
                    case(st, 0.09),
                    blank(case(cat), 0.014),
                    blank(case(site), 0.009),
                    blank(case(who, 0.02), 0.042),
                    hs,
                ]
            )

    # ---------------------------------------------------------------- orders.xlsx
    CUST = [
        "Abbey Foods",
        "Ashdown Dairies",
        "Bexley Water",
        "Calder Paints",
        "Corvane Ltd",
        "Drayton Leisure",
        "Eastmoor Brewing",
        "Farrow & Pike",
        "Gilmore Plastics",
        "Harbour Fisheries",
        "Ivel Packaging",
        "Jessop Chemicals",
        "Kestrel Hotels",
        "Larkfield NHS Trust",
        "Morven Distillery",
        "Nene Textiles",
        "Orwell Malting",
        "Penrith Quarries",
        "Quayside Laundry",
        "Rother Glass",
        "Sable Coatings",
        "Thornby Growers",
    ]
    CUW = [
        9,
        4,
        12,
        5,
        3,
        6,
        4.5,
        2,
        5.5,
        2.5,
        7,
        8,
        3.3,
        6.6,
        1.6,
        2.2,
        3.7,
        2.8,
        1.9,
        4.1,
        5.2,
        3.1,
    ]
    REG = ["North", "Midlands", "South", "Scotland", "Wales"]
    creg = {c: REG[(i * 7 + i // 3) % 5] for i, c in enumerate(CUST)}
    PROD = {
        "Filter cartridge": 18.4,
        "Valve set": 64.0,
        "Pump head": 212.0,
        "Gauge": 37.5,
        "Hose 25 m": 89.9,
        "Seal kit": 26.3,
        "Control unit": 1140.0,
        "Sensor": 158.0,
    }
    PRW = [23, 14, 7, 11, 9, 19, 4, 8]
    REPS = ["Holt", "Mbeki", "Sørensen", "Unwin", "Vance"]
    wb = Workbook()
    wb.remove(wb.active)
    no = 50001
    cn = 901
    for year, n, last in ((2025, 4300, dt.date(2025, 12, 31)), (2026, 3700, dt.date(2026, 11, 20))):
        ws = wb.create_sheet(f"Orders {year}")
        ws["A1"] = f"Halden & Rowe Ltd – order book {year}"
        ws["A1"].font = Font(bold=True, size=14)
        ws["A2"] = "Export from ledger, amounts without VAT. Credit notes are negative."
        ws.append(["Order no.", "Date", "Customer", "Region", "Product", "Qty", "Net (£)", "Rep"])
        for c in ws[3]:
            c.font = Font(bold=True)
        first = dt.date(year, 1, 1)
        days = (last - first).days
        ds = sorted(first + dt.timedelta(days=int((days + 1) * R.random())) for _ in range(n))
        tot = 0
        tq = 0
        for d in ds:
            c = R.choices(CUST, CUW)[0]
            p = R.choices(list(PROD), PRW)[0]
            q = max(1, int(R.lognormvariate(2.1, 0.9)))
            if PROD[p] > 500:
                q = max(1, q // 5)
            net = round(
                q
                * PROD[p]
                * (1.0 if year == 2025 else 1.035)
                * (1 - R.choice([0, 0, 0, 0.03, 0.05, 0.08, 0.1])),
                2,
            )
            credit = R.random() < 0.034
            reg = creg[c] if R.random() > 0.012 else ""
            if credit:
                key = f"CN-{cn:05d}"
                cn += 1
                net = -round(net * R.choice([1, 0.5, 0.25]), 2)
                q = -q
            else:
                key = f"SO-{no}"
                no += 1
            tot = round(tot + net, 2)
            tq += q
            val = net
            if credit and R.random() < 0.55:
                val = f"({-net:,.2f})"
            elif not credit and R.random() < 0.006:
                val = f"£{net:,.2f}"
            dv = d if R.random() > 0.05 else d.strftime("%d/%m/%Y")
            cc = c if R.random() > 0.03 else R.choice([c.upper(), c.lower(), c + " "])
            ws.append([key, dv, cc, reg, p, q, val, R.choice(REPS)])
            r = ws.max_row
            if not isinstance(dv, str):
                ws.cell(r, 2).number_format = "DD/MM/YYYY"
            if not isinstance(val, str):
                ws.cell(r, 7).number_format = (
                    "#,##0.00;(#,##0.00)" if R.random() < 0.5 else "#,##0.00;-#,##0.00"
                )
        ws.append(["Total", None, None, None, None, tq, tot, None])
        for c in ws[ws.max_row]:
            c.font = Font(bold=True)
        ws.column_dimensions["C"].width = 24
        ws.freeze_panes = "A4"
    wb.save(f"{D}/orders.xlsx")

    # ---------------------------------------------------------------- suppliers.csv
    A = [
        "Nord",
        "Rhein",
        "Alpen",
        "Delta",
        "Polder",
        "Lumen",
        "Vela",
        "Brema",
        "Kastell",
        "Mosel",
        "Sirius",
        "Tekno",
        "Zuider",
        "Orion",
        "Havel",
        "Fjord",
        "Quarz",
        "Müritz",
        "Élan",
        "Iber",
        "Castra",
        "Donau",
        "Eifel",
        "Gotha",
        "Jura",
        "Linde",
        "Marne",
        "Oder",
        "Spree",
        "Weser",
    ]
    B = [
        "Logistik",
        "Technik",
        "Metall",
        "Plastics",
        "Services",
        "Energie",
        "Software",
        "Papier",
        "Reinigung",
        "Packaging",
        "Tools",
        "Chemie",
        "Bau",
        "Elektro",
        "Transport",
        "Catering",
        "Labor",
        "Druck",
        "Leasing",
        "Security",
    ]
    CO = {
        "Germany": ("GmbH", 34),
        "Netherlands": ("BV", 21),
        "Belgium": ("NV", 12),
        "France": ("SA", 10),
        "Poland": ("Sp. z o.o.", 8),
        "Austria": ("AG", 6),
        "Italy": ("SpA", 5),
        "Spain": ("SL", 4),
    }
    names = [(a, b) for a in A for b in B]
    R.shuffle(names)
    eu = lambda x, k=2: f"{x:,.{k}f}".replace(",", "_").replace(".", ",").replace("_", ".")
    with open(f"{D}/suppliers.csv", "w", newline="", encoding="utf-8-sig") as f:
        w = csv.writer(f, delimiter=";")
        w.writerow(
            ["Supplier", "Country", "Contract years", "Price per year (EUR)", "Rating", "Expiry"]
        )
        for a, b in names[:600]:
            c = R.choices(list(CO), [v[1] for v in CO.values()])[0]
            y = R.choices([1, 2, 3, 4, 5], [26, 22, 27, 9, 16])[0]
            p = round(min(940000, max(850, R.lognormvariate(9.9, 1.05))), 2)
            ps = eu(p) if R.random() > 0.08 else f"{p:.2f}".replace(".", ",")
            e = dt.date(2026, 10, 1) + dt.timedelta(
                days=int(R.random() * y * 365) + R.randint(0, 90)
            )
            w.writerow(
                [
                    f"{a} {b} {CO[c][0]}",
                    "" if R.random() < 0.008 else case(c, 0.05),
                    y,
                    ps,
                    "" if R.random() < 0.05 else eu(min(5, max(1, R.gauss(3.7, 0.8))), 1),
                    e.strftime("%d.%m.%Y"),
                ]
            )

    # ---------------------------------------------------------------- headcount.xlsx
    DEP = {
        "Sales": ["Key accounts", "Inside sales", "Field sales", "Bids", "Sales support", "Export"],
        "Production": [
            "Assembly",
            "Machining",
            "Paint shop",
            "Maintenance",
            "Shift leads",
            "Tool room",
        ],
        "Logistics": ["Goods in", "Goods out", "Drivers", "Stock control", "Customs"],
        "Engineering": ["Design", "Electronics", "Test", "Firmware", "Documentation"],
        "Finance": ["Ledger", "Payroll", "Controlling", "Credit", "Purchasing"],
        "IT": ["Service desk", "Networks", "Applications", "Data", "Security"],
    }
    HS = ["Leeds", "Norwich", "Glasgow", "Deventer"]
    base = {"Sales": 6, "Production": 15, "Logistics": 7, "Engineering": 6, "Finance": 4, "IT": 3.4}
    sc = {"Leeds": 1.7, "Norwich": 0.9, "Glasgow": 1.2, "Deventer": 0.7}
    plan = {(s, d): list(t) for s in HS for d, t in DEP.items()}
    total = sum(map(len, plan.values()))
    while total > 140 - 24 - 5:
        k = R.choice(list(plan))
        if len(plan[k]) > 3 and k[0] != "Leeds":
            plan[k].pop(R.randrange(len(plan[k])))
            total -= 1
    M = [
        "Jan 26",
        "Feb 26",
        "Mar 26",
        "Apr 26",
        "May 26",
        "Jun 26",
        "Jul 26",
        "Aug 26",
        "Sep 26",
        "Oct 26",
    ]
    wb = Workbook()
    ws = wb.active
    ws.title = "Headcount 2026"
    ws["A1"] = "Headcount 2026 – persons at month end"
    ws["A1"].font = Font(bold=True, size=13)
    ws.append(["Site", "Department", "Team", *M])
    for c in ws[2]:
        c.font = Font(bold=True)
    grand = [0] * 10
    for s in HS:
        top = ws.max_row + 1
        st = [0] * 10
        for d in DEP:
            sub = [0] * 10
            r0 = ws.max_row + 1
            for j, t in enumerate(plan[s, d]):
                v = max(0, round(base[d] * sc[s] * R.uniform(0.1, 1.9)))
                row = []
                for m in range(10):
                    if m:
                        v = max(0, v + R.choices([-1, 0, 1, 2], [12, 66, 17, 5])[0])
                    row.append(v)
                    sub[m] += v
                ws.append(
                    [
                        s if r0 == top and j == 0 else None,
                        d if j == 0 else None,
                        t,
                        *[x if x else "-" for x in row],
                    ]
                )
            ws.append([None, f"Subtotal {d}", None, *sub])
            for c in ws[ws.max_row]:
                c.font = Font(italic=True, bold=True)
            st = [a + b for a, b in zip(st, sub)]
        ws.append([None, f"Total {s}", None, *st])
        for c in ws[ws.max_row]:
            c.font = Font(bold=True)
        ws.merge_cells(start_row=top, end_row=ws.max_row, start_column=1, end_column=1)
        grand = [a + b for a, b in zip(grand, st)]
    ws.append(["All sites", "Grand total", None, *grand])
    for c in ws[ws.max_row]:
        c.font = Font(bold=True)
    ws.freeze_panes = "D3"
    assert ws.max_row - 2 == 140, ws.max_row
    wb.save(f"{D}/headcount.xlsx")


def _movements(n: int) -> Any:
    r = random.Random(1000003)
    rnd = r.random
    wh = ["Leeds", "leeds", "Norwich", "Glasgow", "GLASGOW", "Deventer", "Cardiff", ""]
    ww = [0.24, 0.25, 0.42, 0.63, 0.64, 0.82, 0.995, 1.0]
    art = [f"A-{i:04d}" for i in range(1, 801)]
    kind = ["in", "out", "correction", "return"]
    kw = [0.41, 0.90, 0.94, 1.0]
    day0 = dt.date(2023, 1, 1)
    days = [(day0 + dt.timedelta(d)).isoformat() for d in range(1419)]  # to 2026-11-19
    pick = lambda v, w: next(a for a, b in zip(v, w) if (x <= b))
    for i in range(n):
        x = rnd()
        w = pick(wh, ww)
        x = rnd()
        k = pick(kind, kw)
        q = 1 + int(rnd() ** 3 * 240)
        q = -q if k == "out" or (k == "correction" and rnd() < 0.5) else q
        yield (
            f"M{i + 1:07d}",
            days[i * 1419 // n],
            w,
            art[int(rnd() ** 1.4 * 800)],
            k,
            q,
            f"{0.15 + rnd() ** 4 * 900:.2f}",
        )


def million_rows(path: Path, count: int) -> None:
    """Write movements of a warehouse, as many as are wanted."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["Movement", "Date", "Warehouse", "Article", "Kind", "Qty", "Unit price (£)"]
        )
        writer.writerows(_movements(count))
