"""Converts values and units of a catalog from text to what the index and the language use."""

from __future__ import annotations

from qlc.mapping.fields import FieldKind, MappedField
from qlc.units import UNITS, find_unit

UNIT_NAMES = (*(unit.name for unit in UNITS), "fraction")
"""Canonical names of the units that a catalog can use."""

_CODES = (
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP "
    "CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF "
    "IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD "
    "MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB "
    "RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD "
    "UYU UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL"
)
CURRENCIES = frozenset(_CODES.split())
"""ISO codes of currencies, in which amounts can be stored."""


def stored_unit(text: str) -> str | None:
    """Return the canonical name of a unit in the catalog; None for currencies and unknown units."""
    unit = find_unit(text)
    return None if unit is None else unit.name


def stored_value(mapped: MappedField, text: str) -> str | int | float | bool:
    """Convert a text to a value of the field's type. Raises ValueError if the field cannot have it."""
    if mapped.kind is FieldKind.WHOLE_NUMBER:
        return int(text)
    if mapped.kind is FieldKind.NUMBER:
        return float(text)
    if mapped.kind is FieldKind.BOOLEAN:
        if text not in ("true", "false"):
            raise ValueError(text)
        return text == "true"
    return text
