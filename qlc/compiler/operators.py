"""The operators of each type of field, and the refusal for an operator that does not apply."""

from __future__ import annotations

from collections.abc import Mapping

from qlc.base.diagnostics import Span, an
from qlc.compiler.context import Refused, kind_of, quoted
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Field

_EQUAL = ("=", "!=", "in", "not in")
_OF_KIND: Mapping[FieldKind, tuple[str, ...]] = {
    FieldKind.KEYWORD: (*_EQUAL, "contains", "starts with", "ends with", "like", "<", ">", "between"),
    FieldKind.TEXT: ("contains",),
    **dict.fromkeys((*NUMERIC, FieldKind.DATE, FieldKind.IP),
                    ("=", "!=", "<", "<=", ">", ">=", "between", "in", "not in")),
    FieldKind.BOOLEAN: _EQUAL,
    FieldKind.GEO_POINT: ("within",),
}


def operators_of(field: Field) -> list[str]:
    """The operators that a field's type has, for messages and completion."""
    is_text_reference = field.kind is FieldKind.KEYWORD and field.reference is not None
    found = [*(_EQUAL if is_text_reference else _OF_KIND.get(field.kind, ()))]
    if field.mapped.analysed is not None and field.reference is None and not field.is_id:
        found += ["matches", "matches any", "matches prefix", "matches roughly", "mentions"]
    if field.many is not False and field.kind not in (FieldKind.TEXT, FieldKind.GEO_POINT):
        found += ["has", "has all", "has any"]
    if field.reference is not None and (field.reference.ancestors is not None or field.reference.constants):
        found += ["under"]
    return [*found, "missing", "exists"]


def no_operator(field: Field, operator: str, span: Span, hint: str = "") -> Refused:
    what = f"refers to {an(field.reference.entity)}" if field.reference else f"is {kind_of(field)}"
    if field.kind is FieldKind.KEYWORD and field.reference is None:
        what = "holds exact values"
    if field.kind is FieldKind.TEXT:
        what = "is full text"
    possible = operators_of(field)
    return Refused("wrong-operator", f"'{field.name}' {what}, so '{operator}' does not apply", span,
                   hint=hint or f"it has {quoted(possible, limit=20, conjunction='and')}",
                   suggestions=tuple(possible))
