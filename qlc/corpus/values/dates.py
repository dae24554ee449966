"""Former names of `qlc.language.dates`."""

from qlc.language.dates import MONTH, MONTH_NAMES

__all__ = ["MONTH", "MONTH_NAMES"]
