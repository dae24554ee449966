"""Checks each field and list of a catalog against the mapping."""

from __future__ import annotations

import re
from collections.abc import Iterable

from qlc.base.currencies import CURRENCIES
from qlc.base.words.spelling import nearest, nearest_targets
from qlc.mapping.catalog import Location
from qlc.mapping.catalog_model import FieldPart, ListPart
from qlc.mapping.checks.findings import Findings
from qlc.mapping.fields import NUMERIC, FieldKind, IndexMapping, MappedField
from qlc.mapping.stored import UNIT_NAMES, stored_unit


def check_field(
    findings: Findings, part: FieldPart, location: Location, mapping: IndexMapping, siblings: Iterable[str],
    within: str = "",
) -> None:  # fmt: skip
    """Check a field. `siblings` are the names beside it, `within` is the path of the list whose elements have it."""
    prefix = within + "." if within else ""
    findings.legal_name(str(location[-1]), "name of a field", location)
    mapped = findings.path(part.path, mapping, (*location, "path"), prefix)
    if mapped is None:
        return
    around = mapped.nested_path
    if around is not None and around != within:
        findings.report("catalog-path", f"{mapped.path} is in the nested list {around}", (*location, "path"),
                        f"put it under 'lists', in a list with the path {around}")
    if mapped.kind is FieldKind.UNSUPPORTED:
        message = f"{mapped.path} is mapped as {mapped.es_type}, which the query language cannot search"
        findings.report("catalog-type", message, (*location, "path"), "remove the field, or choose another path")
        return
    _check_unit(findings, part, mapped, location, siblings)
    if part.whole_days:
        findings.kind(mapped, [FieldKind.DATE, FieldKind.DATE_RANGE], "whole_days", (*location, "whole_days"))
    if part.case is not None:
        place = (*location, "case")
        if findings.kind(mapped, [FieldKind.KEYWORD], f"'case: {part.case}'", place) and mapped.normalizer is not None:
            message = f"{mapped.path} has the normalizer '{mapped.normalizer}', so the index does not keep the case"
            findings.report("catalog-type", message, place, "remove the key, or choose a path without a normalizer")
        if part.refers_to is not None:
            message = "a reference holds ids, which are compared exactly"
            findings.report("catalog-together", message, place, "remove the key", key=True)
    if not part.adds_up:
        findings.kind(mapped, NUMERIC, "'adds_up: false'", (*location, "adds_up"))
    closed = [FieldKind.KEYWORD, FieldKind.WHOLE_NUMBER]
    if part.values is not None and findings.kind(mapped, closed, "values", (*location, "values")):
        _check_values(findings, part, mapped, location)
    if part.aliases and findings.kind(mapped, [FieldKind.KEYWORD], "aliases", (*location, "aliases")):
        _check_aliases(findings, part, location)
    if part.refers_to is not None:
        _check_reference(findings, part, part.refers_to, mapped, location, mapping, prefix)


def _check_unit(
    findings: Findings, part: FieldPart, mapped: MappedField, location: Location, siblings: Iterable[str]
) -> None:
    if part.unit is not None:
        place = (*location, "unit")
        findings.kind(mapped, (*NUMERIC, FieldKind.NUMBER_RANGE), "a unit", place)
        if part.unit_field is not None and part.unit in CURRENCIES:
            message = "'unit' says that all amounts are in one currency, and 'unit_field' that each has its own"
            findings.report("catalog-together", message, place, "remove one of them", key=True)
        check_unit(findings, part.unit, place)
    if part.unit_field is not None:
        place = (*location, "unit_field")
        findings.kind(mapped, NUMERIC, "a unit", place)
        findings.known(part.unit_field, (one for one in siblings if one != str(location[-1])), "field", place)


def check_unit(findings: Findings, unit: str | None, place: Location) -> None:
    """Report a unit that is none."""
    if unit is not None and stored_unit(unit) is None and unit not in CURRENCIES:
        close = nearest(unit, (*UNIT_NAMES, *CURRENCIES))
        hint = f"units are {', '.join(UNIT_NAMES)}, and the codes of currencies: EUR"
        findings.report("catalog-unit", f"'{unit}' is not a unit", place, hint, close)


def _check_aliases(findings: Findings, part: FieldPart, location: Location) -> None:
    """Check that each alias belongs to one value, and is not itself a value."""
    owner = {stored.casefold(): stored for stored in part.aliases}
    for stored, aliases in part.aliases.items():
        for alias in aliases:
            other = owner.setdefault(alias.casefold(), stored)
            if other != stored:
                message = f"'{alias}' stands for '{other}' already"
                findings.report("catalog-clash", message, (*location, "aliases", stored), "an alias is of one value")


