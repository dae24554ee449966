"""Joins a catalog and index mappings to the schema that programs are checked against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b

from qlc.base.currencies import CURRENCIES
from qlc.base.options import zone_of
from qlc.language.nouns import index_nouns, last_nouns
from qlc.mapping.catalog import Catalog
from qlc.mapping.catalog_model import ComputedPart, FieldPart, ListPart
from qlc.mapping.checks.entities import confidential_identity, index_mappings, structure_findings
from qlc.mapping.confidential import guards_of, kept_apart, shares_index
from qlc.mapping.effective import EntityDefinition, entity_definitions
from qlc.mapping.errors import CatalogError
from qlc.mapping.fields import FieldKind, IndexMapping, MappedField
from qlc.mapping.guards import NOBODY, NOTHING_GUARDED, Guards, Names
from qlc.mapping.schema import (
    Bounds,
    ClosedValues,
    Computed,
    Entity,
    Example,
    Field,
    NestedList,
    Passages,
    Reference,
    Schema,
    Terms,
)
from qlc.mapping.stored import stored_unit, stored_value
from qlc.mapping.virtual import chosen_matches, virtual_entity

WITHOUT_CATALOG = ("entry", "entries")
"""The names of the one entity of an index without a catalog."""

SHOWN = 6
"""Number of shown fields of a hit, if the catalog does not say which."""

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def build_schema(catalog: Catalog | None, mappings: Mapping[str, IndexMapping] | IndexMapping) -> Schema:
    """Build the schema of a catalog over its index mappings (one, or by index name), or of one index without a catalog.

    Raises CatalogError with all findings if the catalog names something that the mapping lacks.
    """
    if catalog is None:
        return _schema_of_index(mappings if isinstance(mappings, IndexMapping) else next(iter(mappings.values())))
    findings = [one for one in structure_findings(catalog, mappings) if one.severity == "error"]
    if findings:
        raise CatalogError(findings, catalog.text, catalog.name)
    by_index = index_mappings(catalog, mappings)
    definitions = entity_definitions(catalog)
    kinds = {name: _kinds(one, definitions) for name, one in definitions.items()}
    documented = {
        name: _protected(_entity(one, by_index[one.index], kinds[name], guards_of(one, definitions.values(), by_index)),
                         one, definitions.values(), by_index)
        for name, one in definitions.items() if not one.virtual
    }
    entities: dict[str, Entity] = {}
    for name, one in definitions.items():
        made = virtual_entity(one, documented) if one.virtual else documented[name]
        if made is None or (made.id is not None and made.id.sensitive):
            raise CatalogError([confidential_identity(catalog, one)], catalog.text, catalog.name)
        entities[name] = made
    file = catalog.file
    return Schema(
        entities=entities,
        version=_version(catalog.fingerprint, by_index.values()),
        bounds=Bounds(**file.bounds.model_dump()),
        week_start=_WEEKDAYS.index(file.week_start),
        zone=zone_of(file.timezone),
        index=file.index,
        description=file.description,
        examples=tuple(Example(one.words, one.query) for one in file.examples),
    )


def _version(catalog: str, mappings: Iterable[IndexMapping]) -> str:
    parts = [catalog, *(mapping.fingerprint for mapping in mappings)]
    return blake2b("/".join(parts).encode(), digest_size=8).hexdigest()


# --- an index without a catalog --------------------------------------------------------------------------------------


def _schema_of_index(mapping: IndexMapping) -> Schema:
    name, plural = WITHOUT_CATALOG
    nouns = index_nouns(mapping.index)  # `job_ads` -> job ads, ads
    fields = {
        path: mapped_field(path, mapped, mapping, NOTHING_GUARDED)
        for path, mapped in mapping.fields.items() if not mapped.nested
    }
    entity = Entity(
        name=name,
        plural=plural,
        mapping=mapping,
        fields=fields,
        lists={path: mapped_list(path, mapping, NOTHING_GUARDED) for path in sorted(mapping.nested)},
        index=mapping.index,
        text=tuple(field for field in fields.values() if field.mapped.analysed),
        show=tuple(path for path, field in fields.items() if field.kind is not FieldKind.VECTOR)[:SHOWN],
        words=() if nouns is None else (*nouns, *(last_nouns(nouns) or ())),
    )
    return Schema(entities={name: entity}, version=_version("", [mapping]), index=mapping.index)


def mapped_field(
    name: str, mapped: MappedField, mapping: IndexMapping, guards: Guards, path: str | None = None
) -> Field:
    """Return the field for a mapping path that the catalog does not name. `path` is its own path if values are
    elsewhere."""
    own = guards.of(path or mapped.path, mapping)
    return Field(name, mapped, mapped.kind, guards=own, label=mapped.label, from_catalog=False)


def mapped_list(path: str, mapping: IndexMapping, guards: Guards) -> NestedList:
    """Return a nested list that the catalog does not name. Fields of its elements are named by their paths inside
    them."""
    return NestedList(path, path, _mapped_elements(path, path, mapping, guards), guards=guards.around(path))


def _mapped_elements(name: str, path: str, mapping: IndexMapping, guards: Guards) -> dict[str, Field]:
    prefix = path + "."
    inner = [nested for nested in mapping.nested if nested.startswith(prefix)]
    return {
        full.removeprefix(prefix): mapped_field(f"{name}.{full.removeprefix(prefix)}", mapped, mapping, guards, full)
        for full, mapped in mapping.fields.items()
        if full.startswith(prefix) and not any(full.startswith(deeper + ".") for deeper in inner)
    }


# --- entities of a catalog -------------------------------------------------------------------------------------------


def _entity(one: EntityDefinition, mapping: IndexMapping, kinds: tuple[str, ...], guards: Guards) -> Entity:
    fields = {name: _field(name, part, mapping, guards) for name, (part, _) in one.fields.items()}
    id_name = one.setting("id")
    if id_name is not None:
        fields[id_name] = replace(fields[id_name], is_id=True, many=False)
    for name, (part, _) in one.fields.items():
        if part.base_units:
            fields[name] = replace(fields[name], base_units=fields[part.unit_field or ""])
    open_paths, normalized = one.setting("open_paths"), one.setting("normalized_name")

    def reported(key: str) -> str | None:
        """Return the field that a key names; None if it is sensitive, since it would be shown without being asked
        for."""
        name = one.setting(key)
        is_open = name in fields and not fields[name].sensitive
        return name if is_open or (key == "number" and name in one.computed) else None

    return Entity(
        name=one.name,
        plural=one.plural,
        mapping=mapping,
        fields=fields,
        lists={name: _list(name, part, mapping, guards) for name, (part, _) in one.lists.items()},
        index=one.index,
        filter=tuple(_terms(mapping, path, values) for path, values in one.part.where.items()),
        access=one.setting("access"),
        id=None if id_name is None else fields[id_name],
        id_pattern=one.setting("id_pattern"),
        names=tuple(fields[name] for name in one.setting("names") or ()),
        normalized_name=None if normalized is None or guards.of(normalized, mapping) else mapping.at(normalized),
        path=fields.get(reported("path") or ""),
        path_separator=one.setting("path_separator") or "/",
        parent=reported("parent"),
        kinds=kinds,
        text=tuple(fields[name] for name in one.setting("text") or () if not fields[name].sensitive),
        vector=fields.get(reported("vector") or ""),
        passages=Passages(*passages.split(".", 1)) if (passages := one.setting("passages")) else None,
        default_sort=_default_sort(one, fields, mapping, guards),
        default_date=reported("date"),
        default_number=reported("number"),
        show=tuple(one.setting("show") or ()),
        tell_apart=tuple(one.setting("tell_apart") or ()),
        conditions={name: part.means for name, (part, _) in one.conditions.items()},
        condition_words={name: part.words for name, (part, _) in one.conditions.items() if part.words},
        computed={name: _computed(name, part) for name, (part, _) in one.computed.items()},
        match_steps=chosen_matches(one.setting("match_steps")),
        open_paths=True if open_paths is None else open_paths,
        words=one.part.words,
        description=one.part.description,
        guards=guards,
    )


def _computed(name: str, part: ComputedPart) -> Computed:
    unit = None if part.unit is None else stored_unit(part.unit) or part.unit
    return Computed(name, part.text, part.measure is not None, unit, part.label, part.words, part.description,
                    part.adds_up)


def _protected(
    entity: Entity, one: EntityDefinition, others: Iterable[EntityDefinition], mappings: Mapping[str, IndexMapping]
) -> Entity:
    """Add the entities whose access rules can also apply to this entity's documents."""
    beside = [other for other in others if other.name != one.name and shares_index(one, other, mappings)]
    apart = [other.name for other in beside if kept_apart(one, other)]
    return replace(entity, same_documents=tuple(each.name for each in beside if each.name not in apart),
                   kept_apart=tuple(apart))


