"""Finds the tables in a grid of cells: where the header is, and which rows are titles, totals, notes or bad."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, islice
from typing import Any

from qlc.tables.cells import as_text, is_missing, read_day, read_number
from qlc.tables.model import BadRow, RawTable, Report, Row
from qlc.tables.parts import joined
from qlc.tables.totals import Sums, is_total, may_be_total

SOUGHT = 60
"""Rows at the beginning in which the header is looked for."""
_MOST_IN_NAME = 5
"""Words of a title that names a table; a longer one is a sentence about the sheet."""
_KEPT_BACK = 12
"""Rows at the end that may be totals and notes."""
_MOST_SUMMED = 5_000
"""Rows of a table up to which each is compared with the sums of others."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a table: the line of its last row, the columns that have a header, and what was written above."""

    line: int
    places: tuple[int, ...]
    names: tuple[str, ...]
    title: str = ""
    left_out: tuple[str, ...] = ()


def is_empty(cells: Sequence[Any]) -> bool:
    for cell in cells:
        if cell is not None and not (isinstance(cell, str) and (not cell or cell.isspace())):
            return False
    return True


def _filled(cells: Sequence[Any]) -> list[int]:
    return [at for at, cell in enumerate(cells) if not is_empty((cell,))]


def _is_label(cell: Any) -> bool:
    """Whether a cell can be the header of a column: a text that is no value, or a year above figures."""
    if isinstance(cell, int) and not isinstance(cell, bool):
        return 1900 <= cell <= 2100
    return isinstance(cell, str) and read_day(cell) is None and (read_number(cell) is None or len(cell.strip()) == 4)


def find_header(
    rows: Sequence[Row], spans: Callable[[int], bool] = lambda line: False, least: int = 2
) -> Header | None:
    """The header in the first rows of a table; None where there is no row of labels above others.

    `spans` says whether cells of a line are merged over several columns: such a line and the one below it are two
    rows of one header, whose names are joined: "Cost" above "2024" -> "Cost / 2024". So are a line that repeats a label
    in the next column and labels below it. A header has `least` columns. A column without a label in which many rows
    have a value is called by its place: "Column 5".
    """
    widths = Counter(len(_filled(cells)) for _, cells in rows if len(_filled(cells)) >= least)
    if not widths:
        return None
    usual = max(width for width, count in widths.items() if count >= min(3, widths.most_common(1)[0][1]))
    titles: list[str] = []
    for at, (line, cells) in enumerate(rows):
        filled = _filled(cells)
        labels = [place for place in filled if _is_label(cells[place])]
        below = rows[at + 1][1] if at + 1 < len(rows) else ()
        after = [row for _, row in rows[at + 2 :]]
        double = spans(line) or (len(filled) >= least and _has_gaps(cells, below, after))
        if len(filled) >= least and len(labels) == len(filled) and (len(filled) >= 0.6 * usual or double):
            double = (double or _repeats_labels(cells, below, after)) and all(map(_is_label, _values(below)))
            names = _joined(cells, below) if double else {place: as_text(cells[place]).strip() for place in filled}
            names = dict(sorted({**_unlabelled(names, [row for _, row in rows[at + 1 + double :]]), **names}.items()))
            places = tuple(names)
            above = tuple(f"'{one}' above the header is left out" for one in titles)
            return Header(rows[at + double][0], places, _apart(names.values()), titles[-1] if titles else "", above)
        if filled:
            titles.append(" ".join(as_text(cells[place]).strip() for place in filled))
    return None


def _values(cells: Sequence[Any]) -> list[Any]:
    return [cells[place] for place in _filled(cells)]


def _repeats_labels(above: Sequence[Any], below: Sequence[Any], after: Sequence[Sequence[Any]]) -> bool:
    """Whether a row repeats a label in the next column, above other labels, most cells below which are values: "Name,
    Census, Census" above ", Speakers, Part" above "Hindi, 40, 2 %". One of its other labels has nothing below it."""
    said = [as_text(cell).strip() for cell in above]
    beside = zip(said, ["", *said], [*said[1:], ""], strict=False)
    repeated = {place for place, (one, *others) in enumerate(beside) if one and one in others}
    under = {place for place in _filled(below) if place >= len(said) or as_text(below[place]).strip() != said[place]}
    cells = [_is_label(row[place]) for row in after for place in _filled(row) if place in repeated]
    return bool(repeated) and repeated <= under < {*_filled(above), *under} and 2 * sum(cells) < len(cells)


