"""Filters as conditions of the query language. A value is a literal of its field's type, never text of a program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from qlc.answers.searching import Searches
from qlc.corpus.index import placed_fields
from qlc.corpus.schema import FieldPart
from qlc.grammar.printer import print_string

from .arguments import Filter, Scalar, Where
from .results import ToolProblem

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_AMOUNT = re.compile(r"\s*(-?\d[\d_]*(?:\.\d+)?)\s*([^\W\d_]{1,20}(?:[/·^][\w]{1,10})?|°[CF]|%|Ω|µ\w{1,5})?\s*")
_PERIOD = re.compile(r"(?:this|last|next) (?:year|month|week|quarter)|today|yesterday|\d{4}")


class Wrong(Exception):
    """Arguments that no program can be made of; `problem` is the data for it."""

    def __init__(self, code: str, message: str, hint: str, suggestions: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problem = ToolProblem(code=code, message=message, hint=hint, suggestions=[*suggestions])


def bucket_of(name: str, searches: Searches) -> str:
    """Return the name if the corpus has such a bucket. Raises Wrong."""
    buckets = [*searches.schema.file.buckets]
    if name and name not in (*buckets, "documents"):
        hint = "Use one of the suggestions, or leave it out for all documents."
        raise Wrong("unknown-bucket", f"There is no bucket '{name}'.", hint, buckets[:20])
    return name


def field_of(name: str) -> str:
    """Return the name if it can be that of a field, and cannot be another part of a program. Raises Wrong."""
    if not _NAME.fullmatch(name):
        raise Wrong("bad-field", f"'{name}' is not the name of a field.", "Name a field, such as 'effective'.")
    return name


def condition(where: Where, bucket: str, searches: Searches, things: str) -> str:
    """Return the text of a condition on `things`, the plural in the program; empty without a condition. Raises
    Wrong."""
    if isinstance(where, str):
        if not where.strip():
            return ""
        alone = searches.compiler.diagnose(f"count {things} where {where}", **searches.options)
        if alone.failed:  # in a larger one a bracket too many could mean something else
            first = next(one for one in alone.diagnostics if one.severity == "error")
            raise Wrong(first.code, first.message, first.hint or _CONDITION)
        return f"({where}\n)"
    parts = _fields(bucket, searches)
    return " and ".join(_one(one, parts.get(one.field)) for one in where)


_CONDITION = "Give a condition of the query language, as after 'where'."


def _fields(bucket: str, searches: Searches) -> dict[str, FieldPart]:
    """Return the fields of a bucket; without a bucket, the fields that mean the same in all."""
    return {
        one.name: one.part
        for one in placed_fields(searches.schema)
        if not one.part.sensitive and (one.bucket == bucket or (bucket in ("", "documents") and one.is_shared))
    }


def _one(one: Filter, part: FieldPart | None) -> str:
    name, kind = field_of(one.field), part.type if part is not None else ""
    if one.operator == "in":
        values = one.value if isinstance(one.value, list) else [one.value]
        if kind == "date" and len(values) == 1:
            return f"{name} in {_literal(values[0], one, kind)}"
        return f"{name} in [{', '.join(_literal(value, one, kind) for value in values)}]"
    if isinstance(one.value, list):
        hint = "Use the operator 'in', or one value."
        raise Wrong("bad-value", f"'{one.operator}' takes one value, not a list.", hint)
    if kind == "money" and isinstance(one.value, str):
        number, currency = amount(one.value, one.field)
        and_of = f" and {name}_currency = {print_string(currency.upper())}" if currency else ""
        return f"({name} {one.operator} {number}{and_of})"
    if isinstance(one.value, bool) and kind == "boolean" and one.operator == "=":
        return name if one.value else f"not {name}"
    if one.operator == "=" and kind == "date" and re.fullmatch(r"\d{4}", str(one.value)):
        return f"{name} in {one.value}"
    return f"{name} {one.operator} {_literal(one.value, one, kind)}"


def _literal(value: Scalar, one: Filter, kind: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value!r}"
    if kind in ("number", "duration", "money"):
        number, unit = amount(value, one.field)
        return f"{number} {unit}".rstrip()
    if kind == "date":
        return _date(value, one.field)
    return print_string(value)


def amount(text: str, name: str) -> tuple[str, str]:
    """Split an amount into number and unit. Raises Wrong."""
    found = _AMOUNT.fullmatch(text)
    if found is None:
        hint = "Write a number, and its unit after it: '60 days', '500 EUR'."
        raise Wrong("bad-amount", f"'{text[:60]}' is not an amount for '{name}'.", hint)
    return found[1].replace("_", ""), found[2] or ""


def _date(text: str, name: str) -> str:
    plain = text.strip().lower()
    if _PERIOD.fullmatch(plain):
        return plain
    try:
        return date.fromisoformat(plain[:10] if "t" in plain else plain).isoformat()
    except ValueError:
        hint = "Write a date that exists as 2024-03-31, a year as 2024, or a period such as 'last year'."
        raise Wrong("bad-date", f"'{text[:60]}' is not a date for '{name}'.", hint) from None


def joined(parts: Sequence[str]) -> str:
    """Join conditions by `and`, with `where` before them; empty if there are none."""
    some = [one for one in parts if one]
    return f" where {' and '.join(some)}" if some else ""
