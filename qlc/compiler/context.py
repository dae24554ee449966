"""The state that the parts of the checker share: the schema, the findings so far, the place in the program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, ParamSpec, TypeVar
from typing import Literal as Choice

from qlc.base.deadline import checkpoint
from qlc.base.diagnostics import NO_SPAN, Diagnostic, Severity, Span
from qlc.base.frozen import unguarded_dataclass
from qlc.base.limits import MOST_FINDINGS, MOST_LEVELS
from qlc.compiler import typed
from qlc.grammar import tree
from qlc.grammar.fixes import Edit
from qlc.mapping.fields import FieldKind
from qlc.mapping.guards import Names, permits
from qlc.mapping.schema import Entity, Field, NestedList, Schema

CATALOG_HINT = "have it fixed in the catalog; use fields until then"

Item = TypeVar("Item")
Result = TypeVar("Result")
P = ParamSpec("P")


class Refused(Exception):
    """Raised for a part of the program that is wrong. The checker records its diagnostic and continues with the
    rest."""

    def __init__(
        self,
        code: str,
        message: str,
        span: Span = NO_SPAN,
        *,
        hint: str = "",
        suggestions: tuple[str, ...] = (),
        replacement: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.hint = hint
        self.suggestions = suggestions
        self.replacement = replacement


def confidential(name: str, span: Span) -> Refused:
    """Return the refusal for a field that the caller may not see."""
    return Refused("not-permitted", f"'{name}' is confidential", span,
                   hint="use other fields, or an account that may see it")


def list_of_elements(item: NestedList, verb: str, name: str, prefix: str, span: Span = NO_SPAN) -> Refused:
    """Return the refusal for a list used as a value. `prefix` goes before the names of its fields in the hint."""
    fields = quoted([prefix + one for one, field in item.fields.items() if not field.sensitive])
    return Refused("list-of-elements", f"'{name}' is a list of elements, not a value", span,
                   hint=f"{verb} one of its fields: {fields}")


class EnoughFound(Exception):
    """Raised to end the check once the most findings of one program have been reported."""


class AlreadyReported(Refused):
    """Raised for a node whose part was refused, after the diagnostic of that part was recorded."""

    def __init__(self, span: Span) -> None:
        super().__init__("", "", span)


@unguarded_dataclass(frozen=True, slots=True)
class Scope:
    """The entity, or the nested list of an entity, in which names are looked up.

    `ranked_allowed`: the condition is a top-level `and` part of `find`, where `about` is allowed.
    """

    entity: Entity
    element: NestedList | None = None
    ranked_allowed: bool = False

    def inner(self) -> Scope:
        return replace(self, ranked_allowed=False) if self.ranked_allowed else self


class SubqueryChecks(NamedTuple):
    """The checks of the statements and calculations that may be in a value."""

    find: Callable[[Context, tree.Find], typed.Find]
    aggregate: Callable[[Context, tree.Aggregate], typed.Aggregate]
    formula: Callable[[Context, tree.Operand, Field, Scope], typed.Formula]


Check = Callable[["Context", Any, Scope], typed.Condition]
"""The check of one kind of condition."""


@dataclass(slots=True)
class Context:
    """State of one check.

    - `checks`: the checks of statements inside values.
    - `statements`: checked sub-queries by the identity of their trees; `shared`: equal ones among them as one object.
    - `named`: checked conditions of the catalog, by entity and name.
    - `computed`: what the used names of computed fields and measures stand for.
    - `within`: the number of sub-queries around the current node.
    - `access`: set for an access rule, whose parameters come from the caller's context.
    - `sensitive`: the sensitive fields that the caller may use; None means all.
    - `places`: the span of each condition; `fixes`: the one certain edit of a diagnostic.
    """

    schema: Schema
    checks: SubqueryChecks
    source: str = ""
    access: bool = False
    parameters: Mapping[str, object] = field(default_factory=dict)
    sensitive: frozenset[str] | None = frozenset()
    lets: dict[str, tree.Let] = field(default_factory=dict)
    used_lets: set[str] = field(default_factory=set)
    broken_lets: dict[str, Refused] = field(default_factory=dict)
    expanding: tuple[str, ...] = ()
    diagnostics: list[Diagnostic] = field(default_factory=list)
    rewrites: dict[Span, tree.Node] = field(default_factory=dict)
    fields: dict[str, Field | NestedList] = field(default_factory=dict)
    literals: list[UsedLiteral] = field(default_factory=list)
    places: list[tuple[typed.Condition, Span]] = field(default_factory=list)
    fixes: dict[Diagnostic, Edit] = field(default_factory=dict)
    statements: dict[int, tuple[tree.Statement, typed.Find | typed.Aggregate | Refused]] = field(default_factory=dict)
    within: int = 0
    named: dict[tuple[str, str], typed.Condition] = field(default_factory=dict)
    computed: dict[str, str] = field(default_factory=dict)
    shared: dict[typed.Statement, typed.Find | typed.Aggregate] = field(default_factory=dict)

    def report(self, problem: Refused, severity: Severity = "error") -> None:
        if isinstance(problem, AlreadyReported):
            return
        found = Diagnostic(problem.code, problem.message, problem.span, problem.hint, problem.suggestions, severity)
        if self.expanding and problem.code == "not-permitted":  # the field was not named by who asks
            message = f"the {self.expanding[0]} uses what is confidential"
            found = Diagnostic(problem.code, message, problem.span, problem.hint, (), severity)
        elif self.expanding and problem.code != "endless-condition":
            message = f"in the {self.expanding[0]} of the catalog: {problem.message}"
            found = Diagnostic(problem.code, message, problem.span, CATALOG_HINT, (), severity)
        if found not in self.diagnostics:
            errors = sum(one.severity == "error" for one in self.diagnostics)
            if len(self.diagnostics) >= MOST_FINDINGS and (severity == "warning" or errors >= MOST_FINDINGS):
                if severity == "warning":
                    return
                raise EnoughFound
            self.diagnostics.append(found)
            if problem.replacement is not None and problem.span != NO_SPAN and not self.expanding:
                self.fixes[found] = Edit(problem.span, problem.replacement)

    @contextmanager
    def inside(self, what: str) -> Iterator[None]:
        """Check a text of the catalog, `condition 'overdue'`: the program keeps its name, so nothing inside is
        rewritten in it, and the names that the program binds mean nothing there. Raises Refused if it is in itself."""
        if what in self.expanding:
            raise Refused("endless-condition", f"the {what} of the catalog refers to itself", hint=CATALOG_HINT)
        outer = self.expanding, self.rewrites, self.lets
        self.expanding, self.rewrites, self.lets = (*self.expanding, what), {}, {}
        try:
            yield
        finally:
            self.expanding, self.rewrites, self.lets = outer

    def warn(self, code: str, message: str, span: Span = NO_SPAN, hint: str = "") -> None:
        self.report(Refused(code, message, span, hint=hint), "warning")

    def attempt(self, check: Check, node: tree.Condition, scope: Scope) -> typed.Condition:
        """Check a condition; if it is refused, record the diagnostic and return `All`."""
        checkpoint()
        condition = self.tried(check, self, node, scope)
        if condition is None:
            return typed.All()
        self.places.append((condition, node.span))
        return condition

    def tried(self, check: Callable[P, Result], *given: P.args, **named: P.kwargs) -> Result | None:
        """Return the result of a check; None if it is refused, after the diagnostic was recorded."""
        try:
            return check(*given, **named)
        except Refused as problem:
            self.report(problem)
            return None

    def each(self, check: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """Check each item. If some are refused, all diagnostics but the last are recorded, and the last is raised."""
        results: list[Result] = []
        refused: Refused | None = None
        for item in items:
            checkpoint()
            try:
                results.append(check(item))
            except Refused as problem:
                if refused is not None:
                    self.report(refused)
                refused = problem
        if refused is not None:
            raise refused
        return results

    def once(
        self, statement: tree.Find | tree.Aggregate, check: Callable[[], typed.Find | typed.Aggregate]
    ) -> typed.Find | typed.Aggregate:
        """Check a sub-query once, however often a binding uses it. Raises Refused."""
        kept = self.statements.get(id(statement))
        if kept is None:
            made: typed.Find | typed.Aggregate | Refused
            self.within += 1
            try:
                if self.within > MOST_LEVELS:
                    raise Refused("too-deep", f"more than {MOST_LEVELS} sub-queries are nested",
                                  statement.span, hint="ask in several steps: what is found first, then the rest")
                made = check()
                made = self.shared.setdefault(made, made)
            except Refused as problem:
                made = problem
            finally:
                self.within -= 1
            kept = self.statements[id(statement)] = (statement, made)
        if isinstance(kept[1], Refused):
            raise kept[1]
        return kept[1]

    def permits(self, guards: Names) -> bool:
        """Whether the caller may use a guarded field. Access rules may use all fields, since they show none."""
        return self.access or not guards or permits(guards, self.sensitive)

    @property
    def failed(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)


@unguarded_dataclass(frozen=True, slots=True)
class UsedLiteral:
    """A text compared with an open field. After the run it is reported if no document has it.

    `operator` is `=`, `exactly` where case counts, `key` for a key of a key/value list, or the operator of a pattern
    with plain `*` or `?`.
    """

    entity: Entity
    field: Field
    value: str
    span: Span
    operator: Choice["=", "exactly", "key", "contains", "starts with", "ends with", "like"] = "="


KINDS = {
    FieldKind.KEYWORD: "a text", FieldKind.TEXT: "full text", FieldKind.WHOLE_NUMBER: "a number",
    FieldKind.NUMBER: "a number", FieldKind.DATE: "a date", FieldKind.BOOLEAN: "true or false",
    FieldKind.GEO_POINT: "a place", FieldKind.IP: "an IP address", FieldKind.VECTOR: "a vector",
    FieldKind.GEO_SHAPE: "an area", FieldKind.NUMBER_RANGE: "a range of numbers",
    FieldKind.DATE_RANGE: "a range of dates", FieldKind.IP_RANGE: "a range of IP addresses",
    FieldKind.UNSUPPORTED: "of a type that cannot be searched",
}  # fmt: skip


def kind_of(field: Field) -> str:
    """Return the type of a field in plain words, for use after `is` or `holds`: `a number`."""
    return "a reference" if field.reference is not None else KINDS[field.kind]


def quoted(names: Mapping[str, object] | tuple[str, ...] | list[str], limit: int = 8, conjunction: str = "or") -> str:
    """`'a', 'b' or 'c'`; with "and N more" above the limit."""
    listed = list(names)
    shown = [f"'{name}'" for name in listed[:limit]]
    if len(listed) > limit:
        return f"{', '.join(shown)} and {len(listed) - limit} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {conjunction} {shown[-1]}" if shown else ""
