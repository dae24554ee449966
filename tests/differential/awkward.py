"""A made-up index: every type of field as a plain one, one that is often missing, a list, and inside nested lists.

The values are the awkward ones: letters whose case is not one to one, wildcards and quotes, whole numbers above 2^53,
times around the changes of the clocks, nulls and empty lists.
"""

import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from tests.tables import table

NOW = "2024-03-31T01:30:00Z"
COUNT = 400

_WORDS = (
    *("Straße", "STRASSE", "İstanbul", "istanbul", "ΣΊΣΥΦΟΣ", "σίσυφος", "Ångström", "naïve", "NAÏVE", "Ⅷ", "日本"),
    *("東京", "plain", "Plain", "PLAIN", "a*b", "a?b", "a\\b", 'say "so"', "it's", "x y", "x  y", "-5", "2024", "true"),
    *("ǅ", "report.pdf", "Report_2021", "e\u0301clair", "éclair", "ﬁne", "fine", "ΰ", "ẞ", "K", "k", "[x]", "(y)"),
    *("a~b#c",),
)
_TEXTS = (
    *("The quick brown fox", "quick, brown: fox!", "Straßen in İstanbul", "don't stop", "report.pdf is here"),
    *("3.14 or 3,14", "東京タワー", "brown fox brown", "the the the", "naïve café", "Éclair au chocolat"),
    *("a b c d e f", "x-ray and X ray"),
)
_MOMENTS = (
    *("2024-03-31T00:59:59.999Z", "2024-03-31T01:00:00Z", "2024-03-31T02:30:00+02:00", "2024-03-10T07:00:00Z"),
    *("2024-10-27T00:30:00Z", "2024-10-27T01:30:00Z", "2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z", "2024-02-29"),
    *("2023-12-31T23:30:00Z", "2024-01-01T00:00:00Z", "2023-12-31T18:30:00Z", "2024-04-06T14:00:00Z", "2023-01-01"),
)
_LONGS = (0, -1, 2**53 - 1, 2**53 + 1, 2**62, -630_123_456_789_012_345)
"""Whole numbers, chosen so that the sum of several large ones is never near zero, where only rounding errors remain."""
_MAKERS = ("Ada Byron", "Seán O'Brien", "Dana Ortiz", "Dana Ortiz", "Yuki Tanaka", "Ünal Öz", "Tom Baker", "ada byron")
_ADDRESSES = ("10.0.0.1", "192.168.1.7", "::1", "2001:db8::ff")
_START = datetime(2023, 1, 1, tzinfo=UTC)


def _moment(chance: random.Random) -> Any:
    if chance.random() < 0.3:
        return chance.choice(_MOMENTS)
    found = _START + timedelta(milliseconds=chance.randrange(2 * 366 * 86_400_000))
    return int(found.timestamp() * 1000) if chance.random() < 0.3 else found.isoformat()


def _place(chance: random.Random) -> dict[str, float]:
    return {"lat": round(chance.uniform(-85, 85), 4), "lon": round(chance.uniform(-180, 180), 4)}


def _number(chance: random.Random) -> float:
    exact = (0.0, -0.5, 0.1, 1e-7, 3.0, 1234.5, -99.75, 65504.0)
    return chance.choice(exact) if chance.random() < 0.5 else round(chance.uniform(-1000, 1000), 3)


Draw = Callable[[random.Random], Any]

TYPES: dict[str, tuple[dict[str, Any], Draw]] = {
    "word": ({"type": "keyword"}, lambda c: c.choice(_WORDS)),
    "folded": ({"type": "keyword", "normalizer": "lowercase"}, lambda c: c.choice(_WORDS)),
    "title": (
        {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 40}}},
        lambda c: " ".join(c.choices(_WORDS, k=c.randint(1, 3))),
    ),
    "text": ({"type": "text"}, lambda c: c.choice(_TEXTS)),
    "long": ({"type": "long"}, lambda c: c.choice([*_LONGS, c.randint(-9, 9)])),
    "integer": ({"type": "integer"}, lambda c: c.choice([0, 7, -(2**31), 2**31 - 1, c.randint(-20, 20)])),
    "short": ({"type": "short"}, lambda c: c.randint(-300, 300)),
    "byte": ({"type": "byte"}, lambda c: c.randint(-128, 127)),
    "double": ({"type": "double"}, _number),
    "float": ({"type": "float"}, _number),
    "half": ({"type": "half_float"}, _number),
    "moment": ({"type": "date"}, _moment),
    "flag": ({"type": "boolean"}, lambda c: c.random() < 0.4),
    "address": ({"type": "ip"}, lambda c: c.choice([*_ADDRESSES, f"10.0.{c.randint(0, 3)}.9"])),
    "place": ({"type": "geo_point"}, _place),
}  # fmt: skip

SHAPES = ("", "_rare", "_list")


def _ends(low: Any, high: Any, chance: random.Random) -> dict[str, Any]:
    """A range with one of its ends left out or open at times."""
    ends = {chance.choice(["gte", "gt"]): low, chance.choice(["lte", "lt"]): high}
    if chance.random() < 0.15:
        ends.popitem()
    return ends


