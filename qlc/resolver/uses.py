"""Where one value is needed: exactly one distinct value, an entity and no constant. Else a message, or a question."""

from __future__ import annotations

from datetime import datetime

from qlc.compiler import typed
from qlc.compiler.environment import Found, RuleUndecided
from qlc.compiler.sources import taken_field
from qlc.diagnostics import NO_SPAN
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field, Schema
from qlc.planner.plan import entity_of
from qlc.resolver.early_exits import Ask, Choice, Missing
from qlc.resolver.steps import Run, make_token

MAX_CHOICES = 1000


def check_use(taken: typed.Taken, number: int, run: Run) -> None:
    """Check one place where values are taken; `number` is its step. Raises Ask, Missing."""
    key = (taken.source, taken.field)
    values = run.env.found[key]
    if isinstance(taken.source, typed.Lookup) and isinstance(taken.source.name, typed.Param) and taken.field is None:
        return
    of_rule = entity_of(taken.source).in_access
    if of_rule and taken.one and len(values) > 1:
        raise RuleUndecided(entity_of(taken.source))
    if not values and (taken.one or isinstance(taken.source, typed.Lookup)):
        raise RuleUndecided(entity_of(taken.source)) if of_rule else _nothing(taken, run)
    if not taken.one:
        if not values and taken.span != NO_SPAN and not of_rule:
            run.env.tell(f"The sub-query over {_of_what(taken)} found nothing.")
        return
    if len(values) > 1:
        values = (_chosen(taken, number, values, run),)
        run.env.chosen[key] = values
    if taken.needs_entity and taken.field is not None:
        _check_no_constant(taken, taken.field, values[0], run)


def _chosen(taken: typed.Taken, number: int, values: tuple[Found, ...], run: Run) -> Found:
    token = make_token("value", str(number), taken.field.name if taken.field is not None else "")
    choice = run.choices.get(token)
    for value in values:
        if choice is not None and _as_text(value) == choice:
            return value
    entity = _identified(taken, run.env.schema)
    what = _of_what(taken)
    reference = field.reference if (field := taken_field(taken)) is not None else None
    constants = {value: name for name, value in reference.constants.items()} if reference is not None else {}
    texts = [_as_text(value) for value in values[:MAX_CHOICES]]
    choices = tuple(Choice(text, constants.get(text, text)) for text in texts)
    listed = f" (the first {MAX_CHOICES:,} are listed)" if len(values) > MAX_CHOICES else ""
    if entity is None:
        different = f"different values of {what}"
    elif field is None:
        different = f"{entity.plural} in the answer of the sub-query"
    else:
        different = f"different {entity.plural} as {what}"
    message = f"There are {len(values):,} {different}{listed}, and one is needed. Which do you mean?"
    raise Ask(token, what, choices, message, entity)


def _identified(taken: typed.Taken, schema: Schema) -> Entity | None:
    """The entity whose ids the values are; None for values of another kind."""
    field = taken_field(taken)
    if field is not None and field.reference is not None:
        return schema.entity(field.reference.entity)
    if field is not None and not field.is_id:
        return None
    match taken.source:
        case typed.Search():
            return taken.source.find.entity
        case typed.Lookup():
            return taken.source.entity
        case _:
            return None


def _as_text(value: Found) -> str:
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else str(value)


def _of_what(taken: typed.Taken) -> str:
    if taken.field is not None:
        return f"'{taken.field.name}'"
    source = taken.source
    if isinstance(source, typed.Search):
        return source.find.entity.plural
    if isinstance(source, typed.Rows):
        return f"'{source.column}'"
    return source.entity.plural


def _nothing(taken: typed.Taken, run: Run) -> Missing:
    source = taken.source
    if isinstance(source, typed.Lookup):
        assert taken.field is not None
        name = run.candidates[source].name
        return _lacking(name, taken.field, f"The {source.entity.name} '{name}'")
    if isinstance(source, typed.Rows):
        return Missing(f"'{source.column}'", "nothing-found", "The sub-query has no rows, and one is needed.")
    if isinstance(source, typed.Keys):
        return Missing(source.text, "nothing-found", f"No {source.list.name} are called '{source.text}'.")
    entity = source.find.entity
    referring = referring_lookup(source)
    if referring is not None:
        lookup, field = referring
        name = run.candidates[lookup].name
        if taken.field is not None and (taken.field.many or run.env.found.get((source, None))):
            return _lacking(name, taken.field, f"The {entity.name} that '{name}' refers to")
        return deleted(name, field, entity.name)
    if taken.field is not None:
        return Missing(f"'{taken.field.name}'", "nothing-found",
                       f"No {entity.name} with a {taken.field.name} was found, and one is needed.")
    return Missing(entity.name, "nothing-found", f"No {entity.name} was found, and one is needed.")


def _label(field: Field) -> str:
    """The field in a sentence: a catalog's name as words, a path as it is."""
    return field.name.replace("_", " ") if field.from_catalog else field.name


def _lacking(name: str, field: Field, who: str) -> Missing:
    label = _label(field)
    lacks = f"has no value for '{label}'" if field.kind is FieldKind.BOOLEAN else f"has no {label}"
    return Missing(f"{label} of '{name}'", "no-value", f"{who} {lacks}.")


def deleted(name: str, field: Field, kind: str) -> Missing:
    """What a reference points at is gone."""
    label = _label(field)
    return Missing(f"{label} of '{name}' (deleted)", "deleted",
                   f"The {kind} that '{name}' names as its {label} has been deleted, or may not be seen.")


def referring_lookup(source: typed.Search) -> tuple[typed.Lookup, Field] | None:
    """The lookup whose reference a search follows, if it does no more than that."""
    where = source.find.where
    if not isinstance(where, typed.Equals) or len(where.values) != 1:
        return None
    (value,) = where.values
    if isinstance(value, typed.Taken) and isinstance(value.source, typed.Lookup) and value.field is not None:
        return value.source, value.field
    return None


def _check_no_constant(taken: typed.Taken, field: Field, value: Found, run: Run) -> None:
    constants = field.reference.constants if field.reference is not None else {}
    for constant, stored in constants.items():
        if value == stored:
            source = taken.source
            name = f"'{run.candidates[source].name}'" if isinstance(source, typed.Lookup) else "what was found"
            kind = field.reference.entity if field.reference is not None else "entry"
            raise Missing(f"{field.name} of {name} (at the top level)", "top-level",
                          f"{name[0].upper()}{name[1:]} is at the top level: its {field.name} is {constant}, which is "
                          f"no {kind} of its own.")