def _default_sort(
    one: EntityDefinition, fields: Mapping[str, Field], mapping: IndexMapping, guards: Guards
) -> str | None:
    """Return the catalog's order without sensitive fields, which the order itself would reveal."""

    def is_reported(key: str) -> bool:
        name = key.split()[0] if key.split() else ""
        return not (fields[name].sensitive if name in fields else guards.of(name, mapping))

    keys = [key.strip() for key in (one.setting("sort") or "").split(",")]
    return ", ".join(key for key in keys if is_reported(key)) or None


def _kinds(one: EntityDefinition, definitions: Mapping[str, EntityDefinition]) -> tuple[str, ...]:
    """Return the entities whose documents are a proper subset of this one's: a document is an entry."""
    return tuple(
        other.name
        for other in definitions.values()
        if not (one.virtual or other.virtual) and _covers(one, other) and not _covers(other, one)
    )


def _covers(wide: EntityDefinition, narrow: EntityDefinition) -> bool:
    return wide.index == narrow.index and all(
        path in narrow.part.where and set(narrow.part.where[path]) <= set(values)
        for path, values in wide.part.where.items()
    )


def _terms(mapping: IndexMapping, path: str, values: tuple[str, ...]) -> Terms:
    mapped = _at(mapping, path)
    return Terms(mapped, tuple(stored_value(mapped, value) for value in values))


