"""PDF, read by pypdfium2 (https://pypdfium2.readthedocs.io).

A PDF has no lines, columns or tables, only runs of letters with a place on the page; `layout.py` puts these in reading
order.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any, TypeAlias

import pypdfium2
from pypdfium2 import raw

from ..errors import Unreadable
from ..files import Readable
from ..pages import About, OpenedDocument, Page
from .form import form_runs, open_form
from .hyphens import LIGATURES, Words
from .layout import page_of
from .margins import WINDOW, Edges, edges_of, margins_of
from .ocr import scanned_runs
from .ruled import Lines, grids_of, lines_of_page
from .runs import Box, Run, Sheet


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
    """Yield the pages in order. A page waits for the next `WINDOW` pages, by which headers and footers are found."""
    words = Words()
    waiting: deque[Sheet] = deque()
    edges: deque[tuple[int, Edges]] = deque(maxlen=2 * WINDOW + 1)
    known: set[str] = set()
    for index in range(len(document) + WINDOW):
        if index < len(document):
            sheet = _sheet(document, index, words)
            waiting.append(sheet)
            edges.append((sheet.number, edges_of(sheet)))
        if waiting and index - WINDOW >= waiting[0].number - 1:
            sheet = waiting.popleft()
            near = [one for one in edges if abs(one[0] - sheet.number) <= WINDOW]
            margins = [*margins_of(sheet.number, near)]
            new = {one.key for one in margins if not one.is_number} - known
            known |= new
            yield page_of(sheet, margins, new, words)
    document.close()


def _sheet(document: pypdfium2.PdfDocument, index: int, words: Words) -> Sheet:
    try:
        page = document[index]
        text = page.get_textpage()
    except pypdfium2.PdfiumError:  # one broken page; the others can be read
        return Sheet(index + 1, 1.0, 1.0, [])
    letters = characters(text)
    words.add(letters)
    lines = lines_of_page(page)
    frame = Frame(page)
    directions: dict[int, list[Run]] = {}
    for line in _LINE.finditer(letters):
        for quarter, run in _runs(text, line, frame, lines):
            directions.setdefault(quarter, []).append(run)
    if not directions:
        scanned = scanned_runs(page)
        runs = scanned + form_runs(document, page, partial(frame.turned, frame.shown), scanned)
        sheet = Sheet(index + 1, page.get_width(), page.get_height(), runs)
    else:
        main = max(directions, key=lambda quarter: sum(len(run.text) for run in directions[quarter]))
        runs = directions.pop(main)
        runs += form_runs(document, page, partial(frame.turned, main), runs)
        grids, runs = grids_of(lines if main == 0 else frame.turned_lines(lines, main), runs, words)
        width, height = frame.size(main)
        sheet = Sheet(index + 1, width, height, runs, tuple(grids), tuple(directions.values()))
    text.close()
    page.close()
    return sheet


_LINE = re.compile(r"[^\r\n]+")
_WORD = re.compile(r"[^\s\x00\x02\ufffe]+[\x02\ufffe]?|[\x02\ufffe]")
"""A word. The parser puts the rest of a divided word directly after its hyphen, although it is in the next line."""
_FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_BOLD = re.compile(b"[Bb]old|Black|Heavy")
_FONT = ctypes.create_string_buffer(64)
"""Buffer for a font's name, shared since a process reads one file at a time."""
_CLEANED = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127, 0xFFFD]) | {0xFFFE: "-", 2: "-"} | LIGATURES
"""Removes control characters. A hyphen at the end of a line comes as U+FFFE or U+0002."""
_BETWEEN_NUMBERS = 0.25
"""The same between two numbers."""
_loose_box, _font_info = raw.FPDFText_GetLooseCharBox, raw.FPDFText_GetFontInfo
_angle = raw.FPDFText_GetCharAngle
_QUARTER = math.pi / 2
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


