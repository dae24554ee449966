"""Checks that documents of an index have the kinds and closed values that its catalog lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from qlc.base.diagnostics import Diagnostic
from qlc.base.words.spelling import nearest
from qlc.mapping.catalog import Catalog, Location
from qlc.mapping.catalog_model import FieldPart
from qlc.mapping.checks.findings import Findings
from qlc.mapping.counting import Query, count_each, count_left_out, terms_of_each
from qlc.mapping.effective import EntityDefinition, entity_definitions
from qlc.mapping.fields import IndexMapping, MappedField
from qlc.mapping.stored import stored_value

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

_REPORTED = 8
_STORED = 1000
"""Most stored values of a field that are read."""


@dataclass(frozen=True, slots=True)
class LiveFindings:
    """`warnings` in the order of the file. `unused`: values by path that no document has now, which is allowed, since
    documents may still come."""

    warnings: tuple[Diagnostic, ...]
    unused: Mapping[str, tuple[str, ...]]


@dataclass(slots=True)
class _Closed:
    """A field with closed values; `kinds` are queries for the documents of its entity."""

    mapped: MappedField
    part: FieldPart
    place: Location
    kinds: list[Query] = field(default_factory=list)


def live_findings(client: Elasticsearch, catalog: Catalog, mappings: Mapping[str, IndexMapping]) -> LiveFindings:
    """Compare a valid catalog with the documents of its indices.

    Nothing is reported for an index without documents. Raises what the client raises.
    """
    findings = Findings(catalog)
    unused: dict[str, tuple[str, ...]] = {}
    definitions = [one for one in entity_definitions(catalog).values() if not one.virtual]
    for index, mapping in mappings.items():
        own = [one for one in definitions if one.index == index]
        if own and count_each(client, index, [{"match_all": {}}])[0]:
            _check_kinds(findings, client, mapping, own)
            unused |= _check_values(findings, client, mapping, own)
            _check_left_out(findings, client, mapping, own)
    return LiveFindings(tuple(findings.sorted()), unused)


def _check_kinds(
    findings: Findings, client: Elasticsearch, mapping: IndexMapping, definitions: Iterable[EntityDefinition]
) -> None:
    asked = [
        (one, mapped, value, (*one.location, "where", path))
        for one in definitions
        for path, values in one.part.where.items()
        for mapped in [mapping.at(path)]
        if mapped is not None
        for value in values
    ]
    counts = count_each(client, mapping.index, [_is(mapped, [value]) for _, mapped, value, _ in asked])
    for (one, mapped, value, place), count in zip(asked, counts, strict=True):
        if not count:
            (stored,) = _stored(client, mapping.index, [_Closed(mapped, FieldPart(path=mapped.path), place)])
            alone = len(one.part.where[str(place[-1])]) == 1
            message = f"no document has '{value}' in {mapped.path}"
            message += f", so there are no {one.plural}" if alone else ""
            hint = f"write a value as it is stored: {_listed(stored)}"
            findings.report("catalog-unused", message, place, hint, nearest(value, stored, 1), severity="warning")


def _check_values(
    findings: Findings, client: Elasticsearch, mapping: IndexMapping, definitions: Iterable[EntityDefinition]
) -> dict[str, tuple[str, ...]]:
    """Warn of fields with values that are not listed, and return the listed values that no document has."""
    found: dict[Location, _Closed] = {}
    for one in definitions:
        for part, place, path in one.parts():
            mapped = mapping.at(path) if part.values else None
            if mapped is not None and mapped.exact is not None:
                found.setdefault(place, _Closed(mapped, part, place)).kinds.append(_of_kind(one, mapping))
    unused = {}
    for closed, stored in zip(found.values(), _stored(client, mapping.index, list(found.values())), strict=True):
        listed = closed.part.values or {}
        absent = [value for value in listed if value not in stored] if len(stored) < _STORED else []
        unlisted = [value for value in stored if value not in listed]
        if unlisted:
            message = f"documents have {_listed(unlisted)} in {closed.mapped.path}, which 'values' does not list"
            message += f"; none has {_listed(absent)}" if absent else ""
            hint = "add what is stored, as it is stored, or remove 'values': a question for another value is an error"
            findings.report("catalog-unused", message, (*closed.place, "values"), hint, severity="warning", key=True)
        elif absent:
            unused[closed.mapped.path] = tuple(absent)
    return unused


def _check_left_out(
    findings: Findings, client: Elasticsearch, mapping: IndexMapping, definitions: Iterable[EntityDefinition]
) -> None:
    """Warn of fields of the catalog with values that the index left out."""
    places = {path: place for one in reversed(list(definitions)) for _, place, path in one.parts()}
    for path, count in (count_left_out(client, mapping, list(places)) if places else {}).items():
        have = "1 document has" if count == 1 else f"{count:,} documents have"
        findings.report("catalog-left-out", f"{have} a value of {path} that the index left out, too long or malformed",
                        places[path], "questions do not find it: index the field without 'ignore_above' or "
                        "'ignore_malformed', or with higher limits", severity="warning")  # fmt: skip


def _listed(values: Sequence[str]) -> str:
    return ", ".join(f"'{one}'" for one in values[:_REPORTED]) + (", ..." if len(values) > _REPORTED else "")


def _is(mapped: MappedField, values: Iterable[str]) -> Query:
    query: dict[str, Any] = {"terms": {str(mapped.exact): [stored_value(mapped, value) for value in values]}}
    return query


def _of_kind(one: EntityDefinition, mapping: IndexMapping) -> Query:
    """Return the query for documents of an entity."""
    tests = [(mapping.at(path), values) for path, values in one.part.where.items()]
    return {"bool": {"filter": [_is(mapped, values) for mapped, values in tests if mapped is not None]}}


def _stored(client: Elasticsearch, index: str, asked: Sequence[_Closed]) -> Iterator[list[str]]:
    """Yield the values of each field, most frequent first."""
    queries: list[Query] = [{"bool": {"should": one.kinds}} if one.kinds else {"match_all": {}} for one in asked]
    fields = [(one.mapped, query) for one, query in zip(asked, queries, strict=True)]
    for buckets in terms_of_each(client, index, fields, _STORED):
        yield [str(bucket.get("key_as_string", bucket["key"])) for bucket in buckets]
