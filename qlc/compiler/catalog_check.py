"""Checks a catalog: its names and paths against the mapping, its conditions by compiling them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime

from qlc.base.diagnostics import Diagnostic
from qlc.compiler import typed
from qlc.compiler.catalog_conditions import parse_condition
from qlc.compiler.check import CHECKS, Checked, check
from qlc.compiler.codegen import RunBindings
from qlc.compiler.computed import Wrong, with_computed
from qlc.compiler.conditions import check_condition
from qlc.compiler.consistency import inconsistencies
from qlc.compiler.context import Context, EnoughFound, Scope
from qlc.compiler.periods import Clock
from qlc.compiler.walk import typed_parts
from qlc.grammar import SyntaxProblem, parse
from qlc.mapping import check as names_and_paths
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import Catalog
from qlc.mapping.checks.findings import Findings
from qlc.mapping.effective import EntityDefinition, entity_definitions
from qlc.mapping.fields import IndexMapping
from qlc.mapping.names import field_after, label_of
from qlc.mapping.schema import Entity, Schema


def check_catalog(catalog: Catalog, mappings: Mapping[str, IndexMapping] | IndexMapping) -> list[Diagnostic]:
    """Return all findings about a catalog, in the order of the file; empty if it can be used as it is.

    Conditions, access rules and examples are compiled only if everything else is right.
    """
    found = names_and_paths.check_catalog(catalog, mappings)
    if any(one.severity == "error" for one in found):
        return found
    schema, unfit = with_computed(build_schema(catalog, mappings))
    findings = Findings(catalog, found)
    report_computed(findings, unfit)
    if unfit:
        return findings.sorted()
    for one in entity_definitions(catalog).values():
        if one.virtual:
            continue
        texts = [
            (f"the condition '{name}'", part.means, (*place, "means"), False)
            for name, (part, place) in one.conditions.items()
        ]
        access = one.setting("access")
        if access is not None:
            texts.append(("the access rule", access, one.setting_location("access"), True))
        for what, text, place, is_access in texts:
            for wrong in _compiled(schema, schema.entities[one.name], text, access=is_access):
                message = f"{what}: {wrong.message}"
                findings.report("catalog-condition", message, place, wrong.hint, severity=wrong.severity)
        for name in one.setting("show") or ():
            if "." in name or name in one.computed:
                for wrong in _checked(schema, f"find {one.plural} show {name} limit 1"):
                    place = one.setting_location("show")
                    findings.report("catalog-reference", f"'show': {wrong.message}", place, wrong.hint)
        _check_labels(findings, one, schema)
    for number, example in enumerate(catalog.file.examples):
        for wrong in _checked(schema, example.query):
            message = f"the example '{example.words}': {wrong.message}"
            place = ("examples", number, "query")
            findings.report("catalog-example", message, place, wrong.hint, severity=wrong.severity)
    return findings.sorted()


def report_computed(findings: Findings, wrong: Iterable[Wrong]) -> None:
    """Report the computed fields and measures that cannot be calculated."""
    for one in wrong:
        part, place = findings.definitions[one.entity].computed[one.name]
        message = f"{one.name}: {one.problem.message}"
        findings.report("catalog-computed", message, (*place, part.key), one.problem.hint, one.problem.suggestions)


def _check_labels(findings: Findings, one: EntityDefinition, schema: Schema) -> None:
    """Check that each name in `tell_apart` is a field of the entity, or of an entity one reference away."""
    place = one.setting_location("tell_apart")
    for name in one.setting("tell_apart") or ():
        label = label_of(schema.entities[one.name], name)
        if label is None:
            hint = "name a field of the list, or remove it"
            findings.report("catalog-reference", f"'tell_apart': '{name}' is not a field", place, hint)
            continue
        after = field_after(schema, label)
        if label.after and after is None:
            hint = f"write {label.field.name}, or {label.field.name} and the name of a field of what it refers to"
            findings.report("catalog-reference", f"'tell_apart': '{name}' leads to no field", place, hint)
        elif after is not None and after[1].sensitive:
            hint = "callers without permission would see the field this way: choose another field"
            findings.report("catalog-sensitive", f"'tell_apart' names the sensitive field '{name}'", place, hint)


def _checked(schema: Schema, source: str) -> Iterator[Diagnostic]:
    """Yield the diagnostics of an example query, checked as for a caller without permissions."""
    try:
        checked = check(parse(source), schema, source, {}, frozenset())
    except SyntaxProblem as problem:
        yield problem.diagnostic
        return
    yield from checked.diagnostics
    if checked.statement is not None:
        clock = Clock(datetime.now(UTC), UTC, schema.week_start)
        yield from inconsistencies(checked, RunBindings(schema, clock, {}, {}))


def _compiled(schema: Schema, entity: Entity, text: str, *, access: bool) -> Iterator[Diagnostic]:
    """Yield the diagnostics of a condition, checked as the whole `where` of a query."""
    context = Context(schema, CHECKS, text, access=access, sensitive=None)
    condition: typed.Condition = typed.All()
    with suppress(EnoughFound):
        condition = check_condition(context, parse_condition(text), Scope(entity))
    yield from context.diagnostics
    if not context.failed:
        program = parse(f"find x where {text}")
        clock = Clock(datetime.now(UTC), schema.zone if access else UTC, schema.week_start)
        find = typed.Find(entity, condition)
        checked = Checked(find, program, (), parts=typed_parts(find))
        yield from inconsistencies(checked, RunBindings(schema, clock, {}, {}))
