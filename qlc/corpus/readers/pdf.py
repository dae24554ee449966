"""PDF, read by pypdfium2 (https://pypdfium2.readthedocs.io).

A PDF has no lines, columns or tables, only runs of letters with a place on the page; `layout.py` puts these in reading
order.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

import pypdfium2
from pypdfium2 import raw

from ..errors import Unreadable
from ..files import Readable
from ..pages import About, OpenedDocument, Page
from .form import form_runs, open_form
from .layout import Run, Sheet, page_of
from .ocr import scanned_runs


def read(path: Readable) -> OpenedDocument:
    """Read a PDF. Raises Unreadable for encrypted or damaged files."""
    file = path.open("rb")
    try:
        document = pypdfium2.PdfDocument(file, autoclose=True)
    except pypdfium2.PdfiumError as error:
        file.close()
        if "password" in str(error).lower():
            raise Unreadable("encrypted", "The file is encrypted: it opens only with a password.") from error
        raise Unreadable("damaged", "The file is damaged or cut off: no page can be read.") from error
    open_form(document)
    return OpenedDocument(_about(document), _pages(document))


def _about(document: pypdfium2.PdfDocument) -> About:
    entries = document.get_metadata_dict()
    return About(
        title=" ".join(entries.get("Title", "").split()),
        created=_time(entries.get("CreationDate", "")),
        modified=_time(entries.get("ModDate", "")),
        has_pages=True,
    )


def _time(text: str) -> str:
    """Convert `D:20240131120000+01'00'` (ISO 32000-1, 7.9.4) to ISO 8601; empty if it is not a date."""
    found = re.match(r"D:(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?(?:([+-])(\d\d)'?(\d\d))?", text)
    if not found:
        return ""
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    offset = timedelta(hours=int(found[8] or 0), minutes=int(found[9] or 0)) * (-1 if found[7] == "-" else 1)
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=timezone(offset)).isoformat()
    except ValueError:
        return ""


def _pages(document: pypdfium2.PdfDocument) -> Iterator[Page]:
    """Yield the pages in order, each once the next one is read, since text at the edges of both is a margin."""
    before: Sheet | None = None
    sheet: Sheet | None = None
    for index in range(len(document)):
        after = _sheet(document, index)
        if sheet:
            yield page_of(sheet, (before, after))
        before, sheet = sheet, after
    if sheet:
        yield page_of(sheet, (before,))
    document.close()


def _sheet(document: pypdfium2.PdfDocument, index: int) -> Sheet:
    try:
        page = document[index]
        text = page.get_textpage()
    except pypdfium2.PdfiumError:  # one broken page; the others can be read
        return Sheet(index + 1, 1.0, 1.0, [])
    place = Place(text, page.get_rotation(), *page.get_size())
    runs = [run for line in _LINE.finditer(characters(text)) for run in _runs(text, line, place)]
    runs = runs or scanned_runs(page)
    runs += form_runs(document, page, place.turned, runs)
    sheet = Sheet(index + 1, page.get_width(), page.get_height(), runs)
    text.close()
    page.close()
    return sheet


_LINE = re.compile(r"[^\r\n]+")
_WORD = re.compile(r"[^\s\x00]+")
_FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_BOLD = re.compile(b"[Bb]old|Black|Heavy")
_FONT = ctypes.create_string_buffer(64)
"""Buffer for a font's name, shared since a process reads one file at a time."""
_CLEANED = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127, 0xFFFD]) | {0xFFFE: "-", 2: "-"}
"""Removes control characters. A hyphen at the end of a line comes as U+FFFE or U+0002."""
_loose_box, _font_info = raw.FPDFText_GetLooseCharBox, raw.FPDFText_GetFontInfo
_GAP = 0.6
"""Most distance between two words of a run, in heights of the letters; a wider gap can separate columns."""


def characters(text: pypdfium2.PdfTextPage) -> str:
    """Return all characters of a page, each at its index; characters that UTF-16 cannot encode become spaces."""
    count = text.count_chars()
    whole = text.get_text_range(0, count) if count else ""
    if len(whole) == count:
        return whole
    codes = (raw.FPDFText_GetUnicode(text, at) for at in range(count))
    return "".join(chr(code) if code < 0xD800 or 0xDFFF < code <= 0x10FFFF else " " for code in codes)


class Place:
    """Maps places of letters to the page as shown, which can be rotated."""

    def __init__(self, text: pypdfium2.PdfTextPage, rotation: int, width: float, height: float) -> None:
        self._text = text.raw
        self._turns = rotation // 90
        self._width, self._height = width, height
        self._box = raw.FS_RECTF()

    def __call__(self, at: int) -> tuple[float, float, float, float]:
        """Return left, bottom, right and top of a letter with the height of its font."""
        box = self._box
        _loose_box(self._text, at, box)
        return self.turned(box.left, box.bottom, box.right, box.top)

    def turned(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        """Rotate a box like the page."""
        if not self._turns and top > bottom + 0.1:
            return left, bottom, right, top
        for turns in range(self._turns, 0, -1):
            side = self._height if turns % 2 else self._width
            left, bottom, right, top = bottom, side - right, top, side - left
        return left, bottom, right, top if top > bottom + 0.1 else bottom + 0.1


def _runs(text: pypdfium2.PdfTextPage, line: re.Match[str], place: Place) -> Iterator[Run]:
    """Yield the words of a line, joined if they are near each other; right-to-left text in reading order."""
    gap = _GAP * (3 if _FROM_RIGHT.search(line[0]) else 1)
    begin = end = -1
    left = bottom = right = top = 0.0
    for word in _WORD.finditer(line.string, *line.span()):
        its_left, its_bottom, first_right, its_top = place(word.start())
        its_right = first_right
        if word.end() > word.start() + 1:
            last_left, _, last_right, _ = place(word.end() - 1)
            its_left = last_left if last_left < its_left else its_left
            its_right = last_right if last_right > first_right else first_right
        height = top - bottom
        if begin >= 0:
            is_level = abs(its_bottom - bottom) + abs(its_top - top) < 0.3 * height
            if is_level and (its_left - right if its_left >= left else left - its_right) < gap * height:
                end = word.end()
                left = its_left if its_left < left else left
                right = its_right if its_right > right else right
                continue
            yield from _run(text, line.string, begin, end, (left, bottom, right, top))
        begin, end = word.span()
        left, bottom, right, top = its_left, its_bottom, its_right, its_top
    if begin >= 0:
        yield from _run(text, line.string, begin, end, (left, bottom, right, top))


def _run(
    text: pypdfium2.PdfTextPage, whole: str, begin: int, end: int, box: tuple[float, float, float, float]
) -> Iterator[Run]:
    if string := " ".join(whole[begin:end].translate(_CLEANED).split()):
        height = box[3] - box[1]
        size = raw.FPDFText_GetFontSize(text, begin)
        if not height * 0.5 <= size <= height * 1.5:  # the page is scaled
            size = height * 0.85
        yield Run(*box, string, size, _is_bold(text, begin) and _is_bold(text, end - 1))


def _is_bold(text: pypdfium2.PdfTextPage, at: int) -> bool:
    """Whether a font is bold, by its name: its weight is often missing, or that of a substitute."""
    _font_info(text.raw, at, _FONT, len(_FONT), None)
    return _BOLD.search(_FONT.value) is not None
