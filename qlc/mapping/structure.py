"""Whether what a catalog names is there: fields, entities, paths. What `build_schema` takes for granted afterwards."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping

from qlc.diagnostics import Diagnostic
from qlc.mapping.catalog import Catalog, Location
from qlc.mapping.catalog_model import FieldPart, ListPart
from qlc.mapping.effective import EntityDefinition, entity_definitions
from qlc.mapping.field_checks import check_field, check_list
from qlc.mapping.fields import NUMERIC, FieldKind, IndexMapping
from qlc.mapping.findings import Findings
from qlc.mapping.id_pattern import id_pattern
from qlc.mapping.nearest import normal_form
from qlc.mapping.stored import stored_value


def index_mappings(catalog: Catalog, mappings: Mapping[str, IndexMapping] | IndexMapping) -> dict[str, IndexMapping]:
    """The mapping of each index that the catalog names; one that is given alone serves a catalog of one index."""
    names = dict.fromkeys(one.index for one in entity_definitions(catalog).values())
    if isinstance(mappings, IndexMapping):
        alone = len(names) == 1
        return {name: mappings for name in names if alone or name == mappings.index}
    return {name: mappings[name] for name in names if name in mappings}


def structure_findings(catalog: Catalog, mappings: Mapping[str, IndexMapping] | IndexMapping) -> list[Diagnostic]:
    """Every finding about names and paths, in the order of the file."""
    findings = Findings(catalog)
    by_index = index_mappings(catalog, mappings)
    definitions = entity_definitions(catalog)
    for one in definitions.values():
        if one.index not in by_index:
            place = (*one.location, "index") if one.part.index else ("index",)
            hint = f"mappings are given for: {', '.join(by_index) or 'no index'}"
            findings.report("catalog-index", f"no mapping is given for the index '{one.index}'", place, hint)
    file = catalog.file
    shared = by_index.get(file.index)
    if shared is not None:
        _check_parts(findings, file.fields, file.lists, (), shared, definitions)
    for one in definitions.values():
        mapping = by_index.get(one.index)
        findings.legal_name(one.name, "name of an entity", one.location)
        if mapping is not None:
            _check_parts(findings, one.part.fields, one.part.lists, one.location, mapping, definitions)
            _check_entity(findings, one, mapping)
        if one.virtual:
            _check_virtual(findings, one, definitions, by_index)
    _check_entity_words(findings, definitions)
    return findings.sorted()


def _check_parts(
    findings: Findings,
    fields: Mapping[str, FieldPart],
    lists: Mapping[str, ListPart],
    place: Location,
    mapping: IndexMapping,
    entities: Iterable[str],
) -> None:
    siblings = list(fields) if not place else [*fields, *findings.catalog.file.fields]
    for name, part in fields.items():
        location = (*place, "fields", name)
        findings.legal_name(name, "name of a field", location)
        check_field(findings, part, location, mapping, entities, siblings)
    for name, inner in lists.items():
        location = (*place, "lists", name)
        findings.legal_name(name, "name of a list", location)
        check_list(findings, inner, location, mapping, entities)


def _check_entity(findings: Findings, one: EntityDefinition, mapping: IndexMapping) -> None:
    _check_pattern(findings, one)
    if one.virtual:
        return
    for path, values in one.part.where.items():
        _check_where(findings, path, values, (*one.location, "where", path), mapping)
    _check_field_words(findings, one)
    for key in ("id", "path"):
        _check_named_field(findings, one, key, mapping, exact=True)
    _check_named_field(findings, one, "names", mapping, exact=True, kinds=(FieldKind.KEYWORD,))
    _check_named_field(findings, one, "text", mapping, analysed=True)
    _check_named_field(findings, one, "vector", mapping, kinds=(FieldKind.VECTOR,))
    _check_named_field(findings, one, "date", mapping, kinds=(FieldKind.DATE,))
    _check_named_field(findings, one, "number", mapping, kinds=NUMERIC)
    _check_parent(findings, one)
    _check_shown(findings, one, mapping)
    normalized = one.setting("normalized_name")
    if normalized is not None:
        place = one.setting_location("normalized_name")
        mapped = findings.path(normalized, mapping, place)
        if mapped is not None and mapped.normalizer is None:
            hint = "choose a keyword (sub-)field with a normalizer that folds case and accents, or remove the key"
            findings.report("catalog-type", f"{normalized} has no normalizer", place, hint)
    for name, (_, place) in one.conditions.items():
        findings.legal_name(name, "name of a condition", place)


def _check_pattern(findings: Findings, one: EntityDefinition) -> None:
    pattern = one.setting("id_pattern")
    if pattern is None:
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of what means something else in a later Python
            re.compile(pattern)
        id_pattern(pattern)
    except (re.error, FutureWarning, DeprecationWarning) as error:
        place = one.setting_location("id_pattern")
        hint = "put the pattern in single quotes, in which \\ stays what it is"
        findings.report("catalog-value", f"id_pattern is no regular expression: {error}", place, hint)
    except ValueError as error:
        place = one.setting_location("id_pattern")
        hint = "write it with characters, classes such as [0-9], brackets, | and repetition alone"
        findings.report("catalog-value", f"id_pattern has what cannot be used: {error}", place, hint)


def _check_where(
    findings: Findings, path: str, values: tuple[str, ...], place: Location, mapping: IndexMapping
) -> None:
    mapped = findings.path(path, mapping, place)
    if mapped is None or not findings.exact(mapped, "'where'", place):
        return
    if mapped.nested:
        hint = "use a field of the document itself"
        findings.report("catalog-path", f"{path} is in the nested list {mapped.nested_path}", place, hint)
    for value in values:
        try:
            stored_value(mapped, value)
        except ValueError:
            message = f"'{value}' is no value of {path}, which is mapped as {mapped.es_type}"
            findings.report("catalog-value", message, place, "write the value as it is stored")


def _check_named_field(
    findings: Findings,
    one: EntityDefinition,
    key: str,
    mapping: IndexMapping,
    *,
    exact: bool = False,
    analysed: bool = False,
    kinds: tuple[FieldKind, ...] = (),
) -> None:
    """The field or fields that a key of the entity names, and whether their paths can do what they are for."""
    named = one.setting(key)
    place = one.setting_location(key)
    for name in () if named is None else (named,) if isinstance(named, str) else named:
        if not findings.known(name, one.fields, "field", place):
            continue
        part = one.fields[name][0]
        mapped = mapping.at(part.path)
        if mapped is None:
            continue  # reported at the field
        if exact:
            findings.exact(mapped, f"'{key}'", place)
        if analysed and mapped.analysed is None:
            hint = "choose a text field, or one with a text sub-field"
            message = f"'{key}' needs analysed text, and {mapped.path} is mapped as {mapped.es_type}"
            findings.report("catalog-type", message, place, hint)
        if kinds:
            findings.kind(mapped, kinds, f"'{key}'", place)
        if part.sensitive:
            hint = "whoever may not see the field would be told it this way: choose another field"
            findings.report("catalog-sensitive", f"'{key}' names the sensitive field '{name}'", place, hint)


def confidential_identity(catalog: Catalog, one: EntityDefinition) -> Diagnostic:
    """What tells the documents of an entity apart, or its names, is confidential: nothing can be said of them."""
    findings = Findings(catalog)
    place = one.location if one.virtual else one.setting_location("id")
    message = f"the {'names' if one.virtual else 'ids'} of {one.plural} are confidential: every answer would tell them"
    findings.report("catalog-sensitive", message, place, "choose another field, or one that is not sensitive")
    return findings.found[0]


def _check_parent(findings: Findings, one: EntityDefinition) -> None:
    parent = one.setting("parent")
    place = one.setting_location("parent")
    if parent is None or not findings.known(parent, one.fields, "field", place):
        return
    if one.fields[parent][0].refers_to is None:
        hint = f"say of the field '{parent}' what it refers_to"
        findings.report("catalog-reference", f"the parent '{parent}' is not a reference", place, hint)


def _check_shown(findings: Findings, one: EntityDefinition, mapping: IndexMapping) -> None:
    """`show` and `tell_apart` name fields, lists, an element's field (`shares.who`) or mapping paths."""
    names = [*one.fields, *one.lists]
    for key in ("show", "tell_apart"):
        place = one.setting_location(key)
        for name in one.setting(key) or ():
            if mapping.at(name) is not None or name in mapping.nested:
                continue
            head, _, rest = name.partition(".")
            inner = one.lists.get(head)
            if rest and inner is not None:
                findings.known(rest, inner[0].fields, f"field of '{head}'", place)
            else:
                findings.known(head, names, "field", place)
            if head in one.fields and one.fields[head][0].sensitive and key == "tell_apart":
                hint = "whoever may not see the field would be told it this way: choose another field"
                findings.report("catalog-sensitive", f"'{key}' names the sensitive field '{name}'", place, hint)


