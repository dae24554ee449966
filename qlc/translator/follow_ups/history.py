"""The turns before: their programs as trees, and what a word such as `it`, `she` or `those` can mean in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qlc.base.deadline import checkpoint
from qlc.grammar import print_statement, tree
from qlc.grammar.tree import walked
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Field, Schema
from qlc.translator.follow_ups.asides import is_about_one
from qlc.translator.follow_ups.editing import field_of, lookups
from qlc.translator.programs import parsed
from qlc.translator.protocol import Turn
from qlc.translator.rules.build import compare, parts, path, string
from qlc.translator.rules.lexicon.lexemes import ThingWord
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.tokens import Token, tokenize

_WITHOUT_A_SEARCH = ("refuse", "explain", "exhausted")
"""Turns that leave what was spoken of as it was."""

_NOT_ANSWERED = ("declined", "passages", "unsupported", "invalid", "failed", "rejected_query")
"""Turns after which it is not known what is spoken of."""

OPENING, CLOSING = "\u2039", "\u203a"
"""Marks around the word that stands for what was spoken of, in place of a pronoun."""

EACH = f"{OPENING}each{CLOSING}"
"""What stands for each of the things found where a name or an id stands for one."""

FOUND_BY = f"{OPENING}found by{CLOSING}"
"""What means, with a query after it, the one thing that the query finds where a name or an id stands for one."""

FROM_CONDITION = 0.3
"""What it costs to mean something that only a condition names."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A turn before, as far as it can be spoken of. `program` is None where none was run or it cannot be read."""

    turn: Turn
    program: tree.Program | None

    @property
    def kind(self) -> str:
        return str(self.turn.outcome.get("kind", ""))

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(str(one) for one in self.turn.outcome.get("ids") or ())

    @property
    def complete(self) -> bool:
        """Whether all that was found was shown."""
        outcome = self.turn.outcome
        return self.kind == "hits" and not outcome.get("cursor") and len(self.ids) >= int(outcome.get("total") or 0)


@dataclass(frozen=True, slots=True)
class Base:
    """The search that a refinement changes."""

    earlier: Earlier
    program: tree.Program
    statement: tree.Find | tree.Aggregate
    entity: Entity


def remembered(history: Sequence[Turn]) -> tuple[Earlier, ...]:
    return tuple(Earlier(turn, _parsed(turn)) for turn in history)


def _parsed(turn: Turn) -> tree.Program | None:
    checkpoint()
    texts = (str(text) for text in (turn.outcome.get("query"), turn.program) if text)
    return next((found for text in texts if (found := parsed(text)) is not None), None)


def is_answered(turn: Turn) -> bool:
    """Whether it is known what was meant by a turn."""
    return turn.outcome.get("kind") not in _NOT_ANSWERED


def is_without_a_search(one: Earlier) -> bool:
    """Whether a turn leaves what was spoken of as it was. A refused request speaks of what it names."""
    return one.kind in _WITHOUT_A_SEARCH and not (one.kind == "refuse" and one.program is not None)


def latest(earlier: Sequence[Earlier]) -> Earlier | None:
    """The last turn that was a search; None where it is not known what was meant by it."""
    for one in reversed(earlier):
        if one.kind in _NOT_ANSWERED or (one.kind == "clarify" and one.program is None):
            return None
        if not is_without_a_search(one) and (one.program is not None or one.ids):
            return one
    return None


def base_of(earlier: Sequence[Earlier], schema: Schema) -> Base | None:
    """The last search for several things: what a refinement changes."""
    for one in reversed(earlier):
        if one.kind in _NOT_ANSWERED or (one.kind == "clarify" and one.program is None):
            return None
        base = as_base(one, schema)
        if base is not None:
            return base
    return None


def as_base(one: Earlier, schema: Schema) -> Base | None:
    if is_without_a_search(one):
        return None
    if one.program is None:
        return _of_ids(one, schema)
    statement = one.program.statement
    if isinstance(statement, tree.Get) or isinstance(statement.entity, tree.EntityLookup):
        return None
    entity = find_entity(schema, statement.entity.text)
    return Base(one, one.program, statement, entity) if entity is not None else None


def _of_ids(one: Earlier, schema: Schema) -> Base | None:
    """What was found by a search that is no program: the things themselves, where all of them were shown."""
    entity = find_entity(schema, str(one.turn.outcome.get("entity") or ""))
    if entity is None or entity.id is None or not one.complete or not one.ids:
        return None
    ids = tree.ListValue(tuple(string(id) for id in one.ids))
    statement = tree.Find(tree.Name(entity.plural), compare(path(entity.id.name), "in", ids))
    return Base(one, tree.Program((), statement), statement, entity)


