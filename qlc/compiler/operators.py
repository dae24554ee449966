"""The operators of each type of field, and the refusal for an operator that does not apply."""

from __future__ import annotations

from qlc.base.diagnostics import Span, an
from qlc.compiler.context import Refused, kind_of, quoted
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Field


def operators_of(field: Field) -> list[str]:
    """The operators that a field's type has, for messages and completion."""
    match field.kind:
        case FieldKind.KEYWORD if field.reference is not None:
            found = ["=", "!=", "in", "not in"]
        case FieldKind.KEYWORD:
            found = ["=", "!=", "in", "not in", "contains", "starts with", "ends with", "like", "<", ">", "between"]
        case FieldKind.TEXT:
            found = ["contains"]
        case FieldKind.NUMBER | FieldKind.WHOLE_NUMBER | FieldKind.DATE | FieldKind.IP:
            found = ["=", "!=", "<", "<=", ">", ">=", "between", "in", "not in"]
        case FieldKind.BOOLEAN:
            found = ["=", "!=", "in", "not in"]
        case FieldKind.GEO_POINT:
            found = ["within"]
        case _:
            found = []
    if field.mapped.analysed is not None and field.reference is None and not field.is_id:
        found += ["matches", "mentions"]
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
