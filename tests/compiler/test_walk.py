"""The walk over typed queries misses no node, though it skips the attributes that hold none by their types."""

from dataclasses import fields, is_dataclass
from typing import Any

from hypothesis import given

from qlc.compiler import typed
from qlc.compiler.check import check
from qlc.compiler.walk import typed_parts
from qlc.grammar import parse

from .programs import programs
from .world import drive, relaxed


@relaxed
@given(programs())
def test_every_node_is_found_in_order(source: str) -> None:
    statement = check(parse(source), drive().compiler.schema, source).statement
    assert [id(part) for part in typed_parts(statement)] == list(dict.fromkeys(map(id, _all_nodes(statement))))


def test_what_is_closed_is_not_opened() -> None:
    source = 'find documents where folder = "Tax Documents" and owner = (find folders where name = "x" limit 1).owner'
    statement = check(parse(source), drive().compiler.schema, source).statement
    assert statement is not None
    taken = [part for part in typed_parts(statement, (typed.Taken,)) if isinstance(part, typed.Taken)]
    assert len(taken) == 2
    assert not any(isinstance(part, typed.Lookup | typed.Search) for part in typed_parts(statement, (typed.Taken,)))
    assert any(isinstance(part, typed.Lookup) for part in typed_parts(statement))


def _all_nodes(node: Any) -> list[Any]:
    if isinstance(node, tuple):
        return [found for item in node for found in _all_nodes(item)]
    if not is_dataclass(node) or type(node).__module__ != typed.__name__:
        return []
    return [node, *(found for attribute in fields(node) for found in _all_nodes(getattr(node, attribute.name)))]
