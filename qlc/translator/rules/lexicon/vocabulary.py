"""Reading what the index holds, for the lexicon: names, the frequent values of open fields, keys of key/value lists."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from elasticsearch.dsl.aggs import Cardinality, Filter, Filters, Max, Min, Nested, Terms
from elasticsearch.dsl.query import Exists, MatchAll, Term

from qlc.compiler.environment import Bindings
from qlc.compiler.request import Agg, Aggs, Clause, Reading, SearchRequest, aggregation_body, conjunction, nested, on
from qlc.mapping.fields import ID_FIELD, NUMERIC, FieldKind
from qlc.mapping.guards import permits
from qlc.mapping.schema import Entity, Field, Schema
from qlc.resolver.names.cache import NameCache, Place
from qlc.resolver.names.reading import read_lexicon
from qlc.translator.rules.lexicon.lexemes import FieldRef

MAX_VALUES = 1_000  # distinct values of a field that are read: the most frequent ones
LONGEST_VALUE = 80  # characters of the longest value that somebody would write out
MOST_MEASURED = 150  # fields of an entity up to which all are measured, not only the dates


@dataclass(frozen=True, slots=True)
class Extent:
    """Number of documents with a field, its least and greatest value (dates in ms), and how many are `different`."""

    filled: int = 0
    low: float | None = None
    high: float | None = None
    different: int | None = None


@dataclass(frozen=True, slots=True)
class IndexValues:
    """Contents of the index: names by entity (None: too many to read), values by the path of a field.

    `keys`: keys and values of key/value lists, by list. `partly`: paths of fields with more values than were read,
    which are looked up for each question. `filled`: fields that some document has, for entities that share fields.
    `several`: index and path of fields with several values in some document. `extents`: by entity and field.
    `counted`: documents by entity. `empty`: paths of fields that no document has.
    """

    names: Mapping[str, tuple[str, ...] | None] = field(default_factory=dict)
    values: Mapping[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    keys: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    partly: frozenset[tuple[str, ...]] = frozenset()
    filled: Mapping[str, frozenset[str]] = field(default_factory=dict)
    several: frozenset[tuple[str, str]] = frozenset()
    extents: Mapping[tuple[str, str], Extent] = field(default_factory=dict)
    counted: Mapping[str, int] = field(default_factory=dict)
    empty: frozenset[tuple[str, ...]] = frozenset()

    def latest(self, entity: str, field: str) -> float | None:
        """Return the latest value of a date in milliseconds of UTC; None if it was not read, or no document has one."""
        extent = self.extents.get((entity, field))
        return None if extent is None else extent.high


def read_index_values(schema: Schema, env: Bindings, cache: NameCache, access: Hashable,
                      sensitive: frozenset[str] | None) -> Reading[IndexValues]:
    """Names and values within the access of the context."""
    place = Place(schema, env, cache, access)
    names: dict[str, tuple[str, ...] | None] = {}
    for entity in schema.entities.values():
        if entity.virtual or (entity.names and not entity.kinds):
            lexicon = yield from read_lexicon(place, entity)
            names[entity.name] = None if lexicon is None else lexicon.names
    values: dict[tuple[str, ...], dict[str, None]] = {}
    keys: dict[str, dict[str, tuple[str, ...]]] = {}
    partly: set[tuple[str, ...]] = set()
    filled: dict[str, frozenset[str]] = {}
    several: set[tuple[str, str]] = set()
    empty: set[tuple[str, ...]] = set()
    extents: dict[tuple[str, str], Extent] = {}
    counted: dict[str, int] = {}
    read: dict[str, set[tuple[str, ...]]] = {}
    for entity in _widest(schema):
        partly |= {ref.path for ref in _ids(entity)}
        known = read.get(entity.name, set())
        wanted = {f"v{n}": ref for n, ref in enumerate(_open_fields(entity, sensitive)) if ref.path not in known}
        for kind in entity.kinds:
            read.setdefault(kind, set()).update(ref.path for ref in wanted.values())
        lists = {
            f"k{n}": many
            for n, many in enumerate(entity.lists.values())
            if many.key and not many.sensitive and many.name not in keys
        }
        shared = {f"f{n}": one for n, one in enumerate(_shared_fields(schema, entity))}
        aggregations: Aggs = {label: _terms(ref) for label, ref in wanted.items()}
        aggregations |= {label: _key_terms(label_list) for label, label_list in lists.items()}
        aggregations |= {label: Filter(filter=Exists(field=one.mapped.path)) for label, one in shared.items()}
        measured = {f"d{n}": one for n, one in enumerate(_measured(entity))}
        aggregations |= {label: _extent(one) for label, one in measured.items()}
        if not aggregations:
            continue
        aggregations["all"] = Filter(filter=MatchAll())
        body = aggregation_body(conjunction(env.scope(entity)), aggregations)
        response = yield SearchRequest(entity.index, body, f"read the values of {entity.plural}")
        answers = response["aggregations"]
        for label, ref in wanted.items():
            values.setdefault(ref.path, {}).update(dict.fromkeys(_texts(answers[label]["values"]["buckets"])))
            if not answers[label]["doc_count"]:
                empty.add(ref.path)
            if answers[label]["values"]["sum_other_doc_count"]:
                partly.add(ref.path)
            if not ref.within and _has_several(answers[label]):
                several.add((entity.index, ref.field.mapped.path))
        for label, many in lists.items():
            buckets = answers[label]["keys"]["buckets"]
            keys[many.name] = {str(b["key"]): _texts(b["values"]["buckets"]) for b in buckets}
        counted[entity.name] = int(answers["all"]["doc_count"])
        for label, one in measured.items():
            low, high, different = (answers[label].get(part, {}).get("value") for part in ("low", "high", "different"))
            extents[entity.name, one.name] = Extent(int(answers[label]["doc_count"]), low, high, different)
        if shared:
            filled[entity.name] = frozenset(one.name for label, one in shared.items() if answers[label]["doc_count"])
    found = {path: tuple(texts) for path, texts in values.items()}
    return IndexValues(names, found, keys, frozenset(partly), filled, frozenset(several), extents, counted,
                       frozenset(empty))


def _measured(entity: Entity) -> list[Field]:
    """Return the fields of a thing itself that are measured: all that are stored; of very many only the dates."""
    stored = [
        one
        for one in entity.fields.values()
        if not (one.sensitive or one.calculation or one.is_id or one.of_key) and one.mapped.nested_path is None
        and not one.mapped.nested and one.kind not in (FieldKind.UNSUPPORTED, FieldKind.VECTOR)
        and one.mapped.path != ID_FIELD.path
    ]  # fmt: skip
    return stored if len(stored) <= MOST_MEASURED else [one for one in stored if one.kind is FieldKind.DATE]


def _extent(one: Field) -> Agg:
    path = one.mapped.path
    aggs: Aggs = {}
    ordered = one.kind in (*NUMERIC, FieldKind.DATE) and one.mapped.doc_values
    if ordered and not one.mapped.conflict and one.reference is None:
        aggs |= {"low": Min(field=path), "high": Max(field=path)}
        aggs |= {"different": Cardinality(field=path)} if one.kind is not FieldKind.NUMBER else {}
    return Filter(filter=Exists(field=one.mapped.path), aggs=aggs)


def _shared_fields(schema: Schema, entity: Entity) -> Iterator[Field]:
    """The fields that entities beside this one have as well: which of them have values is read from the documents."""
    if not entity.filter or entity.kinds:
        return
    for one in entity.fields.values():
        plain = not one.mapped.nested and one.of_key is None and one.mapped.path != ID_FIELD.path
        plain = plain and not one.sensitive and not one.calculation and one.kind is not FieldKind.UNSUPPORTED
        others = (e for e in schema.entities.values() if e.name != entity.name and e.filter and not e.kinds)
        if plain and any(e.index == entity.index and one.name in e.fields for e in others):
            yield one


def read_occurring(schema: Schema, env: Bindings, texts: Sequence[str], partly: frozenset[tuple[str, ...]],
                   sensitive: frozenset[str] | None) -> Reading[tuple[tuple[FieldRef, str, str], ...]]:
    """Look up texts in fields that have too many values to read, ignoring case: yields the entities that have them."""
    found: dict[tuple[tuple[str, ...], str], tuple[FieldRef, str, str]] = {}
    absent: set[tuple[str, str | None, str]] = set()
    """Texts that were absent from an entity, and so from those it covers: by entity, path and text."""
    for entity in _widest(schema) if texts and partly else ():
        refs = [ref for ref in (*_open_fields(entity, sensitive), *_ids(entity)) if ref.path in partly]
        asked = {
            f"{n}-{m}": (ref, text)
            for n, ref in enumerate(refs)
            for m, text in enumerate(texts)
            if (entity.name, ref.field.mapped.exact, text) not in absent
        }
        if not asked:
            continue
        filters = {label: _equals(ref, text) for label, (ref, text) in asked.items()}
        body = aggregation_body(conjunction(env.scope(entity)), {"texts": Filters(filters=filters)})
        response = yield SearchRequest(entity.index, body, f"whether words are values of {entity.plural}")
        buckets = response["aggregations"]["texts"]["buckets"]
        for label, (ref, text) in asked.items():
            if buckets[label]["doc_count"]:
                found[ref.path, text] = (ref, text, entity.name)
            else:
                absent |= {(kind, ref.field.mapped.exact, text) for kind in entity.kinds}
    return tuple(found.values())


def _ids(entity: Entity) -> Iterator[FieldRef]:
    """The id of an entity: also of one with a pattern, since some ids may look otherwise."""
    one = entity.id
    if one is not None and not one.sensitive and one.mapped.exact is not None and one.kind is FieldKind.KEYWORD:
        yield FieldRef((one.name,), one)


def _equals(ref: FieldRef, text: str) -> Clause:
    query = on(Term, str(ref.field.mapped.exact), {"value": text, "case_insensitive": True})
    return nested(ref.field.mapped.nested_path, query)


def _widest(schema: Schema) -> Iterator[Entity]:
    """Yield the entities, those that cover others of their index first."""
    real = [e for e in schema.entities.values() if not e.virtual]
    yield from sorted(real, key=lambda e: (not e.kinds, len(e.filter)))


@lru_cache(maxsize=256)
def _open_fields(entity: Entity, sensitive: frozenset[str] | None) -> tuple[FieldRef, ...]:
    found = []
    named = {one.name for one in entity.names}
    for ref in FieldRef.all_of(entity):
        one = ref.field
        readable = one.kind is FieldKind.KEYWORD and one.mapped.exact and one.mapped.doc_values
        hidden = one.sensitive and not permits(one.guards, sensitive)
        own = one.is_id or one.name in named or (entity.path is not None and one.name == entity.path.name)
        if readable and not (hidden or own or one.mapped.conflict) and one.values is None and one.reference is None:
            found.append(ref)
    return tuple(found)


def _terms(ref: FieldRef) -> Agg:
    path, inside = ref.field.mapped.exact or "", ref.field.mapped.nested_path
    terms: Aggs = {"values": Terms(field=path, size=MAX_VALUES)}
    return Filter(filter=Exists(field=path), aggs=terms) if inside is None else Nested(path=inside, aggs=terms)


def _has_several(answer: Any) -> bool:
    """Whether the documents with a value are counted more often by their values than there are: some have several."""
    values = answer["values"]
    counted = sum(int(bucket["doc_count"]) for bucket in values["buckets"]) + int(values["sum_other_doc_count"])
    return counted > int(answer["doc_count"])


def _key_terms(many: Any) -> Agg:
    key, value = many.fields[many.key].mapped, many.fields[many.value].mapped
    values: Aggs = {"values": Terms(field=value.exact, size=MAX_VALUES)} if value.exact else {}
    terms: Aggs = {"keys": Terms(field=key.exact, size=MAX_VALUES, aggs=values)}
    return Nested(path=many.path, aggs=terms) if key.nested_path else Filter(filter=MatchAll(), aggs=terms)


def _texts(buckets: Any) -> tuple[str, ...]:
    return tuple(str(b["key"]) for b in buckets if 0 < len(str(b["key"])) <= LONGEST_VALUE)
