"""The chart of grouped rows as SVG, for the page and for notebooks: lines over time, stacked columns, bars.

It knows the attributes of outcomes and none of their types (`Any` here). The SVG has no styles and no scripts, takes
the colour of the text around it, and has the name and the value of every mark as its `<title>`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import chain
from typing import Any

from qlc.base.texts import width_of
from qlc.base.units import find_unit
from qlc.outcome.amounts import MIXED, amount, cell, number
from qlc.outcome.courses import UNITS, in_words, place, places
from qlc.outcome.tables import headers, keys_of, values_of

WIDTH, NARROWEST, WIDEST = 720, 240, 1600
"""Pixels of a chart."""
MOST_ROWS = 1_000
MOST_BARS, MOST_SERIES = 30, 8
_LETTER, _LINE = 7.4, 22.0
_HEIGHT, _TOP = 240.0, 14.0
_LEAST, _MOST = 1e-100, 1e100
"""Numbers that can be on one scale."""
_COLOURS = ("#3b7dd8", "#d9730d", "#2f9e63", "#c2558f", "#8b6fd1", "#a8891c", "#1f9aa8", "#8a8f98")
"""Each has a contrast of at least 3 to white and to the dark ground of the page; the last one is that of the rest."""


def can_draw(found: Any) -> bool:
    """Whether rows are of one or two groups, and have at least two numbers that can be compared."""
    if found.kind != "aggregate" or not 1 <= len(found.groups) <= 2 or not found.measures:
        return False
    units = [row.get(found.measures[0]) for row in found.row_units] or [None] * len(found.rows)
    values = (values_of(found, row)[0] for row in found.rows)
    known = [(one, unit) for one, unit in zip(values, units, strict=True) if one is not None]
    are_numbers = all(type(one) in (int, float) and (one == 0 or _LEAST <= abs(one) <= _MOST) for one, _ in known)
    different = {unit for _, unit in known}
    return are_numbers and len(known) > 1 and len(different) == 1 and MIXED not in different


def svg_chart(found: Any, width: int = WIDTH, of: int | None = None) -> str | None:
    """Return the chart of the first measure; None if there is nothing to draw. `of`: number of all rows, if these are
    the first ones."""
    if not can_draw(found):
        return None
    rows = found.model_copy(update={"rows": found.rows[:MOST_ROWS], "row_units": found.row_units[:MOST_ROWS]})
    data = _data(rows, of or len(found.rows))
    body = "".join(_columns(data, width) if data.places is not None else _bars(data, width))
    height, marks = body.split("|", 1)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-label="{_text(data.caption)}" font-family="system-ui, sans-serif" font-size="12" '
            f'fill="currentColor">{marks}</svg>')  # fmt: skip


# --- what is drawn ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Data:
    """Values of `series` at `keys` of the axis. `places`: those of periods of the unit `calendar` on an axis of time;
    None for other keys, which are drawn as bars. `open` is the position of the period that is not over."""

    title: str
    keys: list[str]
    series: dict[str, list[float | None]]
    unit: str | None
    calendar: str
    places: list[int] | None = None
    stacked: bool = False
    open: int | None = None
    rest: tuple[str, ...] = ()

    @property
    def caption(self) -> str:
        over = (f"{in_words(self.calendar, self.keys[self.open])} is not over",) if self.open is not None else ()
        return "; ".join((self.title, *self.rest, *over))

    @cached_property
    def extent(self) -> tuple[float, float]:
        """The least and the largest number on the axis of values, with zero."""
        known = [[one or 0 for one in each] for each in self.series.values()]
        ends = [0, *map(sum, zip(*known, strict=True))] if self.stacked else [0, *chain(*known)]
        return min(ends), max(ends)

    def tick(self, value: float) -> str:
        return self.written(value).removesuffix(".00") if value else "0"

    def written(self, value: float) -> str:
        return amount(value, self.unit) if self.unit is not None else number(value)

    def colour(self, name: str) -> str:
        return _COLOURS[list(self.series).index(name) % len(_COLOURS)]

    def mark(self, name: str, at: int, shape: str) -> str:
        """Return a shape with its value as a text, which people read by pointing at it or by keyboard."""
        value = self.series[name][at]
        parts = [in_words(self.calendar, self.keys[at]), *([name] if len(self.series) > 1 else [])]
        text = f"{', '.join(parts)}: {self.written(value or 0)}{' so far' if at == self.open else ''}"
        return f'<g class="mark" fill="{self.colour(name)}"><title>{_text(text)}</title>{shape}</g>'


def _data(found: Any, total: int) -> _Data:
    measure, *_ = headers(found.measures, found)
    by = [one.replace("_", " ") for one in headers(found.groups, found)]
    units = [one.get(found.measures[0]) for one in found.row_units]
    unit = next(iter(filter(None, units)), None) or found.units.get(found.measures[0])
    keys = [keys_of(found, row) for row in found.rows]
    values = [values_of(found, row)[0] for row in found.rows]
    axis = _axis(found.groups, keys)
    calendar = _calendar_unit(found.groups[axis])
    is_course = len(by) == 2 or places(calendar, [key[axis] for key in keys]) is not None
    names = [_names([key[n] for key in keys], name) for n, name in enumerate(found.groups)]
    along = list(dict.fromkeys(names[axis]))
    at = [place(calendar, one) for one in along] if is_course else [None]
    if None not in at:
        along.sort(key=lambda one: place(calendar, one) or 0)
    row_count = (f"the first {len(keys):,} of {total:,} rows",) if len(keys) < total else ()
    title = f"{measure} by {by[axis]}"
    if len(by) == 1:
        series = {measure: values}
    else:
        title += f" and {by[1 - axis]}"
        series = _series(names[axis], names[1 - axis], values, along)
    open_key = found.unfinished.get(found.groups[axis])
    data = _Data(
        title, along, series, unit, calendar,
        sorted(one for one in at if one is not None) if None not in at else None,
        open=along.index(open_key) if open_key in along else None, rest=row_count,
    )  # fmt: skip
    return _few(data, is_additive=found.measures[0].partition("(")[0] in ("count", "sum"))


def _axis(groups: Sequence[str], keys: Sequence[tuple[Any, ...]]) -> int:
    """Return the position of the group along the axis: that of periods, else the first one."""
    for n, name in enumerate(groups):
        if all(place(_calendar_unit(name), key[n]) is not None for key in keys):
            return n
    return 0


def _calendar_unit(group: str) -> str:
    """`month`, `month(placed)` -> `month`; empty for other groups."""
    name = group.partition("(")[0]
    return name if name in UNITS else ""


def _series(
    keys: Sequence[str], names: Sequence[str], values: Sequence[Any], along: Sequence[str]
) -> dict[str, list[float | None]]:
    at = {one: n for n, one in enumerate(along)}
    series: dict[str, list[float | None]] = {}
    for key, name, value in zip(keys, names, values, strict=True):
        series.setdefault(name, [None] * len(along))[at[key]] = value
    return series


def _few(data: _Data, *, is_additive: bool) -> _Data:
    """Return what fits: the largest series, the others added up if sums of them mean something, and the first bars."""
    rest, series = list(data.rest), data.series
    stacked = is_additive and len(series) > 1 and all((one or 0) >= 0 for each in series.values() for one in each)
    if len(series) > MOST_SERIES:
        ranked = sorted(series, key=lambda name: -sum(abs(one or 0) for one in series[name]))
        kept = [name for name in series if name in ranked[: MOST_SERIES - 1]]
        others = [each for name, each in series.items() if name not in kept]
        series = {name: series[name] for name in kept}
        if stacked:
            series[f"{len(others)} others"] = [sum(one or 0 for one in each) for each in zip(*others, strict=True)]
        else:
            rest.append(f"without the {len(others)} smallest")
    keys = data.keys
    if data.places is None and len(keys) > MOST_BARS:
        rest.append(f"the first {MOST_BARS} of {len(keys):,}")
        keys, series = keys[:MOST_BARS], {name: each[:MOST_BARS] for name, each in series.items()}
    return replace(data, keys=keys, series=series, stacked=stacked, rest=tuple(rest))


def _names(keys: Sequence[Any], group: str) -> list[str]:
    """Return the keys of a group as texts. Of keys with the same text, such as people of one name, the later ones
    have a number behind it."""
    texts: dict[str, str] = {}
    taken: set[str] = set()
    for key in keys:
        if repr(key) not in texts:
            text = name = cell(key, group) or ("no value" if key is None else "an empty text")
            while name in taken:
                name = f"{text} ({len(taken) + 1})"
            taken.add(name)
            texts[repr(key)] = name
    return [texts[repr(key)] for key in keys]


# --- drawing ---------------------------------------------------------------------------------------------------------


def _columns(data: _Data, width: int) -> Iterator[str]:
    """Yield the height, and a chart over time: a line for each series, or stacked columns. Periods without rows are
    gaps."""
    assert data.places is not None
    low, high = data.extent
    ticks = list(_ticks(low, high, data.unit, 4))
    left = max(width_of(data.tick(one)) for one in ticks) * _LETTER + 14
    legend, top = _legend(data, width)
    bottom, first = top + _HEIGHT, data.places[0]
    slots = data.places[-1] - first + 1
    band = (width - left - 24) / slots
    low, high = min(ticks), max(ticks)
    x = [left + band * (one - first + 0.5) for one in data.places]
    yield f"{bottom + 28:g}|{legend}"

    def y(value: float) -> float:
        return bottom - (value - low) / (high - low or 1) * (_HEIGHT - _TOP)

    for tick in ticks:
        yield _line(f"M{left:g} {y(tick):.1f}H{width - 12}", 0.5 if tick == 0 else 0.15)
        yield _label(left - 8, y(tick) + 4, data.tick(tick), "end")
    room = max(width_of(one) for one in data.keys) * _LETTER + 14
    free = -math.inf
    for at, key in zip(x, data.keys, strict=True):
        if at - room / 2 >= max(free, 0) and at + room / 2 <= width + 6:
            yield _label(at, bottom + 18, key, "middle")
            free = at + room / 2
    if data.stacked:
        base = [0.0] * len(x)
        for name, values in data.series.items():
            for n, value in enumerate(values):
                if value:
                    thick, begin = max(band * 0.7, 1), base[n]
                    base[n] += value
                    shade = ' fill-opacity=".45"' if n == data.open else ""
                    shape = (f'<rect x="{x[n] - thick / 2:.1f}" y="{y(base[n]):.1f}" width="{thick:.1f}" '
                             f'height="{y(begin) - y(base[n]):.1f}"{shade}/>')  # fmt: skip
                    yield data.mark(name, n, shape)
        return
    for name, values in data.series.items():
        for n in range(1, len(x)):
            one, two = values[n - 1], values[n]
            if one is not None and two is not None and data.places[n] - data.places[n - 1] == 1:
                dashes = ' stroke-dasharray="4 4"' if n == data.open else ""
                yield (f'<path d="M{x[n - 1]:.1f} {y(one):.1f}L{x[n]:.1f} {y(two):.1f}" stroke="{data.colour(name)}" '
                       f'stroke-width="2" fill="none"{dashes}/>')  # fmt: skip
        for n, value in enumerate(values):
            if value is not None:
                hollow = f' fill="none" stroke="{data.colour(name)}" stroke-width="1.5"' if n == data.open else ""
                radius = 1.5 if slots > 120 and not hollow else 3.5
                yield data.mark(name, n, f'<circle cx="{x[n]:.1f}" cy="{y(value):.1f}" r="{radius}"{hollow}/>')


def _bars(data: _Data, width: int) -> Iterator[str]:
    """Yield the height, and horizontal bars: one for each key, stacked or side by side for several series."""
    lowest, highest = data.extent
    ticks = list(_ticks(lowest, highest, data.unit, 4 if width > 500 else 2))
    low, high = min(ticks), max(ticks)
    side_by_side = 1 if data.stacked else len(data.series)
    thick = 16.0 if side_by_side == 1 else max(8.0, 24.0 / side_by_side)
    band = side_by_side * thick + 8
    longest = max(width_of(one) for one in data.keys) * _LETTER + 14
    left = min(longest, width * 0.35)
    texts = [data.written(one or 0) for each in data.series.values() for one in each] if len(data.series) == 1 else [""]
    last = width_of(data.tick(high)) * _LETTER / 2 + 4  # half of it is beyond the end of the axis
    right = max(last, max(width_of(one) for one in texts) * _LETTER + 16)
    legend, top = _legend(data, width)
    bottom = top + band * len(data.keys)
    yield f"{bottom + 22:g}|{legend}"

    def x(value: float) -> float:
        return left + (value - low) / (high - low or 1) * (width - left - right)

    free = -math.inf
    for tick in ticks:
        yield _line(f"M{x(tick):.1f} {top:g}V{bottom:g}", 0.5 if tick == 0 else 0.15)
        half = width_of(data.tick(tick)) * _LETTER / 2
        if x(tick) - half > free:
            yield _label(x(tick), bottom + 16, data.tick(tick), "middle")
            free = x(tick) + half + 6
    for n, key in enumerate(data.keys):
        middle = top + band * (n + 0.5)
        yield _label(left - 8, middle + 4, _short(key, int((left - 8) / _LETTER)), "end")
        begin = 0.0
        for place_of, (name, values) in enumerate(data.series.items()):
            value = values[n]
            if value is None:
                continue
            end = begin + value
            at = middle - thick * side_by_side / 2 + (0 if data.stacked else place_of * thick)
            shape = (f'<rect x="{min(x(begin), x(end)):.1f}" y="{at:.1f}" width="{abs(x(end) - x(begin)):.1f}" '
                     f'height="{thick - (1 if side_by_side > 1 else 0):g}"/>')  # fmt: skip
            yield data.mark(name, n, shape)
            if len(data.series) == 1:
                yield _label(max(x(begin), x(end)) + 6, middle + 4, data.written(value), "start")
            begin = end if data.stacked else 0.0


def _legend(data: _Data, width: int) -> tuple[str, float]:
    """Return the names of the series with their colours, and where the drawing below begins."""
    if len(data.series) < 2:
        return "", 8.0
    parts, x, y = [], 4.0, 6.0
    for name in data.series:
        text = _short(name, 40)
        room = width_of(text) * _LETTER + 34
        if x + room > width and x > 4:
            x, y = 4.0, y + _LINE
        parts.append(f'<rect x="{x:g}" y="{y:g}" width="12" height="12" fill="{data.colour(name)}"/>'
                     f"{_label(x + 18, y + 10, text, 'start')}")
        x += room
    return "".join(parts), y + _LINE + 8


def _ticks(low: float, high: float, unit: str | None, most: int) -> Iterator[float]:
    """Yield round numbers from at most `low` to at least `high`, in steps that people count in: `0, 250, 500`."""
    known = find_unit(unit) if unit is not None else None
    base = 1.0
    if known is not None and known.dimension == "time":
        factor = known.numerator / known.denominator
        base = next((one / factor for one in (86_400, 3_600, 60) if (high - low) * factor >= one), 1.0)
    rough = (high - low) / most / base or 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    step = base * next(one * power for one in (1, 2, 2.5, 5, 10) if one * power >= rough * 0.999)
    for n in range(math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9) + 1):
        yield float(f"{n * step:.12g}")


def _line(path: str, opacity: float) -> str:
    return f'<path d="{path}" stroke="currentColor" stroke-opacity="{opacity}" fill="none"/>'


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_text(text)}</text>'


def _short(text: str, most: int) -> str:
    return text if width_of(text) <= most else f"{text[: max(most - 1, 1)]}…"


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _text(text: str) -> str:
    """Return a text for XML, which has no control characters."""
    return escape(_NOT_IN_XML.sub("\ufffd", text))
