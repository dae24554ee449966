"""Warns of paths by which a catalog leaves sensitive values readable. At run time they are closed in any case."""

from __future__ import annotations

from qlc.mapping.catalog import Location
from qlc.mapping.catalog_model import FieldPart
from qlc.mapping.checks.findings import Findings
from qlc.mapping.confidential import share_documents
from qlc.mapping.effective import EntityDefinition
from qlc.mapping.schema import Entity, Schema

CODE = "catalog-sensitive"


def check_confidential(findings: Findings, one: EntityDefinition, schema: Schema) -> None:
    """Report fields that reveal a sensitive one, further paths of its values, and an access rule that only another
    entity over the same documents has."""
    entity = schema.entities[one.name]
    parts = list(one.parts())
    named = {path for _, _, path in parts}
    for part, place, path in parts:
        if part.sensitive:
            _check_beside(findings, named, place, path, entity)
        else:
            _check_part(findings, part, place, path, entity)
    _check_rules(findings, one)


def _check_part(findings: Findings, part: FieldPart, place: Location, path: str, entity: Entity) -> None:
    secret = entity.guards.why(path, entity.mapping)
    if secret is not None:
        how = f": {secret.how}" if secret.how else ""
        findings.report(CODE, f"anyone who sees {path} also sees the sensitive field '{secret.name}'{how}",
                        (*place, "path"),
                        "set 'sensitive: true' for it too, or name another path")
        return
    prefix = path.removesuffix(part.path)
    for key, beside in (("name_at", part.name_at), ("under", part.under)):
        secret = entity.guards.why(prefix + beside, entity.mapping) if beside is not None else None
        if secret is not None:
            message = f"anyone who sees the names in {prefix}{beside} also sees the sensitive field '{secret.name}'"
            findings.report(CODE, message, (*place, key), "set 'sensitive: true' for this field too, or remove the key")


def _check_beside(findings: Findings, named: set[str], place: Location, path: str, entity: Entity) -> None:
    """Report paths that also hold values of a sensitive field and are not in the catalog."""
    mapping = entity.mapping
    copied = {target: f"the index copies it to {target}" for target in mapping.copies.get(path, ())}
    rooted = {root: f"{root} holds it too" for root in mapping.flattened if path.startswith(root + ".")}
    for beside, how in (*copied.items(), *rooted.items()):
        if beside not in named:
            findings.report(CODE, f"{path} is sensitive, and {how}", place, f"name {beside} as a sensitive field too",
                            key=True)


def _check_rules(findings: Findings, one: EntityDefinition) -> None:
    if one.setting("access") is not None:
        return
    for other in findings.definitions.values():
        if other.setting("access") is not None and share_documents(one, other, findings.mappings):
            message = f"{one.plural} have no access rule, and documents among them are {other.plural}, which have one"
            hint = f"give {one.plural} a rule too; until then the one of {other.plural} holds for their documents"
            findings.report("catalog-access", message, one.location, hint, key=True)
            return


def check_sources(findings: Findings, one: EntityDefinition, schema: Schema) -> None:
    """Report id-name pairs of an entity without documents that reveal a sensitive field."""
    for number, source in enumerate(one.part.sources):
        holders = [schema.entities[source.entity]] if source.entity else schema.entities.values()
        for holder in (each for each in holders if not each.virtual):
            secret = holder.guards.why(source.key, holder.mapping) or holder.guards.why(source.name, holder.mapping)
            if secret is not None:
                message = f"anyone who sees the names of {one.plural} also sees the sensitive field '{secret.name}'"
                findings.report(CODE, message, (*one.location, "sources", number), "name another pair of fields")
                break
