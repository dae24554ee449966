"""Former names of `qlc.language.units`."""

from qlc.language.units import WORKING_DAYS, convert, unit_of

__all__ = ["WORKING_DAYS", "convert", "unit_of"]
