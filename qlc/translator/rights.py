"""Filter the history by the caller's present rights.

An earlier turn is removed if another caller made it, if it needed a permission that is missing now, or if it names
something that has become confidential. Everything that is read of a history is read through here.
"""

from __future__ import annotations

import hashlib
import re
import weakref
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from qlc.base.deadline import checkpoint
from qlc.base.options import access_key, permitted
from qlc.compiler.check import check
from qlc.grammar import SyntaxProblem, parse
from qlc.mapping.guards import permits
from qlc.mapping.schema import Schema

ALL = "*"  # marker for the permission to see every sensitive field
MOST_KEPT = 2_048  # number of programs per schema for which the result of the check is cached


class Rights(BaseModel):
    """Rights of the caller at a turn. `who`: digest of the access context, may be empty. `sees`: sensitive fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    who: str = ""
    sees: tuple[str, ...] = ()

    @classmethod
    def of(cls, context: Mapping[str, Any]) -> Rights:
        identity = access_key({name: value for name, value in context.items() if name != "sensitive"})
        digest = hashlib.blake2b(str(identity).encode("utf-8", "replace"), digest_size=16).hexdigest()
        allowed = permitted(context)
        sees = (ALL,) if allowed is None else tuple(sorted(map(str, allowed)))
        return cls(who=digest if identity else "", sees=sees)

    def used_on(self, schema: Schema | None) -> Rights:
        """Without the permissions that make no difference there: what is recorded of a turn."""
        names = _sensitive(schema) if schema is not None else set(self.sees)
        sees = tuple(one for one in self.sees if one in names or (one == ALL and names))
        return self.model_copy(update={"sees": sees})

    @property
    def sensitive(self) -> frozenset[str] | None:
        """As the compiler takes them: the names of the fields, None for all."""
        return None if ALL in self.sees else frozenset(self.sees)

    def cover(self, made_with: Rights) -> bool:
        """Whether what was asked with these rights may be shown to who has those."""
        return self.who == made_with.who and (ALL in self.sees or set(made_with.sees) <= set(self.sees))


Answer = tuple[str, Mapping[str, Any]]  # A program and its outcome, as JSON
_WITHOUT_DATA = ("declined", "refuse", "invalid", "rejected_query", "failed")
"""Kinds of outcomes that contain no data, only the user's own words."""


def may_be_shown(
    rights: Rights, schema: Schema | None, answers: Iterable[Answer], texts: Iterable[str] = (),
    made_with: Rights | None = None,
) -> bool:  # fmt: skip
    """Whether something earlier may be spoken of: it was `made_with` rights that are still there (None: nobody knows),
    and neither programs nor outcomes, nor other `texts`, use or name what is confidential now.

    Without a schema, which the index did not give, only the rights are compared. Raises RequestFailed where time is up.
    """
    if made_with is not None and not rights.cover(made_with):
        return False
    closed = _closed(schema, rights.sensitive) if schema is not None else frozenset()
    if schema is None or not closed:
        return True
    named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(closed)))})(?!\w)")
    said = list(texts)
    for program, outcome in answers:
        if outcome.get("kind") in _WITHOUT_DATA and not (program and outcome.get("kind") == "refuse"):
            continue
        programs = {program, str(outcome.get("query") or "")} - {""}
        if not all(_is_permitted(one, schema, rights.sensitive) for one in programs):
            return False
        said += _names(outcome)
    return not any(map(named.search, said))


def _closed(schema: Schema, sensitive: frozenset[str] | None) -> frozenset[str]:
    """The names and the paths of what is confidential for who may see these of the sensitive fields, None for all."""
    if sensitive is None:
        return frozenset()
    sensitive_ones = ((name, paths) for name, paths in _sensitive(schema).items() if name not in sensitive)
    computed = (one for entity in schema.entities.values() for one in entity.computed.values())
    calculated = (one.name for one in computed if not permits(one.guards, sensitive))
    return frozenset((*calculated, *(one for name, paths in sensitive_ones for one in (name, *paths))))


def _sensitive(schema: Schema) -> dict[str, set[str]]:
    """Return the names and paths of sensitive fields and lists; computed fields have no permission of their own."""
    found: dict[str, set[str]] = {}
    for entity in schema.entities.values():
        fields = [(one.name, one.mapped.path, one.sensitive) for one in entity.all_fields if not one.calculation]
        lists = [(many.name, many.path, many.sensitive) for many in entity.lists.values()]
        for name, path, sensitive in (*fields, *lists):
            if sensitive:
                found.setdefault(name, set()).add(path)
    return found


def _names(outcome: Mapping[str, Any]) -> Iterator[str]:
    """The names of what an outcome shows."""
    for one in _parts(outcome.get("hits")):
        yield from _keys(one.get("values"))
    for one in _parts(outcome.get("options")):
        yield from _keys(one.get("details"))
    for one in (outcome, *_parts(outcome.get("rows"))):
        yield from (*_keys(one.get("key")), *_keys(one.get("value")))


def _parts(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _keys(value: Any) -> Iterator[str]:
    """The names in a value, at every depth."""
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield str(name)
            yield from _keys(one)
    elif isinstance(value, list):
        for one in value:
            yield from _keys(one)


_KNOWN: weakref.WeakKeyDictionary[Schema, dict[tuple[str, frozenset[str] | None], bool]] = weakref.WeakKeyDictionary()


def _is_permitted(program: str, schema: Schema, sensitive: frozenset[str] | None) -> bool:
    """Whether a program can be read, and uses nothing that is confidential."""
    known = _KNOWN.setdefault(schema, {})
    key = (program, sensitive)
    found = known.get(key)
    if found is None:
        checkpoint()
        try:
            visible = check(parse(program), schema, program, {}, sensitive).diagnostics
            found = all(one.code != "not-permitted" for one in visible)
        except SyntaxProblem:
            found = False
        if len(known) >= MOST_KEPT:
            known.clear()
        known[key] = found
    return found