def _has_gaps(above: Sequence[Any], below: Sequence[Any], after: Sequence[Sequence[Any]]) -> bool:
    """Whether a row has empty cells above labels, which themselves are above values: "Shop, 2024, " above ", Plan,
    Real" above "York, 1, 2"."""
    under = [place for place in _filled(below) if not is_missing(as_text(below[place]))]
    gaps = {*under} - {*_filled(above)}
    cells = [_is_label(row[place]) for row in after for place in _filled(row) if place in under]
    is_apart = bool(gaps) and (0 in _filled(above)) != (0 in under)
    return len(under) > 1 and is_apart and len({*map(as_text, _values(below))}) > 1 and 2 * sum(cells) < len(cells)


_OFTEN = 0.25
"""Part of the first rows that have a value in a column without a label, from which on it is a column."""


def _unlabelled(names: Collection[int], rows: Sequence[Sequence[Any]]) -> dict[int, str]:
    """Return names for columns without a label that have values in many rows; in a few, they belong to spoiled rows."""
    counts = Counter(place for row in rows for place in _filled(row) if place not in names)
    least = max(2, _OFTEN * sum(not is_empty(row) for row in rows))
    return {place: f"Column {place + 1}" for place, count in counts.items() if count >= least}


def _joined(above: Sequence[Any], below: Sequence[Any]) -> dict[int, str]:
    """The names of two rows of a header; what is merged over several columns stands in the first of them."""
    names: dict[int, str] = {}
    upper = ""
    for place in range(max(len(above), len(below))):
        one = as_text(above[place]).strip() if place < len(above) else ""
        two = as_text(below[place]).strip() if place < len(below) else ""
        upper = one or (upper if two else "")
        if one or two:
            names[place] = " / ".join(dict.fromkeys(filter(None, (upper, two))))
    return names


def _apart(names: Iterable[str]) -> tuple[str, ...]:
    """Headers with a number where one occurs again: `Phone`, `Phone 2`."""
    seen: Counter[str] = Counter()
    found = []
    for one in names:
        one = " ".join(one.split())
        seen[one] += 1
        found.append(one if seen[one] == 1 else f"{one} {seen[one]}")
    return tuple(found)


def rows_below(header: Header, rows: Iterable[Row], file: str, report: Report) -> Iterator[Row]:
    """The rows of data below a header: without totals, notes and rows that do not fit, which are reported.

    Totals are found by the numbers around them; those of a long table by their labels alone.
    """
    below = _with_notes_on_headers(header, rows, report)
    ahead = [*islice(below, _MOST_SUMMED + 1)]
    is_short = len(ahead) <= _MOST_SUMMED
    verdicts = Sums(len(header.places)).verdicts([_at_places(header, cells) for _, cells in ahead]) if is_short else []
    plain = header.places == tuple(range(len(header.places)))
    cells = [cells for _, cells in ahead] if is_short else []
    for at, (row, is_at_end) in enumerate(_with_ends(header, chain(ahead, below))):
        if not is_short and plain and not is_at_end and _is_usual(header, row[1]):
            yield row
            continue
        made = verdicts[at] if is_short else "total" if _is_total(header, row[1]) else ""
        if made == "?":
            report.doubts.append(f"line {row[0]:,} is called a total, but is not the sum of other rows, and counts as "
                                 f"a row: {_short(row[1])}")  # fmt: skip
        if 0 < at < len(cells) - 1 and _breaks(cells, at):
            report.doubts.append(_MAY_BE_HEADER.format(row[0]))
        if made not in ("", "?"):
            report.left_out.append(f"line {row[0]:,}, a {made}, is left out: {_short(row[1])}")
        else:
            yield from _fitting(header, row, file, report, at_end=is_at_end)


_MAY_BE_HEADER = "line {:,} may be the header of another table: put that into a file of its own"


def _with_notes_on_headers(header: Header, rows: Iterable[Row], report: Report) -> Iterator[Row]:
    """Yield the rows below a header that have values. One that may be the header of another table is reported."""
    before: Sequence[Any] = ()
    is_below_gap = False
    for line, cells in rows:
        if line <= header.line or is_empty(cells):
            is_below_gap = line > header.line
            continue
        if is_below_gap and _may_be_header(cells, before):
            report.doubts.append(_MAY_BE_HEADER.format(line))
        before, is_below_gap = cells, False
        yield line, cells


