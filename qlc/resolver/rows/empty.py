"""Groups without documents: referred things that no document refers to, as rows (`including empty`) or in a note."""

from __future__ import annotations

from collections.abc import Collection

from elasticsearch.dsl.query import Bool

from qlc.base.deadline import timed
from qlc.compiler import typed
from qlc.compiler.codegen import any_of
from qlc.compiler.environment import Bindings
from qlc.compiler.groups import empty_ones, note_on_empty
from qlc.compiler.request import Reading, SearchRequest
from qlc.compiler.sources import id_field
from qlc.compiler.typed import Scalar
from qlc.mapping.schema import Entity
from qlc.resolver.rows.asking import filtered_body
from qlc.resolver.rows.columns import Column
from qlc.resolver.rows.model import Amount
from qlc.resolver.rows.table import Table, check_rows
from qlc.resolver.rows.values import read_values


def with_empty(aggregate: typed.Aggregate, column: Column, table: Table, env: Bindings) -> Reading[Table]:
    """Add a row for each thing that the only group could refer to and that has none. Raises CannotAnswer."""
    entity = empty_ones(aggregate.groups[0], env.schema)
    assert entity is not None
    ids = yield from read_values(entity, id_field(entity), [], env, env.bounds.rows)
    values = empty_values(aggregate, table)
    known = {str(keys[0]) for keys in timed(table)}
    found = table | {(column.grouping.key(one),): values for one in ids if str(one) not in known}
    check_rows(len(found), env)
    return found


def empty_values(aggregate: typed.Aggregate, table: Table) -> tuple[Amount, ...]:
    """Return the measures of a row without documents: 0 for numbers of things, no value for the others."""
    totals = next(iter(table.values()), (None,) * len(aggregate.measures))
    return tuple(
        total if measure.total else 0 if measure.function in ("count", "distinct") else None
        for measure, total in zip(aggregate.measures, totals, strict=True)
    )


def read_empty_note(aggregate: typed.Aggregate, keys: Collection[Scalar], env: Bindings) -> Reading[list[str]]:
    """Return the note on things without a row that could be meant; empty if there are none."""
    entity = note_on_empty(aggregate, env.schema)
    if entity is None:
        return []
    with_row = [Bool(must_not=[any_of(id_field(entity).mapped.term_path, sorted(map(str, keys)))])] if keys else []
    body = filtered_body([*env.scope(entity), *with_row], track_total_hits=True)
    response = yield SearchRequest(entity.index, body, f"{entity.plural} without a row", True)
    count = int(response["hits"]["total"]["value"])
    return [_note(aggregate, entity, count)] if count else []


def _note(aggregate: typed.Aggregate, entity: Entity, count: int) -> str:
    who = f"{entity.name} has" if count == 1 else f"{entity.plural} have"
    row, them = ("is in no row", "it") if count == 1 else ("are in no row", "them")
    name = aggregate.groups[0].name
    return (f"{count:,} {who} no {aggregate.entity.plural} here and {row}: "
            f"'by {name} including empty' lists {them} too.")  # fmt: skip
