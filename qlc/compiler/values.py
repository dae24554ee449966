"""Values: the right side of a condition, checked by the type of the field on its left.

Relations are types and lookups are coercions: a text compared with a reference becomes a `Lookup` of the entity that
the field refers to.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal as Choice

from qlc.base.diagnostics import Span, an
from qlc.base.units import DAYS
from qlc.base.words.spelling import did_you_mean, nearest
from qlc.compiler import typed
from qlc.compiler.context import KINDS, Context, Refused, Scope, UsedLiteral, kind_of, quoted
from qlc.compiler.literals import closed_values, date_literal, in_stored_unit, ip_address, number_literal
from qlc.compiler.numbers import MONTH, Comparison, refuse_never
from qlc.compiler.sources import Origin, follow, lookup, param_source, subquery
from qlc.grammar import print_value, tree
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.names import find_element, find_field
from qlc.mapping.schema import Entity, Field


def referred(context: Context, field: Field, scope: Scope) -> Entity | None:
    """The entity that values of the field identify: a reference's target, or the id field's own entity."""
    if field.reference is not None:
        return context.schema.entity(field.reference.entity)
    if field.is_id and scope.entity.names and scope.element is None:
        return scope.entity
    return None


def expand(context: Context, node: tree.Value) -> tree.Value:
    """Replace the name of a `let` by its value. Other values are returned unchanged."""
    if not isinstance(node, tree.NameValue):
        return node
    first, *rest = node.path.segments
    if first.name.text in context.broken_lets:
        raise context.broken_lets[first.name.text]
    binding = context.lets.get(first.name.text)
    if binding is None or first.narrowed is not None:
        return node
    context.used_lets.add(first.name.text)
    names = tuple(segment.name for segment in rest)
    value = expand(context, binding.value)
    if not names:
        return replace(value, span=node.span)
    if isinstance(value, tree.EntityLookup | tree.Subquery | tree.Parameter):
        return tree.Member(value, names, span=node.span)
    if isinstance(value, tree.Member):
        return tree.Member(value.base, (*value.names, *names), span=node.span)
    raise Refused("no-fields", f"'{first.name.text}' is a plain value, so it has no field '{names[0].text}'", node.span,
                  hint=f"write '{first.name.text}' alone")


def one_of(
    context: Context, node: tree.Value, field: Field, scope: Scope, comparison: Comparison | None = "="
) -> tuple[typed.Value, ...]:
    """Check a single value: one typed value, or the stored values of a named group. Raises Refused.

    `comparison`: how Elasticsearch compares the field with it; None if rows are compared here.
    """
    node = expand(context, node)
    match node:
        case tree.ListValue():
            hint = f"write '{field.name} in {print_value(node)}'" if node.items else f"write '{field.name} missing'"
            if node.items and field.many is not False:
                hint += " for one of them, 'has all' for each"
            hint += ", 'not in' for none of them" if node.items else ""
            raise Refused("list-not-expected", "this is a list, and one value is needed", node.span, hint=hint)
        case tree.Parameter():
            return (_parameter(context, node, field, scope),)
        case tree.EntityLookup() | tree.Member() | tree.Subquery():
            return (_taken(context, node, field, scope, one=True),)
        case tree.NameValue():
            return (_constant(context, node, field, scope),)
        case tree.Arithmetic() | tree.Call():
            return (context.checks.formula(context, node, field, scope),)
        case tree.Exactly():
            return (_exactly(context, node, field, scope, comparison),)
        case _:
            return _literal(context, node, field, scope, comparison)


def several(
    context: Context, node: tree.Value, field: Field, scope: Scope, comparison: Comparison | None = "="
) -> tuple[typed.Value, ...]:
    """The values after `in`, `has any`, `has all`, `under in`: a list, or a set from anywhere a value comes from."""
    node = expand(context, node)
    match node:
        case tree.ListValue():
            if not node.items:
                raise Refused("empty-list", "the list is empty, so nothing can be in it", node.span,
                              hint="give at least one value, or leave the condition out")
            each = context.each(lambda item: one_of(context, item, field, scope, comparison), node.items)
            return tuple(value for values in each for value in values)
        case tree.Member() | tree.Subquery():
            return (_taken(context, node, field, scope, one=False),)
        case tree.Parameter():
            return (_parameter(context, node, field, scope, one=False),)
        case tree.Exactly(text=tree.Parameter()):
            return (_exactly(context, node, field, scope, comparison, one=False),)
        case tree.EntityLookup():
            return (_taken(context, node, field, scope, one=True),)
        case tree.String(value=text) if field.kind is FieldKind.IP and "/" in text:  # a block of addresses
            return one_of(context, node, field, scope, comparison)
        case _ if field.kind is FieldKind.DATE:
            return one_of(context, node, field, scope, comparison)
        case _:
            text = print_value(node)
            raise Refused("list-expected", "a list or a set is needed here", node.span,
                          hint=f"write [{text}], or use '=' for one value", replacement=f"[{text}]")


def text_value(
    context: Context, node: tree.Value, operator: str, *, blank: bool = False
) -> typed.Literal | typed.Param:
    """Check the text of `contains`, `matches`, `mentions` and similar. `blank`: spaces alone are allowed. Raises
    Refused."""
    node = expand(context, node)
    if isinstance(node, tree.Parameter):
        return typed.Param(node.name, context.access, span=node.span)
    if isinstance(node, tree.ListValue):
        raise Refused("text-expected", f"'{operator}' takes one text", node.span,
                      hint="write one condition for each text, joined with 'or'")
    if isinstance(node, tree.Exactly):
        raise Refused("text-expected", f"'exactly' is for equality, and '{operator}' ignores case", node.span,
                      hint="leave 'exactly' out", replacement=print_value(node.text))
    if not isinstance(node, tree.String):
        raise Refused("text-expected", f"'{operator}' needs a text in quotes", node.span,
                      hint=f'write {operator} "{print_value(node)}"', replacement=f'"{print_value(node)}"')
    if not (node.value if blank else node.value.strip()):
        raise Refused("empty-text", f"'{operator}' needs {'a text that is not empty' if blank else 'words'}", node.span,
                      hint="use 'exists' to ask for any value")
    return typed.Literal(node.value)


def _parameter(
    context: Context, node: tree.Parameter, field: Field, scope: Scope, *, one: bool = True
) -> typed.Value:
    target = referred(context, field, scope)
    if context.access or target is None:
        return typed.Param(node.name, context.access, one and not context.access, span=node.span)
    return typed.Taken(param_source(context, target, node, one=one), one=one, needs_entity=True, span=node.span)


def _taken(
    context: Context, node: tree.EntityLookup | tree.Member | tree.Subquery, field: Field, scope: Scope, *, one: bool
) -> typed.Value:
    """Check a value taken from documents; its type must fit the field. Raises Refused."""
    match node:
        case tree.EntityLookup():
            origin = lookup(context, node)
        case tree.Subquery():
            origin = subquery(context, node)
        case tree.Member():
            origin = follow(context, node)
    if isinstance(origin.field, typed.ComputedField) and one:
        return context.checks.formula(context, node, field, scope)
    _check_fits(context, origin, field, scope, node.span)
    if isinstance(origin.field, typed.ComputedField):
        raise Refused("list-expected", f"'{origin.field.name}' is calculated, and gives one value", node.span,
                      hint="write '=' or another comparison with one value")
    if isinstance(origin.source, typed.Rows):
        return typed.Taken(origin.source, None, one, span=node.span)
    identifies = field.is_id and field.reference is None
    return typed.Taken(origin.source, origin.field, one, needs_entity=identifies, span=node.span)


def _comparable(entity: Entity, field: Field) -> str:
    """Return the name of the entity's field to compare with this one: of the same name, else the first of its type."""
    if field.name in entity.fields:
        return field.name
    same = (name for name, one in entity.fields.items() if one.kind is field.kind and not one.sensitive)
    return next(same, next(iter(entity.fields), "name"))


