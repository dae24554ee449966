"""Checks that the fields, entities and paths of a catalog exist; `build_schema` relies on it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping

from qlc.base.diagnostics import Diagnostic
from qlc.base.words.spelling import normal_form
from qlc.grammar.tree import NO_MEASURES
from qlc.mapping.catalog import Catalog, Location
from qlc.mapping.catalog_model import FieldPart, ListPart
from qlc.mapping.checks.fields import check_field, check_list, check_unit
from qlc.mapping.checks.findings import Findings
from qlc.mapping.checks.growth import check_growth
from qlc.mapping.effective import EntityDefinition, entity_definitions
from qlc.mapping.fields import NUMERIC, FieldKind, IndexMapping
from qlc.mapping.id_pattern import id_pattern
from qlc.mapping.stored import stored_value


def index_mappings(catalog: Catalog, mappings: Mapping[str, IndexMapping] | IndexMapping) -> dict[str, IndexMapping]:
    """Return the mapping of each index in the catalog; a single mapping is accepted for a catalog of one index."""
    names = dict.fromkeys(one.index for one in entity_definitions(catalog).values())
    if isinstance(mappings, IndexMapping):
        alone = len(names) == 1
        return {name: mappings for name in names if alone or name == mappings.index}
    return {name: mappings[name] for name in names if name in mappings}


def structure_findings(catalog: Catalog, mappings: Mapping[str, IndexMapping] | IndexMapping) -> list[Diagnostic]:
    """Return all findings about names and paths, in the order of the file."""
    findings = Findings(catalog, mappings=index_mappings(catalog, mappings))
    file = catalog.file
    shared = findings.mappings.get(file.index)
    if shared is not None:
        _check_parts(findings, file.fields, file.lists, (), shared)
    for one in findings.definitions.values():
        mapping = findings.mappings.get(one.index)
        findings.legal_name(one.name, "name of an entity", one.location)
        if mapping is None:
            findings.report("catalog-index", f"no mapping is given for the index '{one.index}'",
                            (*one.location, "index") if one.part.index else ("index",),
                            f"mappings are given for: {', '.join(findings.mappings) or 'no index'}")
        else:
            _check_parts(findings, one.part.fields, one.part.lists, one.location, mapping)
            _check_pattern(findings, one)
        if one.virtual:
            _check_virtual(findings, one)
        elif mapping is not None:
            for check in _OF_DOCUMENTS:
                check(findings, one, mapping)
    _check_entity_words(findings)
    check_growth(findings)
    return findings.sorted()


def _check_parts(
    findings: Findings, fields: Mapping[str, FieldPart], lists: Mapping[str, ListPart], place: Location,
    mapping: IndexMapping,
) -> None:  # fmt: skip
    siblings = list(fields) if not place else [*fields, *findings.catalog.file.fields]
    for name, part in fields.items():
        check_field(findings, part, (*place, "fields", name), mapping, siblings)
    for name, inner in lists.items():
        check_list(findings, inner, (*place, "lists", name), mapping)


def _check_pattern(findings: Findings, one: EntityDefinition) -> None:
    pattern, place = one.setting("id_pattern"), one.setting_location("id_pattern")
    if pattern is None:
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of what means something else in a later Python
            re.compile(pattern)
        id_pattern(pattern)
    except (re.error, FutureWarning, DeprecationWarning) as error:
        findings.report("catalog-value", f"id_pattern is not a regular expression: {error}", place,
                        "put the pattern in single quotes, in which \\ stays what it is")
    except ValueError as error:
        findings.report("catalog-value", f"id_pattern has what cannot be used: {error}", place,
                        "write it with characters, classes such as [0-9], brackets, | and repetition alone")


# --- entities with documents -----------------------------------------------------------------------------------------


def _check_where(findings: Findings, one: EntityDefinition, mapping: IndexMapping) -> None:
    for path, values in one.part.where.items():
        place = (*one.location, "where", path)
        mapped = findings.path(path, mapping, place)
        if mapped is None or not findings.exact(mapped, "'where'", place):
            continue
        if mapped.nested:
            findings.report("catalog-path", f"{path} is in the nested list {mapped.nested_path}", place,
                            "use a field of the document itself")
        for value in values:
            try:
                stored_value(mapped, value)
            except ValueError:
                message = f"'{value}' is not a value of {path}, which is mapped as {mapped.es_type}"
                findings.report("catalog-value", message, place, "write the value as it is stored")


_EXACT, _ANALYSED = "exact", "analysed"
_NAMING: Mapping[str, tuple[str | FieldKind, ...]] = {
    "id": (_EXACT,),
    "path": (_EXACT,),
    "names": (_EXACT, FieldKind.KEYWORD),
    "text": (_ANALYSED,),
    "vector": (FieldKind.VECTOR,),
    "date": (FieldKind.DATE,),
    "number": NUMERIC,
}
"""Keys of an entity that name its fields, and their requirements: exact values, analysed text, a type."""
_SHOWN_SO = "callers without permission would see the field this way: choose another field"


def _check_named_fields(findings: Findings, one: EntityDefinition, mapping: IndexMapping) -> None:
    """Check that the fields named by a key of the entity exist and meet the key's requirements."""
    for key, needs in _NAMING.items():
        named, place = one.setting(key), one.setting_location(key)
        for name in () if named is None else (named,) if isinstance(named, str) else named:
            if key == "number" and name in one.computed:
                continue
            if not findings.known(name, one.fields, "field", place):
                continue
            part = one.fields[name][0]
            mapped = mapping.at(part.path)
            if mapped is None:
                continue  # reported at the field
            if _EXACT in needs:
                findings.exact(mapped, f"'{key}'", place)
            if _ANALYSED in needs and mapped.analysed is None:
                message = f"'{key}' needs analysed text, and {mapped.path} is mapped as {mapped.es_type}"
                findings.report("catalog-type", message, place, "choose a text field, or one with a text sub-field")
            kinds = [need for need in needs if isinstance(need, FieldKind)]
            if kinds:
                findings.kind(mapped, kinds, f"'{key}'", place)
            if part.sensitive:
                findings.report("catalog-sensitive", f"'{key}' names the sensitive field '{name}'", place, _SHOWN_SO)