_OF_VIRTUAL = {"plural", "words", "description", "index", "virtual", "sources", "id_pattern", "rungs"}
"""What an entity without documents may have: the rest would be passed over, an access rule too."""


def _check_virtual(
    findings: Findings,
    one: EntityDefinition,
    definitions: Mapping[str, EntityDefinition],
    by_index: Mapping[str, IndexMapping],
) -> None:
    others = {other.name: other for other in definitions.values() if not other.virtual}
    if not others:
        message = f"'{one.name}' has no documents of its own, and the catalog has no entity with documents"
        findings.report("catalog-reference", message, one.location, "add the entities whose documents have the pairs")
        return
    for index, source in enumerate(one.part.sources):
        place: Location = (*one.location, "sources", index)
        holder = source.entity or next(iter(others))
        if not findings.known(holder, others, "entity with documents", (*place, "entity")):
            continue
        mapping = by_index.get(others[holder].index)
        for key, path in (("key", source.key), ("name", source.name)):
            mapped = None if mapping is None else findings.path(path, mapping, (*place, key))
            if mapped is not None:
                findings.exact(mapped, f"'{key}'", (*place, key))
    if not one.part.sources and not any(_refers_by_name(other, one.name) for other in definitions.values()):
        hint = f"give a field refers_to: {one.name} and name_at, or list 'sources'"
        message = f"nothing refers to '{one.name}' with a name beside the id, so nobody can be found by name"
        findings.report("catalog-reference", message, (*one.location, "virtual"), hint, key=True)
    for key in sorted(one.part.model_fields_set - _OF_VIRTUAL):
        if getattr(one.part, key):
            message = f"'{one.name}' has no documents of its own, so '{key}' means nothing"
            findings.report("catalog-together", message, (*one.location, key), "remove it", key=True)