def _with_ends(header: Header, rows: Iterable[Row]) -> Iterator[tuple[Row, bool]]:
    """Yield rows, each with whether it is below the last row with values, where notes are.

    `C,` of two columns is a row without its second value; a note has no cell there, or is below an empty row.
    """
    waiting: deque[Row] = deque()
    for row in rows:
        waiting.append(row)
        if len(waiting) > _KEPT_BACK:
            yield waiting.popleft(), False
    full = (at for at, (_, cells) in enumerate(waiting) if not _is_total(header, cells) and len(_filled(cells)) > 1)
    last = max(full, default=-1)
    for at, row in enumerate(waiting):
        is_apart = len(row[1]) < 2 or (at > 0 and row[0] > waiting[at - 1][0] + 1)
        yield row, at > last and (is_apart or len(header.places) > 2)


def _at_places(header: Header, cells: Sequence[Any]) -> list[str]:
    """Return the texts of a row below the header, none for one that repeats it."""
    texts = [as_text(cells[at]).strip() if at < len(cells) else "" for at in header.places]
    return [] if texts == [*header.names] else texts


def _may_be_header(cells: Sequence[Any], before: Sequence[Any]) -> bool:
    """Whether a row has labels alone, and the row before it has values too."""
    filled = _filled(cells)
    return len(filled) > 1 and all(_is_label(cells[at]) for at in filled) and not all(
        _is_label(before[at]) for at in _filled(before))


def _is_usual(header: Header, cells: Sequence[Any]) -> bool:
    """Whether a row is as wide as the header and begins with plain values. Most rows do, and need no closer look."""
    if len(cells) != len(header.places) or len(cells) < 2:
        return False
    first, second = cells[0], cells[1]
    if not first or not second or first == header.names[0]:
        return False
    return not (type(first) is str and may_be_total(first)) and not (type(second) is str and may_be_total(second))


def _is_total(header: Header, cells: Sequence[Any]) -> bool:
    return is_total([as_text(cells[at]).strip() for at in _filled(cells)], len(header.places))


def _fitting(header: Header, row: Row, file: str, report: Report, *, at_end: bool) -> Iterator[Row]:
    line, cells = row
    filled = _filled(cells)
    short = _short(cells)
    if at_end and len(filled) == 1 < len(header.places) and _is_label(cells[filled[0]]):
        report.left_out.append(f"line {line:,}, a note, is left out: {short}")
    elif any(at not in header.places for at in filled):
        report.bad.append(BadRow(file, line, "", short, "it has more cells than the header"))
    elif len(filled) == 1 and len(header.places) > 2 and filled == [header.places[0]]:
        report.bad.append(BadRow(file, line, header.names[0], short, "the rest of the row is missing"))
    elif not _at_places(header, cells):
        report.left_out.append(f"line {line:,} repeats the header and is left out")
    else:
        yield line, [cells[at] if at < len(cells) else None for at in header.places]


def _short(cells: Sequence[Any]) -> str:
    text = " ".join(as_text(cells[at]).strip() for at in _filled(cells))
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


_LONGEST_SHOWN = 80


def table_of(name: str, file: str, opened: Callable[[], Iterator[Row]]) -> RawTable | None:
    """The table of a grid that holds one, read row by row; None where there is none."""
    rows = opened()
    first = list(islice(rows, SOUGHT))
    header = find_header(first) or (find_header(first, least=1) if len(first) > 1 else None)
    close = getattr(rows, "close", None)
    if close is not None:
        close()
    if header is None:
        return None
    return RawTable(
        name, file, header.names, lambda report: rows_below(header, opened(), file, report), left_out=header.left_out
    )


