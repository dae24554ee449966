"""What was asked for before taken away: `forget the date`, `any owner`, `drop the Costco filter`, `look anywhere`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Schema
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, alone
from qlc.translator.follow_ups.editing import dropped, field_of, replaced_note, slot_of
from qlc.translator.follow_ups.english import Mode
from qlc.translator.follow_ups.history import Base, Earlier, as_base
from qlc.translator.follow_ups.speech import beginnings
from qlc.translator.rules.build import both, compare, parts
from qlc.translator.rules.conditions import is_number
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nouns.names import hierarchical
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import tokenize


def forgotten(c: Content, base: Base) -> Iterator[Meaning]:
    """`forget the date`, `any owner`, `regardless of type`, `drop the Costco filter`."""
    p, entity, before = c.p, base.entity, base.statement
    gone_last = came_last(c.earlier, base, c.schema) if says_which_came_last(p, c.at) else ()
    if gone_last:
        yield dropping(before, list(gone_last), entity, 0.0)
        return
    own = parts(before.where)
    start = p.past(c.at, plain.ARTICLES | words("about on who where when is was it its of kind"))
    surely_dropped = p.word(c.at - 1) in english.TAKING_OFF
    for begin in {c.at, start}:
        # `all folders` are things; `any folder` and `drop the folders` speak of a condition
        things = {one.end for one in p.starting(begin, EntityWord) if p.plural(one.end) and not surely_dropped}
        for end, slots in (*_fields_at(p, begin, entity), *_part_of_a_name(p, begin, own, entity)):
            if end in things:
                continue
            after = p.past(end, english.FILTERS | words("it is was be in from on by date time"))
            gone = [one for one in own if _about(one, entity) & slots]
            if finished(p, after) and gone:
                if len({slot_of(one, entity) for one in gone}) > 1:
                    for one in gone:
                        yield dropping(before, [one], entity, 0.05)
                else:
                    yield dropping(before, gone, entity, 0.0)
        said_by_name = _of_that_name(p, begin, own) if surely_dropped else []
        if said_by_name:
            yield dropping(before, said_by_name, entity, 0.0)
        for one_modifier in modifiers(p, begin, entity.name):
            said = p.past(one_modifier.end, english.FILTERS)
            if finished(p, said) and (said > one_modifier.end or (surely_dropped and not p.plural(said))):
                meant = set(parts(one_modifier.value))
                gone = [one for one in own if one in meant]
                if gone:
                    yield dropping(before, gone, entity, one_modifier.cost)
                for one in own:
                    kept = _without_values(one, meant)
                    if kept is not None:
                        where = both(*(kept if other == one else other for other in own))
                        note = replaced_note((one,), kept)
                        yield alone(replace(before, where=where), one_modifier.cost, note)


def takes_the_last_away(p: Parse) -> bool:
    """`remove that condition`: of what was asked for, whichever that is."""
    return any(says_which_came_last(p, end) for end in p.phrases(p.past(0, plain.POLITE | plain.AND), english.DROPPING))


def says_which_came_last(p: Parse, at: int) -> bool:
    """`that condition`, `the last filter`; `drop that`."""
    if any(finished(p, end) for end in p.phrases(at, english.THE_CONDITION)):
        return True
    return p.word(at) in english.DEMONSTRATIVES and finished(p, at + 1) and p.word(at - 1) in ("drop", "off", "away")


def came_last(earlier: Sequence[Earlier], base: Base, schema: Schema) -> tuple[Condition, ...]:
    """The conditions of a search that the searches before it did not have; the only one that there is. None where it
    was asked for with several at once."""
    own = parts(base.statement.where)
    for one in reversed(earlier[: list(earlier).index(base.earlier)] if base.earlier in earlier else ()):
        known = as_base(one, schema)
        if known is None or known.entity.name != base.entity.name:
            continue
        came = tuple(each for each in own if each not in parts(known.statement.where))
        if came:
            return came if len(came) < len(own) or len(own) == 1 else ()
    return own if len(own) == 1 else ()


def _of_that_name(p: Parse, at: int, own: tuple[Condition, ...]) -> list[Condition]:
    """`drop Tom`: the condition that compares with just this, as it was said."""
    end = p.end
    while end > at + 1 and p.word(end - 1) in english.FILTERS:
        end -= 1
    said = [token.text for token in p.tokens[at:end]]
    return [one for one in own if isinstance(one, tree.Comparison) and isinstance(one.right, tree.String)
            and said and [token.text for token in tokenize(one.right.value)] == said]  # fmt: skip


def drops_a_condition(p: Parse, mode: Mode, base: Base | None) -> bool:
    """`drop the date`, `remove the price filter`: of what was asked for, and nothing of what is stored; `drop the
    folder`, where the search has a condition on its things' folder."""
    own = {slot_of(one, base.entity) for one in parts(base.statement.where)} if base is not None else set()
    for said in beginnings(p, mode):
        at = p.articles(said.at)
        if said.mode != "drop":
            continue
        if any(True for _ in p.starting(at, EntityWord)) and not any(
            one.payload.ref.path in own and finished(p, one.end) for one in p.starting(at, FieldWord)
        ):
            continue
        ends = [one.end for one in p.starting(at, FieldWord)]
        ends += [at + 1] if any(p.word(at) in nouns for nouns in english.GENERIC_FIELDS.values()) else []
        if any(finished(p, p.past(end, english.FILTERS | {"date", "time"})) for end in ends):
            return True
    return False


