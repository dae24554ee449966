"""Whether a catalog fits the mapping it speaks of, down to the texts in it that are written in the query language."""

from __future__ import annotations

from collections.abc import Mapping

from qlc.diagnostics import Diagnostic
from qlc.grammar import tree
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import Catalog, Location
from qlc.mapping.confidential_checks import check_confidential
from qlc.mapping.effective import EntityDefinition, entity_definitions
from qlc.mapping.fields import IndexMapping
from qlc.mapping.findings import Findings
from qlc.mapping.names import find_field, nearest_names
from qlc.mapping.own_paths import own_paths
from qlc.mapping.schema import Entity
from qlc.mapping.spellings import check_spellings
from qlc.mapping.structure import index_mappings, structure_findings


def check_catalog(catalog: Catalog, mappings: Mapping[str, IndexMapping] | IndexMapping) -> list[Diagnostic]:
    """Every finding about a catalog, in the order of the file; none where it can be used as it is.

    Conditions, access rules and orders are looked at once the names and paths are right.
    """
    found = structure_findings(catalog, mappings)
    if any(one.severity == "error" for one in found):
        return found
    schema = build_schema(catalog, mappings)
    findings = Findings(catalog, found)
    definitions = entity_definitions(catalog)
    check_confidential(findings, schema, definitions, index_mappings(catalog, mappings))
    for one in definitions.values():
        if not one.virtual:
            _check_sort(findings, one, schema.entities[one.name])
            _check_texts(findings, one, schema.entities[one.name])
            check_spellings(findings, one)
    return findings.sorted()


def _check_sort(findings: Findings, one: EntityDefinition, entity: Entity) -> None:
    """The default order: `created desc, name`."""
    text = one.setting("sort")
    place = one.setting_location("sort")
    for part in () if text is None else text.split(","):
        name, _, direction = part.strip().partition(" ")
        resolved = find_field(entity, tuple(name.split(".")))
        if direction.strip() not in ("", "asc", "desc") or not name:
            findings.report("catalog-sort", f"'{part.strip()}' is no order", place, "write: created desc, name")
        elif resolved is None:
            message = f"{one.plural} have no field '{name}' to sort by"
            findings.report("catalog-reference", message, place, "", nearest_names(entity, name))
        else:
            mapped = getattr(resolved.found, "mapped", None)
            if mapped is None or mapped.exact is None or not mapped.doc_values:
                hint = "choose a keyword, a number or a date"
                findings.report("catalog-sort", f"{one.plural} cannot be sorted by '{name}'", place, hint)


def _check_texts(findings: Findings, one: EntityDefinition, entity: Entity) -> None:
    for name, (part, place) in one.conditions.items():
        _check_condition(findings, f"the condition '{name}'", part.means, entity, (*place, "means"))
    access = one.setting("access")
    if access is not None:
        _check_condition(findings, "the access rule", access, entity, one.setting_location("access"))


def _check_condition(findings: Findings, what: str, text: str, entity: Entity, place: Location) -> None:
    """The names in the text must be the entity's. That it is a condition is known of a catalog that was read."""
    from qlc.grammar import parse

    found = parse(f"find x where {text}").statement
    assert isinstance(found, tree.Find)
    assert found.where is not None
    for path in own_paths(found.where):
        names = tuple(segment.name.text for segment in path.segments)
        if find_field(entity, names) is None and names[0] not in entity.conditions:
            message = f"{what}: {entity.plural} have no field '{'.'.join(names)}'"
            findings.report("catalog-condition", message, place, "", nearest_names(entity, names[0]))