def _refers_by_name(one: EntityDefinition, target: str) -> bool:
    elements = (element for part, _ in one.lists.values() for element in part.fields.values())
    return any(
        part.refers_to == target and part.name_at is not None and not part.sensitive
        for part in (*(part for part, _ in one.fields.values()), *elements)
    )


def _check_field_words(findings: Findings, one: EntityDefinition) -> None:
    """A word stands for one field of an entity; a name wins over a word."""
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
            message = f"the condition '{name}' is called as the field '{other}' is"
            findings.report("catalog-clash", message, place, "choose another name for the condition", key=True)
    for name, (condition, place) in one.conditions.items():
        _check_words(findings, condition.words, name, owner, place)
    for inner, place in one.lists.values():
        element_owner = {normal_form(name): name for name in inner.fields}
        for name, element in inner.fields.items():
            _check_words(findings, element.words, name, element_owner, (*place, "fields", name))


def _check_words(findings: Findings, words: tuple[str, ...], name: str, owner: dict[str, str], place: Location) -> None:
    for index, word in enumerate(words):
        _claim(findings, word, name, owner, (*place, "words", index))


def _claim(findings: Findings, word: str, name: str, owner: dict[str, str], place: Location) -> None:
    """Let a word stand for a name, unless it stands for another one."""
    other = owner.setdefault(normal_form(word), name)
    if other != name:
        own = normal_form(word) == normal_form(other)
        hint = "remove the word here, or rename what is called so" if own else "remove it here or there"
        message = f"'{word}' is a name already" if own else f"'{word}' stands for '{other}' already"
        findings.report("catalog-clash", f"{message}, so it cannot stand for '{name}' too", place, hint)


def _check_entity_words(findings: Findings, definitions: Mapping[str, EntityDefinition]) -> None:
    owner: dict[str, str] = {}
    for one in definitions.values():
        place = (*one.location, "plural") if one.part.plural else one.location
        _claim(findings, one.name, one.name, owner, one.location)
        _claim(findings, one.plural, one.name, owner, place)
        findings.legal_name(one.plural, "plural of an entity", place)
    for one in definitions.values():
        _check_words(findings, one.part.words, one.name, owner, one.location)
