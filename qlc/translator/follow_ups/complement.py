"""Those of what was asked for that are not so: `which aren't?`, behind `how many of them are signed?`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.mapping.names import find_entity
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, surely
from qlc.translator.follow_ups.editing import denies, parts, told_replaced, walked
from qlc.translator.follow_ups.history import as_base
from qlc.translator.follow_ups.merging import is_cut
from qlc.translator.follow_ups.one_thing import one_thing
from qlc.translator.rules.aggregates import COUNT
from qlc.translator.rules.build import both, compare, negation, path


def which_are_not(c: Content) -> Iterator[Meaning]:
    """`and which don't?`, `how many aren't?`: of the condition that was said last, or that is a yes or no."""
    base = c.base
    if base is None or is_cut(base) or c.said.mode not in ("", "narrow", "leave out"):
        return
    lists = any(c.whole(english.WHICH_ARE_NOT, start) for start in range(c.at + 1))
    counts = any(c.whole(english.HOW_MANY_ARE_NOT, start) for start in range(c.at + 1))
    own = parts(base.statement.where)
    one = _said_last(c, own) if lists or counts else None
    if one is None:
        return
    other = one if _is_denied(one) else negation(one)  # "which aren't?", then "how many aren't?": of the same
    where = both(*(other if part == one else part for part in own))
    name = tree.Name(base.entity.plural)
    statement = tree.Aggregate((COUNT,), name, where) if counts else tree.Find(name, where)
    yield surely(statement, 0.0, *(() if other == one else (told_replaced([one], other),)))


def _is_denied(one: Condition) -> bool:
    says_no = isinstance(one, tree.Comparison) and isinstance(one.right, tree.Boolean) and not one.right.value
    return says_no or denies(one)


def _said_last(c: Content, own: Sequence[Condition]) -> Condition | None:
    """The condition that the search before did not have, else the only yes or no; None where there are several."""
    assert c.base is not None
    before = next((known for one in reversed(c.earlier) if one.turn is not c.base.earlier.turn
                   and (known := as_base(one, c.schema)) is not None), None)  # fmt: skip
    same = before is not None and before.entity.name == c.base.entity.name
    new = [one for one in own if one not in parts(before.statement.where)] if before is not None and same else []
    if len(new) == 1 and len(new) < len(own):
        return new[0]
    flags = [one for one in own if isinstance(one, tree.Bare)
             or (isinstance(one, tree.Comparison) and isinstance(one.right, tree.Boolean))]  # fmt: skip
    return flags[0] if len(flags) == 1 else None


def but_it(statement: Statement, c: Content) -> Statement:
    """`what else does she own?`, behind the question who owns a thing: all but that thing."""
    thing = one_thing(c.last)
    if thing is None or not any(token.text == "else" for token in c.p.tokens[c.at :]):
        return statement
    if not isinstance(statement, tree.Find) or isinstance(statement.entity, tree.EntityLookup):
        return statement
    entity = find_entity(c.schema, statement.entity.text)
    if entity is None or entity.id is None or thing.entity.text not in (entity.name, *entity.kinds):
        return statement
    if any(one == thing for part in parts(statement.where) if denies(part) for one in walked(part)):
        return statement
    return replace(statement, where=both(*parts(statement.where), compare(path(entity.id.name), "!=", thing)))