def _check_fits(context: Context, origin: Origin, field: Field, scope: Scope, span: Span) -> None:
    """Refuse a value of another type, such as an owner for a folder or a date for a number."""
    wanted = referred(context, field, scope)
    given = origin.entity
    if wanted is not None:
        if given is not None and may_be(given, wanted):
            return
        if given is None and origin.kind is FieldKind.KEYWORD and (field.is_id or wanted.virtual):
            return
        what = f"{an(given.name)}" if given is not None else f"{KINDS[origin.kind]}"
        raise Refused("wrong-type", f"'{field.name}' holds {an(wanted.name)}, and this is {what}", span,
                      hint=f"take a value that is {an(wanted.name)}")
    if given is not None and origin.field is None:
        raise Refused("wrong-type", f"'{field.name}' holds {kind_of(field)}, and this is {an(given.name)}", span,
                      hint=f"take one of its fields, for example .{_comparable(given, field)}")
    same = origin.kind is field.kind or (origin.kind in NUMERIC and field.kind in NUMERIC)
    if not same and not (field.kind is FieldKind.IP and origin.kind is FieldKind.KEYWORD):
        raise Refused("wrong-type", f"'{field.name}' holds {kind_of(field)}, and this is {KINDS[origin.kind]}",
                      span, hint="compare values of the same type")
    if origin.unit and field.shown_unit and origin.unit != field.shown_unit:
        raise Refused("wrong-unit", f"'{field.name}' is in {field.shown_unit}, and this is in {origin.unit}", span,
                      hint=f"take a value in {field.shown_unit}, or write the number")