def _check_parent(findings: Findings, one: EntityDefinition, mapping: IndexMapping) -> None:
    parent, place = one.setting("parent"), one.setting_location("parent")
    if parent is None or not findings.known(parent, one.fields, "field", place):
        return
    if one.fields[parent][0].refers_to is None:
        findings.report("catalog-reference", f"the parent '{parent}' is not a reference", place,
                        f"give the field '{parent}' a refers_to")


def _check_passages(findings: Findings, one: EntityDefinition, mapping: IndexMapping) -> None:
    named, place = one.setting("passages"), one.setting_location("passages")
    if named is None:
        return
    entity, _, field = named.partition(".")
    parts = findings.definitions.get(entity)
    if parts is None or parts.virtual or field not in parts.fields:
        findings.report("catalog-reference", f"'{named}' is not a field of an entity with documents", place,
                        "name the entity that has the parts, and its field with the id of the whole: passage.document")
    elif parts.fields[field][0].sensitive:
        findings.report("catalog-sensitive", f"'passages' names the sensitive field '{field}'", place, _SHOWN_SO)
    elif not parts.setting("text"):
        findings.report("catalog-together", f"'{entity}' has no 'text' to rank by", place, f"give '{entity}' a 'text'")


def _check_shown(findings: Findings, one: EntityDefinition, mapping: IndexMapping) -> None:
    """Check the names in `show` and `tell_apart`: fields, lists, fields of elements (`shares.who`) or mapping paths."""
    for key in ("show", "tell_apart"):
        place = one.setting_location(key)
        for name in one.setting(key) or ():
            if mapping.at(name) is not None or name in mapping.nested:
                continue
            head, _, rest = name.partition(".")
            if rest and head in one.lists:
                findings.known(rest, one.lists[head][0].fields, f"field of '{head}'", place)
            else:
                calculated = () if key == "tell_apart" else one.computed
                findings.known(head, [*one.fields, *one.lists, *calculated], "field", place)
            if head in one.fields and one.fields[head][0].sensitive and key == "tell_apart":
                findings.report("catalog-sensitive", f"'{key}' names the sensitive field '{name}'", place, _SHOWN_SO)


