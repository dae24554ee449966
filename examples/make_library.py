"""Makes the files of `examples/library`: `python examples/make_library.py`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import docx
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

LIBRARY = Path(__file__).parent / "library"

Lines = Sequence[str | tuple[str, ...]]
"""A line that begins with # is a heading; a tuple is a row of a table."""


def contract(title: str, party: str, effective: str, notice: str, cap: str, renews: str, more: Lines = ()) -> Lines:
    return (
        f"# {title}",
        f"Supplier: {party}",
        f"Effective Date: {effective}",
        f"Notice period: {notice}",
        f"Liability cap: {cap}",
        f"Renews automatically: {renews}",
        *more,
    )


def invoice(number: str, vendor: str, date: str, rows: Sequence[tuple[str, str, str]], total: str) -> Lines:
    return (
        f"# Invoice {number}",
        f"From: {vendor}",
        f"Invoice no.: {number}",
        f"Date: {date}",
        ("Description", "Quantity", "Amount"),
        *rows,
        f"Total due: {total}",
    )


ACME = contract(
    "Master Services Agreement", "ACME Corp", "1 March 2023", "60 days", "EUR 250,000.00", "yes",
    (
        "# 1. Services",
        "ACME services the battery cabinets of the customer twice a year and after each alarm. A technician is on",
        "site within two working days.",
        "# 2. Termination",
        "Either party may end this agreement without cause with sixty days' written notice. Work that was ordered",
        "before is completed and paid for.",
        "# 3. Confidentiality",
        "What one party learns about the other it keeps to itself for five years after the end of this agreement.",
    ),
)  # fmt: skip
SUPPLY = contract(
    "Spare Parts Supply Agreement", "ACME Corp", "15 September 2023", "30 days", "EUR 40,000.00", "no",
    (
        "# Delivery",
        "Filter mats and door seals are delivered within five working days of an order. Parts that are out of stock",
        "are named at once.",
        "# Termination",
        "Each side may withdraw from the agreement at the end of a month, thirty days after it has told the other.",
    ),
)  # fmt: skip
CLEANING = contract(
    "Cleaning Agreement", "Borden Facility Services", "2 January 2024", "three months", "GBP 10,000", "yes",
    ("# Scope", "The halls are swept daily. The windows are cleaned in spring and in autumn."),
)  # fmt: skip
HOSTING = contract(
    "Hosting Agreement", "Corvid Systems", "2024-06-01", "14 days", "USD 1.5 million", "yes",
    ("# Availability", "The portal is available for 99.5 percent of each month. Maintenance is announced before."),
)  # fmt: skip
LEASE = (
    "LEASE OF THE WAREHOUSE IN PORTBURY",
    "Landlord: Dunmore Estates",
    "Effective Date: 1 July 2022",
    "Notice period: 6 months",
    "Liability cap: GBP 75,000.00",
    "Renews automatically: no",
    "The tenant keeps the roof and the loading bays in repair. Batteries may be stored in hall B only, where the",
    "sprinklers are.",
)
TYRES = invoice(
    "INV-1001", "Tyneholm Motors", "12 February 2024",
    (("Winter tyre 205/55 R16", "4", "EUR 476.00"), ("Fitting and balancing", "4", "EUR 60.00")), "EUR 536.00",
)  # fmt: skip
PARTS = invoice(
    "INV-1002", "ACME Corp", "3 March 2024",
    (("Filter mat", "12", "EUR 174.00"), ("Door seal", "6", "EUR 186.00")), "EUR 360.00",
)  # fmt: skip
BOOTS = invoice(
    "INV-1003", "Pellworth Safety", "28 March 2024",
    (("Insulating gloves", "10", "GBP 240.00"), ("Boots", "2", "GBP 130.00")), "GBP 370.00",
)  # fmt: skip


def data_sheet(model: str, kind: str, voltage: str, width: str, text: str) -> Lines:
    head = (f"# Data sheet {model}", f"Model: {model}", f"Type: {kind}")
    return (*head, f"Nominal voltage: {voltage}", f"Width: {width}", text)


B120 = data_sheet(
    "B-120", "battery cabinet", "400 V", "600 mm", "The cabinet has a battery of 120 kWh and is cooled by air."
)
B240 = data_sheet(
    "B-240", "battery cabinet", "0.8 kV", "1.2 m", "The cabinet has a battery of 240 kWh and is cooled by water."
)
AS330 = data_sheet("AS-330", "PV module", "34 V", "99.2 cm", "A module for roofs, with 60 cells.")
AS405 = data_sheet("AS-405", "PV module", "37.5 V", "1,134 mm", "A module for fields, with 108 half cells.")
MANUAL: Sequence[Lines] = (
    (
        "# Battery cabinet B-120: maintenance",
        "# 1. Safety",
        "Wait fifteen minutes after the isolator was opened before any cover is taken off. Wear the insulating gloves",
        "that hang beside the door.",
    ),
    (
        "# 2. Filters",
        "The filter mats are changed every six months, and at once where the cabinet reports that it is too warm.",
        "# 3. Cooling",
        "The pump is bled at the upper valve until no bubbles can be seen. Coolant is topped up then.",
    ),
    (
        "# 4. Alarms",
        "E07: a cell is out of balance. Charge the cabinet to 100 percent and leave it for two hours.",
        "E12: the door is open. Close it.",
    ),
)
MAIL = """\
From: Mara Lind <mara@brightwater.example>
To: Facilities <facilities@brightwater.example>
Subject: Doors of the new cabinets
Date: Tue, 12 Mar 2024 09:30:00 +0000
Content-Type: text/plain; charset=utf-8

The doors of both B-240 cabinets stick in wet weather. ACME will plane them at the next service. Until then the
alarm E12 can be ignored if the door is held by its second latch.
"""
TRAVEL = (
    "# Travel policy",
    "Trains are booked in second class. A hotel costs at most EUR 140 a night; in London GBP 170.",
    "# Expenses",
    "Receipts are handed in within thirty days of the journey.",
)


