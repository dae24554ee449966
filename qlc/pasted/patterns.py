"""Translates queries for parts of a text (prefix, wildcard, regexp) to conditions."""

from __future__ import annotations

import re

from qlc.compiler.caseless import case_variants, has_case
from qlc.compiler.codegen import like_pieces
from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Field
from qlc.pasted.clauses import Clause
from qlc.pasted.saying import CannotSay, Saying


def _pattern_field(clause: Clause, saying: Saying) -> tuple[Field, tree.Path]:
    used = clause.field
    assert used is not None
    if used.kind is not FieldKind.KEYWORD:
        raise CannotSay(f"'{clause.kind}' on '{used.path}'")
    field, path = saying.field(used)
    if field.reference is not None or field.is_id or field.kind is not FieldKind.KEYWORD:
        raise CannotSay(f"a part of the ids in '{field.name}'")
    return field, path


def prefix(clause: Clause, saying: Saying) -> tree.Condition:
    field, path = _pattern_field(clause, saying)
    text = str(clause.params["value"])
    if not text:
        return tree.Presence(path, missing=False)
    saying.compared(text, field, folded=bool(clause.params.get("case_insensitive")))
    return tree.Comparison(path, "starts with", tree.String(text))


def wildcard(clause: Clause, saying: Saying) -> tree.Condition:
    field, path = _pattern_field(clause, saying)
    pattern = str(clause.params["value"])
    if re.search(r"\\[^*?\\]|\\\Z", pattern):
        raise CannotSay(f"the pattern {pattern!r}")
    pieces = like_pieces(pattern)
    text = "".join(piece for piece in pieces if piece)
    saying.compared(text, field, folded=bool(clause.params.get("case_insensitive")))
    return _like(path, pieces)


def _like(path: tree.Path, pieces: list[str | None]) -> tree.Condition:
    """Return the shortest condition for a pattern of texts, with `None` for any letters and an empty text for one
    letter."""
    match pieces:
        case []:
            raise CannotSay("an empty pattern")
        case [None]:
            return tree.Presence(path, missing=False)
        case [str(text)] if text:
            return tree.Comparison(path, "=", tree.String(text))
        case [None, str(text), None] if text:
            return tree.Comparison(path, "contains", tree.String(text))
        case [str(text), None] if text:
            return tree.Comparison(path, "starts with", tree.String(text))
        case [None, str(text)] if text:
            return tree.Comparison(path, "ends with", tree.String(text))
    spelled = ("*" if one is None else "?" if not one else re.sub(r"([*?\\])", r"\\\1", one) for one in pieces)
    return tree.Comparison(path, "like", tree.String("".join(spelled)))


_REGEXP = re.compile(r"(\.\*)|(\.)|\\(.)|\[([^\]\[\\^-]+)\]|([^.?+*|{}\[\]()\"\\#@&<>~^$-])", re.DOTALL)


def regexp(clause: Clause, saying: Saying) -> tree.Condition:
    """Translate a regular expression that consists of literal text, in any case, and wildcards."""
    field, path = _pattern_field(clause, saying)
    pattern, at = str(clause.params["value"]), 0
    folded = bool(clause.params.get("case_insensitive"))
    pieces: list[str | None] = []
    for found in _REGEXP.finditer(pattern):
        if found.start() != at:
            break
        at = found.end()
        if found[1] or found[2]:
            pieces.append(None if found[1] else "")
            continue
        letter = found[3] or found[5] or found[4][0]
        if found[4] and set(found[4]) != set(case_variants(letter)):
            raise CannotSay(f"the pattern {pattern!r}")
        if not found[4] and has_case(letter) and not folded and field.mapped.normalizer is None:
            saying.in_any_case(pattern, field)
        if pieces and pieces[-1]:
            pieces[-1] += letter
        else:
            pieces.append(letter)
    if at != len(pattern) or field.mapped.es_type == "flattened":
        raise CannotSay(f"the pattern {pattern!r}")
    return _like(path, pieces)
