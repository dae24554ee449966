"""Renders a page of a PDF file as an image (PNG), with a quote marked."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2
from numpy.typing import NDArray

from ..errors import Unreadable
from ..files import OpenFile, content_of, opened
from ..limits import Limits
from .form import open_form
from .pdf import Frame, characters
from .runs import Box

LARGEST = 2_000
"""Most pixels of the longer side."""
MOST_MARKS = 50
_MARKED = np.array([1.0, 0.92, 0.35])
"""Factors for red, green and blue below a mark, like a yellow marker."""
_PIECES = re.compile(r"\s*[\t\n|]\s*")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page by number, from 1. `pixels` are those of the longer side."""

    path: Path
    number: int
    quote: str = ""
    pixels: int = 1_200
    content: str = ""
    """Hash of the file's content (see `content_of`); another file in its place is not shown."""


def page_image(wanted: Wanted, limits: Limits) -> tuple[bytes, int]:
    """Return the image, and how many places are marked. A job for a separate process, since PDFium is not thread-safe.

    Raises Unreadable if the file or the page cannot be shown.
    """
    with opened(wanted.path) as file:
        if file.size > limits.file_bytes:
            raise Unreadable("too_large", "The file is too large to be shown as images.")
        if wanted.content and content_of(file, limits.file_bytes)[0] != wanted.content:
            raise Unreadable("damaged", "The file is another one now.")
        return _image(file, wanted)


def _image(file: OpenFile, wanted: Wanted) -> tuple[bytes, int]:
    try:
        document = pypdfium2.PdfDocument(file.read_bytes())
    except pypdfium2.PdfiumError:
        raise Unreadable("damaged", "The file cannot be shown as images: only PDF files can.") from None
    try:
        if not 1 <= wanted.number <= len(document):
            raise Unreadable("damaged", "The file has no such page.")
        open_form(document)
        page = document[wanted.number - 1]
        width, height = page.get_size()
        scale = min(max(wanted.pixels, 1), LARGEST) / max(width, height, 1.0)
        image: NDArray[np.uint8] = page.render(scale=scale, rev_byteorder=True).to_numpy()[:, :, :3].copy()
        marks = _marks(page, wanted.quote) if wanted.quote.strip() else []
    except pypdfium2.PdfiumError:
        raise Unreadable("damaged", "The page cannot be shown.") from None
    finally:
        document.close()
    _mark(image, marks, scale, height)
    return _png(image), len(marks)


def _marks(page: pypdfium2.PdfPage, quote: str) -> list[list[Box]]:
    """Return the boxes of each place of the quote; if it is not found in one piece, of the pieces that occur once."""
    text = page.get_textpage()
    frame = Frame(page)
    shown = characters(text)
    letters = [(one, at) for at, raw in enumerate(shown) for one in raw.casefold() if one.isalnum()]
    plain = "".join(one for one, _ in letters)
    found = list(_places(plain, quote))
    if not found:
        pieces = [list(_places(plain, piece)) for piece in _PIECES.split(quote)]
        found = [piece[0] for piece in pieces if len(piece) == 1]
    return [_boxes(text, [letters[at][1] for at in range(*span)], frame) for span in found[:MOST_MARKS]]


def _places(plain: str, quote: str) -> Iterator[tuple[int, int]]:
    """Yield places of a quote, comparing only letters and digits, since pages break and hyphenate lines."""
    wanted = "".join(one for one in quote.casefold() if one.isalnum())
    at = plain.find(wanted) if wanted else -1
    while at >= 0:
        yield at, at + len(wanted)
        at = plain.find(wanted, at + len(wanted))


def _boxes(text: pypdfium2.PdfTextPage, indices: list[int], frame: Frame) -> list[Box]:
    """Return one box per line."""
    boxes: list[Box] = []
    for left, bottom, right, top in (frame.place(text.raw, at, frame.shown) for at in dict.fromkeys(indices)):
        if boxes:
            before = boxes[-1]
            is_same_line = min(top, before[3]) - max(bottom, before[1]) > (top - bottom) / 2
            if is_same_line and left >= before[0]:
                boxes[-1] = (before[0], min(bottom, before[1]), max(right, before[2]), max(top, before[3]))
                continue
        boxes.append((left, bottom, right, top))
    return boxes


def _mark(image: NDArray[np.uint8], marks: list[list[Box]], scale: float, height: float) -> None:
    mask = np.zeros(image.shape[:2], bool)
    for left, bottom, right, top in (box for boxes in marks for box in boxes):
        rows = slice(max(0, int((height - top) * scale)), max(0, int((height - bottom) * scale) + 1))
        mask[rows, max(0, int(left * scale) - 1) : max(0, int(right * scale) + 2)] = True
    image[mask] = (image[mask] * _MARKED).astype(np.uint8)


def _png(image: NDArray[np.uint8]) -> bytes:
    height, width, _ = image.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), image.reshape(height, width * 3)], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b"")]
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
