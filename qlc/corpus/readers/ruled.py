"""Tables with drawn lines: the lines of a page, and the cells between them."""

from __future__ import annotations

import ctypes
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

import pypdfium2
from pypdfium2 import raw

from .hyphens import Words, text_of
from .order import cells_of, rows_of
from .runs import Grid, Run

_THIN = 2.5
"""Most points of a line's thickness; a thicker filled shape is an area."""
_SHORTEST = 6.0
_SNAP = 2.5
"""Most points between two lines that are one, and between a line and the one where it ends."""
_MOST_OBJECTS = 20_000
_MOST_LINES = 4_000
"""Most lines of a page; with more it is a drawing."""
_MOST_SEGMENTS = 400
"""Most segments of a shape that is looked at."""
_MOST_CELLS = 10_000


@dataclass(slots=True)
class Lines:
    """The horizontal and vertical lines of a page: position, begin and end of each."""

    level: list[tuple[float, float, float]] = field(default_factory=list)
    upright: list[tuple[float, float, float]] = field(default_factory=list)
    _starts: list[float] = field(default_factory=list)

    def add(self, left: float, bottom: float, right: float, top: float) -> None:
        """Add a line, or the four edges of an area."""
        wide, high = right - left, top - bottom
        if high <= _THIN and wide >= _SHORTEST:
            self.level.append(((bottom + top) / 2, left, right))
        elif wide <= _THIN and high >= _SHORTEST:
            self.upright.append(((left + right) / 2, bottom, top))
        elif wide > _THIN and high > _THIN:
            self.level += [(bottom, left, right), (top, left, right)]
            self.upright += [(left, bottom, top), (right, bottom, top)]

    def sort(self) -> None:
        self.upright.sort()
        self._starts = [one[0] for one in self.upright]

    def parts(self, left: float, right: float, level: float) -> bool:
        """Whether an upright line is between two x positions at a height."""
        if not self._starts:
            return False
        at = bisect_left(self._starts, left)
        while at < len(self._starts) and self._starts[at] <= right:
            if self.upright[at][1] <= level <= self.upright[at][2]:
                return True
            at += 1
        return False


def lines_of_page(page: pypdfium2.PdfPage) -> Lines:
    """Return the lines of a page, in points from its lower left corner, not turned. Drawings have none."""
    lines = Lines()
    count = raw.FPDFPage_CountObjects(page)
    if count > _MOST_OBJECTS:
        return lines
    box = [ctypes.c_float() for _ in range(4)]
    places = [ctypes.byref(one) for one in box]
    handle, get, kind = page.raw, raw.FPDFPage_GetObject, raw.FPDFPageObj_GetType
    for at in range(count):
        shape = get(handle, at)
        if kind(shape) != raw.FPDF_PAGEOBJ_PATH or not raw.FPDFPageObj_GetBounds(shape, *places):
            continue
        left, bottom, right, top = (one.value for one in box)
        segments = raw.FPDFPath_CountSegments(shape)
        if right - left <= _THIN or top - bottom <= _THIN or (segments <= 6 and _is_rectangle(shape, segments)):
            lines.add(left, bottom, right, top)
        elif segments <= _MOST_SEGMENTS:
            _add_segments(lines, shape, segments)
        if len(lines.level) + len(lines.upright) > _MOST_LINES:
            return Lines()
    lines.sort()
    return lines


def _is_rectangle(shape: raw.FPDF_PAGEOBJECT, segments: int) -> bool:
    points = [point for point, _ in _points(shape, segments)]
    return segments >= 4 and len({round(x) for x, _ in points}) == 2 and len({round(y) for _, y in points}) == 2


def _points(shape: raw.FPDF_PAGEOBJECT, segments: int) -> Iterable[tuple[tuple[float, float], int]]:
    x, y = ctypes.c_float(), ctypes.c_float()
    for at in range(segments):
        segment = raw.FPDFPath_GetPathSegment(shape, at)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        yield (x.value, y.value), raw.FPDFPathSegment_GetType(segment)


def _add_segments(lines: Lines, shape: raw.FPDF_PAGEOBJECT, segments: int) -> None:
    """Add the straight parts of a shape."""
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(shape, matrix)

    def placed(point: tuple[float, float]) -> tuple[float, float]:
        x, y = point
        return matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f

    before: tuple[float, float] | None = None
    for point, kind in _points(shape, segments):
        here = placed(point)
        if kind == raw.FPDF_SEGMENT_LINETO and before is not None:
            left, right = sorted((before[0], here[0]))
            bottom, top = sorted((before[1], here[1]))
            if right - left <= _THIN or top - bottom <= _THIN:
                lines.add(left, bottom, right, top)
        before = here