def _check_normalized_name(findings: Findings, one: EntityDefinition, mapping: IndexMapping) -> None:
    path, place = one.setting("normalized_name"), one.setting_location("normalized_name")
    mapped = None if path is None else findings.path(path, mapping, place)
    if mapped is not None and mapped.normalizer is None:
        hint = "choose a keyword (sub-)field with a normalizer that folds case and accents, or remove the key"
        findings.report("catalog-type", f"{path} has no normalizer", place, hint)


def _check_field_words(findings: Findings, one: EntityDefinition, mapping: IndexMapping) -> None:
    """Check that a word belongs to one field of an entity; a name takes precedence over a word."""
    owner: dict[str, str] = {}
    parts: dict[str, tuple[FieldPart | ListPart, Location]] = {**one.lists, **one.fields}
    for name in (*one.fields, *one.lists):
        other = owner.setdefault(normal_form(name), name)
        twice = name in one.fields and name in one.lists
        if other != name or twice:
            message = f"'{name}' and '{other}' are the same name to a reader"
            message = f"'{name}' is a field and a list" if twice else message
            findings.report("catalog-clash", message, parts[name][1], "rename one of them", key=True)
    for name, (part, place) in parts.items():
        _check_words(findings, part.words, name, owner, place)
    for name, (_, place) in one.conditions.items():
        other = owner.setdefault(normal_form(name), name)
        if other != name or name in parts:
            findings.report("catalog-clash", f"the condition '{name}' has the same name as the field '{other}'", place,
                            "choose another name for the condition", key=True)
        findings.legal_name(name, "name of a condition", place)
    for name, (condition, place) in one.conditions.items():
        _check_words(findings, condition.words, name, owner, place)
    for name, (computed, place) in one.computed.items():
        other = owner.setdefault(normal_form(name), name)
        if other != name or name in parts or name in one.conditions:
            findings.report("catalog-clash", f"'{name}' is computed, and '{other}' is a name already", place,
                            "choose another name for what is computed", key=True)
        elif mapping.at(name) is not None or name in mapping.nested:
            findings.report("catalog-clash", f"'{name}' is computed, and the index mapping has a field '{name}' too",
                            place, "choose another name for what is computed", key=True)
        if computed.measure is not None and name.lower() in NO_MEASURES:
            findings.report("catalog-name", f"'{name}' is a word of the query language and cannot be a measure", place,
                            f"choose a longer name: all_{name}", key=True)
        findings.legal_name(name, "name of a computed field or measure", place)
        check_unit(findings, computed.unit, (*place, "unit"))
        _check_words(findings, computed.words, name, owner, place)
    for inner, place in one.lists.values():
        element_owner = {normal_form(name): name for name in inner.fields}
        for name, element in inner.fields.items():
            _check_words(findings, element.words, name, element_owner, (*place, "fields", name))


def _check_identity(findings: Findings, one: EntityDefinition, mapping: IndexMapping) -> None:
    """Warn of a field `id` that does not identify: look-ups and references then go by the id in the index."""
    if one.setting("id") is None and "id" in one.fields:
        message = f"{one.plural} have a field 'id', and no 'id:' that says that it identifies them"
        hint = "write 'id: id'; without it, look-ups and references go by the id of the document in the index"
        place = one.fields["id"][1]
        findings.report("catalog-clash", message, place, hint, key=True, severity="warning")


_OF_DOCUMENTS = (_check_identity, _check_where, _check_field_words, _check_named_fields, _check_parent,
                 _check_passages, _check_shown, _check_normalized_name)  # fmt: skip


