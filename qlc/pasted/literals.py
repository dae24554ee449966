"""Translates values to literals of the query language with exactly the same meaning."""

from __future__ import annotations

import math
import re
from typing import Any

from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.id_pattern import id_pattern
from qlc.mapping.schema import Field
from qlc.pasted.saying import CannotSay, Saying, path_of


def literal(value: Any, field: Field, saying: Saying, *, folded: bool) -> tree.Value:
    """Return a value as a literal. Raises CannotSay if no literal means exactly it."""
    match field.kind:
        case FieldKind.NUMBER | FieldKind.WHOLE_NUMBER:
            return number(value)
        case FieldKind.BOOLEAN:
            return tree.Boolean(value in (True, "true"))
        case FieldKind.KEYWORD:
            return _text(str(value).lower() if isinstance(value, bool) else str(value), field, saying, folded=folded)
        case FieldKind.IP if re.fullmatch(r"[0-9a-fA-F.:]+", str(value)):
            return tree.String(str(value))
        case _:
            raise CannotSay(f"the value {value!r} of '{field.name}'")


def number(value: Any) -> tree.Number:
    """Return a number as a literal. Raises CannotSay."""
    try:
        read = float(value) if not isinstance(value, int) else value
    except (TypeError, ValueError):
        read = math.nan
    if isinstance(read, float) and (not math.isfinite(read)):
        raise CannotSay(f"the number {value}")
    if isinstance(read, float) and read.is_integer() and abs(read) < 2**53:
        read = int(read)
    text = repr(read)
    if "e" in text:
        mantissa, _, exponent = text.partition("e")
        text = f"{mantissa}e{int(exponent)}"
    return tree.Number(read, text)


def _text(text: str, field: Field, saying: Saying, *, folded: bool) -> tree.Value:
    if field.reference is not None:
        constant = next((name for name, stored in field.reference.constants.items() if stored == text), None)
        if constant is not None:
            return tree.NameValue(path_of([constant]))
        _looked_up(text, field.reference.entity, saying)
        return tree.String(text)
    if field.is_id:
        _looked_up(text, saying.entity.name, saying)
        return tree.String(text)
    if field.values is not None:
        spelled = text.casefold()
        if field.values.spellings.get(spelled) == text and spelled not in field.values.groups:
            return tree.String(text)
        raise CannotSay(f"the value {text!r}, which '{field.name}' does not have by the catalog")
    saying.compared(text, field, folded=folded)
    return tree.String(text)


def _looked_up(text: str, entity: str, saying: Saying) -> None:
    """Check that an id is looked up as an id: a text that does not look like one could be found as a name. Raises
    CannotSay."""
    pattern = saying.patterns.get(entity)
    if pattern is None or not id_pattern(pattern).fullmatch(text):
        saying.differ(f"{text!r}, which is looked up as a name too")
