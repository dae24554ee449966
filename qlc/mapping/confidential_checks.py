"""Where a catalog leaves open a way to what it calls confidential. Such a way is closed at run time all the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qlc.mapping.catalog import Location
from qlc.mapping.catalog_model import FieldPart, ListPart
from qlc.mapping.confidential import share_documents
from qlc.mapping.effective import EntityDefinition
from qlc.mapping.fields import IndexMapping
from qlc.mapping.findings import Findings
from qlc.mapping.schema import Entity, Schema

CODE = "catalog-sensitive"


def check_confidential(
    findings: Findings,
    schema: Schema,
    definitions: Mapping[str, EntityDefinition],
    mappings: Mapping[str, IndexMapping],
) -> None:
    """Fields that tell a sensitive one, paths that the index keeps its values at, and entities that lack a rule which
    another one has for the same documents."""
    for one in definitions.values():
        if one.virtual:
            _check_sources(findings, one, schema)
            continue
        entity = schema.entities[one.name]
        for part, place, path in _parts(one):
            if not part.sensitive:
                _check_part(findings, part, place, path, entity)
            else:
                _check_beside(findings, one, place, path, entity)
        _check_rules(findings, one, definitions, mappings)


def _parts(one: EntityDefinition) -> Iterator[tuple[FieldPart, Location, str]]:
    """Every field of an entity and of its lists' elements, with its place in the file and its path in the mapping."""
    for part, place in one.fields.values():
        yield part, place, part.path
    for many, place in one.lists.values():
        for inner, part in many.fields.items():
            yield _of_list(part, many), (*place, "fields", inner), f"{many.path}.{part.path}"


def _of_list(part: FieldPart, many: ListPart) -> FieldPart:
    return part.model_copy(update={"sensitive": True}) if many.sensitive else part


def _check_part(findings: Findings, part: FieldPart, place: Location, path: str, entity: Entity) -> None:
    hint = "say 'sensitive: true' of it too, or name another path"
    secret = entity.guards.why(path, entity.mapping)
    if secret is not None:
        how = f": {secret.how}" if secret.how else ""
        message = f"whoever sees {path} is told the sensitive field '{secret.name}'{how}"
        findings.report(CODE, message, (*place, "path"), hint)
        return
    prefix = path.removesuffix(part.path)
    for key in ("name_at", "under"):
        beside = getattr(part, key)
        secret = entity.guards.why(prefix + beside, entity.mapping) if beside is not None else None
        if secret is not None:
            message = f"whoever sees the names in {prefix}{beside} is told the sensitive field '{secret.name}'"
            findings.report(CODE, message, (*place, key), "say 'sensitive: true' of this field too, or remove the key")


def _check_beside(findings: Findings, one: EntityDefinition, place: Location, path: str, entity: Entity) -> None:
    """Paths that hold the values of a sensitive field too, of which the catalog says nothing."""
    named = {each for _, _, each in _parts(one)}
    mapping = entity.mapping
    copied = {target: f"the index copies it to {target}" for target in mapping.copies.get(path, ())}
    rooted = {root: f"{root} holds it too" for root in mapping.flattened if path.startswith(root + ".")}
    for beside, how in (*copied.items(), *rooted.items()):
        if beside not in named:
            hint = f"name {beside} as a sensitive field too"
            findings.report(CODE, f"{path} is sensitive, and {how}", place, hint, key=True)


def _check_rules(
    findings: Findings, one: EntityDefinition, definitions: Mapping[str, EntityDefinition],
    mappings: Mapping[str, IndexMapping],
) -> None:
    if one.setting("access") is not None:
        return
    for other in definitions.values():
        if other.setting("access") is not None and share_documents(one, other, mappings):
            message = f"{one.plural} have no access rule, and documents among them are {other.plural}, which have one"
            hint = f"give {one.plural} a rule too; until then the one of {other.plural} holds for their documents"
            findings.report("catalog-access", message, one.location, hint, key=True)
            return


def _check_sources(findings: Findings, one: EntityDefinition, schema: Schema) -> None:
    for number, source in enumerate(one.part.sources):
        holders = [schema.entities[source.entity]] if source.entity else schema.entities.values()
        for holder in (each for each in holders if not each.virtual):
            secret = (holder.guards.why(source.key, holder.mapping) or holder.guards.why(source.name, holder.mapping))
            if secret is not None:
                message = f"whoever sees the names of {one.plural} is told the sensitive field '{secret.name}'"
                findings.report(CODE, message, (*one.location, "sources", number), "name another pair of fields")
                break
