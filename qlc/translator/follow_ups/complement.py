"""Those of what was asked for that are not so: `which aren't?`, after `how many of them are signed?`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement, walked
from qlc.mapping.names import find_entity
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, surely
from qlc.translator.follow_ups.editing import denies, replaced_note
from qlc.translator.follow_ups.history import Base, Earlier, as_base
from qlc.translator.follow_ups.merging import is_cut
from qlc.translator.follow_ups.one_thing import one_thing
from qlc.translator.rules.build import both, compare, negation, parts, path
from qlc.translator.rules.questions.aggregates import COUNT


def which_are_not(c: Content, base: Base) -> Iterator[Meaning]:
    """`and which don't?`, `how many aren't?`: of the condition that was said last, or that is a yes or no."""
    if is_cut(base):
        return
    in_rows = isinstance(base.statement, tree.Aggregate) and base.statement.groups
    opposite = not base.statement.sort and not in_rows and c.whole(english.THE_OPPOSITE)
    lists = c.anywhere(english.WHICH_ARE_NOT) or opposite
    counts = c.anywhere(english.HOW_MANY_ARE_NOT)
    own = parts(base.statement.where)
    one = _said_last(c, base, own) if lists or counts else None
    if one is None:
        return
    other = one if _is_denied(one) else negation(one)  # "which aren't?", then "how many aren't?": of the same
    where = both(*(other if part == one else part for part in own))
    name = tree.Name(base.entity.plural)
    statement = tree.Aggregate((COUNT,), name, where) if counts else tree.Find(name, where)
    yield surely(statement, 0.0, *(() if other == one else (replaced_note([one], other),)))


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
    entity = find_entity(c.schema, statement.entity.text)
    if any(one == thing for part in parts(statement.where) if denies(part) for one in walked(part)):
        return statement
    return replace(statement, where=both(*parts(statement.where), compare(path(entity.id.name), "!=", thing)))
