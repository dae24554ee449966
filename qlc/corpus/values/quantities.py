"""Former names of `qlc.language.quantities`."""

from qlc.language.quantities import Quantity as Amount
from qlc.language.quantities import Style, currency_of, style_of
from qlc.language.quantities import current as standing
from qlc.language.quantities import named_currency as currency_said
from qlc.language.quantities import quantities as amounts
from qlc.language.quantities import unit_as_written as unit_as_said

__all__ = ["Amount", "Style", "amounts", "currency_of", "currency_said", "standing", "style_of", "unit_as_said"]
