"""What is asked of the one thing that a query found: `who owns the largest video?`, `and where is it?`.

No name was said for it, so it is read as if it had one, and the query takes the place of that.
"""

from __future__ import annotations

from dataclasses import replace

from qlc.grammar import SyntaxProblem, parse, tree
from qlc.grammar.tree import Statement
from qlc.grammar.walk import mapped, walked
from qlc.translator.follow_ups.history import FOUND_BY
from qlc.translator.rules.lexicon.lexemes import ThingWord

_OVER_A_QUERY: dict[str, tree.ComparisonOperator] = {"=": "in", "under": "under in"}


def is_found_by_a_query(payload: object) -> bool:
    return isinstance(payload, ThingWord) and payload.text.startswith(FOUND_BY)


def with_the_query(statement: Statement) -> Statement | None:
    """The statement with the query in the place of the name; None where it cannot stand there."""
    if isinstance(statement, tree.Find) and (query := _query(statement.entity)) is not None:
        return query if statement.where is None and not statement.show else None

    def changed(node: tree.Node) -> tree.Node | None:
        if isinstance(node, tree.Comparison) and (query := _query(node.right)) is not None:
            operator = _OVER_A_QUERY.get(node.operator)
            return replace(node, operator=operator, right=tree.Subquery(query)) if operator else None
        if isinstance(node, tree.Member) and (query := _query(node.base)) is not None:
            return replace(node, base=tree.Subquery(query))
        return None

    found = mapped(statement, changed)
    return None if any(_query(one) is not None for one in walked(found)) else found


def _query(node: tree.Node) -> tree.Find | None:
    name = node.name if isinstance(node, tree.EntityLookup) else node
    if not isinstance(name, tree.String) or not name.value.startswith(FOUND_BY):
        return None
    try:
        query = parse(name.value.removeprefix(FOUND_BY)).statement
    except SyntaxProblem:  # something is called so
        return None
    return query if isinstance(query, tree.Find) else None
