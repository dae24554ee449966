"""The operators of each type of field, and the refusal for an operator that does not apply."""

from __future__ import annotations

from collections.abc import Mapping

from qlc.base.diagnostics import Span, an
from qlc.compiler.context import Refused, kind_of, quoted
from qlc.mapping.fields import NO_EXACT_VALUES, NUMERIC, RANGES, FieldKind
from qlc.mapping.schema import Field

_EQUAL = ("=", "!=", "in", "not in")
_OF_KIND: Mapping[FieldKind, tuple[str, ...]] = {
    FieldKind.KEYWORD: (*_EQUAL, "contains", "starts with", "ends with", "like", "<", ">", "between"),
    FieldKind.TEXT: ("contains",),
    **dict.fromkeys((*NUMERIC, FieldKind.DATE, FieldKind.IP),
                    ("=", "!=", "<", "<=", ">", ">=", "between", "in", "not in")),
    FieldKind.BOOLEAN: _EQUAL,
    FieldKind.GEO_POINT: ("within",),
    FieldKind.GEO_SHAPE: ("intersects", "within", "disjoint"),
    **dict.fromkeys(RANGES, ("contains", "overlaps")),
}
_EXAMPLES: Mapping[FieldKind, str] = {
    FieldKind.GEO_POINT: "{0} within 10 km of (LATITUDE, LONGITUDE)' or '{0} within box (TOP, LEFT) to (BOTTOM, RIGHT)",
    FieldKind.GEO_SHAPE: "{0} intersects box (TOP, LEFT) to (BOTTOM, RIGHT)",
    FieldKind.NUMBER_RANGE: "{0} contains 5' or '{0} overlaps 5 to 10",
    FieldKind.DATE_RANGE: "{0} contains 2024-05-03' or '{0} overlaps 2024-05-03 to 2024-05-10",
    FieldKind.IP_RANGE: '{0} contains "192.0.2.1"',
}
"""A condition on a field of each of these kinds."""


def has_gaps(field: Field) -> bool:
    """Whether values of a field other than given ones can be searched for: `has only`, `= [..]`."""
    is_keyword = field.kind is FieldKind.KEYWORD and field.mapped.es_type in ("keyword", "text")
    return field.kind in NUMERIC or is_keyword


def operators_of(field: Field) -> list[str]:
    """The operators that a field's type has, for messages and completion."""
    is_text_reference = field.kind is FieldKind.KEYWORD and field.reference is not None
    found = [*(_EQUAL if is_text_reference else _OF_KIND.get(field.kind, ()))]
    if field.mapped.analysed is not None and field.reference is None and not field.is_id:
        found += ["matches", "matches any", "matches prefix", "matches roughly", "mentions"]
    if field.many is not False and field.kind not in NO_EXACT_VALUES:
        found += ["has", "has all", "has any"]
        found += ["has only"] if has_gaps(field) else []
    if field.reference is not None and (field.reference.ancestors is not None or field.reference.constants):
        found += ["under"]
    return [*found, "missing", "exists"]


def no_operator(field: Field, operator: str, span: Span, hint: str = "") -> Refused:
    what = f"refers to {an(field.reference.entity)}" if field.reference else f"is {kind_of(field)}"
    if field.kind is FieldKind.KEYWORD and field.reference is None:
        what = "holds exact values"
    if field.kind is FieldKind.TEXT:
        what = "is full text"
    if field.kind in _EXAMPLES:
        hint = f"write '{_EXAMPLES[field.kind].format(field.name)}'"
    possible = operators_of(field)
    return Refused("wrong-operator", f"'{field.name}' {what}, so '{operator}' does not apply", span,
                   hint=hint or f"it has {quoted(possible, limit=20, conjunction='and')}",
                   suggestions=tuple(possible))