def _check_values(findings: Findings, part: FieldPart, mapped: MappedField, location: Location) -> None:
    """Check that each spelling, ignoring case, belongs to one value or one group."""
    owner: dict[str, str] = {}
    for stored in part.values or {}:
        place = (*location, "values", stored)
        if mapped.kind is FieldKind.WHOLE_NUMBER and not re.fullmatch(r"-?(0|[1-9][0-9]*)", stored):
            message = f"{mapped.path} is mapped as {mapped.es_type}, and '{stored}' is not a whole number"
            hint = "the stored number comes first, then what it is called: 80: [tanker]"
            findings.report("catalog-type", message, place, hint, key=True)
        other = owner.setdefault(stored.casefold(), stored)
        if other != stored and part.case is None:
            findings.report("catalog-clash", f"'{stored}' and '{other}' differ in case only", place, key=True)
    for stored, spellings in (part.values or {}).items():
        for spelling in spellings:
            other = owner.setdefault(spelling.casefold(), stored)
            if other != stored:
                own = spelling.casefold() == other.casefold()
                message = (f"'{spelling}' is a value itself, and no other spelling of '{stored}'" if own
                           else f"'{spelling}' stands for '{other}' already")
                hint = "a spelling can stand for one value; name several at once under 'groups'"
                findings.report("catalog-clash", message, (*location, "values", stored), hint)
    for group, members in part.groups.items():
        place = (*location, "groups", group)
        if group.casefold() in owner:
            message = f"the group '{group}' is a spelling of '{owner[group.casefold()]}' already"
            findings.report("catalog-clash", message, place,
                            "choose another name for the group, or remove the spelling", key=True)
        for member in members:
            if member.casefold() not in owner:
                message = f"'{member}' in the group '{group}' is none of the values"
                findings.report("catalog-reference", message, place, "add it to 'values'",
                                nearest_targets(member, owner))


def _check_reference(
    findings: Findings, part: FieldPart, target: str, mapped: MappedField, location: Location, mapping: IndexMapping,
    prefix: str,
) -> None:  # fmt: skip
    findings.known(target, findings.definitions, "entity", (*location, "refers_to"))
    findings.exact(mapped, "a reference", (*location, "path"))
    for key, path in (("name_at", part.name_at), ("under", part.under)):
        place = (*location, key)
        beside = None if path is None else findings.path(path, mapping, place, prefix)
        if beside is not None and findings.exact(beside, f"'{key}'", place) and beside.nested != mapped.nested:
            message = f"'{key}' and 'path' are not beside each other: {beside.path} and {mapped.path}"
            findings.report("catalog-path", message, place, "put both in the same list, or in none")
    for constant in part.constants:
        findings.legal_name(constant, "name of a constant", (*location, "constants", constant))


def check_list(findings: Findings, part: ListPart, location: Location, mapping: IndexMapping) -> None:
    """Check a list and the fields of its elements."""
    findings.legal_name(str(location[-1]), "name of a list", location)
    if part.path not in mapping.nested and part.path not in mapping.objects:
        places = sorted(mapping.nested | mapping.objects)
        ends = {one.rsplit(".", 1)[-1]: one for one in places} | {one: one for one in places}
        message = f"the index mapping has no list {part.path}"
        hint = f"nested lists are: {', '.join(sorted(mapping.nested)) or 'none'}"
        if mapping.at(part.path) is not None:
            message = f"{part.path} is a single field, not a list of elements"
            hint = "put it under 'fields' with list: true"
        findings.report("catalog-path", message, (*location, "path"), hint, nearest_targets(part.path, ends))
        return
    for name, element in part.fields.items():
        check_field(findings, element, (*location, "fields", name), mapping, part.fields, part.path)
    if part.key is None or part.value is None:
        if part.similar is not None:
            findings.report("catalog-together", "'similar' is of a key/value list", (*location, "similar"),
                            "say which field is the 'key' and which the 'value'")
        return
    if part.path not in mapping.nested:
        message = f"{part.path} is not nested, so it is unknown which value belongs to which key"
        findings.report("catalog-type", message, (*location, "key"),
                        "map it as nested and reindex, or remove 'key' and 'value'")
    for key, name in (("key", part.key), ("value", part.value)):
        path = part.fields[name].path if name in part.fields else name
        mapped = findings.path(path, mapping, (*location, key), part.path + ".")
        if mapped is not None and key == "key":
            findings.exact(mapped, "the key of a key/value list", (*location, key))
