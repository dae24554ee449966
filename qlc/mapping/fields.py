"""Fields of an index mapping in the form that the compiler needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum


class FieldKind(StrEnum):
    """The type of a field's values, by which operators apply."""

    KEYWORD = "keyword"  # has exact terms: keyword, or text with a keyword sub-field
    TEXT = "text"  # analysed only
    WHOLE_NUMBER = "whole number"
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"
    GEO_POINT = "geo point"
    GEO_SHAPE = "geo shape"
    NUMBER_RANGE = "range of numbers"
    DATE_RANGE = "range of dates"
    IP_RANGE = "range of IP addresses"
    IP = "IP address"
    VECTOR = "vector"
    UNSUPPORTED = "unsupported"  # in the mapping, but not a type that the language can ask about


NUMERIC = (FieldKind.WHOLE_NUMBER, FieldKind.NUMBER)
RANGES = (FieldKind.NUMBER_RANGE, FieldKind.DATE_RANGE, FieldKind.IP_RANGE)
EXTENDED = (FieldKind.GEO_POINT, FieldKind.GEO_SHAPE, *RANGES)
"""Places, shapes and ranges, which have operators of their own: no equality, no order, no groups."""
NO_EXACT_VALUES = (FieldKind.TEXT, *EXTENDED, FieldKind.VECTOR, FieldKind.UNSUPPORTED)
"""Kinds of fields that cannot be sorted or grouped by."""


_NUMBERS = ("byte", "short", "integer", "long", "unsigned_long", "half_float", "float", "double", "scaled_float")
_SORT_OF_VALUES = {
    **dict.fromkeys(_NUMBERS, "number"),
    **dict.fromkeys(("keyword", "constant_keyword", "wildcard"), "keyword"),
    **dict.fromkeys(("date", "date_nanos"), "date"),
}


@dataclass(frozen=True, slots=True)
class MappedField:
    """A leaf field of the mapping with its multi-fields.

    - `path`: as in stored documents (an alias is resolved to its target).
    - `exact`: the path for equality, sorting and grouping: the field or its keyword sub-field; None without one.
    - `analysed`: the path for full text; None if not analysed.
    - `nested`: the enclosing nested paths, outermost first.
    - `indexed`, `doc_values`, `normalizer`, `ignore_above`: those of `exact`, if there is one.
    - `may_ignore`: whether the index can leave out values of `exact` (too long, malformed), and list them in
      `_ignored`.
    - `conflict`: (index, type) pairs if the indices of the name disagree.
    - `scaling_factor`: a `scaled_float` stores the whole number nearest to the value times this factor. None for other
      types, and if indices differ in it.
    - `in_part`: whether some of the indices of the name lack it, so that they must be told its type to sort by it.
    - `is_copy`: whether other fields are copied into it (`copy_to`).
    - `label`, `unit`: what the mapping's `meta` says the field is called by people, and measured in; or empty.
    - `note`: what the load of a table doubts of its values (of `counts_rows`: of its rows), in sentences; or empty.
    - `counts_rows`: whether it holds the place of each row in a file of tables, which the load of the file added.
    - `read_from`: of which text the load of a file read this value, in a sentence; or empty.
    """

    path: str
    es_type: str
    kind: FieldKind
    exact: str | None = None
    analysed: str | None = None
    nested: tuple[str, ...] = ()
    normalizer: str | None = None
    ignore_above: int | None = None
    date_format: str | None = None
    indexed: bool = True
    doc_values: bool = True
    may_ignore: bool = False
    in_object_list: str | None = None
    conflict: tuple[tuple[str, str], ...] = ()
    scaling_factor: float | None = None
    in_part: bool = False
    is_copy: bool = False
    label: str = ""
    unit: str = ""
    counts_rows: bool = False
    read_from: str = ""
    note: str = ""
    term_path: str = field(init=False, compare=False, repr=False)
    """The path of exact terms, order and groups."""
    nested_path: str | None = field(init=False, compare=False, repr=False)
    """The innermost nested path around the field."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "term_path", self.exact or self.path)
        object.__setattr__(self, "nested_path", self.nested[-1] if self.nested else None)

    @property
    def is_added(self) -> bool:
        """Whether the load of a file added it to the columns: only programs name it, never words."""
        return self.counts_rows or bool(self.read_from)

    @property
    def is_only_stored(self) -> bool:
        """Whether only the stored documents have it, so that a search for those with a value finds none."""
        return self.kind not in (FieldKind.VECTOR, *EXTENDED) and not self.indexed and not self.doc_values

    @property
    def is_mixed(self) -> bool:
        """Whether the types of `conflict` hold values of different sorts: text and keyword, but not long and double."""
        return len({_SORT_OF_VALUES.get(kind, kind) for _, kind in self.conflict}) > 1


ID_FIELD = MappedField(path="_id", es_type="_id", kind=FieldKind.KEYWORD, exact="_id")
"""The document id of Elasticsearch; it can be looked up, but not sorted or grouped by."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexMapping:
    """The fields of one index name, alias or pattern. `nested` and `objects` are paths with sub-fields. Elements of the
    lists `included` are also indexed with their document.

    `sub_fields` are the multi-fields by their own path (`name.folded`), `normalizers` the token filters of each
    normalizer, `copies` the targets of `copy_to`, `scripts` the script of each runtime field that has one (None: cannot
    be shown). `references` are the foreign keys of a loaded database, by path: `INDEX.FIELD`. `closed` are the closed
    indices that match the name, which no search reads.
    `fingerprint` is equal for mappings of equal content.
    """

    index: str
    fields: Mapping[str, MappedField]
    nested: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()
    included: frozenset[str] = frozenset()
    flattened: frozenset[str] = frozenset()
    indices: tuple[str, ...] = ()
    normalizers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sub_fields: Mapping[str, MappedField] = field(default_factory=dict)
    copies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scripts: Mapping[str, str | None] = field(default_factory=dict)
    references: Mapping[str, str] = field(default_factory=dict)
    closed: tuple[str, ...] = ()
    fingerprint: str = ""

    def at(self, path: str) -> MappedField | None:
        """Return the field at a path: a leaf, an alias, a multi-field by its own path, or any key of a flattened
        field."""
        return self.fields.get(path) or self.sub_fields.get(path) or self._flattened_key(path)

    def _flattened_key(self, path: str) -> MappedField | None:
        for root in self.flattened:
            if path.startswith(root + ".") and not path.endswith("."):
                return replace(self.fields[root], path=path, exact=path)
        return None