def tables_of(
    name: str, file: str, grid: Sequence[Row], spans: Callable[[int], bool], *, beside_others: bool = False
) -> Iterator[RawTable]:
    """The tables of a sheet, or of a part of it: one after another, with empty rows between them. Several are named by
    the short titles above them."""
    blocks = [block for run in _runs(grid) for block in _divided(run, spans) if find_header(block, spans) is not None]
    blocks = [block for block in blocks if len(block) > 1]
    starts = [block for at, block in enumerate(blocks) if at == 0 or _begins_anew(block, blocks[at - 1], spans)]
    found: dict[tuple[str, ...], list[tuple[Header, RawTable]]] = {}
    for number, block in enumerate(starts):
        end = starts[number + 1][0][0] if number + 1 < len(starts) else None
        begin = block[0][0] if number else grid[0][0]
        own = [row for row in grid if row[0] >= begin and (end is None or row[0] < end)]
        header = find_header([row for row in own if not is_empty(row[1])][:SOUGHT], spans)
        if header is None:
            continue

        def rows(report: Report, header: Header = header, own: Sequence[Row] = own) -> Iterator[Row]:
            return rows_below(header, own, file, report)

        is_name = header.title and len(header.title.split()) <= _MOST_IN_NAME
        table = RawTable(header.title if is_name else name, file, header.names, rows, is_sheet=True)
        found.setdefault(header.names, []).append((header, table))
    several = len(found) > 1 or beside_others
    for group in found.values():
        header, table = group[0]
        if len(group) > 1:
            titles = [one.title or f"{number}" for number, (one, _) in enumerate(group, start=1)]
            column = "Year" if all(one.isdigit() for one in titles) else "Part"
            yield replace(joined([one for _, one in group], titles, column, name, file), is_sheet=True)
        elif several:
            yield table
        else:
            yield replace(table, name=name, left_out=header.left_out)


def _runs(grid: Sequence[Row]) -> Iterator[list[Row]]:
    """Runs of rows without an empty one between them."""
    yield from ([*rows] for empty, rows in groupby(grid, lambda row: is_empty(row[1])) if not empty)


def _divided(run: list[Row], spans: Callable[[int], bool]) -> Iterator[list[Row]]:
    """Yield the tables of a run of rows: another begins at a title above the same header, and at another header."""
    start, cells = 0, [cells for _, cells in run]
    header = find_header(run[:SOUGHT], spans)
    for at in range(2, len(run) - 1):
        if header is None or run[at - 1][0] <= header.line:
            continue
        is_below_title = len(_filled(cells[at - 1])) == 1 and _is_label(_values(cells[at - 1])[0])
        breaks = _breaks(cells[start:], at - start)
        is_other = breaks > 1 or (breaks and (is_below_title or len(_filled(cells[at])) != len(header.names)))
        if is_other or (is_below_title and not _at_places(header, cells[at])):
            yield run[start : at - is_below_title]
            start = at - is_below_title
            header = find_header(run[start:][:SOUGHT], spans) or header
    yield run[start:]


_NEAR = 20
"""Rows around a header inside a table that are looked at."""


_LONGEST_LABEL, _NEARLY_ALL = 30, 0.9


def _breaks(rows: Sequence[Sequence[Any]], at: int) -> int:
    """Return in how many columns of numbers and dates a row has labels: it may be a header."""
    row, (above, below) = rows[at], (rows[max(0, at - _NEAR) : at], rows[at + 1 : at + 1 + _NEAR])
    texts = [as_text(one).strip() for one in _values(row)]
    if len({*texts}) < max(2, len(texts)) or any(map(is_missing, texts)) or max(map(len, texts)) > _LONGEST_LABEL:
        return 0
    if any(letter.isdigit() for one in texts for letter in one):
        return 0
    places = [one for one in _filled(row) if _has_values(above, one) and _has_values(below, one)]
    recurs = any(other[one : one + 1] == [row[one]] for one in places for other in rows if other is not row)
    return 0 if recurs else len(places)


def _has_values(rows: Sequence[Sequence[Any]], place: int) -> bool:
    cells = [not _is_label(row[place]) or read_number(as_text(row[place]).strip()) is not None
             for row in rows if place in _filled(row)]  # fmt: skip
    return sum(cells) >= max(2, _NEARLY_ALL * len(cells))


def _begins_anew(block: Sequence[Row], before: Sequence[Row], spans: Callable[[int], bool]) -> bool:
    """Whether rows after an empty one are a table of their own: labels above values, other than the rows before."""
    header = find_header(block, spans)
    if header is None:
        return False
    values = [cells for line, cells in block if line > header.line]
    typed = any(not _is_label(cells[at]) for cells in values for at in _filled(cells) if at < len(cells))
    earlier = find_header(before, spans)
    first = block[0][1]
    is_title = len(_filled(first)) == 1 and block[0][0] < header.line
    other = earlier is None or is_title or set(header.names) != set(earlier.names)
    return other and bool(values) and (is_title or typed) and not _looks_like_data(first, before)


def _looks_like_data(cells: Sequence[Any], before: Sequence[Row]) -> bool:
    """Whether the first row after an empty one is as full as the rows before it, and has values in it."""
    filled = _filled(cells)
    return len(filled) > 1 and any(not _is_label(cells[at]) or is_missing(as_text(cells[at])) for at in filled)