def may_be(given: Entity, wanted: Entity) -> bool:
    """Whether a document of one entity can be of the other: they are equal, or one is more general."""
    if given is wanted:
        return True
    return given.mapping is wanted.mapping and not (given.virtual or wanted.virtual) and (
        given.has_filter_of(wanted) or wanted.has_filter_of(given)
    )


def _constant(context: Context, node: tree.NameValue, field: Field, scope: Scope) -> typed.Value:
    """A constant of the field's type, such as `root`. Raises Refused for any other bare name."""
    name = ".".join(segment.name.text for segment in node.path.segments)
    constants = field.reference.constants if field.reference is not None else {}
    if name in constants:
        return typed.Literal(constants[name])
    holding = [one.name for one in scope.entity.fields.values() if one.reference and name in one.reference.constants]
    if field.is_id and holding:
        raise Refused("constant-has-no-id", f"'{name}' is not {an(scope.entity.name)} with an id", node.span,
                      hint=f"use it with a field that can hold it, such as {holding[0]} = {name}")
    if _is_field(scope, node.path):
        raise Refused("not-comparable", f"'{name}' is a field, and '{field.name}' cannot be compared with it here",
                      node.span, hint="compare with a value; '=' and '!=' between two fields of the entity take "
                      f"keywords or booleans; a text needs quotes: \"{name}\"")
    if name.casefold() in _NOTHING_WORDS:
        raise Refused("unquoted-value", f"'{name}' is not a value here", node.span,
                      hint=f"write '{field.name} missing' or '{field.name} exists'; as a text: \"{name}\"")
    if name.casefold() in _CALLERS:
        raise Refused("unquoted-value", f"only the caller knows who '{name}' is", node.span,
                      hint=f"write $me, which the caller binds; as a text: \"{name}\"")
    near = nearest(name, (*context.lets, *constants), 2)
    if field.kind is FieldKind.BOOLEAN:
        truth = _TRUTH_WORDS.get(name.casefold())
        raise Refused("unknown-name", f"'{name}' is neither true nor false", node.span,
                      hint=did_you_mean(near) or "write true or false", replacement=truth)
    if (field.kind in NUMERIC and field.values is None) or field.kind is FieldKind.DATE:
        what = "a date, such as 2024-03 or last month" if field.kind is FieldKind.DATE else "a number"
        raise Refused("unknown-name", f"'{name}' is neither a field nor a value here", node.span,
                      hint=did_you_mean(near) or f"write {what}, or a name that 'let' binds")
    if near:
        raise Refused("unquoted-value", f"'{name}' is neither a field nor a value with a name here", node.span,
                      hint=f"{did_you_mean(near)} A text needs quotes: \"{name}\"", suggestions=tuple(near))
    among = f", or write {quoted(tuple(constants))}" if constants else ""
    raise Refused("unquoted-value", f"'{name}' is neither a field nor a value with a name here", node.span,
                  hint=f'put a text in quotes: "{name}"{among}', replacement=f'"{name}"')


