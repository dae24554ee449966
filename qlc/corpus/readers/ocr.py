"""Reads scanned pages by tesseract (https://tesseract-ocr.github.io): the extra `ocr` and that program."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pypdfium2
from pypdfium2 import raw

from qlc.base.extras import can_read_scans

from ..work import still_working
from .runs import Run

_DPI = 300
_MOST_PIXELS = 40_000_000
"""Most pixels of a page; larger ones are rendered at a lower resolution."""
_PAGE_SECONDS = 60
_LEAST_CONFIDENCE = 30
"""Confidence in percent below which tesseract more often reads spots and lines than words."""
_GAP = 1.5
"""Least gap between two cells of a table, in heights of the line."""


def scanned_runs(page: pypdfium2.PdfPage) -> list[Run]:
    """Return the words of a scanned page at their places; empty for a page without a picture."""
    if not can_read_scans() or not any(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3)):
        return []
    still_working()
    scale = min(_DPI / 72, (_MOST_PIXELS / (page.get_width() * page.get_height())) ** 0.5)
    picture = page.render(scale=scale, grayscale=True, may_draw_forms=False).to_pil()
    return [_run(words, page.get_height(), scale) for words in _cells(_words(picture))]


def _words(picture: Any) -> list[dict[str, Any]]:
    """Return each word: text, place in pixels from the top, and the numbers of block, paragraph and line."""
    import pytesseract

    os.environ["OMP_THREAD_LIMIT"] = "1"  # as many files are read at once as there are cores
    options = {"timeout": _PAGE_SECONDS, "output_type": pytesseract.Output.DICT}
    try:
        data = pytesseract.image_to_data(picture, lang=_languages(), **options)
    except RuntimeError:  # too much for one page, as it is broken or a drawing; the others can be read
        return []
    words = [dict(zip(data, values, strict=True)) for values in zip(*data.values(), strict=True)]
    return [one for one in words if one["text"].strip() and float(one["conf"]) >= _LEAST_CONFIDENCE]


@cache
def _languages() -> str:
    """Return all installed languages of tesseract."""
    import pytesseract

    return "+".join(one for one in pytesseract.get_languages() if one != "osd") or "eng"


def _cells(words: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield groups of words that are adjacent in a line, in order."""
    cell: list[dict[str, Any]] = []
    for word in words:
        if cell:
            before = cell[-1]
            same_line = all(before[key] == word[key] for key in ("block_num", "par_num", "line_num"))
            gap = word["left"] - before["left"] - before["width"]
            if not same_line or gap > _GAP * max(before["height"], word["height"]):
                yield cell
                cell = []
        cell.append(word)
    if cell:
        yield cell


def _run(words: Sequence[dict[str, Any]], page_height: float, scale: float) -> Run:
    top = min(one["top"] for one in words)
    bottom = max(one["top"] + one["height"] for one in words)
    return Run(
        min(one["left"] for one in words) / scale,
        page_height - bottom / scale,
        max(one["left"] + one["width"] for one in words) / scale,
        page_height - top / scale,
        " ".join(one["text"].strip() for one in words),
        (bottom - top) / scale,
        False,
    )