def _at(mapping: IndexMapping, path: str) -> MappedField:
    """Return the field at a path, which the check has found before."""
    mapped = mapping.at(path)
    assert mapped is not None, path
    return mapped


def _field(name: str, part: FieldPart, mapping: IndexMapping, guards: Guards, prefix: str = "") -> Field:
    """Build a field. `prefix` is the path of the list whose elements have it, with a dot."""
    mapped = _at(mapping, prefix + part.path)
    own = guards.of(prefix + part.path, mapping)
    return Field(
        name=name,
        mapped=mapped,
        kind=mapped.kind,
        many=part.list,
        unit=None if part.unit is None else stored_unit(part.unit),
        currency=part.unit if part.unit in CURRENCIES else None,
        unit_field=part.unit_field,
        values=None if part.values is None else closed_values(part, mapped.kind),
        aliases={other.casefold(): stored for stored, others in part.aliases.items() for other in others},
        whole_days=part.whole_days,
        exact_case=part.case == "exact",
        any_case=part.case == "ignore",
        adds_up=part.adds_up,
        reference=None if part.refers_to is None else _reference(part, mapping, guards, prefix, own),
        guards=own,
        label=part.label or mapped.label,
        words=part.words,
        description=part.description,
    )


def _reference(part: FieldPart, mapping: IndexMapping, guards: Guards, prefix: str, own: Names) -> Reference:
    """Build a reference. `own` are the guards of the id; a name beside it that needs others is kept in
    `guarded_name`."""
    assert part.refers_to is not None
    name = None if part.name_at is None else _at(mapping, prefix + part.name_at)
    needed = NOBODY if name is None else guards.of(name.path, mapping)
    above = None if part.under is None else _at(mapping, prefix + part.under)
    return Reference(
        entity=part.refers_to,
        name_at=name if needed <= own else None,
        constants=part.constants,
        ancestors=above if above is not None and guards.of(above.path, mapping) <= own else None,
        guarded_name=None if needed <= own else name,
        name_guards=needed,
    )


def closed_values(part: FieldPart, kind: FieldKind = FieldKind.KEYWORD) -> ClosedValues:
    """Return the closed values of a field, with every spelling case-folded."""
    values = part.values or {}
    numbers = values.items() if kind is FieldKind.WHOLE_NUMBER else ()
    labels = {stored: others[0] for stored, others in numbers if others}
    spellings = {other.casefold(): stored for stored, others in values.items() for other in others}
    if part.case == "exact":
        # Where two values differ by case only, each is found by its own spelling alone.
        number = Counter(map(str.casefold, values))
        spellings |= {stored.casefold(): stored for stored in values if number[stored.casefold()] == 1}
        spellings |= {stored: stored for stored in values}
    else:
        spellings |= {stored.casefold(): stored for stored in values}
    groups = {
        group.casefold(): tuple(spellings.get(member.casefold(), member) for member in members)
        for group, members in part.groups.items()
    }
    return ClosedValues(
        tuple(labels.get(one, one) for one in values), spellings, groups, tuple(part.groups), labels
    )


def _list(name: str, part: ListPart, mapping: IndexMapping, guards: Guards) -> NestedList:
    prefix = part.path + "."
    elements = {inner: _field(f"{name}.{inner}", one, mapping, guards, prefix) for inner, one in part.fields.items()}
    if not elements and part.key is None:
        elements = _mapped_elements(name, part.path, mapping, guards)
    for inner in (part.key, part.value):
        if inner is not None and inner not in elements:
            elements[inner] = _field(f"{name}.{inner}", FieldPart(path=inner), mapping, guards, prefix)
    tied = part.path in mapping.nested
    if tied and part.key is not None:
        elements[part.key] = replace(elements[part.key], many=False)  # an element has one key
    if not tied:
        elements = {
            inner: replace(one, mapped=replace(one.mapped, in_object_list=part.path)) for inner, one in elements.items()
        }
    for inner, one in part.fields.items():
        if one.base_units:
            elements[inner] = replace(elements[inner], base_units=elements[one.unit_field or ""])
    return NestedList(
        name=name,
        path=part.path,
        fields=elements,
        key=part.key,
        value=part.value,
        similar=part.similar,
        tied=tied,
        guards=guards.around(part.path),
        words=part.words,
        description=part.description,
    )
