"""What an index mapping says of its fields, in the form that the compiler needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum


class FieldKind(StrEnum):
    """What a field's values are, as far as operators care."""

    KEYWORD = "keyword"  # has exact terms: keyword, or text with a keyword sub-field
    TEXT = "text"  # analysed only
    WHOLE_NUMBER = "whole number"
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"
    GEO_POINT = "geo point"
    IP = "IP address"
    VECTOR = "vector"
    UNSUPPORTED = "unsupported"  # in the mapping, but not a type that the language can ask about


NUMERIC = (FieldKind.WHOLE_NUMBER, FieldKind.NUMBER)


_NUMBERS = ("byte", "short", "integer", "long", "unsigned_long", "half_float", "float", "double", "scaled_float")
_SORT_OF_VALUES = {
    **dict.fromkeys(_NUMBERS, "number"),
    **dict.fromkeys(("keyword", "constant_keyword", "wildcard"), "keyword"),
    **dict.fromkeys(("date", "date_nanos"), "date"),
}


@dataclass(frozen=True, slots=True)
class MappedField:
    """One leaf field of the mapping with its multi-fields.

    `path` is the path as stored documents have it (an alias is resolved to its target). `exact` is the path to use for
    equality, sorting and grouping (the field itself or its keyword sub-field; None: there is none), `analysed` the path
    for full text (None: not analysed). `nested` are the enclosing nested paths, outermost first. `indexed`,
    `doc_values`, `normalizer` and `ignore_above` are those of `exact` where there is one. `may_ignore`: the index may
    leave out values of `exact` that are too long or malformed, and names the field in `_ignored` of the document.
    `conflict` lists (index, type) where the indices of the name disagree. A `scaled_float` is kept as the whole number
    nearest to the value times `scaling_factor` (None: not of this type, or several indices have several factors).
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
    term_path: str = field(init=False, compare=False, repr=False)
    """Where exact terms, order and groups of the field are."""
    nested_path: str | None = field(init=False, compare=False, repr=False)
    """The nearest enclosing nested path."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "term_path", self.exact or self.path)
        object.__setattr__(self, "nested_path", self.nested[-1] if self.nested else None)

    @property
    def is_mixed(self) -> bool:
        """Whether the types of `conflict` hold values of different sorts: text and keyword, but not long and double."""
        return len({_SORT_OF_VALUES.get(kind, kind) for _, kind in self.conflict}) > 1


ID_FIELD = MappedField(path="_id", es_type="_id", kind=FieldKind.KEYWORD, exact="_id")
"""The document id that Elasticsearch itself keeps; it can be looked up, not sorted or grouped by."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexMapping:
    """The fields of one index name, alias or pattern. `nested` and `objects` are paths that hold sub-fields. Elements
    of the lists `included` are indexed with the document around them too.

    `sub_fields` are the multi-fields by their own path (`name.folded`), `normalizers` the token filters of each
    normalizer, `copies` the fields that a field's values are copied to (`copy_to`), `scripts` the text of the script of
    each runtime field that has one (None: it cannot be reported). `fingerprint` is equal for mappings of equal content.
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
    fingerprint: str = ""

    def at(self, path: str) -> MappedField | None:
        """The field at a path: a leaf, an alias, a multi-field by its own path, or any key of a flattened field."""
        return self.fields.get(path) or self.sub_fields.get(path) or self._flattened_key(path)

    def _flattened_key(self, path: str) -> MappedField | None:
        for root in self.flattened:
            if path.startswith(root + ".") and not path.endswith("."):
                return replace(self.fields[root], path=path, exact=path)
        return None
