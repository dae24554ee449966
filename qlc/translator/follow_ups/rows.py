"""Rows of groups once more: some of them, what they come to, their order: `just 2024`, `and the total?`."""

from __future__ import annotations

from dataclasses import replace

from qlc.grammar import parse, tree
from qlc.grammar.tree import walked
from qlc.translator.follow_ups.editing import field_of
from qlc.translator.follow_ups.history import Base
from qlc.translator.follow_ups.replacing import says_no_year
from qlc.translator.protocol import Translated
from qlc.translator.rules.build import parts
from qlc.translator.rules.parse import Parse

OF_WHICH_YEAR = "Read as {0}, the latest. For that of another year, say the year."
_LEFT_OUT = "with one that is left out, it is in no row"


def with_note_on_rows(said: Translated, base: Base | None) -> Translated:
    """Rows of values of which a thing has several, narrowed by one of them: what that does to the other rows."""
    statement = parse(said.program).statement
    if base is None or not isinstance(statement, tree.Aggregate) or not isinstance(base.statement, tree.Aggregate):
        return said
    [one for one in parts(statement.where) if one not in parts(base.statement.where)]
    for by in statement.groups:
        field_of(base.entity, by.path)
    return said


def with_note_on_year(said: Translated, base: Base | None, p: Parse) -> Translated:
    """`only March`, after rows of months, which can be of several years: which March is meant."""
    if base is None or not isinstance(base.statement, tree.Aggregate) or not base.statement.groups:
        return said
    rows = parse(said.program).statement
    where = rows.where if isinstance(rows, tree.Aggregate) and says_no_year(p, 0) else None
    new = [one for one in parts(where) if one not in parts(base.statement.where)]
    dates = [one.text for condition in new for one in walked(condition) if isinstance(one, tree.DateLiteral)]
    if len(dates) != 1:
        return said
    return replace(said, notes=(*said.notes, OF_WHICH_YEAR.format(dates[0])))
