"""Names to complete a prefix with, at a cursor."""

from __future__ import annotations

from elasticsearch.dsl.aggs import Filter, Terms

from qlc.compiler.caseless import TextTooLong, fold_case, pattern_clause
from qlc.compiler.request import Aggs, Reading, SearchRequest, aggregation_body, disjunction
from qlc.mapping.schema import Entity
from qlc.resolver.names.cache import Place
from qlc.resolver.names.reading import name_columns, read_lexicon
from qlc.resolver.names.requests import all_of, inside, within


def names_like(place: Place, entity: Entity, prefix: str, n: int) -> Reading[list[str]]:
    """Return at most `n` names that begin with the prefix, then names with a word that does, each sorted by
    spelling."""
    lexicon = yield from read_lexicon(place, entity)
    if lexicon is not None:
        return lexicon.beginning_with(prefix, n)
    try:
        return (yield from _beginning_with(place, entity, prefix, n))
    except TextTooLong:
        return []


def _beginning_with(place: Place, entity: Entity, prefix: str, n: int) -> Reading[list[str]]:
    """Search the index for names that begin with the prefix, if there are too many names to read."""
    found: set[str] = set()
    for index, columns in name_columns(place, entity).items():
        aggs: Aggs = {}
        for at, one in enumerate(columns):
            path = one.fields["name"].term_path
            names = Terms(field=path, size=n, order={"_key": "asc"})
            asked = Filter(filter=pattern_clause(path, [prefix, None]), aggs={"names": names})
            aggs[f"columns{at}"] = Filter(filter=all_of(one.scope), aggs=within(one.nested_path, {"asked": asked}))
        query = disjunction([all_of(one.scope) for one in columns])
        response = yield SearchRequest(index, aggregation_body(query, aggs), f"complete a name of {entity.plural}")
        for at, one in enumerate(columns):
            elements = inside(response["aggregations"][f"columns{at}"], one.nested_path)
            found |= {str(bucket["key"]) for bucket in elements["asked"]["names"]["buckets"]}
    begun = [name for name in found if fold_case(name).startswith(fold_case(prefix))]
    return sorted(begun, key=lambda name: (fold_case(name), name))[:n]
