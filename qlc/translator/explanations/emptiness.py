"""Why a query found nothing, or few: what would be found without each of its conditions, counted."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from qlc.grammar import print_program, tree
from qlc.grammar.tree import Condition, walked
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Entity, Field, Schema
from qlc.outcome import Count, Explain, ValueOut
from qlc.outcome.amounts import amount, counted
from qlc.translator.follow_ups.editing import field_of, with_lets
from qlc.translator.in_words import condition_in_words, spaced
from qlc.translator.programs import entity_of, named_condition
from qlc.translator.protocol import Try, Turn
from qlc.translator.rules.build import COUNT, both, parts, path

MOST_CONDITIONS = 8  # conditions that are each left out and counted; of more, the first ones
MOST_PAIRS = 6
MOST_WAYS = 2
SOME = 10  # things that are listed where no condition is left


@dataclass(frozen=True, slots=True)
class _Case:
    """The program that is explained, and what names in it were chosen to mean."""

    program: tree.Program
    statement: tree.Find | tree.Aggregate
    choices: Mapping[str, str]


Counting = Generator[Try, Any, int | None]


def why_nothing(
    turn: Turn, program: tree.Program, text: str, said: str, schema: Schema
) -> Generator[Try, Any, Explain]:
    """Explain an empty answer: the condition that alone excludes everything, and a near change that finds something."""
    statement, kind = program.statement, str(turn.outcome.get("kind", ""))
    if kind in ("not_found", "clarify", "unsupported"):
        sentence = str(turn.outcome.get("message") or "")
        near = [str(one) for one in turn.outcome.get("suggestions") or ()][:3]
        return Explain(message=f"The search was not completed: {sentence}", about="empty", query=text, suggestions=near)
    entity = entity_of(statement, schema)
    if isinstance(statement, tree.Get) or entity is None:
        sentence = str(turn.outcome.get("message") or "")
        return Explain(message=f"I looked up {said}. {sentence}".strip(), about="empty", query=text)
    conditions = parts(statement.where)
    things = spaced(entity.plural)
    case = _Case(program, statement, turn.choices)
    found = yield from _count(case, conditions)
    if not conditions:
        message = (
            f"There are no {things} here at all." if not found else f"{_counted(found, entity)}: there was no filter."
        )
        return Explain(message=message, about="empty", query=text)
    without = yield from _without_each(case, conditions)
    if found:
        return _few(found, entity, without, text)
    return (yield from _nothing(case, entity, conditions, without, text))


def _count(case: _Case, conditions: tuple[Condition, ...]) -> Counting:
    """How many things meet the conditions; None where they cannot be counted."""
    if isinstance(case.statement.entity, tree.EntityLookup):
        return None
    counted = tree.Aggregate((COUNT,), case.statement.entity, both(*conditions))
    outcome = yield Try(print_program(with_lets(case.program.lets, counted)), case.choices)
    return outcome.value if isinstance(outcome, Count) else None


def _without_each(case: _Case, conditions: tuple[Condition, ...]) -> Generator[Try, Any, list[tuple[Condition, int]]]:
    found = []
    for one in conditions[:MOST_CONDITIONS]:
        count = yield from _count(case, tuple(other for other in conditions if other != one))
        if count is not None:
            found.append((one, count))
    return found


def _few(found: int, entity: Entity, without: list[tuple[Condition, int]], text: str) -> Explain:
    rising = sorted((one for one in without if one[1] > found), key=lambda one: one[1])
    if not rising:
        sentence = f"The filters leave {_counted(found, entity)}; none of them alone excludes any."
        return Explain(message=sentence, about="few", query=text)
    notes = [f"Without {_quoted(one)}: {count:,}." for one, count in rising]
    first, most = rising[-1]
    message = (
        f"The filters leave {_counted(found, entity)}. The one that excludes the most is {_quoted(first)}: "
        f"without it {_there_are(most)}."
    )
    return Explain(message=message, notes=notes, about="few", query=text, suggestions=_ways(rising, entity))


def _nothing(
    case: _Case, entity: Entity, conditions: tuple[Condition, ...],
    without: list[tuple[Condition, int]], text: str,
) -> Generator[Try, Any, Explain]:  # fmt: skip
    things = spaced(entity.plural)
    guilty = sorted((one for one in without if one[1]), key=lambda one: one[1])
    if not guilty:
        return (yield from _together(case, entity, conditions, text))
    if len(guilty) == 1:
        one, count = guilty[0]
        message = (
            f"One condition alone excludes everything: {_quoted(one)}. Without it {_there_are(count, entity)}."
        )
    else:
        each = "; ".join(f"without {_quoted(one)} {_there_are(count)}" for one, count in guilty)
        message = f"No {things} meet all the conditions at once. Each of these alone is enough to find some: {each}."
    nearest = yield from _nearest(case, entity, conditions, guilty)
    if nearest is not None:
        message += f" {nearest.sentence}"
    # A list of everything is nothing to ask for.
    forgetting = [] if len(conditions) == 1 and isinstance(case.statement, tree.Find) else _ways(guilty, entity)
    ways = [*([nearest.way] if nearest is not None and nearest.way else []), *forgetting]
    queries = [_query(case, tuple(other for other in conditions if other != one)) for one, _ in guilty]
    if nearest is not None:
        queries.insert(0 if nearest.way else len(queries), nearest.query)
    return Explain(message=message, about="empty", query=text, suggestions=ways[:MOST_WAYS],
                   queries=queries[:MOST_WAYS])


def _together(
    case: _Case, entity: Entity, conditions: tuple[Condition, ...],
    text: str,
) -> Generator[Try, Any, Explain]:  # fmt: skip
    """Explain an empty answer by a condition that nothing meets, or two that exclude each other."""
    things = spaced(entity.plural)
    unmet = []
    if len(conditions) > 1:
        for one in conditions[:MOST_CONDITIONS]:
            alone = yield from _count(case, (one,))
            if alone == 0:
                unmet.append(one)
    else:
        unmet = list(conditions)
    if unmet:
        each = "; ".join(_quoted(one) for one in unmet)
        others = tuple(one for one in conditions if one not in unmet)
        everything = yield from _count(case, others)
        message = f"No {things} at all meet {each}."
        if everything:
            message += f" Without {'it' if len(unmet) == 1 else 'them'} {_there_are(everything, entity)}."
        ways = _ways([(one, 1) for one in unmet], entity) if len(unmet) == 1 else []
        queries = [_query(case, others)] if everything else []
        return Explain(message=message, about="empty", query=text, suggestions=ways, queries=queries)
    best: tuple[tuple[Condition, ...], int] | None = None
    for pair in list(combinations(conditions[:MOST_CONDITIONS], 2))[:MOST_PAIRS]:
        count = yield from _count(case, tuple(one for one in conditions if one not in pair))
        if count and (best is None or count < best[1]):
            best = (pair, count)
    if best is None:
        message = f"No {things} meet these conditions, and no two of them are the cause. Leave out several."
        return Explain(message=message, about="empty", query=text)
    each = " and ".join(_quoted(one) for one in best[0])
    message = f"No single condition is the cause. Without both {each} {_there_are(best[1], entity)}."
    queries = [_query(case, tuple(one for one in conditions if one not in best[0]))]
    return Explain(message=message, about="empty", query=text, queries=queries)


def _query(case: _Case, conditions: tuple[Condition, ...]) -> str:
    """The query with these conditions alone. A list of everything needs a limit."""
    statement = replace(case.statement, where=both(*conditions))
    if isinstance(statement, tree.Find) and not conditions and statement.limit is None:
        statement = replace(statement, limit=SOME)
    return print_program(with_lets(case.program.lets, statement))


def _there_are(count: int, entity: Entity | None = None) -> str:
    return f"there {'is' if count == 1 else 'are'} {f'{count:,}' if entity is None else _counted(count, entity)}"


def _counted(count: int, entity: Entity) -> str:
    return f"{count:,} {spaced(entity.name if count == 1 else entity.plural)}"


def _quoted(condition: Condition) -> str:
    return f'"{condition_in_words(condition)}"'


def _ways(guilty: list[tuple[Condition, int]], entity: Entity | None = None) -> list[str]:
    """Return follow-ups that drop a condition, by a word for its field: `forget the size`."""
    found = []
    for one, _ in guilty:
        name = _field_word(one, entity)
        if name:
            found.append(f"forget the {name}")
    return list(dict.fromkeys(found))[:2]


def _field_word(condition: Condition, entity: Entity | None) -> str:
    for one in walked(condition):
        if isinstance(one, tree.Path):
            name = one.segments[0].name.text
            field = field_of(entity, one) if entity is not None else None
            if field is not None and field.kind is FieldKind.DATE and len(one.segments) == 1:
                return spaced(name if name.endswith("date") else f"{name} date")
            inside = (named_condition(entity.conditions[name]) if entity is not None and name in entity.conditions
                      else None)
            return _field_word(inside, entity) if inside is not None else spaced(name)
    return ""


@dataclass(frozen=True, slots=True)
class _Nearest:
    """A change that finds something: as a sentence, as a query, and how it can be asked for."""

    sentence: str
    query: str
    way: str = ""


def _nearest(
    case: _Case, entity: Entity, conditions: tuple[Condition, ...],
    guilty: list[tuple[Condition, int]],
) -> Generator[Try, Any, _Nearest | None]:  # fmt: skip
    """The smallest change of one condition that finds something: another bound, the whole tree, what is there."""
    for one, _ in guilty:
        others = tuple(other for other in conditions if other != one)
        if not isinstance(one, tree.Comparison) or not isinstance(one.left, tree.Path):
            continue
        field = field_of(entity, one.left)
        if field is None:
            continue
        if one.operator == "=" and field.reference is not None and entity.parent == field.name:
            below = replace(one, operator="under")
            count = yield from _count(case, (*others, below))
            if count:
                sentence = f"With everything below it {_there_are(count)}."
                return _Nearest(sentence, _query(case, (*others, below)), "and everything below")
        nearest = yield from _bounds(case, others, one, field)
        if nearest is not None:
            return nearest
    return None


def _bounds(
    case: _Case, others: tuple[Condition, ...], one: tree.Comparison,
    field: Field,
) -> Generator[Try, Any, _Nearest | None]:  # fmt: skip
    """The smallest and the largest value among what the other conditions leave."""
    if field.kind not in (*NUMERIC, FieldKind.DATE) or not isinstance(case.statement.entity, tree.Name):
        return None
    assert isinstance(one.left, tree.Path)
    left = path(*(segment.name.text for segment in one.left.segments))
    measures = (tree.Measure("min", left), tree.Measure("max", left))
    bounds = tree.Aggregate(measures, case.statement.entity, both(*others))
    outcome = yield Try(print_program(with_lets(case.program.lets, bounds)), case.choices)
    value = outcome.value if isinstance(outcome, ValueOut) else None
    if not isinstance(value, dict) or None in value.values():
        return None
    low, high = (_shown(value[name], field) for name in ("min", "max"))
    name = spaced(field.name)
    sentence = f"The {name} of those is {low}." if low == high else f"Their {name} goes from {low} to {high}."
    return _Nearest(sentence, _near(case, others, one, left, field))


def _near(
    case: _Case, others: tuple[Condition, ...], one: tree.Comparison, left: tree.Path,
    field: Field,
) -> str:  # fmt: skip
    """Return the program nearest to an unmet bound: the first by that field, or counts by year."""
    statement = case.statement
    if isinstance(statement, tree.Find):
        key = tree.SortKey(left, descending=one.operator not in ("<", "<="))
        nearest: tree.Statement = replace(statement, where=both(*others), sort=(key,), limit=SOME, offset=None)
    elif field.kind is FieldKind.DATE:
        nearest = tree.Aggregate((COUNT,), statement.entity, both(*others), (tree.Group(left, "year"),))
    else:
        nearest = tree.Find(statement.entity, both(*others), (tree.SortKey(left),), SOME)
    return print_program(with_lets(case.program.lets, nearest))


def _shown(value: Any, field: Field) -> str:
    """A bound as people read it."""
    if isinstance(value, str):
        return value[:10]
    return amount(value, field.shown_unit) if field.shown_unit is not None else counted(value, field.name)