_NOTHING_WORDS = frozenset(
    {"empty", "blank", "none", "nil", "nothing", "undefined", "unset", "set", "filled", "present"}
)
_CALLERS = frozenset({"me", "myself", "my", "mine", "current_user"})
_TRUTH_WORDS = {
    **dict.fromkeys(("true", "yes", "on", "1"), "true"),
    **dict.fromkeys(("false", "no", "off", "0"), "false"),
}


def _is_field(scope: Scope, path: tree.Path) -> bool:
    """Whether a bare name is a field of the element or of its entity."""
    names = tuple(segment.name.text for segment in path.segments)
    if scope.element is not None and find_element(scope.entity, scope.element, names) is not None:
        return True
    return find_field(scope.entity, names) is not None


def _literal(
    context: Context, node: tree.Value, field: Field, scope: Scope, comparison: Comparison | None
) -> tuple[typed.Value, ...]:
    target = referred(context, field, scope)
    if target is not None:
        return (_entity_literal(context, node, field, target),)
    match field.kind:
        case FieldKind.DATE:
            return (date_literal(context, node, field, lambda value: _date_inside(context, value, field)),)
        case FieldKind.WHOLE_NUMBER if field.values is not None and comparison in ("=", None):
            text = node.value if isinstance(node, tree.String) else print_value(node)
            return tuple(typed.Literal(int(code)) for code in closed_values(field, text, node.span))
        case FieldKind.NUMBER | FieldKind.WHOLE_NUMBER:
            number = number_literal(node, field)
            _note_days(context, number, field)
            return (_number(number, field, comparison),)
        case FieldKind.BOOLEAN:
            if isinstance(node, tree.Boolean):
                return (typed.Literal(node.value),)
            written = print_value(node).strip('"').casefold()
            truth = _TRUTH_WORDS.get(written)
            raise Refused("wrong-type", f"'{field.name}' is true or false", node.span,
                          hint=f"write '{field.name}' or 'not {field.name}'", replacement=truth)
        case FieldKind.IP:
            if not isinstance(node, tree.String):
                raise Refused("wrong-type", f"'{field.name}' is an IP address", node.span,
                              hint='write it as "192.0.2.1"')
            return (typed.Literal(ip_address(node.value, node.span, ordered=comparison not in ("=", None))),)
        case _:
            return _text_literal(context, node, field, scope, comparison)


def _note_days(context: Context, number: tree.Number, field: Field) -> None:
    """Add a note on how many days a month counts as, since months vary."""
    if number.unit is not None and number.unit in DAYS and field.unit is not None and field.unit not in DAYS:
        one = number.unit.removesuffix("s")
        context.warn("calendar-unit", f"a {one} is counted as {DAYS[number.unit]} days", number.span,
                     f"'{field.name}' is stored in {field.unit}")


def _number(node: tree.Number, field: Field, comparison: Comparison | None) -> typed.Literal:
    number = in_stored_unit(node, field)
    if comparison is not None:
        refuse_never(field, comparison, number, lambda: print_value(node), node.span)
    return typed.Literal(number)