# --- words -----------------------------------------------------------------------------------------------------------


def _check_words(findings: Findings, words: tuple[str, ...], name: str, owner: dict[str, str], place: Location) -> None:
    for index, word in enumerate(words):
        _claim(findings, word, name, owner, (*place, "words", index))


def _claim(findings: Findings, word: str, name: str, owner: dict[str, str], place: Location) -> None:
    """Assign a word to a name; report it if it belongs to another name or has no letters."""
    if not normal_form(word):
        way = "write what users call it, or remove it"
        findings.report("catalog-word", f"'{word}' has no letters or digits", place, way)
        return
    other = owner.setdefault(normal_form(word), name)
    if other != name:
        own = normal_form(word) == normal_form(other)
        message = f"'{word}' is a name already" if own else f"'{word}' stands for '{other}' already"
        findings.report("catalog-clash", f"{message}, so it cannot stand for '{name}' too", place,
                        "remove the word here, or rename what is called so" if own else "remove it here or there")


def _check_entity_words(findings: Findings) -> None:
    owner: dict[str, str] = {}
    for one in findings.definitions.values():
        place = (*one.location, "plural") if one.part.plural else one.location
        _claim(findings, one.name, one.name, owner, one.location)
        _claim(findings, one.plural, one.name, owner, place)
        findings.legal_name(one.plural, "plural of an entity", place)
    for one in findings.definitions.values():
        _check_words(findings, one.part.words, one.name, owner, one.location)


# --- entities without documents --------------------------------------------------------------------------------------

_OF_VIRTUAL = {"plural", "words", "description", "index", "virtual", "sources", "id_pattern", "match_steps"}
"""Keys that an entity without documents may have. Any other would be ignored, even an access rule."""


def _check_virtual(findings: Findings, one: EntityDefinition) -> None:
    others = {other.name: other for other in findings.definitions.values() if not other.virtual}
    if not others:
        message = f"'{one.name}' has no documents of its own, and the catalog has no entity with documents"
        findings.report("catalog-reference", message, one.location, "add the entities whose documents have the pairs")
        return
    for index, source in enumerate(one.part.sources):
        place: Location = (*one.location, "sources", index)
        holder = source.entity or next(iter(others))
        if not findings.known(holder, others, "entity with documents", (*place, "entity")):
            continue
        mapping = findings.mappings.get(others[holder].index)
        for key, path in (("key", source.key), ("name", source.name)):
            mapped = None if mapping is None else findings.path(path, mapping, (*place, key))
            if mapped is not None:
                findings.exact(mapped, f"'{key}'", (*place, key))
    if not one.part.sources and not any(_refers_by_name(other, one.name) for other in findings.definitions.values()):
        message = f"nothing refers to '{one.name}' with a name beside the id, so none can be found by name"
        hint = f"give a field refers_to: {one.name} and name_at, or list 'sources'"
        findings.report("catalog-reference", message, (*one.location, "virtual"), hint, key=True)
    for key in sorted(one.part.model_fields_set - _OF_VIRTUAL):
        if getattr(one.part, key):
            message = f"'{one.name}' has no documents of its own, so '{key}' means nothing"
            findings.report("catalog-together", message, (*one.location, key), "remove it", key=True)


def _refers_by_name(one: EntityDefinition, target: str) -> bool:
    return any(part.refers_to == target and part.name_at is not None and not part.sensitive
               for part, _, _ in one.parts())


def confidential_identity(catalog: Catalog, one: EntityDefinition) -> Diagnostic:
    """Report an entity whose ids or names are sensitive, since every answer would show them."""
    findings = Findings(catalog)
    place = one.location if one.virtual else one.setting_location("id")
    message = f"the {'names' if one.virtual else 'ids'} of {one.plural} are confidential: every answer would show them"
    findings.report("catalog-sensitive", message, place, "choose another field, or one that is not sensitive")
    return findings.found[0]