class Frame:
    """A page that is not turned, and the directions of text on it, in quarter turns clockwise."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        self._left, self._bottom, right, top = page.get_cropbox()
        self._width, self._height = right - self._left, top - self._bottom
        self.shown = -page.get_rotation() // 90 % 4
        """The quarter by which places of letters are turned to those on the page as shown."""
        self._box = raw.FS_RECTF()

    def place(self, text: Any, at: int, quarter: int) -> Box:
        """Return the place of a letter, turned so that its text is upright."""
        box = self._box
        _loose_box(text, at, box)
        return self.turned(quarter, box.left, box.bottom, box.right, box.top)

    def turned(self, quarter: int, left: float, bottom: float, right: float, top: float) -> Box:
        """Turn a box counterclockwise by some quarters."""
        if not quarter and not self._left and not self._bottom and top > bottom + 0.1:
            return left, bottom, right, top
        left, right, bottom, top = left - self._left, right - self._left, bottom - self._bottom, top - self._bottom
        if quarter == 1:
            left, bottom, right, top = self._height - top, left, self._height - bottom, right
        elif quarter == 2:
            left, right = self._width - right, self._width - left
            bottom, top = self._height - top, self._height - bottom
        elif quarter == 3:
            left, bottom, right, top = bottom, self._width - right, top, self._width - left
        return left, bottom, right, top if top > bottom + 0.1 else bottom + 0.1

    def size(self, quarter: int) -> tuple[float, float]:
        return (self._height, self._width) if quarter % 2 else (self._width, self._height)

    def turned_lines(self, lines: Lines, quarter: int) -> Lines:
        """Turn the drawn lines of a page."""
        found = Lines()
        for y, left, right in lines.level:
            found.add(*self.turned(quarter, left, y, right, y))
        for x, bottom, top in lines.upright:
            found.add(*self.turned(quarter, x, bottom, x, top))
        found.sort()
        return found


def _runs(
    text: pypdfium2.PdfTextPage, line: re.Match[str], frame: Frame, lines: Lines
) -> Iterator[tuple[int, Run]]:
    """Yield the words of a line with their direction, joined if they are near each other and no drawn line is between
    them; right-to-left text in reading order."""
    gap = _GAP * (3 if _FROM_RIGHT.search(line[0]) else 1)
    handle = text.raw
    string = line.string
    quarter = round(_angle(handle, line.start()) / _QUARTER) % 4
    begin = end = -1
    left = bottom = right = top = 0.0
    for word in _WORD.finditer(string, *line.span()):
        for first, last, place in _parts(handle, word.span(), frame, quarter, lines):
            its_left, its_bottom, its_right, its_top = place
            height = top - bottom
            if begin >= 0:
                is_level = abs(its_bottom - bottom) + abs(its_top - top) < 0.3 * height
                most = gap if not (string[end - 1].isdigit() and string[first].isdigit()) else _BETWEEN_NUMBERS
                if (
                    is_level
                    and (its_left - right if its_left >= left else left - its_right) < most * height
                    and not lines.parts(min(right, its_left) - 2.5, its_left + 1, (bottom + top) / 2)
                ):
                    end = last
                    left = its_left if its_left < left else left
                    right = its_right if its_right > right else right
                    continue
                if run := _run(text, string, begin, end, (left, bottom, right, top)):
                    yield quarter, run
                if not is_level:
                    quarter = round(_angle(handle, first) / _QUARTER) % 4
                    places = (frame.place(handle, at, quarter) for at in (first, last - 1))
                    its_left, its_bottom, its_right, its_top = _around(*places)
            begin, end = first, last
            left, bottom, right, top = its_left, its_bottom, its_right, its_top
    if begin >= 0 and (run := _run(text, string, begin, end, (left, bottom, right, top))):
        yield quarter, run


_Part: TypeAlias = tuple[int, int, Box]


def _parts(handle: Any, word: tuple[int, int], frame: Frame, quarter: int, lines: Lines) -> Sequence[_Part]:
    """Return a word with its place. Two words that touch each other are two: of columns, at different heights, or of
    cells, with a drawn line between them."""
    begin, end = word
    first = frame.place(handle, begin, quarter)
    if end == begin + 1:
        return ((begin, end, first),)
    last = frame.place(handle, end - 1, quarter)
    if end - begin > 3:
        level, high = first[1], first[3] - first[1]
        if abs(last[1] - level) > 0.1 * high or lines.parts(first[0] + 1, last[2] - 1, level + high / 2):
            return [*_split(handle, word, frame, quarter, lines)]
    return ((begin, end, _around(first, last)),)


def _around(first: Box, last: Box) -> Box:
    left, right = (one if one < other else other for one, other in ((first[0], last[0]), (-first[2], -last[2])))
    return left, first[1], -right, first[3]


def _split(handle: Any, word: tuple[int, int], frame: Frame, quarter: int, lines: Lines) -> Iterator[_Part]:
    begin, end = word
    first = last = frame.place(handle, begin, quarter)
    for at in range(begin + 1, end):
        here = frame.place(handle, at, quarter)
        high = first[3] - first[1]
        is_beyond = lines.parts(first[0] + 1, (here[0] + here[2]) / 2, first[1] + high / 2)
        if is_beyond or abs(here[1] - first[1]) > 0.1 * high:
            yield begin, at, _around(first, last)
            begin, first = at, here
        last = here
    yield begin, end, _around(first, last)


def _run(text: pypdfium2.PdfTextPage, whole: str, begin: int, end: int, box: Box) -> Run | None:
    string = " ".join(whole[begin:end].translate(_CLEANED).split())
    if not string:
        return None
    height = box[3] - box[1]
    size = raw.FPDFText_GetFontSize(text, begin)
    if not height * 0.5 <= size <= height * 1.5:  # the page is scaled
        size = height * 0.85
    return Run(*box, string, size, _is_bold(text, begin) and _is_bold(text, end - 1))


def _is_bold(text: pypdfium2.PdfTextPage, at: int) -> bool:
    """Whether a font is bold, by its name: its weight is often missing, or that of a substitute."""
    _font_info(text.raw, at, _FONT, len(_FONT), None)
    return _BOLD.search(_FONT.value) is not None
