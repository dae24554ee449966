"""Parses the texts of a catalog that are written in the query language, before the index is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from qlc.grammar import SyntaxProblem, parse, tree
from qlc.grammar.problem import refuse
from qlc.mapping.catalog_model import CatalogFile, Shared

TextFinding = tuple[str, str, str, tuple[str, ...]]
"""Code, message, hint, and the path to the text."""


def unreadable_texts(file: CatalogFile) -> Iterator[TextFinding]:
    """Yield syntax errors of conditions, access rules, orders and shown paths."""
    parts: list[tuple[tuple[str, ...], Shared]] = [(("entities", name), part) for name, part in file.entities.items()]
    for place, part in [(("defaults",), file.defaults), *parts]:
        for name, condition in part.conditions.items():
            yield from _condition(f"the condition '{name}'", condition.means, (*place, "conditions", name, "means"))
        for name, computed in part.computed.items():
            try:
                parse_calculation(computed.text)
            except SyntaxProblem as unreadable:
                message = f"'{name}' cannot be read: {unreadable.diagnostic.message}"
                yield "catalog-computed", message, unreadable.diagnostic.hint, (*place, "computed", name, computed.key)
        if part.access is not None:
            yield from _condition("the access rule", part.access, (*place, "access"))
        if part.sort is not None and _wrong(part.sort, "sort") is not None:
            yield "catalog-sort", f"'{part.sort}' is not an order", "write: created desc, name", (*place, "sort")
        for name in part.show or ():
            problem = _wrong(name, "show") if "." in name else None
            if problem is not None:
                yield "catalog-reference", f"'show': {problem[0]}", problem[1], (*place, "show")


@lru_cache(maxsize=1024)
def parse_calculation(text: str) -> tree.Path | tree.Measure | tree.Computed:
    """Parse the calculation of a computed field or measure: `(revenue - cost) / revenue`. Raises SyntaxProblem."""
    program = parse(f"count x by y sort {text}")
    found = program.statement
    assert isinstance(found, tree.Aggregate)
    (first, *others), plain = found.sort or (None,), tree.Aggregate(found.measures, found.entity, groups=found.groups)
    is_alone = not program.lets and not others and first is not None and found == replace(plain, sort=found.sort)
    if first is None or not is_alone or first.descending or isinstance(first.key, tree.Group):
        refuse("unexpected", "this is not one calculation", found.span, "write, for example, quantity * unit_price")
    return first.key


def _condition(what: str, text: str, place: tuple[str, ...]) -> Iterator[TextFinding]:
    problem = _wrong(text, "where")
    if problem is not None:
        yield "catalog-condition", f"{what} {problem[0]}", problem[1], place


def _wrong(text: str, clause: str) -> tuple[str, str] | None:
    """Return why a text cannot follow a keyword of `find` (`where`, `sort`, `show`), with a hint; None if it can."""
    try:
        program = parse(f"find x {clause} {text}")
    except SyntaxProblem as problem:
        return f"cannot be read: {problem.diagnostic.message}", problem.diagnostic.hint
    found = program.statement
    if isinstance(found, tree.Find) and not program.lets:
        values: dict[str, Any] = {"where": found.where, "sort": found.sort, "show": found.show}
        if found == replace(tree.Find(found.entity), **{clause: values[clause]}):
            return None
    wanted = "a condition" if clause == "where" else "what it stands for"
    return f"is more than {wanted}", f"write what would follow '{clause}', and nothing else"
