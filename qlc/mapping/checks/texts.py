"""Checks the texts in the query language, and words that are also values."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.base.words.spelling import normal_form
from qlc.grammar import parse, tree
from qlc.grammar.tree import children
from qlc.mapping.catalog import Location
from qlc.mapping.checks.findings import Findings
from qlc.mapping.effective import EntityDefinition
from qlc.mapping.names import find_field, nearest_names
from qlc.mapping.schema import Entity, Schema


def check_sort(findings: Findings, one: EntityDefinition, schema: Schema) -> None:
    """The default order: `created desc, name`."""
    text, entity = one.setting("sort"), schema.entities[one.name]
    place = one.setting_location("sort")
    for part in () if text is None else text.split(","):
        name, _, direction = part.strip().partition(" ")
        resolved = find_field(entity, tuple(name.split(".")))
        if direction.strip() not in ("", "asc", "desc") or not name:
            findings.report("catalog-sort", f"'{part.strip()}' is not an order", place, "write: created desc, name")
        elif resolved is None and name in entity.computed:
            continue
        elif resolved is None:
            findings.report("catalog-reference", f"{one.plural} have no field '{name}' to sort by", place, "",
                            nearest_names(entity, name))
        else:
            mapped = getattr(resolved.found, "mapped", None)
            if mapped is None or mapped.exact is None or not mapped.doc_values:
                findings.report("catalog-sort", f"{one.plural} cannot be sorted by '{name}'", place,
                                "choose a keyword, a number or a date")


# --- conditions ------------------------------------------------------------------------------------------------------


def check_conditions(findings: Findings, one: EntityDefinition, schema: Schema) -> None:
    """Check that names in conditions and access rules are fields of the entity."""
    entity = schema.entities[one.name]
    for name, (part, place) in one.conditions.items():
        _check_condition(findings, f"the condition '{name}'", part.means, entity, (*place, "means"))
    if one.setting("access") is not None:
        place = one.setting_location("access")
        _check_condition(findings, "the access rule", one.setting("access"), entity, place)
        _check_listed(findings, one)


def _check_listed(findings: Findings, one: EntityDefinition) -> None:
    """Warn of values that the catalog lists of a field by which the access rule tells callers apart: everyone sees what
    stands in the catalog, `customer: {values: [Acme, Borden]}` beside `access: customer = $customer`."""
    text = one.setting("access")
    compared = {names[0] for names in _paths_of(text)} if "$" in text else set()
    for name in compared & one.fields.keys():
        part, place = one.fields[name]
        for key in ("values", "aliases"):
            if getattr(part, key):
                message = f"every caller sees the {key} of '{name}', by which the access rule tells callers apart"
                hint = f"remove '{key}', unless all callers may know them"
                findings.report("catalog-access", message, (*place, key), hint, key=True, severity="warning")


def _check_condition(findings: Findings, what: str, text: str, entity: Entity, place: Location) -> None:
    for names in _paths_of(text):
        if find_field(entity, names) is None and names[0] not in (*entity.conditions, *entity.computed):
            message = f"{what}: {entity.plural} have no field '{'.'.join(names)}'"
            findings.report("catalog-condition", message, place, "", nearest_names(entity, names[0]))


def _paths_of(text: str) -> list[tuple[str, ...]]:
    """Return the paths in a condition that are fields of its entity. The text has been parsed before."""
    found = parse(f"find x where {text}").statement
    assert isinstance(found, tree.Find)
    assert found.where is not None
    return [tuple(segment.name.text for segment in path.segments) for path in _own_paths(found.where)]


def _own_paths(node: tree.Node) -> Iterator[tree.Path]:
    """Yield paths of the entity itself. Paths in brackets belong to elements, those of a sub-query to another entity,
    and a name on the right can be a constant."""
    if isinstance(node, tree.Path):
        yield node
    elif not isinstance(node, tree.Subquery | tree.NameValue):
        for one in children(node):
            yield from _own_paths(one)


# --- words -----------------------------------------------------------------------------------------------------------


def check_spellings(findings: Findings, one: EntityDefinition, schema: Schema) -> None:
    """Warn of words of a field, and of named conditions, that are also values of another field: questions with such a
    word are ambiguous.

    The name of a field may be a value (`solved` beside the status `solved`), and so may that of a condition on the
    field of the value (`overdue: status = "overdue"`): both mean the same thing.
    """
    values: dict[str, tuple[str, str]] = {}
    for name, (part, _) in one.fields.items():
        for stored, others in (part.values or {}).items():
            values |= {normal_form(spelling): (name, stored) for spelling in (stored, *others)}
        values |= {normal_form(group): (name, group) for group in part.groups}
    for name, (part, place) in one.fields.items():
        for number, word in enumerate(part.words):
            holder, stored = values.get(normal_form(word), (name, ""))
            if holder != name:
                message = f"'{word}' stands for the field '{name}' and for '{stored}' of the field '{holder}'"
                hint = "questions with the word have two readings: remove it here or there"
                findings.report("catalog-clash", message, (*place, "words", number), hint, severity="warning")
    for name, (condition, place) in one.conditions.items():
        for word in (name, *condition.words):
            holder, stored = values.get(normal_form(word), (name, ""))
            if holder != name and not any(names[0] == holder for names in _paths_of(condition.means)):
                message = f"the condition '{word}' has the same name as '{stored}' of the field '{holder}' is"
                hint = "questions with the word have two readings: rename the condition, or let it ask about that value"
                findings.report("catalog-clash", message, place, hint, key=True, severity="warning")
