"""Units as documents write them: `mm2` -> `mm²`, `degrees C` -> `°C`, `Tage` -> `d`. pint converts them."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache
from math import isclose
from typing import TYPE_CHECKING, Any

from .alternatives import one_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_SYMBOLS = {
    # canonical: other spellings, all in the case in which they are written
    **dict.fromkeys(
        """ms d nm mm cm dm m km yd ha gal mg g t oz mV kV mA A kA Ah mAh mW GW VA kVA MVA Wh kWh MWh GWh J kJ MJ pF
        nF mF mH Hz kHz MHz GHz bar mbar Pa hPa kPa MPa psi N kN K ‰ ppm ppb mg/kg µg/kg m/s mph mol mmol µmol
        nmol ng pg dl kcal lm MB GB TB""".split(),  # noqa: SIM905
        "",
    ),
    "s": "sec secs", "min": "mins", "h": "hr hrs", "µm": "um", "in": "″", "ft": "′", "mm²": "mm2 mm^2", "cm²": "cm2",
    "m²": "m2 m^2 sqm qm", "km²": "km2", "sqft": "ft² ft2", "ml": "mL", "cl": "cL", "l": "L ltr", "m³": "m3 cbm",
    "cm³": "cm3 ccm", "kg": "kgs", "lb": "lbs", "V": "Vdc Vac VDC VAC", "µA": "uA", "W": "Wp", "kW": "kWp",
    "MW": "MWp", "Ω": "Ω Ohm ohm", "mΩ": "mOhm mohm", "kΩ": "kOhm kohm", "MΩ": "MOhm", "µF": "uF", "µH": "uH",
    "dB": "dB(A)", "N·m": "Nm N⋅m N*m N.m", "°C": "℃ degC", "°F": "℉ degF", "%": "percent pct Prozent",
    "mg/l": "mg/L", "µg/l": "µg/L ug/l", "g/l": "g/L", "g/ml": "g/mL", "g/cm³": "g/cm3", "kg/m³": "kg/m3",
    "m³/h": "m3/h", "l/min": "L/min lpm", "l/h": "L/h", "l/s": "L/s", "km/h": "kmh kph", "rpm": "1/min min⁻¹ r/min",
    "hp": "HP bhp", "PS": "", "BTU": "Btu", "ft³": "ft3", "in²": "in2", "in³": "in3", "yd²": "yd2", "yd³": "yd3",
    "week": "wk wks",
    "year": "yr yrs", "mm²/s": "mm2/s cSt", "mPa·s": "mPas cP", "µg": "mcg", "lx": "lux", "kB": "KB", "kbit/s": "kbps",
    "Mbit/s": "Mbps", "Gbit/s": "Gbps",
}  # fmt: skip
_WORDS = {
    # canonical: words in any case
    "s": "second seconds sekunden", "min": "minute minutes minuten", "h": "hour hours stunde stunden heures",
    "d": "day days tag tage tagen jour jours día días giorno giorni dag dagen",
    "week": "week weeks woche wochen semaine semaines semana semanas settimana settimane weken",
    "month": "month months monat monate monaten mois meses mese mesi maand maanden",
    "year": "year years jahr jahre jahren ans année années año años anno anni jaar",
    "mm": "millimeter millimeters millimetre millimetres", "cm": "centimeter centimeters centimetre centimetres",
    "m": "meter meters metre metres", "km": "kilometer kilometers kilometres", "in": "inch inches",
    "ft": "foot feet", "mile": "mile miles", "l": "liter liters litre litres", "t": "tonne tonnes",
    "kg": "kilogram kilograms kilogramm kilo kilos", "mg": "milligram milligrams", "µg": "microgram micrograms",
    "g": "gram grams gramm", "V": "volt volts", "A": "amp amps ampere amperes", "W": "watt watts",
    "kW": "kilowatt kilowatts", "gal": "gallon gallons", "lb": "pound pounds",
    "oz": "ounce ounces", "hp": "horsepower", "knot": "knot knots", "acre": "acre acres",
    "K": "kelvin kelvins", "lx": "lux", "ha": "hectare hectares",
}  # fmt: skip
_PHRASES = {
    **{
        f"{said} {word}{plural}": unit
        for said in "calendar working business banking running clear consecutive full further".split()  # noqa: SIM905
        for word, unit in {"day": "d", "hour": "h", "week": "week", "month": "month", "year": "year"}.items()
        for plural in ("", "s")
    },
    **{f"{said} day{plural}": f"{said} days" for said in ("working", "business", "banking") for plural in ("", "s")},
    **{
        f"{amount}{plural} {per} {time}": f"{unit}/{short}"
        for amount, unit in {"cubic metre": "m³", "cubic meter": "m³", "litre": "l", "liter": "l"}.items()
        for plural in ("", "s")
        for per in ("an", "a", "per", "every")
        for time, short in {"hour": "h", "minute": "min", "second": "s"}.items()
    },
    **{f"{amount}s per {volume}": f"{unit}/l" for volume in ("litre", "liter")
       for amount, unit in {"gram": "g", "milligram": "mg", "microgram": "µg"}.items()},
    **{f"{power} {length}{plural}": f"m{sign}" for power, sign in {"cubic": "³", "square": "²"}.items()
       for length in ("metre", "meter") for plural in ("", "s")},
    "per cent": "%",
    **{f"{power} {length}": unit for powers, units in {
           "square sq sq.": {"sqft": "feet foot ft ft.", "in²": "inches inch in", "yd²": "yards yard yd", "m²": "m m."},
           "cubic cu cu.": {"ft³": "feet foot ft ft.", "in³": "inches inch in", "yd³": "yards yard yd", "m³": "m m."},
       }.items() for power in powers.split() for unit, lengths in units.items() for length in lengths.split()},
    "sq.ft.": "sqft", "deg C": "°C", "deg F": "°F", "degrees C": "°C", "degrees F": "°F", "degrees Celsius": "°C",
    "degrees Fahrenheit": "°F", "° C": "°C", "° F": "°F", "fl oz": "floz", "N m": "N·m",
}  # fmt: skip
WORKING_DAYS = frozenset({"working days", "business days", "banking days"})
"""Kept as days where a field is in days, converted to nothing else, and shown as they are written."""
_PINT = {"sqft": "foot**2", "rpm": "1/minute", "PS": "metric_horsepower", "acre": "exact_acre"}
"""Units with another spelling in pint."""


def _spellings() -> Iterator[tuple[str, str]]:
    for name, others in _SYMBOLS.items():
        for spelling in (name, *others.split()):
            for litre in {spelling, re.sub("l$", "L", spelling) if "/" in spelling else spelling}:
                yield from ((litre.replace("µ", micro), name) for micro in ("µ", "μ", "u"))
    for name, words in _WORDS.items():
        yield from ((form(word), name) for word in words.split() for form in (str.lower, str.capitalize))
    yield from _PHRASES.items()


_BY_SPELLING = dict(_spellings())
SPELLINGS = (*_SYMBOLS, *(word for words in _WORDS.values() for word in words.split()))
"""Symbols and words for units, to suggest one."""
_SPELLED = one_of(_BY_SPELLING)
UNIT = rf"{_SPELLED}(?:/{_SPELLED})?(?![\w²³°/(]|-\w|['’](?!s\b)\w)"
"""A unit, as a regular expression without groups; it depends on upper and lower case: mW, MW."""


def unit_of(spelling: str) -> str | None:
    """Return the canonical spelling of a unit: `kgs` -> `kg`; None for other words."""
    known = _BY_SPELLING.get(spelling) or _BY_SPELLING.get(" ".join(spelling.split()))
    if known is None and spelling.count("/") == 1:
        parts = [_BY_SPELLING.get(part) for part in spelling.split("/")]
        known = f"{parts[0]}/{parts[1]}" if all(parts) else None
    return known


@cache
def _registry() -> Any:
    import pint

    registry: Any = pint.UnitRegistry(autoconvert_offset_to_baseunit=True)
    for missing in ("permille = 1e-3", "ppb = 1e-9", "exact_acre = 43560 * foot ** 2"):
        registry.define(missing)
    return registry


def _of_pint(unit: str) -> str:
    return _PINT.get(unit) or "/".join(_PINT.get(part, part) for part in unit.split("/"))


@cache
def _scale(source: str, target: str) -> tuple[Decimal, Decimal] | None:
    """Return factor and offset between two units; None if they measure different things or one is logarithmic (dB)."""
    import pint

    registry = _registry()
    try:
        quantities = [registry.Quantity(value, _of_pint(source)) for value in (1.0, 2.0, 3.0)]
        one, two, three = (quantity.to(_of_pint(target)).magnitude for quantity in quantities)
    except pint.PintError:
        return None
    if not isclose(three - two, two - one, rel_tol=1e-9):
        return None
    factor = two - one
    zero = 0.0 if isclose(one, factor, rel_tol=1e-12) else one - factor
    return Decimal(f"{factor:.12g}"), Decimal(f"{zero:.12g}")


def convert(value: Decimal, source: str, target: str) -> Decimal | None:
    """Convert a number between two canonical units: 1.2 m -> 1200 mm; None if they measure different things.

    A month counts as 30 days and a year as 365, in both directions; a year has 12 months.
    """
    if source == target:
        return value
    if (source in _BYTES) != (target in _BYTES):
        return None  # pint gives bytes no dimension, like percent
    if source in _CALENDAR and target in _CALENDAR:
        if {source, target} == {"month", "year"}:
            return value * 12 if source == "year" else value / 12
        source, target, value = "d", "d", value * _CALENDAR[source] / _CALENDAR[target]
    elif source in _CALENDAR:
        source, value = "d", value * _CALENDAR[source]
    elif target in _CALENDAR:
        in_days = convert(value, source, "d")
        return None if in_days is None else in_days / _CALENDAR[target]
    scale = _scale(source, target)
    if scale is None:
        return None
    factor, offset = scale
    return Decimal(f"{value * factor + offset:.12g}")


_BYTES = frozenset(("kB", "MB", "GB", "TB"))
_CALENDAR = {"month": 30, "year": 365}
