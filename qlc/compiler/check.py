"""The checker: tree + schema -> typed query, with all diagnostics at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from qlc.compiler import typed
from qlc.compiler.context import Context, EnoughFound, Refused, UsedLiteral
from qlc.compiler.statements import CHECKS, check_aggregate, check_find, check_get
from qlc.compiler.walk import SOURCES, levels, typed_parts
from qlc.diagnostics import Diagnostic, Span
from qlc.errors import RequestFailed
from qlc.grammar import parse, print_program, tree
from qlc.grammar.fixes import Edit, edited, parses
from qlc.grammar.walk import children, rebuilt
from qlc.limits import MOST_FINDINGS, MOST_LEVELS
from qlc.mapping.schema import Schema

MOST_FIXES = 4
"""Fixes one after the other: a fixed name may show that its value was misspelt too."""


@dataclass(frozen=True)
class Checked:
    """A program that was checked.

    `statement` is None where a diagnostic is an error. `text` is the canonical text with the catalog's names. `fields`
    are the mapping paths that the program uses, `literals` the texts compared with open fields, `places` the spans of
    its conditions, `parts` all nodes of the statement.
    """

    statement: typed.Statement | None
    tree: tree.Program
    diagnostics: tuple[Diagnostic, ...]
    fields: tuple[str, ...] = ()
    literals: tuple[UsedLiteral, ...] = ()
    places: tuple[tuple[typed.Condition, Span], ...] = ()
    parts: Sequence[Any] = field(default=(), compare=False, repr=False)

    @cached_property
    def text(self) -> str:
        return print_program(self.tree)


def check(
    program: tree.Program,
    schema: Schema,
    source: str = "",
    parameters: Mapping[str, object] | None = None,
    sensitive: frozenset[str] | None = frozenset(),
) -> Checked:
    """Check a program against a schema. Never raises for what the program says."""
    checked, fixes = _checked(program, schema, source, parameters or {}, sensitive)
    if not fixes:
        return checked

    def again(text: str) -> tuple[Checked, Fixes]:
        return _checked(parse(text), schema, text, parameters or {}, sensitive)

    try:
        text = _fixed(checked, fixes, source, again)
    except RequestFailed:  # no time is left: what is wrong is reported without a fix
        text = None
    found = (replace(one, fixed=text) if one in fixes else one for one in checked.diagnostics)
    return replace(checked, diagnostics=tuple(found))


Fixes = Mapping[Diagnostic, Edit]


def _fixed(
    checked: Checked, fixes: Fixes, source: str, check_again: Callable[[str], tuple[Checked, Fixes]]
) -> str | None:
    """The program with every error fixed: one of several alone would leave a text that is wrong still. What is found
    in the result is fixed in turn; None where that does not end in a program without errors."""
    for _ in range(MOST_FIXES):
        errors = [found for found in checked.diagnostics if found.severity == "error"]
        if not errors:
            return source
        if not all(found in fixes for found in errors):
            return None
        edits = sorted({fixes[found] for found in errors})
        if any(one.span.end > other.span.start for one, other in pairwise(edits)):
            return None
        source = edited(source, *edits)
        if not parses(source):
            return None
        checked, fixes = check_again(source)
    return None


def _checked(
    program: tree.Program,
    schema: Schema,
    source: str,
    parameters: Mapping[str, object],
    sensitive: frozenset[str] | None,
) -> tuple[Checked, Fixes]:
    context = Context(schema, CHECKS, source, parameters=parameters, sensitive=sensitive)
    statement: typed.Statement | None = None
    try:
        statement = _statement(context, program)
    except EnoughFound:
        end = program.statement.span.end
        message = f"the check ends here, after {MOST_FINDINGS} errors"
        context.diagnostics.append(
            Diagnostic("too-many-errors", message, Span(end, end), "fix these, and the others are reported")
        )
    parts = typed_parts(statement) if statement is not None and not context.failed else []
    # Most have not even so many sources.
    if len(parts) > MOST_LEVELS and sum(isinstance(part, SOURCES) for part in parts) > MOST_LEVELS < levels(statement):
        context.report(Refused("too-deep", f"more than {MOST_LEVELS} lookups and sub-queries each need the one before",
                               program.statement.span, hint="ask in several steps: what is found first, then the rest"))
    canonical = _rewritten(program, context.rewrites) if context.rewrites else program
    checked = Checked(
        statement=None if context.failed else statement,
        tree=canonical,
        diagnostics=tuple(sorted(context.diagnostics, key=lambda d: d.span)),
        fields=tuple(sorted(context.fields)),
        literals=tuple(context.literals),
        places=tuple(context.places),
        parts=parts,
    )
    return checked, context.fixes


def _statement(context: Context, program: tree.Program) -> typed.Statement | None:
    """Raises EnoughFound."""
    for place, let in enumerate(program.lets):
        _declare(context, let, {later.name.text for later in program.lets[place:]})
    statement: typed.Statement | None = None
    try:
        match program.statement:
            case tree.Find():
                statement = check_find(context, program.statement, top_level=True)
            case tree.Aggregate():
                statement = check_aggregate(context, program.statement)
            case tree.Get():
                statement = check_get(context, program.statement)
    except Refused as problem:
        context.report(problem)
    for let in program.lets:
        if let.name.text not in context.used_lets and let.name.text not in context.broken_lets:
            message = f"'{let.name.text}' is bound and never used"
            context.warn("unused-binding", message, let.name.span, "leave the 'let' out")
    _check_about_once(context, program)
    return statement


def _declare(context: Context, let: tree.Let, not_yet: set[str]) -> None:
    """Bind a name; its value may use the bindings before it, not itself and none of those `not_yet` bound."""
    if let.name.text in context.lets:
        context.report(Refused("bound-twice", f"'{let.name.text}' is bound twice", let.name.span,
                               hint="give the second one another name"))
        return
    if not_yet & _bare_names(let.value):
        # Reported once here, and where the name is used, which adds nothing to it.
        problem = Refused("bound-by-itself", f"'{let.name.text}' is bound by itself", let.name.span,
                          hint="bind it to a value, a lookup or a sub-query")
        context.report(problem)
        context.broken_lets[let.name.text] = problem
        return
    context.lets[let.name.text] = let


def _bare_names(node: tree.Node) -> set[str]:
    """The first words of the bare names among a value's values: what may be a binding."""
    if isinstance(node, tree.NameValue):
        return {node.path.segments[0].name.text}
    return {name for one in children(node) for name in _bare_names(one)}


def _check_about_once(context: Context, program: tree.Program) -> None:
    statement = program.statement
    if not isinstance(statement, tree.Find) or not isinstance(statement.where, tree.And):
        return
    ranked = [i for i in statement.where.items if isinstance(i, tree.EntityText) and i.operator == "about"]
    if len(ranked) > 1:
        context.report(Refused("about-twice", "'about' ranks the whole answer, so it can be used only once",
                               ranked[1].span, hint="put all the words into one 'about'"))


def _rewritten(program: tree.Program, rewrites: Mapping[Span, tree.Node]) -> tree.Program:
    """The tree with the catalog's names in place of the words that the program used."""

    def named(node: tree.Node) -> tree.Node:
        replacement = rewrites.get(node.span)
        return replacement if replacement is not None and type(replacement) is type(node) else node

    found: tree.Program = rebuilt(program, named)
    return found