# --- what words can mean ---------------------------------------------------------------------------------------------

Meant = tuple[ThingWord, float]


def things(earlier: Sequence[Earlier], schema: Schema) -> list[Meant]:
    """The single things that the last turn that has any spoke of."""
    for one in reversed(earlier):
        if _is_none_of_them(one):
            return []
        found = _unique(_things_of(one, schema))
        if found:
            return found
        if not is_answered(one.turn) and not is_about_one(one.turn):
            return []  # what that spoke of is not known
    return []


def thing_called(earlier: Sequence[Earlier], noun: Sequence[Token], schema: Schema) -> ThingWord | None:
    """The last single thing that a noun was a word of: of what was said of it, or of its name."""
    wanted = {stem(token.text) for token in noun}
    for one in reversed(earlier):
        hit = one.kind == "hits" and one.complete and len(one.ids) == 1
        for word, _ in _unique(_things_of(one, schema)):
            said = {stem(token.text) for token in tokenize(f"{word.text} {one.turn.text if hit else ''}")}
            if wanted <= said:
                return word
        if not is_answered(one.turn) and not is_about_one(one.turn):
            return None
    return None


def people(earlier: Sequence[Earlier], schema: Schema) -> list[Meant]:
    """The people that the last turn that has any spoke of."""
    for one in reversed(earlier):
        found = _unique(_people_of(one, schema))
        if found:
            return found
        if not is_answered(one.turn) and not is_about_one(one.turn):
            return []  # what that spoke of is not known
    return []


def _unique(found: Iterator[Meant]) -> list[Meant]:
    best: dict[ThingWord, float] = {}
    for word, cost in found:
        best[word] = min(cost, best.get(word, cost))
    return sorted(best.items(), key=lambda pair: pair[1])


def _things_of(one: Earlier, schema: Schema) -> Iterator[Meant]:
    if one.kind == "hits" and len(one.ids) == 1 and one.complete:
        yield _hit(one, 0, schema), 0.0
    only = _only_row(one, schema)
    if only is not None and not _is_virtual(only, schema):
        yield only, 0.0
    if one.program is None or one.kind in ("clarify", "not_found"):
        return
    statement = one.program.statement
    if isinstance(statement, tree.Get):
        for item in statement.items:
            if isinstance(item, tree.Member):
                yield from _named(item.base, schema, 0.0)
                yield from _found(item.base, schema)
    for lookup in lookups(statement):
        yield from _named(lookup, schema, FROM_CONDITION if one.kind == "hits" else 0.1)
    for field, text in _compared_names(statement, schema):
        target = schema.entities[field.reference.entity] if field.reference is not None else None
        if target is not None and not target.virtual:
            yield ThingWord((target.name,), text), FROM_CONDITION


def _is_none_of_them(one: Earlier) -> bool:
    """Whether the first of some things was asked for, and there are none."""
    statement = one.program.statement if one.program is not None else None
    return one.kind == "hits" and not one.ids and isinstance(statement, tree.Find) and statement.limit == 1


def _only_row(one: Earlier, schema: Schema) -> ThingWord | None:
    """What the only row is about."""
    rows = one.turn.outcome.get("rows") or ()
    return _row(one, 1, schema) if one.kind == "aggregate" and len(rows) == 1 else None


def _is_virtual(word: ThingWord, schema: Schema) -> bool:
    return any(schema.entities[name].virtual for name in word.entities)


def _people_of(one: Earlier, schema: Schema) -> Iterator[Meant]:
    if one.program is None:
        return
    only = _only_row(one, schema)
    if only is not None and _is_virtual(only, schema):
        yield only, 0.0
    statement, value = one.program.statement, one.turn.outcome.get("value")
    if isinstance(statement, tree.Get) and isinstance(value, Mapping):
        found = [value] if "id" in value else [part for part in value.values() if isinstance(part, Mapping)]
        target = _asked_for(statement, schema)
        for person in found:
            if "id" in person and target is not None and target.virtual:
                yield ThingWord((target.name,), str(person["id"])), 0.0
    for field, text in _compared_names(statement, schema):
        if field.reference is not None and schema.entities[field.reference.entity].virtual:
            yield ThingWord((field.reference.entity,), text), 0.1


def _asked_for(statement: tree.Get, schema: Schema) -> Entity | None:
    """The entity that a value that was asked for refers to."""
    for item in statement.items:
        names = item.names if isinstance(item, tree.Member) else tuple(s.name for s in item.segments)
        for entity in schema.entities.values():
            field = entity.fields.get(names[-1].text)
            if field is not None and field.reference is not None:
                return schema.entities.get(field.reference.entity)
    return None


