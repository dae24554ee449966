"""Remove sensitive parts of conversations before a model sees them, and users' words and index values before logs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from qlc.base.diagnostics import Diagnostic
from qlc.compiler.check import check
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
    """Return the diagnostics that a caller without permissions would get, if the program uses something sensitive."""
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
    holding = [one for other in schema.entities.values() for one in other.all_fields
               if one.reference is not None and one.reference.entity == entity.name]
    return entity.virtual and any(one.sensitive for one in holding)


_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"?')
"""A text of users or of the index; one that is not closed ends with its line."""
_QUOTED_NAME = re.compile(r"`[^`\n]*`?")  # A name in back quotes may be a key of the index


def redacted(text: str) -> str:
    """A prompt or a checked program without its literals."""
    return _QUOTED_NAME.sub("`...`", _LITERAL.sub('"..."', text))


def redacted_message(content: Any) -> str:
    """Return a message for the log. Replies to a model keep only the codes, as the rest repeats a program."""
    if isinstance(content, str):
        return redacted(content)
    return "; ".join(_codes(json.loads(block.get("content") or block["text"])) for block in content)


def _codes(wrong: Mapping[str, Any]) -> str:
    found = [one["code"] for one in wrong.get("diagnostics", ())]
    return f"wrong program: {', '.join(found)}" if found else "no usable answer"