def _dates(chance: random.Random) -> dict[str, str]:
    """Full moments: OpenSearch rounds others in ranges in its own way."""
    low = _START + timedelta(milliseconds=chance.randrange(2 * 366 * 86_400_000))
    high = low + timedelta(hours=chance.choice([1, 24, 24 * 40]), milliseconds=chance.randrange(9))
    ends = {"gte": low.isoformat(timespec="milliseconds"), "lt": high.isoformat(timespec="milliseconds")}
    if chance.random() < 0.15:
        ends.popitem()
    return ends


def _numbers(chance: random.Random) -> dict[str, Any]:
    low = chance.randint(-20, 20)
    return _ends(low, low + chance.randint(3, 12), chance)


def _addresses(chance: random.Random) -> Any:
    return chance.choice(["10.0.0.0/8", "10.0.1.0/24", {"gte": "10.0.0.5", "lte": "10.0.2.9"}, "2001:db8::/64"])


RANGES: dict[str, tuple[str, Draw]] = {
    "ages": ("integer_range", _numbers),
    "counts": ("long_range", _numbers),
    "band": ("double_range", lambda c: {key: end / 4 for key, end in _numbers(c).items()}),
    "share": ("float_range", lambda c: {key: end / 10 for key, end in _numbers(c).items()}),
    "span": ("date_range", _dates),
    "block": ("ip_range", _addresses),
}
"""Fields of ranges, of the document only: a single one, and a list."""


def _leaves() -> dict[str, Any]:
    return {name + shape: dict(body) for name, (body, _) in TYPES.items() for shape in SHAPES}


def _keywords(*names: str) -> dict[str, Any]:
    return {name: {"type": "keyword"} for name in names}


_INNER = {"type": "nested", "properties": _leaves()}
_PARTS = {"type": "nested", "properties": {**_leaves(), **_keywords("link", "maker", "maker_name"), "inner": _INNER}}
MAPPINGS: dict[str, Any] = {
    "dynamic": "strict",
    "properties": {
        **_keywords("uid", "sort", "parent", "above", "other", "friends", "maker", "maker_name"),
        **_leaves(),
        **{name + shape: {"type": es_type} for name, (es_type, _) in RANGES.items() for shape in ("", "_list")},
        "parts": _PARTS,
    },
}


@cache
def documents() -> Mapping[str, Mapping[str, Any]]:
    """The same ones each time."""
    chance = random.Random(20240331)
    return {f"item-{number:03}": _document(number, chance) for number in range(COUNT)}


def _document(number: int, chance: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {
        "uid": f"item-{number:03}",
        "sort": chance.choice(("box", "bag", "tin")),
        **_values(chance),
    }
    above = _line(number)
    if above:
        found |= {"parent": f"item-{above[-1]:03}", "above": ["top", *(f"item-{one:03}" for one in above)]}
    else:
        found |= {"parent": "top", "above": ["top"]}
    for name, share in (("other", 0.6), ("friends", 0.7)):
        if chance.random() < share:
            some = [f"item-{chance.randrange(COUNT):03}" for _ in range(1 if name == "other" else chance.randint(0, 3))]
            found[name] = some[0] if name == "other" else some
    found |= _maker(chance)
    if chance.random() < 0.85:
        found["parts"] = [_part(chance) for _ in range(chance.randint(0, 3))]
    return {**found, **_ranges(random.Random(number))}


def _ranges(chance: random.Random) -> dict[str, Any]:
    """The ranges of a document, from a source of chance of their own: the other values stay as they were."""
    found: dict[str, Any] = {}
    for name, (_, draw) in RANGES.items():
        if chance.random() < 0.8:
            found[name] = draw(chance)
        found[f"{name}_list"] = [draw(chance) for _ in range(chance.randint(0, 3))]
    return found


def _line(number: int) -> list[int]:
    """Return the ancestors of a document, the nearest last, in a tree with three children each."""
    found: list[int] = []
    while number >= 3:
        number = number // 3 - 1
        found.insert(0, number)
    return found


def _maker(chance: random.Random) -> dict[str, Any]:
    if chance.random() < 0.2:
        return {}
    which = chance.randrange(8)
    return {"maker": f"maker-{which}", "maker_name": _MAKERS[which]}


def _part(chance: random.Random) -> dict[str, Any]:
    found = {**_values(chance), **_maker(chance)}
    if chance.random() < 0.7:
        found["link"] = f"item-{chance.randrange(COUNT):03}"
    if chance.random() < 0.7:
        found["inner"] = [_values(chance) for _ in range(chance.randint(0, 3))]
    return found


def _values(chance: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, (_, draw) in TYPES.items():
        found[name] = draw(chance)
        if chance.random() < 0.4:
            found[name + "_rare"] = draw(chance)
        elif chance.random() < 0.3:
            found[name + "_rare"] = chance.choice([None, []])
        some = [draw(chance) for _ in range(chance.randint(0, 3))]
        found[name + "_list"] = [*some, None] if some and chance.random() < 0.2 else some
    return found


CATALOG = table(__file__, "CATALOG")
