"""CSV and TSV, by Python's own reader; the delimiter is the one that parts the first lines most evenly."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from ..pages import About, Page, Reading
from .office import pages_of_rows
from .plain import decode


def read(path: Path) -> Reading:
    text = decode(path.read_bytes())
    return Reading(About(), _pages(text))


def _pages(text: str) -> Iterator[Page]:
    try:
        dialect: type[csv.Dialect] | csv.Dialect = csv.Sniffer().sniff(text[:8192], ",;\t|")
    except csv.Error:
        dialect = csv.excel
    rows = ([cell.strip() for cell in row] for row in csv.reader(io.StringIO(text), dialect))
    return pages_of_rows(rows, 1)
