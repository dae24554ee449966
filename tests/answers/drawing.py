"""Draws statements: tables with right-aligned columns, each below the line that says its scale."""

from collections.abc import Sequence

from reportlab.pdfgen.canvas import Canvas

Row = tuple[str, ...]


def drawn(title: str, tables: Sequence[tuple[str, Sequence[Row]]], canvas: Canvas) -> None:
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(60, 780, title)
    canvas.setFont("Helvetica", 10)
    top = 745
    for scale, rows in tables:
        canvas.drawString(60, top, scale)
        for at, (label, *cells) in enumerate(rows, 1):
            canvas.drawString(60, top - 9 - 16 * at, label)
            for column, cell in enumerate(cells):
                canvas.drawRightString(300 + 90 * column, top - 9 - 16 * at, cell)
        top -= 60 + 16 * len(rows)
