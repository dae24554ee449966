"""Distinct values of a field, and values that two fields of one document share."""

from __future__ import annotations

from collections.abc import Sequence

from qlc.compiler.aggregations.scope import scope_of
from qlc.compiler.aggregations.statistics import Cell
from qlc.compiler.aggregations.tree import MAX_BUCKETS, Keys
from qlc.compiler.caseless import same_case
from qlc.compiler.environment import Bindings
from qlc.compiler.request import CannotAnswer, Clause, Reading
from qlc.compiler.typed import Pairs, Scalar, has_key
from qlc.mapping.fields import ID_FIELD
from qlc.mapping.schema import Entity, Field
from qlc.resolver.rows.asking import over_documents
from qlc.resolver.rows.cells import CellReading, read_cells
from qlc.resolver.rows.columns import value_column


def read_values(
    entity: Entity, field: Field, query_filters: Sequence[Clause], env: Bindings, limit: int | None = None
) -> Reading[list[Scalar]]:
    """Return all distinct values of a field in the entity's documents that pass the filters, in rising order.

    Dates are epoch milliseconds. Raises CannotAnswer: `set-too-large` above `limit` or the bound on sets; `no-id-field`
    for the `_id` of Elasticsearch.
    """
    if field.mapped.path == ID_FIELD.path:
        raise CannotAnswer(
            "no-id-field",
            f"{entity.plural} have no id field in the index, so their ids cannot be gathered",
            f"name an id field of {entity.plural} in the catalog",
        )
    most = env.bounds.set_size if limit is None else limit
    values: set[Scalar] = set()

    def take(keys: Keys, cell: Cell) -> None:
        values.add(keys[0])
        if len(values) > most:
            raise CannotAnswer(
                "set-too-large",
                f"'{field.name}' has more than {most:,} different values here",
                "narrow the documents with 'where', so that fewer values are left",
            )

    narrowed = has_key(field.of_key) if field.of_key is not None else None
    column = value_column(field, scope_of(field, None, narrowed))
    reading = read_cells(CellReading((column,), env, MAX_BUCKETS, counted=False), take)
    filters = [*env.scope(entity), *query_filters]
    yield from over_documents(reading, entity, filters, f"values of {field.name} of {entity.plural}")
    return sorted(values)


def read_pairs(pairs: Pairs, extra_filters: Sequence[Clause], env: Bindings) -> Reading[list[tuple[Scalar, Scalar]]]:
    """Return the values of two fields of one document (or element) that are equal up to case, as stored.

    Raises CannotAnswer (`too-many-pairs`) if there are more than the bound.
    """
    found: list[tuple[Scalar, Scalar]] = []

    def take(keys: Keys, cell: Cell) -> None:
        left, right = keys
        equal = same_case(left, right) if isinstance(left, str) and isinstance(right, str) else left == right
        if equal:
            found.append((left, right))
        if len(found) > env.bounds.pairs:
            raise CannotAnswer(
                "too-many-pairs",
                f"'{pairs.left.name}' and '{pairs.right.name}' share more than {env.bounds.pairs:,} values",
                "narrow the documents with further conditions",
            )

    columns = tuple(value_column(field, scope_of(field, None, None)) for field in (pairs.left, pairs.right))
    reading = read_cells(CellReading(columns, env, MAX_BUCKETS, counted=False), take)
    filters = [*env.scope(pairs.entity), *extra_filters]
    purpose = f"values that {pairs.left.name} and {pairs.right.name} of {pairs.entity.plural} share"
    yield from over_documents(reading, pairs.entity, filters, purpose)
    return sorted(found)
