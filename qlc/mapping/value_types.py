"""Types for unmapped fields, chosen from all values of the documents before an index is created.

Elasticsearch takes a type from the first value: after `{"rating": 2}` the field is a long, and 4.3 is stored as 4.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from qlc.language.dates import day_of
from qlc.mapping.errors import MappingError

Json = Mapping[str, Any]

MOST_FIELDS = 10_000
"""Most fields that are examined. An index has 1,000 by default."""
LONGEST_NAMES = 5_000_000
"""Most characters in all names of fields together."""
_MOST_LISTED = 5

_LONG = (-(2**63), 2**63 - 1)
_UNSIGNED_LONG = (0, 2**64 - 1)
_WHOLE_TYPES = frozenset({"byte", "short", "integer", "long", "unsigned_long"})
_OBJECT_TYPES = frozenset({"object", "nested"})
_VECTOR_LENGTHS = range(128, 4097)
"""Lengths of a list of decimals that becomes a vector."""

_TEXT = {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 256}}}
_BOTH_DATES = "strict_date_optional_time||yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"
_NOT_OF_NUMBERS = ("string", "boolean", "date", "object", "binary")

_BEGINS_LIKE_A_DATE = re.compile(r"[+-]?\d{4,}[^\d.]")
_ISO_DATE = re.compile(r"(\d{4}(?:-\d\d(?:-\d\d)?)?)"
                       r"(?:T(?:\d\d(?::\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?)?(?:Z|[+-]\d\d:?\d\d)?)?")  # fmt: skip
_SLASH_DATE = re.compile(r"(\d{4}/\d\d/\d\d)(?: \d\d:\d\d:\d\d)?")

_NAMES = {
    "whole": "a number", "decimal": "a number", "vector": "a number", "boolean": "true or false", "text": "a text",
    "empty": "an empty text", "date": "a text", "slash date": "a text", "like a date": "a text", "object": "an object",
}  # fmt: skip
_NUMBERS = frozenset({"whole", "decimal", "vector"})
_DATES = frozenset({"date", "slash date"})
_TEXTS = frozenset({"text", "like a date", *_DATES})

_Place = tuple[int, Any]
"""A line and the value in it."""


@dataclass(slots=True)
class _Seen:
    """The values of one field so far: the first of each kind, and the extent of the whole numbers.

    `inexact` is the first whole number that a double does not hold: 9007199254740993 -> 9007199254740992.
    """

    kinds: dict[str, _Place] = field(default_factory=dict)
    low: int = 0
    high: int = 0
    inexact: _Place | None = None
    lengths: set[int] = field(default_factory=set)

    def add(self, line: int, value: Any) -> None:
        kind = _kind_of_text(value) if type(value) is str else _KINDS.get(type(value), "text")
        if kind not in self.kinds:
            self.kinds[kind] = (line, value)
        if kind == "whole":
            self.low, self.high = min(self.low, value), max(self.high, value)
            if self.inexact is None and not _is_exact_double(value):
                self.inexact = (line, value)


class ValueTypes:
    """Collects the values of documents, line by line; `properties` are the types that the mapping must name.

    `{"rating": 2}`, `{"rating": 4.3}` -> `{"rating": {"type": "double"}}`.
    """

    def __init__(self, mappings: Json) -> None:
        """`mappings`: those of the index, existing or to be created."""
        self._mappings = mappings
        self._leaves: dict[str, str] = {}
        self._objects: dict[str, str] = {"": str(mappings.get("dynamic", "true")).lower()}
        of_templates = [one.get("match_mapping_type") for given in mappings.get("dynamic_templates") or ()
                        if isinstance(given, Mapping) for one in given.values() if isinstance(one, Mapping)]
        # Dynamic templates of the mapping choose the types, if there are any.
        self._rules_for_numbers = any(one not in _NOT_OF_NUMBERS for one in of_templates)
        self._rules_for_texts = bool(of_templates or mappings.get("dynamic_date_formats"))
        self._reads_numbers = mappings.get("numeric_detection") in (True, "true")
        self._finds_dates = mappings.get("date_detection", True) not in (False, "false")
        self._seen: dict[str, _Seen] = {}
        self._cut: dict[str, _Place] = {}
        self._characters = 0
        self._read_object("", mappings)

    def _read_object(self, prefix: str, definition: Json) -> None:
        properties = definition.get("properties")
        for name, one in properties.items() if isinstance(properties, Mapping) else ():
            path = prefix + str(name)
            if not isinstance(one, Mapping):
                continue
            type_ = one.get("type", "object")
            if type_ in _OBJECT_TYPES and one.get("enabled", True) not in (False, "false"):
                inherited = self._objects.get(prefix.removesuffix("."), "true")
                self._objects[path] = str(one.get("dynamic", inherited)).lower()
                self._read_object(path + ".", one)
            else:
                self._leaves[path] = str(type_)

    # --- documents ---------------------------------------------------------------------------------------------------

    def add(self, line: int, document: Json) -> None:
        """Add every value of a document. Raises MappingError for more fields than an index can have."""
        to_read: list[tuple[str, Json, bool]] = [("", document, self._objects[""] == "true")]
        while to_read:
            prefix, content, is_dynamic = to_read.pop()
            for name, value in content.items():
                path = prefix + name
                to_read += [(path + ".", one, self._is_dynamic(path, is_dynamic))
                            for one in self._add_values(line, path, value, is_dynamic)]

    def _is_dynamic(self, path: str, inherited: bool) -> bool:
        own = self._objects.get(path)
        return inherited if own is None else own == "true"

    def _add_values(self, line: int, path: str, value: Any, is_dynamic: bool) -> list[Json]:
        """Record the values at a path, and return the objects among them."""
        mapped = self._leaves.get(path)
        if mapped is not None:
            if mapped in _WHOLE_TYPES and path not in self._cut:
                self._find_fraction(line, path, value)
            return []
        if type(value) is list:
            if is_dynamic and len(value) in _VECTOR_LENGTHS and all(type(one) is float for one in value):
                seen = self._of(line, path)
                seen.kinds.setdefault("vector", (line, value[0]))
                seen.lengths.add(len(value))
                return []
            return [found for one in value for found in self._add_values(line, path, one, is_dynamic)]
        if path in self._objects:
            return [value] if type(value) is dict else []
        if value is None or not is_dynamic:
            return []
        if self._reads_numbers and type(value) is str:
            value = _read_number(value)
        self._of(line, path).add(line, value)
        return [value] if type(value) is dict else []

    def _of(self, line: int, path: str) -> _Seen:
        seen = self._seen.get(path)
        if seen is None:
            self._characters += len(path)
            if len(self._seen) >= MOST_FIELDS or self._characters > LONGEST_NAMES:
                raise MappingError(
                    f"up to line {line:,} there are more than {len(self._seen):,} different fields, and an index holds "
                    "fewer: if names of fields are values here, put them into values, or give a mapping with "
                    '{"dynamic": false}'
                )
            seen = self._seen[path] = _Seen()
        return seen

    def _find_fraction(self, line: int, path: str, value: Any) -> None:
        """Record the first value that a field of whole numbers would truncate: 4.3 -> 4."""
        for one in value if type(value) is list else (value,):
            if type(one) is list:
                self._find_fraction(line, path, one)
            elif type(one) in (float, str) and _has_fraction(one):
                self._cut.setdefault(path, (line, one))

    # --- types -------------------------------------------------------------------------------------------------------

    def properties(self) -> dict[str, Any]:
        """Return the types that the mapping must name, as `properties`: those that the first value might not give.

        Raises MappingError, with the lines, if no type holds every value as it is.
        """
        problems = [
            f"'{path}' holds whole numbers in the index ({self._leaves[path]}), and {_at(place)} would be cut"
            for path, place in self._cut.items()
        ]
        found: dict[str, Any] = {}
        for path, seen in self._seen.items():
            problem, definition = self._type_of(seen)
            if problem:
                problems.append(f"'{path}' is {problem}")
            elif definition is not None and all(path.split(".")):
                _put(found, path, definition, self._mappings)
        if problems:
            more = len(problems) - _MOST_LISTED
            lines = "\n".join(f"  {one}" for one in problems[:_MOST_LISTED])
            lines += f"\n  and {more:,} more fields" if more > 0 else ""
            raise MappingError(
                "no type that a field gets from its values holds all of them, so nothing was loaded:\n"
                f"{lines}\n"
                'Change the lines, or name the types in a file for --mapping, such as {"properties": {"FIELD": '
                '{"type": "keyword"}}}. An index that exists keeps its types: --name makes another one.'
            )
        return found

    def _type_of(self, seen: _Seen) -> tuple[str, Json | None]:
        """Return (problem, None), ("", type to name), or ("", None) if the first value gives the right type."""
        kinds = seen.kinds.keys()
        texts = kinds & _TEXTS
        groups = [kinds & {"object"}, kinds & _NUMBERS, kinds & {"boolean"}, texts]
        if kinds & {"empty"} and not kinds & _NUMBERS:  # a number that is an empty text is no value
            groups[3] = texts | {"empty"}
        several = [min(((seen.kinds[one], one) for one in group), key=lambda one: one[0][0])
                   for group in groups if group]  # fmt: skip
        if len(several) > 1:
            several.sort(key=lambda one: one[0][0])
            return " and ".join(f"{_NAMES[kind]} ({_at(place)})" for place, kind in several), None
        if kinds & _NUMBERS:
            return self._number(seen)
        if self._rules_for_texts or not self._finds_dates:
            return "", None
        if "like a date" in kinds or (kinds & _DATES and kinds & {"text", "empty"}):
            return "", _TEXT
        return "", ({"type": "date", "format": _BOTH_DATES} if kinds >= _DATES else None)

    def _number(self, seen: _Seen) -> tuple[str, Json | None]:
        kinds = seen.kinds.keys()
        definition: Json | None = None
        if not kinds & {"decimal", "vector"}:
            if _LONG[0] <= seen.low and seen.high <= _LONG[1]:
                return "", None
            if _UNSIGNED_LONG[0] <= seen.low and seen.high <= _UNSIGNED_LONG[1]:
                definition = {"type": "unsigned_long"}
        elif kinds <= {"vector"} and len(seen.lengths) == 1:
            return "", None
        if definition is None:
            if seen.inexact is not None:
                return f"a number with more digits than the type of the others can hold ({_at(seen.inexact)})", None
            definition = {"type": "double"}
        if not self._rules_for_numbers:
            return "", definition
        if "whole" not in kinds:
            return "", None
        place = _at(seen.kinds.get("decimal", seen.kinds["whole"]))
        return f"a whole number and a longer one ({place}), and the mapping's rules take the type of the first", None


def with_properties(mappings: Json, found: Json) -> dict[str, Any]:
    """Return the mapping with the types found by `ValueTypes` added."""
    merged = deepcopy(dict(mappings))
    _merge(merged.setdefault("properties", {}), found)
    return merged


def _merge(properties: dict[str, Any], found: Json) -> None:
    for name, one in found.items():
        there = properties.setdefault(name, {})
        inner = one.get("properties")
        if inner is None or not there:
            properties[name] = {**there, **one}
        else:
            _merge(there.setdefault("properties", {}), inner)


def _put(found: dict[str, Any], path: str, definition: Json, mappings: Json) -> None:
    """Insert a type at its place in the tree of properties; nested lists on the way stay nested."""
    *objects, name = path.split(".")
    known: Any = mappings
    for part in objects:
        known = (known.get("properties") or {}).get(part, {}) if isinstance(known, Mapping) else {}
        inner = found.setdefault(part, {"properties": {}})
        if isinstance(known, Mapping) and known.get("type") == "nested":
            inner["type"] = "nested"
        found = inner["properties"]
    found[name] = dict(definition)

_KINDS = {bool: "boolean", int: "whole", float: "decimal", dict: "object"}


def _kind_of_text(text: str) -> str:
    if not text:
        return "empty"
    if _BEGINS_LIKE_A_DATE.match(text) is None:
        return "text"
    if (found := _ISO_DATE.fullmatch(text)) is not None and _is_day(found[1], "-"):
        return "date"
    if (found := _SLASH_DATE.fullmatch(text)) is not None and _is_day(found[1], "/"):
        return "slash date"
    return "like a date"


def _is_day(text: str, separator: str) -> bool:
    year, month, day = [*text.split(separator), "01", "01"][:3]
    return day_of(int(year), int(month), int(day)) is not None


def _is_exact_double(number: int) -> bool:
    if -(2**53) <= number <= 2**53:
        return True
    try:
        return int(float(number)) == number
    except OverflowError:
        return False


def _read_number(text: str) -> str | int | float:
    """Parse a quoted number as a number, as with `numeric_detection`."""
    for read in (int, float):
        try:
            return read(text) if "_" not in text else text
        except ValueError:
            continue
    return text


def _has_fraction(value: float | str) -> bool:
    try:
        number = float(value)
    except ValueError:
        return False
    return number not in (float("inf"), float("-inf")) and number == number and not number.is_integer()


def _at(place: _Place) -> str:
    line, value = place
    try:
        text = json.dumps(value, ensure_ascii=True)
    except ValueError:  # Python writes no number of more than some thousand digits
        text = "a very long number"
    return f"line {line:,}: {text if len(text) <= 40 else text[:40] + '...'}"