# --- tables ----------------------------------------------------------------------------------------------------------


def grids_of(lines: Lines, runs: Sequence[Run], words: Words) -> tuple[list[Grid], list[Run]]:
    """Return the tables of a page, and the runs outside of them."""
    grids: list[Grid] = []
    rest = list(runs)
    for level, upright in _connected(lines):
        xs = _places([one[0] for one in upright] + [end for one in level for end in one[1:]])
        ys = _places([one[0] for one in level] + [end for one in upright for end in one[1:]])[::-1]
        if len(xs) < 3 or len(ys) < 3 or len(xs) * len(ys) > _MOST_CELLS:
            continue
        across = [run for run in rest if ys[-1] <= run.middle <= ys[0]]
        inside = [run for run in across if xs[0] <= (run.left + run.right) / 2 <= xs[-1]]
        if grid := _grid(xs, ys, upright, level, inside, words):
            held = set(map(id, inside))
            rest = [run for run in rest if id(run) not in held]
            grids.append(grid)
    return grids, rest


_Segments = list[tuple[float, float, float]]


def _connected(lines: Lines) -> Iterable[tuple[_Segments, _Segments]]:
    """Yield groups of lines that cross or touch each other."""
    level, upright = _merged(lines.level), _merged(lines.upright)
    parent = list(range(len(level) + len(upright)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    places = [one[0] for one in upright]
    for at, (y, left, right) in enumerate(level):
        for other in range(bisect_left(places, left - _SNAP), len(upright)):
            x, bottom, top = upright[other]
            if x > right + _SNAP:
                break
            if bottom - _SNAP <= y <= top + _SNAP:
                parent[root(at)] = root(len(level) + other)
    groups: dict[int, tuple[_Segments, _Segments]] = {}
    for at in range(len(parent)):
        group = groups.setdefault(root(at), ([], []))
        if at < len(level):
            group[0].append(level[at])
        else:
            group[1].append(upright[at - len(level)])
    for group in groups.values():
        if len(group[0]) > 1 and len(group[1]) > 0 and len(group[0]) + len(group[1]) > 4:
            yield group


def _merged(lines: _Segments) -> _Segments:
    """Return lines after parts of one line were joined, sorted by position."""
    found: _Segments = []
    for place, begin, end in sorted(lines):
        for at in range(len(found) - 1, -1, -1):
            other, other_begin, other_end = found[at]
            if place - other > _SNAP / 2:
                found.append((place, begin, end))
                break
            if begin <= other_end + _SNAP and end >= other_begin - _SNAP:
                found[at] = (other, min(begin, other_begin), max(end, other_end))
                break
        else:
            found.append((place, begin, end))
    return sorted(found)


def _places(values: Iterable[float]) -> list[float]:
    """Sort positions and merge those that are nearly equal."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _SNAP:
            found.append(value)
    return found


def _grid(
    xs: list[float], ys: list[float], upright: _Segments, level: _Segments, runs: list[Run], words: Words
) -> Grid | None:
    """Return a table of the cells between lines; None if the lines are a frame or a drawing."""
    if len(runs) < 4:
        return None
    columns, bands = len(xs) - 1, len(ys) - 1
    falling = [-y for y in ys]
    walls = [[_is_drawn(upright, xs[c + 1], (ys[r] + ys[r + 1]) / 2) for c in range(columns - 1)] for r in range(bands)]
    floors = [[_is_drawn(level, ys[r + 1], (xs[c] + xs[c + 1]) / 2) for c in range(columns)] for r in range(bands - 1)]
    kept_bands = [r for r in range(bands) if not r or any(floors[r - 1])]  # the others continue the band above
    found: list[list[list[list[Run]]]] = [[[] for _ in range(columns)] for _ in kept_bands]
    crowded = 0
    by_band: dict[int, list[Run]] = {}
    for run in runs:
        by_band.setdefault(min(max(bisect_left(falling, -run.middle) - 1, 0), bands - 1), []).append(run)
    for r, held in by_band.items():
        band = found[bisect_left(kept_bands, r + 1) - 1]
        for row in rows_of(held):
            spans: dict[int, list[Run]] = {}
            for run in row:
                column = _column(xs, run)
                while column and not walls[r][column - 1]:
                    column -= 1
                spans.setdefault(column, []).append(run)
            for begin, part in spans.items():
                cells = cells_of(part)
                places = [begin if len(cells) == 1 else max(begin, _column(xs, cell)) for cell in cells]
                crowded += len(set(places)) < len(places)
                for place in sorted(set(places)):
                    band[place].append([cell for cell, at in zip(cells, places, strict=True) if at == place])
    if crowded * 4 > sum(len(cell) > 0 for band in found for cell in band):
        return None  # there are more columns than lines between them
    is_bold = next((all(run.bold for c in band for row in c for run in row) for band in found if any(band)), False)
    _repeat_over_rows(found, [floors[r - 1] for r in kept_bands[1:]], words)
    rows = [row for band in found for row in _rows_of_band(band, words)]
    filled = [row for row in rows if any(row)]
    kept = [c for c in range(columns) if any(row[c] for row in filled)]
    if len(kept) < 2 or len(filled) < 2 or sum(sum(map(bool, row)) > 1 for row in filled) * 2 < len(filled):
        return None
    texts = tuple(tuple(row[c] for c in kept) for row in filled)
    return Grid(xs[0], ys[-1], xs[-1], ys[0], texts, median(run.size for run in runs), is_bold)


def _column(xs: list[float], run: Run) -> int:
    place = run.left + min(run.size, run.right - run.left) / 2
    return min(max(bisect_left(xs, place) - 1, 0), len(xs) - 2)


def _repeat_over_rows(found: list[list[list[list[Run]]]], floors: list[list[bool]], words: Words) -> None:
    """Give a cell over several rows, without a line below it, the whole of its text in each of them."""
    for c in range(len(found[0]) if found else 0):
        begin = 0
        for r in range(1, len(found) + 1):
            if r == len(found) or floors[r - 1][c]:
                own = sum(bool(band[c]) for band in found[begin:r])
                is_list = r - begin > 2 and own * 5 >= (r - begin) * 3  # only the lines between cells are missing
                if r - begin > 1 and not is_list:
                    whole = [row for band in found[begin:r] for row in band[c]]
                    text = text_of((_text_of_row(row) for row in whole), words)
                    for band in found[begin:r]:
                        beside = next((one[0][0] for at, one in enumerate(band) if one and at != c), None)
                        if whole and beside is not None:
                            band[c] = [[whole[0][0]._replace(text=text, bottom=beside.bottom, top=beside.top)]]
                begin = r


def _text_of_row(row: list[Run]) -> str:
    return " ".join(cell.text for cell in row)


def _rows_of_band(lines: list[list[list[Run]]], words: Words) -> list[list[str]]:
    """Return the rows between two level lines: one, or one for each line of text if these are at the same heights in
    most columns and hold numbers, as in a table whose rows are not separated by lines."""
    texts = [[_text_of_row(row) for row in one] for one in lines]
    levels: list[Run] = []
    for run in sorted((row[0] for one in lines for row in one), key=lambda run: -run.middle):
        if not levels or levels[-1].middle - run.middle > run.size / 2:
            levels.append(run)
    full = [one for one in lines if len(one) * 2 > len(levels)]
    numeric = sum(_is_of_numbers(one) for one in full)
    is_list = len(levels) > 1 and len(full) > 1 and numeric and (len(levels) > 2 or numeric > 1)
    if is_list and len(full) * 2 > sum(map(bool, lines)):
        found = [["" for _ in lines] for _ in levels]
        for c, one in enumerate(lines):
            for row, text in zip(one, texts[c], strict=False):
                nearest = min(range(len(levels)), key=lambda at: abs(levels[at].middle - row[0].middle))
                found[nearest][c] = f"{found[nearest][c]} {text}".strip()
        return found
    return [[text_of(text, words) for text in texts]]


def _is_of_numbers(lines: list[list[Run]]) -> bool:
    """Whether most lines of a cell have digits."""
    count = sum(any(letter.isdigit() for run in line for letter in run.text) for line in lines)
    return count * 5 >= len(lines) * 4


def _is_drawn(lines: _Segments, place: float, across: float) -> bool:
    at = bisect_left(lines, (place - _SNAP,))
    while at < len(lines) and lines[at][0] <= place + _SNAP:
        if lines[at][1] - _SNAP <= across <= lines[at][2] + _SNAP:
            return True
        at += 1
    return False
