"""The ISO codes of currencies."""

from __future__ import annotations

import re

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
_MONEY = "EUR|USD|GBP|CHF|SEK|NOK|DKK|[\u20ac$\u00a3]"
SCALE = re.compile(
    r"\b(?:thousands?|millions?|billions?|trillions?|tausend|tsd|millionen|milliarden|mio|mrd|mn|bn|lakhs?|crores?)\b"
    rf"|(?-i:(?<![^\W\d_])(?:[kKTM]|Md)(?:{_MONEY})(?!\w)|(?<![^\W\d_])(?:{_MONEY})\s?(?:[kmM]|bn|000)(?!\w))",
    re.IGNORECASE,
)
"""Scales in headers: 5 under `Cost in million USD`, `Cost kEUR` or `Cost $m` is not 5 dollars or euros."""
