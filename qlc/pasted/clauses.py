"""What a request is read into, and what its reading needs: clauses that may run, and how they are sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from datetime import tzinfo
from typing import Any

from qlc.compiler.periods import Clock
from qlc.diagnostics import Span
from qlc.errors import UsageError
from qlc.mapping.nearest import did_you_mean
from qlc.options import zone_of
from qlc.pasted.json_tree import Slip
from qlc.pasted.problems import Findings
from qlc.pasted.reach import FieldUse, Reach, Withheld


@dataclass(frozen=True, slots=True)
class Function:
    """One function of a `function_score`. `kind` is empty for a weight alone, `filter` what it counts for."""

    kind: str = ""
    field: FieldUse | None = None
    params: Mapping[str, Any] = attribute(default_factory=dict)
    weight: float | None = None
    filter: Clause | None = None

    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.filter is not None:
            found["filter"] = self.filter.body()
        if self.weight is not None:
            found["weight"] = self.weight
        if self.kind == "field_value_factor" and self.field is not None:
            found[self.kind] = {"field": self.field.path, **self.params}
        elif self.kind and self.field is not None:
            found[self.kind] = {self.field.path: dict(self.params)}
        return found


@dataclass(frozen=True, slots=True)
class Clause:
    """One query. `kind` is Elasticsearch's name of it, empty for one that cannot be used here.

    `field` is the field that it is about, `fields` those of a `multi_match` with their boosts. `params` are as sent,
    `parts` the queries inside by the parameter that they stand under, `functions` those of a `function_score`.
    """

    kind: str
    span: Span
    field: FieldUse | None = None
    params: Mapping[str, Any] = attribute(default_factory=dict)
    parts: Mapping[str, tuple[Clause, ...]] = attribute(default_factory=dict)
    fields: tuple[tuple[FieldUse, str], ...] = ()
    functions: tuple[Function, ...] = ()

    def body(self) -> dict[str, Any]:
        """As Elasticsearch takes it."""
        params: dict[str, Any] = dict(self.params)
        if self.kind == "exists" and self.field is not None:
            params["field"] = self.field.path
        elif self.field is not None:
            # The field stands where its parameter would: with its values, its place, or all its parameters.
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
"""Parameters that take one query, besides the `filter` of `constant_score`."""


@dataclass(slots=True)
class Reading:
    """What reading a request needs and collects: the fields, the clock, the problems."""

    reach: Reach
    clock: Clock
    findings: Findings
    clauses: int = 0
    nested: tuple[str, ...] = ()

    def used(self, path: str, span: Span, *, inner: bool = False) -> FieldUse | None:
        """The field of a path; a problem where it cannot be used."""
        if self.findings.full:
            return None
        found = self.reach.inner(path, span) if inner else self.reach.field(path, span)
        if isinstance(found, FieldUse):
            if found.mapped.conflict:
                types = ", ".join(f"{kind} in {index}" for index, kind in found.mapped.conflict)
                self.findings.reject("wrong_type", f"'{path}' has different types over the indices: {types}", span,
                                     "ask one index, or have the mapping mended", what=path)
                return None
            return found
        self.withheld(path, found, span)
        return None

    def withheld(self, path: str, why: Withheld, span: Span) -> None:
        if why.confidential:
            self.findings.reject("confidential", f"'{path}' is confidential", span,
                                 "ask with other fields, or with an account that may see it", what=path)
            return
        near, surely = self.reach.nearest(path)
        slip = None
        if surely is not None:
            slip = Slip(f"there is no field '{path}'", f"took {surely}", span, f'"{surely}"')
        self.findings.reject("unknown_field", f"there is no field '{path}'", span,
                             did_you_mean(near) or "write the path of a field as the index mapping has it", what=path,
                             suggestions=near, slip=slip)

    def zone(self, name: object, span: Span) -> tzinfo:
        if name is None:
            return zone_of(None)
        try:
            return zone_of(str(name))
        except UsageError as problem:
            self.findings.reject("wrong_type", str(problem), span)
            return zone_of(None)
