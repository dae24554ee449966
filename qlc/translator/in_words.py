"""Programs said in words, from their trees: for choices between readings, and for whoever asks what a program means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from qlc.base.words.sentences import listed
from qlc.grammar import print_value, tree
from qlc.grammar.printer import print_area, print_computed
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Schema
from qlc.translator.programs import parsed


def program_in_words(program: str, schema: Schema) -> str:
    """Return a phrase for what a program asks for, or the program itself if it does not parse."""
    said = _said(program, schema)
    return program if said is None else said.whole()


def condition_in_words(condition: tree.Condition) -> str:
    """A condition as a clause: `folder is 'Legal' and size is more than 5 MB`."""
    return _condition(condition)


def distinguished(programs: Sequence[str], schema: Schema) -> tuple[str, ...]:
    """Return a distinct phrase for each program that tells how it differs from the others."""
    said = [_said(program, schema) for program in programs]
    readable = [one for one in said if one is not None]
    if len(readable) < len(programs):
        return tuple(programs)
    for labels in ([one.beside(readable) for one in readable], [one.whole() for one in readable]):
        if all(labels) and len(set(labels)) == len(labels):
            return tuple(labels)
    return tuple(programs)


FEW = 8  # fields that are named of a kind of thing where not all are


def askable(text: str, schema: Schema) -> str:
    """Return what can be asked of the things that a text names; if it names none, which things there are."""
    said = frozenset(re.findall(r"\w+", text.lower()))
    real = [one for one in schema.entities.values() if one.fields and not one.virtual]
    named = [one for one in real if {one.name, one.plural} & said]
    kinds = {kind for one in real for kind in one.kinds}
    if named or len([one for one in real if one.name not in kinds]) == 1:
        return " ".join(one for entity in named or real[:1] if (one := _askable_of(entity, said)))
    things = [spaced(one.plural) for one in real]
    more = f" and {len(things) - FEW} more" if len(things) > FEW else ""
    return f"You can ask for {', '.join(things[:FEW])}{more}." if things else ""


def _askable_of(entity: Entity, said: frozenset[str]) -> str:
    """Return which fields can be asked for; of those that a question with these words may mean, why they are texts."""
    own = [field for field in entity.fields.values() if not field.mapped.is_added]
    usable = [field for field in own if not (field.is_id or field.sensitive)]
    called = [field for field in usable if field.from_catalog] or usable
    first = [field for name in entity.show for field in called if field.name == name]
    names = [(field.label or field.name).replace("_", " ") for field in dict.fromkeys((*first, *called))]
    if not names:
        return ""
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    may_be_any = "when" in said or any(map(str.isdigit, "".join(said)))
    doubtful = (one for one in called if _KEPT_AS_TEXT in one.mapped.note
                and (may_be_any or not said.isdisjoint(one.name.split("_"))))  # fmt: skip
    doubts = (f" '{one.label or one.name}': {one.mapped.note}." for one in doubtful)
    return f"You can ask for {spaced(entity.plural)} by {', '.join(names[:FEW])}{more}.{''.join(doubts)}"


_KEPT_AS_TEXT = "kept as texts"


@dataclass(frozen=True, slots=True)
class _Said:
    """A program in parts: what is asked for, the conditions that all hold, and the order and number of the answers."""

    head: str
    conditions: tuple[str, ...]
    tail: tuple[str, ...]

    def whole(self) -> str:
        where = f" where {' and '.join(self.conditions)}" if self.conditions else ""
        return ", ".join((self.head + where, *self.tail))

    def beside(self, others: Sequence[_Said]) -> str:
        """The parts that not all of them have; empty where there are none."""
        own = [one for one in self.conditions if not all(one in other.conditions for other in others)]
        tail = [one for one in self.tail if not all(one in other.tail for other in others)]
        if any(other.head != self.head for other in others):
            return _Said(self.head, tuple(own), tuple(tail)).whole()
        return ", ".join([" and ".join(own), *tail] if own else tail)


def _said(program: str, schema: Schema) -> _Said | None:
    known = parsed(program)
    if known is None:
        return None
    found = _statement(known.statement, schema)
    lets = tuple(f"with {let.name.text} as {_value(let.value)}" for let in known.lets)
    return _Said(found.head, found.conditions, (*found.tail, *lets))


def _statement(statement: tree.Statement, schema: Schema | None = None) -> _Said:
    match statement:
        case tree.Find():
            head, conditions = _found(statement, schema)
            shown = [f"with their {listed(map(_shown, statement.show), 'and')}"] if statement.show else []
            if (top := statement.top_per) is not None:
                groups = listed(map(_group, top.groups), "and")
                shown.insert(0, f"the first {top.count:,} for each {groups}")
        case tree.Aggregate():
            entity = _plural(statement.entity.text, schema)
            groups = f" by {listed(map(_group, statement.groups), 'and')}" if statement.groups else ""
            if statement.counted:
                inner = _statement(replace(statement, counted=False), schema)
                return _Said(f"the number of groups in: {inner.head}", inner.conditions, inner.tail)
            head = f"{listed((_measure(one) for one in statement.measures), 'and')} of {entity}{groups}"
            conditions = _conjuncts(statement.where)
            shown = [f"of those with {_condition(statement.having)}"] if statement.having is not None else []
        case tree.Get():
            return _Said(listed((_wanted(one) for one in statement.items), "and"), (), ())
    tail = [*shown]
    if statement.sort:
        dates = _dates_of(statement.entity, schema)
        tail.append(f"sorted by {listed((_sort(key, dates) for key in statement.sort), 'then')}")
    if statement.limit is not None:
        after = f" after the first {statement.offset:,}" if statement.offset else ""
        ties = " and those equal to the last" if statement.ties else ""
        tail.append((f"only {statement.limit:,}{after}" if after else f"only the first {statement.limit:,}") + ties)
    return _Said(head, conditions, tuple(tail))


def _found(statement: tree.Find, schema: Schema | None) -> tuple[str, tuple[str, ...]]:
    if isinstance(statement.entity, tree.EntityLookup):
        return _value(statement.entity), _conjuncts(statement.where)
    return _plural(statement.entity.text, schema), _conjuncts(statement.where)


def _plural(word: str, schema: Schema | None) -> str:
    entity = find_entity(schema, word) if schema is not None else None
    return spaced(word if entity is None else entity.plural)


def _conjuncts(where: tree.Condition | None) -> tuple[str, ...]:
    match where:
        case None:
            return ()
        case tree.And(items=items):
            return tuple(_condition(one, inside=True) for one in items)
        case _:
            return (_condition(where),)


def _wanted(item: tree.Member | tree.Path | tree.Calculated) -> str:
    return _value(item) if isinstance(item, tree.Member) else _shown(item)


_OPERATORS = {
    "=": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least",
    "in": "is", "not in": "is not", "has": "has", "has all": "has", "has any": "has",
    "has only": "has only", "contains": "contains",
    "starts with": "starts with", "ends with": "ends with", "like": "is like", "matches": "has the words",
    "matches any": "has one of the words", "matches prefix": "has words that begin with",
    "matches roughly": "has words like", "mentions": "mentions", "under": "is below", "under in": "is below",
}  # fmt: skip
_OF_DATES = {
    "=": "is in", "!=": "is not in", "<": "is before", "<=": "is not after", ">": "is after", ">=": "is not before",
}  # fmt: skip


def _condition(condition: tree.Condition, *, inside: bool = False) -> str:
    match condition:
        case tree.And(items=items):
            text = " and ".join(_condition(one, inside=True) for one in items)
        case tree.Or(items=items):
            text = " or ".join(_condition(one, inside=True) for one in items)
        case tree.Not(item=tree.Bare(path=path)):
            return f"not {_path(path)}"
        case tree.Not(item=item):
            return f"not ({_condition(item)})"
        case tree.Comparison():
            return _comparison(condition)
        case tree.Between():
            return f"{_left(condition.left)} is between {_value(condition.low)} and {_value(condition.high)}"
        case tree.Presence():
            return f"{_path(condition.left)} is {'missing' if condition.missing else 'there'}"
        case tree.Spatial(left=left, relation=relation, area=area):
            return f"{_path(left)} {_RELATIONS[relation]} {print_area(area)}"
        case tree.Overlaps(left=left, low=low, high=high):
            return f"{_path(left)} overlaps {_value(low)}{f' to {_value(high)}' if high is not None else ''}"
        case tree.Bare():
            return _path(condition.path)
        case tree.EntityText():
            return f"{'mentions' if condition.operator == 'mentions' else 'is about'} {_value(condition.text)}"
    return f"({text})" if inside else text


_RELATIONS = {"within": "is within", "intersects": "intersects", "disjoint": "is apart from"}


def _comparison(one: tree.Comparison) -> str:
    joined = "and" if one.operator == "has all" else "or"
    dated = isinstance(one.right, tree.DateLiteral | tree.Day | tree.RelativePeriod | tree.PeriodOf | tree.Now)
    operator = _OF_DATES.get(one.operator, _OPERATORS[one.operator]) if dated else _OPERATORS[one.operator]
    whole_day = isinstance(one.right, tree.Day) or (isinstance(one.right, tree.DateLiteral) and len(one.right.text) > 8)
    if whole_day and one.operator in ("=", "!="):
        operator = operator.replace(" in", " on") if isinstance(one.right, tree.DateLiteral) else operator[:-3]
    near = "" if one.within is None else f", its words at most {one.within} places off"
    return f"{_left(one.left)} {operator} {_value(one.right, joined)}{near}"


def _shown(item: tree.Path | tree.Calculated) -> str:
    if isinstance(item, tree.Path):
        return _path(item)
    return spaced(item.alias.text) if item.alias is not None else print_computed(item.expression)


def _term(term: tree.Path | tree.Computed) -> str:
    return _path(term) if isinstance(term, tree.Path) else print_computed(term)


def _left(left: tree.Left) -> str:
    match left:
        case tree.Arithmetic() | tree.Call():
            return print_computed(left)
        case tree.Path():
            return _path(left)
        case tree.Cyclic():
            return f"{spaced(left.unit)} of {_path(left.path)}"
        case tree.Measure():
            return _measure(left)


def _path(path: tree.Path) -> str:
    """`folder.owner` is "owner of the folder"; a list that is narrowed says of which elements."""
    said = ""
    for segment in path.segments:
        own = spaced(segment.name.text)
        if isinstance(segment.narrowed, tree.String):
            own = f"{own} called '{segment.narrowed.value}'"
        elif segment.narrowed is not None:
            own = f"one of the {own} with {_condition(segment.narrowed)}"
        said = f"{own} of the {said}" if said else own
    return said


def spaced(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ")


def _value(value: tree.Value, joined: str = "or") -> str:
    match value:
        case tree.String():
            return f"'{value.value}'"
        case tree.Boolean():
            return "yes" if value.value else "no"
        case tree.ListValue():
            return listed((_value(one) for one in value.items), joined) or "nothing"
        case tree.EntityLookup():
            return f"the {spaced(value.entity.text)} {_value(value.name)}"
        case tree.Member():
            said = _value(value.base)
            for name in value.names:
                said = f"the {spaced(name.text)} of {said}"
            return said
        case tree.Subquery():
            return f"({_statement(value.statement).whole()})"
        case tree.PeriodOf():
            return f"the {value.unit} of {_value(value.value)}"
        case tree.NameValue():
            return _path(value.path)
        case tree.Parameter():
            return f"${value.name}"
        case _:
            return print_value(value)


_MEASURES = {
    "count": "number", "sum": "total", "avg": "average", "min": "smallest", "max": "largest", "median": "median",
    "distinct": "number of different",
}  # fmt: skip


def _measure(measure: tree.Measure) -> str:
    if measure.alias is not None:
        return f"the {spaced(measure.alias.text)}"
    if measure.expression is not None:
        return print_computed(measure.expression)
    if measure.total:
        return f"{_measure(replace(measure, total=False))} over all"
    if measure.function == "named":
        return f"the {spaced(measure.word)}"
    if measure.function == "share" and measure.condition is not None:
        return f"share with {_condition(measure.condition)}"
    field = f" {_term(measure.path)}" if measure.path is not None else ""
    if measure.function == "percentile" and measure.argument is not None:
        return f"the {measure.argument.text}th percentile of{field}"
    if measure.function == "sum" and field.startswith(" total"):
        return f"the sum of{field}"
    return f"the {_MEASURES[measure.function]}{field}"


def _group(group: tree.Group) -> str:
    path = _term(group.path)
    match group.function:
        case None:
            said = path
        case "bins" | "step":
            said = f"steps of {path}"
        case function:
            said = f"{spaced(function)} of {path}"
    said = f"{said} with those that have none" if group.empty else said
    return f"{said} (the first {group.top:,} of each)" if group.top is not None else said


def _dates_of(name: tree.Name | tree.EntityLookup, schema: Schema | None) -> frozenset[str]:
    """The fields of an entity that are dates: of them the latest comes first, and not the largest."""
    entity = find_entity(schema, name.text) if schema is not None and isinstance(name, tree.Name) else None
    fields = entity.fields.values() if entity is not None else ()
    return frozenset(one.name for one in fields if one.kind is FieldKind.DATE)


def _sort(key: tree.SortKey, dates: frozenset[str]) -> str:
    match key.key:
        case tree.Path():
            said = _path(key.key)
        case tree.Measure():
            said = _measure(key.key)
        case tree.Group():
            said = _group(key.key)
        case tree.Arithmetic() | tree.Call():
            said = print_computed(key.key)
    is_date = isinstance(key.key, tree.Path) and key.key.segments[-1].name.text in dates
    first = "latest" if is_date else "largest"
    return f"{said} ({first} first)" if key.descending else said
