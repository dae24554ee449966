"""The catalog as text for a model: entities, their fields with types, units and values, and what users call them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from qlc.compiler.completion import open_conditions, open_measures
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field, NestedList, Schema
from qlc.models.escaping import line, literal, plain
from qlc.translator.model.fields import Fields, Offered
from qlc.translator.model.sensitivity import open_examples

MOST_VALUES = 80  # closed values of one field that are listed with their spellings
_KINDS = {FieldKind.KEYWORD: "text", FieldKind.TEXT: "analysed text (contains, matches, mentions)"}


def catalog_text(fields: Fields) -> str:
    """Everything of a schema that does not depend on a question."""
    schema = fields.schema
    lines = [plain(schema.description)] if schema.description else []
    for entity in schema.entities.values():
        lines += _entity(entity)
    lines += [*_conditions(schema), *measures_text(schema.entities.values())]
    if fields.are_many:
        lines += ["", f"{len(fields.offered):,} fields. The ones that lie highest, by name alone:"]
        lines += _outline(fields.outline)
        lines.append("Fields that the question may need are described in <fields>; any other name here works too,")
        lines.append("and find_fields describes more.")
    else:
        lines += fields_text(fields.offered, schema)
    return "\n".join(map(line, lines))


def examples_text(schema: Schema) -> str:
    return "\n".join(f"{literal(one.words)} => {line(one.query)}" for one in open_examples(schema))


def fields_text(offered: Iterable[Offered], schema: Schema) -> list[str]:
    """Lines for fields, those of the same entities together, elements under their lists."""
    hidden = {name for entity in schema.entities.values() for name, one in entity.fields.items() if one.sensitive}
    blocks: defaultdict[tuple[str, ...], list[Offered]] = defaultdict(list)
    for one in offered:
        blocks[one.entities].append(one)
    lines = []
    for entities, members in blocks.items():
        named = ", ".join(schema.entities[name].plural for name in entities)
        lines += ["", f"Fields of {named}:"]
        lines += [_field(one.name, one.field, hidden) for one in members if one.within is None]
        within: dict[str, tuple[NestedList, list[Offered]]] = {}
        for one in members:
            if one.within is not None:
                within.setdefault(one.within.name, (one.within, []))[1].append(one)
        for many, elements in within.values():
            lines += _list(many, elements, hidden)
    return [line(one) for one in lines]


def _entity(entity: Entity) -> Iterator[str]:
    text = f": {plain(entity.description)}" if entity.description else ""
    yield ""
    yield f"entity {entity.name}, plural {entity.plural}{_also(entity.words)}{text}"
    if entity.virtual:
        yield f'  looked up ({entity.name}("NAME")) and grouped by only: no find or count of {entity.plural}'
    elif entity.kinds:
        yield f"  all of: {', '.join(entity.kinds)}"
    if entity.names and not entity.virtual:
        yield f'  {entity.name}("NAME") looks in: {", ".join(one.name for one in entity.names if not one.sensitive)}'
    elif not entity.virtual and entity.id is not None:
        yield f'  {entity.name}("ID") is the one with that {entity.id.name}'
    for key, value in (
        ("searched by about and mentions", ", ".join(one.name for one in entity.text if not one.sensitive)[:500]),
        ("the date meant where none is named", entity.default_date),
        ("the number meant where none is named", entity.default_number),
        ("order where none is asked for", entity.default_sort),
    ):
        if value:
            yield f"  {key}: {value}"


def _conditions(schema: Schema) -> Iterator[str]:
    """The named conditions, those of the same entities together."""
    having: defaultdict[str, list[str]] = defaultdict(list)
    for entity in schema.entities.values():
        for name, condition in open_conditions(entity, schema).items():
            also = _also(entity.condition_words.get(name, ()))
            having[f"  condition {name}{also}: {line(condition)}"].append(entity.plural)
    blocks: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for text, plurals in having.items():
        blocks[tuple(plurals)].append(text)
    for named, texts in blocks.items():
        yield from ("", f"Conditions of {', '.join(named)}:", *texts)


def measures_text(entities: Iterable[Entity]) -> Iterator[str]:
    """Yield lines for the measures of the catalog: `revenue (also: turnover), in EUR = sum(quantity * unit_price)`."""
    for entity in entities:
        measures = open_measures(entity)
        if measures:
            yield from ("", f"Measures of {entity.plural}, written by their names:")
        for one in measures:
            unit = f", in {one.unit}" if one.unit else ""
            text = f". {plain(one.description)}" if one.description else ""
            yield f"  measure {plain(_quoted(one.name))}{_also(one.words)}{unit} = {line(one.text)}{text}"


def _also(words: Collection[str]) -> str:
    return f" (also: {plain(', '.join(words))})" if words else ""


def _field(name: str, one: Field, hidden: Collection[str]) -> str:
    text = f". {plain(one.description)}" if one.description else ""
    return f"  {plain(_quoted(name))}: {_type(one, hidden)}{_also(one.words)}{text}"


def _quoted(name: str) -> str:
    return ".".join(part if part.replace("@", "_").isidentifier() else f"`{part}`" for part in name.split("."))


def _type(one: Field, hidden: Collection[str]) -> str:
    if one.reference is not None:
        kind = f"reference to {one.reference.entity}"
        if one.reference.constants:
            kind += f" or {', '.join(one.reference.constants)}"
    elif one.values is not None:
        kind = _values(one)
    else:
        kind = _KINDS.get(one.kind, str(one.kind)) + _aliases(one)
    if one.shown_unit:
        kind += f" in {one.shown_unit}"
    if one.unit_field and one.unit_field not in hidden:
        kind += f", its unit in {one.unit_field}"
    if one.calculation:
        kind += f" = {plain(one.calculation)}"
    if not one.adds_up:
        kind += ", has no sum"
    if one.whole_days:
        kind += ", whole days"
    return f"list of {kind}" if one.many else kind


def _aliases(one: Field) -> str:
    """Other spellings of stored values: `"Los Angeles" (la)`."""
    said: defaultdict[str, list[str]] = defaultdict(list)
    for alias, stored in one.aliases.items():
        said[stored].append(alias)
    shown = [f"{literal(stored)} ({plain(', '.join(aliases))})" for stored, aliases in said.items()]
    return f", among them {', '.join(shown[:MOST_VALUES])}" if shown else ""


def _values(one: Field) -> str:
    assert one.values is not None
    spellings: defaultdict[str, list[str]] = defaultdict(list)
    for spelling, stored in one.values.spellings.items():
        if spelling != one.values.label(stored).casefold():
            spellings[one.values.label(stored)].append(spelling)
    shown = [
        literal(value) + (f" ({plain(', '.join(spellings[value]))})" if spellings[value] else "")
        for value in one.values.display[:MOST_VALUES]
    ]
    more = len(one.values.display) - len(shown)
    text = "one of " + ", ".join(shown) + (f" and {more} more" if more > 0 else "")
    groups = [literal(group) for group in one.values.group_names or one.values.groups]
    return f"{text}; groups {', '.join(groups)}" if groups else text


def _list(many: NestedList, elements: Iterable[Offered], hidden: Collection[str]) -> Iterator[str]:
    text = f". {plain(many.description)}" if many.description else ""
    name = _quoted(many.name)
    if many.key is not None:
        yield f"  {name}: keys with values, {name}.KEY = VALUE{_also(many.words)}{text}"
        return
    apart = "not kept apart: one condition at a time, no brackets, none measured by another"
    tied = f"{name}[CONDITIONS on one element]" if many.tied else apart
    yield f"  {name}: list of elements, {tied}{_also(many.words)}{text}"
    for one in elements:
        yield "  " + _field(one.name, one.field, hidden)


def _outline(offered: Iterable[Offered]) -> Iterator[str]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for one in offered:
        head, _, rest = one.name.rpartition(".")
        groups[head].append(rest)
    for head, names in groups.items():
        text = plain(", ".join(_quoted(name) for name in names), 4_000)
        yield f"  {plain(_quoted(head))}: {text}" if head else f"  {text}"
