"""`hdr` percentiles: values counted in cells that are narrow beside their value, as HdrHistogram does.

Source: org.HdrHistogram.DoubleHistogram and AbstractHistogram. The least value decides how values are made whole
numbers: so that it falls into the lowest cells that are narrow enough.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qlc_engine.aggregations.sums import FloatArray
from qlc_engine.columns import IntArray
from qlc_engine.errors import not_implemented

#: greatest and least value (but 0) may be this many doublings apart; the server takes a few more
_MOST_DOUBLINGS = 40


@dataclass(frozen=True, slots=True)
class Cells:
    """`lows` are the beginnings of the cells that hold a value, ascending, and `counts` how many they hold."""

    lows: IntArray
    counts: IntArray
    unit: float
    digits: int

    def quantile(self, fraction: float) -> float:
        """The end of the cell with the value at that part of all values, NaN without values."""
        total = int(self.counts.sum())
        if total == 0:
            return math.nan
        wanted = max(int(fraction * total + 0.5), 1)
        at = int(np.searchsorted(np.cumsum(self.counts), wanted))
        low = int(self.lows[at])
        return (low if fraction == 0 else low + _width(low, self.digits) - 1) * self.unit

    def percent_up_to(self, value: float) -> float:
        """The percentage of values in cells up to that of a value."""
        total = int(self.counts.sum())
        if total == 0:
            return math.nan
        low = _low(int(min(value / self.unit, 2.0**62)), self.digits)
        return 100.0 * int(self.counts[self.lows <= low].sum()) / total


def cells_of(values: FloatArray, digits: int) -> Cells:
    """Raises EngineError for values below 0, and for some that are far apart."""
    if len(values) and values.min() < 0:
        raise not_implemented("[hdr] of values below 0")
    positive = values[values > 0]
    least, most = (float(positive.min()), float(positive.max())) if len(positive) else (1.0, 1.0)
    doublings = math.frexp(least)[1] - 1
    if math.frexp(most)[1] - 1 - doublings > _MOST_DOUBLINGS:
        raise not_implemented("[hdr] of values that are so far apart")
    unit = math.ldexp(1.0, doublings) / (_narrow(digits) // 2)
    lows = np.array([_low(int(value / unit), digits) for value in values.tolist()], np.int64)
    found, counts = np.unique(lows, return_counts=True)
    return Cells(found, counts.astype(np.int64), unit, digits)


def _narrow(digits: int) -> int:
    """Whole numbers below this have a cell each."""
    return 1 << max(math.ceil(math.log2(2 * 10**digits)), 1)


def _width(number: int, digits: int) -> int:
    return 1 << max(number.bit_length() - _narrow(digits).bit_length() + 1, 0)


def _low(number: int, digits: int) -> int:
    width = _width(number, digits)
    return number // width * width