def _text_literal(
    context: Context, node: tree.Value, field: Field, scope: Scope, comparison: Comparison | None
) -> tuple[typed.Value, ...]:
    if field.mapped.es_type == MONTH and isinstance(node, tree.Number) and node.unit is None:
        refuse_never(field, "=", node.value, lambda: print_value(node), node.span)
        node = tree.String(node.text, span=node.span)
    if not isinstance(node, tree.String):
        written = print_value(node)
        if field.values is not None:
            closed_values(field, written, node.span)  # raises where quotes alone would not help
        is_word = isinstance(node, tree.Boolean | tree.Day)
        is_same_as_text = is_word or (isinstance(node, tree.Number) and node.unit is None)
        if comparison not in ("=", None) or not is_same_as_text:
            # In quotes it is another comparison: as texts, "100" comes before "50", and "2024" is no period.
            hint = f'use a field of numbers or dates; in quotes, "{written}" is compared letter by letter'
            raise Refused("wrong-type", f"'{field.name}' holds text, and {written} is none", node.span, hint=hint)
        raise Refused("wrong-type", f"'{field.name}' holds text, and {written} is not in quotes", node.span,
                      hint=f'write "{written}"', replacement=f'"{written}"')
    if field.values is not None:
        return tuple(typed.Literal(v) for v in closed_values(field, node.value, node.span))
    stored = field.aliases.get(node.value.strip().casefold(), node.value)
    if not context.expanding:
        operator: Choice["=", "exactly"] = "=" if field.folds else "exactly"
        context.literals.append(UsedLiteral(scope.entity, field, stored, node.span, operator))
    return (typed.Literal(stored),)


def _exactly(
    context: Context, node: tree.Exactly, field: Field, scope: Scope, comparison: Comparison | None, *, one: bool = True
) -> typed.Literal | typed.Param:
    """Check `exactly "Co"`: a text of a field whose equality would ignore case. Raises Refused."""
    alone = print_value(node.text)
    if not field.folds and not field.exact_case:
        what = f"refers to {an(field.reference.entity)}" if field.reference is not None else f"is {kind_of(field)}"
        why = "compares exactly anyway" if field.is_id else f"{what}, which has no upper case"
        raise Refused("wrong-type", f"'{field.name}' {why}", node.span, hint=f"write {alone} without 'exactly'",
                      replacement=alone)
    if comparison not in ("=", None):
        raise Refused("wrong-operator", "'exactly' is for equality: order always looks at the case of letters",
                      node.span, hint=f"write {alone} without 'exactly'", replacement=alone)
    if field.mapped.normalizer is not None:
        raise Refused("no-exact-case", f"the index changes the values of '{field.name}' before it compares them "
                      f"('{field.mapped.normalizer}'), so their exact spelling cannot be asked for", node.span,
                      hint=f"write {alone} without 'exactly'", replacement=alone)
    if isinstance(node.text, tree.Parameter):
        return typed.Param(node.text.name, context.access, one, exact=True, span=node.span)
    text = node.text.value
    if field.values is not None:
        stored = closed_values(field, text, node.span)
        if text not in stored:
            fixed = f"exactly {print_value(tree.String(stored[0]))}" if len(stored) == 1 else None
            raise Refused("unknown-value", f"'{field.name}' is never spelled '{text}'", node.span,
                          hint=f"write {fixed}" if fixed else f"leave 'exactly' out: {alone}", replacement=fixed)
    elif not context.expanding:
        context.literals.append(UsedLiteral(scope.entity, field, text, node.span, "exactly"))
    return typed.Literal(text, exact=True)


def _entity_literal(context: Context, node: tree.Value, field: Field, target: Entity) -> typed.Value:
    """Look up a plain string as the entity that the field's type names. Raises Refused."""
    if not isinstance(node, tree.String):
        written = print_value(node)
        raise Refused("wrong-type", f"'{field.name}' refers to {an(target.name)}, and {written} is not in quotes",
                      node.span, hint=f'names and ids need quotes: "{written}"',
                      replacement=f'"{written}"')
    constants = field.reference.constants if field.reference is not None else {}
    if node.value in constants:
        raise Refused("constant-in-quotes", f"'{node.value}' is a constant, and in quotes it would be a name",
                      node.span, hint=f"write {node.value} without quotes", replacement=node.value)
    if not node.value.strip():
        raise Refused("empty-text", f"{an(target.name)} has a name, and this text is empty", node.span,
                      hint=f"use '{field.name} missing' for those without")
    if context.access:
        return typed.Literal(node.value)
    return typed.Taken(typed.Lookup(target, node.value, span=node.span), needs_entity=True, span=node.span)


def _date_inside(context: Context, value: tree.Value, field: Field) -> typed.DateValue:
    (inside,) = one_of(context, value, field, Scope(next(iter(context.schema.entities.values()))))
    assert not isinstance(inside, typed.Literal)
    return inside