def _named(value: tree.Node, schema: Schema, cost: float) -> Iterator[Meant]:
    if isinstance(value, tree.EntityLookup) and isinstance(value.name, tree.String):
        entity = schema.entities.get(value.entity.text)
        if entity is not None:
            yield ThingWord((entity.name,), value.name.value), cost


def _found(value: tree.Node, schema: Schema) -> Iterator[Meant]:
    """The one thing that was chosen by its place in an order: `who owns the largest video?`."""
    find = value.statement if isinstance(value, tree.Subquery) else None
    if isinstance(find, tree.Find) and find.limit == 1 and isinstance(find.entity, tree.Name):
        entity = find_entity(schema, find.entity.text)
        if entity is not None:
            yield ThingWord((entity.name,), FOUND_BY + print_statement(find)), 0.0


def _compared_names(statement: tree.Statement, schema: Schema) -> Iterator[tuple[Field, str]]:
    """The names that references of a statement's own things are compared with."""
    if isinstance(statement, tree.Get) or isinstance(statement.entity, tree.EntityLookup):
        return
    entity = find_entity(schema, statement.entity.text)
    for one in parts(statement.where):
        for comparison in walked(one):
            if not isinstance(comparison, tree.Comparison) or not isinstance(comparison.left, tree.Path):
                continue
            if comparison.operator not in ("=", "under", "has") or not isinstance(comparison.right, tree.String):
                continue
            field = field_of(entity, comparison.left)
            if field is not None and field.reference is not None:
                yield field, comparison.right.value


def each_of(base: Base | None, first: int | None = None) -> list[tuple[ThingWord, float]]:
    """The word for each of the things found, or for each of the `first` of them."""
    if base is None or (isinstance(base.statement, tree.Aggregate) and (base.statement.groups or first)):
        return []
    if first is not None and len(base.earlier.ids) < first:
        return []
    return [(ThingWord((base.entity.name,), f"{EACH}{first or ''}"), 0.0)]


def speaks_of_each(payload: object) -> bool:
    return isinstance(payload, ThingWord) and payload.text.startswith(EACH)


def nth(earlier: Sequence[Earlier], number: int, schema: Schema) -> ThingWord | None:
    """The thing at a place of the last list, from 1; -1 for the last of a list that was shown to its end.

    After a number `the last one` may be that answer as well as the last of a list before it: it is neither.
    """
    for one in reversed(earlier):
        if number < 0 and one.kind in ("count", "value"):
            return None
        if one.kind == "hits" and not one.ids:
            return None  # what was shown before that is not meant
        if one.kind == "hits" and (len(one.ids) > 1 or number in (1, -1)):
            if number < 0 and not one.complete:
                return None
            at = len(one.ids) - 1 if number < 0 else number - 1
            return _hit(one, at, schema) if at < len(one.ids) else None
        if one.kind == "aggregate":
            return _row(one, number, schema)
        if one.kind in _NOT_ANSWERED:
            return None
    return None


def _hit(one: Earlier, at: int, schema: Schema) -> ThingWord:
    outcome = one.turn.outcome
    name = str(outcome.get("entity") or "")
    entity = schema.entities.get(name)
    kinds = entity.kinds if entity is not None else ()
    hits = outcome.get("hits") or ()
    values = hits[at].get("values", {}) if at < len(hits) and isinstance(hits[at], Mapping) else {}
    own = [kind for kind in kinds if _is_of(schema.entities[kind], values)]
    return ThingWord(tuple(own) if len(own) == 1 else (name, *kinds), one.ids[at])


def _is_of(kind: Entity, values: Mapping[str, Any]) -> bool:
    """Whether the shown values are those that make a document one of its kind."""
    for terms in kind.filter:
        name = next((f.name for f in kind.fields.values() if f.mapped.path == terms.field.path), None)
        if name is None or values.get(name) not in terms.values:
            return False
    return bool(kind.filter)


def _row(one: Earlier, number: int, schema: Schema) -> ThingWord | None:
    rows = one.turn.outcome.get("rows") or ()
    at = len(rows) - 1 if number < 0 else number - 1
    if one.program is None or not 0 <= at < len(rows):
        return None
    key, statement = rows[at].get("key"), one.program.statement
    if not isinstance(key, Mapping) or "id" not in key or not isinstance(statement, tree.Aggregate):
        return None
    field = field_of(find_entity(schema, statement.entity.text), statement.groups[0].path)
    reference = field.reference if field is not None else None
    return ThingWord((reference.entity,), str(key["id"])) if reference is not None else None
