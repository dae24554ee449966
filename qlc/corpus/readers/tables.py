"""CSV and TSV, by Python's own reader. The delimiter must occur in each of the first lines."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from ..files import Readable
from ..pages import About, OpenedDocument, Page
from .office import pages_of_rows
from .plain import decode


def read(path: Readable) -> OpenedDocument:
    text = decode(path.read_bytes())
    return OpenedDocument(About(), _pages(text))


def _pages(text: str) -> Iterator[Page]:
    rows = ([cell.strip() for cell in row] for row in csv.reader(io.StringIO(text), delimiter=_delimiter(text)))
    return pages_of_rows(rows, 1)


def _delimiter(text: str) -> str:
    """Return the delimiter; the comma is tried last, since it can be part of a number."""
    lines = [line for line in text[:8192].splitlines()[:50] if line.strip()]
    lines = lines[:-1] if len(lines) > 1 and len(text) > 8192 else lines  # the last one may be cut off
    return next((mark for mark in "\t;|" if lines and all(mark in line for line in lines)), ",")
