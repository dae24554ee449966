"""Programs that a question may mean, by the rules."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator
from dataclasses import dataclass, replace
from typing import Any

from qlc.grammar import SyntaxProblem, parse, print_path, print_statement, tree
from qlc.grammar.tree import Condition, Statement, mapped
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Schema
from qlc.translator.protocol import Diagnose, Need, Question, Step
from qlc.translator.rules.build import name_of, parts
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.lexicon.occurrence import never_together
from qlc.translator.rules.list_sizes import lacks_a_number, sizes
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.deed_dates import by_its_date, still_to_come
from qlc.translator.rules.questions.finishing import of_those_that_have_one
from qlc.translator.rules.questions.forms import readings
from qlc.translator.rules.questions.unknown import word_meanings

_PARAMETER = re.compile(r"\$(\w+)")


def normal_form(program: str, schema: Schema) -> str:
    """One text for programs that mean the same."""
    statement = parse(program).statement
    return print_statement(_spelled_out(statement, schema))


def cannot_be_meant(program: str, schema: Schema) -> bool:
    """Whether one field is to have two values at once, or is grouped by although it is fixed to one."""
    statement = parse(program).statement
    if isinstance(statement, tree.Get) or statement.where is None:
        return False
    word = statement.entity.entity.text if isinstance(statement.entity, tree.EntityLookup) else statement.entity.text
    entity = find_entity(schema, word)
    together = parts(statement.where)
    fixed: dict[tree.Path, tree.Value] = {}
    for one in together:
        if isinstance(one, tree.Comparison) and one.operator == "=" and isinstance(one.left, tree.Path):
            name = name_of(one.left)
            single = entity is not None and name in entity.fields and entity.fields[name].many is False
            if single and len(one.left.segments) == 1 and fixed.setdefault(one.left, one.right) != one.right:
                return True
    below = {one.left for one in together if isinstance(one, tree.Comparison) and one.operator == "under"}
    if any(isinstance(fixed.get(left), tree.String) for left in below if isinstance(left, tree.Path)):
        return True  # "in Drafts under Projects" is one place
    return isinstance(statement, tree.Aggregate) and any(
        group.path in fixed and group.function is None for group in statement.groups
    )


def unbound(program: str, schema: Schema, params: Collection[str]) -> bool:
    """Whether a named condition needs a `$parameter` that has no value: `mine`, where nobody said who asks."""
    statement = parse(program).statement
    if isinstance(statement, tree.Get) or statement.where is None:
        return False
    named = {name_of(one.path) for one in parts(statement.where) if isinstance(one, tree.Bare)}
    texts = (e.conditions[name] for e in schema.entities.values() for name in named & e.conditions.keys())
    return any(name not in params for text in texts for name in _PARAMETER.findall(text))


def _spelled_out(statement: Statement, schema: Schema) -> Statement:
    if isinstance(statement, tree.Get):
        return statement
    word = statement.entity.entity.text if isinstance(statement.entity, tree.EntityLookup) else statement.entity.text
    entity = find_entity(schema, word)
    where = _sorted(statement.where, entity) if statement.where is not None else None
    if not isinstance(statement, tree.Aggregate):
        return replace(statement, where=where)
    measures = tuple(
        one if one.condition is None else replace(one, condition=_sorted(one.condition, entity))
        for one in statement.measures
    )
    return replace(statement, where=where, measures=measures)


def _stored(condition: tree.Comparison, entity: Entity | None) -> tuple[str, ...]:
    """The stored values that a value of the catalog stands for: of a group all of its own."""
    left, right = condition.left, condition.right
    if entity is None or not isinstance(left, tree.Path) or not isinstance(right, tree.String):
        return ()
    ref = FieldRef.at(entity, left) if len(left.segments) == 1 else None
    closed = ref.field.values if ref is not None else None
    if closed is None:
        return ()
    said = right.value.casefold()
    spelled = closed.spellings.get(said)
    return (spelled,) if spelled is not None else closed.groups.get(said, ())


def _sorted(condition: Condition, entity: Entity | None) -> Condition:
    match condition:
        case tree.Bare(path=tree.Path(segments=(tree.Segment(name=name, narrowed=None),))):
            text = entity.conditions.get(name.text) if entity is not None else None
            if text is None:
                return tree.Comparison(condition.path, "=", tree.Boolean(True))
            try:
                spelled = parse(f"find x where {text}").statement
            except SyntaxProblem:
                return condition
            assert isinstance(spelled, tree.Find)
            assert spelled.where is not None
            return _sorted(spelled.where, entity)
        case tree.And() | tree.Or():
            kind = type(condition)
            items: list[Condition] = []
            for one in condition.items:
                inner = _sorted(one, entity)
                items += inner.items if isinstance(inner, kind) else [inner]
            return kind(tuple(sorted(dict.fromkeys(items), key=repr)))
        case tree.Not(item=item):
            return tree.Not(_sorted(item, entity))
        case tree.Comparison(operator="has all" | "has any" | "in", right=tree.ListValue(items=values)):
            each = [tree.Comparison(condition.left, "=", one) for one in values]
            kind = tree.And if condition.operator == "has all" else tree.Or
            return _sorted(kind(tuple(each)) if len(each) > 1 else each[0], entity)
        case tree.Comparison(operator="!="):
            return tree.Not(_sorted(tree.Comparison(condition.left, "=", condition.right), entity))
        case tree.Comparison(operator="=" | "has") if stored := _stored(condition, entity):
            texts = (tree.String(one) for one in sorted(set(stored)))
            each = [tree.Comparison(condition.left, condition.operator, one) for one in texts]
            return tree.Or(tuple(each)) if len(each) > 1 else each[0]
        case _:
            return condition


MOST_PROGRAMS = 12
MARGIN = 0.16  # how much dearer the next reading of another meaning must be, for the cheapest to count as sure
FOR_UNKNOWN_NAMES = 0.8
"""Additional cost that a reading may have if a word looks like a name but none is known; it is tried anyway."""
GUESSED = 0.55
"""Readings from this cost on may take words for a name that nothing is known of: they are tried before believed."""
DOUBT = 0.3  # how much dearer a reading may be that is tried where the best one finds nothing
FAR_FETCHED = 0.5
"""How much dearer a reading may be than one whose fields never occur together, to be believed in its place."""
MOST, MOST_PER_WORD = 0.58, 0.08
"""Readings that cost more rest on too many guesses. Longer questions have more to be read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A program that a question may mean; the lower the cost, the surer."""

    program: str
    cost: float


def with_measures(statement: Statement, schema: Schema) -> Statement:
    """Replace the sums of what are measures of the catalog by these: `sum(revenue)` -> `revenue`."""
    entity = find_entity(schema, statement.entity.text) if isinstance(statement, tree.Aggregate) else None
    if entity is None or not entity.measures:
        return statement

    def named(node: tree.Node) -> tree.Node | None:
        path = node.path if isinstance(node, tree.Measure) and node.function == "sum" else None
        is_own = isinstance(path, tree.Path) and any(one.name == print_path(path) for one in entity.measures)
        return replace(node, function="named") if is_own and isinstance(node, tree.Measure) else None

    return mapped(statement, named)


def programs(parse: Parse) -> tuple[Reading, ...]:
    """The programs that a question may mean, surest first."""
    found: dict[str, float] = {}
    for one in readings(parse):
        statement = by_its_date(parse, of_those_that_have_one(parse, one.value))
        program = print_statement(with_measures(still_to_come(parse, statement), parse.schema))
        found.setdefault(program, one.cost)
        if len(found) >= MOST_PROGRAMS:
            break
    return tuple(Reading(program, round(cost, 3)) for program, cost in found.items())


@dataclass(frozen=True, slots=True)
class Accepted:
    """A reading that the checker accepts: `meaning` is equal for readings that say the same."""

    reading: Reading
    program: str
    meaning: str


Accepting = Generator[Need, Any, list[Accepted]]


def accepted_programs(question: Question, parse: Parse, steps: list[Step]) -> Accepting:
    """The programs that a question may mean and that the checker accepts, surest first; each meaning once."""
    found = programs(parse)
    words = {} if found else {"words": word_meanings(parse)}
    steps.append(Step("rules", "readings", {"readings": [(one.program, one.cost) for one in found], **words}))
    seen: set[str] = set()
    spoken = tuple(sizes(parse, 0))
    sure: list[Accepted] = []
    dropped = float("inf")
    for one in found:
        if sure and one.cost > sure[0].reading.cost + DOUBT:
            break  # dearer ones are neither asked about nor tried
        if one.program.startswith("find all ") and question.history and not parse.says_all:
            parse.everything = parse.everything or one.program
            continue  # after other questions `list documents` may mean theirs
        diagnosis = yield Diagnose(one.program)
        if diagnosis.failed or cannot_be_meant(diagnosis.text, question.schema):
            continue
        if spoken and lacks_a_number(spoken, diagnosis.text, question.schema):
            continue
        if unbound(diagnosis.text, question.schema, question.params):
            parse.unknown_asker = True
            continue
        meaning = normal_form(diagnosis.text, question.schema)
        if meaning in seen:
            continue
        seen.add(meaning)
        never = yield from never_together(diagnosis.text, parse.lexicon, parse.guessed)
        if never is None and (one.cost < GUESSED or one.cost < dropped + FAR_FETCHED):
            sure.append(Accepted(one, diagnosis.text, meaning))
        else:  # far-fetched readings do not take the place of what nothing has
            dropped = min(dropped, one.cost) if never is not None else dropped
            steps.append(Step("rules", "dropped", {one.program: never or "far-fetched"}))
    return sure
