"""Explain a query that was run. It yields the counts that it needs, so one explanation serves both APIs."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from qlc.compiler.periods import Clock
from qlc.grammar import tree
from qlc.grammar.tree import walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Schema
from qlc.outcome import Explain
from qlc.translator.explanations.absence import why_absent
from qlc.translator.explanations.emptiness import why_nothing
from qlc.translator.explanations.reading import About, days_in_words, says_when
from qlc.translator.follow_ups.editing import field_of
from qlc.translator.in_words import condition_in_words, program_in_words, spaced
from qlc.translator.programs import conditions_of, entity_of, named_condition, parsed
from qlc.translator.protocol import Try, Turn
from qlc.translator.rules.build import parts
from qlc.translator.rules.words.tokens import TokenKind, tokenize

BELOW_TOO = "and everything below"  # the follow-up that asks for all levels below a place
MORE, ALL_THE_REST = "show more", "the rest"  # the follow-ups that ask for the next page and for all further pages
Explaining = Generator[Try, Any, Explain]  # yields programs to run, is sent their outcomes, and returns the explanation
WHY_NOTHING = "why nothing?"  # the follow-up that asks why an answer is empty
NOT_YET = "Nothing was searched for in this conversation yet. Ask for a list, a number or a value."


def explanation(about: About, schema: Schema, clock: Clock | None = None) -> Explaining:
    """The answer to a question about an earlier query. With a clock it is said which days its relative dates are."""
    turn = about.turn
    if turn is None:
        return Explain(message=NOT_YET, about="query")
    program = str(turn.outcome.get("query") or turn.program)
    known = parsed(program)
    if known is None:
        return Explain(message=f"The last search was: {turn.text}", about="query", query=program)
    said = program_in_words(program, schema)
    days = days_in_words(known.statement, clock) if clock is not None else []
    match about.what:
        case "empty" | "few":
            return (yield from why_nothing(turn, known, program, said, schema))
        case "absent":
            return (yield from why_absent(about.thing, turn, known, program, schema))
        case "filters":
            return _filters(about, known, program, schema, days)
        case "days":
            return _days(known, program, schema, days)
        case "rest":
            return _rest(turn, program)
        case "below":
            return _below(known, program, schema)
        case "kind":
            return _kind(turn, known, program, schema)
        case _:
            message = f"I looked for {said}." if not isinstance(known.statement, tree.Get) else f"I looked up {said}."
            return Explain(message=message, notes=[f"As a query: {program}", *days, *_found(turn)], about="query",
                           query=program)


def why_not_run(turn: Turn) -> Explain | None:
    """Why the last message was understood and not run; None where it was not understood."""
    message = str(turn.outcome.get("message") or "")
    if turn.outcome.get("kind") not in ("rejected_query", "unsupported", "invalid") or not message:
        return None
    notes = [str(one) for one in turn.outcome.get("notes") or ()]
    return Explain(message=message, notes=notes, about="pasted" if "request" in message else "query")


def _found(turn: Turn) -> list[str]:
    message = str(turn.outcome.get("message") or "")
    return [f"It found: {message}"] if message else []


def _filters(about: About, program: tree.Program, text: str, schema: Schema, days: list[str]) -> Explain:
    statement = program.statement
    entity = entity_of(statement, schema)
    if isinstance(statement, tree.Get) or entity is None:
        return Explain(message=f"No filters: I looked up {program_in_words(text, schema)}.", about="filters",
                       query=text)
    conditions = parts(statement.where)
    things = spaced(entity.plural)
    if not conditions:
        return Explain(message=f"No filters: I looked at all {things}.", about="filters", query=text)
    asked = [one for one in conditions if _speaks_of(one, about.fields, entity)] if about.fields else list(conditions)
    if not asked:
        every = "; ".join(condition_in_words(one) for one in conditions)
        return Explain(
            message=f"None of the filters is on that. Those that I used for {things}: {every}.", about="filters",
            query=text, notes=[condition_in_words(one) for one in conditions],
        )  # fmt: skip
    message = "; ".join(_described(one, entity) for one in asked)
    kind = "The filter was" if len(asked) == 1 else f"The {len(asked)} filters were"
    first = f"I looked for {things}. {kind}: {message}."
    return Explain(message=first, notes=[f"As a query: {text}", *days], about="filters", query=text)


def _days(program: tree.Program, text: str, schema: Schema, days: list[str]) -> Explain:
    """Explain the dates of a query: the days they are, and the date field they were compared with."""
    dated = [one for one in conditions_of(program.statement) if says_when(one)]
    each = "; ".join(condition_in_words(one) for one in dated) or program_in_words(text, schema)
    message = " ".join([*days, f"The filter was: {each}."])
    return Explain(message=message, notes=[f"As a query: {text}"], about="filters", query=text)


def _rest(turn: Turn, text: str) -> Explain:
    """Whether all that was found was shown."""
    outcome = turn.outcome
    total, shown = int(outcome.get("total") or 0), len(outcome.get("ids") or ())
    if not outcome.get("has_more"):
        message = f"Yes, that is all: {outcome.get('message') or f'{total:,} found.'}"
        return Explain(message=message, about="query", query=text)
    message = f"No. {outcome.get('message')} Say '{MORE}' for the next ones, or '{ALL_THE_REST}'."
    return Explain(message=message, about="query", query=text, suggestions=[MORE, ALL_THE_REST] if shown else [])


def _below(program: tree.Program, text: str, schema: Schema) -> Explain:
    """Whether a search looked at what lies below a place as well, or only at what lies directly in it."""
    entity = entity_of(program.statement, schema)
    compared = [one for one in conditions_of(program.statement) if isinstance(one, tree.Comparison)]
    inside = [one for one in compared if entity is not None and _is_of_a_place(one, entity)]
    notes = [f"As a query: {text}"]
    if not inside:
        message = "There was no filter on where things lie: all levels were searched."
        return Explain(message=message, notes=notes, about="filters", query=text)
    said = " and ".join(condition_in_words(one) for one in inside)
    if all(one.operator.startswith("under") for one in inside):
        return Explain(message=f"Yes, all levels below: {said}.", notes=notes, about="filters", query=text)
    message = f"No, only what lies directly there: {said}. To look below it too, say '{BELOW_TOO}'."
    return Explain(message=message, notes=notes, about="filters", query=text, suggestions=[BELOW_TOO])


def _is_of_a_place(one: tree.Comparison, entity: Entity) -> bool:
    """Whether a condition says in what things lie."""
    field = field_of(entity, one.left) if isinstance(one.left, tree.Path) else None
    if field is None or field.reference is None:
        return False
    return field.name == entity.parent or one.operator.startswith("under")


def _described(condition: tree.Condition, entity: Entity) -> str:
    """A condition with what its fields are, where the catalog says so."""
    said = condition_in_words(condition)
    described = dict.fromkeys(
        field.description or f"{spaced(field.name)} is {field.calculation}" for one in walked(condition)
        if isinstance(one, tree.Path) and (field := field_of(entity, one)) is not None
        and (field.description or field.calculation)
    )  # fmt: skip
    if isinstance(condition, tree.Bare) and (name := condition.path.segments[0].name.text) in entity.conditions:
        described = {f"that is: {entity.conditions[name]}": None}
    return f"{said} ({'; '.join(described)})" if described else said


def _speaks_of(condition: tree.Condition, names: tuple[str, ...], entity: Entity) -> bool:
    for one in walked(condition):
        if isinstance(one, tree.Path):
            field = field_of(entity, one)
            if field is not None and (field.name in names or ("date" in names and field.kind is FieldKind.DATE)):
                return True
    if isinstance(condition, tree.Bare):
        inside = entity.conditions.get(condition.path.segments[0].name.text)
        if inside is not None:
            where = named_condition(inside)
            return where is not None and _speaks_of(where, names, entity)
    return False


def _kind(turn: Turn, program: tree.Program, text: str, schema: Schema) -> Explain:
    entity = entity_of(program.statement, schema)
    if entity is None:
        said = program_in_words(text, schema)
        return Explain(message=f"I looked up {said}.", about="kind", query=text)
    things = spaced(entity.plural)
    covering = [one for one in schema.entities.values() if entity.name in one.kinds]
    others = [schema.entities[kind] for one in covering for kind in one.kinds if kind != entity.name]
    spoken = _spoken_word(turn.text, entity, schema)
    if spoken:
        means = "" if spoken.casefold() == things else f", and that means {things}"
        why = f"because you asked for '{spoken}'{means}"
    elif others:
        why = f"because the question names no other kind, and what it says is read of {things} first"
    else:
        why = f"because {things} are all there is here"
    listed = ", ".join(f"'include {spaced(one.plural)} as well'" for one in others)
    ways = [f"include {spaced(one.plural)} as well" for one in others]
    message = f"I looked for {things} only, {why}."
    if listed:
        message += f" To look for others too, say {listed}."
    return Explain(message=message, notes=[f"As a query: {text}"], about="kind", query=text, suggestions=ways)


def _spoken_word(text: str, entity: Entity, schema: Schema) -> str:
    """The word of a question that means the entity."""
    for token in tokenize(text):
        if token.kind is TokenKind.WORD and find_entity(schema, token.text) is entity:
            return token.raw
    return ""