def _without_values(condition: Condition, gone: set[Condition]) -> Condition | None:
    """A condition on several values without those that others ask for one by one; None where it has none of them."""
    single: dict[str, tree.ComparisonOperator] = {"in": "=", "has all": "has", "has any": "has"}
    if not isinstance(condition, tree.Comparison) or not isinstance(condition.right, tree.ListValue):
        return None
    values = {one.right for one in gone if isinstance(one, tree.Comparison) and one.left == condition.left
              and one.operator in ("=", "has")}  # fmt: skip
    kept = tuple(one for one in condition.right.items if one not in values)
    if len(kept) == len(condition.right.items) or not kept or condition.operator not in single:
        return None
    if len(kept) == 1:
        return compare(condition.left, single[condition.operator], kept[0])
    return replace(condition, right=tree.ListValue(kept))


def _about(condition: Condition, entity: Entity) -> set[tuple[str, ...]]:
    slot = slot_of(condition, entity)
    if slot is not None:
        return {slot}
    return {(field.name,) for one in walked(condition) if isinstance(one, tree.Path)
            and (field := field_of(entity, one)) is not None}  # fmt: skip


def _units_of(gone: list[Condition], own: tuple[Condition, ...], entity: Entity) -> list[Condition]:
    """What says the unit of the numbers that are left out, and of no others: the dollars of `over 500 dollars`."""
    slots = [(one, slot_of(one, entity)) for one in own]
    fields = [(one, entity.fields.get(slot[-1])) for one, slot in slots if slot]
    units = {field.unit_field for one, field in fields if one in gone and field is not None}
    units -= {field.unit_field for one, field in fields if one not in gone and field is not None}
    return [one for one, slot in slots if slot and slot[-1] in units and one not in gone]


def dropping(before: tree.Find | tree.Aggregate, gone: list[Condition], entity: Entity, cost: float) -> Meaning:
    changed = dropped(before.where, [*gone, *_units_of(gone, parts(before.where), entity)])
    return alone(replace(before, where=changed.where), cost, *changed.notes)


def _fields_at(p: Parse, at: int, entity: Entity) -> Iterator[tuple[int, set[tuple[str, ...]]]]:
    """Where words for a field end, and which fields they mean."""
    for lexeme in p.starting(at, FieldWord):
        yield lexeme.end, {lexeme.payload.ref.path}
    for kind, nouns in english.GENERIC_FIELDS.items():
        if p.word(at) in nouns:
            own = [FieldRef((one.name,), one) for one in entity.fields.values()]
            fields: set[tuple[str, ...]] = {ref.path for ref in own if _is_kind(p, entity, ref, kind)}
            yield at + 1, fields | ({("mentions",)} if kind == "text" else set())
    for lexeme_entity in p.starting(at, EntityWord):
        target = lexeme_entity.payload.entity
        yield lexeme_entity.end, {(f.name,) for f in entity.fields.values()
                                  if f.reference is not None and f.reference.entity == target}  # fmt: skip


def _part_of_a_name(
    p: Parse, at: int, own: tuple[Condition, ...], entity: Entity
) -> Iterator[tuple[int, set[tuple[str, ...]]]]:
    """`the status`, where the only field with a filter that is called so is the `payment status`."""
    fields = {slot for one in own for slot in _about(one, entity)}
    called = {slot for slot in fields if p.word(at) and p.word(at) in slot[-1].split("_")}
    if len(called) == 1:
        yield at + 1, called


def _is_kind(p: Parse, entity: Entity, ref: FieldRef, kind: str) -> bool:
    match kind:
        case "date":
            return ref.kind is FieldKind.DATE or "year" in ref.field.name.split("_")
        case "person":
            return ref.target is not None and p.entity(ref.target).virtual
        case "place":
            return any(one.path == ref.path for one in hierarchical(entity)) or ref.kind is FieldKind.GEO_POINT
        case "number":
            return is_number(ref)
        case _:
            return False


# --- which one is to go ----------------------------------------------------------------------------------------------

_FILTERS = "|".join(sorted(english.FILTERS))
_ANSWER = re.compile(
    rf"(?:(?:please|ok|just|i mean|i meant|oh|well|sorry|drop|remove|forget|that is|that's|it's)[\s,]+)*"
    rf"(?:(?:that|the) (?:one|{_FILTERS}) (?:on|about|with|for|of|that says|saying|by) )?"
    rf"(?:(?:the|that|number|no\.?|on|about) )*(?P<what>[\w$€£.' -]+?)(?: (?:one|{_FILTERS}))?"
    r"(?:[\s,]+please)?[\s.!]*",
    re.IGNORECASE,
)


WHICH_FILTER = "It is not clear which filter to drop: name it, as in 'forget the date'."


LONGEST_ANSWER = 4
"""Words of the longest name of a condition that answers which one is meant."""
