"""What of a conversation must not be sent to a model, whoever asks."""

from __future__ import annotations

from collections.abc import Sequence

from qlc.compiler.check import check
from qlc.diagnostics import Diagnostic
from qlc.grammar import SyntaxProblem, parse
from qlc.mapping.schema import Entity, Example, Schema


def is_sensitive(program: str, schema: Schema) -> bool:
    """Whether a program uses what not everybody may see: it is wrong for somebody without any permission."""
    try:
        tree = parse(program)
    except SyntaxProblem:
        return True
    return any(found.severity == "error" for found in check(tree, schema, program).diagnostics)


def open_examples(schema: Schema) -> list[Example]:
    """The example questions that everybody may know."""
    return [one for one in schema.examples if not is_sensitive(one.query, schema)]


def as_for_anybody(program: str, schema: Schema, found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What is wrong with a program, as somebody without any permission sees it where it uses what is sensitive."""
    try:
        tree = parse(program)
    except SyntaxProblem:
        return tuple(found)
    visible = check(tree, schema, program).diagnostics
    return visible if any(one.code == "not-permitted" for one in visible) else tuple(found)


def speaks_of_sensitive(text: str, schema: Schema) -> bool:
    """Whether a sentence may name a field that not everybody may see, or the values of one."""
    said = text.casefold()
    return any(
        phrase.casefold() in said
        for entity in schema.entities.values()
        for one in entity.fields.values()
        if one.sensitive
        for phrase in (one.name, one.name.replace("_", " "), *one.words, *(one.values.spellings if one.values else ()))
    )


def names_are_sensitive(entity: Entity, schema: Schema) -> bool:
    """Whether a name of the entity is one that not everybody may see, wherever it is stored."""
    if any(one.sensitive for one in entity.names):
        return True
    holding = [
        one
        for other in schema.entities.values()
        for one in (*other.fields.values(), *(f for many in other.lists.values() for f in many.fields.values()))
        if one.reference is not None and one.reference.entity == entity.name
    ]
    return entity.virtual and any(one.sensitive for one in holding)
