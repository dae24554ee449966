"""Those of what was asked for that are not so: `which aren't?`, after `how many of them are signed?`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.grammar.walk import walked
from qlc.mapping.names import find_entity
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, surely
from qlc.translator.follow_ups.editing import denies, replaced_note, slot_of
from qlc.translator.follow_ups.history import Base, Earlier, as_base
from qlc.translator.follow_ups.merging import is_cut
from qlc.translator.follow_ups.one_thing import one_thing
from qlc.translator.rules.build import both, compare, negation, parts, path
from qlc.translator.rules.lexicon.field_names import spaced
from qlc.translator.rules.nouns.names import named
from qlc.translator.rules.questions.aggregates import COUNT
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain


def which_are_not(c: Content, base: Base) -> Iterator[Meaning]:
    """`and which don't?`, `how many aren't?`: of the condition that was said last, or that is a yes or no."""
    if is_cut(base):
        return
    lists = c.anywhere(english.WHICH_ARE_NOT)
    in_rows = isinstance(base.statement, tree.Aggregate) and base.statement.groups
    opposite = not base.statement.sort and not in_rows and c.whole(english.THE_OPPOSITE)
    lists = lists or opposite
    counts = c.anywhere(english.HOW_MANY_ARE_NOT)
    own = parts(base.statement.where)
    one = _said_last(c, base, own) if lists or counts else None
    swapped = _swapped(own, base) if opposite else None
    if swapped is not None:
        yield surely(replace(base.statement, where=both(*swapped)))
        return
    if one is None and opposite and len(own) == 2 and _is_of_a_kind(own[0], base):
        one = own[1]  # "NDAs with Globex", then "the other way round": the NDAs that are not
    if one is None:
        return
    other = one if _is_denied(one) else negation(one)  # "which aren't?", then "how many aren't?": of the same
    where = both(*(other if part == one else part for part in own))
    name = tree.Name(base.entity.plural)
    statement = tree.Aggregate((COUNT,), name, where) if counts else tree.Find(name, where)
    yield surely(statement, 0.0, *(() if other == one else (replaced_note([one], other),)))


def _swapped(own: Sequence[Condition], base: Base) -> list[Condition] | None:
    """`from Germany to Italy` as `from Italy to Germany`: the values of the only two conditions that can have them."""
    plain_ones = [one for one in own if isinstance(one, tree.Comparison) and isinstance(one.right, tree.String)
                  and one.operator == "="]  # fmt: skip
    pairs = [(one, other) for at, one in enumerate(plain_ones) for other in plain_ones[at + 1 :]
             if _hold_alike(one, other, base)]  # fmt: skip
    if len(pairs) != 1:
        return None
    first, second = pairs[0]
    values: dict[Condition, Condition] = {
        first: replace(first, right=second.right), second: replace(second, right=first.right)
    }  # fmt: skip
    return [values.get(one, one) for one in own]


def _hold_alike(one: tree.Comparison, other: tree.Comparison, base: Base) -> bool:
    """Whether two fields hold the same kind of values: both are people, or both are called a country."""
    slots = (slot_of(one, base.entity), slot_of(other, base.entity))
    fields = [base.entity.fields.get(slot[-1]) if slot is not None else None for slot in slots]
    first, second = fields
    if first is None or second is None or first is second:
        return False
    if first.reference is not None and second.reference is not None:
        return first.reference.entity == second.reference.entity
    words = [spaced(field.name).split() for field in (first, second)]
    return first.reference is second.reference and len(words[0]) > 1 and words[0][-1] == words[1][-1]


def _is_of_a_kind(condition: Condition, base: Base) -> bool:
    """Whether a condition says by a closed value what things are: `type = "NDA"`."""
    slot = slot_of(condition, base.entity)
    field = base.entity.fields.get(slot[-1]) if slot else None
    return field is not None and field.values is not None


def not_with(c: Content, base: Base) -> Iterator[Meaning]:
    """`but not with Tom`, after what is shared with Peter: with Tom in the same way."""
    p = c.p
    if p.word(c.at) not in plain.PREPOSITIONS:
        return
    for one in parts(base.statement.where):
        match one:
            case tree.Bare(path=tree.Path(segments=(tree.Segment(narrowed=tree.Comparison() as inner) as segment,))):
                many = base.entity.lists.get(segment.name.text)
                field = many.fields.get(_first_name(inner.left)) if many is not None else None
                target = field.reference.entity if field is not None and field.reference is not None else None
                for who in named(p, c.at + 1, target) if target is not None and inner.operator == "=" else ():
                    if finished(p, who.end) and who.value.text:
                        other = replace(inner, right=who.value.value)
                        denied = tree.Not(replace(one, path=tree.Path((replace(segment, narrowed=other),))))
                        where = both(*parts(base.statement.where), denied)
                        yield surely(replace(base.statement, where=where), who.cost)


def _first_name(left: tree.Node) -> str:
    return left.segments[0].name.text if isinstance(left, tree.Path) else ""


def _is_denied(one: Condition) -> bool:
    says_no = isinstance(one, tree.Comparison) and isinstance(one.right, tree.Boolean) and not one.right.value
    return says_no or denies(one)


def _said_last(c: Content, base: Base, own: Sequence[Condition]) -> Condition | None:
    """The condition that the search before did not have, else the only yes or no; None where there are several."""
    before = next((known for one in reversed(c.earlier) if one.turn is not base.earlier.turn
                   and (known := as_base(one, c.schema)) is not None), None)  # fmt: skip
    same = before is not None and before.entity.name == base.entity.name
    new = [one for one in own if one not in parts(before.statement.where)] if before is not None and same else []
    if len(new) == 1 and len(new) < len(own):
        return new[0]
    flags = [one for one in own if isinstance(one, tree.Bare)
             or (isinstance(one, tree.Comparison) and isinstance(one.right, tree.Boolean))]  # fmt: skip
    return flags[0] if len(flags) == 1 else None


def _of_which_was_asked(last: Earlier | None) -> tree.EntityLookup | None:
    """The thing whose folder was asked for, where that was found as things are: `folders where id = X.folder`."""
    statement = last.program.statement if last is not None and last.program is not None else None
    where = statement.where if isinstance(statement, tree.Find) else None
    value = where.right if isinstance(where, tree.Comparison) and where.operator == "=" else None
    base = value.base if isinstance(value, tree.Member) else None
    return base if isinstance(base, tree.EntityLookup) else None


def but_it(statement: Statement, c: Content) -> Statement:
    """`what else does she own?`, after the question who owns a thing: all but that thing."""
    thing = _of_which_was_asked(c.last) or one_thing(c.last)
    if thing is None or not any(token.text in ("else", "other") for token in c.p.tokens[c.at :]):
        return statement
    if not isinstance(statement, tree.Find) or isinstance(statement.entity, tree.EntityLookup):
        return statement
    entity = find_entity(c.schema, statement.entity.text)
    if entity is None or entity.id is None or thing.entity.text not in (entity.name, *entity.kinds):
        return statement
    if any(one == thing for part in parts(statement.where) if denies(part) for one in walked(part)):
        return statement
    return replace(statement, where=both(*parts(statement.where), compare(path(entity.id.name), "!=", thing)))
