"""The mapping of an index as the engine reads it: fields by path, objects, nested paths, aliases resolved."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from qlc_engine.errors import illegal_argument, not_implemented
from qlc_engine.range_types import RANGE_TYPES

INTEGER_RANGES: dict[str, tuple[int, int]] = {
    "long": (-(2**63), 2**63 - 1),
    "integer": (-(2**31), 2**31 - 1),
    "short": (-(2**15), 2**15 - 1),
    "byte": (-(2**7), 2**7 - 1),
    "unsigned_long": (0, 2**64 - 1),
}
INTEGER_TYPES = frozenset(INTEGER_RANGES)
FLOAT_TYPES = frozenset({"double", "float", "half_float", "scaled_float"})
NUMERIC_TYPES = INTEGER_TYPES | FLOAT_TYPES
#: Types whose terms are whole values and whose doc values are a `KeywordColumn`.
KEYWORD_TYPES = frozenset({"keyword", "constant_keyword", "wildcard"})
DATE_TYPES = frozenset({"date", "date_nanos"})
TEXT_TYPES = frozenset({"text", "match_only_text"})

DEFAULT_DATE_FORMAT = "strict_date_optional_time||epoch_millis"

#: What is stored for `unsigned_long`: the value minus this, so that it fits int64 and keeps its order.
UNSIGNED_LONG_OFFSET = 2**63


@dataclass(frozen=True, slots=True)
class Field:
    """One leaf field (or multi-field) of a mapping; `type` is never `alias`: lookups resolve it.

    `path` is the full name (`a.b.keyword`) and the key of its column. `nested_path` is the nearest enclosing nested
    object (None at the top): the column lives in the DocSpace of that path.
    Column of a type: keyword-like and flattened `KeywordColumn`; ip `KeywordColumn` whose terms are the 16 bytes of
    the address as 32 hex digits (`ip.format_ip`); numbers, dates (epoch ms) and booleans `NumericColumn`
    (`unsigned_long` minus `UNSIGNED_LONG_OFFSET`); geo_point `GeoColumn`; ranges and shapes a `KeywordColumn` of
    what `range_types` and `shapes` make of them; text has none.
    """

    path: str
    type: str
    nested_path: str | None = None
    index: bool = True
    doc_values: bool = True
    format: str = DEFAULT_DATE_FORMAT
    null_value: Any = None
    ignore_above: int | None = None
    ignore_malformed: bool = False
    coerce: bool = True
    scaling_factor: float = 1.0
    analyzer: str = "default"
    search_analyzer: str | None = None
    normalizer: str | None = None
    norms: bool = True
    index_options: str = "positions"
    position_increment_gap: int = 100
    fielddata: bool = False
    dims: int = 0
    similarity: str | None = None
    copy_to: tuple[str, ...] = ()
    #: full paths of the multi-fields filled from the same values
    multi_fields: tuple[str, ...] = ()
    #: the field this is a multi-field of
    parent_field: str | None = None
    #: for a key below a flattened field: the path of the flattened field and the key below it
    flattened_root: str | None = None
    flattened_key: str | None = None
    depth_limit: int = 20
    constant: str | None = None
    #: a text that is looked for is one of several values
    split_whitespace: bool = False
    #: the server keeps pairs of words, or beginnings, of their own for these, and scores by them
    index_phrases: bool = False
    index_prefixes: bool = False

    @property
    def stored_offset(self) -> int:
        """The difference between a stored whole number and its value."""
        return UNSIGNED_LONG_OFFSET if self.type == "unsigned_long" else 0

    @property
    def is_numeric(self) -> bool:
        return self.type in NUMERIC_TYPES

    @property
    def is_text(self) -> bool:
        return self.type in TEXT_TYPES

    @property
    def is_keyword(self) -> bool:
        return self.type in KEYWORD_TYPES or self.type == "flattened"

    @property
    def has_doc_values(self) -> bool:
        return self.doc_values and not self.is_text and self.type != "dense_vector"

    @property
    def is_date(self) -> bool:
        return self.type in DATE_TYPES

    @property
    def is_range(self) -> bool:
        return self.type in RANGE_TYPES

    @property
    def is_extended(self) -> bool:
        """Whether a value is a range or a shape, which is one term of the field."""
        return self.is_range or self.type == "geo_shape"


def check_doc_values(field: Field) -> None:
    """Raises EngineError for a field without the values of its documents, which order and aggregations need."""
    if field.is_text and field.fielddata:
        raise not_implemented(f"fielddata of the text field [{field.path}]")
    if field.is_text:
        raise illegal_argument(
            f"Fielddata is disabled on [{field.path}]. Text fields are not optimised for operations that require "
            "per-document field data like aggregations and sorting. Please use a keyword field instead."
        )
    if not field.has_doc_values:
        raise illegal_argument(
            f"Can't load fielddata on [{field.path}] because fielddata is unsupported on fields of type "
            f"[{field.type}]. Use doc values instead."
        )


@dataclass(frozen=True, slots=True)
class ObjectField:
    """An object or nested object; `nested_path` is the nearest nested path that encloses its children."""

    path: str
    nested: bool = False
    enabled: bool = True
    #: "true", "false" or "strict"; None: as the enclosing object
    dynamic: str | None = None
    nested_path: str | None = None
    include_in_parent: bool = False
    include_in_root: bool = False


IGNORED = Field("_ignored", "keyword")
"""The fields of a document that were left out (`ignore_above`, `ignore_malformed`): searched like a mapped keyword."""


class FieldLookup(Protocol):
    """The interface of a mapping for queries, sorts and aggregations (of one index, or of several together)."""

    def field(self, path: str) -> Field | None:
        """The leaf field of that name, aliases resolved; None if there is none."""

    def object(self, path: str) -> ObjectField | None:
        """The object or nested object of that name."""

    def is_nested(self, path: str) -> bool: ...

    def nested_path(self, path: str) -> str | None:
        """The nearest nested object that encloses the field or object (for a nested object: the one around it)."""

    def expand(self, pattern: str) -> list[str]:
        """Names of leaf fields (aliases among them) that fit a pattern with `*`; the name itself without one."""


@dataclass(frozen=True)
class Mapping:
    """An immutable mapping. `fields` and `objects` are keyed by full path; `aliases` by path to target path."""

    fields: dict[str, Field] = field(default_factory=dict)
    objects: dict[str, ObjectField] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    #: the root's parameters
    dynamic: str = "true"
    date_detection: bool = True
    numeric_detection: bool = False
    dynamic_date_formats: tuple[str, ...] = ("strict_date_optional_time", "yyyy/MM/dd HH:mm:ss Z||yyyy/MM/dd Z")
    dynamic_templates: tuple[dict[str, Any], ...] = ()
    #: the mapping as Elasticsearch prints it under `mappings`
    source: dict[str, Any] = field(default_factory=dict)

    def field(self, path: str) -> Field | None:
        found = self.fields.get(self.aliases.get(path, path))
        return found if found is not None else self._flattened_key(path)

    @cached_property
    def vector_names(self) -> tuple[str, ...]:
        """The last steps of the paths of vectors."""
        return tuple({path.rpartition(".")[2] for path, one in self.fields.items() if one.type == "dense_vector"})

    def _flattened_key(self, path: str) -> Field | None:
        end = path.rfind(".")
        while end > 0:
            root = self.fields.get(path[:end])
            if root is not None:
                if root.type != "flattened":
                    return None
                return Field(
                    path=f"{root.path}._keyed",
                    type="flattened",
                    nested_path=root.nested_path,
                    flattened_root=root.path,
                    flattened_key=path[end + 1 :],
                    split_whitespace=root.split_whitespace,
                    ignore_above=root.ignore_above,
                )
            end = path.rfind(".", 0, end)
        return None

    def object(self, path: str) -> ObjectField | None:
        return self.objects.get(path)

    def is_nested(self, path: str) -> bool:
        found = self.objects.get(path)
        return found is not None and found.nested

    def nested_path(self, path: str) -> str | None:
        found = self.field(path)
        if found is not None:
            return found.nested_path
        end = path.rfind(".")
        while end > 0:
            enclosing = self.objects.get(path[:end])
            if enclosing is not None:
                return enclosing.path if enclosing.nested else enclosing.nested_path
            end = path.rfind(".", 0, end)
        return None

    @cached_property
    def copied_from(self) -> dict[str, tuple[str, ...]]:
        """For fields that are copied to: the fields whose values they get."""
        found: dict[str, tuple[str, ...]] = {}
        for source in self.fields.values():
            for target in source.copy_to:
                found[target] = (*found.get(target, ()), source.path)
        return found

    def expand(self, pattern: str) -> list[str]:
        if "*" not in pattern:
            return [pattern]
        return [name for name in self.names() if matches_pattern(pattern, name)]

    def names(self) -> Iterator[str]:
        yield from self.fields
        yield from self.aliases


@dataclass(frozen=True, slots=True)
class JoinedMappings:
    """The mappings of several indices searched together: the first that knows a name answers."""

    mappings: Sequence[Mapping]

    def field(self, path: str) -> Field | None:
        return next((found for mapping in self.mappings if (found := mapping.field(path)) is not None), None)

    def object(self, path: str) -> ObjectField | None:
        return next((found for mapping in self.mappings if (found := mapping.object(path)) is not None), None)

    def is_nested(self, path: str) -> bool:
        return any(mapping.is_nested(path) for mapping in self.mappings)

    def nested_path(self, path: str) -> str | None:
        return next((found for mapping in self.mappings if (found := mapping.nested_path(path)) is not None), None)

    def expand(self, pattern: str) -> list[str]:
        return list(dict.fromkeys(name for mapping in self.mappings for name in mapping.expand(pattern)))


def matches_pattern(pattern: str, name: str) -> bool:
    """Elasticsearch's simple match: `*` stands for any run of characters, nothing else is special."""
    if "*" not in pattern:
        return pattern == name
    return fnmatch.fnmatchcase(name, pattern.replace("[", "[[]").replace("?", "[?]"))


def matches_any(patterns: Iterable[str], name: str) -> bool:
    return any(matches_pattern(pattern, name) for pattern in patterns)