def markdown(name: str, lines: Lines) -> None:
    parts = [f"| {' | '.join(line)} |" if isinstance(line, tuple) else line for line in lines]
    heads = [place for place, line in enumerate(lines) if isinstance(line, tuple)]
    if heads:
        parts.insert(heads[0] + 1, "|---|---|---|")
    text = parts[0]
    for before, part in pairwise(parts):
        text += ("\n" if before[:1] == part[:1] == "|" else "\n\n") + part
    (LIBRARY / name).write_text(text + "\n", encoding="utf-8")


def html(name: str, lines: Lines) -> None:
    made = []
    for line in lines:
        if isinstance(line, tuple):
            made.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in line)}</tr>")
        else:
            made.append(f"<h1>{line[2:]}</h1>" if line.startswith("# ") else f"<p>{line}</p>")
    text = "\n".join(made).replace("</p>\n<tr>", "</p>\n<table>\n<tr>").replace("</tr>\n<p>", "</tr>\n</table>\n<p>")
    page = (
        f"<!DOCTYPE html>\n<html>\n<head><title>{str(lines[0])[2:]}</title></head>\n<body>\n{text}\n</body>\n</html>\n"
    )
    (LIBRARY / name).write_text(page, encoding="utf-8")


def word(name: str, lines: Lines) -> None:
    document = docx.Document()
    table = None
    for line in lines:
        if isinstance(line, tuple):
            table = table or document.add_table(rows=0, cols=len(line))
            for cell, text in zip(table.add_row().cells, line, strict=True):
                cell.text = text
        elif line.startswith("# "):
            document.add_heading(line[2:], 1)
        else:
            document.add_paragraph(line)
    document.save(str(LIBRARY / name))


def pdf(name: str, pages: Sequence[Lines], password: str = "") -> Path:
    path = LIBRARY / name
    locked = {"encrypt": StandardEncryption(password)} if password else {}
    canvas = Canvas(str(path), pagesize=A4, invariant=True, **locked)
    for lines in pages:
        height = 780
        for line in lines:
            if isinstance(line, tuple):
                for left, cell in zip((60, 300, 400), line, strict=True):
                    canvas.drawString(left, height, cell)
            else:
                is_heading = line.startswith("# ")
                canvas.setFont("Helvetica-Bold" if is_heading else "Helvetica", 14 if is_heading else 10)
                canvas.drawString(60, height, line.removeprefix("# "))
                canvas.setFont("Helvetica", 10)
            height -= 24 if isinstance(line, str) and ": " in line else 14
            height -= 10 if isinstance(line, str) and line.startswith("# ") else 0
        canvas.showPage()
    canvas.save()
    return path


def main() -> None:
    for folder in ("contracts", "datasheets", "invoices", "manuals", "notes"):
        (LIBRARY / folder).mkdir(parents=True, exist_ok=True)
    pdf("contracts/acme_services.pdf", (ACME[:10], ACME[10:]))
    markdown("contracts/acme_supply.md", SUPPLY)
    word("contracts/borden_cleaning.docx", CLEANING)
    html("contracts/corvid_hosting.html", HOSTING)
    (LIBRARY / "contracts/dunmore_lease.txt").write_text("\n\n".join(LEASE) + "\n", encoding="utf-8")
    pdf("contracts/locked.pdf", (SUPPLY,), password="secret")
    whole = pdf("contracts/cut_off.pdf", (HOSTING,))
    whole.write_bytes(whole.read_bytes()[:700])
    pdf("invoices/INV-1001.pdf", (TYRES,))
    html("invoices/INV-1002.html", PARTS)
    word("invoices/INV-1003.docx", BOOTS)
    pdf("datasheets/B-120.pdf", (B120,))
    pdf("datasheets/B-240.pdf", (B240,))
    markdown("datasheets/AS-330.md", AS330)
    html("datasheets/AS-405.html", AS405)
    pdf("manuals/B-120_maintenance.pdf", MANUAL)
    (LIBRARY / "notes/doors.eml").write_text(MAIL, encoding="utf-8")
    markdown("notes/travel_policy.md", TRAVEL)
    markdown("notes/acme_supply_copy.md", SUPPLY)
    (LIBRARY / "notes/empty.txt").write_text("", encoding="utf-8")


if __name__ == "__main__":
    main()
