"""Clauses that a request is read into, and the state of reading it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import field as attribute
from datetime import tzinfo
from itertools import islice
from typing import Any, TypeVar

from qlc.base.diagnostics import Span
from qlc.base.errors import UsageError
from qlc.base.options import zone_of
from qlc.base.words.spelling import did_you_mean, nearest, typo_of
from qlc.compiler.periods import Clock
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Schema
from qlc.pasted import values
from qlc.pasted.dates import NotDateMath, is_relative, resolved
from qlc.pasted.json_tree import Fix, Member, Object, plain
from qlc.pasted.problems import Findings, Reason, Rejected
from qlc.pasted.reach import FieldUse, Reach, Withheld
from qlc.resolver.field_notes import are_short

T = TypeVar("T")

SCRIPTED = frozenset({"script", "script_fields", "runtime_mappings", "init_script", "map_script", "combine_script",
                      "reduce_script", "_script", "minimum_should_match_script"})  # fmt: skip


def known(found: T | None) -> T:
    """Return what was found. Raises Rejected for None, whose problem is recorded already."""
    if found is None:
        raise Rejected
    return found


@dataclass(frozen=True, slots=True)
class Function:
    """One function of a `function_score`: its kind and field (none for a weight alone), and its weight."""

    made: Clause | None = None
    weight: float | None = None
    filter: Clause | None = None

    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = {} if self.filter is None else {"filter": self.filter.body()}
        if self.weight is not None:
            found["weight"] = self.weight
        return found if self.made is None else {**found, **self.made.body()}


@dataclass(frozen=True, slots=True)
class Script:
    """A script that qlc makes: the condition or the calculation that it is made of, by the name of each entity."""

    said: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Clause:
    """One query. `kind` is Elasticsearch's name, empty for a query that cannot be used here.

    `field` is the queried field, `fields` those of a `multi_match` with boosts. `params` are as sent, `parts` the inner
    queries by parameter, `functions` those of a `function_score`, `script` what a script says.
    """

    kind: str
    field: FieldUse | None = None
    params: Mapping[str, Any] = attribute(default_factory=dict)
    parts: Mapping[str, tuple[Clause, ...]] = attribute(default_factory=dict)
    fields: tuple[tuple[FieldUse, str], ...] = ()
    functions: tuple[Function, ...] = ()
    script: Script | None = None

    def body(self) -> dict[str, Any]:
        """Return the query as Elasticsearch takes it."""
        params: dict[str, Any] = dict(self.params)
        if self.kind in ("exists", "field_value_factor") and self.field is not None:
            params["field"] = self.field.path
        elif self.field is not None:
            # The field is where its parameter would: with its values, its place, or all its parameters.
            own = next((params.pop(name) for name in ("values", "place") if name in params), None)
            return {self.kind: {self.field.path: params} if own is None else {self.field.path: own, **params}}
        if self.fields:
            params["fields"] = [used.path + boost for used, boost in self.fields]
        if self.functions:
            params["functions"] = [one.body() for one in self.functions]
        for name, inner in self.parts.items():
            bodies = [one.body() for one in inner]
            params[name] = bodies[0] if name in _SINGLE or self.kind == "constant_score" else bodies
        return {self.kind: params}

    def walk(self) -> Iterator[Clause]:
        yield self
        for inner in self.parts.values():
            for one in inner:
                yield from one.walk()
        for function in self.functions:
            if function.filter is not None:
                yield from function.filter.walk()


_SINGLE = frozenset({"query", "positive", "negative"})
"""Parameters with one query, besides the `filter` of `constant_score`."""


@dataclass(slots=True, kw_only=True)
class RequestContext(Findings):
    """State of reading a request: the fields, the clock, the problems.

    `scripts` has the places of scripts, and whether each is one that qlc makes.
    """

    reach: Reach
    clock: Clock
    schema: Schema
    scripts: dict[Span, bool] = attribute(default_factory=dict)
    clauses: int = 0
    aggregations: int = 0
    nested: tuple[str, ...] = ()

    def unknown(
        self, one: Member, message: str, names: Iterable[str], hint: str, reason: Reason = "not_allowed", most: int = 2
    ) -> Rejected:
        """Report a member whose name is none of some, with the names that it may misspell."""
        near = nearest(one.key, names, most)
        return self.reject(reason, message, one.key_span, did_you_mean(near) or hint, what=one.key, suggestions=near,
                           fix=self.misspelt(one, names))

    def misspelt(self, one: Member, names: Iterable[str]) -> Fix | None:
        """Return the fix for a member whose name misspells exactly one allowed name."""
        meant = typo_of(one.key, {name: name for name in names})
        return None if meant is None else Fix.name(f"there is no '{one.key}' here", meant, one.key_span)

    def forbid(self, one: Member, message: str, hint: str) -> Rejected:
        """Report a member that may not be used."""
        return self.reject("not_allowed", message, one.key_span, hint, what=one.key)

    def mistype(self, used: FieldUse, message: str, hint: str = "use another field") -> Rejected:
        """Report a field whose type does not support this use."""
        return self.reject("wrong_type", message, used.span, hint, what=used.path)

    def mistype_text(self, used: FieldUse, message: str, hint: str) -> Rejected:
        """Report a text field, as `mistype`, with the keyword field beside it as the fix."""
        exact = used.mapped.exact if used.path != "_id" else None
        if not exact or exact == used.path:
            return self.mistype(used, message, hint)
        fix = Fix.name(f"'{used.path}' is full text", exact, used.span)
        return self.reject("wrong_type", message, used.span, did_you_mean([exact]), what=used.path,
                           suggestions=[exact], fix=fix)

    # --- parts -------------------------------------------------------------------------------------------------------

    def body_of(self, one: Member, hint: str = "") -> Object:
        """Return the object that is the value of a member. Raises Rejected."""
        if isinstance(one.value, Object):
            return one.value
        raise self.reject("syntax", f"'{one.key}' takes an object in brackets", one.value.span,
                          hint or f'write {{"{one.key}": {{...}}}}', what=one.key)

    def params(self, name: str, members: Iterable[Member], allowed: Mapping[str, values.Check]) -> dict[str, Any]:
        """Return the allowed parameters, and report all others. Parameters that change no answer are dropped."""
        found: dict[str, Any] = {}
        for one in members:
            check = allowed.get(one.key)
            if one.key == "_name" or (one.key == "boost" and plain(one.value) in (1, "1", "1.0")):
                continue
            if check is not None:
                with suppress(Rejected):
                    found[one.key] = check(self, one)
            elif one.key not in SCRIPTED:  # scripts are reported elsewhere
                listed = ", ".join(f"'{each}'" for each in islice(allowed, 8)) or "nothing"
                self.unknown(one, f"'{one.key}' cannot be used in '{name}' here", allowed,
                             f"leave it out; '{name}' takes {listed}")
        return {key: value for key, value in found.items() if value is not None}

    def field_of(self, one: Member, body: Object, params: dict[str, Any], *, inner: bool = False) -> FieldUse | None:
        """Remove the parameter `field` from the parameters, and return the field."""
        member = body.get("field")
        if member is not None and "field" in params:
            return self.used(params.pop("field"), member.value.span, inner=inner)
        if not SCRIPTED & set(body.keys()):  # scripts are reported elsewhere
            self.reject("syntax", f"'{one.key}' needs the name of a field", body.span, 'write {"field": "..."}',
                        what=one.key)
        return None

    def used(self, path: str, span: Span, *, inner: bool = False, searched: bool = True,
             compared: Sequence[object] | None = None) -> FieldUse | None:  # fmt: skip
        """Return the field of a path, or report why it cannot be used. `searched`: it is searched at this place, and a
        note tells if it has no values there. `compared`: values that it must equal."""
        if self.full:
            return None
        found = self.reach.inner(path, span) if inner else self.reach.field(path, span)
        if not isinstance(found, FieldUse):
            self.withheld(path, found, span)
            return None
        if found.mapped.conflict:
            types = ", ".join(f"{kind} in {index}" for index, kind in found.mapped.conflict)
            self.mistype(found, f"'{path}' has different types over the indices: {types}",
                         "ask one index, or have the mapping corrected")
            return None
        if searched and (note := self.reach.note_of_list(found, self.nested[-1] if self.nested else "")):
            self.tell(note)
            self.reach.misplaced = self.reach.misplaced or path
        if searched and (compared is None or not are_short(found.mapped, compared)):
            self.reach.uses_values(found)
        return found

    def withheld(self, path: str, why: Withheld, span: Span) -> Rejected:
        if why.confidential:
            return self.reject("confidential", f"'{path}' is confidential", span,
                               "use other fields, or an account that may see it", what=path)
        near, surely = self.reach.nearest(path)
        message = f"there is no field '{path}'"
        fix = None if surely is None else Fix.name(message, surely, span)
        return self.reject("unknown_field", message, span,
                           did_you_mean(near) or "write the path of a field as the index mapping has it", what=path,
                           suggestions=near, fix=fix)

    def nested_list(self, path: str, span: Span, hint: str = "") -> bool:
        """Whether a nested list may be searched; if not, the reason is reported."""
        why = self.reach.nested(path)
        if why is not None and why.confidential:
            self.withheld(path, why, span)
        elif why is not None:
            self.reject("unknown_field", f"there is no nested list '{path}'", span, did_you_mean(why.nearest) or hint,
                        what=path, suggestions=why.nearest)
        return why is None

    def zone(self, name: object, span: Span) -> tzinfo:
        try:
            return zone_of(None if name is None else str(name))
        except UsageError as problem:
            self.reject("wrong_type", str(problem), span)
            return zone_of(None)

    def date(
        self, used: FieldUse | None, holder: dict[str, Any], one: Member, zone: tzinfo, own: str | None, *, up: bool
    ) -> bool:
        """Whether a value is a date of a field; `now` is replaced by the caller's clock. `own` is the request's
        format."""
        value = holder[one.key]
        if not is_relative(value):
            if used is None or used.kind is not FieldKind.DATE:
                return True
            return values.fits(self, used, value, one.value, own)
        try:
            holder[one.key] = resolved(value, self.clock.now, zone, up=up)
        except NotDateMath:
            self.reject("wrong_type", f"'{value}' is not a date", one.value.span,
                        "write it like now-7d/d, or a date such as 2024-03-05", what=used.path if used else "")
            return False
        return True
