"""Files of all formats that are read, made anew for each test."""

from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import pptx
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from tests import tables

PROSE = tables.table(__file__, "PROSE")


def pdf(path: Path, draw: Callable[[Canvas], None], password: str = "") -> Path:
    options = {"encrypt": StandardEncryption(password)} if password else {}
    canvas = Canvas(str(path), pagesize=A4, invariant=True, **options)
    draw(canvas)
    canvas.save()
    return path


def data_sheet(canvas: Canvas) -> None:
    """Two pages with a footer, a heading, a table and prose."""
    for page in (1, 2):
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(60, 780, f"NX5401 part {page}")
        canvas.setFont("Helvetica", 10)
        for row, (label, value) in enumerate([("Polarity", "NPN"), ("Vceo", "60 V"), ("Package", "TO-220")]):
            canvas.drawString(60, 740 - 18 * row, label)
            canvas.drawString(300, 740 - 18 * row, value)
        for row, line in enumerate(PROSE[:2]):
            canvas.drawString(60, 660 - 13 * row, line)
        canvas.setFont("Helvetica", 8)
        canvas.drawString(60, 30, "NX5401 - data sheet")
        canvas.drawString(500, 30, f"Page {page}")
        canvas.showPage()


def two_columns(canvas: Canvas) -> None:
    """Two columns, drawn line by line across both, below a title."""
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(60, 790, "Maintenance of the cabinet and of what belongs to it")
    canvas.setFont("Helvetica", 9)
    for row, line in enumerate(PROSE):
        canvas.drawString(60, 750 - 12 * row, f"L{row} {line[:44]}")
        canvas.drawString(320, 750 - 12 * row, f"R{row} {line[:44]}")


def empty_page(canvas: Canvas) -> None:
    canvas.rect(100, 100, 200, 200)


def word(path: Path) -> Path:
    document = docx.Document()
    document.add_heading("Service Manual", 0)
    document.add_heading("Safety", 1)
    document.add_paragraph("Wait 15 minutes before touching any busbar.")
    document.add_paragraph("Lock the isolator.", style="List Bullet")
    table = document.add_table(rows=0, cols=3)
    for row in (("Part", "Quantity", "Price"), ("Filter mat", "2", "14.50"), ("Door seal", "1", "31.00")):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.save(str(path))
    return path


def sheet(path: Path) -> Path:
    book = openpyxl.Workbook()
    book.active.title = "Stock"
    book.active.append(["Part", "Count", "Price"])
    for number in range(450):
        book.active.append([f"Part {number}", number, number + 0.5])
    book.save(path)
    return path


def slides(path: Path) -> Path:
    show = pptx.Presentation()
    for name in ("Results", "Outlook"):
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = name
        slide.placeholders[1].text = f"The {name.lower()} are good."
    show.save(str(path))
    return path


def filled_form(canvas: Canvas, *, turned: bool = False) -> None:
    """A page with a form that is filled in: a text, a password, two boxes, a list and two radio buttons."""
    if turned:
        canvas.setPageRotation(90)
    form = canvas.acroForm
    for at, label in enumerate(("Surname:", "Secret:", "Meals:", "Smoker:", "Plan:", "Seat:")):
        canvas.drawString(50, 800 - 40 * at, label)
    form.textfield(name="surname", value="Smithson-Öz", x=150, y=790, width=200, height=24)
    form.textfield(name="secret", value="hunter2", x=150, y=750, width=200, height=24, fieldFlags="password")
    form.textfield(name="unseen", value="unseen", x=360, y=750, width=90, height=24, annotationFlags="hidden")
    form.checkbox(name="meals", checked=True, x=150, y=715)
    form.checkbox(name="smoker", checked=False, x=150, y=675)
    form.choice(name="plan", value="g", options=[("Silver", "s"), ("Gold", "g")], x=150, y=630, width=90, height=24)
    form.radio(name="seat", value="aisle", selected=False, x=150, y=595)
    form.radio(name="seat", value="window", selected=True, x=200, y=595)
